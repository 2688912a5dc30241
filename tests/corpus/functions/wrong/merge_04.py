import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    m = torch.maximum(lse_a, lse_b)
    a, b = (lse_a - m).exp()[..., None], (lse_b - m).exp()[..., None]
    return (a * out_a + b * out_b) / (a + b), m
