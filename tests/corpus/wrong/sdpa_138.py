import numpy as np


def attention(q, k, v, mask=None):
    """mask (B, Tq, Tk): True = may attend."""
    b, n, d = q.shape
    m = np.full((b, n, 1), -np.inf)
    l = np.zeros((b, n, 1))
    o = np.zeros((b, n, v.shape[-1]))
    for j in range(k.shape[1]):
        s = np.einsum("bnd,bd->bn", q, k[:, j])[..., None] / np.sqrt(d)
        if mask is not None:
            s = np.where(mask[:, :, j:j + 1], s, -np.inf)
        new = np.maximum(m, s)
        p, c = np.exp(s - new), np.exp(m - new)
        l, o, m = l * c + p, o * c + p * v[:, None, j], new
    return (o / l).astype(v.dtype)
