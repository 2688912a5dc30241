"""Random values for the parameters of a module, so that none is 0 or 1 by its initialisation."""

from __future__ import annotations

import re

import numpy as np

from interview_coach.grading.norms import is_norm, is_norm_scale
from interview_coach.grading.numbers import round_to
from interview_coach.grading.protocol import ModuleState, Tensor


def is_table(name: str) -> bool:
    """Whether a parameter, by its name, holds slopes or angles that follow from the position, and no weights."""
    return re.search(r"slope|alibi|inv_?freq|freqs|(^|[._])(cos|sin)(e|_|$)", name, re.I) is not None


def random_features(state: ModuleState) -> list[str]:
    """Buffers that, by their names, hold a random projection, with which a kernel stands in for the softmax."""
    names = re.compile(r"projection_?mat|random|sketch|omega|orthogonal", re.I)
    return [n for n, t in state.buffers.items() if t.data.ndim > 1 and names.search(n.rpartition(".")[2])]


def random_parameters(state: ModuleState, rng: np.random.Generator, dtype: str, gain: float = 1.0) -> dict[str, Tensor]:
    """New values by name: matrices that keep the size of what they multiply, biases around 0, scales around 1.

    Args:
        state: The module as it was built; parameters of other shapes keep their values.
        rng: Source of the values.
        dtype: Precision that must hold the values exactly.
        gain: Factor on those of normalisation layers.
    """
    values: dict[str, Tensor] = {}
    for name, tensor in state.parameters.items():
        shape = tensor.data.shape
        if not np.issubdtype(tensor.data.dtype, np.floating) or tensor.data.size == 0 or is_table(name):
            continue
        if is_norm(name, state.submodules):
            data = gain * (0.2 * rng.normal(size=shape) + is_norm_scale(name))
        elif len(shape) >= 2:
            data = rng.normal(size=shape) * 1.5 * _inputs(shape) ** -0.5
        elif np.all(tensor.data == 0) or "bias" in name.lower() or len(shape) == 1:
            data = 0.5 * rng.normal(size=shape)
        else:
            continue
        values[name] = Tensor(round_to(data, dtype).astype(np.float32), "float32")
    return values


def _inputs(shape: tuple[int, ...]) -> int:
    """Inputs of a matrix, the axes of a convolution of width one left aside."""
    wide = [n for n in shape if n > 1] or [1]
    return max(wide[-2:])


def owns_no_weights(state: ModuleState, alibi: bool) -> bool:
    """Whether all that an object holds follows from the position; slopes may have any name where there must be some."""
    return all(is_table(name) or (alibi and t.data.ndim == 1) for name, t in state.parameters.items())
