"""Finding out how an attention keeps its cache: forms from the signature, decided by the numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interview_coach.grading.arguments import call_forms, resolve_arguments
from interview_coach.grading.binding import Argument
from interview_coach.grading.cached.form import CacheForm, Opening, Path
from interview_coach.grading.cached.names import begins, cache_role, cache_roles, goes_on, makes_cache, opens
from interview_coach.grading.cases import make_case
from interview_coach.grading.diagnosis import FIT, Seen, explain
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.family.cached import CACHED, OF_CACHE
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.infer import infer
from interview_coach.grading.inference import Inference
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.observation import Observation
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo, Parameter, Tensor
from interview_coach.grading.reference import truth

TRIAL = (3, 1, 2)
"""Chunks of the sequence on which ways to go on are tried."""
_MAX_FORMS = 16
RIGHT, KNOWN, RAN, FAILED = 3, 2, 1, 0
"""How well a form goes on after the first call: right, wrong in a known way, with errors, not at all."""

Way = tuple[str | None, tuple[Parameter, ...]]


@dataclass(slots=True)
class _Found:
    """A form, how its first call is explained, and how well it goes on."""

    inference: Inference
    grade: int

    @property
    def form(self) -> CacheForm:
        form = self.inference.subject.binding.cache
        assert form is not None
        return form

    @property
    def rank(self) -> tuple[bool, bool, int, bool]:
        return (self.form.holds, self.inference.choice == {}, self.grade, self.inference.choice is not None)


def infer_cached(guest: Guest, info: CallableInfo, frameworks: Sequence[str], hints: Hints, seed: int) -> Inference:
    """Find the contract of an attention with a cache.

    Raises:
        CannotGrade: When no call brings an array of the right kind, or nothing keeps a cache.
    """
    best: _Found | None = None
    problems: list[CannotGrade] = []
    barred: set[tuple[str | None, str]] = set()
    for (method, parameters), form in itertools.islice(_forms(guest, info), _MAX_FORMS):
        if form.chunks and best is not None:
            break  # it takes several tokens at once, and is asked to do so rightly
        if (method, form.bar) in barred:
            continue
        try:
            inference = infer(guest, info, "kv-cache", frameworks, hints, seed, [(method, parameters)], form)
        except CannotGrade as problem:
            if problem.kind in ("timeout", "memory"):
                raise
            if problems and problems[-1].message == problem.message:
                barred.add((method, form.bar))  # however its cache begins, it is something else that it cannot take
            problems.append(problem)
            continue
        inference = _pairing_settled(_without_mask(_caller_masked(inference)))
        found = _go_on(inference, info, method)
        if best is None or found.rank > best.rank:
            best = found
        if found.grade == RIGHT or (found.grade != FAILED and found.form.comes_back):
            break
    if best is None:
        raise problems[0] if problems else CannotGrade("contract", f"{info.name} has no method to call")
    return best.inference


# ── forms that the signature allows ────────────────────────────────────────────────────────────────────────────────


def _forms(guest: Guest, info: CallableInfo) -> Iterator[tuple[Way, CacheForm]]:
    """Methods of the callable with forms of their cache, the likeliest first."""
    ways = [w for w in call_forms(info) if not (w[0] and opens(w[0]))]
    if any({"cache", "cache_k", "start"} & set(cache_roles(p).values()) for _, p in ways):
        ways = [w for w in ways if w[0] is None or cache_roles(w[1]) or goes_on(w[0]) or begins(w[0])]
    ways.sort(key=lambda w: (_says_nothing(w[1]), bool(w[0]) and goes_on(str(w[0])) and "prefill" not in str(w[0])))
    own = [
        Opening(name, parameters, method=True) for name, parameters in info.methods.items() if opens(name)
    ] if info.kind == "class" else []  # fmt: skip
    others = [
        Opening(c.name, c.parameters) for c in guest.info.callables if c.name != info.name and makes_cache(c)
    ]  # fmt: skip
    for way in ways:
        for form in _forms_of(way[1], info, own, others):
            yield way, form
    for way in ways:
        for form in itertools.islice(_forms_of(way[1], info, own, others), 2):
            yield way, replace(form, chunks=(1,), single=True)
            yield way, replace(form, chunks=(1,))


def _says_nothing(parameters: Sequence[Parameter]) -> bool:
    return all(p.kind in ("var_positional", "var_keyword") for p in parameters)


def _forms_of(
    parameters: Sequence[Parameter], info: CallableInfo, own: Sequence[Opening], others: Sequence[Opening]
) -> Iterator[CacheForm]:
    roles = cache_roles(parameters)
    required = {p.name for p in parameters if p.default is None}
    halves = {"cache_k", "cache_v"} <= set(roles.values())
    takes = ("cache_k", "cache_v") if halves else ("cache",) if "cache" in roles.values() else ()
    start = next((p for p in parameters if roles.get(p.name) == "start"), None)
    position = "" if start is None else "int"
    if start is not None and (start.name.endswith(("positions", "ids", "position")) or start.name == "input_pos"):
        position = "row"
    base = CacheForm(takes, position=position)
    if {"freqs", "cos"} & set(roles.values()):
        rest = [p for p in parameters if roles.get(p.name) not in ("freqs", "cos", "sin")]
        for form in _forms_of(rest, info, own, others):
            yield replace(form, table="rows")
            yield replace(form, table="all")
        return
    if not takes:
        yield from (replace(base, opening=o) for o in (*own, *(o for o in others if info.kind == "function")))
        if start is not None or info.kind != "class":
            yield base
        elif not own:
            yield replace(base, renewed=True)
        return
    needed = any(name in required for name, role in roles.items() if role in takes)
    if not needed:
        yield base
    yield from (replace(base, begins="opened", opening=o) for o in (*own, *others))
    if needed:
        kinds = ("none", "rows", "room") if halves else ("none", "dict", "list", "rows")
        yield from (replace(base, begins=kind) for kind in kinds)
    else:
        yield from (replace(base, begins=kind) for kind in (("rows", "room") if halves else ("dict", "list")))


# ── how it goes on ─────────────────────────────────────────────────────────────────────────────────────────────────


def _caller_masked(inference: Inference) -> Inference:
    """Where it is the caller's mask that makes it causal, have that mask handed over."""
    binding = inference.subject.binding
    assert binding.cache is not None
    if inference.choice != {"causal": "missing"} or binding.mask is None or binding.mask.padding:
        return inference
    subject = inference.subject.bound(cache=replace(binding.cache, masked=True))
    case = make_case(subject, np.random.default_rng([subject.seed, 4]), inference.dims)
    observed = subject.run(case)
    if observed.output is None or relative_error(observed.output, truth(case)) > FIT:
        return inference
    inference.subject, inference.choice = subject, {}
    inference.notes.append("the caller's mask makes it causal")
    return inference


def _without_mask(inference: Inference) -> Inference:
    """A mask that may be left out, by attention that is causal without it, is not graded."""
    binding = inference.subject.binding
    assert binding.cache is not None
    if not binding.cache.masked and not binding.mask_needed:
        inference.subject = inference.subject.bound(mask=None)
    return inference


def _pairing_settled(inference: Inference) -> Inference:
    """Where nothing explains one pass and queries and keys are rotated, the pairing of channels under which a wrong
    position does."""
    rotation = inference.subject.binding.rotation
    if inference.choice is not None or rotation is None:
        return inference
    case = make_case(inference.subject, np.random.default_rng([inference.subject.seed, 7]), inference.dims)
    observed = inference.subject.run(case)
    for interleaved in (False, True):
        trial = case.fresh()
        trial.rotation = replace(rotation, interleaved=interleaved)
        if observed.output is None or not (found := explain(CACHED, [Seen(trial, observed.output)], pairs=False)):
            continue
        inference.subject = inference.subject.bound(rotation=trial.rotation)
        inference.choice = found[0].choice
        break
    return inference


def _go_on(inference: Inference, info: CallableInfo, method: str | None) -> _Found:
    """Try the ways in which the cache may come back, and the methods that may take the next tokens."""
    best: _Found | None = None
    case: AttentionInputs | None = None
    for form in _continuations(inference, info, method):
        subject = inference.subject.bound(cache=form)
        if case is None:
            dims = replace(inference.dims, sq=sum(TRIAL), sk=sum(TRIAL))
            case = make_case(subject, np.random.default_rng([subject.seed, 5]), dims)
        trial = case.fresh()
        trial.chunks = TRIAL if not form.chunks else ()
        observed = subject.run(trial)
        if observed.output is None and form.later is not None:
            trial = case.fresh()
            trial.chunks = (4, 1, 1)
            observed = subject.run(trial)
        grade = _grade(inference, trial, observed, form)
        if best is None or grade > best.grade:
            best = _Found(replace(inference, subject=subject), grade)
        if grade == RIGHT:
            break
    return best or _Found(inference, FAILED)


def _grade(inference: Inference, case: AttentionInputs, observed: Observation, form: CacheForm) -> int:
    if observed.output is None:
        return FAILED
    if relative_error(observed.output, truth(case)) <= FIT:
        return RIGHT
    if form.comes_back:
        return KNOWN  # whatever is wrong with it, this is where the cache is
    prior = [dict(inference.choice)] if inference.choice else []
    return KNOWN if explain(OF_CACHE, [Seen(case, observed.output)], pairs=False, prior=prior) else RAN


def _continuations(inference: Inference, info: CallableInfo, method: str | None) -> Iterator[CacheForm]:
    """Forms that agree with what the first call brought."""
    subject = inference.subject
    form = subject.binding.cache
    assert form is not None
    first = subject.run(make_case(subject, np.random.default_rng([subject.seed, 6]), inference.dims))
    asked = form
    for later in _later_methods(info, method, form):
        form = asked if later is None else _of_both(asked, later[1])
        places = list(_places(first.outcome.value, subject.binding.output_path, form))
        in_place = bool(form.takes) and form.begins in ("opened", "dict", "list", "room")
        if not form.takes or in_place or not places:
            places.append(())
        positions = [form.position] if form.position != "row" else ["row", "rows", "int"]
        if form.position == "int":
            positions = ["int", "row"]
        for place in places:
            for position in positions:
                yield replace(form, comes_back=place, position=position, later=later)
                if later is not None:
                    yield replace(form, comes_back=place, position=position, later=later, single=True)


def _of_both(form: CacheForm, later: Sequence[Argument]) -> CacheForm:
    """The form with what only the method for later tokens takes."""
    roles = {a.role for a in later}
    halves = {"cache_k", "cache_v"} <= roles
    takes = form.takes or (("cache_k", "cache_v") if halves else ("cache",) if "cache" in roles else ())
    return replace(form, takes=takes, position=form.position or ("int" if "start" in roles else ""))


def _places(value: Any, output: Path, form: CacheForm) -> Iterator[tuple[Path, ...]]:
    """Where the cache may be in a result."""
    if not form.takes or not isinstance(value, list | tuple | dict):
        return
    names: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    rest: list[Any] = [n for n in names if (n,) != output and value[n] is not None]
    rest.sort(key=lambda n: isinstance(value[n], Tensor) and value[n].data.ndim < 3)
    if isinstance(value, dict):
        rest.sort(key=lambda n: cache_role(str(n)) is None)
    arrays = [n for n in rest if isinstance(value[n], Tensor)]
    pair = ((arrays[0],), (arrays[1],)) if len(arrays) >= 2 else None
    if len(form.takes) == 2:
        if pair:
            yield pair
        for n in rest:
            inner = value[n]
            if isinstance(inner, list | tuple) and len(inner) == 2:
                yield ((n, 0), (n, 1))
            elif isinstance(inner, dict) and len(inner) >= 2:
                keys = list(inner)
                yield ((n, keys[0]), (n, keys[1]))
        return
    if pair and len(rest) == 2:
        yield pair
    yield from (((n,),) for n in rest)


def _later_methods(info: CallableInfo, method: str | None, form: CacheForm) -> Iterator[Any]:
    """No other method for the tokens after the first; then those of the class that could take them."""
    prefills = method is not None and "prefill" in method.lower()
    if not prefills:
        yield None
    if info.kind == "class" and not form.chunks:
        for name, parameters in call_forms(info):
            if name == method or (name is not None and opens(name)):
                continue
            if name is not None and not goes_on(name) and not prefills:
                continue
            try:
                arguments = resolve_arguments(parameters, "kv-cache")
            except CannotGrade:
                continue
            if {a.role for a in arguments} & {"x", "q"}:
                yield (name, arguments, ())
                yield (name, arguments, (0,))
    if prefills:
        yield None
