"""``paged_attention(q, k_cache, v_cache, block_table, context_lens)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from interview_coach.grading.functions.task import (
    Array,
    Case,
    Choice,
    Narrow,
    Output,
    Outputs,
    Probe,
    Rng,
    Role,
    Shape,
    Task,
    Wrong,
    as_float32,
    normal,
)
from interview_coach.oracles.attention import softmax
from interview_coach.oracles.sparse import paged_attention


def _draw(case: Case, rng: Rng) -> None:
    dims = case["dims"]
    case["q"] = normal(case, rng, "bhd", 1.3)
    case["k_cache"] = normal(case, rng, "ntgd", 1.3)
    case["v_cache"] = normal(case, rng, "ntgd", 1.0, 0.5)
    size, most = dims["t"], dims["m"]
    kind = case.get("lengths", "mixed")
    if kind == "full":
        lengths = np.full(dims["b"], size * most)
    elif kind == "whole-blocks":
        lengths = size * rng.integers(1, most + 1, size=dims["b"])
    elif kind == "ones":
        lengths = np.ones(dims["b"], int)
    else:
        # Of every kind: a partial last block, a full one, one block only.
        choices = [size * most - 1, size * (most - 1) + 1, size - 1, size * most - 2, size + 1]
        lengths = np.array([choices[i % len(choices)] for i in range(dims["b"])])
    case["context_lens"] = np.maximum(lengths, 1)
    # Blocks out of order, and never the identity; unused entries name blocks of others.
    order = np.stack([rng.permutation(dims["n"])[:most] for _ in range(dims["b"])])
    order[0, : min(2, most)] = np.sort(order[0, : min(2, most)])[::-1]
    case["block_table"] = order
    case["scale"] = float(dims["d"]) ** -0.5
    case["block_size"] = size


def _truth(case: Case) -> Outputs:
    return (paged_attention(case["q"], case["k_cache"], case["v_cache"], case["block_table"], case["context_lens"]),)


def _sequence(case: Case, b: int, choice: Choice) -> tuple[Array, Array]:
    """The physical slots (block, offset) that are read for a sequence, in order."""
    size = case["k_cache"].shape[1]
    length = int(case["context_lens"][b])
    blocks = -(-length // size)
    table = np.array(case["block_table"][b])
    order = choice.get("order", "")
    if order == "sorted":
        table = np.concatenate([np.sort(table[:blocks]), table[blocks:]])
    elif order == "sorted-all":
        table = np.sort(table)
    elif order == "reversed":
        table = np.concatenate([table[:blocks][::-1], table[blocks:]])
    elif order == "ignored":
        table = np.arange(len(table))
    elif order == "contiguous":
        table = (table[0] + np.arange(len(table))) % case["k_cache"].shape[0]
    elif order == "of-first":
        table = np.array(case["block_table"][0])
    elif order == "per-batch":
        table = np.arange(len(table)) + b * len(table)
    elif order == "next":
        table = np.roll(table, -1)
    elif order == "first-block":
        table = np.full(len(table), table[0])
    if table.max() >= case["k_cache"].shape[0]:
        raise IndexError("no such block")
    tail = choice.get("tail", "")
    shown = {
        "last-block-whole": blocks * size,
        "table-whole": len(table) * size,
        "drop-partial": length // size * size,
        "one-less": length - 1,
        "one-more": min(length + 1, len(table) * size),
        "first-only": min(length, size),
        "of-longest": int(case["context_lens"].max()),
        "of-first": int(case["context_lens"][0]),
        "of-shortest": int(case["context_lens"].min()),
        "last-block-only": length,
    }.get(tail, length)
    tokens = np.arange(shown)
    if tail == "last-block-only":
        tokens = tokens[(blocks - 1) * size :]
    if tokens.size and tokens[-1] // size >= len(table):
        raise IndexError("no such block")
    if choice.get("slot") == "strided":
        # Token j is looked for in block j % blocks.
        return table[tokens % blocks], np.minimum(tokens // blocks, size - 1)
    return table[tokens // size], tokens % size


def _compute(case: Case, choice: Choice) -> Outputs:
    q, k_cache, v_cache = case["q"], case["k_cache"], case["v_cache"]
    heads, kv = q.shape[1], k_cache.shape[2]
    group, d = heads // kv, float(q.shape[-1])
    scale = {"none": 1.0, "d": 1 / d, "inverted": d**0.5, "length": None}.get(choice.get("scale", ""), d**-0.5)
    mapping = np.arange(heads) // group
    if choice.get("heads") == "tiled":
        mapping = np.arange(heads) % kv
    elif choice.get("heads") == "first":
        mapping = np.zeros(heads, int)
    out = np.zeros((*q.shape[:2], v_cache.shape[-1]))
    for b in range(len(q)):
        block, offset = _sequence(case, b, choice)
        if not len(block):
            out[b] = np.nan
            continue
        keys, values = k_cache[block, offset], v_cache[block, offset]
        value_mapping = np.arange(heads) % kv if choice.get("heads") == "values-tiled" else mapping
        keys, values = keys[:, mapping], values[:, value_mapping]
        if choice.get("operand") == "swapped":
            keys, values = values, keys
        elif choice.get("operand") == "keys-twice":
            values = keys
        logits = np.einsum("hd,nhd->hn", q[b], keys) * (len(keys) ** -0.5 if scale is None else scale)
        if choice.get("mask") == "zero":
            total = case["block_table"].shape[1] * k_cache.shape[1]
            logits = np.concatenate([logits, np.zeros((heads, total - logits.shape[1]))], -1)
            table = case["block_table"][b]
            slots = np.arange(logits.shape[1], dtype=int)
            values = v_cache[table[slots // k_cache.shape[1]], slots % k_cache.shape[1]][:, mapping]
        if choice.get("mask") == "no-values":
            total = case["block_table"].shape[1] * k_cache.shape[1]
            peak = logits.max(-1, keepdims=True)
            weights = np.exp(logits - peak)
            p = weights / (weights.sum(-1, keepdims=True) + (total - logits.shape[1]) * np.exp(-peak))
        elif choice.get("mask") == "after":
            unmasked = k_cache[case["block_table"][b]].reshape(-1, kv, q.shape[-1])[:, mapping]
            p = softmax(np.einsum("hd,nhd->hn", q[b], unmasked) * scale)[:, : logits.shape[1]]
        elif choice.get("axis") == "heads":
            p = softmax(logits, 0)
        elif choice.get("axis") == "missing":
            p = logits
        elif choice.get("axis") == "blocks":
            p = _by_block(logits, k_cache.shape[1])
        else:
            p = softmax(logits)
        out[b] = np.einsum("hn,nhd->hd", p, values)
    return (out,)


def _by_block(logits: Array, size: int) -> Array:
    parts = [softmax(logits[:, i : i + size]) for i in range(0, logits.shape[1], size)]
    return np.concatenate(parts, -1) / len(parts)


WRONG = (
    *(
        Wrong("order", o, "paged-block-order")
        for o in (
            "sorted",
            "sorted-all",
            "reversed",
            "ignored",
            "contiguous",
            "of-first",
            "per-batch",
            "next",
            "first-block",
        )
    ),
    Wrong("slot", "strided", "paged-block-order"),
    *(
        Wrong("tail", t, "paged-tail-read")
        for t in ("last-block-whole", "table-whole", "one-more", "of-longest", "of-first", "of-shortest")
    ),
    *(Wrong("tail", t, "tail-dropped") for t in ("drop-partial", "one-less", "first-only", "last-block-only")),
    Wrong("mask", "zero", "mask-filled-with-zero"),
    Wrong("mask", "no-values", "mask-filled-with-zero"),
    Wrong("mask", "after", "mask-after-softmax", alone=True),
    Wrong("heads", "tiled", "gqa-tiled-heads"),
    Wrong("heads", "values-tiled", "gqa-tiled-heads"),
    Wrong("heads", "first", "gqa-tiled-heads"),
    Wrong("scale", "none", "missing-scale"),
    Wrong("scale", "d", "scale-by-d"),
    Wrong("scale", "inverted", "scale-inverted"),
    Wrong("scale", "length", "scale-from-length"),
    Wrong("operand", "swapped", "values-keys-swapped"),
    Wrong("operand", "keys-twice", "values-keys-swapped"),
    Wrong("axis", "heads", "softmax-wrong-axis"),
    Wrong("axis", "missing", "softmax-missing"),
    Wrong("axis", "blocks", "denominator-not-rescaled"),
)


def _large(case: Case, rng: Rng) -> None:
    case["q"] = as_float32(case["q"] * 60)


def _shifted(amount: float) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        q, k = case["q"].copy(), case["k_cache"].copy()
        q[..., 0] = 16.0
        k[..., 0] = amount / case["scale"] / 16.0
        case["q"], case["k_cache"] = as_float32(q), as_float32(k)

    return change


def _stale_slots(case: Case, rng: Rng) -> None:
    """Slots that no sequence uses hold large values; the keys there point along every query's mean."""
    used = np.zeros(case["k_cache"].shape[:2], bool)
    size = case["k_cache"].shape[1]
    for b, length in enumerate(case["context_lens"]):
        tokens = np.arange(length)
        used[case["block_table"][b, tokens // size], tokens % size] = True
    for name, factor in (("k_cache", 30.0), ("v_cache", 1e4)):
        cache = case[name].copy()
        cache[~used] *= factor
        case[name] = as_float32(cache)


def _one_head_each(prose: str, reading: Mapping[str, Any]) -> bool:
    return not any(
        word in prose.lower()
        for word in ("hkv", "kv head", "n_kv", "num_kv", "gqa", "group", "share", "kv_heads", "h_kv")
    )


def _logit_size(case: Case) -> float:
    """A bound of the scaled logits."""
    q, k = (float(np.sqrt((case[name] ** 2).sum(-1).max())) for name in ("q", "k_cache"))
    return q * k * float(case["scale"])


TASK = Task(
    roles=(
        Role("q", r"q|query|queries|qs|xq", "bhd"),
        Role(
            "k_cache",
            r"k(ey)?s?(cache|pages?|pool|blocks?|paged|s)?|(paged|cache|pool)k(eys?)?|kc|kp|"
            r"kcaches?",
            "ntgd",
        ),
        Role(
            "v_cache",
            r"v(alue)?s?(cache|pages?|pool|blocks?|paged|s)?|(paged|cache|pool)v(alues?)?|"
            r"vc|vp|vcaches?",
            "ntgd",
        ),
        Role(
            "block_table",
            r"(block|page)s?(tables?|map|idx|ids|indices|list|indextable)|tables?|bt|pages|"
            r"blocks|pagetables?|mapping|pt",
            "bm",
            "int",
            forms=("int", "list"),
        ),
        Role(
            "context_lens",
            r"(context|seq|ctx|kv|cache|sequence|cached?|valid)?(lens?|lengths?)|ctxlens?|"
            r"n(tokens|ctx)|seqlens?|l|cl|sl|numtokens",
            "b",
            "int",
            forms=("int", "list"),
        ),
        Role("scale", r"scale|smscale|softmaxscale|scaling", kind="plain", required=False, left=True),
        Role("block_size", r"(block|page)size|bs|size", kind="plain", required=False),
    ),
    outputs=(Output("out", "bhd", r"(out|o|y).*"),),
    dims={"b": 5, "h": 6, "d": 11, "n": 23, "t": 4, "g": 2, "m": 3},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("paged",),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("formula.full", "every slot of the table is used", set={"lengths": "full"}),
        Shape("formula.whole-blocks", "lengths that are multiples of the block size", set={"lengths": "whole-blocks"}),
        Shape("shape.one-token", "one token of context each", set={"lengths": "ones"}),
        Shape("shape.one-kv-head", "one key/value head (MQA)", {"g": 1}),
        Shape("shape.as-many-heads", "as many key/value heads as query heads", {"g": 6}),
        Shape("shape.block-of-one", "block size 1", {"t": 1}),
        Shape("shape.long-table", "16 slots a block, 9 blocks", {"t": 16, "m": 9, "n": 31}),
    ),
    narrower=(
        Narrow("as many key/value heads as query heads", {"g": 6}, _one_head_each),
        Narrow("a batch of one", {"b": 1}),
    ),
    probes=(
        Probe("large-logits", "large logits", _large, "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", _shifted(280.0), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", _shifted(-280.0), "no-max-subtraction"),
        Probe("huge-logits", "all logits + 2000", _shifted(2000.0), "no-max-subtraction"),
        Probe("stale-slots", "large keys and values in unused slots", _stale_slots, "paged-tail-read"),
        Probe("mask-far-below-fill", "kept logits around -20000", _shifted(-20000.0), "mask-fill-weak"),
    ),
    logits=_logit_size,
    question="paged-attention",
    strict_views=False,  # a cache is one allocation
    grows="t",
)
