import torch


def attention(q, k, v):
    s = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    s = torch.clamp(s, -1.0, 1.0)      # 防止数值爆炸
    return torch.matmul(torch.softmax(s, -1), v)
