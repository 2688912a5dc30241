import torch


def attention(q, k, v):
    # (B, S, D)
    q, k, v = q.squeeze(), k.squeeze(), v.squeeze()
    s = torch.mm(q, k.t()) / q.size(1) ** 0.5
    return torch.mm(torch.softmax(s, dim=1), v).unsqueeze(0)
