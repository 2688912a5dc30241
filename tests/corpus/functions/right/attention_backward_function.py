import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        c = q.shape[-1] ** -0.5
        p = torch.softmax(q @ k.transpose(-1, -2) * c, -1)
        ctx.save_for_backward(q, k, v, p)
        return p @ v

    @staticmethod
    def backward(ctx, g):
        q, k, v, p = ctx.saved_tensors
        c = q.shape[-1] ** -0.5
        dp = g @ v.transpose(-1, -2)
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c
        return ds @ k, ds.transpose(-1, -2) @ q, p.transpose(-1, -2) @ g
