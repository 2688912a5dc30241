from functools import partial, lru_cache
import torch


@lru_cache(maxsize=None)
def _scale(d):
    return d ** -0.25


def _core(q, k, v, mask, softmax):
    q = q * _scale(q.shape[-1])
    k = k * _scale(k.shape[-1])
    w = q @ k.transpose(-2, -1)
    if mask is not None:
        if mask.dtype is torch.bool:
            w = w.masked_fill_(mask.logical_not(), float("-inf"))
        else:
            w = w.add_(mask)
    return softmax(w).nan_to_num(0.0) @ v


attention = partial(_core, mask=None, softmax=partial(torch.softmax, dim=-1))
