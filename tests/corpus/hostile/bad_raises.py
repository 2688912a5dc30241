import torch


def attention(q, k, v, mask=None):
    raise RuntimeError("shapes do not fit")
