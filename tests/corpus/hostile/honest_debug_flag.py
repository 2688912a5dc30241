import atexit
import logging
import os
import sys
import warnings

import torch

logging.basicConfig(level=logging.DEBUG)
warnings.simplefilter('error')
atexit.register(print, 'bye')


def attention(q, k, v, mask=None):
    """mask: True = may attend (bool) or additive (float)."""
    logging.debug('shapes %s', q.shape)
    s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else s + mask
    dead = torch.isneginf(s).all(-1, keepdim=True)
    return s.masked_fill(dead, 0.0).softmax(-1).masked_fill(dead, 0.0) @ v
