"""FlashAttention as a Triton kernel (Dao, "FlashAttention-2", 2023, section 3.2: a program a tile of queries)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: triton-flash
import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(Q, K, V, O, Sq, Sk, D, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr):
    """One program computes one tile of queries of one head. Parameters and tile sizes are yours to choose."""
    pass


def flash_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool = False) -> torch.Tensor:
    """Exact attention by a Triton kernel that never holds the S x S scores.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv), in float32 or half precision; any length, any dims up to 128.
    Scale: 1 / sqrt(D). causal: query i sees keys j <= i + Sk - Sq; a query before the first key gives 0.
    Views with other strides are allowed: pass strides, or make the inputs contiguous.
    Returns (B, H, Sq, Dv) in the dtype of q; products and sums are kept in float32.

    Without a GPU it is graded in Triton's interpreter, as it stands.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="triton-flash",
    title=Text("FlashAttention as a Triton kernel", "用 Triton 写 FlashAttention 核函数"),
    stub=STUB,
    hints=(
        Text(
            "Give each program one tile of queries of one head: program_id(0) is the tile, program_id(1) the batch entry and head. "
            "It loads its queries once, walks over tiles of keys, and writes its tile of the output once. What must it carry along?",
            "每个 program 负责一个头的一块 query：program_id(0) 是块号，program_id(1) 是 batch 和头。它只读一次自己的 query，"
            "沿 key 的各块走一遍，最后写一次输出。途中需要带着哪些量？",
        ),
        Text(
            "Carry m (the running maximum, from -inf), l (the sum of exp(s - m)) and acc, in float32. A tile that raises m multiplies l and acc by exp(m_old - m_new). "
            "Lengths are seldom multiples of a tile: mask loads and stores, and set scores of keys beyond Sk to -inf. tl.arange needs powers of two: pad D and mask it.",
            "带着 m（最大值，初值 -inf）、l（exp(s - m) 之和）和 acc，都用 float32。某块使 m 变大时，l 和 acc 都要乘 exp(m_old - m_new)。"
            "长度往往不是块的整数倍：读写都要加 mask，超出 Sk 的打分置 -inf。tl.arange 只接受 2 的幂：把 D 补齐并加 mask。",
        ),
        Text(
            "s = tl.dot(q, tl.trans(k)) * scale; s = tl.where((n[None, :] < Sk) & (n[None, :] <= m_idx[:, None] + Sk - Sq), s, -inf); m_new = tl.maximum(m, tl.max(s, 1)); "
            "p = tl.exp(s - m_new[:, None]); a = tl.exp(m - m_new); l = l * a + tl.sum(p, 1); acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v); m = m_new. "
            "Rows without a key: shift by 0 where m_new is -inf, divide by 1 where l is 0. At the end store acc / l[:, None].",
            "s = tl.dot(q, tl.trans(k)) * scale；s = tl.where((n[None, :] < Sk) & (n[None, :] <= m_idx[:, None] + Sk - Sq), s, -inf)；m_new = tl.maximum(m, tl.max(s, 1))；"
            "p = tl.exp(s - m_new[:, None])；a = tl.exp(m - m_new)；l = l * a + tl.sum(p, 1)；acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v)；m = m_new。"
            "没有 key 的行：m_new 为 -inf 时按 0 平移，l 为 0 时除以 1。最后写出 acc / l[:, None]。",
        ),
    ),
    questions=("flash-attention", "online-softmax", "score-memory", "does-flash-help-decode", "causal-alignment"),
    family="attention",
    names=r".*triton.*",
    first_hint={
        "formula": 2,
        "shape": 2,
        "tail-": 2,
        "wrong-": 1,
        "uninitialised-memory": 1,
        "efficiency": 1,
        "accumulator-not-rescaled": 2,
        "denominator-not-rescaled": 2,
        "max-": 2,
        "causal-": 3,
        "inf-minus-inf": 3,
        "base-two-exponent": 3,
        "missing-scale": 3,
        "scale-": 3,
        "low-precision-inside": 2,
        "hygiene": 2,
    },
    order=31,
)
