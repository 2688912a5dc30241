"""A submission under a contract, and running it on canonical cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from interview_coach.grading.binding import Argument
from interview_coach.grading.echoes import Echoes
from interview_coach.grading.failures import in_short
from interview_coach.grading.functions import rows
from interview_coach.grading.functions.sending import Layout, floating, send
from interview_coach.grading.functions.signature import CallForm
from interview_coach.grading.functions.task import Array, Case, Output, Outputs, Task
from interview_coach.grading.guest import Guest
from interview_coach.grading.numbers import real
from interview_coach.grading.observation import describe
from interview_coach.grading.protocol import Call, CallableInfo, Failure, Outcome, Ref, Tensor
from interview_coach.records import record


@record
class Binding:
    """How a function is called; ``reading`` holds the conventions that the numbers decided."""

    info: CallableInfo
    framework: Any
    form: CallForm
    layout: Layout
    sent_as: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    rows: str = ""
    """What the arrays after the output are: one of :data:`.rows.FORMS`; empty where there are none."""
    stated: tuple[str, ...] = ()
    """Keys of the conventions that the file states."""
    order: str = ""
    """The axes of those arrays, in order."""
    short: bool = False
    """Whether it returns no optional outputs."""


@record
class Observed:
    """What came back: canonical outputs, or what is wrong with them.

    ``arrays`` are the outputs as they came, also where a shape differs.
    """

    outputs: Outputs | None
    outcome: Outcome
    arrays: Outputs = ()
    problem: str = ""
    raw: tuple[Any, ...] = ()

    @property
    def failure(self) -> Failure | None:
        """The failure of the call, if it failed."""
        return self.outcome.failure


class FunctionSubject:
    """A submission under a binding; instances are made once per set of constructor values."""

    def __init__(self, guest: Guest, task: Task, binding: Binding) -> None:
        self.guest, self.task, self.binding = guest, task, binding
        self._instances: dict[str, Ref] = {}
        self._path: tuple[int | str, ...] = ()
        self._known: tuple[Case, Outputs] | None = None
        """The truth of the case that was last asked for: it is needed several times in a row."""
        self.echoes = Echoes()

    def bound(self, **changes: Any) -> FunctionSubject:
        """The same submission under a changed binding."""
        other = FunctionSubject(self.guest, self.task, replace(self.binding, **changes))
        other._instances, other._path, other.echoes = self._instances, self._path, self.echoes
        return other

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs that are expected from it."""
        return tuple(
            o
            for o in self.task.outputs
            if (not o.needs or o.needs in self.binding.form.roles)
            and (not o.rows or self.binding.rows)
            and not (o.optional and self.binding.short)
        )

    def truth(self, case: Case) -> Outputs:
        """The oracle under the binding's conventions."""
        if self._known is None or self._known[0] is not case:
            with np.errstate(all="ignore"):
                self._known = case, self.task.truth({**case, **self.binding.reading})
        values = self._known[1]
        return tuple(values[i] for i, o in enumerate(self.task.outputs) if o in self.outputs)

    def run(
        self,
        case: Case,
        *,
        dtype: str = "",
        memory: Any = "contiguous",
        cotangent: Array | None = None,
        watch: frozenset[str] = frozenset(),
    ) -> Observed:
        """Call the submission on a case, in the precision of the task unless another is asked for."""
        observed = self.read(case, self.call(case, dtype=dtype, memory=memory, cotangent=cotangent, watch=watch))
        if observed.outputs is not None and cotangent is None and not self.binding.form.differentiated:
            arrays = [
                case[r.name] for r in self.task.roles if r.kind == "float" and isinstance(case.get(r.name), np.ndarray)
            ]
            self.echoes.note(case, arrays, observed.outputs[0])
        return observed

    def call(
        self,
        case: Case,
        *,
        dtype: str = "",
        memory: Any = "contiguous",
        cotangent: Array | None = None,
        watch: frozenset[str] = frozenset(),
    ) -> Outcome:
        """What a call brings, unread: for that the oracle would have to compute as well."""
        dtype = dtype or self.task.dtype
        binding, form = self.binding, self.binding.form
        target: str | Ref = binding.info.name
        if binding.info.kind == "class" and not form.differentiated:
            made = self._instance(case)
            if isinstance(made, Outcome):
                return made
            target = made
        inputs = frozenset(r.name for r in self.task.roles if r.grad and cotangent is not None)
        if form.differentiated:
            assert self.task.backward is not None
            cotangent, inputs = case[self.task.backward[0]], frozenset(self.task.backward[1])
        if form.setup_arguments:
            args, kwargs = self._values(form.setup_arguments, case, dtype, memory, inputs)
            first = self.guest.call(
                Call(target, args, kwargs, method=form.setup, framework=binding.framework, keep=False)
            )
            if first.failure is not None:
                return first
        args, kwargs = self._values(form.arguments, case, dtype, memory, inputs)
        sent = None
        if cotangent is not None:
            axes = self.task.role(self.task.backward[0]).axes if self.task.backward else self.outputs[0].axes
            sent = floating(binding.layout.out_of(cotangent, axes), dtype)
        outcome = self.guest.call(
            Call(
                target,
                args,
                kwargs,
                method=form.method,
                framework=binding.framework,
                cotangent=sent,
                watch=watch,
                keep=False,
                output_path=self._path,
            )
        )
        if outcome.failure is not None and outcome.failure.reason == "lost" and self._instances:
            self._instances.clear()
            return self.call(case, dtype=dtype, memory=memory, cotangent=cotangent, watch=watch)
        return outcome

    def _instance(self, case: Case) -> Ref | Outcome:
        values: dict[str, Any] = {}
        for a in self.binding.form.constructor:
            if self._left_out(a, case):
                continue
            if a.role.startswith("size:"):
                letter = a.role[5:]
                values[a.name] = int(letter) if letter.isdigit() else case["dims"][letter]
            else:
                role = self.task.role(a.role)
                sent = self.binding.sent_as.get(a.role, role.forms[0])
                values[a.name] = send(role, case, sent, self.binding.layout, "float32", "contiguous", False)
        key = repr(sorted((name, v.data.tolist() if isinstance(v, Tensor) else v) for name, v in values.items()))
        if key not in self._instances:
            made = self.guest.call(Call(self.binding.info.name, kwargs=values, framework=self.binding.framework))
            if made.failure is not None or made.ref is None:
                return made
            self._instances[key] = made.ref
        return self._instances[key]

    def _values(
        self, arguments: tuple[Argument, ...], case: Case, dtype: str, memory: Any, inputs: frozenset[str]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        positional = True
        for a in arguments:
            role = self.task.role(a.role)
            if self._left_out(a, case):
                positional = False
                continue
            form = self.binding.sent_as.get(a.role, role.forms[0])
            value = send(role, case, form, self.binding.layout, dtype, memory, a.role in inputs)
            if positional and a.kind != "keyword_only":
                args.append(value)
            else:
                kwargs[a.name] = value
        return tuple(args), kwargs

    def _left_out(self, a: Argument, case: Case) -> bool:
        """Whether a parameter stays at its default."""
        if a.default is None or a.role.startswith("size:"):
            return False
        leaves_it = a.role == "scale" and a.default in ("1", "1.0")  # to the caller
        return case.get(a.role) is None or (self.task.role(a.role).left and not leaves_it)

    # ── reading what came back ─────────────────────────────────────────────────────────────────────────────────────

    def read(self, case: Case, outcome: Outcome) -> Observed:
        """What a call gave, in canonical order."""
        if outcome.failure is not None:
            return Observed(None, outcome, problem=in_short(outcome.failure))
        if self.binding.form.differentiated:
            if outcome.gradient_failure is not None:
                return Observed(
                    None, replace(outcome, failure=outcome.gradient_failure), problem=in_short(outcome.gradient_failure)
                )
            values: tuple[Any, ...] | str = self._gradients(outcome)
        elif any(o.rows for o in self.task.outputs):
            return self._read_rows(case, outcome)
        else:
            values = _select(outcome.value, self.outputs)
        if isinstance(values, str):
            return Observed(None, outcome, problem=values)
        if not self.binding.form.differentiated:
            self._path = _first(outcome.value)
        raw = tuple(real(v.data if isinstance(v, Tensor) else v) for v in values)
        canonical: list[Array] = []
        for array, output, expected in zip(raw, self.outputs, self.truth(case), strict=True):
            try:
                back = (
                    self.binding.layout.back(array, output.axes)
                    if output.axes or array.size != 1
                    else array.reshape(())
                )
            except ValueError:
                back = None
            if back is None or back.shape != expected.shape:
                want = self.binding.layout.out_of(expected, output.axes).shape
                return Observed(None, outcome, raw, f"{output.name} of shape {array.shape}, expected {want}", values)
            canonical.append(back)
        return Observed(tuple(canonical), outcome, tuple(canonical), raw=values)

    def row_letters(self) -> str:
        """The axes of an output of one number a query in this layout."""
        axes = next((o.axes for o in self.task.outputs if o.rows), "")
        return "".join(a for a in axes if a not in self.binding.layout.drop)

    def _read_rows(self, case: Case, outcome: Outcome) -> Observed:
        """The output, and the numbers a query that come with it."""
        dims, letters = case["dims"], self.row_letters()
        found = rows.split(outcome.value, int(np.prod([dims[a] for a in letters])))
        names = ", ".join(o.name for o in self.task.outputs)
        if found is None:
            return Observed(None, outcome, problem=f"returned {describe(outcome.value)}, expected ({names})")
        out, rest = found
        main = self.task.outputs[0]
        truth = self.truth(case)
        array = real(out.data)
        try:
            canonical = self.binding.layout.back(array, main.axes)
        except ValueError:
            canonical = array
        if canonical.shape != truth[0].shape:
            want = self.binding.layout.out_of(truth[0], main.axes).shape
            problem = f"{main.name} of shape {array.shape}, expected {want}"
            return Observed(None, outcome, (array,), problem, (out,))
        if not self.binding.rows:
            return Observed(self._asked(case, (canonical,)), outcome, (canonical,), raw=(out,))
        if len(rest) < 1 + ("," in self.binding.rows):
            text = f"{names.split(', ')[1]} is missing: returned {describe(outcome.value)}, expected ({names})"
            return Observed(None, outcome, (canonical,), text, (out,))
        tensor, numbers = rows.log_sum_exp(rest, self.binding.rows)
        order = self.binding.order or rows.order_of(tensor.data.shape, letters, dims) or letters
        back = rows.in_order(numbers, letters, order, dims)
        if back is None:
            text = f"{names.split(', ')[1]} of shape {tensor.data.shape}, expected a number a query"
            return Observed(None, outcome, (canonical,), text, (out,))
        both = (canonical, back.reshape(truth[1].shape))
        return Observed(self._asked(case, both), outcome, self._asked(case, both), raw=(out, tensor))

    def _asked(self, case: Case, values: Outputs) -> Outputs:
        """The values, but for entries that are not asked for: these are as the truth has them."""
        unasked: Mapping[str, Array] = case.get("unasked", {})
        truth = self.truth(case)
        return tuple(
            np.where(unasked[o.name], t, v) if o.name in unasked else v
            for v, t, o in zip(values, truth, self.outputs, strict=True)
        )

    def _gradients(self, outcome: Outcome) -> tuple[Any, ...] | str:
        """What the backward of an autograd function gave, in the order of the task's outputs."""
        assert self.task.backward is not None
        inputs = self.task.backward[1]
        taken = [a.role for a in self.binding.form.arguments if a.role in inputs]
        by_role = dict(zip(taken, outcome.gradients, strict=False))
        missing = [r for r in inputs if by_role.get(r) is None]
        return f"no gradient of {', '.join(missing)}" if missing else tuple(by_role[r] for r in inputs)


def _first(value: Any) -> tuple[int | str, ...]:
    """Where the first output is in a result."""
    if isinstance(value, dict):
        return tuple(list(value)[:1])
    return (0,) if isinstance(value, list | tuple) else ()


def _select(value: Any, outputs: tuple[Output, ...]) -> tuple[Any, ...] | str:
    """The arrays of a result: alone, in a tuple, by name in a mapping; or what is wrong with it."""
    if isinstance(value, dict):
        found = []
        for o in outputs:
            key = next(
                (
                    k
                    for k in value
                    if isinstance(k, str) and re.fullmatch(o.names or o.name, re.sub(r"[_\W]", "", k).lower())
                ),
                None,
            )
            found.append(value[key] if key is not None else None)
        value = tuple(found)
    if len(outputs) == 1:
        if isinstance(value, list | tuple) and value and isinstance(value[0], Tensor):
            value = value[0]
        if isinstance(value, Tensor) or (
            not outputs[0].axes and isinstance(value, int | float) and not isinstance(value, bool)
        ):
            return (value,)
        return f"returned {describe(value)}, expected an array"
    names = ", ".join(o.name for o in outputs)
    if (
        isinstance(value, list | tuple)
        and len(value) >= len(outputs)
        and all(isinstance(v, Tensor) for v in value[: len(outputs)])
    ):
        return tuple(value[: len(outputs)])
    if (
        isinstance(value, Tensor)
        and value.data.ndim
        and value.data.shape[0] == len(outputs)
        and value.framework == "numpy"
    ):
        return tuple(replace(value, data=part) for part in value.data)
    return f"returned {describe(value)}, expected ({names})"
