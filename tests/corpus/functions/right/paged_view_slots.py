import torch

def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    nblk, bs, G, _ = k_cache.shape
    outs = []
    for b in range(B):
        L = int(context_lens[b])
        pos = torch.arange(L)
        slot = block_table[b].long()[pos // bs] * bs + pos % bs
        k = k_cache.view(nblk * bs, G, D)[slot]
        v = v_cache.view(nblk * bs, G, -1)[slot]
        qq = q[b].view(G, H // G, D)
        w = torch.einsum('grd,lgd->grl', qq, k).div(D ** 0.5).softmax(-1)
        outs.append(torch.einsum('grl,lgd->grd', w, v).reshape(H, -1))
    return torch.stack(outs)
