"""``longformer_attention(q, k, v, window, global_tokens)``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.grading.functions.task import (
    NEVER,
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
from interview_coach.oracles.sparse import longformer_attention


def _draw(case: Case, rng: Rng) -> None:
    case["q"] = normal(case, rng, "bhsd", 1.3)
    case["k"] = normal(case, rng, "bhsd", 1.3)
    case["v"] = normal(case, rng, "bhse", 1.0, 0.5)
    length = case["dims"]["s"]
    case.setdefault("window", 2)
    if "globals" in case:
        tokens = np.array(case["globals"], int)
    else:
        # One near the start and one in the middle, neither at an end, so that no band holds them for all.
        tokens = np.array(sorted({1 % length, (length // 2 + 1) % length}))
    case["global_tokens"] = tokens[tokens < length]
    case["scale"] = float(case["dims"]["d"]) ** -0.5
    case["block"] = None
    case["mask"] = None


def _truth(case: Case) -> Outputs:
    return (longformer_attention(case["q"], case["k"], case["v"], case["window"], case["global_tokens"]),)


def _band(case: Case, option: str) -> Array:
    s, w = case["q"].shape[-2], case["window"]
    i, j = np.arange(s)[:, None], np.arange(s)[None]
    far = np.abs(i - j)
    bands = {
        "half": far <= w // 2,
        "narrow": far < w,
        "wide": far <= w + 1,
        "double": far <= 2 * w,
        "causal": (j <= i) & (far <= w),
        "ahead": (j >= i) & (far <= w),
        "without-self": (far <= w) & (far > 0),
        "ignored": np.ones((s, s), bool),
        "none": far < 0,
        "self": far == 0,
        "blocks": i // max(w, 1) == j // max(w, 1),
        "left-open": (i - j <= w) & (j - i < w),
        "right-open": (i - j < w) & (j - i <= w),
        "half-width": (i - j <= w // 2) & (j - i <= (w - 1) // 2),
        "two-sided-blocks": np.abs(i // max(w, 1) - j // max(w, 1)) <= 1,
        "outside": far > w,
        "circular": np.minimum(far, s - far) <= w,
        "beyond-left": i - j <= w,
        "beyond-right": j - i <= w,
        "causal-narrow": (j <= i) & (far < w),
    }
    return np.asarray(bands.get(option, far <= w))


def _allowed(case: Case, choice: Choice) -> Array:
    s = case["q"].shape[-2]
    glob = np.isin(np.arange(s), case["global_tokens"])
    option = choice.get("globals", "")
    band = _band(case, choice.get("window", ""))
    rows, columns = glob[:, None], glob[None, :]
    if option == "off-by-one":
        glob = np.isin(np.arange(s), case["global_tokens"] + 1)
        rows, columns = glob[:, None], glob[None, :]
    if option == "count":
        glob = np.arange(s) < len(case["global_tokens"])
        rows, columns = glob[:, None], glob[None, :]
    if option == "first-only":
        glob = np.arange(s) == (case["global_tokens"][0] if len(case["global_tokens"]) else -1)
        rows, columns = glob[:, None], glob[None, :]
    if option == "last-only":
        glob = np.arange(s) == (case["global_tokens"][-1] if len(case["global_tokens"]) else -1)
        rows, columns = glob[:, None], glob[None, :]
    none = np.zeros_like(band)
    parts = {
        "columns": columns | none,
        "rows": rows | none,
        "none": none,
        "both-only": rows & columns,
        "only-globals-see": rows & columns,
        "rows-see-only-globals": columns | none,
    }
    extra = parts.get(option, rows | columns)
    allowed = band | extra
    if option == "overwritten":
        allowed = (rows | columns) if glob.any() else band
    if option == "and":
        allowed = band & (rows | columns)
    if option == "rows-see-only-globals":
        allowed = np.where(rows, columns, band | columns)
    if option == "causal-globals":
        i, j = np.arange(s)[:, None], np.arange(s)[None]
        allowed = band | ((rows | columns) & (j <= i))
    if option == "self-lost":
        allowed = allowed & ~np.eye(s, dtype=bool)
    return np.asarray(allowed)


def _compute(case: Case, choice: Choice) -> Outputs:
    q, k, v = case["q"], case["k"], case["v"]
    d = float(q.shape[-1])
    scale = {"none": 1.0, "d": 1 / d, "inverted": d**0.5, "dv": v.shape[-1] ** -0.5, "length": q.shape[-2] ** -0.5}.get(
        choice.get("scale", ""), d**-0.5
    )
    logits = q @ np.swapaxes(k, -1, -2) * scale
    allowed = _allowed(case, choice)
    fill = choice.get("fill", "")
    if fill == "zero":
        return (softmax(np.where(allowed, logits, 0.0)) @ v,)
    if fill == "after":
        return (np.where(allowed, softmax(logits), 0.0) @ v,)
    if fill == "inverted":
        return (softmax(np.where(allowed, -np.inf, logits)) @ v,)
    if fill == "ignored":
        return (softmax(logits) @ v,)
    if fill == "added":
        return (softmax(logits + allowed) @ v,)
    if fill.startswith("-"):
        return (softmax(np.where(allowed, logits, float(fill))) @ v,)
    hidden = np.where(allowed, logits, -np.inf)
    if choice.get("axis") == "queries":
        return (softmax(hidden, -2) @ v,)
    if choice.get("axis") == "heads":
        return (softmax(hidden, 1) @ v,)
    if choice.get("count") == "twice":
        # A global key inside the band is in both lists of keys; a global query has one list only.
        s = q.shape[-2]
        band = _band(case, "")
        glob = np.isin(np.arange(s), case["global_tokens"])
        times = band * 1.0 + glob[None, :]
        times = np.where(glob[:, None], 1.0, times)
        weights = times * np.exp(logits - logits.max(-1, keepdims=True))
        return (weights / weights.sum(-1, keepdims=True) @ v,)
    if choice.get("count") == "twice-everywhere":
        glob = np.isin(np.arange(q.shape[-2]), case["global_tokens"])
        times = _band(case, "") * 1.0 + (glob[None, :] | glob[:, None])
        weights = times * np.exp(logits - logits.max(-1, keepdims=True))
        return (weights / weights.sum(-1, keepdims=True) @ v,)
    if choice.get("count") == "separate":
        s = q.shape[-2]
        glob = np.isin(np.arange(s), case["global_tokens"])
        local = softmax(np.where(_band(case, ""), logits, -np.inf))
        far = softmax(np.where(np.broadcast_to(glob[None, :], (s, s)), logits, -np.inf))
        return ((local + far) @ v,)
    return (softmax(hidden) @ v,)


WRONG = (
    *(Wrong("globals", g, "sparse-global-one-way") for g in ("columns", "rows", "none", "both-only")),
    *(
        Wrong("window", w, "sparse-window-wrong")
        for w in (
            "half",
            "narrow",
            "wide",
            "double",
            "causal",
            "ahead",
            "without-self",
            "none",
            "self",
            "blocks",
            "left-open",
            "right-open",
            "half-width",
            "two-sided-blocks",
            "outside",
            "circular",
            "beyond-left",
            "beyond-right",
            "causal-narrow",
        )
    ),
    Wrong("window", "ignored", "window-ignored", alone=True),
    *(
        Wrong("globals", g, "sparse-global-wrong")
        for g in (
            "off-by-one",
            "count",
            "first-only",
            "last-only",
            "overwritten",
            "and",
            "rows-see-only-globals",
            "causal-globals",
            "self-lost",
        )
    ),
    Wrong("scale", "none", "missing-scale"),
    Wrong("scale", "d", "scale-by-d"),
    Wrong("scale", "inverted", "scale-inverted"),
    Wrong("scale", "dv", "scale-from-padded-dim"),
    Wrong("scale", "length", "scale-from-length"),
    Wrong("axis", "queries", "softmax-wrong-axis"),
    Wrong("axis", "heads", "softmax-wrong-axis"),
    Wrong("fill", "zero", "mask-filled-with-zero"),
    Wrong("fill", "after", "mask-after-softmax"),
    Wrong("fill", "inverted", "mask-inverted"),
    Wrong("fill", "ignored", "mask-ignored"),
    Wrong("fill", "added", "mask-added-as-bool"),
    *(Wrong("fill", f, "mask-fill-weak") for f in ("-1", "-5", "-10")),
    Wrong("count", "twice", "sparse-counted-twice"),
    Wrong("count", "twice-everywhere", "sparse-counted-twice"),
    Wrong("count", "separate", "sparse-counted-twice"),
)


def _large(case: Case, rng: Rng) -> None:
    logits = case["q"] @ np.swapaxes(case["k"], -1, -2) * case["scale"]
    case["q"] = as_float32(case["q"] * 300 / np.abs(logits).max())


def _shifted(amount: float) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        q, k = case["q"].copy(), case["k"].copy()
        q[..., 0] = 16.0
        k[..., 0] = amount / case["scale"] / 16.0
        case["q"], case["k"] = as_float32(q), as_float32(k)

    return change


def _logit_size(case: Case) -> float:
    """A bound of the scaled logits."""
    q, k = (float(np.sqrt((case[name] ** 2).sum(-1).max())) for name in ("q", "k"))
    return q * k * float(case["scale"])


TASK = Task(
    roles=(
        Role("q", r"q|qs|query|queries|qq|xq", "bhsd", grad=True),
        Role("k", r"k|ks|keys?|kk|xk", "bhsd", grad=True),
        Role("v", r"v|vs|values?|vv|val|xv", "bhse", grad=True),
        Role(
            "window",
            r"window(size|width|radius|len|half)?|w|win|radius|halfwindow|band(width)?|r|"
            r"local(window|size)?|onesided\w*|attentionwindow|size|half",
            kind="plain",
        ),
        Role(
            "global_tokens",
            r"global(s|tokens?|idx|index|indices|ids?|positions?|pos|mask|attentionmask|"
            r"attn|set|tok|tokenids|tokenidx|list)?|g|gidx|globaltoks?|gtokens?|isglobal|"
            r"glob|gs",
            kind="int",
            forms=("list", "int", "mask"),
        ),
        Role("scale", r"scale", kind="plain", required=False, left=True),
        Role("block", r"(block|chunk)(size)?", kind="plain", required=False),
        Role("mask", r".*mask.*|dropout\w*", kind="plain", required=False),
    ),
    outputs=(Output("out", "bhse", r"(out|o|y).*"),),
    dims={"b": 3, "h": 2, "s": 9, "d": 11, "e": 13},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("BHSD", "BSHD", "HSD", "BSD", "SD", "SHD"),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("formula.one-global", "one global token", set={"globals": (4,)}),
        Shape("formula.no-global", "no global tokens: a plain window", set={"globals": ()}, promised=NEVER),
        Shape("formula.first-token", "token 0 is global (CLS)", set={"globals": (0,)}),
        Shape("formula.three-globals", "globals 0, 3 and 8", set={"globals": (0, 3, 8)}),
        Shape("formula.window-one", "window 1", set={"window": 1}),
        Shape("formula.window-three", "window 3", {"s": 17}, {"window": 3}),
        Shape("formula.window-wide", "the window covers everything", set={"window": 20}),
        Shape("formula.window-zero", "window 0", set={"window": 0}, promised=NEVER),
        Shape("shape.one-token", "S = 1", {"s": 1}, promised=NEVER),
        Shape("shape.equal-dims", "Dv = D, S = 11", {"s": 11, "e": 11}),
        Shape("shape.long", "S = 65", {"s": 65, "b": 1}, {"window": 4}),
        Shape("shape.tile", "S = 16", {"s": 16, "b": 1}, {"window": 4}),
    ),
    narrower=(
        Narrow("value dim equal to key dim", {"e": 11}),
        Narrow("a length of 8", {"s": 8}),
        Narrow("a batch of one", {"b": 1}),
    ),
    probes=(
        Probe("large-logits", "logits up to ±300", _large, "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", _shifted(280.0), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", _shifted(-280.0), "no-max-subtraction"),
        Probe("huge-logits", "all logits + 2000", _shifted(2000.0), "no-max-subtraction"),
        Probe("mask-far-below-fill", "kept logits around -20000", _shifted(-20000.0), "mask-fill-weak"),
    ),
    logits=_logit_size,
    question="long-sequences",
)
