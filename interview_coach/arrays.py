"""The type of arrays. ``numpy.typing`` takes a third of numpy's own start, so it is left to the type checker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
else:
    Array = np.ndarray
