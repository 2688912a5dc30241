import torch


def sliding_window_attention(q, k, v, window, block=8):
    B, H, N, D = q.shape
    M = k.shape[2]
    off = M - N
    out = torch.zeros(B, H, N, v.shape[-1], dtype=q.dtype)
    for a in range(0, N, block):
        qi = q[:, :, a : a + block] * D**-0.5
        rows = torch.arange(a, min(a + block, N))[:, None] + off
        m = torch.full((*qi.shape[:-1], 1), -torch.inf, dtype=q.dtype)
        l, acc = torch.zeros_like(m), torch.zeros(*qi.shape[:-1], v.shape[-1], dtype=q.dtype)
        first = max(0, int(rows[0]) - window + 1)
        for c in range(first, int(rows[-1]) + 1, block):
            cols = torch.arange(c, min(c + block, M))
            s = qi @ k[:, :, cols].mT
            s = s.masked_fill((cols > rows) | (cols <= rows - window), -torch.inf)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            ref = new.masked_fill(new == -torch.inf, 0)
            p, shrink = torch.exp(s - ref), torch.exp(m - ref)
            l, acc, m = l * shrink + p.sum(-1, keepdim=True), acc * shrink + p @ v[:, :, cols], new
        out[:, :, a : a + block] = acc / l.masked_fill(l == 0, 1)
    return out
