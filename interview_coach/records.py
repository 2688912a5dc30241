"""Immutable records: dataclasses that share their methods.

A frozen dataclass writes five methods as text and compiles them, each class anew: of eighty classes, a tenth of the
time from a command line to its verdict.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

_Kind = TypeVar("_Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: type[_Kind]) -> type[_Kind]:
    """Makes a class what ``dataclass(frozen=True, slots=True)`` would make of it; each field is a parameter."""
    kind.__doc__ = kind.__doc__ or kind.__name__  # else a signature is worked out for it
    made = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
    for name, method in _METHODS.items():
        setattr(made, name, method)
    return made


def _init(self: Any, *values: Any, **named: Any) -> None:
    """Stands in until the first object of a class is made."""
    kind = type(self)
    kind.__init__ = _written_init(kind)
    kind.__init__(self, *values, **named)


def _written_init(kind: Any) -> Any:
    scope: dict[str, Any] = {"_set": object.__setattr__, "_absent": MISSING}
    parameters, body = [], []
    for each in fields(kind):
        name = value = each.name
        if each.default is not MISSING:
            scope[f"_default_{name}"] = each.default
            parameters.append(f"{name}=_default_{name}")
        elif each.default_factory is not MISSING:
            scope[f"_default_{name}"] = each.default_factory
            parameters.append(f"{name}=_absent")
            value = f"_default_{name}() if {name} is _absent else {name}"
        else:
            parameters.append(name)
        body.append(f" _set(self, {name!r}, {value})")
    exec("\n".join((f"def __init__({', '.join(('self', *parameters))}):", *body)), scope)
    made = scope["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _values(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in self.__match_args__])


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"


def _eq(self: Any, other: object) -> Any:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _reduce(self: Any) -> tuple[Any, ...]:
    return type(self), _values(self)


def _setattr(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = {
    "__init__": _init, "__repr__": _repr, "__eq__": _eq, "__hash__": _hash,
    "__setattr__": _setattr, "__delattr__": _delattr, "__reduce__": _reduce,
}  # fmt: skip
