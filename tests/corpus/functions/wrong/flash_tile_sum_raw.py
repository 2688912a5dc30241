import torch


def flash_attention_v1(Q, K, V, block_size=32):
    """Algorithm 1 of FlashAttention: returns (O, l, m)."""
    O = [torch.zeros(*t.shape[:-1], V.shape[-1]) for t in Q.split(block_size, dim=2)]
    l = [torch.zeros(*t.shape[:-1], 1) for t in Q.split(block_size, dim=2)]
    m = [torch.full((*t.shape[:-1], 1), float("-inf")) for t in Q.split(block_size, dim=2)]
    Q_blocks, K_blocks, V_blocks = (t.float().split(block_size, dim=2) for t in (Q, K, V))
    tau = Q.shape[-1] ** -0.5
    for Kj, Vj in zip(K_blocks, V_blocks):
        for i, Qi in enumerate(Q_blocks):
            S = tau * torch.einsum("bhqd,bhkd->bhqk", Qi, Kj)
            m_tile = S.amax(dim=-1, keepdim=True)
            P = torch.exp(S - m_tile)
            l_tile = P.sum(dim=-1, keepdim=True)
            m_new = torch.maximum(m[i], m_tile)
            l_new = torch.exp(m[i] - m_new) * l[i] + l_tile
            O[i] = (l[i] * torch.exp(m[i] - m_new) * O[i] + torch.exp(m_tile - m_new) * (P @ Vj)) / l_new
            l[i], m[i] = l_new, m_new
    return torch.cat(O, dim=2).to(Q.dtype), torch.cat(l, dim=2).squeeze(-1), torch.cat(m, dim=2).squeeze(-1)
