"""Right or wrong: single precision against the float64 oracle on ordinary inputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interview_coach.grading.cases import ONE_KEY_HEAD, Dims, make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import Seen
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.lanes.masks import judge_empty_rows, rows_without_a_key
from interview_coach.grading.layout_order import writes_output
from interview_coach.grading.layouts import DIRECT
from interview_coach.grading.observation import Observation
from interview_coach.grading.prose import (
    promises_causal,
    states_exclusive,
    states_one_dim,
    states_one_key_head,
    states_one_sequence,
    states_value_dim,
)
from interview_coach.grading.reference import truth
from interview_coach.grading.roles import MASKS

SLOW_S = 0.15
"""A call on some 20 rows that takes longer is not asked for long sequences."""
SHORT, LONG = (2, 8, 17), (63, 64, 65, 129)
QUICK_S = SLOW_S / 60
"""A call on 17 rows that takes so long takes less than the above on 129, if the time grows with their square."""


def formula_lane(exam: Exam) -> None:
    """The formula itself, on inputs with all dimensions different."""
    if exam.subject.binding.sizes.shared or _same_heads(exam.subject):
        exam.add("formula.head-projections", "fail", "one projection serves all heads", "heads-share-weights")
    reading = exam.subject.binding.reading
    if reading is not None and reading.contradicts_names:
        exam.add("formula.projection-names", "warn", "the projections are named otherwise than they are used")
    draws = [
        (id, *_asked(exam, make_case(exam.subject, exam.rng(10, number), exam.dims)))
        for number, id in ((1, "formula.generic"), (2, "formula.second-draw"))
    ]
    other = replace(exam.dims, d=6, dv=6 if exam.dims.dv == exam.dims.d else 4)
    direct = not exam.subject.binding.projected
    narrow = _asked(exam, make_case(exam.subject, exam.rng(10, 3), other)) if direct else None
    for id, case, observed in draws:
        exam.compare(id, case, observed)
        exam.slow = exam.slow or observed.outcome.seconds > SLOW_S
    if narrow is not None:
        exam.compare("formula.other-head-size", *narrow, detail="head size 6")
    else:
        _other_sizes(exam)
    _promised_causality(exam)
    _promised_output(exam)


def _promised_output(exam: Exam) -> None:
    """What comes back in another order of axes than the file says."""
    binding = exam.subject.binding
    turned = not binding.projected and binding.output in ("BHSD", "BSHD") and binding.output != binding.layout.name
    prose = exam.hints.prose
    if turned and writes_output(prose, binding.layout) and not writes_output(prose, DIRECT[binding.output]):
        detail = f"the file says that {binding.layout.text} comes back; it is {DIRECT[binding.output].text}"
        exam.add("formula.output-axes", "fail", detail, "heads-axis-order")


def _promised_causality(exam: Exam) -> None:
    """What the file calls causal attention must be it, where no one else can make it so."""
    binding = exam.subject.binding
    hints = exam.hints
    if binding.causal or exam.exercise.causal or hints.causal is not None or exam.failed("formula"):
        return
    if any(a.role in (*MASKS, "causal", "context") for a in binding.arguments) or binding.cache is not None:
        return
    if promises_causal(hints.prose):
        code = "linear-not-causal" if binding.linear else "causal-missing"
        exam.add("formula.causal", "fail", "the file says causal attention; later keys are seen", code)


def _same_heads(subject: Subject) -> bool:
    """Whether the heads of a module, whose weights are random, have one and the same query projection."""
    weights = subject.module_weights(subject.binding.sizes) if subject.binding.projected else None
    count = subject.binding.sizes.head_count
    if weights is None or count == 1 or weights.q.shape[1] % count:
        return False
    heads = np.split(weights.q, count, axis=1)
    return all(np.array_equal(head, heads[0]) for head in heads[1:])


def _asked(exam: Exam, case: AttentionInputs) -> tuple[AttentionInputs, Observation]:
    """A case, and the call that is made on it while others are prepared."""
    return case, exam.subject.run(case)


def _other_sizes(exam: Exam) -> None:
    binding = exam.subject.binding
    if not binding.needs_instance or not binding.info.parameters:
        return
    sizes = binding.sizes
    if sizes.heads == 1:
        return
    d_model, heads, kv = (48, 8, 4) if sizes.kv_heads else (32, 8, None) if binding.alibi else (28, 7, None)
    if sizes.kv_heads in (1, sizes.heads):
        kv = 1 if sizes.kv_heads == 1 else heads
    other = replace(sizes, d_model=d_model, heads=heads, kv_heads=kv)
    ref, _, failure = exam.subject.instance(other)
    if ref is None or failure is not None:
        return
    try:
        case = make_case(exam.subject, exam.rng(10, 4), exam.dims, sizes=other)
        truth(case)
    except (ValueError, KeyError, AssertionError, NotApplicable):
        return  # the sizes mean something else to this module
    detail = f"{heads} heads of size {d_model // heads}"
    exam.compare("formula.other-head-size", case, exam.subject.run(case, sizes=other), detail=detail)


def shape_lane(exam: Exam) -> None:
    """Single rows, single keys, one batch entry, and lengths around the usual tiles."""
    _narrowed(exam)
    unbatched = exam.subject.binding.layout.unbatched
    dims = exam.dims
    square = dims.sq == dims.sk
    tries: list[tuple[str, Dims, str]] = []
    if not unbatched:
        tries.append(("shape.batch-of-one", replace(dims, b=1), "B = 1"))
        if dims.b > 1 and not exam.slow:
            # More than code for a handful of entries or of heads was tried on.
            many = dims.h if dims.kv or exam.exercise.alibi else 5
            tries.append(("shape.larger-batch", replace(dims, b=9, h=many), f"B = 9, {many} heads"))
    w = exam.subject.module_weights(exam.subject.binding.sizes)
    if w is None or w.x_norm is None or not w.x_norm.groups:  # one position in a group: its variance may be nothing
        tries.append(("shape.one-token", replace(dims, sq=1, sk=1), "Sq = Sk = 1"))
    if not square and not _self_attention(exam):
        tries.append(("shape.one-query", replace(dims, sq=1), "Sq = 1"))
        if not exam.subject.binding.causal:
            tries.append(("shape.one-key", replace(dims, sk=1), "Sk = 1"))
    tries += _variations(exam)
    asked = [_asked(exam, make_case(exam.subject, exam.rng(20, n), shape)) for n, (_, shape, _) in enumerate(tries)]
    ahead = {length: _asked(exam, _of_length(exam, length)) for length in SHORT}
    for (id, _, detail), (case, observed) in zip(tries, asked, strict=True):
        if id != "shape.larger-batch" or observed.failure is None:  # there may be a limit
            exam.compare(id, case, observed, detail=detail)
    _lengths_lane(exam, ahead)


def _variations(exam: Exam) -> list[tuple[str, Dims, str]]:
    """Other numbers of key/value heads, other windows, other numbers of heads with a linear bias."""
    dims, binding = exam.dims, exam.subject.binding
    found: list[tuple[str, Dims, str]] = []
    if dims.kv not in (None, 1):
        found += [
            (f"shape.key-heads-{kv}", replace(dims, kv=kv), f"{kv} key/value heads for {dims.h} query heads")
            for kv in (1, 3, dims.h)
        ]
    if exam.exercise.alibi and not binding.projected:
        found += [(f"shape.heads-{h}", replace(dims, h=h), f"{h} heads") for h in (1, 2, 8)]
    if binding.windowed and binding.window is None:
        found += [(f"shape.window-{w}", replace(dims, window=w), f"window {w}") for w in (1, 2, 4, 50)]
        found.append(("shape.longer-than-window", replace(dims, sq=11, sk=dims.sk - dims.sq + 11), "window 3, Sq = 11"))
    return found


def _lengths_lane(exam: Exam, ahead: dict[int, tuple[AttentionInputs, Observation]]) -> None:
    """Lengths around the usual tiles: one that raises where a longer one runs is a fault, a longest one a limit."""
    refused: list[tuple[int, Observation]] = []
    lengths = SHORT if exam.slow else (*SHORT, *LONG)
    seconds = 0.0
    for length in lengths:
        if length not in ahead:
            # Where the last one took no time, neither will the others: all of them are asked for at once.
            more = [n for n in lengths if n >= length] if seconds < QUICK_S else [length]
            ahead |= {n: _asked(exam, _of_length(exam, n)) for n in more}
        case, observed = ahead[length]
        if observed.failure is not None and observed.failure.kind == "crash" and length > 8:
            refused.append((length, observed))
            continue
        for shorter, earlier in refused:
            exam.crashed(f"shape.length-{shorter}", earlier, f"S = {shorter}")
        refused = []
        if not exam.compare(f"shape.length-{length}", case, observed, detail=f"S = {length}"):
            return
        seconds = exam.longest_s = observed.outcome.seconds
        if seconds > SLOW_S:
            return
    if refused:
        exam.add("shape.longest", "warn", f"raises from S = {refused[0][0]} on: {refused[0][1].problem}"[:300])


def _of_length(exam: Exam, length: int) -> AttentionInputs:
    """Queries and keys of one length."""
    dims = exam.dims
    batch = 1 if exam.subject.binding.layout.unbatched or length > 8 else min(2, exam.dims.b)
    heads = dims.h if dims.kv else min(dims.h, 2)
    shape = replace(dims, b=batch, h=heads, sq=length, sk=length, window=max(3, length // 4))
    return make_case(exam.subject, exam.rng(21, length), shape)


def _self_attention(exam: Exam) -> bool:
    binding = exam.subject.binding
    return binding.projected and not (binding.has("context") or binding.has("k"))


def _narrowed(exam: Exam) -> None:
    """Shapes that the contract allows and the submission did not take."""
    if not exam.inference.narrowed or not exam.inference.failures or exam.subject.binding.cache is not None:
        return
    reason = exam.inference.failures[0]
    one_head = ONE_KEY_HEAD in exam.inference.narrowed and states_one_key_head(exam.hints.prose, exam.hints.code)
    if one_head and exam.inference.narrowed == ONE_KEY_HEAD:
        return
    told = " dim" in exam.inference.narrowed and states_value_dim(exam.hints.prose)
    one_dim = exam.inference.narrowed == "value dim equal to key dim" and states_one_dim(exam.hints.prose)
    one_length = exam.hints.one_length and (one_head or not exam.exercise.grouped or exam.dims.kv == 2)
    if "a batch of one" in exam.inference.narrowed and not states_one_sequence(exam.hints.prose):
        exam.add(
            "shape.batch", "fail", f"runs with {exam.inference.narrowed} only: {reason}"[:400], "batch-of-one-only"
        )
    elif (one_dim or one_length) and not told:
        exam.add("shape.unequal-lengths", "warn", f"only {exam.inference.narrowed}: {reason}"[:300])
    else:
        exam.add(
            "shape.unequal-lengths", "fail",
            f"runs on {exam.inference.narrowed} only; with Sq 5, Sk 7, D 11, Dv 13: {reason}"[:400],
            "crashes-on-shape",
        )  # fmt: skip


def causal_flag(exam: Exam) -> None:
    """A causal flag, alone and together with a mask."""
    binding = exam.subject.binding
    argument = binding.role("causal")
    if argument is None or exam.failed("formula") or binding.windowed or binding.alibi:
        return
    bound = exam.subject.bound(causal=not binding.causal)
    case = make_case(bound, exam.rng(41), exam.dims)
    observed = bound.run(case)
    if (
        case.causal
        and case.q is not None
        and exam.dims.sq != exam.dims.sk
        and observed.failure is not None
        and exam.hints.one_length
    ):
        return
    exam.compare("formula.causal-flag", case, observed, detail=f"{argument.name}={not binding.causal}")
    if binding.mask is not None and not states_exclusive(exam.hints.prose):
        flagged = exam.subject.bound(causal=True)
        case = make_case(flagged, exam.rng(42), exam.dims, masked=True)
        expected = truth(case)
        alive = ~rows_without_a_key(case)
        observed = flagged.run(case)
        if observed.output is not None:
            exam.compare(
                "mask.with-causal",
                case,
                observed,
                expected=expected,
                rows=alive,
                detail="mask and causal flag together",
            )
            exam.seen.append(Seen(case, np.where(np.broadcast_to(alive, expected.shape), observed.output, expected)))


def causal_edges(exam: Exam) -> None:
    """Causal attention with more queries than keys: the first see nothing."""
    subject: Subject = exam.subject
    if not subject.binding.causal or subject.binding.projected or exam.dims.sq == exam.dims.sk:
        return
    case = make_case(subject, exam.rng(40), replace(exam.dims, sq=7, sk=5))
    judge_empty_rows(exam, case, subject.run(case), "mask.before-first-key")
