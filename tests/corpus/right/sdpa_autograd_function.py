import torch


class AttentionFn(torch.autograd.Function):
    """Forward and backward by hand; only P is kept, S is thrown away."""

    @staticmethod
    def forward(ctx, q, k, v):
        scale = q.shape[-1] ** -0.5
        p = torch.softmax(q @ k.mT * scale, dim=-1)
        ctx.save_for_backward(q, k, v, p)
        ctx.scale = scale
        return p @ v

    @staticmethod
    def backward(ctx, do):
        q, k, v, p = ctx.saved_tensors
        dv = p.mT @ do
        dp = do @ v.mT
        ds = p * (dp - (dp * p).sum(-1, keepdim=True)) * ctx.scale
        return ds @ k, ds.mT @ q, dv


def attention(q, k, v):
    return AttentionFn.apply(q, k, v)
