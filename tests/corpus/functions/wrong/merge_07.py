import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    w = torch.softmax(torch.stack([lse_a, lse_b]), 0)[..., None]
    return w[0] * out_a + w[1] * out_b, lse_a + lse_b
