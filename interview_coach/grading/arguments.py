"""Roles of the parameters of a call, ways to call an object, and the sizes to build it with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from interview_coach.exercises import Exercise, exercises
from interview_coach.grading.angles import table_readings
from interview_coach.grading.binding import Argument
from interview_coach.grading.cached.names import cache_roles
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo, ModuleState, Parameter
from interview_coach.grading.roles import Sizes, constructor_arguments, fold, parameter_role, size_role, special_role
from interview_coach.grading.weights import classify


def resolve_arguments(parameters: Sequence[Parameter], exercise: str, *, rotates: bool = False) -> tuple[Argument, ...]:
    """Roles of the parameters of a call: by name, then by position for names that say nothing.

    Args:
        parameters: Of the call.
        exercise: Whose own roles, such as a number of key/value heads, are known as well.
        rotates: Whether the code may ask for positions to rotate by.

    Raises:
        CannotGrade: When a required parameter has no role in the exercise.
    """
    about = cache_roles(parameters) if exercise == "kv-cache" else {}
    if about:
        others = iter(resolve_arguments([p for p in parameters if p.name not in about], "causal", rotates=rotates))
        kept = [p for p in parameters if p.kind not in ("var_positional", "var_keyword")]
        return tuple(
            Argument(p.name, about[p.name], p.kind, p.default) if p.name in about else next(others) for p in kept
        )
    if parameters and all(p.kind in ("var_positional", "var_keyword") for p in parameters):
        # Such as the apply of an autograd function, or a wrapper (*args): the arguments of the stub, by position.
        return tuple(Argument(name, name, "positional_only") for name in "qkv")
    asked = exercises()[exercise]
    switches = (("grouped", asked.grouped), ("alibi", asked.alibi), ("rotation", rotates))
    kinds = [kind for kind, on in switches if on]
    found: list[Argument] = []
    for p in parameters:
        if p.kind in ("var_positional", "var_keyword"):
            continue
        role = next((r for kind in kinds if (r := special_role(kind, p.name))), None) or parameter_role(p.name)
        if role in ("mask", "bias") and p.default in ("True", "False"):
            role = "causal" if "causal" in fold(p.name) else None  # a switch, and no mask
        found.append(Argument(p.name, role or "", p.kind, p.default))
    if found and found[0].name == "h" and not {"q", "x", "qkv"} & {a.role for a in found}:
        found[0] = replace(found[0], role="x")  # hidden states come first, a number of heads never does
    blank = [a for a in found if not a.role and a.default is None]
    left = [role for role in "qkv" if [a.role for a in found].count(role) != 1]
    if len(blank) == len(left) == 1:
        found = [replace(a, role=left[0]) if a is blank[0] else a for a in found]
    roles = [a.role for a in found]
    if not {"q", "k", "v"} <= set(roles) and "x" not in roles and "qkv" not in roles:
        required = [a for a in found if a.default is None]
        by_position = {3: "qkv", 4: "qkv", 1: "x"}.get(
            len([a for a in required if a.role in ("", "x", "k", "v", "q", "mask")])
        )
        if by_position is not None:
            names = iter(by_position)
            found = [
                replace(a, role=next(names, a.role)) if a in required and a.role in ("", "x", "k", "v", "q") else a
                for a in found
            ]
    elif roles.count("x") > 1 or (roles.count("x") == 1 and "q" not in roles and "context" not in roles):
        found = _second_source(found)
    if "x" in roles and {"k", "v"} <= set(roles) and "q" not in roles:
        found = [replace(a, role="q") if a.role == "x" else a for a in found]
    if {"q", "k"} <= set(roles) and not {"v", "x", "qkv", "context"} & set(roles):
        found = [replace(a, role={"q": "x", "k": "context"}.get(a.role, a.role)) for a in found]
    if "q" in roles and "k" not in roles and "context" in roles:
        found = [replace(a, role="x") if a.role == "q" else a for a in found]
    found = _inputs_by_position(found)
    if not asked.windowed:
        found = _one_matrix(found)
    found = _height_and_width(found)
    unknown = [a.name for a in found if not a.role and a.default is None]
    if unknown:
        raise CannotGrade(
            "contract",
            f"unknown required argument {', '.join(map(repr, unknown))}: no part of standard attention is called that",
        )
    return tuple(found)


def _inputs_by_position(found: list[Argument]) -> list[Argument]:
    """One or two required arguments whose names say nothing: the input, then the context."""
    roles = [a.role for a in found]
    if {"q", "k", "v"} & set(roles) or "qkv" in roles:
        return found
    missing = iter([r for r in ("x", "context") if r not in roles])
    blank = [a for a in found if not a.role and a.default is None]
    if len(blank) > 2 - len({"x", "context"} & set(roles)):
        return found
    return [replace(a, role=next(missing)) if a in blank else a for a in found]


def _one_matrix(found: list[Argument]) -> list[Argument]:
    """A required ``w`` next to an input and no projections but that of the output: those of q, k and v in one."""
    roles = {a.role for a in found}
    sides = {"h", "w"} <= {a.name for a in found} and "w_o" not in roles
    if "x" not in roles or sides or any(r.startswith("w_") for r in roles - {"w_o"}):
        return found
    return [replace(a, role="w_qkv") if fold(a.name) in _MATRIX and a.default is None else a for a in found]


_MATRIX = frozenset({"w", "weight", "weights", "kernel", "win"})
"""Names of a projection that do not say of what."""


def _height_and_width(found: list[Argument]) -> list[Argument]:
    """Two required arguments that tell how the positions of the input lie in an image."""
    sides = {fold(a.name): a for a in found if a.default is None and not a.role.startswith("w_")}
    pair = next((p for p in (("h", "w"), ("height", "width")) if set(p) <= set(sides)), None)
    if pair is None or all(a.role != "x" for a in found):
        return found
    roles = {sides[name].name: role for name, role in zip(pair, ("height", "width"), strict=True)}
    return [replace(a, role=roles.get(a.name, a.role)) for a in found]


def _second_source(found: list[Argument]) -> list[Argument]:
    """A second input without a role of its own is the context."""
    result, seen = [], False
    blank = [a for a in found if not a.role and a.default is None]
    for a in found:
        if a.role == "x" and seen:
            result.append(replace(a, role="context"))
        elif a.role == "x":
            seen = True
            result.append(a)
        elif a in blank and len(blank) == 1 and seen:
            result.append(replace(a, role="context"))
        else:
            result.append(a)
    return result


def context_first(arguments: Sequence[Argument]) -> tuple[Argument, ...] | None:
    """The arguments with input and context exchanged, where neither is named after its side."""
    named = {a.role: parameter_role(a.name) for a in arguments}
    if named.get("x", "") not in ("x", None) or named.get("context", "") not in ("x", None):
        return None
    turn = {"x": "context", "context": "x"}
    return tuple(replace(a, role=turn.get(a.role, a.role)) for a in arguments)


def mask_of_context(arguments: Sequence[Argument]) -> str:
    """The name of the mask that belongs to the context, where there are several masks."""
    masks = [a.name for a in arguments if a.role in ("mask", "bias", "lengths")]
    if len(masks) < 2 or not any(a.role == "context" for a in arguments):
        return ""
    words = r"enc|context|ctx|mem|src|cross|kv|key|cond"
    return next((name for name in masks if re.search(words, name, re.IGNORECASE)), "")


def argument_readings(arguments: tuple[Argument, ...], *, tables: bool) -> list[tuple[Argument, ...]]:
    """The arguments with ``tables`` of angles in each form; groups as key/value heads, then as heads in a group."""
    if all(a.role != "groups" for a in arguments):
        return table_readings(arguments) if tables else [arguments]
    return [
        tuple(replace(a, role=role) if a.role == "groups" else a for a in arguments)
        for role in ("kv_heads", "group_size")
    ]


def call_forms(info: CallableInfo) -> list[tuple[str | None, tuple[Parameter, ...]]]:
    """Ways to call a callable: the function itself, or the methods of its instances, likeliest first."""
    if info.kind == "function":
        return [(None, info.parameters)]
    if info.kind == "instance":
        return [(None, info.methods.get("forward") or info.methods.get("__call__") or info.parameters)]
    forms: list[tuple[str | None, tuple[Parameter, ...]]] = []
    for name in ("forward", "__call__"):
        if name in info.methods:
            forms.append((None if info.is_module or name == "__call__" else name, info.methods[name]))
            break
    forms += [(n, p) for n, p in info.methods.items() if n not in ("forward", "__call__") and not n.startswith("_")]
    return forms


WINDOW = 3
"""The window that a constructor is told at first."""


def sizes_to_try(info: CallableInfo, exercise: str, code: str) -> list[Sizes]:
    """Sizes for a constructor: all different first, then powers of two for code that insists, then those it fixes."""
    asked = exercises()[exercise]
    found = [*sizes_of_file(code, info), *_sizes(info, asked)]
    return [replace(sizes, window=WINDOW) for sizes in found] if asked.windowed else found


def _sizes(info: CallableInfo, asked: Exercise) -> list[Sizes]:
    roles = {size_role(p.name) for p in info.parameters}
    grouped = bool(roles & {"kv_heads", "group_size"}) or (asked.grouped and "config" in roles)
    context = 22 if "d_context" in roles and "d_model" in roles else None
    many = bool(roles & {"heads", "config"}) or not info.parameters
    if asked.alibi and many:
        return [Sizes(32, 4, None, context), Sizes(64, 8, 2 if grouped else None, context)]
    if grouped:
        return [Sizes(60, 6, 2, context), Sizes(64, 8, 2, context), Sizes(32, 4, 4, context)]
    if not many and "d_head" in roles and "d_model" in roles:  # one head, narrower than the model at first
        return [Sizes(30, 5, None, context), Sizes(10, 1, None, context), Sizes(16, 1, None, context)]
    if not many:
        return [
            Sizes(10, 1, None, context),
            Sizes(16, 1, None, context),
            Sizes(30, 5, None, context),
            Sizes(64, 1, None, context),
            Sizes(64, 8, None, None),
        ]
    wide = [Sizes(30, 5, wide=True)] if roles & {"d_head", "d_value"} else []
    return [
        Sizes(30, 5, None, context),
        *wide,
        Sizes(32, 4, None, context),
        Sizes(64, 8, None, None),
        Sizes(64, 4, None, None),
    ]


def sizes_of_file(code: str, info: CallableInfo) -> list[Sizes]:
    """Sizes that the file fixes by constants at its top level, such as ``n_embd = 384``, for code that reads them."""
    constants = {
        role: int(value)
        for name, value in re.findall(r"^(\w+)\s*(?::\s*int\s*)?=\s*(\d+)\s*(?:#.*)?$", code, re.MULTILINE)
        if (role := size_role(name)) in ("d_model", "heads", "d_head")
    }
    width = constants.get("d_model", 0)
    if not 2 <= width <= 1024 or "d_model" in {size_role(p.name) for p in info.parameters}:
        return []
    counts = dict.fromkeys([constants.get("heads", 0), width // constants.get("d_head", width), 4, 2])
    fitting = [heads for heads in counts if heads > 1 and width % heads == 0][:2]
    # A head as wide as there are heads tells d from the root of d_model by nothing.
    return [Sizes(width, heads) for heads in sorted(fitting, key=lambda heads: heads**2 == width)]


def _holds_one_head(sizes: Sizes, state: ModuleState) -> bool:
    """Whether the query projection is as wide as one head of the configuration."""
    if sizes.heads == 1 or sizes.d_head == sizes.d_model:
        return False
    entries = [classify(n, t.data.shape, state.submodules) for n, t in state.parameters.items()]
    queries = [e for e in entries if e.kind == "q" and not e.is_bias and len(e.shape) == 2]
    if len(queries) != 1:
        return False
    query = queries[0]
    return (query.shape[0] if query.is_linear else min(query.shape)) == sizes.d_head


def _grouped(sizes: Sizes, state: ModuleState) -> int | None:
    """Key/value heads, where the key projection is narrower than the query projection by whole heads."""
    entries = [classify(n, t.data.shape, state.submodules) for n, t in state.parameters.items()]
    width = {e.kind: e.shape[0] for e in entries if e.is_linear and not e.is_bias and len(e.shape) == 2}
    query, key = width.get("q"), width.get("k") or (width.get("kv", 0) // 2)
    if not query or not key or key >= query or query % sizes.heads:
        return None
    dim = query // sizes.heads
    return key // dim if key % dim == 0 and sizes.heads % (key // dim) == 0 else None


def settle_heads(sizes: Sizes, state: ModuleState) -> Sizes:
    """Heads as the object itself has them, where the constructor did not ask."""
    if _holds_one_head(sizes, state):
        return replace(sizes, single=True)
    named = {
        role: value
        for name, value in reversed(state.attributes.items())
        if (role := size_role(name)) in ("heads", "kv_heads") and type(value) is int and value > 0
    }
    heads = named.get("heads", sizes.heads)
    if sizes.d_model % heads == 0:
        sizes = replace(sizes, heads=heads)
    kv_heads = _grouped(sizes, state) or named.get("kv_heads")
    return replace(sizes, kv_heads=kv_heads) if kv_heads and kv_heads < sizes.heads else sizes


def constructor_text(info: CallableInfo, sizes: Sizes) -> str:
    """The constructor's own parameter names, as the contract line shows them."""
    try:
        values, _ = constructor_arguments(info.parameters, sizes)
    except KeyError:
        return ""
    return ", ".join(values)
