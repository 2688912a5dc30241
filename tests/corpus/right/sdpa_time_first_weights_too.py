import torch as t


def f(Q, K, V, key_padding_mask=None):
    # (S, B, D) layout: time first, single head.  key_padding_mask (B, Sk), True marks padding
    a = t.einsum("ibd,jbd->bij", Q, K) / Q.shape[2] ** .5
    if key_padding_mask is not None:
        a = a.masked_fill(key_padding_mask.unsqueeze(1), float("-inf"))
    a = a.softmax(2)
    return t.einsum("bij,jbe->ibe", a, V), a
