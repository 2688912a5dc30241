import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    a, b = lse_a.exp(), lse_b.exp()
    out = (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None]
    return out, (a + b).log()
