import torch


def paged_attention(q, k_cache, v_cache, context_lens, block_table):
    outs = []
    H = q.shape[1]
    for b, n in enumerate(context_lens.tolist()):
        pages = block_table[b].tolist()
        ks, vs = [], []
        for page in pages:
            if n <= 0:
                break
            take = min(n, k_cache.shape[1])
            ks.append(k_cache[int(page), :take])
            vs.append(v_cache[int(page), :take])
            n -= take
        K, V = torch.cat(ks), torch.cat(vs)
        rep = H // K.shape[1]
        K = K[:, :, None].expand(-1, -1, rep, -1).reshape(K.shape[0], H, -1)
        V = V[:, :, None].expand(-1, -1, rep, -1).reshape(V.shape[0], H, -1)
        w = torch.softmax(torch.einsum("hd,nhd->hn", q[b], K) * q.shape[-1] ** -0.5, -1)
        outs.append(torch.einsum("hn,nhd->hd", w, V))
    return torch.stack(outs)
