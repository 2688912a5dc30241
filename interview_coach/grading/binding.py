"""A contract as it is held: what is called, with what, and how its output is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from interview_coach.grading.family.inputs import Rotation
from interview_coach.grading.layouts import Layout, MaskForm
from interview_coach.grading.protocol import CallableInfo
from interview_coach.grading.roles import Sizes
from interview_coach.grading.weights import Reading
from interview_coach.records import record

if TYPE_CHECKING:
    from interview_coach.grading.cached.form import CacheForm


@record
class Argument:
    """One parameter of the call, and the role it plays."""

    name: str
    role: str
    kind: str
    default: str | None = None


@record
class Binding:
    """A contract: what is called, with what, and how its output is read.

    ``conventions`` is a choice of the family that the submission follows instead of the house's.
    """

    info: CallableInfo
    framework: Any
    arguments: tuple[Argument, ...]
    layout: Layout
    projected: bool
    sizes: Sizes = field(default_factory=Sizes)
    method: str | None = None
    output: str = ""
    output_path: tuple[int | str, ...] = ()
    mask: MaskForm | None = None
    scale_passed: bool = False
    """Whether ``1 / sqrt(d)`` is handed over, for code that leaves its scale of 1 to the caller."""
    mask_name: str = ""
    """Which parameter takes the mask, where it is not the first of its kind."""
    mask_needed: bool = False
    """Whether the call takes no ``None`` for its mask: nothing is masked by a mask that keeps all."""
    blanks: Mapping[str, MaskForm] = field(default_factory=dict)
    """Further masks that must be given, by name, and the forms in which they keep all."""
    causal: bool = False
    top_left: bool = False
    """Whether the causal mask aligns the first query with the first key, as the file says."""
    reading: Reading | None = None
    turned_weights: bool = False
    scale: float | None = None
    """Factor on the scores that the user states; ``None`` is the house's 1/√D."""
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    config_names: tuple[str, ...] = ()
    cache: CacheForm | None = None
    """How a sequence goes on from call to call, for attention that keeps its keys and values."""
    windowed: bool = False
    """Whether a window limits what a query sees; it is told in the call or to the constructor."""
    window: int | None = None
    """The window, where it is a constant of the file."""
    alibi: str | None = None
    rotation: Rotation | None = None
    linear: bool = False
    """Whether a feature map stands in place of the softmax."""

    def has(self, role: str) -> bool:
        """Whether the call takes a parameter of this role."""
        return any(a.role == role for a in self.arguments)

    def role(self, role: str) -> Argument | None:
        """The parameter of a role."""
        return next((a for a in self.arguments if a.role == role), None)

    @property
    def needs_instance(self) -> bool:
        """Whether an object is made before the call."""
        return self.info.kind == "class"
