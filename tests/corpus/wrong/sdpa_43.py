import torch


def attention(q, k, v):
    """(B, S, H, D) 布局"""
    qh, kh, vh = (t.transpose(1, 2) for t in (q, k, v))
    score = torch.matmul(qh, kh.transpose(2, 3)) / (qh.size(-1) ** 0.5)
    return torch.matmul(score, vh).transpose(1, 2)
