import math
import torch


def gqa(q, k, v):
    """Grouped heads as in T5 v1.1? No, T5 has plain heads; LLaMA-2 has groups. Scale 1/sqrt(D)."""
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    return (q @ k.transpose(-2, -1)).softmax(-1) @ v
