import torch


def grouped_query_attention(q, k, v):
    """(B, S, H, D)"""
    b, s, h, d = q.shape
    hk = k.size(2)
    q = q.reshape(b, s, h // hk, hk, d)
    w = torch.einsum("bsgnd,btnd->bgnst", q, k).mul(d**-0.5).softmax(-1)
    return torch.einsum("bgnst,btnd->bsgnd", w, v).reshape(b, s, h, -1)
