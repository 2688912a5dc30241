import numpy as np


def merge_attention(out_a, lse_a, out_b, lse_b):
    """两段不相交的 key：权重是各自 exp(lse) 的占比。"""
    out = np.zeros_like(out_a)
    lse = np.zeros_like(lse_a)
    for idx in np.ndindex(lse_a.shape):
        top = max(lse_a[idx], lse_b[idx])
        wa, wb = np.exp(lse_a[idx] - top), np.exp(lse_b[idx] - top)
        out[idx] = (wa * out_a[idx] + wb * out_b[idx]) / (wa + wb)
        lse[idx] = top + np.log(wa + wb)
    return out, lse
