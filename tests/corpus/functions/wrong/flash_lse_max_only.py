import torch


class Flash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, causal=False, block_size=32):
        scale = q.shape[-1] ** -0.5
        n, s_k = q.shape[-2], k.shape[-2]
        m = torch.full(q.shape[:-1], -torch.inf, dtype=torch.float32)
        z = torch.zeros_like(m)
        o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=torch.float32)
        i = torch.arange(n)[:, None] + s_k - n
        for c in range(0, s_k, block_size):
            x = (q @ k[..., c : c + block_size, :].transpose(-1, -2)).float() * scale
            if causal:
                x.masked_fill_(torch.arange(c, c + x.shape[-1]) > i, -torch.inf)
            t = torch.maximum(m, x.amax(-1))
            u = torch.where(t > -torch.inf, t, 0.0)
            e = torch.exp(x - u[..., None])
            f = torch.exp(m - u)
            z = z * f + e.sum(-1)
            o = o * f[..., None] + e @ v[..., c : c + block_size, :].float()
            m = t
        out = (o / z.clamp(min=1e-30)[..., None]).to(q.dtype)
        lse = m
        ctx.save_for_backward(q, k, v, out, lse)
        return out, lse

    @staticmethod
    def backward(ctx, d_out, d_lse):
        raise RuntimeError("not part of this file")
