import numpy as np

class CachedAttention:
    """numpy 版：forward(x, cache) -> (out, cache)，cache 是 (K, V)。"""

    def __init__(self, d_model, n_heads):
        self.h = n_heads
        self.dk = d_model // n_heads
        r = np.random.RandomState(0)
        for name in ("Wq", "Wk", "Wv", "Wo"):
            setattr(self, name, r.randn(d_model, d_model).astype(np.float32) * d_model ** -0.5)

    def forward(self, x, cache=None):
        b, t, c = x.shape
        def sp(w):
            return (x @ w).reshape(b, t, self.h, self.dk).transpose(0, 2, 1, 3)
        q, k, v = sp(self.Wq), sp(self.Wk), sp(self.Wv)
        past = 0
        if cache is not None:
            past = cache[0].shape[2]
            k = np.concatenate((cache[0], k), 2)
            v = np.concatenate((v, cache[1]), 2)
        s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(self.dk)
        for i in range(t):
            s[:, :, i, past + i + 1:] = -np.inf
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        o = (s @ v).transpose(0, 2, 1, 3).reshape(b, t, c)
        return o @ self.Wo, (k, v)
