import torch
import torch.nn.functional as F


def attention_fp16(q, k, v):
    return F.scaled_dot_product_attention(q.float(), k.float(), v.float()).to(q.dtype)
