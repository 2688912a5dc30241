import torch
def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    k = k_cache[block_table.long()].flatten(1, 2); v = v_cache[block_table.long()].flatten(1, 2)
    r = H // k.shape[2]
    k, v = k.repeat_interleave(r, 2), v.repeat_interleave(r, 2)
    w = torch.softmax(torch.einsum("bhd,bnhd->bhn", q, k) / D ** .5, -1)
    return torch.einsum("bhn,bnhd->bhd", w, v)
