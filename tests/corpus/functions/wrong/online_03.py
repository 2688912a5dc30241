import torch


def online_softmax(x, block_size):
    n = x.shape[-1] // block_size
    m = torch.full_like(x[..., :1], -torch.inf)
    l = torch.zeros_like(m)
    for i in range(n):
        b = x[..., i * block_size : (i + 1) * block_size]
        new = torch.maximum(m, b.amax(-1, keepdim=True))
        l = l * (m - new).exp() + (b - new).exp().sum(-1, keepdim=True)
        m = new
    return (x - m).exp() / l
