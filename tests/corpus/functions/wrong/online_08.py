import torch


def online_softmax(x, block_size):
    m = torch.full_like(x[..., :1, :], -torch.inf)
    l = torch.zeros_like(m)
    for b in x.split(block_size, -2):
        new = torch.maximum(m, b.amax(-2, keepdim=True))
        l = l * (m - new).exp() + (b - new).exp().sum(-2, keepdim=True)
        m = new
    return (x - m).exp() / l
