"""Templates that are functions of query, key and value."""

from __future__ import annotations

from interview_coach.hunt.template import Template
from interview_coach.text import Text

_TORCH = '''\
import math

import torch


def attention(q, k, v, mask=None):
    """q (B, H, Sq, D); k, v (B, H, Sk, D); mask True = may attend."""
    scores = torch.matmul(q / math.sqrt(q.size(-1)), k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v)
'''

_EINSUM = '''\
import torch


def causal_attention(query, key, value):
    """query (B, H, N, D); key, value (B, H, M, D); last query, last key."""
    n, m = query.shape[-2], key.shape[-2]
    scores = torch.einsum("bhnd,bhmd->bhnm", query * query.shape[-1] ** -0.5, key)
    visible = torch.ones(n, m, dtype=torch.bool, device=query.device).tril(m - n)
    scores = torch.where(visible, scores, float("-inf"))
    attn = scores.softmax(-1)
    return torch.einsum("bhnm,bhmd->bhnd", attn, value)
'''

_NUMPY = '''\
import numpy as np


def attention(Q, K, V, mask=None):
    """Q (B, H, Sq, D); K, V (B, H, Sk, D); mask True = may attend."""
    d_k = Q.shape[-1]
    logits = (Q / np.sqrt(d_k)) @ K.swapaxes(-1, -2)
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    top = logits.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    weights = np.exp(logits - top)
    total = weights.sum(axis=-1, keepdims=True)
    return (weights / np.where(total == 0, 1.0, total)) @ V
'''

_BSHD = '''\
import torch


def causal_attention(q, k, v):
    """q (B, Sq, H, D); k, v (B, Sk, H, D); causal, to the bottom right."""
    q, k, v = (t.transpose(1, 2) for t in (q, k, v))
    rows = torch.arange(q.shape[2], device=q.device)[:, None]
    cols = torch.arange(k.shape[2], device=q.device)[None, :]
    scores = (q.float() * q.shape[-1] ** -0.5) @ k.float().transpose(2, 3)
    scores = scores.masked_fill(cols > rows + k.shape[2] - q.shape[2], float("-inf"))
    p = torch.exp(scores - scores.amax(-1, keepdim=True).clamp(min=-1e30))
    p = p / p.sum(-1, keepdim=True).clamp(min=1e-30)
    out = p.to(v.dtype) @ v
    return out.transpose(1, 2).contiguous()
'''

_CHINESE = '''\
import numpy as np


def scaled_dot_product_attention(q, k, v, mask=None):
    """缩放点积注意力。形状 (B, H, S, D)；mask 为 True 表示可见。"""
    # 每个查询与每个键的打分
    scale = q.shape[-1] ** -0.5
    scores = np.einsum("bhqd,bhkd->bhqk", q * scale, k)
    # 处理掩码
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    # 归一化
    row_max = np.max(scores, axis=-1, keepdims=True)
    row_max = np.where(np.isfinite(row_max), row_max, 0.0)
    e = np.exp(scores - row_max)
    total = np.sum(e, axis=-1, keepdims=True)
    p = e / np.where(total == 0, 1.0, total)
    # 对值加权求和
    return np.einsum("bhqk,bhkd->bhqd", p, v)
'''

_ADDITIVE = '''\
from math import sqrt

import torch
import torch.nn.functional as F


def dot_product_attention(queries, keys, values, causal: bool = True):
    """queries (B, H, L, E), keys (B, H, S, E), values (B, H, S, E)."""
    length, size = queries.shape[-2], keys.shape[-2]
    bias = torch.zeros(length, size, dtype=queries.dtype, device=queries.device)
    if causal:
        above = torch.ones(length, size, dtype=torch.bool, device=queries.device).triu(size - length + 1)
        bias = bias.masked_fill(above, float("-inf"))
    logits = (queries / sqrt(keys.shape[-1])) @ keys.mT + bias
    weights = F.softmax(logits, dim=-1)
    return weights @ values
'''

TEMPLATES = (
    Template(
        "torch-function",
        "sdpa",
        Text("a torch function", "torch 函数"),
        _TORCH,
        {
            "missing-scale": ("q / math.sqrt(q.size(-1))", "q"),
            "scale-by-d": ("q / math.sqrt(q.size(-1))", "q / q.size(-1)"),
            "scale-inverted": ("q / math.sqrt(q.size(-1))", "q * math.sqrt(q.size(-1))"),
            "scale-from-length": ("q.size(-1)", "q.size(-2)"),
            "scale-by-log-d": ("math.sqrt(", "math.log("),
            "softmax-wrong-axis": ("dim=-1", "dim=-2"),
            "softmax-missing": ("torch.softmax(scores, dim=-1)", "torch.exp(scores)"),
            "double-softmax": ("torch.softmax(scores, dim=-1)", "torch.softmax(scores.softmax(-1), dim=-1)"),
            "sigmoid-for-softmax": ("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),
            "mask-inverted": ("~mask", "mask"),
            "mask-ignored": ("scores = scores.masked_fill(~", "scores.masked_fill(~"),
            "mask-filled-with-zero": ('float("-inf")', "0.0"),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
            "mask-fill-positive": ('float("-inf")', "1e9"),
            "mask-fill-overflows-half": ('float("-inf")', "-1e9"),
            "mask-added-as-bool": ('scores.masked_fill(~mask, float("-inf"))', "scores + mask"),
            "mask-after-softmax": (
                "    if mask is not None:\n"
                '        scores = scores.masked_fill(~mask, float("-inf"))\n'
                "    weights = torch.softmax(scores, dim=-1)\n",
                "    weights = torch.softmax(scores, dim=-1)\n"
                "    if mask is not None:\n"
                "        weights = weights.masked_fill(~mask, 0.0)\n",
            ),
            "gradient-detached": ("torch.matmul(weights, v)", "torch.matmul(weights, v).detach()"),
        },
    ),
    Template(
        "torch-einsum",
        "causal",
        Text("torch with einsum", "torch 加 einsum"),
        _EINSUM,
        {
            "missing-scale": ("query * query.shape[-1] ** -0.5", "query"),
            "scale-by-d": ("** -0.5", "** -1.0"),
            "scale-inverted": ("** -0.5", "** 0.5"),
            "scale-after-softmax": (
                "query * query.shape[-1] ** -0.5, key)\n"
                "    visible = torch.ones(n, m, dtype=torch.bool, device=query.device).tril(m - n)\n"
                '    scores = torch.where(visible, scores, float("-inf"))\n'
                "    attn = scores.softmax(-1)\n",
                "query, key)\n"
                "    visible = torch.ones(n, m, dtype=torch.bool, device=query.device).tril(m - n)\n"
                '    scores = torch.where(visible, scores, float("-inf"))\n'
                "    attn = scores.softmax(-1) * query.shape[-1] ** -0.5\n",
            ),
            "softmax-wrong-axis": ("softmax(-1)", "softmax(-2)"),
            "causal-leaks-next": ("tril(m - n)", "tril(m - n + 1)"),
            "causal-hides-self": ("tril(m - n)", "tril(m - n - 1)"),
            "causal-top-left": ("tril(m - n)", "tril()"),
            "causal-reversed": ("tril(m - n)", "triu(m - n)"),
            "causal-missing": ("torch.where(visible, scores", "torch.where(visible | ~visible, scores"),
            "mask-filled-with-zero": ('float("-inf")', "0.0"),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
        },
    ),
    Template(
        "numpy",
        "sdpa",
        Text("numpy", "numpy"),
        _NUMPY,
        {
            "missing-scale": ("(Q / np.sqrt(d_k))", "Q"),
            "scale-by-d": ("np.sqrt(d_k)", "d_k"),
            "scale-by-log-d": ("np.sqrt(d_k)", "np.log(d_k)"),
            "scale-from-length": ("d_k = Q.shape[-1]", "d_k = Q.shape[-2]"),
            "no-max-subtraction": ("np.exp(logits - top)", "np.exp(logits)"),
            "base-two-exponent": ("np.exp(logits - top)", "np.exp2(logits - top)"),
            "softmax-wrong-axis": ("weights.sum(axis=-1", "weights.sum(axis=-2"),
            "mask-inverted": ("np.where(mask, logits", "np.where(~mask, logits"),
            "mask-ignored": ("        logits = np.where(mask", "        masked = np.where(mask"),
            "mask-filled-with-zero": ("np.where(mask, logits, -np.inf)", "logits * mask"),
            "mask-fill-weak": ("logits, -np.inf", "logits, -10.0"),
            "mask-added-as-bool": ("np.where(mask, logits, -np.inf)", "logits + mask"),
            "mutates-inputs": ("(Q / np.sqrt(d_k)) @", "np.divide(Q, np.sqrt(d_k), out=Q) @"),
        },
    ),
    Template(
        "torch-bshd",
        "causal",
        Text("heads before the last axis", "头在倒数第二维"),
        _BSHD,
        {
            "missing-scale": ("(q.float() * q.shape[-1] ** -0.5)", "q.float()"),
            "scale-by-d": ("** -0.5", "** -1"),
            "scale-by-d-model": ("q.shape[-1] ** -0.5", "(q.shape[1] * q.shape[-1]) ** -0.5"),
            "scale-from-length": ("q.shape[-1] ** -0.5", "k.shape[-2] ** -0.5"),
            "causal-top-left": ("rows + k.shape[2] - q.shape[2]", "rows"),
            "causal-leaks-next": ("q.shape[2], float", "q.shape[2] + 1, float"),
            "causal-hides-self": ("cols > rows", "cols >= rows"),
            "causal-reversed": ("cols > rows", "cols < rows"),
            "softmax-missing": ("    p = p / p.sum(-1, keepdim=True).clamp(min=1e-30)\n", ""),
            "base-two-exponent": ("torch.exp(", "torch.exp2("),
            "no-max-subtraction": (
                "torch.exp(scores - scores.amax(-1, keepdim=True).clamp(min=-1e30))",
                "torch.exp(scores)",
            ),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
            "projection-reused": ("p.to(v.dtype) @ v", "p.to(v.dtype) @ k"),
        },
    ),
    Template(
        "numpy-chinese",
        "sdpa",
        Text("numpy, with Chinese comments", "numpy，中文注释"),
        _CHINESE,
        {
            "missing-scale": ("q * scale", "q"),
            "scale-by-d": ("** -0.5", "** -1.0"),
            "scale-inverted": ("** -0.5", "** 0.5"),
            "scale-from-length": ("q.shape[-1]", "q.shape[-2]"),
            "softmax-wrong-axis": ("np.sum(e, axis=-1", "np.sum(e, axis=-2"),
            "base-two-exponent": ("np.exp(", "np.exp2("),
            "no-max-subtraction": ("np.exp(scores - row_max)", "np.exp(scores)"),
            "softmax-missing": ("e / np.where(total == 0, 1.0, total)", "e"),
            "mask-inverted": ("np.where(mask, scores", "np.where(~mask, scores"),
            "mask-ignored": ("        scores = np.where(mask", "        visible = np.where(mask"),
            "mask-filled-with-zero": ("scores, -np.inf", "scores, 0.0"),
            "mask-fill-weak": ("scores, -np.inf", "scores, -100.0"),
            "mask-fill-positive": ("scores, -np.inf", "scores, 1e9"),
        },
    ),
    Template(
        "torch-additive",
        "causal",
        Text("torch with a mask that is added", "torch，加性掩码"),
        _ADDITIVE,
        {
            "missing-scale": ("(queries / sqrt(keys.shape[-1]))", "queries"),
            "scale-from-length": ("sqrt(keys.shape[-1])", "sqrt(keys.shape[-2])"),
            "scale-hard-coded": ("sqrt(keys.shape[-1])", "8.0"),
            "causal-leaks-next": ("triu(size - length + 1)", "triu(size - length + 2)"),
            "causal-hides-self": ("triu(size - length + 1)", "triu(size - length)"),
            "causal-top-left": ("triu(size - length + 1)", "triu(1)"),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
            "mask-fill-positive": ('float("-inf")', "1e9"),
            "causal-missing": ("bias = bias.masked_fill(", "bias.masked_fill("),
            "softmax-wrong-axis": ("dim=-1", "dim=1"),
            "dropout-in-eval": ("weights @ values", "F.dropout(weights, 0.1) @ values"),
            "scores-transposed": (
                "(queries / sqrt(keys.shape[-1])) @ keys.mT",
                "(keys / sqrt(keys.shape[-1])) @ queries.mT",
            ),
        },
    ),
)
