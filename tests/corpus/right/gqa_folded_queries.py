import torch


def gqa(q, k, v):
    b, h, s, d = q.shape
    hk = k.shape[1]
    qq = q.reshape(b, hk, (h // hk) * s, d)
    return (torch.softmax(qq @ k.transpose(2, 3) / d**0.5, -1) @ v).reshape(b, h, s, -1)
