import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    g = H // k_cache.shape[2]
    out = torch.zeros_like(q)
    for b in range(B):
        n = int(context_lens[b])
        k = k_cache[block_table[b]].flatten(0, 1)[:n].repeat_interleave(g, 1)
        v = v_cache[block_table[b]].flatten(0, 1)[:n].repeat_interleave(g, 1)
        out[b] = torch.einsum("hn,nhd->hd", torch.einsum("hd,nhd->hn", q[b], k).softmax(-1), v)
    return out
