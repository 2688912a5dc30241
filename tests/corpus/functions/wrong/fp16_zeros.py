import torch


def attention_fp16(q, k, v):
    return torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
