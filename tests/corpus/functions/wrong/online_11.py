import torch


def online_softmax(x, block_size):
    m = torch.full_like(x[..., :1], -torch.inf)
    l = torch.empty_like(m)
    for b in x.split(block_size, -1):
        new = torch.maximum(m, b.amax(-1, keepdim=True))
        l = l * (m - new).exp() + (b - new).exp().sum(-1, keepdim=True)
        m = new
    return (x - m).exp() / l
