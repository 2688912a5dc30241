import numpy as np

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, seed=0):
        rng = np.random.default_rng(seed)
        self.d_model, self.num_heads = d_model, num_heads
        self.d_k = d_model // num_heads
        self.W_q = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.W_k = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.W_v = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.W_o = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)

    def softmax(self, z):
        e = np.exp(z - np.max(z, axis=-1, keepdims=True))
        return e / np.sum(e, axis=-1, keepdims=True)

    def split(self, x):
        b, s, _ = x.shape
        return x.reshape(b, s, self.num_heads, self.d_k).transpose(0, 2, 1, 3)

    def forward(self, x, mask=None):
        q, k, v = self.split(x @ self.W_q), self.split(x @ self.W_k), self.split(x @ self.W_v)
        s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(self.d_k)
        if mask is not None:
            s = np.where(mask == 0, -1e9, s)
        o = self.softmax(s) @ v
        b, h, n, d = o.shape
        return o.transpose(0, 2, 1, 3).reshape(b, n, h * d) @ self.W_o
