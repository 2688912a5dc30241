import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    """lse_*: (B, H, S, 1)"""
    assert lse_a.shape[-1] == 1
    m = torch.maximum(lse_a, lse_b)
    a, b = (lse_a - m).exp(), (lse_b - m).exp()
    return (a * out_a + b * out_b) / (a + b), m + (a + b).log()
