import torch


class Ops:
    """Namespace of tensor helpers."""

    EPS = 1e-5

    @staticmethod
    def softmax(x):
        x = x - x.max(-1, keepdim=True).values
        return x.exp() / x.exp().sum(-1, keepdim=True)

    @staticmethod
    def attention(q, k, v):
        return Ops.softmax(q.matmul(k.mT).mul(q.shape[-1] ** -0.5)).matmul(v)


attention = Ops.attention
