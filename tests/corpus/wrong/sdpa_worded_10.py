import math
import torch


def self_attention(x, w_q, w_k, w_v):
    """x: (batch, seq, dim). Batch first, unlike nn.MultiheadAttention's default (seq, batch, dim)."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q, k, v = (t.transpose(0, 1) for t in (q, k, v))
    return ((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v).transpose(0, 1)
