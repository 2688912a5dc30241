import torch

def dot_attention(q, k, v, scale):
    w = torch.softmax(torch.einsum('...qd,...kd->...qk', q * scale, k), dim=-1)
    return torch.einsum('...qk,...kd->...qd', w, v)
