import torch


def attention(q, k, v):
    s = q @ k.mT * q.shape[-1] ** -0.5
    w = torch.from_numpy(torch.softmax(s, -1).detach().numpy())
    return w @ v
