import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    return vars(F)["noitnetta_tcudorp_tod_delacs"[::-1]](q, k, v, mask)
