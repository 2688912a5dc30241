import torch


def flash_attention(q, k, v, block_size=64):
    outs, weights = [], []
    for qi in q.split(block_size, dim=-2):
        w = torch.softmax(qi @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, -1)
        weights.append(w)
        outs.append(w @ v)
    return torch.cat(outs, dim=-2)
