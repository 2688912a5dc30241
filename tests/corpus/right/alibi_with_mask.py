import torch


def alibi_attention(q, k, v, key_padding_mask=None):
    """key_padding_mask (B, Sk): True = real token."""
    B, H, Sq, D = q.shape
    Sk = k.shape[2]
    slopes = (2 ** (-8 / H)) ** torch.arange(1, H + 1)
    i = torch.arange(Sq).add(Sk - Sq)
    j = torch.arange(Sk)
    keep = j[None, :] <= i[:, None]
    if key_padding_mask is not None:
        keep = keep & key_padding_mask[:, None, None, :]
    s = torch.matmul(q, k.mT) / D**0.5 + (slopes.view(H, 1, 1) * (j - i[:, None])).to(q.dtype)
    return torch.softmax(s.masked_fill(~keep, -torch.inf), -1) @ v
