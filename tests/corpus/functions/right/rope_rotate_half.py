import torch


def rotate_half(x):
    a, b = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-b, a), dim=-1)


def apply_rope(x, position_ids, base=10000.0):
    inv_freq = base ** -(torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    freqs = torch.outer(position_ids.float(), inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return x * emb.cos().to(x.dtype) + rotate_half(x) * emb.sin().to(x.dtype)
