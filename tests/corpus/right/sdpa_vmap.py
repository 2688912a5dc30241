import torch


def single(q, k, v):
    """one head: (Sq, D), (Sk, D), (Sk, Dv)"""
    w = (q @ k.T * q.shape[-1] ** -0.5).softmax(dim=-1)
    return w @ v


# 先对 head 再对 batch 做 vmap
attention = torch.vmap(torch.vmap(single))
