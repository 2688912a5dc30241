import torch
import triton
import triton.language as tl


@triton.jit
def _kernel(q, k, v, o, sqb, sqs, sqh, skb, sks, skh, svb, svs, svh, sob, sos, soh, nheads, sq, sk, d, dv, scale,
            CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr, BDV: tl.constexpr):
    i = tl.program_id(0)
    b = tl.program_id(1) % nheads
    h = tl.program_id(1) % nheads
    q += b * sqb + h * sqh
    k += b * skb + h * skh
    v += b * svb + h * svh
    o += b * sob + h * soh
    m_off = i * BM + tl.arange(0, BM)
    d_off = tl.arange(0, BD)
    dv_off = tl.arange(0, BDV)
    m_ok = m_off[:, None] < sq
    Q = tl.load(q + m_off[:, None] * sqs + d_off[None, :], mask=m_ok & (d_off[None, :] < d), other=0.0)
    Q = (Q * scale).to(Q.dtype)
    mx = tl.full([BM], -float("inf"), tl.float32)
    den = tl.zeros([BM], tl.float32)
    num = tl.zeros([BM, BDV], tl.float32)
    n = 0
    while n < sk:
        n_off = n + tl.arange(0, BN)
        n_ok = n_off[:, None] < sk
        K = tl.load(k + n_off[:, None] * sks + d_off[None, :], mask=n_ok & (d_off[None, :] < d), other=0.0)
        V = tl.load(v + n_off[:, None] * svs + dv_off[None, :], mask=n_ok & (dv_off[None, :] < dv), other=0.0)
        S = tl.dot(Q, K.T)
        S = tl.where(n_off[None, :] < sk, S, -float("inf"))
        if CAUSAL:
            S = tl.where(m_off[:, None] + (sk - sq) >= n_off[None, :], S, -float("inf"))
        new = tl.maximum(mx, tl.max(S, 1))
        ref = tl.where(new == -float("inf"), 0.0, new)
        P = tl.exp(S - ref[:, None])
        a = tl.exp(mx - ref)
        den = den * a + tl.sum(P, 1)
        num = num * a[:, None]
        num = tl.dot(P.to(V.dtype), V, num)
        mx = new
        n += BN
    num = num / tl.where(den == 0, 1.0, den)[:, None]
    tl.store(o + m_off[:, None] * sos + dv_off[None, :], num.to(o.dtype.element_ty), mask=m_ok & (dv_off[None, :] < dv))


def flash_attn_func(q, k, v, causal=False, softmax_scale=None):
    """q, k, v: (batch, seqlen, nheads, headdim), the last axis contiguous. Returns (batch, seqlen, nheads, headdim)."""
    assert q.is_cuda and k.is_cuda and v.is_cuda
    q, k, v = [x if x.stride(-1) == 1 else x.contiguous() for x in (q, k, v)]
    batch, seqlen, nheads, headdim = q.shape
    out = torch.empty(batch, seqlen, nheads, v.shape[-1], device="cuda", dtype=q.dtype)
    grid = (triton.cdiv(seqlen, 64), batch * nheads)
    with torch.cuda.device(q.device.index):
        _kernel[grid](q, k, v, out, *q.stride()[:3], *k.stride()[:3], *v.stride()[:3], *out.stride()[:3],
                      nheads, seqlen, k.shape[1], headdim, v.shape[-1], softmax_scale or headdim ** -0.5,
                      CAUSAL=causal, BM=64, BN=64, BD=max(16, triton.next_power_of_2(headdim)),
                      BDV=max(16, triton.next_power_of_2(v.shape[-1])), num_warps=4)
    return out
