import torch


def softmax(x, dim=-1):
    return torch.nn.Softmax(dim)(x)
