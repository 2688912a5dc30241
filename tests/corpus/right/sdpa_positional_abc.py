import torch


def f(a, b, c):
    # a attends to b and reads c
    t = a @ b.transpose(-1, -2)
    t = t / a.shape[-1] ** 0.5
    return torch.softmax(t, -1) @ c
