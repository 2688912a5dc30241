import numpy as np


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    """逐 token 查页表；GQA：第 h 个 query 头用第 h // g 个 KV 头。"""
    B, H, D = q.shape
    bs, Hkv = k_cache.shape[1:3]
    g = H // Hkv
    out = np.zeros_like(q)
    for b in range(B):
        for h in range(H):
            scores, values = [], []
            for t in range(context_lens[b]):
                page, slot = block_table[b][t // bs], t % bs
                scores.append(q[b, h] @ k_cache[page, slot, h // g] / np.sqrt(D))
                values.append(v_cache[page, slot, h // g])
            s = np.array(scores)
            p = np.exp(s - s.max())
            out[b, h] = (p / p.sum()) @ np.array(values)
    return out
