"""What a loaded submission offers to be called."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any, Literal

from interview_coach.grading.protocol import CallableInfo, Parameter

_REPR_LIMIT = 200
_DOC_LIMIT = 20_000
_MAX_CALLABLES = 500
_FOREIGN = ("typing", "types", "triton", "logging", "torch._ops", "interview_coach")
"""Modules whose callable instances are no submission's own functions: type aliases, kernels, loggers, placeholders."""


def callables(module: ModuleType, tree: ast.Module) -> tuple[CallableInfo, ...]:
    """The module's own functions, classes and callable instances, in source order."""
    lines = _bound_names(tree.body)
    names = [name for name in lines if name in module.__dict__]
    names += [
        name
        for name, value in module.__dict__.items()
        if name not in lines and isinstance(value, FunctionType | type) and value.__module__ == module.__name__
    ]
    found: dict[int, tuple[list[str], Any]] = {}
    for name in names[:_MAX_CALLABLES]:
        value = module.__dict__[name]
        if _is_own(value, module):
            found.setdefault(id(value), ([], value))[0].append(name)
    infos = []
    for aliases, value in found.values():
        own_name = getattr(value, "__name__", None)
        name = own_name if own_name in aliases else aliases[0]
        aliases.remove(name)
        infos.append(_describe(name, value, lines.get(name), tuple(aliases)))
    return tuple(infos)


def _bound_names(body: list[ast.stmt]) -> dict[str, int]:
    """Names that the module's statements define or assign, with their lines. Imports are not the module's own."""
    lines: dict[str, int] = {}
    for node in _statements(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            lines[node.name] = node.lineno
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        lines.setdefault(part.id, node.lineno)
    return lines


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)


def _is_own(value: Any, module: ModuleType) -> bool:
    if isinstance(value, type):
        return value.__module__ == module.__name__
    if isinstance(value, ModuleType) or not callable(value):
        return False
    maker = type(value).__module__
    return not any(maker == name or maker.startswith(name + ".") for name in _FOREIGN if name != module.__name__) or (
        isinstance(value, FunctionType | MethodType)
    )


def _describe(name: str, value: Any, line: int | None, aliases: tuple[str, ...]) -> CallableInfo:
    torch = sys.modules.get("torch")
    kind: Literal["function", "class", "instance"]
    methods: dict[str, tuple[Parameter, ...]] = {}
    is_module = is_autograd_function = False
    if isinstance(value, type):
        kind = "class"
        parameters = _parameters(value)
        methods = _methods(value)
        if torch is not None:
            is_module = issubclass(value, torch.nn.Module)
            is_autograd_function = issubclass(value, torch.autograd.Function)
    else:
        function = _is_function(value)
        kind = "function" if function else "instance"
        if torch is not None:
            is_module = isinstance(value, torch.nn.Module)
        parameters = _parameters(value.forward if is_module else value)
        methods = {} if function else _methods(type(value))
    doc = getattr(value, "__doc__", None)
    return CallableInfo(
        name,
        kind,
        parameters,
        methods,
        doc[:_DOC_LIMIT] if isinstance(doc, str) else "",
        line,
        is_module,
        is_autograd_function,
        aliases,
    )


def _is_function(value: Any) -> bool:
    """Whether a reader would say function: also one that is cached, compiled, partly applied or built in."""
    return (
        inspect.isroutine(value)
        or isinstance(value, functools.partial)
        or hasattr(value, "__wrapped__")
        or type(value).__name__ == "ScriptFunction"
    )


def _methods(owner: type) -> dict[str, tuple[Parameter, ...]]:
    """Public methods that the submission itself defines, and ``forward`` and ``__call__`` wherever they come from."""
    found: dict[str, tuple[Parameter, ...]] = {}
    torch = sys.modules.get("torch")
    takes_context = torch is not None and issubclass(owner, torch.autograd.Function)  # static or not
    own = [base for base in owner.__mro__ if base.__module__ == owner.__module__]
    names = [name for base in own for name in vars(base) if not name.startswith("_") or name == "__call__"]
    for name in dict.fromkeys([*names, "forward", *(["__call__"] if not hasattr(owner, "forward") else [])]):
        value = inspect.getattr_static(owner, name, None)
        if value is None or getattr(value, "__name__", "") == "_forward_unimplemented":
            continue
        bound = value
        if isinstance(value, staticmethod | classmethod):
            bound = value.__func__
        if callable(bound) and not isinstance(bound, type):
            parameters = _parameters(bound)
            found[name] = parameters if isinstance(value, staticmethod) or takes_context else parameters[1:]
    return found


def _parameters(value: Any) -> tuple[Parameter, ...]:
    signature = None
    for candidate in (value, getattr(value, "_torchdynamo_inline", None), getattr(value, "__call__", None)):  # noqa: B004
        if candidate is not None:
            try:
                signature = inspect.signature(candidate)
                break
            except (TypeError, ValueError):
                continue
    if signature is None:
        return ()
    return tuple(
        Parameter(
            parameter.name,
            parameter.kind.name.lower(),
            None if parameter.default is parameter.empty else _short_repr(parameter.default),
            _annotation(parameter),
        )
        for parameter in signature.parameters.values()
    )


def _annotation(parameter: inspect.Parameter) -> str:
    if parameter.annotation is parameter.empty:
        return ""
    if isinstance(parameter.annotation, str):
        return parameter.annotation[:_REPR_LIMIT]
    try:
        return inspect.formatannotation(parameter.annotation)[:_REPR_LIMIT]
    except BaseException:  # a repr of the submission's
        return ""


def _short_repr(value: Any) -> str:
    try:
        return repr(value)[:_REPR_LIMIT]
    except BaseException:  # a repr of the submission's
        return f"<{type(value).__name__}>"
