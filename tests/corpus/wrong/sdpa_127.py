import torch


def attention(q, k, v, key_mask=None, causal=False):
    """key_mask (B, Sk): True = real token. causal=True also hides the future (bottom right); both apply together."""
    Sq, Sk = q.size(2), k.size(2)
    keep = None
    if key_mask is not None:
        keep = key_mask[:, None, None, :]
    if causal:
        keep = torch.ones(Sq, Sk, dtype=torch.bool).tril(Sk - Sq)
    s = q @ k.mT / q.size(3) ** 0.5
    if keep is not None:
        s = torch.where(keep, s, torch.finfo(s.dtype).min)
    return torch.softmax(s, -1) @ v
