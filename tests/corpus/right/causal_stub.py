import math

import torch


def causal_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """(B, H, S, D). Query i sees keys j <= i + Sk - Sq; a query before the first key gives 0."""
    n_q, n_k = q.shape[-2], k.shape[-2]
    rows = torch.arange(n_q, device=q.device).unsqueeze(1) + (n_k - n_q)
    visible = torch.arange(n_k, device=q.device) <= rows
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
    blind = ~visible.any(dim=-1, keepdim=True)
    return scores.masked_fill(blind, 0.0).softmax(-1).masked_fill(blind, 0.0) @ v
