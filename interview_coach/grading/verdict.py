"""From checks and observations to named bugs, a score and a line that states the contract."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

import numpy as np

from interview_coach.grading.arguments import constructor_text
from interview_coach.grading.cases import make_case
from interview_coach.grading.codes import message, question
from interview_coach.grading.contract import Subject
from interview_coach.grading.conventions import without_corner
from interview_coach.grading.diagnosis import FIT, Choice, Explanation, Seen, explain, residual
from interview_coach.grading.exam import Exam
from interview_coach.grading.failures import SubmissionError
from interview_coach.grading.family import ATTENTION
from interview_coach.grading.inference import Inference
from interview_coach.grading.inside import describe_positions
from interview_coach.grading.lanes.hygiene import uses_empty
from interview_coach.grading.lines import line_of
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.reference import allowed_error, careful, truth
from interview_coach.grading.report import Check, Contract, Diagnosis
from interview_coach.grading.submission import Submission

_MAX_SEEN = 6


def score(checks: Sequence[Check], correct: bool, stable: bool) -> int:
    """0 to 100: the share of checks that passed, a note counting half; at most 50 when wrong, 89 when unstable."""
    points = {"pass": 1.0, "warn": 0.5, "fail": 0.0}
    counted = [points[c.status] for c in checks if c.status in points]
    share = round(100 * sum(counted) / len(counted)) if counted else 0
    return share if correct and stable else min(share, 89 if correct else 50)


def named(submission: Submission, scope: str | None, code: str, distance: float | None = None) -> Diagnosis:
    """A bug with its sentence, the line that the source makes certain and the question that explains it."""
    text = message(code)
    if distance is not None:
        text += f", to {max(distance, 1e-9):.0e}"
    return Diagnosis(code, text, line_of(submission.tree, code, scope), distance, question(code))


def diagnose_attention(exam: Exam) -> tuple[tuple[Diagnosis, ...], tuple[tuple[float, ...], ...]]:
    """Bugs of an attention, and the implied weight matrix when its output is wrong and no bug fits."""
    scope = exam.subject.binding.info.name
    found: dict[str, Diagnosis] = {}

    def name(code: str, distance: float | None = None) -> None:
        found.setdefault(code, named(exam.submission, scope, code, distance))

    heatmap: tuple[tuple[float, ...], ...] = ()
    if exam.failed() and _replayed(exam):
        name("stale-result")
        return tuple(found.values()), heatmap
    if exam.failed("formula", "mask", "shape"):
        kernel = _explain_kernel(exam)
        explanation = _explain_outputs(exam) if kernel is None else None
        inferred = {**(exam.inference.choice or {}), **(exam.inference.mask_choice or {})}
        if kernel is not None:
            name(*kernel)
            if kernel[0] == "tail-dropped" and not_finite(exam.seen) and uses_empty(exam.submission.tree) is not None:
                name("uninitialised-memory")
        elif explanation is not None and explanation.choice:
            beside = {} if exam.subject.binding.cache is not None else without_corner(explanation.choice, exam.hints)
            for code in exam.family.codes(beside or explanation.choice):
                name(code, explanation.residual)
        elif explanation is not None:
            for code in exam.family.codes(inferred):
                name(code)
        else:
            special = None if exam.codes.keys() & {"heads-share-weights", "mask-inverted"} else _special(exam)
            if special is not None:
                name(special)
            elif inferred:
                for code in exam.family.codes(inferred):
                    name(code)
            else:
                heatmap = implied_weights(exam)
    weak = _weak_fills(exam) if exam.failed("stability") else []
    for code, check in exam.codes.items():
        if code in ("crashes-on-shape", "batch-of-one-only", "tail-not-masked") and found:
            continue
        if code == "mask-fill-weak" or (code == "no-max-subtraction" and weak and not _broke(exam.checks, check)):
            continue
        if code == "fully-masked-nan" and (found or exam.failed("formula")):
            continue
        name(_by_failed_probe(exam) if code == "no-max-subtraction" else code)
    for code in weak:
        name(code)
    return tuple(found.values()), () if found else heatmap


def _explain_kernel(exam: Exam) -> tuple[str, float | None] | None:
    """What a Triton kernel gets wrong at addresses and ends of tiles."""
    if not exam.hints.kernels:
        return None
    from interview_coach.grading.kernel_faults import explain_kernel
    from interview_coach.grading.lanes.kernels import right_on_whole_tiles

    found = explain_kernel(exam.seen, exam.subject.binding)
    if found is not None:
        return found
    if exam.inference.choice is None and right_on_whole_tiles(exam):
        return "tail-not-masked", None
    return None


def _by_failed_probe(exam: Exam) -> str:
    """The kind of overflow, by which of the large logits it takes."""
    failed = {c.id for c in exam.checks if c.status == "fail" and c.group == "stability"}
    passed = {c.id for c in exam.checks if c.status == "pass"}
    if "stability.shifted-down" in failed and {"stability.shifted-up", "stability.huge-logits"} <= passed:
        return "max-initialised-finite"
    if (
        "stability.falling" in failed
        and {"stability.shifted-up", "stability.shifted-down", "stability.rising"} <= passed
    ):
        return "max-not-kept"
    return "no-max-subtraction"


def _broke(checks: Iterable[Check], id: str) -> bool:
    """Whether a check saw NaN or infinity."""
    return any(c.id == id and c.measured is not None and not np.isfinite(c.measured) for c in checks)


def not_finite(seen: Sequence[Seen]) -> bool:
    """Whether any output holds NaN or infinity."""
    return any(not np.isfinite(s.output).all() for s in seen)


def _explain_outputs(exam: Exam) -> Explanation | None:
    """The smallest choice that reproduces the ordinary observations."""
    seen = _telling(exam.seen)
    if not seen:
        return None
    prior: list[Choice] = [dict(c) for c in (exam.inference.choice, exam.inference.mask_choice) if c]
    both = {**(exam.inference.choice or {}), **(exam.inference.mask_choice or {})}
    if both and both not in prior:
        prior.insert(0, both)
    # What no pair explains without a mask, no pair explains with one.
    pairs = exam.inference.choice is not None
    found = explain(exam.family, seen, prior=prior, pairs=pairs)
    if not found:
        # A wrong formula shows without a mask; what it makes of one may depend on the fill.
        plain = [s for s in seen if s.case.keep is None and s.case.bias is None]
        if plain and len(plain) < len(seen) and relative_error(plain[0].output, truth(plain[0].case)) > FIT:
            found = explain(exam.family, plain, prior=prior, pairs=pairs)
    return found[0] if found else None


def _off(one: Seen) -> bool:
    """Whether an output is beyond what rounding explains."""
    expected = truth(one.case)
    return relative_error(one.output, expected) > allowed_error(one.case, expected)


def _telling(seen: Sequence[Seen]) -> list[Seen]:
    """A few observations: wrong ones first, with and without a mask, of different sizes; none where no wrong one has a
    finite entry."""
    usable = [s for s in seen if s.output is not None]
    wrong = [s for s in usable if _off(s)]
    if not any(np.isfinite(s.output).any() for s in wrong):
        return []
    wrong.sort(key=lambda s: not np.isfinite(s.output).any())
    right = [s for s in usable if all(s is not w for w in wrong)]
    masked = [s for s in wrong if s.case.keep is not None]
    plain = [s for s in wrong if s.case.keep is None]
    # Among the right ones those with a mask tell most: nothing masked, or masked together with a causal flag.
    right.sort(key=lambda s: s.case.keep is None)
    return [*masked[:2], *plain[:3], *right[: max(1, _MAX_SEEN - len(masked[:2]) - len(plain[:3]))]]


def _special(exam: Exam) -> str | None:
    """Faults that are no member of the family."""
    passed = {c.id for c in exam.checks if c.status == "pass"}
    if not_finite(exam.seen):
        if uses_empty(exam.submission.tree) is not None and not _strayed(exam):
            return "uninitialised-memory"
        masked = [s for s in exam.seen if s.case.keep is not None]
        if "formula.generic" in passed and not_finite(masked):
            return "mask-fill-positive" if _infinite_fill(exam) else "inf-minus-inf"
    if _right_when_first(exam):
        return "stale-result"
    if "shape.batch-of-one" in passed and "formula.generic" not in passed:
        return "batch-of-one-only"
    plain = [s for s in exam.seen if np.isfinite(s.output).all()]
    if "nondeterministic" in exam.codes:
        return None
    return "low-precision-inside" if plain and len(plain) == len(exam.seen) and _rounded_inside(plain) else None


def _strayed(exam: Exam) -> bool:
    """Whether a kernel read outside of its buffers, which gives NaN as well."""
    if not exam.hints.kernels:
        return False
    from interview_coach.grading.lanes.kernels import strayed

    return bool(strayed(exam, "load"))


def _infinite_fill(exam: Exam) -> bool:
    """Whether each query that has a hidden key gives NaN, and each that has none is right: the fill is +inf."""
    form = exam.subject.binding.mask
    if form is None or form.meaning == "lengths" or exam.subject.binding.causal:
        return False
    case = make_case(exam.subject, exam.rng(96), exam.dims, masked=True)
    assert case.keep is not None
    keep = np.ones_like(case.keep)
    hidden = (slice(1, None), 0, 0, -1) if form.padding else (..., slice(1, None), -1)
    keep[hidden] = False
    case.keep = keep
    observed = exam.subject.run(case)
    if observed.output is None or keep.all():
        return False
    rows = np.asarray((~keep).any(axis=(1, -1)))[..., None]
    rows = rows if case.weights is not None else rows[:, None]
    spoiled = np.broadcast_to(rows, observed.output.shape)
    clean = np.where(spoiled, 0.0, observed.output), np.where(spoiled, 0.0, truth(case))
    return bool(np.isnan(observed.output[spoiled]).all()) and relative_error(*clean) <= FIT


def _rounded_inside(seen: Sequence[Seen]) -> bool:
    """Whether the errors are those of arithmetic in fp16 or bf16."""
    for dtype in ("float16", "bfloat16"):
        ratios = []
        for s in seen[:3]:
            expected = truth(s.case)
            ratios.append(
                relative_error(s.output, expected) / max(relative_error(careful(s.case, dtype), expected), 1e-12)
            )
        if max(ratios) <= 8.0 and min(ratios) > 1e-3:
            return True
    return False


def _replayed(exam: Exam) -> bool:
    """Whether the right output of an earlier call came back for other inputs."""
    found = exam.subject.echoes.found
    if found and "nondeterministic" in exam.codes:
        return True  # of a call that was itself answered by one before it
    return any(relative_error(output, truth(earlier)) <= FIT for earlier, output in found[:4])


def _right_when_first(exam: Exam) -> bool:
    """Whether a wrong output is right in a process where no call came before it: state of an earlier call is read."""
    wrong = [s for s in exam.seen if relative_error(s.output, truth(s.case)) > FIT]
    if not wrong or exam.reopen is None:
        return False
    with contextlib.suppress(SubmissionError), exam.reopen(()) as guest:
        fresh = Subject(guest, exam.subject.binding, exam.subject.seed)
        observed = fresh.run(wrong[0].case)
        return observed.output is not None and relative_error(observed.output, truth(wrong[0].case)) <= FIT
    return False


def _weak_fills(exam: Exam) -> list[str]:
    """Weak fills, found by the family on the large inputs themselves.

    Where no fill reproduces them and inputs without anything masked fail too, the softmax is at fault.
    """
    hidden = [s for s in exam.stressed if s.case.keep is not None or s.case.causal]
    wrong = [s for s in hidden if np.isfinite(s.output).all() and relative_error(s.output, truth(s.case)) > 1e-3]
    if not wrong:
        return []
    finite = [np.isfinite(s.output).all() for s in exam.stressed]
    ordinary = [s for s in exam.seen if s.case.keep is not None or s.case.causal][:2]
    for choice in ({"fill": n} for s, n in ATTENTION.wrong() if s == "fill"):
        if residual(ATTENTION, wrong, choice, limit=1e-2) <= 1e-2 and residual(ATTENTION, ordinary, choice) <= FIT:
            return list(ATTENTION.codes(choice))
    if "no-max-subtraction" in exam.codes and (not exam.subject.binding.causal or not all(finite)):
        return []
    return ["mask-fill-weak"] if any(c.status == "fail" and "mask" in c.id for c in exam.checks) else []


def implied_weights(exam: Exam) -> tuple[tuple[float, ...], ...]:
    """The weight matrix that an output implies: the values are one-hot rows, and the output is linear in them.

    Returns:
        ``Sq x Sk`` for the first batch entry and head; empty where values cannot be given or too wide.
    """
    binding = exam.subject.binding
    if binding.projected:
        return ()
    case = make_case(exam.subject, exam.rng(95), exam.dims)
    assert case.v is not None and case.k is not None
    length = case.k.shape[-2]
    if exam.dims.dv == exam.dims.d and length > exam.dims.d:
        return ()
    width = exam.dims.d if exam.dims.dv == exam.dims.d else length
    value = np.zeros((*case.v.shape[:-1], width))
    value[..., np.arange(length), np.arange(length)] = 1.0
    case.v = value
    observed = exam.subject.run(case)
    if observed.output is None:
        return ()
    matrix = observed.output[0, 0, :, :length]
    return tuple(tuple(float(x) for x in row) for row in matrix)


# ── the contract in one line ───────────────────────────────────────────────────────────────────────────────────────


def contract_of(inference: Inference) -> Contract:
    """How attention is called, in the words of the report."""
    binding = inference.subject.binding
    returns = "output"
    if binding.output_path:
        returns = "(output, …)" if binding.output_path == (0,) else f"(…, output at {list(binding.output_path)})"
    meaning = binding.mask.meaning if binding.mask is not None else None
    layout, notes = binding.layout.name, tuple(inference.notes)
    return Contract(str(binding.framework), layout, meaning, returns, True, summary(inference), notes)


def summary(inference: Inference) -> str:
    """``Name(sizes) · framework · layout · projections · mask · returns``."""
    subject: Subject = inference.subject
    b = subject.binding
    arguments = constructor_text(b.info, b.sizes) if b.needs_instance else ", ".join(a.name for a in b.arguments)
    parts = [f"{b.info.name}({arguments})", str(b.framework), b.layout.text]
    if b.reading is not None:
        parts.append(b.reading.text)
        if b.sizes.kv_heads:
            parts.append("grouped heads")
    if b.causal:
        parts.append("causal")
    if b.linear:
        parts.append("feature map elu + 1")
    parts.append(describe_positions(b))
    if b.cache is not None:
        parts.append(b.cache.described())
    if b.windowed:
        parts.append("window" if b.window is None else f"window {b.window}")
    if b.mask is not None:
        texts = {
            "keep": "mask True = keep",
            "drop": "mask True = drop",
            "additive": "mask added to the scores",
            "lengths": "valid lengths",
        }
        text = texts[b.mask.meaning]
        if b.mask.dtype != "bool" and b.mask.meaning in ("keep", "drop"):
            text = text.replace("True", "1")
        parts.append(text + (f" {b.mask.shape}" if b.mask.padding and b.mask.meaning != "lengths" else ""))
    if b.output_path:
        parts.append("returns (out, …)" if b.output_path == (0,) else f"output at {list(b.output_path)}")
    if b.output not in ("", b.layout.name):
        parts.append(f"output {b.output}")
    return " · ".join(p for p in parts if p)
