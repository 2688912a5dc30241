import torch


def attention(q, k, v, causal=False):
    """(batch, heads, time, channels). Pass causal=True for a decoder."""
    scores = torch.einsum("bhtc,bhsc->bhts", q, k) * q.shape[-1] ** -0.5
    if causal:
        t, s = scores.shape[-2:]
        ban = torch.ones((t, s), dtype=torch.bool, device=q.device).triu_(1 + s - t)
        scores = scores.masked_fill_(ban, float("-inf"))
    return scores.softmax(dim=-1) @ v
