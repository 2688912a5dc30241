import numpy as np


class MHA:
    """numpy module; parameters in a dict; (S, C) input without a batch"""

    def __init__(self, d_model=24, n_heads=4, seed=0):
        r = np.random.default_rng(seed)
        self.n_heads = n_heads
        self.params = {n: r.normal(size=(d_model, d_model)).astype(np.float32) / d_model ** 0.5 for n in ("Wq", "Wk", "Wv", "Wo")}

    def __call__(self, x):
        s, c = x.shape
        q, k, v = (np.stack(np.split(x @ self.params[n], self.n_heads, axis=1)) for n in ("Wq", "Wk", "Wv"))
        z = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(c // self.n_heads)
        z = np.exp(z - z.max(-1, keepdims=True))
        z = z / z.sum(-1, keepdims=True)
        return np.concatenate(list(z @ v), axis=1) @ self.params["Wo"]
