"""FlashAttention 简化版：tiling + online softmax forward pass"""
import math
import torch
import torch.nn.functional as F


def standard_attention(Q, K, V):
    """标准 attention"""
    d = Q.size(-1)
    S = Q @ K.transpose(-2, -1) / math.sqrt(d)
    return F.softmax(S, dim=-1) @ V


def flash_attention_forward(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, Br: int = 64, Bc: int = 64) -> torch.Tensor:
    """Q, K, V: [B, N, d]"""
    B, N, d = Q.shape
    scale = 1.0 / math.sqrt(d)
    Tr = (N + Br - 1) // Br
    Tc = (N + Bc - 1) // Bc
    O = torch.zeros_like(Q)
    for i in range(Tr):
        qs, qe = i * Br, min(i * Br + Br, N)
        Qi = Q[:, qs:qe, :]
        mi = torch.full((B, qe - qs, 1), float("-inf"), device=Q.device, dtype=Q.dtype)
        li = torch.zeros((B, qe - qs, 1), dtype=Q.dtype)
        Oi = torch.zeros((B, qe - qs, d), dtype=Q.dtype)
        for j in range(Tc):
            ks, ke = j * Bc, min(j * Bc + Bc, N)
            S = Qi @ K[:, ks:ke].transpose(-2, -1) * scale
            m_new = torch.maximum(mi, S.max(dim=-1, keepdim=True).values)
            P = torch.exp(S - m_new)
            alpha = torch.exp(mi - m_new)
            li = alpha * li + P.sum(-1, keepdim=True)
            Oi = alpha * Oi + P @ V[:, ks:ke]
            mi = m_new
        O[:, qs:qe] = Oi / li
    return O
