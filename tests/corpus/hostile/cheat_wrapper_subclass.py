import torch


class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        plain = [a.inner if isinstance(a, Wrapper) else a for a in args]
        return func(*plain, **(kwargs or {}))


def attention(q, k, v, mask=None):
    return Wrapper(v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1]))
