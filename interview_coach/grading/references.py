"""The yardsticks of rounding errors: careful computations in each precision, and how far they are from the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from interview_coach.grading.numbers import relative_error, round_to
from interview_coach.grading.report import Reference

if TYPE_CHECKING:
    from interview_coach.grading.exam import Exam
    from interview_coach.grading.functions import FunctionExam
    from interview_coach.grading.softmax_exam import SoftmaxExam

_DTYPES = (("float32", "fp32"), ("float16", "fp16"), ("bfloat16", "bf16"))


def references_of_attention(exam: Exam) -> tuple[Reference, ...]:
    """Careful computations whose every intermediate is rounded, on an ordinary case."""
    from interview_coach.grading.cases import make_case
    from interview_coach.grading.lanes.half import rounded
    from interview_coach.grading.reference import careful, truth

    found = []
    for dtype, short in _DTYPES if exam.torch else _DTYPES[:1]:
        case = rounded(make_case(exam.subject, exam.rng(98), exam.dims, spread=1.0), dtype)
        found.append(Reference(short, relative_error(careful(case, dtype), truth(case))))
    return tuple(found)


def references_of_function(exam: FunctionExam) -> tuple[Reference, ...]:
    """The oracle run in single precision, and what half precision cannot avoid."""
    from interview_coach.grading.functions.distance import distance, yardsticks

    task, outputs = exam.task, exam.subject.outputs
    case = exam.case(98)
    arrays = [r.name for r in task.roles if r.kind == "float" and r.axes and case.get(r.name) is not None]
    found = []
    for dtype, short in _DTYPES if exam.torch and task.half else _DTYPES[:1]:
        rounded = {**case, **{name: round_to(case[name], dtype) for name in arrays}}
        want = exam.subject.truth(rounded)
        if dtype == "float32":
            narrow = {**case, **{name: case[name].astype(np.float32) for name in arrays}}
            pairs = zip(task.truth(narrow), task.outputs, strict=True)
            got = [np.asarray(v, np.float64) for v, o in pairs if o in outputs]
            error = max(distance(g, w, o.scale(case)) for g, w, o in zip(got, want, outputs, strict=True))
        elif task.careful is not None:
            error = distance(task.careful(rounded, dtype)[0], want[0])
        else:
            error = max(yardsticks(task, rounded, want, outputs, dtype, exam.rng(99)))
        found.append(Reference(short, error))
    return tuple(found)


def references_of_softmax(exam: SoftmaxExam) -> tuple[Reference, ...]:
    """Single precision throughout; in half precision a result that is rounded once."""
    from interview_coach.grading.softmax_exam import SHAPES
    from interview_coach.oracles.attention import softmax

    logits, found = exam.rng(98).normal(size=SHAPES[0]), []
    for dtype, short in _DTYPES if exam.framework == "torch" else _DTYPES[:1]:
        x = round_to(logits, dtype)
        careful = round_to(softmax(x.astype(np.float32)), dtype)
        found.append(Reference(short, relative_error(careful, softmax(x))))
    return tuple(found)
