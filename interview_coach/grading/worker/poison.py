"""Fill uninitialised memory: floats with NaN, integers with their largest value.

A result that depends on it then shows it, and one that overwrites all of it is as it was. This is put in place before
a submission is loaded, so that ``from numpy import empty`` gets it as well.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from interview_coach.arrays import Array


def fill_new_arrays(torch: bool) -> None:
    """Fill what ``numpy.empty`` and ``numpy.empty_like`` return, and, with ``torch``, every empty tensor."""
    for name in ("empty", "empty_like"):
        setattr(np, name, _filled(getattr(np, name)))
    if torch and "torch" in sys.modules:
        fill_torch()


def fill_torch() -> None:
    """Have torch itself fill empty, resized and legacy-constructed tensors: it can, in its deterministic mode."""
    import torch

    # The public functions import a compiler first, which takes seconds.
    torch._C._set_deterministic_algorithms(True, warn_only=True)
    torch._C._set_deterministic_fill_uninitialized_memory(True)


def _filled(create: Any) -> Any:
    @functools.wraps(create)
    def created(*args: Any, **kwargs: Any) -> Array:
        array: Array = create(*args, **kwargs)
        kind = array.dtype.kind
        if kind in "fc":
            array.fill(np.nan)
        elif kind in "iu":
            array.fill(np.iinfo(array.dtype).max)
        elif kind == "b":
            array.fill(True)
        return array

    return created
