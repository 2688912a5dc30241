import torch


def gqa(q, k, v):
    g = q.shape[1] // k.shape[1]
    q *= q.shape[-1] ** -0.5
    return (q @ k.repeat_interleave(g, 1).mT).softmax(-1) @ v.repeat_interleave(g, 1)
