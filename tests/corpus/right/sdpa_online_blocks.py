import math

import torch


def attention(q, k, v, mask=None, block_size=3):
    """One pass over the keys with a running maximum, sum and output.

    mask: bool, True = attend, broadcastable to (B, H, Sq, Sk). Rows without a key return 0.
    """
    *lead, sq, d = q.shape
    sk = k.shape[-2]
    if mask is not None:
        mask = mask.expand(*lead, sq, sk)
    m = q.new_full((*lead, sq, 1), -math.inf)
    norm = q.new_zeros((*lead, sq, 1))
    acc = q.new_zeros((*lead, sq, v.shape[-1]))
    for start in range(0, sk, block_size):
        stop = min(start + block_size, sk)
        s = q @ k[..., start:stop, :].mT * d ** -0.5
        if mask is not None:
            s = s.masked_fill(~mask[..., start:stop], -math.inf)
        new_m = torch.maximum(m, s.detach().amax(-1, keepdim=True))
        ref = new_m.masked_fill(new_m == -math.inf, 0.0)
        fade = torch.exp(m - ref)
        p = torch.exp(s - ref)
        norm = norm * fade + p.sum(-1, keepdim=True)
        acc = acc * fade + p @ v[..., start:stop, :]
        m = new_m
    return acc / norm.masked_fill(norm == 0, 1.0)
