import torch


def online_softmax(x, block_size):
    m = torch.tensor(-torch.inf)
    l = torch.zeros_like(x[..., :1])
    for b in x.split(block_size, -1):
        new = torch.maximum(m, b.max())
        l = l * torch.exp(m - new) + torch.exp(b - new).sum(-1, keepdim=True)
        m = new
    return torch.exp(x - m) / l
