"""A decoder's attention, configured by a class of the package that it belongs to."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from tiny_language_model.config import DecoderConfig


class DecoderAttention(nn.Module):
    def __init__(self, decoder_config: DecoderConfig):
        super().__init__()
        self.n_head = decoder_config.n_head
        self.head_dim = decoder_config.n_embd // decoder_config.n_head
        self.qkv_proj = nn.Linear(decoder_config.n_embd, 3 * decoder_config.n_embd, bias=decoder_config.use_bias)
        self.o_proj = nn.Linear(decoder_config.n_embd, decoder_config.n_embd, bias=decoder_config.use_bias)
        self.attn_drop = nn.Dropout(decoder_config.dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, t, c = x.shape
        q, k, v = (
            y.view(b, t, self.n_head, self.head_dim).transpose(1, 2) for y in self.qkv_proj(x).chunk(3, dim=-1)
        )
        scores = q @ k.mT / math.sqrt(self.head_dim)
        later = torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
        weights = self.attn_drop(F.softmax(scores.masked_fill(later, -torch.inf), dim=-1))
        return self.o_proj((weights @ v).transpose(1, 2).reshape(b, t, c))


class Decoder(nn.Module):
    def __init__(self, decoder_config: DecoderConfig):
        super().__init__()
        self.embed = nn.Embedding(decoder_config.vocab_size, decoder_config.n_embd)
        self.attention = DecoderAttention(decoder_config)
        self.head = nn.Linear(decoder_config.n_embd, decoder_config.vocab_size)

    def forward(self, tokens):
        return self.head(self.attention(self.embed(tokens)))
