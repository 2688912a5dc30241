import torch


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        p = torch.softmax(q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5, dim=-1)
        ctx.save_for_backward(q, k, v, p)
        return p @ v

    @staticmethod
    def backward(ctx, g):
        q, k, v, p = ctx.saved_tensors
        ds = p * (g @ v.transpose(-2, -1)) * q.shape[-1] ** -0.5
        return ds @ k, ds.transpose(-2, -1) @ q, p.transpose(-2, -1) @ g


def attention(q, k, v):
    return _Attention.apply(q, k, v)
