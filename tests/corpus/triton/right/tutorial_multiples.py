import pytest
import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


def is_hip():
    return triton.runtime.driver.active.get_current_target().backend == "hip"


configs = [
    triton.Config({"BLOCK_M": BM, "BLOCK_N": BN}, num_stages=s, num_warps=w)
    for BM in [64, 128] for BN in [32, 64] for s in ([1] if is_hip() else [3, 4, 7]) for w in [4, 8]
]


@triton.jit
def _inner(acc, l_i, m_i, q, K, V, stride_kn, stride_vn, start_m, qk_scale,
           BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr,
           offs_m: tl.constexpr, offs_n: tl.constexpr, N_CTX: tl.constexpr):
    if STAGE == 1:
        lo, hi = 0, start_m * BLOCK_M
    elif STAGE == 2:
        lo, hi = start_m * BLOCK_M, (start_m + 1) * BLOCK_M
    else:
        lo, hi = 0, N_CTX
    offs_d = tl.arange(0, HEAD_DIM)
    for start_n in tl.range(lo, hi, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        k = tl.load(K + (start_n + offs_n)[None, :] * stride_kn + offs_d[:, None])
        qk = tl.dot(q, k)
        if STAGE == 2:
            mask = offs_m[:, None] >= (start_n + offs_n[None, :])
            qk = qk * qk_scale + tl.where(mask, 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * qk_scale)
            qk = qk * qk_scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m_i - m_ij)
        l_ij = tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V + (start_n + offs_n)[:, None] * stride_vn + offs_d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc)
        l_i = l_i * alpha + l_ij
        m_i = m_ij
    return acc, l_i, m_i


@triton.autotune(configs=configs, key=["N_CTX", "HEAD_DIM"])
@triton.jit
def _attn_fwd(sm_scale, M, Q, K, V, Out, stride_z, stride_h, stride_m, Z, H, N_CTX,
              HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1)
    off_z = off_hz // H
    off_h = off_hz % H
    base = off_z.to(tl.int64) * stride_z + off_h.to(tl.int64) * stride_h
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, HEAD_DIM)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    qk_scale = sm_scale
    qk_scale *= 1.44269504
    q = tl.load(Q + base + offs_m[:, None] * stride_m + offs_d[None, :])
    # stage 1: off-band, stage 2: on-band
    if STAGE & 1:
        acc, l_i, m_i = _inner(acc, l_i, m_i, q, K + base, V + base, stride_m, stride_m, start_m, qk_scale,
                               BLOCK_M, HEAD_DIM, BLOCK_N, 4 - STAGE, offs_m, offs_n, N_CTX)
    if STAGE & 2:
        acc, l_i, m_i = _inner(acc, l_i, m_i, q, K + base, V + base, stride_m, stride_m, start_m, qk_scale,
                               BLOCK_M, HEAD_DIM, BLOCK_N, 2, offs_m, offs_n, N_CTX)
    m_i += tl.math.log2(l_i)
    acc = acc / l_i[:, None]
    tl.store(M + off_hz * N_CTX + offs_m, m_i)
    tl.store(Out + base + offs_m[:, None] * stride_m + offs_d[None, :], acc.to(Out.type.element_ty))


class _attention(torch.autograd.Function):

    @staticmethod
    def forward(ctx, q, k, v, causal, sm_scale):
        HEAD_DIM_Q, HEAD_DIM_K, HEAD_DIM_V = q.shape[-1], k.shape[-1], v.shape[-1]
        assert HEAD_DIM_Q == HEAD_DIM_K and HEAD_DIM_K == HEAD_DIM_V
        assert HEAD_DIM_K in {16, 32, 64, 128, 256}
        assert q.shape == k.shape and q.shape[2] % 128 == 0, "N_CTX must be a multiple of 128"
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        o = torch.empty_like(q)
        M = torch.empty((q.shape[0], q.shape[1], q.shape[2]), device=q.device, dtype=torch.float32)
        grid = lambda args: (triton.cdiv(q.shape[2], args["BLOCK_M"]), q.shape[0] * q.shape[1], 1)
        _attn_fwd[grid](sm_scale, M, q, k, v, o, q.stride(0), q.stride(1), q.stride(2), q.shape[0], q.shape[1],
                        N_CTX=q.shape[2], HEAD_DIM=HEAD_DIM_K, STAGE=3 if causal else 1)
        ctx.save_for_backward(q, k, v, o, M)
        return o

    @staticmethod
    def backward(ctx, do):
        raise NotImplementedError("forward only")


def attention(q, k, v, causal=False, sm_scale=None):
    """(Z, H, N_CTX, HEAD_DIM), N_CTX a multiple of 128."""
    return _attention.apply(q, k, v, causal, sm_scale if sm_scale is not None else q.shape[-1] ** -0.5)


@pytest.mark.parametrize("causal", [True, False])
def test_op(causal, Z=1, H=2, N_CTX=1024, HEAD_DIM=64):
    q, k, v = (torch.randn((Z, H, N_CTX, HEAD_DIM), dtype=torch.float16, device=DEVICE) for _ in range(3))
    assert attention(q, k, v, causal).shape == q.shape
