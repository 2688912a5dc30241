import math
import torch


def causal_attention(q, k, v):
    """GPT-2 style causal attention. Works for the decoders of GPT, LLaMA and T5 alike; q is scaled by the caller's habit of 1/sqrt(d) inside."""
    s = q @ k.transpose(-2, -1) * 1.0
    allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril(k.shape[-2] - q.shape[-2])
    s = s.masked_fill(~allowed, float("-inf"))
    p = s.softmax(-1)
    return torch.nan_to_num(p) @ v
