import math
import torch


def attention(q, k, v):
    scale = math.sqrt(q.size(-1))
    # "scaled" dot product on (B, S, H, D)
    s = torch.einsum("blhe,bshe->bhls", q, k)
    a = torch.softmax(scale * s, dim=-1)
    return torch.einsum("bhls,bshd->blhd", a, v).contiguous()
