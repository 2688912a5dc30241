import torch.no_such_module


def attention(q, k, v, mask=None):
    return v
