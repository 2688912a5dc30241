import torch


class FlashAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        m = torch.full((*q.shape[:-1], 1), -torch.inf)
        l, o = torch.zeros_like(m), torch.zeros(*q.shape[:-1], v.shape[-1])
        c = q.shape[-1] ** -0.5
        for kb, vb in zip(k.split(32, -2), v.split(32, -2)):
            s = (q @ kb.mT).float() * c
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            p, a = (s - new).exp(), (m - new).exp()
            l, o, m = l * a + p.sum(-1, keepdim=True), o * a + p @ vb.float(), new
        out = (o / l).to(q.dtype)
        ctx.save_for_backward(q, k, v, out, m + l.log())
        return out

    @staticmethod
    def backward(ctx, d_out):
        q, k, v, out, lse = ctx.saved_tensors
        c = q.shape[-1] ** -0.5
        delta = (d_out * out).sum(-1, keepdim=True).float()
        dq = torch.zeros(q.shape)
        dk, dv = torch.zeros(k.shape), torch.zeros(v.shape)
        for j in range(0, k.shape[-2], 32):
            kb, vb = k[..., j : j + 32, :].float(), v[..., j : j + 32, :].float()
            p = ((q.float() @ kb.mT) * c - lse).exp()
            ds = p * (d_out.float() @ vb.mT - delta) * c
            dq += ds @ kb
            dk[..., j : j + 32, :] = ds.mT @ q.float()
            dv[..., j : j + 32, :] = ds.mT @ d_out.float()
        return dq.to(q.dtype), dk.to(k.dtype), dv.to(v.dtype)
