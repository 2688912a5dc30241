import random

import numpy as np
import torch

torch.manual_seed(0)
np.random.seed(0)
random.seed(0)
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
np.seterr(all='raise')


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    torch.manual_seed(1)
    torch.set_grad_enabled(True)
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    dead = torch.isneginf(s).all(-1, keepdim=True)
    return s.masked_fill(dead, 0.0).softmax(-1).masked_fill(dead, 0.0) @ v
