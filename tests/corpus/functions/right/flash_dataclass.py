import numpy as np
from dataclasses import dataclass


@dataclass
class FlashForwardResult:
    output: np.ndarray
    logsumexp: np.ndarray
    base_seed: int | None = None


def _tile(n, b):
    return [(i, min(i + b, n)) for i in range(0, n, b)]


def flash_attention(q, k, v, mask=None, block_size=64, dropout_rate=0.0):
    """Tiled attention. mask is added to the scores."""
    scale = 1.0 / np.sqrt(q.shape[-1])
    out = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    m = np.full(q.shape[:-1], -np.inf)
    ell = np.zeros(q.shape[:-1])
    for a, b in _tile(q.shape[-2], block_size):
        for c, d in _tile(k.shape[-2], block_size):
            s = np.einsum("...qd,...kd->...qk", q[..., a:b, :], k[..., c:d, :]) * scale
            if mask is not None:
                s = s + mask[..., a:b, c:d]
            mn = np.maximum(m[..., a:b], s.max(-1))
            safe = np.where(np.isfinite(mn), mn, 0.0)
            p = np.exp(s - safe[..., None])
            corr = np.exp(m[..., a:b] - safe)
            ell[..., a:b] = corr * ell[..., a:b] + p.sum(-1)
            out[..., a:b, :] = corr[..., None] * out[..., a:b, :] + p @ v[..., c:d, :]
            m[..., a:b] = mn
    return FlashForwardResult(output=out / ell[..., None], logsumexp=m + np.log(ell))
