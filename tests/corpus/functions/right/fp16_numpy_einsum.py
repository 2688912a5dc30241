import numpy as np


def half_precision_attention(Q, K, V):
    """Q, K, V: float16 (B, H, S, D). float16 out."""
    Q32, K32, V32 = Q.astype("f4"), K.astype("f4"), V.astype("f4")
    logits = np.einsum("bhqd,bhkd->bhqk", Q32, K32) * np.float32(Q.shape[-1] ** -0.5)
    logits -= logits.max(axis=-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=-1, keepdims=True)
    return np.einsum("bhqk,bhkd->bhqd", logits, V32).astype(Q.dtype)
