import numpy as np


def flash_attention(q, k, v, block_size=64):
    B, H, S, D = q.shape
    q3, k3, v3 = (a.reshape(B * H, a.shape[2], a.shape[3]) for a in (q, k, v))
    m = np.full((B * H, S, 1), -np.inf, dtype=np.float32)
    l = np.zeros_like(m)
    o = np.zeros((B * H, S, v.shape[-1]), dtype=np.float32)
    n_tiles = -(-k3.shape[1] // block_size)
    for t in range(n_tiles):
        sl = slice(t * block_size, (t + 1) * block_size)
        s = np.einsum("nqd,nkd->nqk", q3, k3[:, sl]) * np.float32(k.shape[2] ** -0.5)
        new = np.maximum(m, s.max(-1, keepdims=True))
        p = np.exp(s - new)
        c = np.exp(m - new)
        l = l * c + p.sum(-1, keepdims=True)
        o = o * c + np.einsum("nqk,nkd->nqd", p, v3[:, sl])
        m = new
    return (o / l).reshape(B, H, S, -1), (m + np.log(l))[..., 0]
