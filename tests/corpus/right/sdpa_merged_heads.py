import torch


def attention_concat(q, k, v):
    """q, k, v: (B, H, S, D) -> (B, Sq, H*Dv), heads already concatenated."""
    B, H, S, D = q.shape
    p = torch.softmax(torch.einsum("bhqd,bhkd->bhqk", q, k) / D ** 0.5, dim=-1)
    return torch.einsum("bhqk,bhkd->bqhd", p, v).reshape(B, S, -1)
