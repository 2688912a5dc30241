import math
import torch


def attention(q, k, v, attn_mask, key_padding_mask):
    """attn_mask (Sq, Sk) and key_padding_mask (B, Sk); True means masked out."""
    scores = q @ k.transpose(-1, -2)
    scores = scores.masked_fill(attn_mask, float("-inf"))
    scores = scores.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
