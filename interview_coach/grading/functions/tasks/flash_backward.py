"""``flash_attention_backward(q, k, v, out, lse, d_out, causal=False, block_size=64) -> (dq, dk, dv)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.grading.functions.direct import (
    CAUSAL_OR_NOT,
    OPTIONS,
    QKV,
    TOP_LEFT,
    family_wrong,
    hidden_keys,
    large,
    logit_size,
    shifted,
    sloped,
)
from interview_coach.grading.functions.task import (
    NEVER,
    Array,
    Case,
    Choice,
    Output,
    Outputs,
    Probe,
    Rng,
    Role,
    Shape,
    Task,
    Wrong,
    as_float32,
    largest,
    normal,
)
from interview_coach.grading.functions.tiled import (
    BLOCKS,
    CAUSAL,
    CAUSAL_LENGTHS,
    EMPTY_ROWS,
    LENGTHS,
    NARROWER,
    SIZES,
    draw,
    flow,
    hidden_by_tiles,
    tile,
)
from interview_coach.oracles.flash import flash_attention, flash_attention_backward

Change = Callable[[Case, Rng], None]


COUNTED = 512
"""From this length on only the cost is counted, which no value has a part in."""


def _t(x: Array) -> Array:
    return np.swapaxes(x, -1, -2)


def _draw(case: Case, rng: Rng) -> None:
    draw(case, rng)
    case["d_out"] = normal(case, rng, "bhqe")
    if case["dims"]["k"] >= COUNTED:
        _stand_in(case, rng)
    else:
        _forward(case)


def _stand_in(case: Case, rng: Rng) -> None:
    """Statistics of weights that add up to about 1, of the right sizes and without the S x S that true ones take."""
    keys = float(case["dims"]["k"])
    case["out"] = normal(case, rng, "bhqe")
    rows = np.ones(case["out"].shape[:-1])
    case["lse"], case["peak"], case["lse:sum"] = as_float32(rows * np.log(keys)), 0 * rows, rows * keys
    case["delta"] = as_float32((case["d_out"] * case["out"]).sum(-1))


def _forward(case: Case) -> None:
    """What the forward pass left: its output, and the statistics of each row."""
    mask, causal = hidden_keys(case)
    out, lse = flash_attention(case["q"], case["k"], case["v"], mask, causal=causal)
    case["out"], case["lse"] = as_float32(out), as_float32(lse)
    logits = _hidden(case, flow(case, {}).logits)
    peak = logits.max(-1)
    case["peak"] = as_float32(np.where(np.isfinite(peak), peak, 0.0))
    case["lse:sum"] = as_float32(np.exp(logits - case["peak"][..., None]).sum(-1))
    case["delta"] = as_float32((case["d_out"] * case["out"]).sum(-1))


def _hidden(case: Case, logits: Array) -> Array:
    allowed = flow(case, {}).allowed
    return logits if allowed is None else np.where(allowed, logits, -np.inf)


def _truth(case: Case) -> Outputs:
    mask, causal = hidden_keys(case)
    return flash_attention_backward(case["q"], case["k"], case["v"], case["d_out"], mask, causal=causal)


# ── wrong variants ─────────────────────────────────────────────────────────────────────────────────────────────────

WEIGHTS: Mapping[str, Callable[[Array, Array, Array], Array]] = {
    "": lambda s, lse, peak: np.exp(s - lse),
    "base-two": lambda s, lse, peak: 2.0 ** (s - lse),
    "unnormalised": lambda s, lse, peak: np.exp(s),
    "shifted-only": lambda s, lse, peak: np.exp(s - peak),
    "divided-by-lse": lambda s, lse, peak: np.exp(s) / lse,
    "shifted-and-divided": lambda s, lse, peak: np.exp(s - peak) / lse,
    "added": lambda s, lse, peak: np.exp(s + lse),
    "log": lambda s, lse, peak: s - lse,
}
"""The weights, from the logits, the log-sum-exp and the maximum."""
Rule = Callable[[Array, Array, Array], Array]
RULES: Mapping[str, tuple[Rule, str]] = {
    "no-rowsum": (lambda p, dp, d: p * dp, "backward-missing-rowsum"),
    "diagonal": (lambda p, dp, d: p * (1 - p) * dp, "backward-missing-rowsum"),
    "cross-entropy": (lambda p, dp, d: p - dp, "backward-cross-entropy"),
    "no-softmax": (lambda p, dp, d: dp, "gradient-wrong"),
    "plus": (lambda p, dp, d: p * (dp + d), "gradient-wrong"),
    "negated": (lambda p, dp, d: p * (d - dp), "gradient-wrong"),
    "outside": (lambda p, dp, d: p * dp - d, "gradient-wrong"),
    "rowsum-of-dp": (lambda p, dp, d: p * (dp - dp.sum(-1, keepdims=True)), "gradient-wrong"),
    "rowsum-over-queries": (lambda p, dp, d: p * (dp - (p * dp).sum(-2, keepdims=True)), "softmax-wrong-axis"),
    "swapped": (lambda p, dp, d: dp * (p - d), "gradient-wrong"),
}
"""The gradient of the logits, from the weights, theirs, and the row sum."""
DELTAS: Mapping[str, Callable[[Case], Array]] = {
    "mean": lambda c: (c["d_out"] * c["out"]).mean(-1, keepdims=True),
    "of-d-out": lambda c: c["d_out"].sum(-1, keepdims=True),
    "of-out": lambda c: c["out"].sum(-1, keepdims=True),
    "squared-out": lambda c: (c["out"] ** 2).sum(-1, keepdims=True),
    "squared-d-out": lambda c: (c["d_out"] ** 2).sum(-1, keepdims=True),
    "scaled": lambda c: (c["d_out"] * c["out"]).sum(-1, keepdims=True) * c["scale"],
    "over-queries": lambda c: (c["d_out"] * c["out"]).sum(-2, keepdims=True).sum(-1, keepdims=True),
}
"""What stands for the row sum of d_out and out."""
BACK: Mapping[str, tuple[float, float, str]] = {
    "none": (0, 0, "backward-missing-scale"),
    "dq-none": (0, 1, "backward-missing-scale"),
    "dk-none": (1, 0, "backward-missing-scale"),
    "twice": (2, 2, "scale-twice"),
    "dq-twice": (2, 1, "scale-twice"),
    "dk-twice": (1, 2, "scale-twice"),
    "inverted": (-1, -1, "scale-inverted"),
    "by-d": (2, 2, "scale-by-d"),
}
"""Powers of the scale on dq and dk."""
LOOPS: Mapping[str, str] = {
    "keys-dropped": "tail-dropped",
    "queries-dropped": "tail-dropped",
    "both-dropped": "tail-dropped",
    "dq-last": "gradient-wrong",
    "dq-first": "gradient-wrong",
    "dkv-last": "gradient-wrong",
    "dkv-first": "gradient-wrong",
    "dk-last": "gradient-wrong",
    "dv-last": "gradient-wrong",
    "rowsum-of-tile": "backward-missing-rowsum gradient-wrong",
}
OPERANDS = ("dv-from-ds", "dv-from-dp", "dv-scaled", "dq-from-q", "dk-from-k", "dk-dv-swapped", "dq-dk-swapped")
TURNS = ("both-reshaped", "dk-reshaped", "dv-reshaped", "dk-not", "dv-not", "both-not", "dq-turned")


def _compute(case: Case, choice: Choice) -> Outputs:
    q, k, v, d_out = (case[r] for r in ("q", "k", "v", "d_out"))
    f = flow(case, choice)
    s = f.logits if f.allowed is None else np.where(f.allowed, f.logits, -np.inf)
    if "tiles" in choice:
        seen = hidden_by_tiles(case, choice["tiles"])
        s = s if seen is None else np.where(seen, flow({**case, "causal": False}, choice).logits, -np.inf)
    lse = np.where(np.isfinite(case["lse"]), case["lse"], np.inf)[..., None]
    scale = float(case["scale"])
    with np.errstate(all="ignore"):
        p = WEIGHTS[choice.get("weights", "")](s, lse, case["peak"][..., None])
        dp = d_out @ _t(v)
        delta = DELTAS[choice["delta"]](case) if "delta" in choice else (d_out * case["out"]).sum(-1, keepdims=True)
        name, _, size = choice.get("loop", "").partition("@")
        keys, rows = tile(case, size) if name else (0, 0)
        if name == "rowsum-of-tile":
            starts = range(0, p.shape[-1], keys)
            parts = [(p * dp)[..., j : j + keys].sum(-1, keepdims=True) for j in starts]
            delta = np.repeat(np.concatenate(parts, -1), keys, -1)[..., : p.shape[-1]]
        ds = RULES[choice["rule"]][0](p, dp, delta) if "rule" in choice else p * (dp - delta)
        for_q, for_k = _powers(choice, scale)
        dq_of, dk_of, dv_of = (
            ds,
            ds,
            {"dv-from-ds": ds, "dv-from-dp": dp, "dv-scaled": p * scale}.get(choice.get("operand", ""), p),
        )
        if name:
            dq_of, dk_of, dv_of = (
                _kept(x, role, name, keys, rows) for role, x in zip("qkv", (dq_of, dk_of, dv_of), strict=True)
            )
        return _products(q, k, d_out, (dq_of * for_q, dk_of * for_k, dv_of), choice)


def _powers(choice: Choice, scale: float) -> tuple[float, float]:
    """What dq and dk are multiplied by; wrong scores do not change it."""
    for_q, for_k, _ = BACK.get(choice.get("back", ""), (1.0, 1.0, ""))
    return float(scale**for_q), float(scale**for_k)


def _kept(x: Array, role: str, name: str, keys: int, rows: int) -> Array:
    """The entries of a tile-wise sum that reach the result."""
    sq, sk = x.shape[-2:]
    i, j = np.arange(sq)[:, None], np.arange(sk)[None]
    whole_k, whole_q = sk - sk % keys or sk, sq - sq % rows or sq
    last_k, last_q = (sk - 1) // keys * keys, (sq - 1) // rows * rows
    keep = np.ones((sq, sk), bool)
    if name in ("keys-dropped", "both-dropped"):
        keep &= j < whole_k
    if name in ("queries-dropped", "both-dropped"):
        keep &= i < whole_q
    if name.startswith("dq-") and role == "q":
        keep &= j >= last_k if name == "dq-last" else j < keys
    if name.startswith(("dkv-", f"d{role}-")) and role in "kv":
        keep &= i >= last_q if name.endswith("last") else i < rows
    return np.where(keep, x, 0.0)


def _products(q: Array, k: Array, d_out: Array, of: tuple[Array, Array, Array], choice: Choice) -> Outputs:
    dq_of, dk_of, dv_of = of
    turn, operand = choice.get("turn", ""), choice.get("operand", "")
    square = dq_of.shape[-1] == dq_of.shape[-2]
    if not square and (turn in ("dk-not", "dv-not", "both-not", "dq-turned") or operand in ("dq-from-q", "dk-from-k")):
        raise ValueError("only for square scores")

    def turned(x: Array, role: str) -> Array:
        if turn in ("both-reshaped", f"{role}-reshaped"):
            return x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])
        return x if turn in ("both-not", f"{role}-not") else _t(x)

    dq = (_t(dq_of) if turn == "dq-turned" else dq_of) @ (q if operand == "dq-from-q" else k)
    dk = turned(dk_of, "dk") @ (k if operand == "dk-from-k" else q)
    dv = turned(dv_of, "dv") @ d_out
    if operand == "dk-dv-swapped":
        dk, dv = dv, dk
    if operand == "dq-dk-swapped":
        dq, dk = dk, dq
    return dq, dk, dv


_WEIGHT_CODES = {"base-two": "base-two-exponent"}
WRONG = (
    *(Wrong("back", name, code) for name, (_, _, code) in BACK.items()),
    *(w for w in family_wrong(("scale",)) if w.option not in ("none",)),
    Wrong("scale", "none", "missing-scale backward-missing-scale"),
    *family_wrong(("causal", "mask")),
    *(Wrong("rule", name, code) for name, (_, code) in RULES.items()),
    *(Wrong("delta", name, "gradient-wrong") for name in DELTAS),
    *(Wrong("weights", name, _WEIGHT_CODES.get(name, "gradient-wrong lse-wrong")) for name in WEIGHTS if name),
    *(Wrong("turn", name, "backward-transposed") for name in TURNS),
    *(Wrong("operand", name, "gradient-wrong") for name in OPERANDS),
    *(Wrong("loop", f"{name}@{size}", code, alone=size != "given") for size in SIZES for name, code in LOOPS.items()),
    *(
        Wrong("tiles", f"{name}@{size}", code, alone=size != "given")
        for size in SIZES
        for name, (_, code) in CAUSAL.items()
    ),
)


def _then(change: Change) -> Change:
    """The change, and the forward pass on what it brings."""

    def both(case: Case, rng: Rng) -> None:
        change(case, rng)
        _forward(case)

    return both


def _logit_gradient(case: Case) -> float:
    """The size of an entry of ds that does not cancel."""
    return float(np.abs(case["d_out"] @ _t(case["v"])).max(initial=0.0)) * float(case["scale"])


_FORWARD = (
    Role("out", r"o|out|outs|outputs?|attnout|attentionoutput|y|forwardout|context|ofwd", "bhqe"),
    Role("lse", r"lse|l|logsumexp|softmaxlse|rowlse|logz|lsum|denom|rowsum", "bhq", forms=("plain", "sum")),
    Role("peak", r"m|max|rowmax|maxima|mi", "bhq", required=False),
    Role("delta", r"delta|rowsumdoo|di|dvec", "bhq", required=False),
)
TASK = Task(
    roles=(
        *QKV,
        Role(
            "d_out",
            r"d(o|out|outs|output|y|attn|attnout|context|z)|g|go|gout|grads?|grad(o|out|output|outputs|attn|upstream|"
            r"y)?|upstream|(out|output|o|upstream)grad(ient)?|dl?do(ut)?|dldo|dldout|cotangent|gradient",
            "bhqe",
        ),
        *_FORWARD,
        *BLOCKS,
        *OPTIONS,
    ),
    outputs=(
        Output("dq", "bhqd", r"(dq|gradq|qgrad|q|dquery|gq).*", lambda c: 0.1 * _logit_gradient(c) * largest(c, "k")),
        Output("dk", "bhkd", r"(dk|gradk|kgrad|k|dkey|gk).*", lambda c: 0.1 * _logit_gradient(c) * largest(c, "q")),
        Output("dv", "bhke", r"(dv|gradv|vgrad|v|dvalue|gv).*"),
    ),
    dims={"b": 3, "h": 2, "q": 5, "k": 7, "d": 11, "e": 13},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("BHSD", "BHSD-BHS1", "BSHD-BHS", "BSHD", "HSD", "HSD-HS1", "BSD", "SD", "SD-S1"),
    alternatives=(CAUSAL_OR_NOT,),
    conventions=(TOP_LEFT,),
    shapes=(
        *LENGTHS,
        *(s for s in CAUSAL_LENGTHS if "queries" not in s.id),
        Shape("mask.none", "mask=None", set={"mask": None}, default="mask"),
        Shape(
            "mask.before-first-key",
            "causal=True, Sq = 9, Sk = 5: queries that see no key (lse = -inf)",
            {"q": 9, "k": 5},
            {"causal": True},
            "fully-masked-nan",
            needs="causal",
            promised=EMPTY_ROWS,
        ),
    ),
    narrower=NARROWER,
    probes=(
        Probe("large-logits", "logits up to ±300", _then(large(300.0)), "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", _then(shifted(280.0)), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", _then(shifted(-280.0)), "no-max-subtraction"),
        Probe("rising", "logits rise by 300 along the keys", _then(sloped(0.0, 300.0)), "no-max-subtraction"),
        Probe("falling", "logits fall by 300 along the keys", _then(sloped(0.0, -300.0)), "no-max-subtraction"),
        Probe("huge-logits", "all logits + 2000", _then(shifted(2000.0)), "no-max-subtraction", promised=NEVER),
    ),
    backward=("d_out", ("q", "k", "v")),
    forbidden=frozenset({"autograd", "softmax_backward"}),
    general="gradient-wrong",
    logits=logit_size,
    question="flash-attention-backward",
    tiled=True,
)
