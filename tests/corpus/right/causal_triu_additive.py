import torch


def causal_attention(q, k, v):
    """q may be shorter than k (decoding with a cache): the last query is the newest token."""
    T, S = q.size(2), k.size(2)
    bias = torch.triu(torch.full((T, S), float("-inf"), dtype=q.dtype, device=q.device), diagonal=S - T + 1)
    att = q @ k.transpose(2, 3) * (q.size(3) ** -0.5) + bias
    return torch.softmax(att, dim=-1) @ v
