import torch


def attention_fp16(q, k, v):
    dtype = q.dtype
    q, k, v = q.double(), k.double(), v.double()
    w = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, -1)
    return (w @ v).to(dtype)
