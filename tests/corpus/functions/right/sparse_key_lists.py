import torch

def sparse_attention(q, k, v, window, global_tokens):
    """(B, S, H, D)"""
    B, S, H, D = q.shape
    out = torch.empty(B, S, H, v.shape[-1], dtype=q.dtype)
    G = sorted(set(int(g) for g in global_tokens))
    for i in range(S):
        if i in G:
            js = list(range(S))
        else:
            js = sorted(set(range(max(0, i - window), min(S, i + window + 1))) | set(G))
        a = torch.einsum('bhd,bjhd->bhj', q[:, i], k[:, js]) / D ** .5
        out[:, i] = torch.einsum('bhj,bjhd->bhd', a.softmax(-1), v[:, js])
    return out
