import torch
import triton
import triton.language as tl

LOG2E = 1.4426950408889634


@triton.jit
def fwd(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, n_heads, seq_q, seq_k, dim, dim_v, qk_scale,
        causal: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr, BD: tl.constexpr):
    # 每个 program 处理一个头的一块 query;输入都是连续的 (B, H, S, D)
    h = tl.program_id(1)
    b = tl.program_id(2)
    bh = (b * n_heads + h).to(tl.int64)
    rows = tl.program_id(0) * BQ + tl.arange(0, BQ)
    d = tl.arange(0, BD)
    q = tl.load(q_ptr + bh * seq_q * dim + rows[:, None] * dim + d[None, :],
                mask=(rows < seq_q)[:, None] & (d < dim)[None, :], other=0.)
    m = tl.zeros([BQ], dtype=tl.float32) - float("inf")
    l = tl.zeros([BQ], dtype=tl.float32)
    acc = tl.zeros([BQ, BD], dtype=tl.float32)
    hi = seq_k
    if causal:
        hi = tl.minimum(seq_k, (tl.program_id(0) + 1) * BQ + seq_k - seq_q)
    for j in range(0, BK, BK):
        cols = j + tl.arange(0, BK)
        kt = tl.load(k_ptr + bh * seq_k * dim + cols[None, :] * dim + d[:, None],
                     mask=(cols < seq_k)[None, :] & (d < dim)[:, None], other=0.)
        s = tl.dot(q, kt) * qk_scale
        ok = (cols < seq_k)[None, :]
        if causal:
            ok &= cols[None, :] <= rows[:, None] + (seq_k - seq_q)
        s = tl.where(ok, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        shift = tl.where(m_new > float("-inf"), m_new, 0.)
        p = tl.exp2(s - shift[:, None])
        corr = tl.exp2(m - shift)
        l = l * corr + tl.sum(p, 1)
        vt = tl.load(v_ptr + bh * seq_k * dim_v + cols[:, None] * dim_v + d[None, :],
                     mask=(cols < seq_k)[:, None] & (d < dim_v)[None, :], other=0.)
        acc = acc * corr[:, None] + tl.dot(p.to(vt.dtype), vt)
        m = m_new
    acc = tl.where(l[:, None] > 0, acc / l[:, None], 0.)
    tl.store(o_ptr + bh * seq_q * dim_v + rows[:, None] * dim_v + d[None, :], acc.to(o_ptr.dtype.element_ty),
             mask=(rows < seq_q)[:, None] & (d < dim_v)[None, :])
    tl.store(lse_ptr + bh * seq_q + rows, (m + tl.log2(l)) / 1.4426950408889634, mask=rows < seq_q)


def flash_attention(q, k, v, causal=False):
    """返回 (out, lse)。exp2 比 exp 快,所以 scale 里先乘 log2(e)。"""
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    batch, heads, seq_q, dim = q.shape
    seq_k, dim_v = k.shape[2], v.shape[3]
    o = torch.empty(batch, heads, seq_q, dim_v, dtype=q.dtype, device=q.device)
    lse = torch.empty(batch, heads, seq_q, dtype=torch.float32, device=q.device)
    BQ = 64
    fwd[(triton.cdiv(seq_q, BQ), heads, batch)](
        q, k, v, o, lse, heads, seq_q, seq_k, dim, dim_v, dim ** -0.5 * LOG2E,
        causal, BQ, 32, max(16, triton.next_power_of_2(max(dim, dim_v))))
    return o, lse
