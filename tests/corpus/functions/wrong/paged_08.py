import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    g = H // k_cache.shape[2]
    k = k_cache[block_table].flatten(1, 2).repeat_interleave(g, 2)
    v = v_cache[block_table].flatten(1, 2).repeat_interleave(g, 2)
    e = (torch.einsum("bhd,bnhd->bhn", q, k) / D**0.5).exp()
    e = e * (torch.arange(k.shape[1])[None] < context_lens[:, None])[:, None]
    return torch.einsum("bhn,bnhd->bhd", e / e.sum(-1, keepdim=True), v)
