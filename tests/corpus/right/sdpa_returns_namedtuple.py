from typing import NamedTuple

import torch


class AttentionOutput(NamedTuple):
    context: torch.Tensor
    probs: torch.Tensor
    scores: torch.Tensor


class Attention(torch.nn.Module):
    """Parameter-free; scores before the softmax are returned for analysis."""

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> AttentionOutput:
        scores = q @ k.transpose(-2, -1) / (q.shape[-1] ** 0.5)
        probs = scores.softmax(-1)
        return AttentionOutput(context=probs @ v, probs=probs, scores=scores)
