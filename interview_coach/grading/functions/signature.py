"""Which parameter plays which role, by name and then by position."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from interview_coach.grading.arguments import call_forms
from interview_coach.grading.binding import Argument
from interview_coach.grading.functions.task import Role, Task, task
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo, Parameter
from interview_coach.grading.roles import fold
from interview_coach.records import record

# Sizes that a constructor may ask for → the axis letters that they are, first one that the task has.
SIZES: tuple[tuple[str, str], ...] = (
    (r"(max|block|context|seq|sequence)*(len|length|positions?|positionembeddings|seqlen)|maxt|end", "512"),
    (r"(n|num)?(kv|keyvalue)heads?|nkv", "ghb"),
    (r"(n|num)?(heads?|qheads)|nh|h", "h"),
    (r"(n|num)?(classes|class|vocab|vocabsize|labels)|c|k|outputdim|vocabulary(size)?", "c"),
    (r"(d|dim|head|rotary|model|embed|feature|features|hidden|k|qk)*(d|dim|dims|size|k|model|head)|dhead|dk", "d"),
    (r"dv|vdim|valuedim", "e"),
    (r"(block|page)size|bs", "t"),
)
_SIZES = tuple((re.compile(pattern), letters) for pattern, letters in SIZES)


@record
class CallForm:
    """One way to call a submission. ``setup`` is a method that is called first, as a forward before a backward."""

    method: str | None
    arguments: tuple[Argument, ...]
    constructor: tuple[Argument, ...] = ()
    setup: str | None = None
    setup_arguments: tuple[Argument, ...] = ()
    differentiated: bool = False
    """The apply of an autograd function: what is graded are the gradients that its own backward gives."""
    without: str = ""
    """An optional role that is left out, for code that raises with it."""

    @property
    def roles(self) -> frozenset[str]:
        """Roles that the submission takes anywhere."""
        return frozenset(a.role for a in (*self.arguments, *self.constructor, *self.setup_arguments))


def size_letter(name: str, task: Task) -> str:
    """The axis of a task that a name is the size of, digits for a length that only has to be long, else nothing."""
    letters = next((letters for pattern, letters in _SIZES if pattern.fullmatch(fold(name))), "")
    return letters if letters.isdigit() else next((a for a in letters if a in task.dims), "")


def wanted(task: Task) -> str:
    """The roles that a submission needs, for messages."""
    return ", ".join(r.name for r in task.roles if r.required)


def call_forms_of(info: CallableInfo, task: Task) -> list[CallForm]:
    """The ways in which a callable can be called for a task, likeliest first.

    Raises:
        CannotGrade: When none of its call forms takes what the task gives.
    """
    forms: list[CallForm] = []
    problems: list[CannotGrade] = []
    constructor: tuple[Argument, ...] = ()
    if info.kind == "class":
        constructor = _constructor(info, task)
    given = {a.role for a in constructor}
    if info.is_autograd_function:
        return [_autograd_function(info, task)]
    for method, parameters in call_forms(info):
        try:
            arguments = _needed(resolve(info.name, parameters, task, given), task, given)
            forms.append(CallForm(method, arguments, constructor))
        except CannotGrade as problem:
            problems.append(problem)
    forms += [f for form in forms for f in _without_mask(form)]
    forms += _two_steps(info, task, constructor)
    if not forms:
        raise (
            problems[0]
            if problems
            else CannotGrade("contract", f"{info.name}: nothing to call; looked for ({wanted(task)})")
        )
    return forms


def _needed(arguments: tuple[Argument, ...], task: Task, given: Collection[str]) -> tuple[Argument, ...]:
    """The arguments without optional ones that others make needless."""
    taken = {*given, *(a.role for a in arguments)}
    return tuple(a for a in arguments if a.default is None or not taken & set(task.role(a.role).spare))


def _without_mask(form: CallForm) -> list[CallForm]:
    if not any(a.role == "mask" and a.default is not None for a in form.arguments):
        return []
    kept = tuple(a for a in form.arguments if a.role != "mask")
    return [replace(form, arguments=kept, without="mask")]


def _autograd_function(info: CallableInfo, task: Task) -> CallForm:
    """The forward of an autograd function takes the inputs, after its context."""
    parameters = info.methods.get("forward", ())[1:]
    if task.backward is None:
        taken = list(itertools.takewhile(lambda a: a.role, resolve(info.name, parameters, task)))
        return CallForm("apply", tuple(Argument(a.name, a.role, "positional_only", a.default) for a in taken))
    found = _positional(_by_name(parameters, task, ()), [task.role(r) for r in task.backward[1]], ())
    if not set(task.backward[1]) <= {a.role for a in found} or any(not a.role and a.default is None for a in found):
        names = ", ".join(p.name for p in parameters)
        raise CannotGrade(
            "contract",
            f"looked for a forward of ({', '.join(task.backward[1])}), found {info.name}.forward(ctx, {names})",
        )
    positional = [Argument(a.name, a.role, "positional_only", a.default) for a in found if a.role]
    return CallForm("apply", tuple(positional), differentiated=True)


def _two_steps(info: CallableInfo, task: Task, constructor: tuple[Argument, ...]) -> list[CallForm]:
    """A forward that keeps what a backward then uses."""
    methods = info.methods
    if info.kind != "class" or "backward" not in methods:
        return []
    first = next((n for n in ("forward", "__call__") if n in methods), None)
    if first is None:
        return []
    given = {a.role for a in constructor}
    setup = _by_name(methods[first], task, given)
    if any(not a.role and a.default is None for a in setup):
        setup = _positional(
            setup, [r for r in task.roles if r.axes and r.instead] or [r for r in task.roles if r.required], set()
        )
    taken = given | {a.role for a in setup}
    try:
        main = resolve(info.name, methods["backward"], task, taken)
    except CannotGrade:
        return []
    return [CallForm("backward", main, constructor, None if info.is_module else first, tuple(setup))]


def _constructor(info: CallableInfo, task: Task) -> tuple[Argument, ...]:
    plain = [r for r in task.roles if not r.axes]
    found = []
    for p in info.parameters:
        if p.kind in ("var_positional", "var_keyword"):
            continue
        name = fold(p.name)
        role = next((r.name for r in plain if re.fullmatch(r.names, name)), "")
        if not role or (p.default is None and task.role(role).left):
            has = size_letter(p.name, task)
            role = f"size:{has}" if has else role
            if has and p.default is not None and has.isdigit():
                role = ""
        if not role and p.default is None:
            raise CannotGrade(
                "contract",
                f"{info.name}(...) needs {p.name!r}, which says nothing of its size or use; "
                f"looked for ({wanted(task)})",
            )
        if role:
            found.append(Argument(p.name, role, p.kind, p.default))
    return tuple(found)


def _by_name(parameters: Sequence[Parameter], task: Task, taken: Collection[str]) -> list[Argument]:
    found: list[Argument] = []
    used = set(taken)
    for p in parameters:
        if p.kind in ("var_positional", "var_keyword"):
            continue
        name = fold(p.name)
        role = next((r.name for r in task.roles if r.name not in used and re.fullmatch(r.names, name)), "")
        used.add(role)
        found.append(Argument(p.name, role, p.kind, p.default))
    return found


def _positional(found: Sequence[Argument], roles: Sequence[Role], taken: Collection[str]) -> list[Argument]:
    """Names that say nothing take the roles that are left, in order."""
    used = set(taken) | {a.role for a in found}
    left = iter([r.name for r in roles if r.name not in used])
    return [
        a if a.role or a.default is not None else Argument(a.name, next(left, ""), a.kind, a.default) for a in found
    ]


def resolve(
    name: str, parameters: Sequence[Parameter], task: Task, given: Collection[str] = ()
) -> tuple[Argument, ...]:
    """Roles of the parameters of a call.

    Raises:
        CannotGrade: When a required parameter has no role, or a required role no parameter.
    """
    if parameters and all(p.kind in ("var_positional", "var_keyword") for p in parameters):
        return tuple(Argument(r.name, r.name, "positional_only") for r in task.roles if r.required)
    found = _by_name(parameters, task, given)
    stood_in = {r.instead for r in task.roles if r.instead and r.name in {*given, *(a.role for a in found)}}
    required = [r for r in task.roles if r.required and r.name not in given and r.name not in stood_in]
    found = _positional(found, required, given)
    missing = [r.name for r in required if r.name not in {a.role for a in found} and not _may_be_absent(task, r.name)]
    unknown = [a.name for a in found if not a.role and a.default is None]
    if missing or unknown:
        text = f"looked for ({wanted(task)}), found {name}({', '.join(p.name for p in parameters)})"
        if unknown:
            text += f": nothing is known of the required {', '.join(map(repr, unknown))}"
        raise CannotGrade("contract", text)
    return tuple(a for a in found if a.role)


def _may_be_absent(task: Task, role: str) -> bool:
    return any(a.missing == role for a in task.alternatives)


def means(info: CallableInfo, exercise: str, *, by_name: bool = False) -> bool:
    """Whether a callable takes what the exercise gives; ``by_name``: and what tells it from other exercises."""
    known = task(exercise)
    try:
        forms = call_forms_of(info, known)
    except CannotGrade:
        return False
    return not by_name or not known.telling or any(known.telling in form.roles for form in forms)
