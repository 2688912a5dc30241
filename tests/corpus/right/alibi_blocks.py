import torch


def alibi_flash(q, k, v, block=16):
    B, H, N, D = q.shape
    M = k.shape[2]
    slope = torch.exp2(-8.0 * torch.arange(1, H + 1, dtype=torch.float32) / H).view(H, 1, 1).to(q.dtype)
    rows = torch.arange(N)[:, None] + (M - N)
    m = torch.full((B, H, N, 1), float("-inf"), dtype=q.dtype)
    l = torch.zeros(B, H, N, 1, dtype=q.dtype)
    acc = torch.zeros(B, H, N, v.shape[-1], dtype=q.dtype)
    for s in range(0, M, block):
        cols = torch.arange(s, min(s + block, M))
        x = (q @ k[:, :, s : s + block].transpose(-1, -2)) * D**-0.5 - slope * (rows - cols)
        x = x.masked_fill(cols > rows, float("-inf"))
        new = torch.maximum(m, x.max(-1, keepdim=True).values)
        safe = new.masked_fill(new == float("-inf"), 0.0)
        p = torch.exp(x - safe)
        scale = torch.exp(m - safe)
        l = l * scale + p.sum(-1, keepdim=True)
        acc = acc * scale + p @ v[:, :, s : s + block]
        m = new
    return acc / l.masked_fill(l == 0, 1.0)
