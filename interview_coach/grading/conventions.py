"""Conventions other than the house's that a file states, and that its numbers follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from interview_coach.grading.cases import make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import FIT, Seen, residual
from interview_coach.grading.family import ATTENTION
from interview_coach.grading.hints import Hints
from interview_coach.grading.inference import Inference
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.prose import states_tiled_heads, states_two_sided_window, states_window_before
from interview_coach.grading.protocol import CallableInfo
from interview_coach.grading.roles import size_role
from interview_coach.grading.stated import states_top_left
from interview_coach.grading.trials import Attempt
from interview_coach.records import record


@record
class Stated:
    """A variant of the family that is a convention where the file says so; ``note`` goes into the contract."""

    says: Callable[[Hints], bool]
    note: str


def _both_sides(note: str, half: bool = False) -> Stated:
    return Stated(lambda h: states_two_sided_window(h.prose, half), f"the window {note}, as the file says")


CONVENTIONS: Mapping[tuple[str, str], Stated] = {
    ("scale", "none"): Stated(lambda h: h.says_t5, "no scale, as in T5"),
    ("group", "tile"): Stated(
        lambda h: states_tiled_heads(h.prose), "key/value heads are tiled over the query heads, as the file says"
    ),
    ("window", "wide"): Stated(
        lambda h: states_window_before(h.prose), "the window counts the keys before the query's own, as the file says"
    ),
    ("window", "two-sided-wide"): _both_sides("reaches as many keys to both sides"),
    ("window", "two-sided-half"): _both_sides("is centred on the query", half=True),
    ("window", "centred"): _both_sides("is centred on the query", half=True),
    ("window", "two-sided"): _both_sides("reaches to both sides, the query's own key counted"),
}
"""By stage and variant of the family of attentions."""


_OTHER_ROTATION = r"\byarn\b|\bntk\b|xpos|rotary_?(dim|pct|ndims|percent)|partial_?rot|rope_?scaling|longrope|mrope"


def adopt(result: Inference, hints: Hints) -> None:
    """Take what an unusual choice has of conventions that the file states into the binding.

    Raises:
        CannotGrade: For what no choice explains, where the file rotates by angles of another kind.
    """
    choice = result.choice
    binding = result.subject.binding
    if choice is None and hints.rotates and re.search(_OTHER_ROTATION, hints.code, re.IGNORECASE):
        raise CannotGrade(
            "contract",
            f"{binding.info.name} rotates queries and keys in a way that is not known here; tried half-split and "
            "interleaved pairs of all channels with the angles position * base ** (-2 i / D)",
            final=True,
        )
    if not choice:
        return
    kept = dict(choice)
    conventions: dict[str, str] = {}
    changes: dict[str, Any] = {}
    for stage, name in choice.items():
        stated = CONVENTIONS.get((stage, name))
        if stated is not None and stated.says(hints):
            conventions[stage] = kept.pop(stage)
            result.notes.append(stated.note)
    if binding.top_left and binding.rotation is not None and kept.get("rotate") == "restart":
        del kept["rotate"]
        changes["rotation"] = replace(binding.rotation, restart=True)
    if kept != without_corner(kept, hints):
        kept = without_corner(kept, hints)
        result.dims, result.narrowed = replace(result.dims, sk=result.dims.sq), "equal lengths"
        result.notes.append("queries and keys have one length, as the file says")
    if kept == choice:
        return
    result.choice = kept
    bound = replace(binding, conventions={**binding.conventions, **conventions}, **changes)
    result.subject = Subject(result.subject.guest, bound, result.subject.seed)


def from_the_top_left(attempt: Attempt, hints: Hints) -> Iterator[Attempt]:
    """The attempt as the file means it, where it states that its causal mask is aligned to the top left."""
    case = attempt.case
    queries, keys = case.all_kept().shape[-2:]
    if case.causal and queries != keys and attempt.binding.cache is None and states_top_left(hints.prose):
        case = case.fresh()
        case.top_left = True
        yield replace(attempt, case=case, binding=replace(attempt.binding, top_left=True), alternatives=[])


def settle_corner(result: Inference, hints: Hints) -> None:
    """Tell of the corner that the file states, and bind it where a causal flag shows that it is not the house's."""
    subject, dims = result.subject, result.dims
    open_ = subject.binding.has("causal") and not subject.binding.causal and dims.sq != dims.sk
    if open_ and states_top_left(hints.prose):
        flagged = subject.bound(causal=True)
        case = make_case(flagged, np.random.default_rng([subject.seed, 4]), dims)
        output = flagged.run(case).output
        if output is not None and residual(ATTENTION, [Seen(case, output)], result.choice or {}) > FIT:
            result.subject = subject.bound(top_left=True)
    if result.subject.binding.top_left:
        result.notes.append("the causal mask is aligned to the top left, as the file says")


def without_corner(choice: dict[str, str], hints: Hints) -> dict[str, str]:
    """The choice less the corner of the causal mask where the file speaks of one length: then the corners are one."""
    if choice.get("causal") != "top-left" or not hints.one_length or hints.two_lengths:
        return choice
    return {stage: name for stage, name in choice.items() if stage != "causal"}


def fixed_window(info: CallableInfo, roles: set[str], hints: Hints) -> int | None:
    """The window that the file fixes as a constant, where neither the call nor the constructor asks for one.

    Raises:
        CannotGrade: When there is no window at all.
    """
    sizes = {size_role(p.name) for p in info.parameters}
    if "window" in roles or (info.kind == "class" and sizes & {"window", "config"}):
        return None
    found = re.findall(
        r"^\s*(?:self\.)?(?:\w*window\w*|W)\s*(?::\s*int\s*)?=\s*(\d+)\b", hints.code, re.MULTILINE | re.I
    )
    if not found:
        raise CannotGrade("contract", f"{info.name} takes no window; name the argument `window`")
    return int(found[0])
