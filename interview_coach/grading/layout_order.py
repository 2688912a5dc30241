"""Which axis order to try first: what the file writes down, then the usual ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from interview_coach.exercises import Exercise
from interview_coach.grading.hints import Hints
from interview_coach.grading.layouts import CONVOLVED, DIRECT, MERGED, PROJECTED, SHARED_KEYS, Layout
from interview_coach.grading.packed import PACKED
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.prose import states_one_key_head
from interview_coach.grading.protocol import ModuleState


def layout_order(layouts: Mapping[str, Layout], hints: Hints) -> list[Layout]:
    """The layouts to try: the one that a flag names, or all, those first whose shape the file writes down.

    Raises:
        CannotGrade: For a flag that names none of them.
    """
    order = [layout for layout in layouts.values() if hints.layout is None or layout.name == hints.layout]
    if not order:
        known = ", ".join(dict.fromkeys([*DIRECT, *PROJECTED]))
        raise CannotGrade("usage", f"--layout {hints.layout}: unknown; one of {known}")

    def rank(layout: Layout) -> tuple[int, int]:
        return (0 if writes_shape(hints.prose, layout) else 1, order.index(layout))

    return sorted(order, key=rank)


_AXIS_WORDS = {
    "B": r"(?:b|bs|bsz|n|batch\w*)",
    "H": r"(?:h|nh|heads?|n_?heads?|num_heads|nheads)",
    "M": r"(?:\w+\s*[*·]\s*\w+|c|d_?model|hidden\w*|embed\w*)",
    "P": r"(?:p|patch\w*|t|win\w*)",
    "W": r"(?:w|width)",
    "S": r"(?:s|l|t|n|m|sq|sk|lq|lk|tq|tk|seq\w*|len\w*|\w*len|\w*length|tokens?|time)",
    "D": r"(?:d|dk|d_k|dv|d_v|dh|hd|d_?head|head_?dim|headdim|dim|e)",
    "C": r"(?:c|d|e|d_?k|d_?model|embed\w*|emb\w*|dim|hidden\w*|channels|d_?in|d_?out|feature\w*)",
}


def writes_shape(prose: str, layout: Layout) -> bool:
    """Whether the text writes a shape down, such as ``(B, H, S, D)``, that names the axes of the layout."""
    axes = layout.name.partition("/")[0]
    return any(
        len(words) == len(axes)
        and all(re.fullmatch(_AXIS_WORDS[a], word, re.I) for a, word in zip(axes, words, strict=True))
        for words in _written_shapes(prose)
    )


_GIVES = r"(?:->|→|⟶|\breturns?\b|返回|输出)[^.;。；\n()（）\[\]]{0,16}([(\[（][^)\]）\n]*[)\]）])"


def writes_output(prose: str, layout: Layout) -> bool:
    """Whether the text says that what comes back has the shape of the layout, as after an arrow."""
    return any(writes_shape(shape, layout) for shape in re.findall(_GIVES, prose, re.I))


_OTHER_SHAPE = (
    r"(\bunlike|\binstead of|\brather than|\bnot\b|不是|而非)[^.;。；\n()（）\[]{0,8}"
    r"(nn\.[^.;。；\n()（）\[]{0,40}|default )?[(\[（][^)\]）\n]*[)\]）]"
)
"""A shape that the text says it does not mean."""


_OF_A_LIBRARY = (
    r"[^.;。；\n]*(?<![\w.])(nn\.[A-Z]\w+|PyTorch|torch|Keras)('s)?\b[^.;。；\n]*"
    r"(want|expect|need|take|use|default|要求|默认)[^.;。；\n]*"
)
"""What a text says of a library's own; it counts where there is nothing else."""
_SHAPE = r"[(\[（]([\w\s,，×*·]*)[)\]）]"


@cache
def _written_shapes(prose: str) -> tuple[tuple[str, ...], ...]:
    if not prose:
        return ()
    text = re.sub(_OTHER_SHAPE, "", prose, flags=re.I)
    tuples = re.findall(_SHAPE, re.sub(_OF_A_LIBRARY, "", text, flags=re.I)) or re.findall(_SHAPE, text)
    return tuple(
        tuple(re.split(r"\s*[,，×]\s*|\s*\bx\b\s*|(?<=[A-Z\d])x(?=[A-Z\d])", inner.strip())) for inner in tuples
    )


def direct_layouts(exercise: Exercise, roles: set[str]) -> Mapping[str, Layout]:
    """Axis orders of q, k and v that an exercise allows."""
    if "qkv" in roles:
        return PACKED
    if not (exercise.grouped or exercise.alibi):
        return DIRECT
    found = {name: layout for name, layout in DIRECT.items() if not layout.one_head}
    if "n_heads" in roles:
        found = {**MERGED, **found}
    return {**found, **SHARED_KEYS} if exercise.grouped else found


def module_layouts(state: ModuleState) -> Mapping[str, Layout]:
    """Axis orders of the inputs of a module."""
    convolved = any(t.data.ndim in (3, 4) and t.data.shape[-1] == 1 for t in state.parameters.values())
    return {**CONVOLVED, **PROJECTED} if convolved else PROJECTED


def means_all_heads(ran: set[str], layouts: Mapping[str, Layout], hints: Hints) -> bool:
    """Whether the code ran in a layout that it may mean, and does not mean one key/value head alone."""
    written = {layout.name for layout in layouts.values() if writes_shape(hints.prose, layout)}
    return bool(ran & written if written else ran) and not states_one_key_head(hints.prose, hints.code)
