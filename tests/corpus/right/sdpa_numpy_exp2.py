import numpy as np

LOG2E = 1.4426950408889634


def attention(q, k, v, mask=None):
    """q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv); mask nonzero where the key may be seen."""
    d = q.shape[-1]
    s = np.einsum("...id,...jd->...ij", q, k) * (LOG2E / np.sqrt(d))
    if mask is not None:
        s = np.where(np.asarray(mask) != 0, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isneginf(m), 0.0, m)
    p = np.exp2(s - m)
    z = p.sum(-1, keepdims=True)
    return np.divide(p, z, out=np.zeros_like(p), where=z > 0) @ v
