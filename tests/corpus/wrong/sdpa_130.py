import torch


def attention(q, k, v, valid=None):
    """valid (B, S): 1 = 真实 token, 0 = padding。如果某个样本全是 padding，则输出全 0。"""
    a = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    if valid is not None:
        a = a.masked_fill((valid == 0).unsqueeze(1), float("-inf"))
    return torch.bmm(a.softmax(-1), v)
