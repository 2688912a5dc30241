# coach: paged-attention
import torch


def paged_attention(
    q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor, block_table: torch.Tensor, context_lens: torch.Tensor
) -> torch.Tensor:
    B, H, D = q.shape
    g = H // k_cache.shape[2]
    out = torch.empty_like(q)
    for b in range(B):
        n = int(context_lens[b])
        k = k_cache[block_table[b]].flatten(0, 1)[:n].repeat_interleave(g, 1)
        v = v_cache[block_table[b]].flatten(0, 1)[:n].repeat_interleave(g, 1)
        p = torch.softmax(torch.einsum("hd,nhd->hn", q[b], k) * D**-0.5, -1)
        out[b] = torch.einsum("hn,nhd->hd", p, v)
    return out
