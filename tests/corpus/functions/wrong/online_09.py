import torch


def online_softmax(x, block_size):
    m, l = None, None
    for b in x.split(block_size, -1):
        new = b.amax(-1, keepdim=True)
        part = (b - new).exp().sum(-1, keepdim=True)
        l = part if m is None else l * (m - new).exp() + part
        m = new
    return (x - m).exp() / l
