import torch


def attention(q, k, v, block=4):
    """(B, H, S, D)，分块处理 key"""
    n = max(k.size(2) // block, 1)
    parts, vals = [], []
    for i in range(n):
        parts.append(q @ k[:, :, i * block:(i + 1) * block].transpose(2, 3))
        vals.append(v[:, :, i * block:(i + 1) * block])
    s = torch.cat(parts, dim=-1) / q.size(-1) ** 0.5
    return torch.softmax(s, dim=-1) @ torch.cat(vals, dim=2)
