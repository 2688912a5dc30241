import torch


def attend(q, k, v, attn_mask=None, is_causal=False):
    """q, k, v: (batch, heads, seq, dim). attn_mask (True = keep) and is_causal are mutually exclusive."""
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if is_causal:
        rows, columns = scores.shape[-2:]
        attn_mask = torch.ones(rows, columns, dtype=torch.bool, device=q.device).tril(columns - rows)
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    return scores.softmax(dim=-1) @ v
