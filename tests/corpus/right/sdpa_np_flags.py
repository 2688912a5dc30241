import numpy as np
from typing import Optional, Tuple

def scaled_dot_product_attention(query, key, value, mask: Optional[np.ndarray] = None, dropout_p: float = 0.0,
                                 is_causal: bool = False, training: bool = True) -> Tuple[np.ndarray, np.ndarray]:
    """
    query: (batch_size, seq_len_q, d_k); key: (batch_size, seq_len_k, d_k); value: (batch_size, seq_len_k, d_v)
    mask: optional, (batch_size, seq_len_q, seq_len_k); 0 marks positions that are not attended to
    is_causal: lower triangular mask
    """
    d_k = query.shape[-1]
    scores = np.matmul(query, key.transpose(0, 2, 1)) / np.sqrt(d_k)
    if is_causal:
        sq, sk = scores.shape[-2:]
        scores = np.where(np.tril(np.ones((sq, sk), dtype=bool), k=sk - sq), scores, -np.inf)
    if mask is not None:
        scores = np.where(mask == 0, -np.inf, scores)
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    w = np.exp(scores)
    w = w / np.sum(w, axis=-1, keepdims=True)
    if dropout_p > 0 and training:
        keep = np.random.rand(*w.shape) > dropout_p
        w = w * keep / (1 - dropout_p)
    return np.matmul(w, value), w
