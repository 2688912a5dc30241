"""Decoding over a paged cache (Kwon et al., "PagedAttention", 2023, section 4.1)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: paged-attention
import torch


def paged_attention(
    q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor, block_table: torch.Tensor, context_lens: torch.Tensor
) -> torch.Tensor:
    """One decoding step over a paged KV cache: one query token for each sequence.

    q: (B, H, D); k_cache, v_cache: (blocks, block_size, Hkv, D); key/value head h serves query heads h*g .. h*g+g-1.
    block_table: (B, max_blocks), the block that holds tokens j * block_size .. of a sequence; unused ids are valid.
    context_lens: (B,), at least 1; slots beyond hold arbitrary values. Scale: 1 / sqrt(D). Returns (B, H, D).
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="paged-attention",
    title=Text("One decoding step over a paged KV cache", "分页 KV cache 上的一步解码"),
    stub=STUB,
    hints=(
        Text(
            "Where is token j of sequence b? Two numbers say it: which block, "
            "and which slot inside. The blocks of a sequence are in no order.",
            "序列 b 的第 j 个 token 在哪里？两个数决定：哪一块，块内第几格。一个序列的各块在内存中没有次序。",
        ),
        Text(
            "Block block_table[b, j // block_size], slot j % block_size. The last "
            "block is usually not full: what lies behind context_lens is garbage.",
            "块号 block_table[b, j // block_size]，块内位置 j % "
            "block_size。最后一块通常没满：context_lens 之后的内容是垃圾。",
        ),
        Text(
            "For each b: n = context_lens[b]; k = k_cache[block_table[b]].flatten(0, "
            "1)[:n].repeat_interleave(g, 1), v likewise; "
            "p = softmax(einsum('hd,nhd->hn', q[b], k) * D ** -0.5, -1); out[b] = einsum('hn,nhd->hd', p, v).",
            "对每个 b：n = context_lens[b]；k = k_cache[block_table[b]].flatten(0, "
            "1)[:n].repeat_interleave(g, 1)，v 同理；"
            "p = softmax(einsum('hd,nhd->hn', q[b], k) * D ** -0.5, -1)；out[b] = einsum('hn,nhd->hd', p, v)。",
        ),
    ),
    questions=("paged-attention", "kv-cache-what-why", "mha-mqa-gqa", "prefill-vs-decode"),
    family="function",
    names=r".*(paged|pageda|page(table)?)\w*(attention|attn|decode|attend)\w*|(attention|attn|decode)\w*paged\w*|pagedattention.*",
    first_hint={
        "paged-block-order": 2,
        "paged-tail-read": 2,
        "gqa-tiled-heads": 3,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    order=28,
)
