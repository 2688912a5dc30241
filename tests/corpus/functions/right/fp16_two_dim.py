import torch


def attention_fp16(q, k, v):
    """q: (Sq, D), k: (Sk, D), v: (Sk, Dv), half precision."""
    s = torch.mm(q.float(), k.float().t()) * (q.shape[1] ** -0.5)
    s = torch.exp(s - s.max(dim=1, keepdim=True)[0])
    return torch.mm(s / s.sum(dim=1, keepdim=True), v.float()).half()
