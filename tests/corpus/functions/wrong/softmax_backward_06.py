import torch


def softmax_backward(p, dp):
    dot = (p * dp).sum(dim=-1, keepdim=True)
    return p * (dp + dot)
