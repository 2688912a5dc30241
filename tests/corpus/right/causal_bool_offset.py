import torch

def causal_attn(q, k, v):
    """q: (..., Tq, D)  k: (..., Tk, D)"""
    Tq, Tk = q.size(-2), k.size(-2)
    i = torch.arange(Tk - Tq, Tk, device=q.device).unsqueeze(1)
    j = torch.arange(Tk, device=q.device).unsqueeze(0)
    s = q @ k.mT / q.size(-1) ** .5
    s = torch.where(j > i, s.new_tensor(float('-inf')), s)
    return s.softmax(-1) @ v
