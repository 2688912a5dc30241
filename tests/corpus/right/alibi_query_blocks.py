import torch


def alibi_attention(q, k, v):
    """Sq == Sk. (B, H, S, D)"""
    B, H, S, D = q.shape
    m = torch.tensor([1 / 2 ** (8 * (h + 1) / H) for h in range(H)], dtype=q.dtype).view(1, H, 1)
    rows = []
    for t in range(S):
        s = torch.einsum("bhd,bhjd->bhj", q[:, :, t], k[:, :, : t + 1]) / D**0.5
        s = s - m * torch.arange(t, -1, -1, dtype=q.dtype)
        rows.append(torch.einsum("bhj,bhjd->bhd", torch.softmax(s, -1), v[:, :, : t + 1]))
    return torch.stack(rows, 2)
