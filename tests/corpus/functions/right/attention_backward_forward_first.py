import numpy as np


class Attention:
    def forward(self, q, k, v):
        self.q, self.k, self.v = q, k, v
        self.c = 1.0 / np.sqrt(q.shape[-1]).astype(q.dtype)
        s = q @ k.swapaxes(-1, -2) * self.c
        e = np.exp(s - s.max(-1, keepdims=True))
        self.p = e / e.sum(-1, keepdims=True)
        return self.p @ v

    def backward(self, d_out):
        dv = self.p.swapaxes(-1, -2) @ d_out
        dp = d_out @ self.v.swapaxes(-1, -2)
        ds = self.p * (dp - (dp * self.p).sum(-1, keepdims=True))
        return ds @ self.k * self.c, ds.swapaxes(-1, -2) @ self.q * self.c, dv
