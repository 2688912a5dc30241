import numpy as np


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    """q (B, H, D), caches (blocks, block_size, H, D)."""
    res = []
    for i, n in enumerate(context_lens):
        k = np.concatenate([k_cache[p] for p in block_table[i]])[:n]
        v = np.concatenate([v_cache[p] for p in block_table[i]])[:n]
        s = np.einsum("hd,nhd->hn", q[i], k) / np.sqrt(np.float32(q.shape[-1]))
        e = np.exp(s - s.max(1, keepdims=True))
        res.append(np.einsum("hn,nhd->hd", e / e.sum(1, keepdims=True), v))
    return np.stack(res)
