import torch
def online_softmax(x, block_size):
    l = torch.zeros_like(x[..., :1]); out = torch.zeros_like(x)
    m = x[..., :1]
    for i in range(0, x.shape[-1], block_size):
        b = x[..., i:i+block_size]
        m = b.amax(-1, keepdim=True)
        l = l + (b - m).exp().sum(-1, keepdim=True)
    return (x - m).exp() / l
