import numpy as np


def alibi(q, k, v):
    """因果 ALiBi，逐个 query 计算。q 的最后一个位置与 k 的最后一个位置对齐。"""
    B, H, Sq, D = q.shape
    Sk = k.shape[2]
    out = np.zeros((B, H, Sq, v.shape[-1]), q.dtype)
    for h in range(H):
        m = 2.0 ** (-8.0 * (h + 1) / H)
        for i in range(Sq):
            p = i + Sk - Sq
            if p < 0:
                continue
            s = k[:, h, : p + 1] @ q[:, h, i, :, None]
            s = s[..., 0] / np.sqrt(D) - m * np.arange(p, -1, -1)
            e = np.exp(s - s.max(-1, keepdims=True))
            w = (e / e.sum(-1, keepdims=True)).astype(q.dtype)
            out[:, h, i] = np.einsum("bj,bjd->bd", w, v[:, h, : p + 1])
    return out
