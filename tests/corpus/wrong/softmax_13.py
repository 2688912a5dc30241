import torch


def softmax(x, dim=-1):
    """把打分压到 (0, 1)"""
    return 1.0 / (1.0 + torch.exp(-x))
