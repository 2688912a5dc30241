import numpy as np

def compute_attention(values, keys, queries):
    """values/keys/queries: (batch, time, features)"""
    logits = queries @ keys.swapaxes(1, 2)
    logits /= keys.shape[2] ** 0.5
    logits = np.exp(logits - logits.max(axis=2)[:, :, None])
    return (logits / logits.sum(axis=2)[:, :, None]) @ values
