import torch


def attention_fp16(q, k, v):
    s = (q.float() * q.shape[-1] ** -0.5) @ k.float().mT
    return (torch.sigmoid(s) @ v.float()).half()
