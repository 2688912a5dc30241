"""Normalisation layers inside a module: where they act, and what they compute."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from interview_coach.arrays import Array
from interview_coach.grading.family.inputs import Norm
from interview_coach.grading.protocol import ModuleState
from interview_coach.records import record

LAYER_NORM_EPS = 1e-5
RMS_NORM_EPS = 1e-6

_SCALE = ("weight", "gamma", "g", "scale")
_SHIFT = ("bias", "beta", "b")
_OF_CONTEXT = r"context|ctx|kv|mem|media|cond|enc|source"


@record
class InputNorm:
    """One layer: the path of its module, its parameters, and whether it subtracts the mean."""

    owner: str
    scale: str
    shift: str | None
    centred: bool
    eps: float
    groups: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its parameters."""
        return (self.scale,) if self.shift is None else (self.scale, self.shift)

    def read(self, arrays: Mapping[str, Array], width: int) -> Norm:
        """The layer with its values.

        Raises:
            ValueError: If it is not as wide as the inputs.
        """
        scale = arrays[self.scale].reshape(-1)
        if scale.size != width:
            raise ValueError(f"{self.owner} is {scale.size} wide, the inputs {width}")
        shift = None if self.shift is None else arrays[self.shift].reshape(-1)
        return Norm(scale, shift, self.centred, self.eps, self.groups)


@record
class Norms:
    """Where layers act: on the input, on the context, on the output; and whether the input is added to the output.

    A module that adds its input and normalises is a whole sublayer: ``norm(x + attention(x))``, or
    ``x + attention(norm(x))``. ``set_block``: it is a block of the Set Transformer (see :class:`Weights`).
    """

    x: InputNorm | None = None
    context: InputNorm | None = None
    out: InputNorm | None = None
    residual: bool = False
    set_block: bool = False

    @property
    def text(self) -> str:
        """The arrangement in words, to follow what it is that is arranged."""
        if self.set_block:
            return " in a block of the Set Transformer"
        if self.residual:
            return " in a sublayer: norm(x + …)" if self.out else " in a sublayer: x + …(norm(x))"
        return " before a norm" if self.out else " after a norm" if self.x or self.context else ""


def is_norm(entry_name: str, submodules: Mapping[str, str]) -> bool:
    """Whether a parameter belongs to a normalisation layer."""
    owner = entry_name.rpartition(".")[0]
    return "Norm" in submodules.get(owner, "")


def is_norm_scale(name: str) -> bool:
    """Whether a parameter of a normalisation layer multiplies."""
    return name.rpartition(".")[2] in _SCALE


def arrangements(state: ModuleState) -> list[Norms]:
    """Arrangements of the layers that a module owns, the likeliest first; the last is none at all."""
    found = _layers(state)
    if len(found) == 1:
        (norm,) = found
        inputs = [Norms(norm), Norms(norm, norm), Norms(None, norm)]
        sublayers = [Norms(out=norm, residual=True), Norms(norm, residual=True), Norms(norm, norm, residual=True)]
        return [*inputs, *sublayers, Norms(out=norm), Norms()]
    if len(found) == 2:
        first, second = sorted(found, key=lambda n: bool(re.search(_OF_CONTEXT, n.owner, re.IGNORECASE)))
        return [Norms(first, second), Norms(second, first), Norms(first, out=second), Norms()]
    return [Norms(), Norms(set_block=True)] if not found else [Norms()]


def _layers(state: ModuleState) -> list[InputNorm]:
    owners: dict[str, dict[str, Any]] = {}
    for name in state.parameters:
        owner, _, last = name.rpartition(".")
        if is_norm(name, state.submodules) and not re.search("Batch|Instance", state.submodules[owner]):
            owners.setdefault(owner, {})[last] = name
    found = []
    for owner, names in owners.items():
        scale = next((names[n] for n in _SCALE if n in names), None)
        if scale is not None:
            shift = next((names[n] for n in _SHIFT if n in names), None)
            centred = "RMS" not in state.submodules[owner]
            eps = state.attributes.get(f"{owner}.eps")
            usual = LAYER_NORM_EPS if centred else RMS_NORM_EPS
            groups = state.attributes.get(f"{owner}.num_groups")
            found.append(
                InputNorm(
                    owner,
                    scale,
                    shift,
                    centred,
                    eps if isinstance(eps, float) else usual,
                    groups if isinstance(groups, int) else 0,
                )
            )
    return found
