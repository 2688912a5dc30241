import numpy as np


def flash_attention(q, k, v, causal=False, block_size=16):
    """分块注意力（numpy）。返回 (out, lse)，没有可看的 key 的行输出 0。"""
    b, h, n, d = q.shape
    m = k.shape[2]
    out = np.zeros((b, h, n, v.shape[-1]), dtype=q.dtype)
    lse = np.full((b, h, n), -np.inf, dtype=q.dtype)
    for bi in range(b):
        for hi in range(h):
            for i in range(0, n, block_size):
                qi = q[bi, hi, i:i + block_size] / np.sqrt(np.float32(d))
                peak = np.full(len(qi), -np.inf, dtype=q.dtype)
                total = np.zeros(len(qi), dtype=q.dtype)
                acc = np.empty((len(qi), v.shape[-1]), dtype=q.dtype)
                for j in range(0, m, block_size):
                    s = qi @ k[bi, hi, j:j + block_size].T
                    if causal:
                        rows = np.arange(i, i + len(qi))[:, None] + m - n
                        s = np.where(np.arange(j, j + s.shape[1])[None] <= rows, s, -np.inf)
                    new = np.maximum(peak, s.max(axis=1))
                    base = np.where(np.isneginf(new), 0, new).astype(q.dtype)
                    p = np.exp(s - base[:, None]).astype(q.dtype)
                    a = np.exp(peak - base)
                    total = total * a + p.sum(axis=1)
                    acc = acc * a[:, None] + p @ v[bi, hi, j:j + block_size]
                    peak = new
                seen = total > 0
                out[bi, hi, i:i + block_size][seen] = acc[seen] / total[seen, None]
                lse[bi, hi, i:i + block_size][seen] = peak[seen] + np.log(total[seen])
    return out, lse
