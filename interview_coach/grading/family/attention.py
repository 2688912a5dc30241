"""The family of attentions: projections, heads, positions, logits, masks, softmax, mixing, merge, output projection.

Sources of the mistakes: public threads and code, listed with their codes in the catalogue of bug classes.
"""

from __future__ import annotations

from interview_coach.arrays import Array
from interview_coach.grading.family import linear, masks, positions, projections, scores, windows
from interview_coach.grading.family.base import Family
from interview_coach.grading.family.inputs import AttentionInputs


def _output(f: AttentionInputs) -> Array:
    return f.out.swapaxes(0, -2) if f.swapped else f.out


ATTENTION: Family[AttentionInputs] = Family(
    stages={
        "project": projections.PROJECT,
        "split": projections.SPLIT,
        "group": projections.GROUP,
        "rotate": positions.ROTATE,
        "map": linear.MAP,
        "scores": scores.SCORES,
        "scale": linear.of_softmax(scores.SCALE, linear.keep),
        "position": positions.POSITION,
        "causal": {"right": masks.CAUSAL["right"], **linear.CAUSAL, **masks.CAUSAL},
        "window": windows.WINDOW,
        "mask": masks.MASK,
        "fill": linear.of_softmax(masks.FILL, linear.keep),
        "softmax": {**linear.of_softmax(scores.SOFTMAX, linear.normalise), **linear.SUM},
        "mix": scores.MIX,
        "merge": projections.MERGE,
        "output": projections.OUTPUT,
    },
    output=_output,
)
