"""Decoding with a KV cache, one token at a time (numpy)."""
import numpy as np


class StepAttention:
    def __init__(self, d_model, n_heads):
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        s = d_model**-0.5
        self.W_q = np.random.randn(d_model, d_model) * s
        self.W_k = np.random.randn(d_model, d_model) * s
        self.W_v = np.random.randn(d_model, d_model) * s
        self.W_o = np.random.randn(d_model, d_model) * s

    def init_cache(self, batch_size):
        return {"k": np.zeros((batch_size, 0, self.n_heads, self.d_head)), "v": np.zeros((batch_size, 0, self.n_heads, self.d_head))}

    def step(self, x_t, cache):
        """x_t: (B, C), a single token of each sequence. Returns (B, C)."""
        B, C = x_t.shape
        q = (x_t @ self.W_q).reshape(B, self.n_heads, self.d_head)
        k = (x_t @ self.W_k).reshape(B, 1, self.n_heads, self.d_head)
        v = (x_t @ self.W_v).reshape(B, 1, self.n_heads, self.d_head)
        cache["k"] = np.concatenate([cache["k"], k], axis=1)
        cache["v"] = np.concatenate([v, cache["v"]], axis=1)
        s = np.einsum("bhd,bnhd->bhn", q, cache["k"]) / np.sqrt(self.d_head)
        w = np.exp(s - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        out = np.einsum("bhn,bnhd->bhd", w, cache["v"]).reshape(B, C)
        return out @ self.W_o, cache
