import numpy as np


def longformer_attention(q, k, v, window, global_tokens):
    """对每个 query 收集它能看到的 key；全局 token 看全部。"""
    S, D = q.shape[-2:]
    g = set(int(t) for t in global_tokens)
    out = np.zeros(q.shape[:-1] + (v.shape[-1],), dtype=q.dtype)
    for i in range(S):
        if i in g:
            cols = list(range(S))
        else:
            cols = sorted(set(range(max(0, i - window), min(S, i + window + 1))) | g)
        s = np.einsum("bhd,bhjd->bhj", q[:, :, i], k[:, :, cols]) / np.sqrt(D)
        p = np.exp(s - s.max(-1, keepdims=True))
        out[:, :, i] = np.einsum("bhj,bhjd->bhd", p / p.sum(-1, keepdims=True), v[:, :, cols])
    return out
