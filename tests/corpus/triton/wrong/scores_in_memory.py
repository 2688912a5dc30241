import torch
import triton
import triton.language as tl


@triton.jit
def scores_kernel(Q, K, S, SQ, SK, D, scale, CAUSAL: tl.constexpr, B: tl.constexpr, BD: tl.constexpr):
    i, j, bh = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    r, c, d = i * B + tl.arange(0, B), j * B + tl.arange(0, B), tl.arange(0, BD)
    q = tl.load(Q + (bh * SQ + r[:, None]) * D + d[None, :], mask=(r[:, None] < SQ) & (d[None, :] < D), other=0.0)
    k = tl.load(K + (bh * SK + c[:, None]) * D + d[None, :], mask=(c[:, None] < SK) & (d[None, :] < D), other=0.0)
    s = tl.dot(q, tl.trans(k)) * scale
    if CAUSAL:
        s = tl.where(c[None, :] <= r[:, None] + SK - SQ, s, float("-inf"))
    tl.store(S + (bh * SQ + r[:, None]) * SK + c[None, :], s, mask=(r[:, None] < SQ) & (c[None, :] < SK))


@triton.jit
def softmax_kernel(S, SK, BK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BK)
    s = tl.load(S + row * SK + c, mask=c < SK, other=float("-inf"))
    top = tl.max(s, 0)
    p = tl.exp(s - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(p, 0)
    tl.store(S + row * SK + c, p / tl.where(total == 0, 1.0, total), mask=c < SK)


def flash_attention(q, k, v, causal=False):
    """Two kernels and a product: the scores are written out in between."""
    b, h, sq, d = q.shape
    sk = k.shape[2]
    s = torch.empty(b, h, sq, sk, device=q.device, dtype=torch.float32)
    scores_kernel[(triton.cdiv(sq, 64), triton.cdiv(sk, 64), b * h)](q.contiguous(), k.contiguous(), s, sq, sk, d, d ** -0.5,
                                                                     causal, 64, max(16, triton.next_power_of_2(d)))
    softmax_kernel[(b * h * sq,)](s, sk, triton.next_power_of_2(sk))
    return (s @ v.float()).to(q.dtype)
