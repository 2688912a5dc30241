import torch


def online_softmax(x, block_size):
    m = torch.full_like(x[..., :1], -torch.inf)
    l = torch.zeros_like(m)
    for b in x.split(block_size, -1):
        m = torch.maximum(m, b.amax(-1, keepdim=True))
        l = l + (b - m).exp().sum(-1, keepdim=True)
    return (x - m).exp() / l
