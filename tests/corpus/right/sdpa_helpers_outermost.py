"""Attention in four small steps (whiteboard order)."""
import torch


def similarity(q, k):
    return torch.einsum("bhqd,bhkd->bhqk", q, k)


def scale(s, d):
    return s / d ** 0.5


def normalise(s, mask):
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(s.softmax(-1))


def mix(p, v):
    return torch.einsum("bhqk,bhkd->bhqd", p, v)


def scaled_dot_product(q, k, v, mask=None):
    """mask True = attend"""
    return mix(normalise(scale(similarity(q, k), q.shape[-1]), mask), v)
