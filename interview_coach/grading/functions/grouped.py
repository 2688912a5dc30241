"""Keys and values of fewer heads than the queries: not asked for, but looked at where code takes them."""

from __future__ import annotations

import re

import numpy as np

from interview_coach.grading.functions.distance import allowed, worst
from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.subject import Observed
from interview_coach.grading.functions.task import Case
from interview_coach.grading.prose import states_tiled_heads

_HEADS = 4
_GROUP = 2
_PROMISED = (
    r"\b[gm]qa\b|grouped[- ]?(query|head)|multi[- ]?query|fewer (k\w*[ /-]?v\w*|key\w*)? ?heads|\bh_?kv\b|"
    r"kv[-_ ]heads|分组查询|共享.{0,4}头"
)
"""What a file says that takes fewer heads of keys and values."""


def grouped_heads(exam: FunctionExam) -> None:
    """Try grouped heads; code that raises on them, or gives another shape, does not offer them."""
    drop = exam.subject.binding.layout.drop
    if not exam.task.grouped or "h" in drop or exam.narrow.text or exam.failed():
        return
    case = exam.case(25, dims={"h": _HEADS})
    for role in ("k", "v"):
        few = case[role][:, : _HEADS // _GROUP]
        case[f"{role}:plain"], case[role] = few, np.repeat(few, _GROUP, axis=1)
    observed = exam.subject.run(case)
    if observed.outputs is None:
        return
    text = f"{_HEADS} heads of queries, {_HEADS // _GROUP} of keys and values"
    if _fits(exam, case, observed):
        exam.add("shape.grouped-heads", "pass", text)
        return
    tiled = {**case, **{r: np.concatenate([case[f"{r}:plain"]] * _GROUP, axis=1) for r in ("k", "v")}}
    if _fits(exam, tiled, observed):
        meant = states_tiled_heads(exam.prose)
        wrong = f"{text}: query head h reads key/value head h % {_HEADS // _GROUP}"
        exam.add("shape.grouped-heads", "warn" if meant else "fail", wrong, "gqa-tiled-heads")
    elif re.search(_PROMISED, exam.prose, re.IGNORECASE):
        exam.compare("shape.grouped-heads", case, observed, detail=text, see=False)


def _fits(exam: FunctionExam, case: Case, observed: Observed) -> bool:
    assert observed.outputs is not None
    outputs, want = exam.subject.outputs, exam.subject.truth(case)
    return worst(observed.outputs, want, outputs, case) <= max(allowed(exam.task, case, want, outputs))
