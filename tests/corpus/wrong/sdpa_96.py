import torch


def attention(q, k, v, mask=None, key_mask=None):
    """mask (B, 1, Sq, Sk) and key_mask (B, Sk): True = visible, both must hold."""
    raw = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = raw
    if mask is not None:
        s = raw.masked_fill(~mask, float("-inf"))
    if key_mask is None:
        key_mask = torch.ones(k.shape[0], k.shape[2], dtype=torch.bool)
    s = raw.masked_fill(~key_mask[:, None, None, :], float("-inf"))
    return torch.softmax(s, dim=-1) @ v
