"""Attention of a forecaster, on (batch, length, heads, channels). A mask is an object that holds the tensor."""

from math import sqrt

import torch
from torch import nn

from forecaster.masking import LaterSteps


class PlainAttention(nn.Module):
    def __init__(self, masked=True, dropout=0.1):
        super().__init__()
        self.masked = masked
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, attn_mask):
        scores = torch.einsum("blhe,bshe->bhls", queries, keys) / sqrt(queries.shape[-1])
        if self.masked:
            if attn_mask is None:
                attn_mask = LaterSteps(queries.shape[0], queries.shape[1])
            scores = scores.masked_fill(attn_mask.mask, -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return torch.einsum("bhls,bshd->blhd", weights, values).contiguous(), None
