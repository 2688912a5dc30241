import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    w = torch.sigmoid(lse_b - lse_a)[..., None]
    return w * out_a + (1 - w) * out_b, torch.logaddexp(lse_a, lse_b)
