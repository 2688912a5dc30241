"""Which attempt at calling a submission to grade where no convention makes it right."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from interview_coach.grading.contract import Subject
from interview_coach.grading.conventions import adopt, from_the_top_left, settle_corner
from interview_coach.grading.diagnosis import FIT, Predictions, Seen, explain
from interview_coach.grading.family import ATTENTION
from interview_coach.grading.foreign import foreign_kind
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.inference import Inference
from interview_coach.grading.layout_order import writes_shape
from interview_coach.grading.mask_inference import infer_mask
from interview_coach.grading.norms import is_norm
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.problems import CannotGrade, OwnKind
from interview_coach.grading.trials import Attempt, chooses_layout
from interview_coach.grading.weights import extra_parameters, within_part

MOST_ALTERNATIVES = 24
"""How many other readings of one run are looked through for a mistake; those nearest to the first come first."""


def _departures(first: Attempt, other: Attempt) -> int:
    """In how many respects another reading differs: how projections are cut, where norms act, positions."""
    a, b = first.binding, other.binding
    cuts = [x.reading.key if x.reading is not None else () for x in (a, b)]
    places = [(x.causal, x.rotation, x.alibi, x.conventions) for x in (a, b)]
    return (cuts[0][:5] != cuts[1][:5]) + (cuts[0][5:] != cuts[1][5:]) + (places[0] != places[1])


def _differs(subject: Subject, attempt: Attempt) -> bool:
    """Whether the same call gives another output of the same shape: no two mistakes explain what is drawn anew."""
    first, second = attempt.observation.output, subject.run(attempt.case).output
    assert first is not None
    return second is not None and first.shape == second.shape and relative_error(first, second) > FIT


def unexplained(guest: Guest, attempts: list[Attempt], seed: int, hints: Hints) -> Inference:
    """No convention fits: prefer the attempt that a known mistake explains, else the first."""
    if hints.layout is None and not chooses_layout(attempts[0].binding):
        attempts = [a for a in attempts if writes_shape(hints.prose, a.binding.layout)] or attempts
    attempts = sorted(attempts, key=lambda a: (a.mask_left_out and a.says_nothing, bool(a.narrowed)))
    twins = min(2, 1 + len(attempts[0].alternatives))
    attempts = [
        replace(
            each,
            narrowed=attempt.narrowed,
            dims=attempt.dims,
            crashed_before=attempt.crashed_before,
            refusals=attempt.refusals,
        )
        for attempt in attempts
        for read in (attempt, *sorted(attempt.alternatives, key=partial(_departures, attempt))[:MOST_ALTERNATIVES])
        for each in (*from_the_top_left(read, hints), read)
    ]
    subject = Subject(guest, attempts[0].binding, seed)
    state = subject.instance(subject.binding.sizes)[1] if subject.binding.projected else None
    extra = extra_parameters(state) if state is not None else []
    known = Predictions(ATTENTION)
    for pairs in (False,) if extra else (False, True):
        if pairs and _differs(Subject(guest, attempts[0].binding, seed), attempts[0]):
            break
        for attempt in attempts[:twins] if pairs else attempts:
            assert attempt.observation.output is not None
            seen = [Seen(attempt.case, attempt.observation.output)]
            found = explain(ATTENTION, seen, pairs=pairs, predictions=known)
            if found:
                attempt.explanation = found[0]
                break
        else:
            continue
        break
    chosen = next((a for a in attempts if a.explanation is not None), attempts[0])
    if chosen.explanation is None:
        for attempt in attempts:
            assert attempt.observation.output is not None
            if kind := foreign_kind(attempt.case, attempt.observation.output):
                raise CannotGrade("contract", f"{attempt.binding.info.name} computes {kind}", final=True)
        if extra and state is not None:
            raise OwnKind(
                "contract",
                f"{chosen.binding.info.name} owns {', '.join(extra[:4])}, which standard attention does not have, "
                "and computes something else",
                final=not all(is_norm(name, state.submodules) for name in extra) and not within_part(state),
            )
    choice = chosen.explanation.choice if chosen.explanation is not None else None
    subject = Subject(guest, chosen.binding, seed)
    result = Inference(subject, choice, chosen.dims, chosen.narrowed, list(chosen.crashed_before))
    result.refusals = list(chosen.refusals)
    adopt(result, hints)
    settle_corner(result, hints)
    infer_mask(result, hints)
    return result
