import torch
import triton
import triton.language as tl


@triton.jit
def one_query(Q, K, V, O, SQ, SK, D, DV, scale, CAUSAL: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr, BV: tl.constexpr):
    row = tl.program_id(0)
    head = tl.program_id(1)
    d = tl.arange(0, BD)
    e = tl.arange(0, BV)
    q = tl.load(Q + (head * SQ + row) * D + d, mask=d < D, other=0.0).to(tl.float32)
    top = float("-inf")
    total = 0.0
    acc = tl.zeros([BV], tl.float32)
    last = SK
    if CAUSAL:
        last = tl.minimum(SK, row + 1 + SK - SQ)
    for n in range(0, last, BN):
        j = n + tl.arange(0, BN)
        k = tl.load(K + (head * SK + j[:, None]) * D + d[None, :], mask=(j < last)[:, None] & (d < D)[None, :], other=0.0)
        s = tl.sum(k.to(tl.float32) * q[None, :], 1) * scale
        new = tl.maximum(top, tl.max(s, 0))
        w = tl.exp(s - new)
        r = tl.exp(top - new)
        v = tl.load(V + (head * SK + j[:, None]) * DV + e[None, :], mask=(j < last)[:, None] & (e < DV)[None, :], other=0.0)
        acc = acc * r + tl.sum(w[:, None] * v.to(tl.float32), 0)
        total = total * r + tl.sum(w, 0)
        top = new
    if total > 0:
        acc = acc / total
    tl.store(O + (head * SQ + row) * DV + e, acc.to(O.dtype.element_ty), mask=e < DV)


class FlashAttention(torch.nn.Module):
    """One program a query row. (batch, heads, seq, dim) in and out."""

    def forward(self, q, k, v, causal=False):
        b, h, sq, d = q.shape
        sk, dv = k.shape[2], v.shape[3]
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        o = torch.zeros(b, h, sq, dv, dtype=q.dtype, device=q.device)
        one_query[(sq, b * h)](q, k, v, o, sq, sk, d, dv, d ** -0.5, causal, 64,
                               triton.next_power_of_2(d), triton.next_power_of_2(dv))
        return o
