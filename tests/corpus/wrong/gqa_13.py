import torch


def gqa(q, k, v):
    b, h, s, d = q.shape
    n = k.shape[1]
    qg = q.reshape(b, n, h // n, s, d)
    w = torch.einsum("bngsd,bntd->bngst", qg, k) / d**0.5
    w = w.softmax(dim=2)
    return torch.einsum("bngst,bntd->bngsd", w, v).reshape(b, h, s, -1)
