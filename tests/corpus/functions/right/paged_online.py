import torch


def paged_attention(query, key_cache, value_cache, block_tables, seq_lens):
    B, H, D = query.shape
    nb, bs, Hkv, _ = key_cache.shape
    out = torch.zeros_like(query)
    for b in range(B):
        L = int(seq_lens[b])
        m = torch.full((H, 1), -torch.inf, dtype=query.dtype)
        l = torch.zeros(H, 1, dtype=query.dtype)
        acc = torch.zeros(H, D, dtype=query.dtype)
        for j in range((L + bs - 1) // bs):
            page = int(block_tables[b, j])
            valid = min(bs, L - j * bs)
            k = key_cache[page, :valid].repeat_interleave(H // Hkv, dim=1)
            v = value_cache[page, :valid].repeat_interleave(H // Hkv, dim=1)
            s = (query[b][:, None] * k.transpose(0, 1)).sum(-1) / D**0.5
            m_new = torch.maximum(m, s.amax(1, keepdim=True))
            p = torch.exp(s - m_new)
            a = torch.exp(m - m_new)
            l = l * a + p.sum(1, keepdim=True)
            acc = acc * a + torch.einsum("hn,nhd->hd", p, v)
            m = m_new
        out[b] = acc / l
    return out
