import torch


def local_causal_attention(query, key, value, window):
    """每个 query 取最近 window 个 key（包含自身）。(B, S, H, D)"""
    outs = []
    n, m = query.shape[1], key.shape[1]
    for t in range(n):
        pos = t + m - n
        ks = key[:, max(0, pos - window + 1) : pos + 1]
        vs = value[:, max(0, pos - window + 1) : pos + 1]
        s = torch.einsum("bhd,bjhd->bhj", query[:, t], ks) / query.shape[-1] ** 0.5
        outs.append(torch.einsum("bhj,bjhd->bhd", s.softmax(-1), vs))
    return torch.stack(outs, dim=1)
