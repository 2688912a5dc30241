import torch


def linear_attention(q, k, v, causal=False, rows=4):
    """(B, H, S, D): a block of rows reads the sums up to its own end."""
    q, k = (torch.where(t > 0, t + 1, t.exp()) for t in (q, k))
    S = q.shape[2]
    out = []
    for lo in range(0, S, rows):
        hi = min(lo + rows, S) if causal else k.shape[2]
        w = q[:, :, lo : lo + rows] @ k[:, :, :hi].mT
        out.append(w @ v[:, :, :hi] / w.sum(-1, keepdim=True))
    return torch.cat(out, 2)
