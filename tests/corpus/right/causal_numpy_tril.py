import numpy as np


def masked_self_attention(Q, K, V):
    """Decoder self-attention on (batch, seq, dim) arrays; every position sees itself and what is to its left."""
    n, m = Q.shape[1], K.shape[1]
    scores = Q @ np.transpose(K, (0, 2, 1)) / np.sqrt(Q.shape[-1])
    scores = np.where(np.tri(n, m, m - n, dtype=bool), scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    probs = np.exp(scores)
    probs /= probs.sum(axis=-1, keepdims=True)
    return (probs @ V).astype(V.dtype)
