import torch


def attention(q, k, v, mask=None):
    return [0.0] * 10_000_000
