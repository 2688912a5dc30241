"""Conventions other than the house's: right where the file states and computes them, else the bug that they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interview_coach.grading.engine import grade
from interview_coach.grading.hints import Hints
from interview_coach.grading.prose import (
    states_one_key_head,
    states_t5,
    states_tiled_heads,
    states_two_sided_window,
    states_window_before,
)
from interview_coach.grading.report import Report
from interview_coach.grading.sandbox import Sandbox
from interview_coach.grading.stated import (
    stated_axes,
    states_base_two,
    states_other_classes,
    states_top_left,
    states_unmasked,
)

# ── what files say ─────────────────────────────────────────────────────────────────────────────────────────────────

STATED: list[tuple[Callable[[str], object], tuple[str, ...], tuple[str, ...]]] = [
    (
        states_top_left,
        (
            "query i sees keys j <= i, aligned to the top left as torch's is_causal",
            "Top-left aligned causal mask.",
            "causal mask: top-left aligned, not bottom-right",
            "causal: lower triangular from the top-left corner, where query i attends to keys 0..i",
            "Causal, anchored at the upper-left corner, unlike flash-attn >= 2.1 which aligns bottom-right.",
            "The first query is aligned with the first key.",
            "因果掩码按左上角对齐（与 torch 的 is_causal 一致）：query i 只看 j <= i",
            "第 0 个 query 只看第 0 个 key，Sk 更长也一样",
        ),
        (
            "query i sees keys j <= i",
            "aligned to the bottom right (torch's is_causal would be top-left)",
            "not top-left but bottom-right: the last query sees all keys",
            "A common mistake is to align the mask top-left",
            "torch's is_causal aligns top-left; here the last query lines up with the last key",
            "the top left tile is loaded first",
            "Same as F.scaled_dot_product_attention(q, k, v, is_causal=True)",
            "与 torch 的左上角对齐不同，这里右下角对齐",
        ),
    ),
    (
        states_base_two,
        (
            "Returns (out, lse); lse is the log-sum-exp in base 2",
            "lse is base-2 (FlashInfer's convention), not natural",
            "lse_a, lse_b: log2-sum-exp2 of each part",
            "LSE 用 log2 表示，输入输出都以 2 为底",
        ),
        (
            "Uses exp2 with log2(e) folded into the scale; lse is the natural log-sum-exp",
            "unlike FlashInfer, lse is not base 2",
            "running max in base 2 units, lse converted back to the natural log at the end",
            "内部用 exp2，返回的 lse 是自然对数",
        ),
    ),
    (
        states_other_classes,
        (
            "eps is spread over the K - 1 other classes",
            "Targets: 1 - eps on the true class, eps / (K - 1) on each of the others.",
            "eps is spread over the other classes rather than over all classes",
            "目标类得 1-eps，其余每个类得 eps/(C-1)",
        ),
        (
            "eps / C on every class, the target included",
            "unlike fairseq, eps is not spread over the K - 1 other classes",
            "not eps / (K - 1) but eps / K",
            "eps 分给全部类别，而不是其余 K-1 个类",
        ),
    ),
    (
        stated_axes,
        (
            "Softmax over dim 0",
            "Each column of x sums to one",
            "按列归一化",
            "softmax over axis 0, not over the last axis",
        ),
        ("Stable softmax", "each row sums to 1; axis 0 is the batch", "every row, not the columns", "沿最后一维"),
    ),
    (
        states_tiled_heads,
        (
            "h mod Hkv rather than consecutive groups",
            "tiled instead of repeat_interleave",
            "头是平铺的，而不是相邻分组",
        ),
        ("consecutive groups rather than h mod Hkv", "not tiled but consecutive", "相邻分组，而不是平铺"),
    ),
    (
        states_two_sided_window,
        (
            "Not causal: window keys on both sides",
            "Sees window keys before and after it",
            "每侧 window 个 key，不是因果的",
        ),
        ("not two-sided", "causal: no key to the right", "window // 2 keys to each side"),
    ),
    (
        lambda text: states_two_sided_window(text, half=True),
        ("The window is centred on the query: W // 2 on each side", "窗口总宽度为 window，以 i 为中心"),
        ("window keys on each side", "causal window"),
    ),
    (
        states_unmasked,
        ("Grouped-query attention. No mask.", "每个 query 看全部 key，没有掩码"),
        ("No mask argument: it is causal.", "mask=None: no mask", "Causal."),
    ),
    (
        states_one_key_head,
        ("Multi-query attention (MQA)", "MQA = GQA with one group: k and v are (B, 1, S, D)"),
        ("MQA is the case of one group", "MQA（Hkv = 1）是它的特例"),
    ),
    (
        states_t5,
        ("T5 attention, unscaled", "T5: the scale 1/sqrt(d) is folded into the initialisation", "T5 的注意力"),
        ("ALiBi: a bias instead of position embeddings, cf. T5", "The bias is added to the scores as in T5."),
    ),
    (
        lambda text: Hints(text).one_length,
        ("queries and keys are as many", "as many queries as keys", "query 与 key 等长"),
        ("there may be more keys than queries", "queries and keys"),
    ),
    (
        states_window_before,
        (
            "query i sees i - window .. i",
            "the w keys to its left and its own",
            "自身和前 window 个，一共 window + 1 个",
        ),
        ("query i sees i - window + 1 .. i", "the window keys, itself included"),
    ),
]


@pytest.mark.parametrize(("says", "yes", "no"), STATED)
def test_what_a_file_must_say(says: Callable[[str], object], yes: tuple[str, ...], no: tuple[str, ...]) -> None:
    assert [text for text in yes if not says(text)] == []
    assert [text for text in no if says(text)] == []


# ── what the grader makes of it ────────────────────────────────────────────────────────────────────────────────────

CAUSAL = '''
import numpy as np
def causal_attention(q, k, v):
    """{says}"""
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    s = np.where(np.tri(q.shape[-2], k.shape[-2], {offset}, dtype=bool), s, -np.inf)
    peak = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isfinite(peak), peak, 0))
    total = p.sum(-1, keepdims=True)
    return p / np.where(total > 0, total, 1) @ v
'''
FLAG = '''
import numpy as np
def attention(q, k, v, causal=False):
    """{says}"""
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if causal:
        s = np.where(np.tri(q.shape[-2], k.shape[-2], dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v
'''
FLASH = '''
import numpy as np
def flash_attention(q, k, v, causal=False, block_size=64):
    """Attention by tiles of keys; returns (out, lse). {says}"""
    m = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    l, o = np.zeros_like(m), np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    i = np.arange(q.shape[-2])[:, None] + {first}
    for start in range(0, k.shape[-2], block_size):
        s = q @ np.swapaxes(k[..., start : start + block_size, :], -1, -2) * np.float32(q.shape[-1] ** -0.5 * {unit})
        if causal:
            s = np.where(np.arange(start, start + s.shape[-1]) <= i, s, -np.inf).astype(q.dtype)
        new = np.maximum(m, s.max(-1, keepdims=True))
        safe = np.where(np.isfinite(new), new, 0)
        a, p = np.{exp}(m - safe), np.{exp}(s - safe)
        l, o, m = l * a + p.sum(-1, keepdims=True), o * a + p @ v[..., start : start + block_size, :], new
    with np.errstate(divide="ignore"):
        lse = (m + np.{log}(l))[..., 0]
    return o / np.where(l > 0, l, 1), lse
'''
MERGE = '''
import numpy as np
def merge_attention(out_a, lse_a, out_b, lse_b):
    """{says}"""
    m = np.maximum(lse_a, lse_b)
    m = np.where(np.isfinite(m), m, 0)
    a, b = np.{exp}(lse_a - m), np.{exp}(lse_b - m)
    with np.errstate(divide="ignore"):
        lse = m + np.log2(a + b)
    return (a[..., None] * out_a + b[..., None] * out_b) / np.maximum(a + b, 1e-30)[..., None], lse
'''
SMOOTHING = '''
import numpy as np
def label_smoothing_cross_entropy(logits, target, eps=0.1):
    """{says}"""
    n, c = logits.shape
    z = logits - logits.max(-1, keepdims=True)
    q = np.full((n, c), eps / ({count}))
    q[np.arange(n), target] = 1 - eps
    return -(q * (z - np.log(np.exp(z).sum(-1, keepdims=True)))).sum(-1).mean()
'''
SOFTMAX = '''
import numpy as np
def softmax(x):
    """{says}"""
    e = np.exp(x{shift})
    return e / e.sum(0, keepdims=True)
'''
WINDOW = '''
import numpy as np
def local_attention(q, k, v, window):
    """{says}"""
    i, j = np.arange(q.shape[-2])[:, None] + k.shape[-2] - q.shape[-2], np.arange(k.shape[-2])
    s = np.where({keep}, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v
'''
GROUPED = '''
import numpy as np
def gqa(q, k, v):
    """{says}"""
    n = q.shape[1] // k.shape[1]
    k, v = {copies}
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v
'''
TILED, TILED_NOTE = (
    "(np.tile(t, (1, n, 1, 1)) for t in (k, v))",
    "key/value heads are tiled over the query heads, as the file says",
)
TOP_LEFT = "the causal mask is aligned to the top left, as the file says"
CORNER = "Causal mask, aligned to the top left as torch's is_causal."
BASE_TWO = "log-sum-exps are in base 2, as the file says"
TWO = {"unit": 1.4426950408889634, "exp": "exp2", "log": "log2", "first": "k.shape[-2] - q.shape[-2]"}
NATURAL = {"unit": 1.0, "exp": "exp", "log": "log", "first": 0}
OTHERS = "eps is spread over the other C - 1 classes, as the file says"
GRADED: list[tuple[str, str, dict[str, object], str]] = [
    ("causal", CAUSAL, {"says": CORNER, "offset": 0}, TOP_LEFT),
    ("causal", CAUSAL, {"says": "Causal attention.", "offset": 0}, "causal-top-left"),
    ("causal", CAUSAL, {"says": CORNER, "offset": -1}, "causal-hides-self"),
    ("causal", CAUSAL, {"says": CORNER, "offset": 1}, "causal-leaks-next"),
    (
        "causal",
        CAUSAL,
        {"says": "Bottom-right aligned, unlike torch's top-left causal mask.", "offset": 0},
        "causal-top-left",
    ),
    ("sdpa", FLAG, {"says": "因果掩码按左上角对齐。"}, TOP_LEFT),
    ("sdpa", FLAG, {"says": "因果时看不到未来。"}, "causal-top-left"),
    ("flash-forward", FLASH, {"says": "causal is aligned to the top left.", **NATURAL}, TOP_LEFT),
    ("flash-forward", FLASH, {"says": "", **NATURAL}, "causal-top-left"),
    ("flash-forward", FLASH, {"says": "The lse is in base 2.", **TWO}, BASE_TWO),
    ("flash-forward", FLASH, {"says": "exp2 inside.", **TWO}, "lse-wrong"),
    ("flash-forward", FLASH, {"says": "The lse is in base 2.", **TWO, "log": "log"}, "lse-wrong"),
    ("merge-lse", MERGE, {"says": "Both lse are in base 2, and so is the result.", "exp": "exp2"}, BASE_TWO),
    ("merge-lse", MERGE, {"says": "Two partial results.", "exp": "exp2"}, "base-two-exponent"),
    ("merge-lse", MERGE, {"says": "Both lse are in base 2, and so is the result.", "exp": "exp"}, "lse-wrong"),
    ("label-smoothing", SMOOTHING, {"says": "eps is spread over the C - 1 other classes.", "count": "c - 1"}, OTHERS),
    ("label-smoothing", SMOOTHING, {"says": "Mean over the batch.", "count": "c - 1"}, "smoothing-excludes-target"),
    (
        "label-smoothing",
        SMOOTHING,
        {"says": "eps is spread over the C - 1 other classes.", "count": "c"},
        "smoothing-excludes-target",
    ),
    (
        "softmax",
        SOFTMAX,
        {"says": "Softmax over dim 0: columns sum to 1.", "shift": " - x.max(0, keepdims=True)"},
        "softmax over the first axis, as the file says",
    ),
    ("softmax", SOFTMAX, {"says": "Softmax.", "shift": " - x.max(0, keepdims=True)"}, "softmax-wrong-axis"),
    ("softmax", SOFTMAX, {"says": "Softmax over dim 0.", "shift": ""}, "no-max-subtraction"),
    (
        "sliding-window",
        WINDOW,
        {"says": "Not causal: window keys on both sides.", "keep": "abs(i - j) <= window"},
        "the window reaches as many keys to both sides, as the file says",
    ),
    (
        "sliding-window",
        WINDOW,
        {"says": "Centred on the query, window // 2 keys on each side.", "keep": "abs(i - j) <= window"},
        "window-two-sided",
    ),
    ("gqa", GROUPED, {"says": "Grouped heads, h mod Hkv rather than consecutive groups.", "copies": TILED}, TILED_NOTE),
    ("gqa", GROUPED, {"says": "MQA is the case of one group.", "copies": TILED}, "gqa-tiled-heads"),
    ("gqa", GROUPED, {"says": "Grouped heads.", "copies": TILED}, "gqa-tiled-heads"),
    ("sliding-window", WINDOW, {"says": "Local attention.", "keep": "abs(i - j) <= window"}, "window-two-sided"),
]
"""Exercise, source, what it says and computes, and the note or the code that must come of it."""


def graded(exercise: str, source: str, folder: Path, sandbox: Sandbox) -> Report:
    path = folder / "submission.py"
    path.write_text(source, "utf-8")
    return grade(path, exercise, sandbox=sandbox, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("exercise", "template", "holes", "outcome"), GRADED)
def test_a_stated_convention_is_a_note_and_an_unstated_one_a_bug(
    exercise: str, template: str, holes: dict[str, object], outcome: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    report = graded(exercise, template.format(**holes), tmp_path, sandbox)
    assert report.contract is not None
    if " " in outcome:
        assert report.verdict == "pass", [c for c in report.checks if c.status == "fail"]
        assert outcome in report.contract.notes
    else:
        assert report.verdict == "fail"
        assert outcome in [d.code for d in report.diagnosis]


def test_the_corner_that_a_file_states(tmp_path: Path, sandbox: Sandbox) -> None:
    right = graded("causal", CAUSAL.format(says=CORNER, offset=0), tmp_path, sandbox)
    assert right.verdict == "pass"
    assert right.contract is not None
    assert right.contract.notes == (TOP_LEFT,)
    wrong = graded("causal", CAUSAL.format(says=CORNER, offset=1), tmp_path, sandbox)
    assert [d.code for d in wrong.diagnosis] == ["causal-leaks-next"]
