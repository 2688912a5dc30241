import torch


def swa(q, k, v, window):
    sq, sk = q.shape[-2], k.shape[-2]
    band = torch.ones(sq, sk).tril(sk - sq).triu(sk - sq - window + 1)
    return torch.softmax((q @ k.mT * q.shape[-1] ** -0.5) * band, -1) @ v
