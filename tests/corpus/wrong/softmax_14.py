import torch


def softmax(x, dim=-1):
    # bf16 is enough for probabilities
    y = x.to(torch.bfloat16)
    y = (y - y.amax(dim, keepdim=True)).exp()
    y = y / y.sum(dim, keepdim=True)
    return y.to(x.dtype)
