import torch
import triton
import triton.language as tl


@triton.jit
def kern(Q, K, V, O, sqz, sqh, sqm, sqd, skz, skh, skn, skd, svz, svh, svn, svd, soz, soh, som, sod,
         H, M, N, D, DV, scale, CAUSAL: tl.constexpr, BD: tl.constexpr, BDV: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    pm = tl.program_id(0)
    zh = tl.program_id(1)
    z = zh // H
    h = zh % H
    om = pm * BM + tl.arange(0, BM)
    od = tl.arange(0, BD)
    odv = tl.arange(0, BDV)
    q = tl.load(Q + z * sqz + h * sqh + om[:, None] * sqm + od[None, :] * sqd, mask=(om[:, None] < M) & (od[None, :] < D), other=0.0)
    m = tl.full([BM], float("-inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, BDV], tl.float32)
    for s in range(0, N, BN):
        on = s + tl.arange(0, BN)
        k = tl.load(K + z * skz + h * skh + on[:, None] * skn + od[None, :] * skd, mask=(on[:, None] < N) & (od[None, :] < D), other=0.0)
        v = tl.load(V + z * svz + h * svh + (on[:, None] + 1) * svn + odv[None, :] * svd, mask=(on[:, None] < N) & (odv[None, :] < DV), other=0.0)
        x = tl.dot(q, tl.trans(k)) * scale
        ok = on[None, :] < N
        if CAUSAL:
            ok = ok & (on[None, :] <= om[:, None] + N - M)
        x = tl.where(ok, x, float("-inf"))
        mn = tl.maximum(m, tl.max(x, 1))
        sh = tl.where(mn == float("-inf"), 0.0, mn)
        p = tl.exp(x - sh[:, None])
        a = tl.exp(m - sh)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v)
        m = mn
    l = tl.where(l == 0, 1.0, l)
    tl.store(O + z * soz + h * soh + om[:, None] * som + odv[None, :] * sod, (acc / l[:, None]).to(O.dtype.element_ty), mask=(om[:, None] < M) & (odv[None, :] < DV))


def flash_attention(q, k, v, causal=False):
    B, H, M, D = q.shape
    N, DV = k.shape[2], v.shape[3]
    o = torch.empty((B, H, M, DV), dtype=q.dtype, device=q.device)
    BM, BN = 16, 16
    kern[(triton.cdiv(M, BM), B * H)](q, k, v, o, *q.stride(), *k.stride(), *v.stride(), *o.stride(), H, M, N, D, DV, D ** -0.5,
        CAUSAL=causal, BD=max(16, triton.next_power_of_2(D)), BDV=max(16, triton.next_power_of_2(DV)), BM=BM, BN=BN)
    return o
