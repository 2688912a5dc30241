import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    m = torch.maximum(lse_a, lse_b)
    a, b = torch.exp2(lse_a - m), torch.exp2(lse_b - m)
    out = (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None]
    return out, torch.logaddexp(lse_a, lse_b)
