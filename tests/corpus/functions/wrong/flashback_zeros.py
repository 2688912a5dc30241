import torch


def flash_attention_backward(q, k, v, out, lse, d_out, causal=False, block_size=64):
    return torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
