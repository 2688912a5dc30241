"""Positions inside an attention: which rotation (RoPE) or linear bias (ALiBi) its output may hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from interview_coach.exercises import Exercise
from interview_coach.grading.binding import Binding
from interview_coach.grading.family import AttentionInputs, Rotation
from interview_coach.grading.hints import Hints
from interview_coach.grading.stated import states_unmasked
from interview_coach.records import record

USUAL_BASE = 10000.0
_ROTATION = r"rope|rotary|rotat|freqs|\bcos\b"
_BIAS = r"alibi|slope"


@record
class Positions:
    """One way to read an attention: causal or not, rotated, biased."""

    causal: bool
    rotation: Rotation | None = None
    alibi: str | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)

    def set(self, case: AttentionInputs) -> AttentionInputs:
        """The same inputs, read this way."""
        trial = case.fresh()
        trial.causal, trial.rotation, trial.alibi = self.causal, self.rotation, self.alibi
        trial.conventions = {**case.conventions, **self.conventions}
        return trial


def causal_options(binding: Binding, hints: Hints, exercise: Exercise) -> list[bool]:
    """Whether the attention may be causal, the likelier first."""
    if hints.causal is not None:
        return [hints.causal]
    if binding.has("causal"):
        return [exercise.causal]
    if exercise.causal:  # a mask that must be given may be what makes it causal
        given = binding.mask is not None and binding.cache is None and not exercise.windowed
        return [True, False] if given else [True]
    return [False, True] if hints.mentions_causal and not states_unmasked(hints.prose) else [False]


def position_options(binding: Binding, hints: Hints, exercise: Exercise, case: AttentionInputs) -> list[Positions]:
    """Readings to try. One without positions is left out where the callable itself makes use of them."""
    found: list[Positions] = []
    for causal in causal_options(binding, hints, exercise):
        if exercise.alibi:
            found.append(Positions(causal, alibi="paper"))
            if exercise.causal and not causal:
                found.append(Positions(causal, alibi="paper", conventions={"position": "symmetric"}))
            continue
        inside: list[Positions] = []
        if hints.rotates:
            inside += [Positions(causal, rotation) for rotation in _rotations(hints, _unequal(case) and not causal)]
        if hints.biases:
            kinds = ("paper",) if _power_of_two(case.heads) else ("paper", "plain")
            ways: list[dict[str, str]] = [{}] if causal else [{"position": "symmetric"}, {}]
            inside += [Positions(causal, alibi=kind, conventions=way) for kind in kinds for way in ways]
        pattern = "|".join(p for p, on in ((_ROTATION, hints.rotates), (_BIAS, hints.biases)) if on)
        if not (inside and _makes_use_of(hints.code, binding.info.name, pattern)):
            found.append(Positions(causal))
        found += inside
    return found


def _rotations(hints: Hints, restarts: bool) -> list[Rotation]:
    numbers = {float(n.replace("_", "")) for n in re.findall(r"\b\d[\d_]*(?:\.\d*)?(?:e\d+)?\b", hints.code)}
    # Anything else that large in a file is a length or a width.
    bases = [USUAL_BASE, *sorted(n for n in numbers if n >= 100 and n != USUAL_BASE)[:4]]
    return [
        Rotation(base, interleaved, restart)
        for base in bases
        for interleaved in (False, True)
        for restart in ((False, True) if restarts else (False,))
    ]


def _unequal(case: AttentionInputs) -> bool:
    return case.q is not None and case.k is not None and case.q.shape[-2] != case.k.shape[-2]


def _power_of_two(n: int) -> bool:
    return n & (n - 1) == 0


@lru_cache(maxsize=8)
def _makes_use_of(code: str, name: str, pattern: str) -> bool:
    """Whether the definition ``name`` names something like ``pattern``, and no parameter switches it off by default."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return False
    root = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == name), None)
    if root is None:
        return False
    optional = any(
        re.search(pattern, a.arg, re.I)
        for f in ast.walk(root)
        if isinstance(f, ast.FunctionDef)
        for a in [*f.args.args[len(f.args.args) - len(f.args.defaults) :], *f.args.kwonlyargs]
    )
    named = {
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(root) if isinstance(n, ast.Name | ast.Attribute)
    }
    return not optional and any(re.search(pattern, n, re.I) for n in named)


def describe_positions(binding: Binding) -> str:
    """The positions of a binding in the words of the contract line."""
    if binding.rotation is not None:
        pairs = "interleaved" if binding.rotation.interleaved else "half-split"
        return f"RoPE {pairs}, base {binding.rotation.base:g}"
    if binding.alibi is not None:
        return "ALiBi"
    return ""
