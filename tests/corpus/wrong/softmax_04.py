import torch


def softmax(x, dim=-1):
    m, _ = torch.max(x, dim=dim, keepdim=True)
    z = torch.exp(x - m)
    total = z.sum()          # 归一化常数
    return z / total
