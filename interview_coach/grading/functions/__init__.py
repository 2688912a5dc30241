"""Grading plain functions of arrays: an exercise gives roles, a truth and the usual mistakes; the engine is one."""

from __future__ import annotations

from interview_coach.grading.functions.cost import function_cost
from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.infer import open_function
from interview_coach.grading.functions.lanes import run_function
from interview_coach.grading.functions.naming import diagnose_function
from interview_coach.grading.functions.signature import means
from interview_coach.grading.functions.task import Task, task

__all__ = [
    "FunctionExam",
    "Task",
    "diagnose_function",
    "function_cost",
    "means",
    "open_function",
    "run_function",
    "task",
]
