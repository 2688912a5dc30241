import torch
import torch.nn.functional as F


def online_softmax(x, block_size):
    pad = (-x.shape[-1]) % block_size
    xp = F.pad(x, (0, pad))
    m = torch.full_like(x[..., :1], -torch.inf)
    l = torch.zeros_like(m)
    for b in xp.split(block_size, -1):
        new = torch.maximum(m, b.amax(-1, keepdim=True))
        l = l * (m - new).exp() + (b - new).exp().sum(-1, keepdim=True)
        m = new
    return (x - m).exp() / l
