import numpy as np


class MultiHeadAttention:
    """numpy only; weights are drawn when the object is made."""

    def __init__(self, d_model, n_heads, seed=0):
        rng = np.random.default_rng(seed)
        self.h, self.d = n_heads, d_model // n_heads
        s = 1.0 / np.sqrt(d_model)
        self.W_q = rng.uniform(-s, s, (d_model, d_model)).astype(np.float32)
        self.W_k = rng.uniform(-s, s, (d_model, d_model)).astype(np.float32)
        self.W_v = rng.uniform(-s, s, (d_model, d_model)).astype(np.float32)
        self.W_o = rng.uniform(-s, s, (d_model, d_model)).astype(np.float32)

    def split(self, t):
        b, n, _ = t.shape
        return t.reshape(b, n, self.h, self.d).transpose(0, 2, 1, 3)

    def __call__(self, x, mask=None):
        """mask: (S, S) or (B, 1, S, S), True where attention is allowed"""
        q, k, v = self.split(x @ self.W_q), self.split(x @ self.W_k), self.split(x @ self.W_v)
        s = q @ k.transpose(0, 1, 3, 2) / np.float32(self.d**0.5)
        if mask is not None:
            s = np.where(mask, s, np.finfo(s.dtype).min)
        e = np.exp(s - s.max(-1, keepdims=True))
        o = (e / e.sum(-1, keepdims=True)) @ v
        return o.transpose(0, 2, 1, 3).reshape(x.shape) @ self.W_o
