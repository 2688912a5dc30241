import numpy as np

def attn(Q, K, V, mask=None):
    """Q: (batch, len_q, heads, depth); mask (batch, len_q, len_k): 1 = blocked"""
    logits = np.einsum('bqhd,bkhd->bhqk', Q, K) / np.sqrt(Q.shape[3])
    if mask is not None:
        logits = logits - 1e9 * mask[:, None]
    logits -= logits.max(axis=3, keepdims=True)
    w = np.exp(logits)
    w /= w.sum(axis=3, keepdims=True)
    return np.einsum('bhqk,bkhd->bqhd', w, V), w
