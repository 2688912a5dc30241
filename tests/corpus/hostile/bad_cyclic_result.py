import torch


def attention(q, k, v, mask=None):
    kept = []
    kept.append(kept)
    return kept
