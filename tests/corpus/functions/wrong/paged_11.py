import torch
def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    bs, G = k_cache.shape[1:3]
    out = torch.zeros_like(q)
    for b in range(B):
        n = int(context_lens[b])
        k = k_cache[block_table[b].long()].reshape(-1, G, D)[:n].repeat(1, H // G, 1)
        v = v_cache[block_table[b].long()].reshape(-1, G, D)[:n].repeat(1, H // G, 1)
        w = torch.softmax(torch.einsum("hd,nhd->hn", q[b], k) / D ** .5, -1)
        out[b] = torch.einsum("hn,nhd->hd", w, v)
    return out
