import numpy as np

def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    bs, hkv = k_cache.shape[1:3]
    rep = H // hkv
    out = np.zeros((B, H, v_cache.shape[-1]), dtype=q.dtype)
    for b in range(B):
        L = int(context_lens[b])
        for h in range(H):
            m, l, acc = -np.inf, 0.0, 0.0
            for t in range(L):
                blk, off = int(block_table[b][t // bs]), t % bs
                s = q[b, h] @ k_cache[blk, off, h // rep] / np.sqrt(D)
                m2 = max(m, s)
                c = np.exp(m - m2)
                p = np.exp(s - m2)
                l = l * c + p
                acc = acc * c + p * v_cache[blk, off, h // rep]
                m = m2
            out[b, h] = acc / l
    return out
