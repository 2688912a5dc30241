import torch


class GroupedQueryAttention:
    def __init__(self, n_heads: int, n_kv_heads: int):
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads

    def __call__(self, q, k, v, mask=None):
        """mask: True = may attend."""
        g = self.n_heads // self.n_kv_heads
        k, v = (t.repeat_interleave(g, dim=1) for t in (k, v))
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return torch.softmax(scores, dim=-1) @ v
