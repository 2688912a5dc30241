"""Multi-head self-attention of one sequence, on the back of an envelope."""
import torch


def mha(x, Wq, Wk, Wv, Wo, n_heads):
    """x [S, C], W* [C, C] used as x @ W -> [S, C]"""
    outs = []
    for q, k, v in zip(*((x @ W).chunk(n_heads, dim=-1) for W in (Wq, Wk, Wv))):
        outs.append(torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v)
    return torch.cat(outs, dim=-1) @ Wo
