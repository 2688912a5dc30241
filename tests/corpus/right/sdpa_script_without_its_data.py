"""Scaled dot-product attention and a picture of its weights."""

from __future__ import annotations

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


data = torch.load("embeddings.pt")
out = attention(data["q"], data["k"], data["v"])
print(out.shape)
SCALE = 2
