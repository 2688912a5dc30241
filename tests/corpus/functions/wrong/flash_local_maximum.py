import torch

LOG2E = 1.4426950408889634


def flash_fwd(q, k, v, causal=False, BLOCK_M=64, BLOCK_N=64):
    qk_scale = q.shape[-1] ** -0.5 * LOG2E
    n_q, n_k = q.shape[2], k.shape[2]
    o, L = [], []
    for start_m in range(0, n_q, BLOCK_M):
        qt = q[:, :, start_m:start_m + BLOCK_M].float()
        m_i = torch.full(qt.shape[:3], -float("inf"))
        l_i = torch.zeros(qt.shape[:3])
        acc = torch.zeros(*qt.shape[:3], v.shape[-1])
        offs_m = start_m + torch.arange(qt.shape[2]) + n_k - n_q
        for start_n in range(0, n_k, BLOCK_N):
            kt, vt = k[:, :, start_n:start_n + BLOCK_N].float(), v[:, :, start_n:start_n + BLOCK_N].float()
            qk = torch.einsum("bhmd,bhnd->bhmn", qt, kt) * qk_scale
            if causal:
                offs_n = start_n + torch.arange(kt.shape[2])
                qk = torch.where(offs_m[:, None] >= offs_n[None, :], qk, -float("inf"))
            m_ij = qk.amax(-1)
            m_ok = torch.where(m_ij == -float("inf"), torch.zeros_like(m_ij), m_ij)
            p = torch.exp2(qk - m_ok[..., None])
            alpha = torch.ones_like(m_ok)
            l_i = l_i * alpha + p.sum(-1)
            acc = acc * alpha[..., None] + p @ vt
            m_i = m_ij
        o.append(acc / torch.where(l_i == 0, torch.ones_like(l_i), l_i)[..., None])
        L.append((m_i + torch.log2(l_i)) / LOG2E)
    return torch.cat(o, 2).to(q.dtype), torch.cat(L, 2)
