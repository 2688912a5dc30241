import numpy as np
class KVCache:
    def __init__(self, capacity, heads, dim, batch):
        self.K = np.zeros((batch, heads, capacity, dim)); self.V = np.zeros_like(self.K); self.n = 0
    def push(self, k, v):
        t = k.shape[2]
        self.K[:, :, self.n:self.n+t] = k; self.V[:, :, self.n:self.n+t] = v
        self.n += t
        return self.K[:, :, :self.n], self.V[:, :, :self.n]
def cached_attention(q, k, v, cache):
    """q, k, v (B, H, T, D) of the new tokens."""
    past = cache.n
    K, V = cache.push(k, v)
    s = np.einsum('bhtd,bhsd->bhts', q, K) / np.sqrt(q.shape[-1])
    t, n = s.shape[-2:]
    s[..., np.arange(n)[None, :] > past + np.arange(t)[:, None]] = -np.inf
    w = np.exp(s - s.max(-1, keepdims=True)); w /= w.sum(-1, keepdims=True)
    return np.einsum('bhts,bhsd->bhtd', w, V)
