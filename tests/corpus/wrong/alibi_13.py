import torch
import torch.nn.functional as F


def alibi_attention(query, key, value):
    n_heads, q_len, k_len = query.size(1), query.size(2), key.size(2)
    slopes = torch.tensor([2 ** (-8.0 / n_heads * (h + 1)) for h in range(n_heads)]).to(query)
    context = torch.arange(k_len - q_len, k_len)[:, None]
    memory = torch.arange(k_len)[None, :]
    relative = memory - context
    alibi = slopes[:, None, None] * relative
    scores = query @ key.transpose(-1, -2) + alibi
    scores = scores.masked_fill(relative > 0, float("-inf"))
    return F.softmax(scores, dim=-1) @ value
