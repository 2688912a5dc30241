import math

import numpy as np


def causal_attention(Q, K, V):
    """Q (n, d), K (n, d), V (n, dv), one head, one sequence. Self-attention: Q and K have the same length."""
    n, d = Q.shape
    Y = np.zeros((n, V.shape[1]), dtype=V.dtype)
    for t in range(n):
        logits = [float(Q[t] @ K[s]) / math.sqrt(d) if s <= t else -math.inf for s in range(n)]
        top = max(logits)
        weight = [math.exp(x - top) for x in logits]
        Y[t] = sum((w * V[s] for s, w in enumerate(weight)), np.zeros(V.shape[1])) / sum(weight)
    return Y
