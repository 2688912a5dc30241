import torch
import triton
import triton.language as tl


@triton.jit
def kernel(Q, K, V, O, sqh, sqm, skh, skn, svh, svn, soh, som, NQ, NK, D, DV, scale,
           CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr, BV: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_h = tl.program_id(1)
    rm = pid_m * BM + tl.arange(0, BM)
    rd = tl.arange(0, BD)
    rv = tl.arange(0, BV)
    q = tl.load(Q + pid_h * sqh + rm[:, None] * sqm + rd[None, :], mask=(rm[:, None] < NQ) & (rd[None, :] < D), other=0.0)
    m = tl.full([BM], float("-inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, BV], tl.float32)
    end = NK
    if CAUSAL:
        end = tl.minimum(NK, (pid_m + 1) * BM)
    for n in range(0, end, BN):
        rn = n + tl.arange(0, BN)
        k = tl.load(K + pid_h * skh + rn[:, None] * skn + rd[None, :], mask=(rn[:, None] < NK) & (rd[None, :] < D), other=0.0)
        v = tl.load(V + pid_h * svh + rn[:, None] * svn + rv[None, :], mask=(rn[:, None] < NK) & (rv[None, :] < DV), other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where(rn[None, :] < NK, s, float("-inf"))
        if CAUSAL:
            s = tl.where(rn[None, :] <= rm[:, None] + NK - NQ, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        ref = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp(s - ref[:, None])
        a = tl.exp(m - ref)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p, v.to(tl.float32), input_precision="ieee")
        m = m_new
    acc = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    tl.store(O + pid_h * soh + rm[:, None] * som + rv[None, :], acc.to(O.dtype.element_ty), mask=(rm[:, None] < NQ) & (rv[None, :] < DV))


def flash_attention(q, k, v, causal=False):
    B, H, NQ, D = q.shape
    NK, DV = v.shape[2:]
    q3 = q.reshape(B * H, NQ, D).contiguous()
    k3 = k.reshape(B * H, NK, D).contiguous()
    v3 = v.reshape(B * H, NK, DV).contiguous()
    o = torch.empty(B * H, NQ, DV, dtype=q.dtype, device=q.device)
    kernel[(triton.cdiv(NQ, 16), B * H)](q3, k3, v3, o, q3.stride(0), q3.stride(1), k3.stride(0), k3.stride(1),
                                         v3.stride(0), v3.stride(1), o.stride(0), o.stride(1), NQ, NK, D, DV, D ** -0.5,
                                         CAUSAL=causal, BM=16, BN=16, BD=max(16, triton.next_power_of_2(D)), BV=max(16, triton.next_power_of_2(DV)))
    return o.view(B, H, NQ, DV)
