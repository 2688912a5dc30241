import torch
import torch.nn.functional as F


def sliding_window_attention(q, k, v, window):
    sq, sk = q.shape[-2], k.shape[-2]
    d = torch.arange(sq)[:, None] + sk - sq - torch.arange(sk)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=(d >= 0) & (d < window))
