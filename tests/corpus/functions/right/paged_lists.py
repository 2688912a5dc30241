import math

import numpy as np


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    """Reference by hand; block_table and context_lens may be lists."""
    out = np.zeros(q.shape[:2] + (v_cache.shape[-1],), dtype=q.dtype)
    size, kv = k_cache.shape[1], k_cache.shape[2]
    for b, n in enumerate(context_lens):
        where = [(block_table[b][t // size], t % size) for t in range(n)]
        for h in range(q.shape[1]):
            j = h // (q.shape[1] // kv)
            s = [float(q[b, h] @ k_cache[p, o, j]) / math.sqrt(q.shape[-1]) for p, o in where]
            top = max(s)
            w = [math.exp(a - top) for a in s]
            total = sum(w)
            for a, (p, o) in zip(w, where):
                out[b, h] += np.asarray(a / total, q.dtype) * v_cache[p, o, j]
    return out
