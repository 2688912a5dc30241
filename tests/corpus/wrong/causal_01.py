import torch


def causal_attention(q, k, v):
    """Decoder self attention, (B, H, S, D)"""
    sq, sk = q.size(-2), k.size(-2)
    mask = torch.tril(torch.ones(sq, sk)).bool()
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    attn = torch.softmax(scores, dim=-1)
    return attn @ v
