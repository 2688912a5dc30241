import torch


class FlashBackward:
    def __init__(self, block_size=64, causal=False):
        self.block_size, self.causal = block_size, causal

    def __call__(self, q, k, v, out, lse, grad_out):
        n, m = q.size(-2), k.size(-2)
        scale = q.size(-1) ** -0.5
        rowsum = torch.sum(grad_out * out, -1, True)
        gq, gk, gv = q.new_zeros(q.shape), k.new_zeros(k.shape), v.new_zeros(v.shape)
        for lo in range(0, n, self.block_size):
            hi = min(lo + self.block_size, n)
            qs, go = q[..., lo:hi, :], grad_out[..., lo:hi, :]
            for a in range(0, m, self.block_size):
                b = min(a + self.block_size, m)
                w = torch.exp(scale * qs @ k[..., a:b, :].transpose(-2, -1) - lse[..., lo:hi].unsqueeze(-1))
                if self.causal:
                    w = w.masked_fill(torch.arange(a, b) > torch.arange(lo, hi).unsqueeze(-1) + m - n, 0)
                dw = go @ v[..., a:b, :].transpose(-2, -1)
                g = w * (dw - (w * dw).sum(-1, keepdim=True))
                gv[..., a:b, :] += w.transpose(-2, -1) @ go
                gq[..., lo:hi, :] += scale * (g @ k[..., a:b, :])
                gk[..., a:b, :] += scale * (g.transpose(-2, -1) @ qs)
        return gq, gk, gv
