"""Working out how a submission wants to be called, by trying conventions against the oracle.

Names and docstrings order the attempts; a convention is taken only when the numbers agree with it. When none agrees,
the most general attempt that ran is returned with what came back, so that the diagnosis can say what is wrong.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interview_coach.exercises import exercises
from interview_coach.grading.arguments import (
    argument_readings,
    call_forms,
    context_first,
    mask_of_context,
    resolve_arguments,
    settle_heads,
    sizes_to_try,
)
from interview_coach.grading.binding import Argument, Binding
from interview_coach.grading.cases import FOR_KERNELS, shapes_to_try
from interview_coach.grading.contract import Subject
from interview_coach.grading.conventions import fixed_window, settle_corner
from interview_coach.grading.failures import in_short
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.inference import Inference
from interview_coach.grading.layout_order import (
    direct_layouts,
    layout_order,
    means_all_heads,
    module_layouts,
    writes_shape,
)
from interview_coach.grading.layouts import DIRECT, PROJECTED, Layout
from interview_coach.grading.mask_inference import infer_mask
from interview_coach.grading.parameters import owns_no_weights
from interview_coach.grading.problems import CannotGrade, OwnKind, Unexplained
from interview_coach.grading.protocol import CallableInfo, Failure, Parameter
from interview_coach.grading.roles import Sizes, config_names, size_role
from interview_coach.grading.trials import (
    Attempt,
    first_runs,
    has_more_axes,
    nothing_ran,
    some_reading_fits,
    usable_readings,
    written_layout_ran,
)
from interview_coach.grading.unexplained import unexplained
from interview_coach.grading.weights import readings

if TYPE_CHECKING:
    from interview_coach.grading.cached.form import CacheForm

# ── the search ─────────────────────────────────────────────────────────────────────────────────────────────────────


def infer(
    guest: Guest,
    info: CallableInfo,
    exercise: str,
    frameworks: Sequence[str],
    hints: Hints,
    seed: int,
    forms: Sequence[tuple[str | None, tuple[Parameter, ...]]] | None = None,
    cache: CacheForm | None = None,
) -> Inference:
    """Find the contract of one callable.

    Args:
        forms: Methods to try, with their parameters; all of them if not given.
        cache: How a sequence goes on from call to call, in attention that keeps its keys and values.

    Raises:
        CannotGrade: When no way to call it brings an array of the right kind, or its roles cannot be found.
    """
    problems: list[CannotGrade] = []
    best: Inference | None = None
    for method, parameters in call_forms(info) if forms is None else forms:
        try:
            resolved = resolve_arguments(parameters, exercise, rotates=hints.rotates)
            meanings = argument_readings(resolved, tables=cache is None)
        except CannotGrade as problem:
            problems.append(problem)
            continue
        if len(meanings) > 2:  # the forms of a table: what is wrong in all of them is looked for in two that ran
            ran = []
            for arguments in meanings:
                try:
                    quick = replace(hints, explains=False)
                    found = _infer_form(guest, info, method, arguments, frameworks, quick, seed, exercise, cache)
                except Unexplained:
                    ran.append(arguments)
                except CannotGrade:
                    continue
                else:
                    return found
            meanings = ran[:2] or meanings[:1]
        for arguments in meanings:
            try:
                _require_roles(info, arguments, exercise)
                found = _infer_form(guest, info, method, arguments, frameworks, hints, seed, exercise, cache)
                if cache is None and exercise != "cross-attention" and found.mask_fits is False:
                    found = _without_context(guest, info, method, arguments, frameworks, hints, seed, exercise) or found
            except CannotGrade as problem:
                problems.append(problem)
                continue
            if found.choice == {} and not (found.narrowed and len(meanings) > 1):
                return found
            if best is None or (found.choice == {} and best.choice != {}):
                best = found
            if found.choice is not None and any("/" in a.role for a in arguments):
                return found
    if best is not None:
        return best
    if problems:
        raise problems[0]
    raise CannotGrade("contract", f"{info.name} has no method to call (looked for forward, __call__)")


def _without_context(
    guest: Guest,
    info: CallableInfo,
    method: str | None,
    arguments: tuple[Argument, ...],
    frameworks: Sequence[str],
    hints: Hints,
    seed: int,
    exercise: str,
) -> Inference | None:
    """The contract with an optional context left out, if the mask is then right: it is that of the input itself."""
    if not any(a.role == "context" and a.default is not None for a in arguments):
        return None
    alone = tuple(replace(a, role="") if a.role == "context" else a for a in arguments)
    found = _infer_form(guest, info, method, alone, frameworks, hints, seed, exercise)
    return found if found.choice == {} and found.mask_fits else None


def _require_roles(info: CallableInfo, arguments: Sequence[Argument], exercise: str) -> None:
    roles = {a.role for a in arguments}
    if {"q", "k", "v"} <= roles or "x" in roles or "qkv" in roles:
        return
    names = ", ".join(a.name for a in arguments) or "nothing"
    raise CannotGrade(
        "contract",
        f"{info.name} takes {names}; looked for q, k, v (query, key, value) or x. "
        "Rename the arguments or name another with --callable",
    )


def _infer_form(
    guest: Guest,
    info: CallableInfo,
    method: str | None,
    arguments: tuple[Argument, ...],
    frameworks: Sequence[str],
    hints: Hints,
    seed: int,
    exercise: str,
    cache: CacheForm | None = None,
) -> Inference:
    roles = {a.role for a in arguments}
    direct = {"q", "k", "v"} <= roles or "qkv" in roles
    asked = exercises()[exercise]
    window = fixed_window(info, roles, hints) if asked.windowed else None
    last: CannotGrade | None = None
    for framework in frameworks:
        base = Binding(
            info, framework, arguments, DIRECT["BHSD"], projected=False, method=method, scale=hints.scale,
            mask_name=mask_of_context(arguments), config_names=tuple(config_names(hints.code)),
            windowed=asked.windowed, window=window, cache=cache, linear=exercise == "linear-attention",
        )  # fmt: skip
        try:
            if info.kind == "class":
                return _infer_class(guest, base, hints, seed, direct, exercise)
            if any(r.startswith("w_") for r in roles) and (direct or "x" in roles):
                grouped = Sizes(60, 6, 2) if asked.grouped else Sizes(32, 4) if asked.alibi else Sizes(30, 5)
                heads = grouped if "n_heads" in roles else Sizes(10, 1)
                return _with_weights(guest, replace(base, projected=True, sizes=heads), hints, seed, exercise)
            if not direct:
                raise CannotGrade(
                    "contract",
                    f"{info.name}: an input x, but no projections of its own; "
                    "looked for q, k, v or weights w_q, w_k, w_v",
                )
            return _search(guest, base, direct_layouts(asked, roles), hints, seed, exercise)
        except CannotGrade as problem:
            last = last or problem
            if problem.kind in ("timeout", "memory"):
                raise
    assert last is not None
    raise last


def _with_weights(guest: Guest, base: Binding, hints: Hints, seed: int, exercise: str) -> Inference:
    """Weights as arguments: ``x @ w``, or ``x @ w.T`` where that explains more."""
    upright: Inference | None = None
    problem: CannotGrade | None = None
    try:
        upright = _search(guest, base, PROJECTED, hints, seed, exercise)
    except CannotGrade as raised:
        problem = raised
        if raised.kind in ("timeout", "memory"):
            raise
    if upright is not None and upright.choice is not None:
        return upright
    with contextlib.suppress(CannotGrade):
        turned = _search(guest, replace(base, turned_weights=True), PROJECTED, hints, seed, exercise)
        if upright is None or turned.choice is not None:
            turned.notes.append("weights as nn.Linear holds them: x @ w.T")
            return turned
    if upright is None:
        assert problem is not None
        raise problem
    return upright


def _infer_class(guest: Guest, base: Binding, hints: Hints, seed: int, direct: bool, exercise: str) -> Inference:
    failure: Failure | None = None
    found: Inference | None = None
    asked_for = exercises()[exercise]
    tries = sizes_to_try(base.info, exercise, hints.code)
    for asked in tries:
        probe = Subject(guest, replace(base, sizes=asked), seed)
        _, state, failure = probe.instance(asked)
        if failure is not None:
            if failure.kind in ("contract", "timeout", "memory"):
                break
            continue
        assert state is not None
        sizes = settle_heads(asked, state)
        if direct and owns_no_weights(state, asked_for.alibi):
            bound = replace(base, sizes=sizes)
            layouts = direct_layouts(asked_for, {a.role for a in base.arguments})
            result = _search(guest, bound, layouts, hints, seed, exercise)
            return (
                result
                if result.choice == {}
                else _without_dropout(guest, bound, layouts, hints, seed, exercise) or result
            )
        if sizes.single and not some_reading_fits(state, sizes):
            sizes = replace(sizes, single=False, shared=True)
        binding = replace(base, projected=True, sizes=sizes)
        if not any(True for _ in readings(state, sizes)):
            names = ", ".join(state.parameters) or "none"
            raise CannotGrade(
                "contract",
                f"{base.info.name}: its parameters ({names}) are not those of q, k, v and output projections",
            )
        try:
            result = _search(guest, binding, module_layouts(state), hints, seed, exercise)
        except CannotGrade as problem:
            if problem.kind in ("timeout", "memory") or isinstance(problem, OwnKind | Unexplained):
                raise
            failure = Failure(problem.kind, problem.message)  # type: ignore[arg-type]
            continue
        if result.choice == {"project": "sides-swapped"} and (turned := context_first(binding.arguments)):
            result = _search(guest, replace(binding, arguments=turned), module_layouts(state), hints, seed, exercise)
            result.notes.append("the first argument is the context: keys and values come from it")
        if result.choice == {}:
            return result
        quiet = _without_dropout(guest, binding, module_layouts(state), hints, seed, exercise)
        if quiet is not None:
            return quiet
        if found is None or found.choice is None:
            found = result
        if result.choice is not None or asked.wide or not any(other.wide for other in tries):
            break
    if found is not None:
        return found
    assert failure is not None
    told = failure.message.startswith(base.info.name)
    raise CannotGrade(failure.kind, failure.message if told else f"{base.info.name}: {failure.message}")


def _without_dropout(
    guest: Guest, binding: Binding, layouts: Mapping[str, Layout], hints: Hints, seed: int, exercise: str
) -> Inference | None:
    """The same module without dropout, if that makes it right: then dropout acts in eval mode."""
    if not any(size_role(p.name) == "dropout" for p in binding.info.parameters):
        return None
    sizes = replace(binding.sizes, dropout=0.0)
    try:
        found = _search(guest, replace(binding, sizes=sizes), layouts, hints, seed, exercise)
    except CannotGrade:
        return None
    if found.choice != {}:
        return None
    found.dropout_in_eval = True
    return found


def _search(guest: Guest, base: Binding, layouts: Any, hints: Hints, seed: int, exercise: str) -> Inference:
    attempts: list[Attempt] = []
    crashes: list[Failure] = []
    outputs: list[str] = []
    refused: dict[str, list[str]] = {}
    known = usable_readings(Subject(guest, base, seed))
    rounds = shapes_to_try(exercises()[exercise], base.projected, hints.rotates)
    if base.has("qkv"):
        rounds = [tuple((t, d) for t, d in shapes if d.sq == d.sk and d.d == d.dv and not d.kv) for shapes in rounds]
    if hints.kernels:
        rounds = [(*shapes, *FOR_KERNELS) for shapes in rounds]
    for shapes, layout in itertools.product(rounds, layout_order(layouts, hints)):
        if layout.keys is not None and shapes is rounds[0]:
            continue
        if shapes is not rounds[0] and means_all_heads({a.binding.layout.name for a in attempts}, layouts, hints):
            break
        if hints.layout is None and not writes_shape(hints.prose, layout) and has_more_axes(attempts, layout):
            continue
        binding = replace(base, layout=layout)
        skipped = refused.setdefault(layout.name, [])
        refusals: list[Failure] = []
        earlier = len(outputs)
        for narrowed, dims in shapes:
            if dims.b == 1 and (layout.keys is not None or (earlier and len(outputs) > earlier)):
                continue  # an order of axes that only a batch of one agrees with, after another gave wrong shapes
            observed = first_runs(guest, binding, known, dims, seed, hints, exercise)
            if observed is None:
                break
            attempt = observed
            failure = attempt.observation.failure
            if failure is not None:
                if failure.kind in ("timeout", "memory") or failure.exception == "died":
                    raise CannotGrade(failure.kind, failure.message)
                if failure.reason in ("interpreter-lacks", "triton-removed"):
                    raise CannotGrade(failure.kind, f"{base.info.name}: {failure.message}", final=True)
                crashes.append(failure)
                refusals.append(failure)
                skipped.append(in_short(failure))
                continue
            if attempt.observation.output is None:
                outputs.append(attempt.observation.problem)
                skipped.append(attempt.observation.problem)
                continue
            attempt.narrowed, attempt.dims, attempt.crashed_before = narrowed, dims, tuple(skipped)
            attempt.refusals = tuple(refusals)
            attempts.append(attempt)
            if attempt.explanation is not None:
                written = writes_shape(hints.prose, layout)
                if hints.layout is None and not written and written_layout_ran(attempts, hints):
                    attempts.pop()
                    break
                result = _accept(guest, attempt, seed, hints)
                if narrowed and not skipped:
                    result.notes.append("queries and keys have one length, as the file says")
                return result
            if dims.sq == dims.sk or not hints.one_length or hints.two_lengths:
                break  # else it may be right on the equal lengths that the file speaks of
    if not attempts:
        raise nothing_ran(base, crashes, outputs)
    scale = base.role("scale")
    if scale is not None and scale.default in ("1", "1.0") and not base.scale_passed:
        scaled = _search(guest, replace(base, scale_passed=True), layouts, hints, seed, exercise)
        if scaled.choice == {}:
            scaled.notes.append(
                f"{scale.name}=1/sqrt(d) is passed: its default of {scale.default} leaves it to the caller"
            )
            return scaled
    if not hints.explains:
        raise Unexplained("contract", f"{base.info.name} does not fit")
    return unexplained(guest, attempts, seed, hints)


def _accept(guest: Guest, attempt: Attempt, seed: int, hints: Hints) -> Inference:
    subject = Subject(guest, attempt.binding, seed)
    result = Inference(subject, {}, attempt.dims, attempt.narrowed, list(attempt.crashed_before))
    result.refusals = list(attempt.refusals)
    settle_corner(result, hints)
    infer_mask(result, hints)
    return result
