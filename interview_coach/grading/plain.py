"""Values of the arguments that are no input: sizes, flags."""

from __future__ import annotations

from typing import Any

import numpy as np

from interview_coach.grading.angles import table
from interview_coach.grading.family.inputs import AttentionInputs
from interview_coach.grading.layouts import floating_tensor
from interview_coach.grading.protocol import Tensor
from interview_coach.grading.roles import Sizes
from interview_coach.oracles.alibi import alibi_slopes

NOTHING = object()
"""Where an argument is left to its default."""


def plain_value(role: str, case: AttentionInputs, sizes: Sizes, dtype: str = "float32") -> Any:
    """What is handed over for a role that is no input, on a case; :data:`NOTHING` for roles that say nothing."""
    dim = case.q.shape[-1] if case.q is not None else sizes.d_head
    kv = case.k.shape[1] if case.k is not None else sizes.kv_heads or case.heads
    values: dict[str, Any] = {
        "causal": case.causal,
        "scale": float(dim) ** -0.5,
        "dropout": 0.0,
        "training": False,
        "weights_flag": True,
        "n_heads": case.heads,
        "kv_heads": kv,
        "group_size": case.heads // kv,
        "axis": -1,
        "block": 4,
        "mask": None,
        "bias": None,
        "lengths": None,
        "context": None,
        "height": 1,
        "width": _length(case),
    }
    if "/" in role:
        return table(role, _length(case), dim, dtype)
    if role == "slopes":
        return floating_tensor(alibi_slopes(case.heads), "float32")
    if role in ("positions", "offset"):
        return Tensor(np.arange(_length(case)), "int64") if role == "positions" else 0
    return values.get(role, NOTHING)


def _length(case: AttentionInputs) -> int:
    queries = case.q if case.q is not None else case.x
    assert queries is not None
    return int(queries.shape[-2])
