"""What the engine has to know of an exercise that is a plain function of arrays.

A *case* maps roles to values: arrays in canonical axis order as float64, integer arrays, and plain numbers; ``dims``
holds the size of each axis letter. Everything an exercise says is said in terms of cases.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from interview_coach.records import record

Array = npt.NDArray[Any]
Case = dict[str, Any]
Outputs = tuple[Array, ...]
Dims = Mapping[str, int]
Choice = Mapping[str, str]
Rng = np.random.Generator
NEVER = r"(?!)"
"""A promise that no file makes: a failure is always a remark."""


@record
class Role:
    """One argument.

    Attributes:
        name: Its name in cases and in the stub.
        names: Regular expression of the names it goes by, folded to lower case without underscores.
        axes: A letter an axis, e.g. ``bhsd``; empty for a plain value.
        kind: ``float`` arrays follow the precision that is tried, ``int`` arrays and ``plain`` values do not.
        required: Whether a submission must take it.
        grad: Whether gradients with respect to it are checked.
        instead: A required role that this one may stand in for.
        forms: Ways to send it, the first being that of the stub; see :mod:`.sending`.
        left: Whether it is left to its default where it has one.
        spare: Roles that an optional argument is left out for, where one of them is taken.
        tied: A role whose form is this one's form as well.
        sender: The value in a form and a layout (see :class:`.sending.Layout`), for what has several shapes.
    """

    name: str
    names: str
    axes: str = ""
    kind: Literal["float", "int", "plain"] = "float"
    required: bool = True
    grad: bool = False
    instead: str = ""
    forms: tuple[str, ...] = ("plain",)
    left: bool = False
    spare: tuple[str, ...] = ()
    tied: str = ""
    sender: Callable[[Case, str, Any, str], Any] | None = None


@record
class Output:
    """One array that comes back; ``scale`` is the size that its errors are relative to where it is itself small."""

    name: str
    axes: str
    names: str = ""
    scale: Callable[[Case], float] = lambda case: 0.0
    needs: str = ""
    """A role without which this output is not expected."""
    optional: bool = False
    """Whether code that was not written to the stub may do without it."""
    rows: bool = False
    """One number a query, that may come in many forms (see :mod:`.rows`), or not at all."""


@record
class Alternative:
    """A convention that the numbers decide.

    Attributes:
        key: The entry of the case that it sets.
        values: What to try, the house convention first.
        missing: Tried only where the submission takes no argument of this role; otherwise always.
        unless: Roles that settle it as well.
        notes: A remark for each value, empty for none.
        promises: Regular expressions, one a value: a file that matches another value's than the one found is wrong.
        code: The bug it then is.
    """

    key: str
    values: tuple[Any, ...]
    missing: str = ""
    unless: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    promises: tuple[str, ...] = ()
    code: str = ""

    def open_for(self, roles: Collection[str]) -> bool:
        """Whether arguments of these roles leave it open."""
        return not any(r in roles for r in (self.missing, *self.unless) if r)


@record
class Convention:
    """What a file may state instead of the house convention; unsaid it is a mistake.

    Attributes:
        key: The entry of the case that it sets to ``True``.
        says: Whether the text of a file states it.
        note: What the contract then tells.
        shows: Entries of a case in which it is told from the house's, where the usual ones do not do it.
    """

    key: str
    says: Callable[[str], bool]
    note: str
    shows: Mapping[str, Any] = field(default_factory=dict)


@record
class Shape:
    """Other sizes to try; ``dims`` and ``set`` replace entries of the usual ones."""

    id: str
    detail: str
    dims: Mapping[str, int] = field(default_factory=dict)
    set: Mapping[str, Any] = field(default_factory=dict)
    code: str = ""
    needs: str = ""
    """Skipped where the submission has no argument of this role; ``block*`` stands for all that begin so."""
    lacks: str = ""
    """Skipped where it has an argument of a role that begins so."""
    keeps: str = ""
    """Skipped where the layout leaves one of these axes out."""
    promised: str = ""
    """A failure is a remark unless the file matches this."""
    default: str = ""
    """Skipped unless the submission has a default for this role."""


@record
class Narrow:
    """Sizes that ask for less; ``excused`` tells from the prose and the conventions whether that is allowed."""

    text: str
    dims: Mapping[str, int]
    excused: Callable[[str, Mapping[str, Any]], bool] = lambda prose, reading: False
    set: Mapping[str, Any] = field(default_factory=dict)
    """Other entries of the case that ask for less."""
    always: bool = False
    """Tried also where the general sizes ran but fit nothing; then it has to be excused."""


@record
class Probe:
    """A change of an ordinary case that stresses the numerics; a remark where ``promised`` finds nothing."""

    id: str
    detail: str
    change: Callable[[Case, Rng], None]
    code: str = ""
    promised: str | None = None
    dims: Mapping[str, int] = field(default_factory=dict)
    needs: str = ""
    """Skipped where the layout leaves one of these axes out."""
    role: str = ""
    """Skipped where the submission has no argument of this role."""


@record
class Wrong:
    """A wrong variant: an option of a stage of :attr:`Task.compute`, and the bug (or bugs, with a space) that it is."""

    stage: str
    option: str
    code: str
    alone: bool = False


@dataclass(frozen=True)
class Task:
    """An exercise as the engine sees it.

    Attributes:
        draw: Fills a case; ``case["dims"]`` is set already.
        truth: The oracle on a case; it keeps the precision of the arrays it is given.
        compute: A second implementation with a switch for each stage; the empty choice is the truth.
        wrong: Options of the switches.
        layouts: Names of :data:`.sending.LAYOUTS` that are accepted, the house layout first.
        general: A code for values that no variant explains.
        question: The question of the bank for a check without one of its own.
    """

    roles: tuple[Role, ...]
    outputs: tuple[Output, ...]
    dims: Dims
    draw: Callable[[Case, Rng], None]
    truth: Callable[[Case], Outputs]
    compute: Callable[[Case, Choice], Outputs]
    wrong: tuple[Wrong, ...]
    layouts: tuple[str, ...] = ("BHSD",)
    alternatives: tuple[Alternative, ...] = ()
    conventions: tuple[Convention, ...] = ()
    shapes: tuple[Shape, ...] = ()
    narrower: tuple[Narrow, ...] = ()
    probes: tuple[Probe, ...] = ()
    forbidden: frozenset[str] = frozenset()
    general: str = ""
    question: str = "attention-formula-shapes"
    half: bool = True
    logits: Callable[[Case], float] = lambda case: 0.0
    """The size of the largest exponent: rounding it alone moves a result by this many units in the last place."""
    backward: tuple[str, tuple[str, ...]] | None = None
    """For a backward pass: the role of the gradient that comes in, and the inputs whose gradients are the outputs, so
    that an autograd function with a backward of its own can be graded."""
    telling: str = ""
    """A role that a callable must take to be recognised by its name, where another exercise has such names too."""
    strict_views: bool = True
    """Whether raising on the views that a split into heads makes is a failure."""
    strict_gradient: bool = True
    """Whether gradients that cannot be had for in-place work are a failure."""
    dtype: str = "float32"
    """The precision of ordinary inputs; where it is not single, the output must keep it."""
    careful: Callable[[Case, str], Outputs] | None = None
    """A careful computation in a half precision, where one is known: what errors there are measured by."""
    grows: str = "qks"
    """The axes that get longer, in step, where it is measured how the cost grows: those of S."""
    tables: tuple[tuple[str, ...], ...] = ()
    """Roles of tables that the caller makes; a file may bring a function that makes them."""
    grouped: bool = False
    """Whether keys and values of fewer heads than the queries are tried as well."""
    tiled: bool = False
    """Whether the extra memory must grow with the sequence and not with its square."""

    @property
    def narrow_dtype(self) -> bool:
        """Whether ordinary inputs are in half precision."""
        return self.dtype != "float32"

    def role(self, name: str) -> Role:
        """The role of that name."""
        return next(r for r in self.roles if r.name == name)

    def case(self, rng: Rng, dims: Mapping[str, int] | None = None, **values: Any) -> Case:
        """A random case; ``dims`` replaces sizes, ``values`` are set before the rest is drawn."""
        case: Case = {"dims": {**self.dims, **(dims or {})}, **values}
        self.draw(case, rng)
        return case


def normal(case: Case, rng: Rng, axes: str, spread: float = 1.0, shift: float = 0.0) -> Array:
    """Normal values with the sizes of ``axes``, which float32 holds exactly."""
    shape = tuple(case["dims"][a] for a in axes)
    return as_float32(rng.normal(size=shape) * spread + shift)


def as_float32(array: Array) -> Array:
    """Values that float32 holds exactly, in float64."""
    return np.asarray(array, np.float32).astype(np.float64)


def largest(case: Case, *roles: str) -> float:
    """The product of the largest entries of some roles."""
    size = 1.0
    for role in roles:
        array = np.abs(case[role])
        size *= float(array[np.isfinite(array)].max(initial=0.0))
    return size


@cache
def task(exercise: str) -> Task:
    """The task of an exercise of the family ``function``."""
    module = importlib.import_module(f"{__package__}.tasks.{exercise.replace('-', '_')}")
    found: Task = module.TASK
    return found
