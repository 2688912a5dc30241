"""Running a submission on canonical inputs, under a binding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.binding import Argument, Binding
from interview_coach.grading.echoes import Echoes
from interview_coach.grading.failures import in_short
from interview_coach.grading.family.inputs import AttentionInputs, Weights
from interview_coach.grading.guest import Guest
from interview_coach.grading.layouts import CONVOLVED, DIRECT, PROJECTED, floating_tensor, outputs
from interview_coach.grading.observation import Observation, Observed, describe
from interview_coach.grading.packed import unpack
from interview_coach.grading.parameters import random_parameters
from interview_coach.grading.plain import NOTHING, plain_value
from interview_coach.grading.protocol import Call, Failure, ModuleState, Outcome, Ref, Tensor
from interview_coach.grading.roles import MASKS, Sizes, constructor_arguments, size_role
from interview_coach.grading.weights import has_ties, readings, weight_argument
from interview_coach.oracles.attention import split_heads

if TYPE_CHECKING:
    pass


class Subject:
    """A submission under a binding. Instances are made once per size and precision, with random weights."""

    def __init__(self, guest: Guest, binding: Binding, seed: int) -> None:
        self.guest = guest
        self.binding = binding
        self.seed = seed
        self._instances: dict[tuple[Sizes, str], tuple[Ref, ModuleState | None]] = {}
        self.echoes = Echoes()

    def bound(self, **changes: Any) -> Subject:
        """The same submission under a changed binding; instances are shared."""
        other = Subject(self.guest, replace(self.binding, **changes), self.seed)
        other._instances, other.echoes = self._instances, self.echoes
        return other

    # ── instances and weights ──────────────────────────────────────────────────────────────────────────────────────

    def instance(self, sizes: Sizes, dtype: str = "float32") -> tuple[Ref | None, ModuleState | None, Failure | None]:
        """The object to call, its parameters after random values were set, or why it could not be made."""
        key = (sizes, dtype)
        if key in self._instances:
            return (*self._instances[key], None)
        info = self.binding.info
        try:
            kwargs, _ = constructor_arguments(info.parameters, sizes, self.binding.config_names)
            kwargs |= self.binding.cache.switches(info.parameters) if self.binding.cache is not None else {}
        except KeyError as error:
            text = f"{info.name}(...) needs {error.args[0]!r}, which says nothing of its size or use"
            return None, None, Failure("contract", text)
        outcome = self.guest.call(Call(info.name, kwargs=kwargs, framework=self.binding.framework))
        if outcome.failure is not None or outcome.ref is None:
            return None, None, outcome.failure or Failure("contract", f"{info.name}(...) could not be made")
        state = self.guest.state(outcome.ref)
        if any(kind.startswith("Lazy") for kind in state.submodules.values()):
            state = self._materialise(outcome.ref, sizes)
        if self.binding.cache is not None and state is not None:
            state = self.binding.cache.without_cache(state)
        if self.binding.projected and state is not None:
            values = random_parameters(state, np.random.default_rng([self.seed, 77]), dtype, sizes.gain)
            if values:
                self.guest.assign(outcome.ref, values)
            # One object in several places has several names and one value.
            tied = values if not has_ties(state) else self.guest.state(outcome.ref).parameters
            state = replace(state, parameters={**state.parameters, **tied})
        if dtype != "float32" and info.is_module:
            self.guest.convert(outcome.ref, dtype)
        self._instances[key] = (outcome.ref, state)
        return outcome.ref, state, None

    def _materialise(self, ref: Ref, sizes: Sizes) -> ModuleState:
        """Lazy layers take their sizes from a first call."""
        x = Tensor(np.zeros((3, 5, sizes.d_model), np.float32), "float32")
        sources = ("x", "q", "k", "v", "context")
        inputs = {
            a.name: x if a.role in sources else None
            for a in self.binding.arguments
            if a.role in sources or a.default is None
        }
        self.guest.call(Call(ref, kwargs=inputs, method=self.binding.method, framework=self.binding.framework))
        return self.guest.state(ref)

    def module_weights(self, sizes: Sizes, dtype: str = "float32") -> Weights | None:
        """The projections of the module as float64, read by the binding's reading."""
        _, state, _ = self.instance(sizes, dtype)
        reading = self.binding.reading
        if state is None or reading is None:
            return None
        if sizes != self.binding.sizes:
            reading = next((r for r in readings(state, sizes) if r.key == reading.key), reading)
        return reading.weights({n: t.data.astype(np.float64) for n, t in state.parameters.items()})

    # ── calling ────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(
        self,
        case: AttentionInputs,
        *,
        dtype: str = "float32",
        memory: Any = "contiguous",
        cotangent: Array | None = None,
        watch: frozenset[str] = frozenset(),
        sizes: Sizes | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> Observation:
        """Call the submission on canonical inputs. The call is under way when this returns.

        Args:
            case: The inputs, already rounded to ``dtype``.
            dtype: Type of the floating arguments.
            memory: Memory layout of the arguments.
            cotangent: In canonical order; if given, gradients for q, k, v or x, context are taken.
            watch: Instruments, see :class:`Call`.
            sizes: Sizes of the module, the binding's if not given.
            extra: Values for roles beyond the inputs, e.g. ``{"causal": False}``.
        """
        binding = self.binding
        if sizes is None:
            sizes = binding.sizes if binding.projected else self._direct_sizes(case)
        if case.window is not None:
            sizes = replace(sizes, window=case.window)
        if binding.cache is not None:
            return binding.cache.run(self, case, dtype=dtype, memory=memory, watch=watch, sizes=sizes)
        target: str | Ref = binding.info.name
        if binding.needs_instance:
            ref, _, failure = self.instance(sizes, dtype)
            if ref is None:
                missing = Observed(None, Outcome(failure=failure), problem="no instance")
                return Observation(lambda: missing)
            target = ref
        values = self._values(case, dtype, memory, cotangent is not None, sizes, dict(extra or {}))
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        positional = True
        for argument in binding.arguments:
            if argument.name not in values:
                positional = False
            elif positional and argument.kind in ("positional_only", "positional_or_keyword"):
                args.append(values[argument.name])
            else:
                kwargs[argument.name] = values[argument.name]
        sent = None if cotangent is None else self._send(self._out_of(cotangent), dtype)
        call = Call(
            target, tuple(args), kwargs, method=binding.method, framework=binding.framework, cotangent=sent,
            output_path=binding.output_path, watch=watch,
        )  # fmt: skip
        wait = self.guest.begin(call)
        alone = "use_cache" not in (extra or {})  # and no part of a sequence, which cannot be taken up again

        def read() -> Observed:
            outcome = wait()
            if alone and binding.needs_instance and getattr(outcome.failure, "reason", "") == "lost":
                self._instances.clear()
                again = self.run(
                    case, dtype=dtype, memory=memory, cotangent=cotangent, watch=watch, sizes=sizes, extra=extra
                )
                return again._observed
            observed = self._read(case, outcome, [*args, *kwargs.values()], list(values))
            if observed.output is not None and alone:
                self.echoes.note(case, (case.q, case.k, case.v, case.x, case.context), observed.output)
            return observed

        return Observation(read)

    def _direct_sizes(self, case: AttentionInputs) -> Sizes:
        """Sizes of an object that is called on q, k, v: those of the case itself."""
        assert case.q is not None and case.v is not None
        named = {size_role(p.name) for p in self.binding.info.parameters} & {"heads", "config"}
        heads = case.heads if named else 1
        kv = case.v.shape[1] if case.v.shape[1] != heads else None
        dropout = self.binding.sizes.dropout
        return Sizes(case.q.shape[-1] * heads, heads, kv, d_value=case.v.shape[-1], dropout=dropout)

    def _send(self, array: Array, dtype: str, memory: Any = "contiguous", grad: bool = False) -> Tensor:
        return floating_tensor(array, dtype, requires_grad=grad, memory=memory)

    def _values(
        self, case: AttentionInputs, dtype: str, memory: Any, grad: bool, sizes: Sizes, extra: dict[str, Any]
    ) -> dict[str, Any]:
        binding = self.binding
        layout = binding.layout
        context = case.x if case.context is None else case.context
        value_context = context if case.value_context is None else case.value_context
        if binding.projected:
            sources: dict[str, Array | None] = {
                "x": case.x,
                "q": case.x,
                "context": context,
                "k": context,
                "v": value_context,
            }
        else:
            sources = {"q": case.q, "k": case.k, "v": case.v}
        w = case.weights
        values: dict[str, Any] = {}
        for argument in binding.arguments:
            role = argument.role
            if role in extra:
                values[argument.name] = extra[role]
            elif role in sources and sources[role] is not None:
                if role == "context" and case.context is None and argument.default is not None:
                    continue
                turn = layout.keys if layout.keys is not None and role in ("k", "v") else layout.out_of
                values[argument.name] = self._send(turn(sources[role]), dtype, memory, grad)  # type: ignore[arg-type]
            elif role == "qkv" and layout.packed is not None:
                packed = layout.packed(np.stack([a for a in (case.q, case.k, case.v) if a is not None]))
                values[argument.name] = self._send(packed, dtype, memory, grad)
            elif role in MASKS and binding.mask is not None and argument is self.mask_argument:
                if case.keep is not None:
                    values[argument.name] = binding.mask.encode(case.keep, dtype)
                elif case.bias is not None:
                    values[argument.name] = self._send(case.bias, dtype)
                elif binding.mask_needed:
                    values[argument.name] = binding.mask.encode(case.all_kept(), dtype)
                elif argument.default is None:
                    values[argument.name] = None
            elif (blank := binding.blanks.get(argument.name)) is not None:
                values[argument.name] = blank.encode(case.all_kept(), dtype)
            elif role[:2] in ("w_", "b_") and w is not None:
                array = weight_argument(w, role)
                if array is not None:
                    turned = binding.turned_weights and array.ndim == 2
                    values[argument.name] = self._send(array.T if turned else array, dtype)
                elif argument.default is None:
                    values[argument.name] = None
            elif role == "window" and case.window is not None:
                pair = (argument.default or "").startswith("(")
                values[argument.name] = (case.window - 1, 0) if pair else case.window
            elif role == "scale" and binding.scale_passed:
                values[argument.name] = plain_value(role, case, sizes)
            elif argument.default is None or (role == "causal" and case.causal != (argument.default == "True")):
                plain = plain_value(role, case, sizes, dtype)
                if plain is not NOTHING:
                    values[argument.name] = plain
            elif role == "training" and argument.default == "True" and argument.name != "deterministic":
                values[argument.name] = False
            elif role in ("n_heads", "kv_heads", "group_size") and not binding.needs_instance:
                values[argument.name] = plain_value(role, case, sizes)
        return values

    @property
    def mask_argument(self) -> Argument | None:
        """The parameter that takes the mask: the first of its kind, unless the binding names another."""
        masks = [a for a in self.binding.arguments if a.role in MASKS]
        return next((a for a in masks if a.name == self.binding.mask_name), masks[0] if masks else None)

    # ── reading what came back ─────────────────────────────────────────────────────────────────────────────────────

    def _out_of(self, canonical: Array) -> Array:
        if self.binding.output == "merged":
            b, h, s, d = canonical.shape
            merged_alone = self.binding.layout.unbatched
            merged: Array = canonical.transpose(0, 2, 1, 3).reshape(b, s, h * d)
            return (
                merged.swapaxes(0, 1) if self.binding.layout.name == "SBHD" else merged[0] if merged_alone else merged
            )
        layouts = {**PROJECTED, **CONVOLVED} if self.binding.projected else DIRECT
        layout = layouts.get(self.binding.output, self.binding.layout)
        return layout.out_of(canonical)

    def reread(self, case: AttentionInputs, raw: Observation) -> Observation:
        """What came back, read under this binding."""
        found = self._read(case, raw.outcome, [], [])
        return Observation(lambda: found)

    def _read(self, case: AttentionInputs, outcome: Outcome, sent: list[Any], names: list[str]) -> Observed:
        if outcome.failure is not None:
            return Observed(None, outcome, problem=in_short(outcome.failure))
        value = outcome.value
        for step in self.binding.output_path:
            try:
                value = value[step]
            except (TypeError, IndexError, KeyError):
                return Observed(None, outcome, problem=f"the result changed its form: {describe(outcome.value)}")
        if not isinstance(value, Tensor):
            return Observed(None, outcome, problem=f"returned {describe(value)}, expected an array")
        # Complex numbers are no result, and their real parts none either.
        array = value.data if value.data.dtype.kind != "c" else np.full(value.data.shape, np.nan)
        readers: Mapping[str, Callable[[Array], Array]]
        if self.binding.projected:
            readers = {self.binding.layout.name: self.binding.layout.back}
        else:
            readers = outputs(self.binding.layout, case.heads)
        if self.binding.output in readers:
            readers = {self.binding.output: readers[self.binding.output]}
        expected = self.expected_shape(case)
        for back in readers.values():
            try:
                canonical = back(array)
            except (ValueError, IndexError):
                continue
            if expected is None or canonical.shape == expected:
                gradients = self._gradients(case, outcome, sent, names)
                return Observed(np.asarray(canonical, np.float64), outcome, value, gradients=gradients)
        return Observed(None, outcome, value, problem=f"shape {tuple(array.shape)}, expected {self.wanted_shape(case)}")

    def expected_shape(self, case: AttentionInputs) -> tuple[int, ...] | None:
        """Canonical shape of the output."""
        if case.q is not None and case.v is not None:
            return (*case.q.shape[:-1], case.v.shape[-1])
        assert case.x is not None
        w = case.weights
        if w is None:
            return None
        width = w.o.shape[-1] if w.o is not None else (w.v.shape[-1] // (w.kv_heads or case.heads)) * case.heads
        return (*case.x.shape[:-1], width)

    def wanted_shape(self, case: AttentionInputs) -> tuple[int, ...]:
        """The shape a right output has, in the submission's own order."""
        shape = self.expected_shape(case)
        return self._out_of(np.zeros(shape)).shape if shape is not None else ()

    def _gradients(
        self, case: AttentionInputs, outcome: Outcome, sent: list[Any], names: list[str]
    ) -> dict[str, Array | None]:
        roles = {a.name: a.role for a in self.binding.arguments}
        found: dict[str, Array | None] = {}
        wanted = [n for n, s in zip(names, sent, strict=True) if isinstance(s, Tensor) and s.requires_grad]
        for name, gradient in zip(wanted, outcome.gradients, strict=False):
            if roles[name] == "qkv" and gradient is not None and case.q is not None:
                parts = unpack(self.binding.layout, gradient.data.astype(np.float64), (3, *case.q.shape))
                found |= dict(zip("qkv", parts, strict=True))
                continue
            back = self._input_back(case, roles[name])
            found[roles[name]] = None if gradient is None else np.asarray(back(gradient.data), np.float64)
        return found

    def _input_back(self, case: AttentionInputs, role: str) -> Callable[[Array], Array]:
        """From the form that an input was sent in to canonical order."""
        layout, given = self.binding.layout, getattr(case, role, None)
        if layout.merged and given is not None:
            return lambda a: split_heads(a, given.shape[1])
        return layout.keys_back if layout.keys_back is not None and role in ("k", "v") else layout.back
