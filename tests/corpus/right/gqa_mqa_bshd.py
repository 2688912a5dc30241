import torch


class MQA:
    """Multi-query: q (B, S, H, D), k and v (B, S, D)."""

    def __call__(self, q, k, v):
        s = torch.einsum("bihd,bjd->bhij", q, k) / q.size(-1) ** 0.5
        return torch.einsum("bhij,bjd->bihd", torch.softmax(s, dim=-1), v)
