"""Parametric families of computations: one point is the right one, the others are the mistakes people make."""

from __future__ import annotations

from interview_coach.grading.family.attention import ATTENTION
from interview_coach.grading.family.base import Family, Variant
from interview_coach.grading.family.inputs import AttentionInputs, Rotation, Weights
from interview_coach.grading.family.softmax import SOFTMAX, SoftmaxInputs

__all__ = ["ATTENTION", "SOFTMAX", "AttentionInputs", "Family", "Rotation", "SoftmaxInputs", "Variant", "Weights"]
