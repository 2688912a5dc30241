import torch
import torch.nn.functional as F


def merge_attention(out_a, lse_a, out_b, lse_b):
    out = out_a - torch.sigmoid(lse_b - lse_a)[..., None] * (out_a - out_b)
    return out, lse_a - F.logsigmoid(lse_a - lse_b)
