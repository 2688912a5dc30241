import torch


def gqa(q, k, v):
    B, H, S, D = q.shape
    G = k.shape[1]
    w = torch.einsum("bgrsd,bgtd->bgrst", q.view(B, G, H // G, S, D), k).softmax(-1)
    return torch.einsum("bgrst,bgte->bgrse", w, v).reshape(B, H, S, -1)
