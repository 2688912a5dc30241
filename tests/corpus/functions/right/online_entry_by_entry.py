import torch

def online_softmax(x, block_size):
    m = x.new_full(x.shape[:-1] + (1,), float('-inf'))
    d = x.new_zeros(x.shape[:-1] + (1,))
    for chunk in torch.split(x, block_size, dim=-1):
        for j in range(chunk.shape[-1]):
            xj = chunk[..., j:j+1]
            m2 = torch.maximum(m, xj)
            d = d * torch.exp(m - m2) + torch.exp(xj - m2)
            m = m2
    return torch.exp(x - m) / d
