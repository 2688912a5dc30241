import numpy as np


def attention(q, k, v, mask=None):
    """q (B, H, Sq, D); mask of ints, 1 = token, 0 = padding, broadcastable to (B, H, Sq, Sk)."""
    logits = np.matmul(q, k.transpose(0, 1, 3, 2)) / q.dtype.type(np.sqrt(q.shape[-1]))
    if mask is not None:
        floor = np.finfo(logits.dtype).min
        logits = np.where(np.broadcast_to(mask, logits.shape).astype(bool), logits, floor)
    logits = logits - np.max(logits, axis=-1, keepdims=True)
    e = np.exp(logits)
    return np.matmul(e / np.sum(e, axis=-1, keepdims=True), v)
