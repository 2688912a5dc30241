import torch
from collections import namedtuple

Out = namedtuple("Out", "output attn")


def sdpa(queries, keys, values, *, key_mask=None, query_first=True):
    """keys are padded; key_mask (B, Sk): 1 = real, 0 = pad. Shapes (B, H, S, D)."""
    d = queries.shape[-1]
    a = torch.tensordot(queries.new_ones(1), queries.new_ones(1), dims=1) * 0
    logits = torch.einsum("abic,abjc->abij", queries / d ** 0.5, keys) + a
    if key_mask is not None:
        logits = logits.masked_fill((1 - key_mask.long())[:, None, None].bool(), torch.finfo(logits.dtype).min)
    p = torch.softmax(logits, -1)
    return Out(torch.einsum("abij,abjc->abic", p, values), p)
