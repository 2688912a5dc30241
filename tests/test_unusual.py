"""Unusual but legitimate ways to write attention, and mistakes in the same dress."""

from __future__ import annotations

import numpy as np
import pytest

from interview_coach.grading import grade
from interview_coach.grading.hints import Hints
from interview_coach.grading.layout_order import writes_shape
from interview_coach.grading.layouts import DIRECT, PROJECTED, outputs
from interview_coach.grading.packed import PACKED
from interview_coach.grading.polarity import stated_polarity
from interview_coach.grading.prose import affirms, promises_causal, promises_zero_rows
from interview_coach.grading.roles import parameter_role
from interview_coach.grading.sandbox import Sandbox

# ── what a file says ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Bool mask: True takes part in attention.", "keep"),
        (
            "key_padding_mask of nn.MultiheadAttention: True = ignore; here it is the other way round: True = attend.",
            "keep",
        ),
        ("PyTorch ignores where True, 这里相反：True 表示可见", "keep"),
    ],
)
def test_the_meaning_of_true_next_to_another_library_s(text: str, meaning: str) -> None:
    assert stated_polarity(text) == meaning


def test_what_another_model_does_is_not_affirmed() -> None:
    assert not affirms("Half-split as in GPT-NeoX (GPT-J interleaves, this does not).", "interleav")
    assert affirms("Half-split as in GPT-NeoX (GPT-J interleaves, this does not).", "half[- ]split")


def test_zero_is_promised_for_rows_without_any_key() -> None:
    assert promises_zero_rows("Rows without any key give zeros.")
    assert not promises_zero_rows("Without the keys of the cache, position 0 comes first.")


@pytest.mark.parametrize(
    ("text", "promised"),
    [
        ("Causal grouped-query attention: a query never sees later keys.", True),
        ("因果的分组查询注意力。", True),
        ("Not causal attention.", False),
        ("For causal attention hand over a triangular mask.", False),
        ("Grouped-query attention, which LLaMA uses inside causal attention layers.", False),
        ("Decode step of causal attention: every cached key may be seen.", False),
    ],
)
def test_attention_that_calls_itself_causal(text: str, promised: bool) -> None:
    assert promises_causal(text) is promised


def test_the_shape_of_a_library_is_not_that_of_the_file() -> None:
    text = "(batch, seq, dim) in and out. nn.MultiheadAttention wants (seq, batch, dim) by default."
    assert writes_shape(text, PROJECTED["BSC"]) and not writes_shape(text, PROJECTED["SBC"])
    assert writes_shape("(seq, batch, dim), as nn.MultiheadAttention wants it by default", PROJECTED["SBC"])


def test_a_length_and_a_width_are_no_two_lengths() -> None:
    assert not Hints(code="S, D = q.shape[-2:]").two_lengths
    assert Hints(code="rows, columns = scores.shape[-2:]").two_lengths
    assert Hints(code="for i in range(q.shape[2]):\n    use(k[:, :, : i + 1])").one_length
    assert not Hints(code="for i in range(q.shape[2]):\n    use(k.shape[2])").one_length


def test_a_rotation_needs_no_telling_name() -> None:
    assert Hints(code="def rot(x, a): return x * a.cos() + turn(x) * a.sin()").rotates
    assert not Hints(code="return torch.cosine_similarity(q, k)").rotates


def test_operands_by_the_words_of_longer_names() -> None:
    names = "memory_values memory_keys queryVectors n_keys key_mask value_head_dim key_cache"
    assert [parameter_role(n) for n in names.split()] == ["v", "k", "q", None, "mask", None, None]


def test_four_axes_of_an_output_are_not_read_as_three() -> None:
    a = np.zeros((2, 5, 3, 4))
    names = [name for name, back in outputs(DIRECT["BHSD"], 3).items() if back(a).shape == (2, 3, 5, 4)]
    assert names[0] == "BSHD"
    assert next(iter(outputs(PACKED["3 b h s d"], 3))) == "BHSD"


# ── verdicts ───────────────────────────────────────────────────────────────────────────────────────────────────────

SLOW = pytest.mark.slow
ATTENTION = "import torch\ndef {name}(q, k, v{more}):\n    '''{text}'''\n{body}"
FIRST_ENTRY_S_MASK = """
    keep = mask.expand(*q.shape[:3], k.shape[2]) if mask is not None else torch.ones(1, 1, 1, k.shape[2]).bool()
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep[:1], -torch.inf)
    return torch.nan_to_num(s.softmax(-1)) @ v
"""
HEADS_AVERAGED = """
    o = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
    return o.mean(1, keepdim=True).expand_as(o)
"""
REPEATED = """
    k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 1) for t in (k, v))
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
"""
PAGED = """
import torch
def paged_attention(q, k_cache, v_cache, block_table, context_lens, scale=None):
    b, h, d = q.shape
    groups, n = k_cache.shape[2], block_table.shape[1] * k_cache.shape[1]
    k, v = (c[block_table.long()].reshape(b, n, groups, -1) for c in (k_cache, v_cache))
    s = torch.einsum("bgrd,bngd->bgrn", q.view(b, groups, -1, d), k) * (scale or d ** {power})
    hidden = torch.arange(n) >= context_lens.view(-1, 1, 1, 1)
    {weights}
    return torch.einsum("bgrn,bngd->bgrd", p, v).reshape(b, h, -1)
"""
BEFORE, AFTER = "p = s.masked_fill(hidden, -torch.inf).softmax(-1)", "p = s.softmax(-1) * ~hidden"
FIXED_BY_DEFAULT = '''
import numpy as np
def softmax(x, axis=0):
    """Softmax over the classes, i.e. over the last axis of x (B, C)."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
'''
BY_LOG_SUM_EXP = (
    "import torch\ndef softmax(x, dim=-1):\n    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))\n"
)
RESCALED_IN_BASE_TWO = """
import torch
def online_softmax(x, block_size):
    m = torch.full(x.shape[:-1], -torch.inf)
    l = torch.zeros(x.shape[:-1])
    for t in x.split(block_size, -1):
        n = torch.maximum(m, t.amax(-1))
        l = l * torch.exp2(m - n) + torch.exp(t - n[..., None]).sum(-1)
        m = n
    return torch.exp(x - m[..., None]) / l[..., None]
"""


ROWS_OF_ONE_LENGTH = """
import numpy as np
def causal_attention(q, k, v):
    t, d = q.shape
    s = q @ k.T / np.sqrt(d)
    s[np.triu_indices(t, 1)] = -np.inf
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ v
"""
AS_LINEAR_HOLDS_THEM = """
import torch
from torch.nn.functional import linear
def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, n_heads):
    q, k, v = linear(x, w_qkv, b_qkv).chunk(3, -1)
    q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (q, k, v))
    o = (q @ k.mT{scale}).softmax(-1) @ v
    return linear(o.transpose(1, 2).flatten(2), w_o, b_o)
"""
ONE_VECTOR = """
import numpy as np
def softmax(scores):
    '''scores: {what}'''
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e)
"""
NAMED_BY_USE = """
import torch
def attend(memory_values, memory_keys, asking):
    return torch.softmax(asking @ memory_keys.mT / asking.shape[-1] ** 0.5, -1) @ memory_values
"""
NO_GRADIENTS = """
    with torch.no_grad():
        return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v
"""


def attention(name: str, body: str, text: str = "", more: str = "") -> str:
    return ATTENTION.format(name=name, more=more, text=text, body=body.strip("\n"))


KEYS_ALONE = """
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask.reshape(len(q), 1, 1, k.shape[2]), -torch.inf)
    return torch.nan_to_num(s.softmax(-1)) @ v
"""
SECOND_IGNORED = """
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    if pad is not None:
        s.masked_fill(pad[:, None, None], -torch.inf)
    return torch.nan_to_num(s.softmax(-1)) @ v
"""
HEADS_LAST = """
    return ((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v).transpose(1, 2)
"""
FLAT_AHEAD = """
    h, n = q.shape[1], q.shape[2]
    away = (torch.arange(n)[:, None] - torch.arange(n)).clamp(min=0)
    slopes = 2.0 ** (-8.0 * torch.arange(1, h + 1) / h)
    return (q @ k.mT / q.shape[-1] ** 0.5 - slopes.view(h, 1, 1) * away).softmax(-1) @ v
"""


@pytest.mark.parametrize(
    ("exercise", "code", "text"),
    [
        pytest.param("sdpa", "", attention("attention", HEADS_LAST, "(B, H, S, D) -> (B, S, H, Dv)"), id="heads-last"),
        pytest.param(
            "sdpa", "heads-axis-order", attention("attention", HEADS_LAST, "returns (B, H, S, Dv)"), id="not-as-said"
        ),
        pytest.param(
            "sdpa",
            "crashes-on-shape",
            attention("attention", KEYS_ALONE, "True = keep, broadcastable to (B, H, Sq, Sk)", ", mask=None"),
            id="not-all-that-broadcasts",
        ),
        pytest.param(
            "sdpa", "", attention("attention", KEYS_ALONE, "(B, Sk), True = keep", ", mask=None"), id="keys", marks=SLOW
        ),
        pytest.param(
            "sdpa",
            "mask-ignored",
            attention("attention", SECOND_IGNORED, "mask: True = keep; pad: True = padding", ", mask=None, pad=None"),
            id="second-ignored",
        ),
        pytest.param("alibi", "causal-missing", attention("alibi_attention", FLAT_AHEAD), id="flat", marks=SLOW),
        pytest.param("softmax", "", BY_LOG_SUM_EXP, id="log-sum-exp"),
        pytest.param("softmax", "softmax-wrong-axis", FIXED_BY_DEFAULT, id="wrong-by-default"),
        pytest.param(
            "online-softmax", "base-two-exponent", RESCALED_IN_BASE_TWO, id="rescaled-in-base-two", marks=SLOW
        ),
        pytest.param("paged-attention", "", PAGED.format(power=-0.5, weights=BEFORE), id="scale-or-usual", marks=SLOW),
        pytest.param("paged-attention", "scale-inverted", PAGED.format(power=0.5, weights=BEFORE), id="scale-or-root"),
        pytest.param(
            "paged-attention",
            "mask-after-softmax",
            PAGED.format(power=-0.5, weights=AFTER),
            id="masked-late",
            marks=SLOW,
        ),
        pytest.param(
            "sdpa", "heads-averaged", attention("attention", HEADS_AVERAGED), id="outputs-averaged", marks=SLOW
        ),
        pytest.param("causal", "", ROWS_OF_ONE_LENGTH, id="one-length"),
        pytest.param("multi-head", "", AS_LINEAR_HOLDS_THEM.format(scale=" / q.shape[-1] ** 0.5"), id="x-times-w-t"),
        pytest.param("multi-head", "missing-scale", AS_LINEAR_HOLDS_THEM.format(scale=""), id="w-t-unscaled"),
        pytest.param("softmax", "", ONE_VECTOR.format(what="vector (n,)"), id="vector"),
        pytest.param("softmax", "softmax-wrong-axis", ONE_VECTOR.format(what="(n, c), each row a vector"), id="rows"),
        pytest.param("sdpa", "", NAMED_BY_USE, id="named-by-use", marks=SLOW),
        pytest.param(
            "sdpa", "", attention("attention", NO_GRADIENTS, "Inference only."), id="no-gradients", marks=SLOW
        ),
        pytest.param("sdpa", "gradient-detached", attention("attention", NO_GRADIENTS), id="gradients-cut", marks=SLOW),
        pytest.param("gqa", "causal-missing", attention("gqa", REPEATED, "Causal grouped-query attention."), id="said"),
        pytest.param(
            "sdpa",
            "mask-wrong-broadcast",
            attention("attention", FIRST_ENTRY_S_MASK, "True = may attend", ", mask=None"),
            id="first-entry-s-mask",
        ),
    ],
)
def test_verdicts(exercise: str, code: str, text: str, sandbox: Sandbox) -> None:
    report = grade("a.py", exercise, text=text, sandbox=sandbox, seed=7)
    assert (report.verdict, [d.code for d in report.diagnosis][:1]) == (
        "fail" if code else "pass",
        [code] if code else [],
    )
