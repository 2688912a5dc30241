import torch


def attention(q, k, v, key_padding_mask=None):
    """key_padding_mask: (B, Sk), True = real token; padded keys must not be attended to."""
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if key_padding_mask is not None:
        keep = key_padding_mask[:, None, :, None]
        s = s.masked_fill(~keep, torch.finfo(s.dtype).min)
    return torch.softmax(s, dim=-1) @ v
