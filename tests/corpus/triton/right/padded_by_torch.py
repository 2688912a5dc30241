import torch
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def kernel(Q, K, V, O, SQ, SK, real_q, real_k, scale, CAUSAL: tl.constexpr, D: tl.constexpr, B: tl.constexpr):
    qi = tl.program_id(0) * B + tl.arange(0, B)
    bh = tl.program_id(1)
    d = tl.arange(0, D)
    q = tl.load(Q + bh * SQ * D + qi[:, None] * D + d[None, :]) * scale
    m = tl.full([B], float("-inf"), tl.float32)
    l = tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    for j in range(0, SK, B):
        kj = j + tl.arange(0, B)
        k = tl.load(K + bh * SK * D + kj[:, None] * D + d[None, :])
        s = tl.dot(q, tl.trans(k))
        keep = kj[None, :] < real_k
        if CAUSAL:
            keep &= kj[None, :] <= qi[:, None] + real_k - real_q
        s = tl.where(keep, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        ref = tl.where(new == float("-inf"), 0.0, new)
        p = tl.exp(s - ref[:, None])
        a = tl.exp(m - ref)
        v = tl.load(V + bh * SK * D + kj[:, None] * D + d[None, :])
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p, v)
        m = new
    tl.store(O + bh * SQ * D + qi[:, None] * D + d[None, :], acc / tl.maximum(l, 1e-38)[:, None])


def flash_attention(q, k, v, causal=False):
    """Everything is padded to whole tiles in float32 first, and cut at the end."""
    b, h, sq, d = q.shape
    sk, dv = k.shape[2], v.shape[3]
    tile, width = 32, max(16, triton.next_power_of_2(max(d, dv)))

    def pad(x):
        return F.pad(x.float(), (0, width - x.shape[3], 0, -x.shape[2] % tile)).contiguous()

    qp, kp, vp = pad(q), pad(k), pad(v)
    o = torch.empty_like(qp)
    kernel[(qp.shape[2] // tile, b * h)](qp, kp, vp, o, qp.shape[2], kp.shape[2], sq, sk, d ** -0.5, causal, width, tile)
    return o[:, :, :sq, :dv].to(q.dtype)
