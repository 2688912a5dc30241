import numpy as np

TILE = 4


def attention(q, k, v):
    b, h, n, d = k.shape
    pad = (TILE - n % TILE) % TILE
    k = np.pad(k, [(0, 0), (0, 0), (0, pad), (0, 0)])
    v = np.pad(v, [(0, 0), (0, 0), (0, pad), (0, 0)])
    m = np.full(q.shape[:3] + (1,), -np.inf, q.dtype)
    l = np.zeros_like(m)
    o = np.zeros(q.shape[:3] + v.shape[3:], q.dtype)
    for j in range(0, n + pad, TILE):
        s = q @ k[:, :, j:j + TILE].swapaxes(2, 3) / d ** 0.5
        new = np.maximum(m, s.max(3, keepdims=True))
        p, c = np.exp(s - new), np.exp(m - new)
        l, o, m = l * c + p.sum(3, keepdims=True), o * c + p @ v[:, :, j:j + TILE], new
    return o / l
