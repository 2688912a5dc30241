import numpy as np


class SlidingWindow:
    def __init__(self, window):
        self.window = window

    def forward(self, Q, K, V):
        n, m = Q.shape[-2], K.shape[-2]
        rel = np.arange(n)[:, None] + (m - n) - np.arange(m)
        z = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
        z = np.where((rel >= 0) & (rel < self.window), z, -np.inf)
        z = np.exp(z - np.max(z, -1, keepdims=True))
        return (z / z.sum(-1, keepdims=True)) @ V
