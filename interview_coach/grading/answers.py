"""What a guest answered, as the protocol's values: every field is checked before it is believed."""

from __future__ import annotations

import math
from typing import Any, Literal, cast

from interview_coach.grading import failures, wire
from interview_coach.grading.protocol import (
    Call,
    CallableInfo,
    Cost,
    Failure,
    Kernels,
    Limits,
    ModuleInfo,
    ModuleState,
    Outcome,
    Parameter,
    Ref,
    Stray,
    Tensor,
)
from interview_coach.grading.wire import WireError, text
from interview_coach.records import record


@record
class Step:
    """One thing that a guest was asked: a call and what came of it, or values set in the object ``of`` a call."""

    number: int
    call: Call | None = None
    outcome: Outcome | None = None
    of: int | None = None
    values: dict[str, Tensor] | None = None
    dtype: str | None = None


def failed(header: dict[str, Any], limits: Limits) -> Failure | None:
    """The failure that an answer tells of."""
    form = header.get("failure")
    return None if form is None else _failure(form, limits)


def _failure(form: Any, limits: Limits) -> Failure:
    reason = text(_field(form, "reason", str))
    facts = {text(key): _fact(value) for key, value in _field(form, "facts", dict).items()}
    if reason not in failures.REASONS:
        raise WireError("an unknown reason")
    if reason == "memory":
        facts["limit"] = limits.memory_bytes >> 20
    line = form.get("line")
    if line is not None and type(line) is not int:
        raise WireError("a line that is no number")
    facts.pop("exception", None)
    facts.pop("line", None)
    return failures.failure(reason, exception=text(_field(form, "exception", str), 200), line=line, **facts)


def outcome(header: dict[str, Any], body: bytearray, ref: Ref | None, failure: Failure | None) -> Outcome:
    """The outcome of a call.

    Raises:
        WireError: for any field that is not what it should be.
    """
    decoder = wire.Decoder(body)
    value = decoder.decode(header.get("value"))
    gradients = tuple(
        None if form is None else decoder.tensor(_field(form, "tensor", dict))
        for form in _list(header.get("gradients", []))
    )
    decoder.finish()
    gradient_failure = header.get("gradient_failure")
    return Outcome(
        value=value,
        failure=failure,
        ref=ref if failure is None else None,
        gradients=gradients,
        gradient_failure=None if gradient_failure is None else _failure(gradient_failure, Limits()),
        mutated=_texts(header.get("mutated", [])),
        library=_texts(header.get("library", [])),
        cost=None if header.get("cost") is None else _cost(header["cost"], _seconds(header)),
        seconds=_seconds(header),
        kernels=None if header.get("kernels") is None else _kernels(header["kernels"]),
    )


def _kernels(form: Any) -> Kernels:
    strays = tuple(map(_stray, _field(form, "strays", list)))
    return Kernels(_texts(_field(form, "launches", list)), strays, _field(form, "programs", int))


def _stray(form: Any) -> Stray:
    line = form.get("line") if isinstance(form, dict) else None
    if line is not None and type(line) is not int:
        raise WireError("a line that is no number")
    access, argument = (text(_field(form, name, str), 200) for name in ("access", "argument"))
    return Stray(access, argument, _field(form, "count", int), line)


def module_info(form: Any) -> ModuleInfo:
    """What a module offers."""
    return ModuleInfo(
        tuple(_callable(item) for item in _field(form, "callables", list)),
        _field(form, "imports_torch", bool),
        _field(form, "imports_triton", bool),
        None if form.get("left_out") is None else _failure(form["left_out"], Limits()),
    )


def _callable(form: Any) -> CallableInfo:
    kind = _field(form, "kind", str)
    line = form.get("line")
    if kind not in ("function", "class", "instance") or not (line is None or type(line) is int):
        raise WireError("a callable of an unknown kind")
    return CallableInfo(
        text(_field(form, "name", str)),
        cast(Literal["function", "class", "instance"], kind),
        _parameters(_field(form, "parameters", list)),
        {text(name): _parameters(items) for name, items in _field(form, "methods", dict).items()},
        text(_field(form, "doc", str)),
        line,
        _field(form, "is_module", bool),
        _field(form, "is_autograd_function", bool),
        _texts(form.get("aliases", [])),
    )


def _parameters(forms: Any) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            text(_field(form, "name", str)),
            text(_field(form, "kind", str)),
            None if form.get("default") is None else text(form["default"]),
            text(_field(form, "annotation", str)),
        )
        for form in _list(forms)
    )


def module_state(header: dict[str, Any], body: bytearray) -> ModuleState:
    """Parameters, buffers, types of submodules and plain attributes of an object."""
    decoder = wire.Decoder(body)
    parameters = _tensors(decoder, header.get("parameters"))
    buffers = _tensors(decoder, header.get("buffers"))
    decoder.finish()
    attributes = _field(header, "attributes", dict)
    if not all(type(value) in (bool, int, float, str) for value in attributes.values()):
        raise WireError("an attribute that is no plain value")
    submodules = {text(name): text(kind) for name, kind in _field(header, "submodules", dict).items()}
    return ModuleState(parameters, buffers, submodules, attributes)


def _tensors(decoder: wire.Decoder, pairs: Any) -> dict[str, Tensor]:
    found = {}
    for pair in _list(pairs):
        if not isinstance(pair, list) or len(pair) != 2:
            raise WireError("an array without a name")
        found[text(pair[0])] = decoder.tensor(_field(pair[1], "tensor", dict))
    return found


def _cost(form: Any, seconds: float) -> Cost:
    flops, peak, largest = (_field(form, name, int) for name in ("flops", "peak_bytes", "largest_bytes"))
    return Cost(flops, peak, largest, seconds)


def _seconds(header: dict[str, Any]) -> float:
    value = header.get("seconds", 0.0)
    if not isinstance(value, float) or not math.isfinite(value):
        raise WireError("a time that is no number")
    return value


def _field(form: Any, name: str, kind: type) -> Any:
    if not isinstance(form, dict) or type(form.get(name)) is not kind:
        raise WireError(f"no field {name} of type {kind.__name__}")
    return form[name]


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise WireError("something else where a list belongs")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text(item, 1000) for item in _list(value))


def _fact(value: Any) -> str | int | float:
    if type(value) in (int, float):
        return cast(float, value)
    return text(value)
