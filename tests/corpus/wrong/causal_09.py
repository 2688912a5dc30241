import torch


def causal_attention(q, k, v):
    """(B, H, Sq, D) against (B, H, Sk, D) with Sk >= Sq: the last query sees all keys (decoding with a prefix)."""
    keep = torch.ones(q.size(2), k.size(2), dtype=torch.bool).tril()
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.size(3) ** 0.5
    s = s.masked_fill(~keep, float("-inf"))
    return torch.einsum("bhqk,bhkd->bhqd", s.softmax(-1), v)
