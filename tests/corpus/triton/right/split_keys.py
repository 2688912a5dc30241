import torch
import triton
import triton.language as tl


@triton.jit
def partial_kernel(Q, K, V, PO, PM, PL, H, SQ, SK, D, DV, scale, SPLIT, CAUSAL: tl.constexpr,
                   BM: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr):
    """Flash-decoding: the keys are split over programs; each writes an unnormalised part, its maximum and its sum."""
    i, bh, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    n_bh = tl.num_programs(1)
    rm = i * BM + tl.arange(0, BM)
    rd = tl.arange(0, BD)
    q = tl.load(Q + bh * SQ * D + rm[:, None] * D + rd[None, :], mask=(rm[:, None] < SQ) & (rd[None, :] < D), other=0.0)
    m = tl.full([BM], float("-inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, BD], tl.float32)
    end = tl.minimum(SK, (part + 1) * SPLIT)
    for j in range(part * SPLIT, end, BN):
        rn = j + tl.arange(0, BN)
        inside = rn[:, None] < end
        k = tl.load(K + bh * SK * D + rn[:, None] * D + rd[None, :], mask=inside & (rd[None, :] < D), other=0.0)
        v = tl.load(V + bh * SK * DV + rn[:, None] * DV + rd[None, :], mask=inside & (rd[None, :] < DV), other=0.0)
        s = tl.dot(q, tl.trans(k)) * scale
        keep = rn[None, :] < end
        if CAUSAL:
            keep = keep & (rn[None, :] <= rm[:, None] + SK - SQ)
        s = tl.where(keep, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        ref = tl.where(new == float("-inf"), 0.0, new)
        p = tl.exp(s - ref[:, None])
        a = tl.exp(m - ref)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v)
        m = new
    at = (part * n_bh + bh) * SQ + rm
    tl.store(PO + at[:, None] * DV + rd[None, :], acc, mask=(rm[:, None] < SQ) & (rd[None, :] < DV))
    tl.store(PM + at, m, mask=rm < SQ)
    tl.store(PL + at, l, mask=rm < SQ)


def flash_attention(q, k, v, causal=False, splits=3):
    b, h, sq, d = q.shape
    sk, dv = k.shape[2], v.shape[3]
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    split = triton.cdiv(sk, splits)
    po = torch.empty(splits, b, h, sq, dv, device=q.device)
    pm, pl = (torch.empty(splits, b, h, sq, device=q.device) for _ in range(2))
    partial_kernel[(triton.cdiv(sq, 16), b * h, splits)](q, k, v, po, pm, pl, h, sq, sk, d, dv, d ** -0.5, split, causal,
                                                         16, 32, max(16, triton.next_power_of_2(max(d, dv))))
    top = pm.amax(0)
    weight = torch.exp(pm - torch.where(torch.isinf(top), 0.0, top))
    total = (weight * pl).sum(0)
    out = (weight[..., None] * po).sum(0) / torch.where(total == 0, 1.0, total)[..., None]
    return out.to(q.dtype)
