"""One way to call a submission, tried on one case: what ran, and whether it agrees with the oracle."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interview_coach.exercises import exercises
from interview_coach.grading.binding import Argument, Binding
from interview_coach.grading.cases import GENERAL, Dims, make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import FIT, Explanation, Seen, residual
from interview_coach.grading.failures import in_short
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.inside import causal_options, position_options
from interview_coach.grading.layout_order import writes_shape
from interview_coach.grading.layouts import Layout, MaskForm, outputs
from interview_coach.grading.mask_inference import mask_forms
from interview_coach.grading.observation import Observation
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import Failure, ModuleState
from interview_coach.grading.roles import MASKS, Sizes, size_role
from interview_coach.grading.weights import readings


@dataclass(slots=True, eq=False, repr=False)
class Attempt:
    """A binding that ran, the inputs and what came back."""

    binding: Binding
    case: AttentionInputs
    observation: Observation
    explanation: Explanation | None = None
    narrowed: str = ""
    dims: Dims = GENERAL
    crashed_before: tuple[str, ...] = ()
    refusals: tuple[Failure, ...] = ()
    alternatives: list[Attempt] = field(default_factory=list)
    """The same run, read as causal attention, or with the weights in another usual order."""

    @property
    def says_nothing(self) -> bool:
        """Whether every query got the same: ``np.where(None, scores, -inf)`` hides all keys, and raises nothing."""
        output = self.observation.output
        return output is None or np.allclose(output, output[..., :1, :], equal_nan=True)

    @property
    def mask_left_out(self) -> bool:
        """Whether a parameter that must be given got ``None`` for its mask."""
        return self.binding.mask is None and any(a.role in MASKS and a.default is None for a in self.binding.arguments)


def _output_paths(value: Any) -> Iterator[tuple[int | str, ...]]:
    yield ()
    if isinstance(value, list | tuple):
        yield from ((i,) for i in range(len(value)))
    elif isinstance(value, dict):
        names = [n for n in value if re.search(r"out|context|result|hidden|^y$|^o$", str(n), re.I)]
        yield from ((n,) for n in [*names, *(n for n in value if n not in names)])


def first_runs(
    guest: Guest, binding: Binding, known: Sequence[Any], dims: Dims, seed: int, hints: Hints, exercise: str
) -> Attempt | None:
    """Run with each blank mask, where one is needed; the first attempt that agrees with the oracle, or that ran."""
    best: Attempt | None = None
    unmasked = ""
    subject = Subject(guest, binding, seed)
    waiting = deque(_blank_masks(subject, hints))
    while waiting:
        blank = waiting.popleft()
        attempt = _run_once(guest, binding, known, dims, seed, hints, exercise, blank)
        if attempt is None or attempt.explanation is not None:
            return attempt
        failure = attempt.observation.failure
        if failure is not None:
            where = f"{failure.line} {failure.message}"
            if failure.kind in ("timeout", "memory") or where == unmasked:  # then it is not the mask that it raises on
                return best if best is not None and best.observation.output is not None else attempt
            if not blank:
                unmasked = where
                waiting.extend(_masks_of_none(subject, hints))
        elif len(blank) > 1 and not attempt.says_nothing:
            return attempt
        elif len(blank) == 1:
            ((name, form),) = blank.items()
            if form.meaning == "keep" and attempt.says_nothing:
                waiting.appendleft({name: replace(form, meaning="drop")})
        if best is None or (best.says_nothing and not attempt.says_nothing):
            best = attempt
    return best


Blank = Mapping[str, MaskForm]
"""Masks under which nothing is masked, by the names of their parameters; empty where none is given."""


def _blank_masks(subject: Subject, hints: Hints) -> list[Blank]:
    """Ways to say that nothing is masked: none at all, then masks that keep everything, if some are required."""
    required = [a for a in subject.binding.arguments if a.role in MASKS and a.default is None]
    argument = subject.mask_argument
    if argument not in required:
        return [{}]
    if len(required) > 1:
        return [{}, *_together(required, subject, hints)]
    alone = _alone(argument, subject, hints)
    return [*alone, {}] if any(form.field for blank in alone for form in blank.values()) else [{}, *alone]


def _masks_of_none(subject: Subject, hints: Hints) -> list[Blank]:
    """The same for a mask that may be left out, where the code raises without it."""
    argument = subject.mask_argument
    return [] if argument is None or argument.default != "None" else _alone(argument, subject, hints)


def _forms(argument: Argument, subject: Subject, hints: Hints) -> list[MaskForm]:
    return mask_forms(argument, hints, subject.binding.layout, subject.binding.projected)


_PLAIN = (("bool", "keep"), ("float32", "additive"), ("int64", "lengths"))


def _alone(argument: Argument, subject: Subject, hints: Hints) -> list[Blank]:
    """One mask, in each of its forms."""
    return [{argument.name: f} for f in _forms(argument, subject, hints) if (f.dtype, f.meaning) in _PLAIN]


def _together(required: Sequence[Argument], subject: Subject, hints: Hints) -> list[Blank]:
    """Several masks, each in its likeliest shapes; those that are meant alike come first."""
    meant: list[list[MaskForm]] = []
    for argument in required:
        forms = [f for f in _forms(argument, subject, hints) if (f.dtype, f.meaning) in _PLAIN]
        shapes = list(dict.fromkeys(f.shape for f in forms))[:2]
        likely = [f for f in forms if f.shape in shapes]
        meant.append(likely + [replace(f, meaning="drop") for f in likely if f.meaning == "keep"])
    tuples = sorted(itertools.product(*meant), key=lambda forms: len({f.meaning for f in forms}))
    return [dict(zip((a.name for a in required), forms, strict=True)) for forms in tuples]


def _run_once(
    guest: Guest,
    binding: Binding,
    known: Sequence[Any],
    dims: Dims,
    seed: int,
    hints: Hints,
    exercise: str,
    blank: Blank,
) -> Attempt | None:
    """Run once; accept the first reading of weights, output and causality that agrees with the oracle."""
    rng = np.random.default_rng([seed, 1])
    asked = exercises()[exercise]
    subject = Subject(guest, binding, seed)
    if blank:
        subject = subject.bound(**_bindings(subject, blank))
        binding = subject.binding
    first: Attempt | None = None
    raw: Observation | None = None
    case: AttentionInputs | None = None
    if binding.layout.unbatched and not binding.projected and dims.h > 1 and binding.layout.one_head and dims.b < 1:
        return None
    for reading in known:
        current = subject.bound(reading=reading) if reading is not None else subject
        if case is None or raw is None:
            case = make_case(current, rng, dims)
            case.causal = causal_options(binding, hints, asked)[0]
            if blank:
                case.keep = case.all_kept()
            raw = current.run(case)
            if raw.failure is not None:
                return Attempt(current.binding, case, raw)
        elif reading is not None:
            case = _with_weights(case, current)
        for path in _output_paths(raw.outcome.value):
            shaped = current.bound(output_path=path)
            several = binding.cache is not None and binding.cache.chunks
            observation = shaped.run(case) if several else shaped.reread(case, raw)
            if observation.output is None:
                continue
            for positions in position_options(binding, hints, asked, case):
                trial = positions.set(case)
                bound = replace(
                    shaped.binding, causal=trial.causal, rotation=trial.rotation, alibi=trial.alibi,
                    conventions=trial.conventions, output=_output_layout(shaped, trial, observation),
                )  # fmt: skip
                attempt = Attempt(bound, trial, observation)
                fit = residual(ATTENTION, [Seen(trial, observation.output)], {})
                if fit <= FIT:
                    attempt.explanation = Explanation({}, fit)
                    return attempt
                if first is None:
                    first = attempt
                elif path == first.binding.output_path and (reading is None or reading.plain):
                    first.alternatives.append(attempt)
    if first is None:
        assert raw is not None and case is not None
        return Attempt(binding, case, Subject(guest, binding, seed).reread(case, raw))
    return first


def _bindings(subject: Subject, blank: Blank) -> dict[str, Any]:
    """What masks that keep everything change in a binding."""
    argument = subject.mask_argument
    assert argument is not None
    others = {name: form for name, form in blank.items() if name != argument.name}
    return {"mask": blank[argument.name], "blanks": others, "mask_needed": argument.default is not None}


def _with_weights(case: AttentionInputs, subject: Subject) -> AttentionInputs:
    """The same inputs with the weights as another reading sees them."""
    other = case.fresh()
    other.weights = subject.module_weights(subject.binding.sizes)
    return other


def usable_readings(subject: Subject) -> list[Any]:
    """Readings of the parameters whose shapes fit together."""
    binding = subject.binding
    if not binding.projected or not binding.needs_instance:
        return [None]
    _, state, _ = subject.instance(binding.sizes)
    assert state is not None
    found = []
    for reading in readings(state, binding.sizes):
        try:
            weights = reading.weights({n: t.data.astype(np.float64) for n, t in state.parameters.items()})
        except (ValueError, IndexError, KeyError, ZeroDivisionError):
            continue
        if _fits_together(weights, binding.sizes):
            found.append(reading)
    if not found:
        raise CannotGrade(
            "contract", f"{binding.info.name}: the shapes of its projections do not fit together as q, k, v and output"
        )
    return found


def some_reading_fits(state: ModuleState, sizes: Sizes) -> bool:
    """Whether the parameters can be read as projections of these sizes."""
    arrays = {n: t.data.astype(np.float64) for n, t in state.parameters.items()}
    for reading in readings(state, sizes):
        try:
            if _fits_together(reading.weights(arrays), sizes):
                return True
        except (ValueError, IndexError, KeyError, ZeroDivisionError):
            continue
    return False


def _fits_together(w: Any, sizes: Sizes) -> bool:
    kv = sizes.kv_heads or sizes.head_count
    if w.q.ndim != 2 or w.q.shape[1] % sizes.head_count or w.k.shape[1] % kv or w.v.shape[1] % kv:
        return False
    if w.q.shape[1] // sizes.head_count != w.k.shape[1] // kv:
        return False
    return w.o is None or w.o.shape[0] == w.v.shape[1] // kv * sizes.head_count


def _output_layout(subject: Subject, case: AttentionInputs, observation: Observation) -> str:
    """Name of the layout the output came in."""
    if subject.binding.projected or observation.raw is None:
        return subject.binding.layout.name
    wanted = subject.expected_shape(case)
    for name, back in outputs(subject.binding.layout, case.heads).items():
        try:
            if back(observation.raw.data).shape == wanted:
                return name
        except ValueError:
            continue
    return subject.binding.layout.name


def nothing_ran(base: Binding, crashes: list[Failure], outputs: list[str]) -> CannotGrade:
    """Why no way to call it brought an array of the right shape."""
    name = base.info.name
    if outputs and not any(o.startswith("shape") for o in outputs):
        return CannotGrade("output", f"{name} {outputs[0]}")
    if outputs:
        return CannotGrade(
            "contract", f"{name}: output of {outputs[0]}; not the shape of attention in any layout tried"
        )
    first = crashes[0] if crashes else Failure("contract", "nothing could be called")
    where = f" (line {first.line})" if first.line else ""
    text = in_short(first)
    return CannotGrade(
        "crash" if first.kind in ("crash", "import") else first.kind,
        f"{name} raised on every input tried{where}: {text}",
    )


def has_more_axes(attempts: Sequence[Attempt], layout: Layout) -> bool:
    """Whether the code already ran on arrays of more axes than the layout has.

    A softmax over dim=1 is right for (S, D) and wrong for the (B, H, S, D) that it also takes.
    """
    return any(a.binding.layout.ndim > layout.ndim for a in attempts)


def written_layout_ran(attempts: Sequence[Attempt], hints: Hints) -> bool:
    """Whether an earlier attempt ran in the layout that the file writes down."""
    if chooses_layout(attempts[-1].binding):
        return False
    return any(writes_shape(hints.prose, a.binding.layout) for a in attempts[:-1])


def chooses_layout(binding: Binding) -> bool:
    """Whether the constructor has a flag for the layout, so that the file may write down several."""
    return any(size_role(p.name) == "batch_first" for p in binding.info.parameters)
