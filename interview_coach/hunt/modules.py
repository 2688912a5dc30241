"""Templates that are modules with projections of their own."""

from __future__ import annotations

from interview_coach.hunt.template import Template
from interview_coach.text import Text

_SEPARATE = '''\
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def split(self, x):
        batch, length, _ = x.shape
        return x.view(batch, length, self.n_heads, self.d_head).transpose(1, 2)

    def forward(self, x, mask=None):
        """x (B, S, d_model); mask (B, 1, S, S), True = may attend."""
        batch, length, d_model = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        scores = (q * self.d_head**-0.5) @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(dim=-1) @ v
        return self.out_proj(out.transpose(1, 2).reshape(batch, length, d_model))
'''

_FUSED = '''\
import math

import torch
import torch.nn as nn


class CausalSelfAttention(nn.Module):
    """因果多头自注意力，输入输出均为 (B, T, C)。"""

    def __init__(self, n_embd: int, n_head: int) -> None:
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        # 拆成多个头
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        # 打分与权重
        att = (q / math.sqrt(k.size(-1))) @ k.transpose(-2, -1)
        visible = torch.tril(torch.ones(T, T, device=x.device)).view(1, 1, T, T)
        att = att.masked_fill(visible == 0, float("-inf"))
        att = torch.softmax(att, dim=-1)
        y = att @ v
        # 合并各头
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y)
'''

_CROSS = '''\
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.h = n_heads
        self.to_q = nn.Linear(d_model, d_model, bias=False)
        self.to_k = nn.Linear(d_model, d_model, bias=False)
        self.to_v = nn.Linear(d_model, d_model, bias=False)
        self.to_out = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        """x (B, N, C); context (B, M, C); context_mask True = real token."""
        q, k, v = self.to_q(x), self.to_k(context), self.to_v(context)
        q, k, v = (t.unflatten(-1, (self.h, -1)) for t in (q, k, v))
        sim = torch.einsum("bnhd,bmhd->bhnm", q * q.shape[-1] ** -0.5, k)
        if context_mask is not None:
            sim = sim.masked_fill(~context_mask[:, None, None, :], float("-inf"))
        attn = sim.softmax(dim=-1)
        out = torch.einsum("bhnm,bmhd->bnhd", attn, v)
        return self.to_out(out.flatten(2))
'''

_NO_TRANSPOSE = "x.view(batch, self.n_heads, length, self.d_head)"

TEMPLATES = (
    Template(
        "module-separate",
        "multi-head",
        Text("a module with four projections", "带四个投影的模块"),
        _SEPARATE,
        {
            "missing-scale": ("(q * self.d_head**-0.5)", "q"),
            "scale-by-d": ("self.d_head**-0.5", "self.d_head**-1.0"),
            "scale-by-d-model": ("self.d_head**-0.5", "d_model**-0.5"),
            "scale-from-length": ("self.d_head**-0.5", "length**-0.5"),
            "softmax-wrong-axis": ("softmax(dim=-1)", "softmax(dim=1)"),
            "heads-not-transposed": (
                "x.view(batch, length, self.n_heads, self.d_head).transpose(1, 2)",
                _NO_TRANSPOSE,
            ),
            "heads-merge-not-transposed": ("out.transpose(1, 2).reshape", "out.reshape"),
            "output-projection-missing": (
                "self.out_proj(out.transpose(1, 2).reshape(batch, length, d_model))",
                "out.transpose(1, 2).reshape(batch, length, d_model)",
            ),
            "projection-reused": ("self.split(self.v_proj(x))", "self.split(self.k_proj(x))"),
            "residual-inside": ("return self.out_proj(", "return x + self.out_proj("),
            "mask-inverted": ("~mask", "mask"),
            "mask-ignored": ("scores = scores.masked_fill(", "scores.masked_fill("),
            "mask-filled-with-zero": ('float("-inf")', "0.0"),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
        },
    ),
    Template(
        "module-fused",
        "multi-head",
        Text("a module with one fused projection, Chinese comments", "融合投影的模块，中文注释"),
        _FUSED,
        {
            "missing-scale": ("(q / math.sqrt(k.size(-1)))", "q"),
            "scale-by-d-model": ("math.sqrt(k.size(-1))", "math.sqrt(C)"),
            "scale-by-d": ("math.sqrt(k.size(-1))", "k.size(-1)"),
            "scale-from-length": ("k.size(-1)", "k.size(-2)"),
            "softmax-wrong-axis": ("dim=-1", "dim=-2"),
            "causal-leaks-next": ("torch.ones(T, T, device=x.device))", "torch.ones(T, T, device=x.device), 1)"),
            "causal-reversed": ("torch.tril(", "torch.triu("),
            "causal-missing": ("        att = att.masked_fill(", "        masked = att.masked_fill("),
            "mask-filled-with-zero": ('float("-inf")', "0.0"),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
            "heads-merge-not-transposed": ("y.transpose(1, 2).contiguous()", "y.contiguous()"),
            "output-projection-missing": ("return self.c_proj(y)", "return y"),
        },
    ),
    Template(
        "module-cross",
        "cross-attention",
        Text("cross-attention over a padded context", "对带填充上下文的交叉注意力"),
        _CROSS,
        {
            "missing-scale": ("q * q.shape[-1] ** -0.5", "q"),
            "scale-by-d": ("** -0.5", "** -1"),
            "context-ignored": ("self.to_k(context), self.to_v(context)", "self.to_k(x), self.to_v(x)"),
            "softmax-wrong-axis": ("softmax(dim=-1)", "softmax(dim=-2)"),
            "mask-inverted": ("~context_mask", "context_mask"),
            "mask-ignored": ("sim = sim.masked_fill(", "sim.masked_fill("),
            "mask-filled-with-zero": ('float("-inf")', "0.0"),
            "mask-fill-weak": ('float("-inf")', "-10.0"),
            "output-projection-missing": ("self.to_out(out.flatten(2))", "out.flatten(2)"),
            "projection-reused": ("self.to_v(context)", "self.to_k(context)"),
        },
    ),
)
