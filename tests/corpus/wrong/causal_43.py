import torch
import torch.nn.functional as F


def causal_attention(q, k, v, is_causal=False, dropout_p=0.1):
    """GPT 因果注意力"""
    s = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if is_causal:
        hide = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).triu(k.size(-2) - q.size(-2) + 1)
        s = s.masked_fill(hide, float("-inf"))
    return F.dropout(s.softmax(-1), dropout_p) @ v
