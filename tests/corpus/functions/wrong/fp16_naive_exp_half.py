import torch


def attention_fp16(q, k, v):
    e = torch.exp((q * q.shape[-1] ** -0.5) @ k.mT)
    return (e / e.sum(-1, keepdim=True)) @ v
