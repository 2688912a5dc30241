import torch


def attend_left(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v


def attend_right(q, k, v):
    return torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1) @ v
