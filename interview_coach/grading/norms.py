"""Normalisation layers inside a module: which of them act on its inputs, and what they compute."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from interview_coach.arrays import Array
from interview_coach.grading.family.inputs import Norm
from interview_coach.grading.protocol import ModuleState

LAYER_NORM_EPS = 1e-5
RMS_NORM_EPS = 1e-6

_SCALE = ("weight", "gamma", "g", "scale")
_SHIFT = ("bias", "beta", "b")
_OF_CONTEXT = r"context|ctx|kv|mem|media|cond|enc|source"


@dataclass(frozen=True, slots=True)
class InputNorm:
    """One layer: the path of its module, its parameters, and whether it subtracts the mean."""

    owner: str
    scale: str
    shift: str | None
    centred: bool

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
        return Norm(scale, shift, self.centred, LAYER_NORM_EPS if self.centred else RMS_NORM_EPS)


Pair: TypeAlias = tuple[InputNorm | None, InputNorm | None]
"""The layers of the input and of the context."""


def is_norm(entry_name: str, submodules: Mapping[str, str]) -> bool:
    """Whether a parameter belongs to a normalisation layer."""
    owner = entry_name.rpartition(".")[0]
    return "Norm" in submodules.get(owner, "")


def is_norm_scale(name: str) -> bool:
    """Whether a parameter of a normalisation layer multiplies."""
    return name.rpartition(".")[2] in _SCALE


def norm_pairs(state: ModuleState) -> list[Pair]:
    """Layers that may act on the input and the context, the likeliest first; the last is none at all."""
    found = _input_norms(state)
    none: Pair = (None, None)
    if len(found) == 1:
        (norm,) = found
        return [(norm, None), (norm, norm), (None, norm), none]
    if len(found) == 2:
        first, second = sorted(found, key=lambda n: bool(re.search(_OF_CONTEXT, n.owner, re.IGNORECASE)))
        return [(first, second), (second, first), none]
    return [none]


def _input_norms(state: ModuleState) -> list[InputNorm]:
    owners: dict[str, dict[str, Any]] = {}
    for name in state.parameters:
        owner, _, last = name.rpartition(".")
        if is_norm(name, state.submodules) and not re.search("Batch|Group|Instance", state.submodules[owner]):
            owners.setdefault(owner, {})[last] = name
    found = []
    for owner, names in owners.items():
        scale = next((names[n] for n in _SCALE if n in names), None)
        if scale is not None:
            shift = next((names[n] for n in _SHIFT if n in names), None)
            found.append(InputNorm(owner, scale, shift, "RMS" not in state.submodules[owner]))
    return found
