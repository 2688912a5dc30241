import torch


def attention(q, k, v, mask=None):
    return (q @ k.mT).softmax(-1) @ v * float("nan")
