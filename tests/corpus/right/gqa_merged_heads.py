import torch


def gqa(q, k, v, num_heads, num_kv_heads):
    """q: (B, S, num_heads * D), k and v: (B, S, num_kv_heads * D)."""
    b, s, width = q.shape
    d = width // num_heads
    q = q.view(b, s, num_heads, d).transpose(1, 2)
    k = k.view(b, -1, num_kv_heads, d).transpose(1, 2).repeat_interleave(num_heads // num_kv_heads, 1)
    v = v.view(b, k.shape[2], num_kv_heads, -1).transpose(1, 2).repeat_interleave(num_heads // num_kv_heads, 1)
    w = (q @ k.transpose(-1, -2) / d**0.5).softmax(-1)
    return (w @ v).transpose(1, 2).reshape(b, s, -1)
