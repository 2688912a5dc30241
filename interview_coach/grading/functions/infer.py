"""Finding out how a function is called: call forms, layouts, argument forms and conventions, decided by the numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interview_coach.grading.failures import in_short
from interview_coach.grading.functions import rows
from interview_coach.grading.functions.distance import allowed, distance
from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.naming import explain
from interview_coach.grading.functions.sending import LAYOUTS, MASK_FORMS, Layout
from interview_coach.grading.functions.signature import CallForm, call_forms_of
from interview_coach.grading.functions.subject import Binding, FunctionSubject, Observed
from interview_coach.grading.functions.task import Alternative, Case, Narrow, Role, Task
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.polarity import stated_polarity
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo
from interview_coach.grading.submission import Submission

_GENERAL = Narrow("", {})
_VECTOR = r"vector|1-?d\b|one[- ]dim|single row|one row|一维|向量|单行|\([nkcd],?\)|\blist\b"
_ONE_SHAPE = r"\bq\w*\s*[,/、]\s*k\w*\s*[,/、]\s*(and\s+)?v\w*\b[^\n]{0,24}[(\[（]"
_FATAL = ("timeout", "memory")


class _Attempt:
    """One way of calling that ran, and what it gave."""

    def __init__(self, subject: FunctionSubject, case: Case, observed: Observed, narrow: Narrow) -> None:
        self.subject, self.case, self.observed, self.narrow = subject, case, observed, narrow


def open_function(
    guest: Guest,
    info: CallableInfo,
    frameworks: Sequence[str],
    hints: Hints,
    seed: int,
    task: Task,
    submission: Submission,
    written_to_stub: bool,
) -> FunctionExam:
    """Find out how a function is called.

    Raises:
        CannotGrade: When it takes other arguments, runs on no inputs, or returns no arrays.
    """
    reasons: list[tuple[str, str]] = []
    attempts: list[_Attempt] = []
    rng = np.random.default_rng([seed, 1])
    first_problem = ""
    single = not written_to_stub and speaks_of_one_length(hints)
    stated = () if written_to_stub else tuple(c.key for c in task.conventions if c.says(hints.prose))
    batched_only = written_to_stub or _says_batched(submission.text, hints.prose)
    for narrow in (_GENERAL, *task.narrower):
        ran = any(a.observed.outputs is not None for a in attempts)
        if ran and not (narrow.always or (single and narrow.text.startswith("equal lengths"))):
            continue
        for form, framework, layout, sent_as in _ways(info, task, frameworks, hints):
            if form.without and attempts:
                continue
            binding = Binding(info, framework, form, layout, sent_as, stated=stated)
            subject = FunctionSubject(guest, task, binding)
            case = _case(task, rng, layout, narrow, form)
            observed = subject.run(case)
            subject, observed = _with_rows(subject, case, observed)
            if not written_to_stub:
                subject, observed = _without_optional(subject, case, observed)
            if observed.failure is not None:
                f = observed.failure
                if f.kind in _FATAL:
                    raise CannotGrade(f.kind, f.message)
                where = f"line {f.line}: " if f.line else ""
                reasons.append((f.kind if f.kind in ("output", "contract") else "crash", f"{where}{in_short(f)}"))
            elif observed.outputs is None and not observed.arrays:
                reasons.append(("output", observed.problem))
            elif observed.outputs is None:
                reasons.append(("shape", observed.problem))
                attempts.append(_Attempt(subject, case, observed, narrow))
            else:
                attempts.append(_Attempt(subject, case, observed, narrow))
                reading = _reading(subject, case, observed)
                asked_for = task.tiled or task.narrow_dtype  # the full rank, unless the file writes another down
                if _fuller(attempts, layout) and (
                    batched_only or _thin(layout, hints) or (asked_for and not _mentions(hints.prose, layout))
                ):
                    reading = None
                if reading is not None and ran and not (single or narrow.excused(hints.prose, reading)):
                    reading = None
                if reading is not None:
                    problem = first_problem or (reasons[0][1] if form.without and reasons else "")
                    return _exam(attempts[-1], reading, hints, seed, submission, written_to_stub, problem)
        if not first_problem and reasons:
            first_problem = reasons[0][1]
    if not attempts:
        kind, text = next(
            (r for r in reasons if r[0] == "output"), reasons[0] if reasons else ("contract", "nothing to call")
        )
        raise CannotGrade(kind, f"{info.name}: {text}")
    for attempt in attempts:
        layout = attempt.subject.binding.layout
        if attempt.observed.outputs is None or (_fuller(attempts, layout) and _thin(layout, hints)):
            continue
        for reading in readings(attempt.subject):
            if explain(
                task, [({**attempt.case, **reading}, attempt.observed.arrays)], attempt.subject.outputs, pairs=False
            ):
                return _exam(attempt, reading, hints, seed, submission, written_to_stub, first_problem)
    likely = [a for a in attempts if a.observed.outputs is not None] or attempts
    first = next(iter(readings(likely[0].subject, hints.prose)))
    return _exam(likely[0], first, hints, seed, submission, written_to_stub, first_problem)


def _fuller(attempts: Sequence[_Attempt], layout: Layout) -> bool:
    """Whether it ran in a layout that leaves fewer axes out."""
    return any(len(a.subject.binding.layout.drop) < len(layout.drop) for a in attempts)


def _thin(layout: Layout, hints: Hints) -> bool:
    """Whether a layout is that of one vector, of which the file does not speak."""
    return layout.name == "D" and not speaks_of_vectors(hints.prose)


def _exam(
    attempt: _Attempt,
    reading: dict[str, Any],
    hints: Hints,
    seed: int,
    submission: Submission,
    written_to_stub: bool,
    problem: str,
) -> FunctionExam:
    subject = attempt.subject.bound(reading=reading)
    subject = _with_hidden_conventions(subject, attempt.narrow, seed)
    dims = {a: 1 for a in subject.binding.layout.drop if a in subject.task.dims} | dict(attempt.narrow.dims)
    return FunctionExam(
        subject,
        submission,
        hints.prose,
        seed,
        dims,
        attempt.narrow,
        problem,
        written_to_stub,
        speaks_of_one_length(hints),
    )


def _with_hidden_conventions(subject: FunctionSubject, narrow: Narrow, seed: int) -> FunctionSubject:
    """The subject under what its file states of arguments that have not been used yet, if the numbers agree."""
    roles = subject.binding.form.roles
    for c in subject.task.conventions:
        if c.key not in subject.binding.stated or not c.shows or not set(c.shows) <= roles:
            continue
        house, other = ({**subject.binding.reading, c.key: value} for value in (False, True))
        bound = subject.bound(reading=other)
        rng, layout, form = np.random.default_rng([seed, 2]), bound.binding.layout, bound.binding.form
        case = _case(subject.task, rng, layout, replace(narrow, set={**narrow.set, **c.shows, **other}), form)
        observed = bound.run(case)
        if observed.outputs is not None and _agrees(bound, case, observed, other):
            both = _agrees(subject.bound(reading=house), {**case, **house}, observed, house)
            subject = subject if both else bound
    return subject


def _with_rows(subject: FunctionSubject, case: Case, observed: Observed) -> tuple[FunctionSubject, Observed]:
    """What the arrays beside the output are: the first meaning that is right, else the likeliest."""
    if observed.failure is not None or not any(o.rows for o in subject.task.outputs):
        return subject, observed
    letters, dims = subject.row_letters(), case["dims"]
    found = rows.split(observed.outcome.value, int(np.prod([dims[a] for a in letters])))
    if found is None or not found[1]:
        return subject, observed
    order = rows.order_of(found[1][0][1].data.shape, letters, dims) or letters
    tried = []
    for form in rows.forms(found[1]):
        bound = subject.bound(rows=form, order=order)
        tried.append((bound, bound.read(case, observed.outcome)))
        if tried[-1][1].outputs is not None and _reading(bound, case, tried[-1][1]) is not None:
            return tried[-1]
    return tried[0]


def _without_optional(subject: FunctionSubject, case: Case, observed: Observed) -> tuple[FunctionSubject, Observed]:
    """The outputs without those that are optional, where only the others came back."""
    if observed.outcome.failure is None and observed.outputs is None and any(o.optional for o in subject.task.outputs):
        short = subject.bound(short=True)
        seen = short.read(case, observed.outcome)
        if seen.outputs is not None and not isinstance(observed.outcome.value, list | tuple | dict):
            return short, seen
    return subject, observed


def _case(task: Task, rng: np.random.Generator, layout: Layout, narrow: Narrow, form: CallForm) -> Case:
    dims = {**narrow.dims, **{a: 1 for a in layout.drop if a in task.dims}}
    return task.case(rng, dims, taken=form.roles, **narrow.set)


def _ways(
    info: CallableInfo, task: Task, frameworks: Sequence[str], hints: Hints
) -> Iterator[tuple[CallForm, str, Layout, dict[str, str]]]:
    """Every combination to try, the likeliest first."""
    stated = {n for n in task.layouts if _mentions(hints.prose, LAYOUTS[n])}
    names = sorted((n for n in task.layouts if n in stated or not LAYOUTS[n].written), key=lambda n: n not in stated)
    if hints.layout in LAYOUTS and hints.layout in task.layouts:
        names = [hints.layout]
    for form in call_forms_of(info, task):
        roles = [task.role(a.role) for a in form.arguments]
        several = [r for r in roles if len(r.forms) > 1 and r.tied not in form.roles]
        tied = [r for r in roles if r.tied in form.roles]
        for framework in frameworks:
            for choice in itertools.product(*(_forms(r, hints) for r in several)):
                sent_as = {r.name: f for r, f in zip(several, choice, strict=True)}
                sent_as |= {r.name: sent_as[r.tied] for r in tied}
                for name in names:
                    yield form, framework, LAYOUTS[name], sent_as


def _forms(role: Role, hints: Hints) -> tuple[str, ...]:
    """Forms to try; where a flag or the file says what a mask means, that meaning alone."""
    stated = hints.mask or stated_polarity(hints.prose)
    meant = tuple(f for f in role.forms if f in MASK_FORMS and stated is not None and f.startswith(stated))
    return meant or role.forms


def _mentions(prose: str, layout: Layout) -> bool:
    """Whether the file writes the shape of the layout down."""
    head = layout.text.partition(" with")[0]
    letters = re.findall(r"\w+", head)
    synonyms = {
        "B": r"(b|n|batch\w*)",
        "H": r"(h|heads?|num_heads|n_heads?)",
        "S": r"(s[qk]?|t|n|l|seq\w*|length)",
        "D": r"(d|d_?[khv]|dim|head_dim)",
    }
    pattern = r"[(\[]\s*" + r"\s*,\s*".join(synonyms.get(a, a) for a in letters) + r"\s*[)\]]"
    return re.search(pattern, prose, re.IGNORECASE) is not None


def readings(subject: FunctionSubject, prose: str = "") -> Iterator[dict[str, Any]]:
    """Combinations of the conventions that are open for a submission, the house's first, or what the file promises."""
    roles = subject.binding.form.roles
    task, stated = subject.task, subject.binding.stated
    open_ = [a for a in task.alternatives if a.open_for(roles)]
    open_ += [Alternative(c.key, (False, True)) for c in task.conventions if c.key in stated]
    orders = []
    for a in open_:
        promised = [v for v, p in zip(a.values, a.promises, strict=False) if p and re.search(p, prose, re.IGNORECASE)]
        orders.append([*promised, *(v for v in a.values if v not in promised)])
    for values in itertools.product(*orders):
        yield {a.key: v for a, v in zip(open_, values, strict=True)}


def _reading(subject: FunctionSubject, case: Case, observed: Observed) -> dict[str, Any] | None:
    """The conventions under which the outputs are right."""
    return next((reading for reading in readings(subject) if _agrees(subject, case, observed, reading)), None)


def _agrees(subject: FunctionSubject, case: Case, observed: Observed, reading: dict[str, Any]) -> bool:
    """Whether the outputs are right under these conventions."""
    assert observed.outputs is not None
    bound, seen = subject.bound(reading=reading), {**case, **reading}
    try:
        want = bound.truth(case)
    except ValueError:  # the convention has no meaning for these sizes
        return False
    limits = allowed(subject.task, seen, want, bound.outputs)
    pairs = zip(observed.outputs, want, bound.outputs, limits, strict=True)
    return all(got.shape == w.shape and distance(got, w, o.scale(seen)) <= limit for got, w, o, limit in pairs)


_KEY_LENGTH = r"\b(k|key)\w*\.(shape|size)\b|\blen\((k|key)\w*\)"


def speaks_of_one_length(hints: Hints) -> bool:
    """Whether a file has one sequence length for queries and keys, and nowhere asks for that of the keys."""
    return hints.one_length and re.search(_KEY_LENGTH, hints.code, re.IGNORECASE) is None


def speaks_of_one_shape(prose: str) -> bool:
    """Whether a file gives one shape for queries, keys and values."""
    return re.search(_ONE_SHAPE, prose, re.IGNORECASE) is not None


def speaks_of_vectors(prose: str) -> bool:
    """Whether a file says that it is about one vector."""
    return re.search(_VECTOR, prose, re.IGNORECASE) is not None


def _says_batched(code: str, prose: str) -> bool:
    """Whether a file speaks of arrays with a batch and a head axis."""
    four = re.search(r"^\s*\w+\s*,\s*\w+\s*,\s*\w+\s*,\s*\w+\s*=\s*\w+\.(shape|size\(\))", code, re.MULTILINE)
    return four is not None or _mentions(prose, LAYOUTS["BHSD"]) or _mentions(prose, LAYOUTS["BSHD"])
