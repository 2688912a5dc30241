import numpy as np


def scaled_dot_product_attention(Q, K, V, mask=None):
    """numpy; the last two axes are (sequence, depth), any number of axes before them.

    mask: 1 where a position must NOT be seen (as in the transformer tutorials), 0 elsewhere.
    Returns output, attention weights.
    """
    logits = np.matmul(Q, np.moveaxis(K, -1, -2))
    logits = logits / np.sqrt(np.asarray(K.shape[-1], dtype=logits.dtype))
    if mask is not None:
        blocked = np.zeros_like(mask, dtype=logits.dtype)
        blocked[mask == 1] = -np.inf
        logits = logits + blocked
    logits = logits - np.max(logits, axis=-1, keepdims=True)
    weights = np.exp(logits)
    weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.matmul(weights, V), weights
