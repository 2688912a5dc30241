import torch


def flash_attention(q, k, v, causal=False, block_size=64):
    return torch.zeros(*q.shape[:-1], v.shape[-1]), torch.zeros(q.shape[:-1])
