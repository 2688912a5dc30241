import torch
def attention(q, k, v, msk=None):
    w = torch.softmax(q @ k.mT / q.shape[-1] ** .5, -1)
    if msk is not None:
        w = w * msk
    return w @ v
