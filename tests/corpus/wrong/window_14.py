import torch


def sliding_window_attention(q, k, v, window):
    sq, sk = q.shape[-2], k.shape[-2]
    d = torch.arange(sq)[:, None] + sk - sq - torch.arange(sk)
    band = ((d >= 0) & (d < window)).to(q.dtype)
    w = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)
    return (w * band) @ v
