"""Which callable of a file is graded, and as which exercise."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache

from interview_coach.exercises import Exercise, exercises
from interview_coach.grading.arguments import call_forms
from interview_coach.grading.cached.names import makes_cache
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo, ModuleInfo
from interview_coach.grading.report import Check
from interview_coach.grading.roles import fold, parameter_role, size_role
from interview_coach.grading.submission import Submission


@cache
def learn_names() -> None:
    """Compile what names of callables are compared with: it takes as long as a small file takes to load."""
    for exercise in exercises().values():
        exercise.matches("")


def roles_of(info: CallableInfo) -> set[str]:
    """Roles that the names in any of its call forms play."""
    return {parameter_role(p.name) or "" for _, parameters in call_forms(info) for p in parameters}


def find_exercise(
    submission: Submission, info: CallableInfo | None, asked: str | None, known: Mapping[str, Exercise]
) -> tuple[Exercise, str]:
    """The exercise and how it was found: flag, comment, name, or signature.

    Raises:
        CannotGrade: For an unknown id (with those that exist), or when nothing points to an exercise.
    """
    wanted = asked or submission.directive
    if wanted is not None:
        if wanted not in known:
            raise CannotGrade(
                "usage", f"no exercise {wanted!r}; there are {', '.join(known)}. List them: coach exercises"
            )
        return known[wanted], "--exercise" if asked else "a `# coach:` line"
    assert info is not None
    if {"q", "k", "v"} <= roles_of(info) and "triton" in submission.imports and "triton-flash" in known:
        return known["triton-flash"], "its Triton kernels"
    roles = roles_of(info)
    weighted = any(r.startswith("w_") for r in roles)
    function = named_function(info, known)
    if function is None and sum("lse" in fold(p.name) for p in info.parameters) > 1 and _means(info, "merge-lse"):
        return known["merge-lse"], f"the signature of {info.name}"
    if info.is_autograd_function and known.get("softmax") and known["softmax"].matches(info.name):
        return known["softmax-backward"], f"the name {info.name}"
    if function is not None and not (function.id == "flash-forward" and _named_kind(info, known)):
        return function, f"the name {info.name}"
    if _takes_window(info) and "sliding-window" in known and not _of_windows(submission, info):
        return known["sliding-window"], f"the signature of {info.name}"
    if "context" in roles and "x" in roles and "cross-attention" in known:
        return known["cross-attention"], f"the signature of {info.name}"
    if {"q", "k", "v"} <= roles or "x" in roles:
        by_name = [e for e in known.values() if e.matches(info.name)]
        by_name = [e for e in by_name if not (e.windowed and _of_windows(submission, info))]
        general = ("causal", "sdpa", "multi-head")
        for exercise in sorted(by_name, key=lambda e: (e.id in general[1:], e.id in general)):
            if exercise.id == "softmax" and {"q", "k", "v"} <= roles:
                continue
            if exercise.id == "multi-head" and {"q", "k", "v"} <= roles and info.kind == "function" and not weighted:
                continue
            if exercise.id == "sdpa" and (weighted or _builds_heads(info)):
                continue
            return exercise, f"the name {info.name}"
    if {"q", "k", "v"} <= roles and not weighted and not _builds_heads(info):
        return known["sdpa"], f"the signature of {info.name}"
    if weighted or (info.kind == "class" and not re.search(_FEEDS_FORWARD, fold(info.name))):
        return known["multi-head"], f"the signature of {info.name}"
    raise CannotGrade(
        "contract",
        f"{info.name}({', '.join(p.name for p in info.parameters)}) looks like none of the exercises; "
        f"say which: --exercise {'|'.join(known)}",
    )


def _named_kind(info: CallableInfo, known: Mapping[str, Exercise]) -> bool:
    """Whether the name means grouped heads, linear biases or a window."""
    return any((e.grouped or e.alibi or e.windowed) and e.matches(info.name) for e in known.values())


def _takes_window(info: CallableInfo) -> bool:
    """Whether the call on queries, keys and values, or the constructor of projections, requires a window."""
    required = {fold(p.name) for p in info.parameters if p.default is None}
    inputs = {"q", "k", "v"} <= roles_of(info) if info.kind == "function" else _builds_heads(info)
    return inputs and any("window" in name and "context" not in name for name in required)


def _of_windows(submission: Submission, info: CallableInfo) -> bool:
    """Whether a window is what a class is given, as in the Swin Transformer, and not what each query sees of more."""
    slides = re.search(r"slid|local|band|causal|mistral|longformer|tri[lu]\b|滑动|因果|局部", submission.text, re.I)
    return info.kind == "class" and slides is None


def _builds_heads(info: CallableInfo) -> bool:
    """Whether a class asks its constructor for a width and a number of heads."""
    return info.kind == "class" and {"d_model", "heads"} <= {size_role(p.name) for p in info.parameters}


def projects(info: CallableInfo, exercise: Exercise) -> bool:
    """Whether a class with projections of its own is named for an exercise on attention of given q, k and v."""
    roles = {parameter_role(p.name) or "" for _, parameters in call_forms(info)[:1] for p in parameters}
    own = "x" in roles and not {"k", "v"} & roles
    own |= exercise.id == "linear-attention" and _builds_heads(info)
    return exercise.attends and info.kind == "class" and own


def _means(info: CallableInfo, exercise: str, *, by_name: bool = False) -> bool:
    from interview_coach.grading.functions import means  # an engine that attention does without

    return means(info, exercise, by_name=by_name)


def named_function(info: CallableInfo, known: Mapping[str, Exercise]) -> Exercise | None:
    """The exercise on a plain function that a callable means by its name and its arguments."""
    return next(
        (
            e
            for e in known.values()
            if e.family == "function" and e.matches(info.name) and _means(info, e.id, by_name=True)
        ),
        None,
    )


def candidates(
    submission: Submission, info: ModuleInfo, name: str | None, exercise: Exercise | None
) -> list[CallableInfo]:
    """Callables that may be meant, the likeliest first.

    Raises:
        CannotGrade: When there is none, or not the named one.
    """
    backward = exercise is not None and exercise.family == "function"
    alone = all(c.is_autograd_function for c in info.callables)
    found = [c for c in info.callables if backward or alone or not c.is_autograd_function]
    if name is not None:
        chosen = [c for c in found if c.name == name]
        if not chosen:
            raise CannotGrade("usage", f"{submission.path}: no callable {name!r}; found {_listing(found)}")
        return chosen
    if not found:
        raise CannotGrade(
            "contract", f"{submission.path}: no function or class is defined; looked for {_wanted(exercise)}"
        )

    public = [c for c in found if not c.name.startswith("_")] or found
    return sorted(
        public,
        key=lambda c: (*_rank(submission, c, exercise), *_marks(submission, c, exercise), -(c.line or 0)),
    )


def _rank(submission: Submission, c: CallableInfo, exercise: Exercise | None) -> tuple[bool, bool, bool, int]:
    """What speaks against a callable: its arguments, its name, that others use it."""
    named = exercise is not None and exercise.matches(c.name)
    if exercise is not None and exercise.family == "cached":
        # The attention of a file with blocks and caches around it.
        named = not makes_cache(c) and (named or speaks_of_attention(c.name))
    inner = (c.name in submission.inner_names) + (c.kind == "function" and c.name in submission.parts_of_classes)
    if exercise is not None and exercise.family == "function":
        fits = _means(c, exercise.id)
    elif exercise is None and not inner and _stands_for_itself(submission, named_function(c, exercises())):
        fits = named = True
    else:
        roles = roles_of(c)
        required = [p for p in c.parameters if p.default is None]
        many = len(required) >= 3 and (c.kind == "function" or c.is_module)
        fits = {"q", "k", "v"} <= roles or {"x", "qkv"} & roles != set() or many or c.kind == "instance"
    # In a file with blocks and a model around it, the attention is what is called so.
    attends = exercise is None or exercise.family == "attention"
    return (not fits, not named, attends and not (named or speaks_of_attention(c.name)), inner)


def _stands_for_itself(submission: Submission, meant: Exercise | None) -> bool:
    """Whether a function is what a file is about: a rotation beside a class of attention is a part of it."""
    classes = (node.name for node in submission.tree.body if isinstance(node, ast.ClassDef))
    return meant is not None and not (meant.id == "rope" and any(map(speaks_of_attention, classes)))


def speaks_of_attention(name: str) -> bool:
    """Whether a name says attention."""
    return re.search(r"attn|attention|mha|mhsa|msa$|^(gqa|mqa)|(gqa|mqa)$", fold(name)) is not None


_FEEDS_FORWARD = r"feedforward|ffn|mlp|geglu|swiglu|reglu"
"""Folded names of the other half of a block, which three linear layers do not make an attention."""


class Refused:
    """Callables of a file that could not be graded, and what is therefore no attempt of its own.

    ``kinds`` are kinds of problems, by the names of those that were tried as some exercise; ``attends`` is whether one
    of them is named as an attention.
    """

    def __init__(self, submission: Submission) -> None:
        self.submission = submission
        self.kinds: dict[str, str] = {}
        self.attends = False

    def add(self, info: CallableInfo, exercise: Exercise | None, problem: CannotGrade) -> None:
        """Note one more."""
        self.attends |= speaks_of_attention(info.name)
        if exercise is not None or speaks_of_attention(info.name):
            self.kinds[info.name] = problem.kind

    def leaves_out(self, info: CallableInfo, exercise: Exercise) -> bool:
        """Whether a callable is only a helper of an attention that could not be graded, or a block around it."""
        if exercise.family != "attention":
            return bool(self.kinds)
        return self.attends and not (speaks_of_attention(info.name) or exercise.matches(info.name))

    def require_whole(self, info: CallableInfo, checks: Sequence[Check]) -> None:
        """A part says nothing of an attention that raises, and what it leaves to the whole is no mistake.

        Raises:
            CannotGrade: If a callable is such a part.
        """
        failed = any(check.status == "fail" and check.group in ("formula", "shape", "mask") for check in checks)
        for name, kind in self.kinds.items():
            around = speaks_of_attention(name) and self.submission.holds(name, info.name)
            if around and (failed or kind == "crash"):
                raise CannotGrade("contract", f"{info.name} is a part of {name}, which could not be graded")


# Names of what a file compares itself with.
_BESIDES = (
    r"(?i)ref(erence)?|baseline|golden|expected|oracle|check|test|demo|slow|old|official|builtin|fast|pytorch|xformers"
)


def _marks(submission: Submission, c: CallableInfo, exercise: Exercise | None) -> tuple[bool, bool, bool]:
    """What tells callables of one rank apart: the name of the stub, a use in the file, a name for comparisons."""
    entry = exercise.stub if exercise is not None else "\n".join(e.stub for e in exercises().values())
    words = re.split(r"[_\d]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", c.name))
    return (
        re.search(rf"^(def|class) {re.escape(c.name)}\b", entry, re.MULTILINE) is None,
        any(re.fullmatch(_BESIDES, word) for word in words),
        c.name not in submission.used_names,
    )


def rivals(
    submission: Submission, chosen: CallableInfo, choices: Sequence[CallableInfo], exercise: Exercise
) -> list[CallableInfo]:
    """Other callables that may be meant as well as the chosen one: nothing in the file tells them apart."""

    def standing(c: CallableInfo) -> tuple[object, ...]:
        return (c.kind, *_rank(submission, c, exercise), *_marks(submission, c, exercise))

    def required(c: CallableInfo) -> set[tuple[str, ...]]:
        return {
            tuple(sorted(parameter_role(p.name) or "" for p in form if p.default is None)) for _, form in call_forms(c)
        }

    return [
        c
        for c in choices
        if c.line != chosen.line
        and standing(c) == standing(chosen)
        and required(c) & required(chosen)
        and not submission.uses(chosen.name, c.name)
    ]


def _wanted(exercise: Exercise | None) -> str:
    if exercise is None:
        return "attention(q, k, v, mask=None), a module with forward(x, mask=None), softmax(x, dim)"
    line = next((s for s in exercise.stub.splitlines() if s.startswith(("def ", "class "))), exercise.id)
    return line.removeprefix("def ").removeprefix("class ").rstrip(":")


def _listing(found: Sequence[CallableInfo]) -> str:
    return ", ".join(c.name for c in found) or "none"
