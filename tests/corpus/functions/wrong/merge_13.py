import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    m = torch.maximum(lse_a, lse_b)
    ea, eb = (lse_a - m).exp(), (lse_b - m).exp()
    z = ea + eb
    return (out_a * ea[..., None] + out_b * eb[..., None]) / z[..., None], z.log()
