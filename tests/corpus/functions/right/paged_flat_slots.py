import torch


class PagedAttention(torch.nn.Module):
    def forward(self, q, k_cache, v_cache, block_table, context_lens):
        bs = k_cache.shape[1]
        flat_k, flat_v = k_cache.flatten(0, 1), v_cache.flatten(0, 1)
        rep = q.shape[1] // k_cache.shape[2]
        rows = []
        for b in range(q.shape[0]):
            t = torch.arange(context_lens[b].item())
            slots = block_table[b, t // bs] * bs + t % bs
            k = flat_k[slots].repeat_interleave(rep, 1).transpose(0, 1)
            v = flat_v[slots].repeat_interleave(rep, 1).transpose(0, 1)
            w = (k @ q[b].unsqueeze(-1)).squeeze(-1).div(q.shape[-1] ** 0.5).softmax(-1)
            rows.append((w.unsqueeze(1) @ v).squeeze(1))
        return torch.stack(rows)
