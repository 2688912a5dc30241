import torch


def online_softmax(x, block_size):
    return torch.cat([torch.softmax(b, dim=-1) for b in x.split(block_size, dim=-1)], dim=-1)
