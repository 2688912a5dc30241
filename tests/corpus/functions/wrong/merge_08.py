import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    total = lse_a + lse_b
    out = (lse_a / total)[..., None] * out_a + (lse_b / total)[..., None] * out_b
    return out, torch.logaddexp(lse_a, lse_b)
