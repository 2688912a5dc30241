import math

import torch


def flash_attention(Q, K, V, Br=32, Bc=16):
    """单头 flash attention。Q: (N, d)，K、V: (M, d)。返回 O 和 logsumexp。"""
    N, d = Q.shape
    O = torch.zeros(N, V.shape[1])
    L = torch.zeros(N)
    for i in range(0, N, Br):
        Qi = Q[i:i + Br]
        mi = torch.full((Qi.shape[0],), -math.inf)
        li = torch.zeros(Qi.shape[0])
        Oi = torch.zeros(Qi.shape[0], V.shape[1])
        for j in range(0, K.shape[0], Bc):
            S = (Qi @ K[j:j + Bc].T / math.sqrt(d)).float()
            m_new = torch.maximum(mi, S.max(dim=1).values)
            P = torch.exp(S - m_new[:, None])
            li = torch.exp(mi - m_new) * li + P.sum(1)
            Oi = torch.exp(mi - m_new)[:, None] * Oi + P @ V[j:j + Bc].float()
            mi = m_new
        O[i:i + Br] = Oi
        L[i:i + Br] = mi + torch.log(li)
    return O, L
