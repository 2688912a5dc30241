import torch
import torch.nn.functional as F


def tiled_softmax(x, tile=4):
    n = x.shape[-1]
    pad = (-n) % tile
    blocks = F.pad(x, (0, pad), value=float("-inf")).unflatten(-1, (-1, tile))
    m = blocks[..., 0, :].amax(-1)
    l = torch.exp(blocks[..., 0, :] - m[..., None]).sum(-1)
    for i in range(1, blocks.shape[-2]):
        b = blocks[..., i, :]
        m2 = torch.maximum(m, b.amax(-1))
        l = l * torch.exp(m - m2) + torch.exp(b - m2[..., None]).sum(-1)
        m = m2
    return torch.exp(x - m[..., None]) / l[..., None]
