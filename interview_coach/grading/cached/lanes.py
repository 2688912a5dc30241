"""What is tried on attention with a cache: one pass, chunks of all lengths, several sequences, half precision."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.cached.form import CacheForm, Session
from interview_coach.grading.cases import make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import FIT, Seen
from interview_coach.grading.exam import Exam
from interview_coach.grading.failures import SubmissionError, cut_short
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.lanes.half import half_lane
from interview_coach.grading.lanes.hygiene import hygiene_lane
from interview_coach.grading.lanes.semantics import formula_lane, shape_lane
from interview_coach.grading.lanes.stability import stability_lane
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.observation import Observation, Observed
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.prose import states_one_sequence
from interview_coach.grading.reference import truth
from interview_coach.grading.replay import OPEN
from interview_coach.grading.roles import Sizes

QUESTION = "kv-cache-what-why"
PLANS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("formula.prefill-and-steps", (5, 1, 1, 3)),
    ("formula.different-chunks", (4, 1, 3, 2)),
    ("formula.first-token-alone", (1, 4, 2)),
    ("formula.token-by-token", (1, 1, 1, 1, 1, 1)),
    ("formula.long-chunks", (17, 9, 33)),
)
_POSITIONS = r"alibi|rope|rotar|rotat|\bcos\b|position(al)?[ _]?(emb|enc|bias)|pos_emb|relative|slopes|旋转|位置"
_ONE_TOKEN = (
    r"(one|single|1)[ -](new )?token|token[ -]by[ -]token|one (token|step) at a time|T\s*==\s*1|seq(_?len)?\s*==\s*1|"
    r"S\s*==\s*1|\(\s*[Bb]\s*,\s*1\s*,|逐个? ?token|(单|一)个 ?token|每次(只)?(一|1) ?个|单步"
)


def run_cached(exam: Exam, without: tuple[str, ...]) -> None:
    """All checks. ``without``: parts of the library that are withheld when all is done once more."""
    _refuse_foreign(exam)
    _narrowed(exam)
    formula_lane(exam)
    shape_lane(exam)
    _chunks(exam)
    _other_size(exam)
    _left_out(exam)
    _new_objects(exam)
    hygiene_lane(exam)
    _sequences(exam)
    stability_lane(exam)
    _large_chunks(exam)
    _half_chunks(exam)
    if not any(c.status == "fail" for c in exam.checks):
        _once_more(exam, without)


def _narrowed(exam: Exam) -> None:
    """Shapes that it did not take: a batch, unless the file says that there is one sequence only."""
    narrowed = exam.inference.narrowed
    if not narrowed or not exam.inference.failures:
        return
    text = f"runs with {narrowed} only: {exam.inference.failures[0]}"[:300]
    if "a batch of one" in narrowed and not states_one_sequence(exam.hints.prose):
        exam.add("shape.batch", "fail", text, "batch-of-one-only")
    else:
        exam.add("shape.generic", "warn", text, question=QUESTION)


def _form(exam: Exam) -> CacheForm:
    form = exam.subject.binding.cache
    assert form is not None
    return form


def _allowed(form: CacheForm, plan: tuple[int, ...]) -> tuple[int, ...]:
    """The plan, or single tokens after the first chunk where the form takes no others."""
    if form.chunks == (1,):
        return (1,) * min(sum(plan), 12)
    if form.single:
        return (plan[0], *(1,) * min(sum(plan[1:]), 12))
    return plan


def chunked_case(
    exam: Exam, plan: tuple[int, ...], *keys: int, batch: int | None = None, **values: object
) -> AttentionInputs:
    """A sequence that is to be given in chunks."""
    plan = _allowed(_form(exam), plan)
    length = sum(plan)
    dims = replace(exam.dims, sq=length, sk=length, b=batch or exam.dims.b)
    case = make_case(exam.subject, exam.rng(*keys), dims, **values)  # type: ignore[arg-type]
    case.chunks = plan
    return case


def _text(plan: tuple[int, ...]) -> str:
    return f"chunks of {', '.join(map(str, plan))} tokens"


def _chunks(exam: Exam) -> None:
    """Prefill and chunks of any length against one causal pass."""
    refused = False
    for key, (id, plan) in enumerate(PLANS):
        if exam.slow and sum(plan) > 20:
            continue
        case = chunked_case(exam, plan, 100, key)
        observed = exam.subject.run(case)
        several = any(n > 1 for n in case.chunks[1:])
        if several and _refuses_several(exam, observed):
            if not refused:
                exam.add(
                    "shape.chunks-of-several", "warn",
                    f"takes one token at a time once there is a cache, as the file says: {observed.problem}"[:300],
                    question=QUESTION,
                )  # fmt: skip
            refused = True
            case = chunked_case(exam, (plan[0], *(1,) * min(6, sum(plan[1:]))), 100, key)
            observed = exam.subject.run(case)
        exam.compare(id, case, observed, detail=_text(case.chunks))
    case = chunked_case(exam, (2, 1, 1) if refused else (2, 3, 1), 101, batch=1)
    exam.compare("shape.batch-of-one-in-chunks", case, exam.subject.run(case), detail=f"B = 1, {_text(case.chunks)}")


def _refuses_several(exam: Exam, observed: Observation) -> bool:
    """Whether the code itself refuses more than one token after the first chunk, and the file says so."""
    failure = observed.failure
    if failure is None or failure.exception not in (
        "AssertionError",
        "ValueError",
        "NotImplementedError",
        "RuntimeError",
    ):
        return False
    return re.search(_ONE_TOKEN, f"{exam.hints.prose}\n{failure.message}", re.IGNORECASE) is not None


def _other_size(exam: Exam) -> None:
    """Chunks with another head size."""
    binding = exam.subject.binding
    sizes = binding.sizes
    if not (binding.projected and binding.needs_instance and binding.info.parameters) or exam.failed("formula"):
        return
    if sizes.heads == 1 or sizes.kv_heads:
        return
    other = Sizes(28, 7, None, single=sizes.single, shared=sizes.shared, dropout=sizes.dropout)
    if exam.subject.instance(other)[0] is None or "formula.other-head-size" not in {c.id for c in exam.checks}:
        return
    case = chunked_case(exam, (3, 1, 2), 102, sizes=other)
    observed = exam.subject.run(case, sizes=other)
    if _refuses_several(exam, observed):
        return
    exam.compare("formula.other-head-size-in-chunks", case, observed, detail="7 heads of size 4")


def _left_out(exam: Exam) -> None:
    """A sequence begins without a cache wherever the signature offers that, and always anew."""
    form, binding = _form(exam), exam.subject.binding
    arguments = [binding.role(role) for role in form.takes]
    if form.begins in ("omitted", "none") or not arguments or any(a is None or a.default is None for a in arguments):
        return
    plain = exam.subject.bound(cache=replace(form, begins="omitted", opening=None, comes_back=()))
    shared = any(a is not None and a.default != "None" for a in arguments)
    for key in (1, 2):
        case = make_case(exam.subject, exam.rng(103, key), exam.dims)
        exam.compare(
            f"shape.no-cache-{key}", case, plain.run(case), code="cache-stale" if shared and key == 2 else None,
            detail="called without a cache",
        )  # fmt: skip


def _new_objects(exam: Exam) -> None:
    """An object begins its first sequence without being told to, if that runs at all."""
    form = _form(exam)
    if form.by_caller or form.opening is None or not exam.subject.binding.needs_instance or exam.failed("formula"):
        return
    untold = exam.subject.bound(cache=replace(form, opening=None, renewed=True))
    for key in (1, 2):
        case = chunked_case(exam, (2, 1), 108, key)
        observed = untold.run(case)
        if observed.output is not None:
            exam.compare(
                f"hygiene.new-object-{key}",
                case,
                observed,
                code="cache-stale",
                detail="the first sequence of an object",
            )


def _sequences(exam: Exam) -> None:
    """A sequence after another, and two at once where the caller holds their caches."""
    if exam.failed("formula", "shape"):
        return
    plan = (2, 1, 1)
    exam.subject.run(chunked_case(exam, (4, 1), 104))
    case = chunked_case(exam, plan, 105, batch=max(1, exam.dims.b - 1))
    exam.compare(
        "hygiene.second-sequence", case, exam.subject.run(case), code="cache-stale",
        detail="a sequence of another batch size after one that ended",
    )  # fmt: skip
    if not _form(exam).by_caller:
        return
    cases = [chunked_case(exam, plan, 106), chunked_case(exam, plan, 107, batch=max(1, exam.dims.b - 1))]
    form, subject = _form(exam), exam.subject
    sessions = []
    for one in cases:
        sizes = subject.binding.sizes if subject.binding.projected else subject._direct_sizes(one)
        sessions.append(Session(form, subject, one, "float32", "contiguous", frozenset(), sizes))
    while any(s.lengths and s.problem is None for s in sessions):
        for session in sessions:
            if session.lengths and session.problem is None:
                session.step()
    for name, session in zip(("first", "second"), sessions, strict=True):
        exam.compare(
            f"hygiene.interleaved-{name}", session.case, _given(session.observed()), code="cache-stale",
            detail="two sequences in turn, each with its own cache",
        )  # fmt: skip


def _given(observed: Observed) -> Observation:
    return Observation(lambda: observed)


def _large_chunks(exam: Exam) -> None:
    """Large logits in chunks: a weak fill in the mask of a later chunk leaks here."""
    if exam.failed():
        return
    for key, factor in enumerate((10.0, 40.0)):
        case = chunked_case(exam, (3, 2, 1, 2), 110, key)
        for name in ("x", "q"):
            array = getattr(case, name)
            if array is not None:
                setattr(case, name, np.asarray(array * factor, np.float32).astype(np.float64))
        observed = exam.subject.run(case)
        if not _refuses_several(exam, observed):
            exam.compare(
                f"stability.large-logits-in-chunks-{factor:g}", case, observed, ordinary=False,
                code="no-max-subtraction", detail=f"inputs {factor:g} times as large, {_text(case.chunks)}",
            )  # fmt: skip


def _half_chunks(exam: Exam) -> None:
    """Half precision with a prefill and single tokens."""
    whole = exam.subject
    form = _form(exam)
    exam.subject = whole.bound(cache=replace(form, chunks=form.chunks or (3, 1)))
    try:
        half_lane(exam)
    finally:
        exam.subject = whole


# ── the same in a process that did nothing before ──────────────────────────────────────────────────────────────────


def _again(exam: Exam, case: AttentionInputs, without: tuple[str, ...]) -> bool | None:
    """Whether one case is right in a fresh process; None if it did not come back there."""
    assert exam.reopen is not None
    try:
        with exam.reopen(without) as guest:
            observed = Subject(guest, exam.subject.binding, exam.subject.seed).run(case)
            if observed.output is not None:
                return _right(observed.output, case)
            return None if cut_short(observed.failure) else False
    except SubmissionError as problem:
        return None if cut_short(problem.failure) else False


def _once_more(exam: Exam, without: tuple[str, ...]) -> None:
    """A sequence in a fresh process where the library's own attention is not to be had."""
    if exam.reopen is None:
        return
    case = chunked_case(exam, (3, 1, 1), 120)
    if right := _again(exam, case, without):
        exam.add("hygiene.fresh-process", "pass")
        return
    plain = _again(exam, case, ())
    if without and (plain or (plain is None and right is False)):
        exam.checks[:] = [c for c in exam.checks if c.id != "hygiene.own-implementation"]
        exam.add(
            "hygiene.own-implementation", "fail", "without the library's own attention the result is another",
            "delegates-to-library",
        )  # fmt: skip
    elif right is None and plain is not False:
        exam.add("hygiene.fresh-process", "pass" if plain else "skip", "" if plain else OPEN)
    else:
        exam.add(
            "hygiene.fresh-process", "fail", "the same calls in a process that made no others give another result",
            "stale-result",
        )  # fmt: skip


def reads_earlier_calls(exam: Exam) -> bool:
    """Whether something wrong is right in a process where no sequence came before it."""
    wrong = [s.case for s in exam.seen if not _right(s.output, s.case)]
    return any(_again(exam, case, ()) for case in [*exam.crashed_on[:1], *wrong[:1], *wrong[-1:]])


def see_from_the_beginning(exam: Exam) -> None:
    """Look at wrong sequences with an object that has none behind it, whose cache then holds nothing of another."""
    form = _form(exam)
    for number, seen in enumerate(exam.seen):
        case, output = seen.case, seen.output
        if form.chunks and not case.chunks:
            case = case.fresh()
            case.chunks = (1,) * _tokens(case)
        if not form.by_caller and exam.subject.binding.needs_instance and case.chunks and not _right(output, case):
            observed = exam.subject.bound(cache=replace(form, renewed=True)).run(case)
            output = output if observed.output is None else observed.output
        exam.seen[number] = Seen(case, output)


def _tokens(case: AttentionInputs) -> int:
    source = case.x if case.x is not None else case.q
    assert source is not None
    return int(source.shape[-2])


def _right(output: Array, case: AttentionInputs) -> bool:
    return relative_error(output, truth(case)) <= FIT


# ── positions that are not known ───────────────────────────────────────────────────────────────────────────────────


def _refuse_foreign(exam: Exam) -> None:
    """One pass that nothing known explains, in a file that speaks of positions: its chunks may still agree with it.

    Raises:
        CannotGrade: When they do.
    """
    if exam.inference.choice is not None or not re.search(_POSITIONS, exam.submission.text, re.IGNORECASE):
        return
    compare: Callable[[AttentionInputs], float] = lambda case: _distance(exam, case)  # noqa: E731
    if all(compare(chunked_case(exam, plan, 99)) <= FIT for plan in ((4, 1, 3, 2), (1, 1, 2))):
        raise CannotGrade(
            "contract",
            f"{exam.subject.binding.info.name}: its chunks agree with its single pass, which is no attention that is "
            "known (tried RoPE of both pairings, bases 100 to 1e6)",
            final=True,
        )


def _distance(exam: Exam, case: AttentionInputs) -> float:
    chunked = exam.subject.run(case)
    whole = case.fresh()
    whole.chunks = ()
    single = exam.subject.run(whole)
    if chunked.output is None or single.output is None:
        return float("inf")
    return relative_error(chunked.output, single.output)
