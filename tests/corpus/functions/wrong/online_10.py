import torch


def online_softmax(x, block_size):
    m = x[..., :block_size].amax(-1, keepdim=True)
    l = (x[..., :block_size] - m).exp().sum(-1, keepdim=True)
    for b in x[..., block_size:].split(block_size, -1):
        if b.shape[-1] == 0:
            continue
        new = torch.maximum(m, b.amax(-1, keepdim=True))
        l = l * (new - m).exp() + (b - new).exp().sum(-1, keepdim=True)
        m = new
    return (x - m).exp() / l
