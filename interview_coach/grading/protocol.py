"""What crosses the wall between the grader and a submission.

The parent sends a :class:`Load`, then :class:`Call` after :class:`Call`; the worker answers each with arrays and plain
values. Frames are a JSON header followed by raw array buffers: nothing from the submission's side is ever unpickled.
This module imports nothing beyond the standard library, and knows neither an expected value nor a tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from interview_coach.records import record

if TYPE_CHECKING:
    from interview_coach.arrays import Array

Framework = Literal["torch", "numpy"]
MemoryLayout = Literal["contiguous", "transposed", "split", "sliced"]
PRELOADED = ("torch", "triton", "einops", "scipy.special")
"""Packages that are slow to import: a worker has those that a submission names imported before it starts."""

FailureKind = Literal["usage", "import", "contract", "crash", "timeout", "memory", "output"]


@record
class Tensor:
    """An array on its way through the wall.

    ``data`` holds the values; ``dtype`` is the type on the submission's side. ``bfloat16`` values travel as float32,
    which holds each of them exactly. ``memory`` asks for a view with the same values but other strides.
    """

    data: Array
    dtype: str
    requires_grad: bool = False
    memory: MemoryLayout = "contiguous"
    framework: Framework | None = None
    """Of a result: whether a torch tensor or a numpy array came back."""
    type_name: str = ""
    """Of a result: the type as the submission's side names it (``Tensor``, ``ndarray``, a subclass)."""
    device: str = "cpu"


@record
class Ref:
    """A value kept on the submission's side: result number ``call``, then the items along ``path``."""

    call: int
    path: tuple[int | str, ...] = ()


@record
class Opaque:
    """A result that is no array and no plain value; ``type_name`` tells what it was."""

    type_name: str


@record
class DTypeName:
    """An argument that is a dtype (``torch.float32`` or ``numpy.float32``)."""

    name: str


@record
class Record:
    """An argument that is an object with attributes, e.g. a model config (also indexable and iterable as a mapping)."""

    fields: dict[str, Any]


Value = Any
"""Tensor, Ref, Opaque, Record, DTypeName, None, bool, int, float, str, and lists, tuples and dicts of values."""


@record
class Source:
    """A submission as text. ``folder`` is where its sibling modules are; ``filename`` appears in tracebacks."""

    text: str
    filename: str
    folder: str | None = None
    device: str = "cpu"
    """Where its tensors and modules live."""
    without: tuple[str, ...] = ()
    """Parts of the library that its calls do not find: ``attention``, ``softmax``."""


@record
class Limits:
    """What a submission may use. Seconds, bytes."""

    load_s: float = 20.0
    call_s: float = 10.0
    total_s: float = 60.0
    memory_bytes: int = 2 * 2**30
    output_bytes: int = 64 * 1024
    """Of stdout and stderr together; the rest is read and thrown away."""
    result_bytes: int = 64 * 2**20
    interpreted: float = 5.0
    """So many times longer may it take where kernels run in Triton's interpreter."""


@record
class Call:
    """One call of a callable of the submission.

    Attributes:
        target: A dotted name in the module (``attention``, ``Layer.forward``; after :data:`BESIDE`, in the one beside
            it) or a :class:`Ref` to a kept result.
        method: Attribute of the target to call instead of the target itself.
        framework: What :class:`Tensor` arguments are turned into.
        cotangent: If given, the gradient of ``<output, cotangent>`` is taken for each argument that requires it
            (torch only); ``output_path`` tells which part of a structured result is the output.
        watch: Instruments to attach: ``library`` (names of library attention that were called), ``memory``
            (allocations, and the operations of torch), ``work`` (the operations of numpy, in a call of their own),
            ``poison`` (uninitialised memory is filled with NaN).
        eval_mode: Call ``.eval()`` on a target and on a result that is a torch module.
    """

    target: str | Ref
    args: tuple[Value, ...] = ()
    kwargs: dict[str, Value] = field(default_factory=dict)
    method: str | None = None
    framework: Framework = "torch"
    cotangent: Tensor | None = None
    output_path: tuple[int | str, ...] = ()
    watch: frozenset[str] = frozenset()
    eval_mode: bool = True
    keep: bool = True
    """Keep the result on the other side, so that its :class:`Ref` can be used later."""
    times: int = 1
    """How often to call it on the same arrays; the last result counts."""


@record
class Failure:
    """Why a call or a load brought no value.

    ``kind`` is one of the report's kinds. ``exception`` is the type's name, ``line`` the last line of the
    submission's own file in the traceback.
    """

    kind: FailureKind
    message: str
    exception: str = ""
    line: int | None = None
    reason: str = ""
    """The entry of :data:`interview_coach.grading.failures.REASONS` that ``message`` was made from."""
    facts: dict[str, str | int | float] = field(default_factory=dict)
    """What fills its placeholders, so that the message can be had in another language."""


@record
class Cost:
    """What a watched call allocated and computed: deterministic counts, no timing.

    ``peak_bytes`` counts tensors alive at once beyond the arguments; ``largest_bytes`` is the largest single one.
    """

    flops: int = 0
    peak_bytes: int = 0
    largest_bytes: int = 0
    seconds: float = 0.0


BESIDE = "<beside>"
"""What the name of a callable begins with that belongs to the module loaded beside the submission."""
INTERPRETED = "run in Triton's interpreter on the CPU, there being no GPU"
"""What a contract notes of a submission whose kernels ran so."""
NO_BFLOAT16 = "Triton's interpreter multiplies bfloat16 wrongly: graded on a GPU only"


@record
class Stray:
    """Accesses of Triton kernels outside of a buffer: ``access`` is load or store, ``argument`` the kernel's."""

    access: str
    argument: str
    count: int
    line: int | None = None


@record
class Kernels:
    """What Triton's interpreter saw in a call: the submission's own kernels it launched, and their stray accesses."""

    launches: tuple[str, ...] = ()
    strays: tuple[Stray, ...] = ()
    programs: int = 0
    """Of the smallest launch."""


@record
class Outcome:
    """What came of a call. ``ref`` refers to the result kept on the other side."""

    value: Value = None
    failure: Failure | None = None
    ref: Ref | None = None
    gradients: tuple[Tensor | None, ...] = ()
    """One for each Tensor argument with ``requires_grad``, in order of args, then kwargs."""
    gradient_failure: Failure | None = None
    mutated: tuple[str, ...] = ()
    """Arguments whose bytes changed: ``0``, ``1`` for positions, names for keywords."""
    library: tuple[str, ...] = ()
    cost: Cost | None = None
    seconds: float = 0.0
    kernels: Kernels | None = None
    """None where there was no interpreter."""


@record
class Parameter:
    """A parameter of a signature; ``default`` is its repr, ``None`` if there is none."""

    name: str
    kind: str
    default: str | None = None
    annotation: str = ""


@record
class CallableInfo:
    """A function, class or instance found in the module.

    For a class, ``parameters`` are the constructor's (without self) and ``methods`` maps each public method, and
    ``forward``/``__call__``, to its own. For a callable instance ``kind`` is ``instance``.
    """

    name: str
    kind: Literal["function", "class", "instance"]
    parameters: tuple[Parameter, ...] = ()
    methods: dict[str, tuple[Parameter, ...]] = field(default_factory=dict)
    doc: str = ""
    line: int | None = None
    is_module: bool = False
    """A ``torch.nn.Module`` (class or instance)."""
    is_autograd_function: bool = False
    aliases: tuple[str, ...] = ()
    """Other names of the same object in the module."""


@record
class ModuleInfo:
    """What loading the submission brought: its own callables in source order, and the frameworks it imported."""

    callables: tuple[CallableInfo, ...]
    imports_torch: bool
    imports_triton: bool
    left_out: Failure | None = None
    """What a statement at its top level raised, which was left out."""


@record
class ModuleState:
    """Parameters and buffers of an instance, by dotted name, and the type of each submodule.

    For an object that is no torch module, its own numpy arrays and tensors by attribute name.
    """

    parameters: dict[str, Tensor]
    buffers: dict[str, Tensor]
    submodules: dict[str, str]
    attributes: dict[str, Any]
    """Plain attributes (int, float, bool, str) by name."""


def refs(value: Value | Call) -> Iterator[Ref]:
    """Everything in a value, or in what a call is given, that stands for a kept result."""
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, Call):
        yield from refs((value.target, value.args, value.kwargs))
    elif isinstance(value, dict):
        yield from refs(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from refs(item)


IDLE = 0.05
"""Below this share of the time a process does not wait for its turn, but for something else."""


def counted(wall: float, busy: float) -> float:
    """Seconds that a process took, of which so many passed on the wall and so many on processors."""
    return min(wall, busy) if busy >= IDLE * wall else wall
