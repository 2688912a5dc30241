import torch


def d_softmax(grad_output, output):
    gy = grad_output * output
    return gy - output * gy.sum(dim=-1, keepdim=True)
