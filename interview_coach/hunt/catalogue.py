"""All programs to hunt in: every template with every bug that it can have."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from interview_coach.hunt import functions, modules
from interview_coach.hunt.template import Program, Template

SYNONYMS: tuple[frozenset[str], ...] = (
    frozenset({"mask-multiplied", "mask-filled-with-zero"}),
    frozenset({"dropout-in-eval", "nondeterministic"}),
    frozenset({"causal-missing", "mask-ignored"}),
    frozenset({"causal-reversed", "mask-inverted"}),
    frozenset({"projection-reused", "values-keys-swapped"}),
)
"""Names of which only one is offered: any of them would be right, or nearly so."""


@cache
def templates() -> tuple[Template, ...]:
    """The right attentions that bugs are planted in."""
    return functions.TEMPLATES + modules.TEMPLATES


@cache
def programs(exercise: str | None = None) -> tuple[Program, ...]:
    """All programs with a bug, of one exercise or of all."""
    return tuple(p for t in templates() if exercise in (None, t.exercise) for p in t.programs())


def exercise_ids() -> tuple[str, ...]:
    """The exercises that there are programs for."""
    return tuple(dict.fromkeys(template.exercise for template in templates()))


def choose(seed: int, exercise: str | None = None, avoid: Sequence[Program] = ()) -> Program:
    """A program: first the template, then the bug, so that a template with many bugs does not come up more often.

    Args:
        seed: The same seed gives the same program.
        exercise: Only programs of this exercise.
        avoid: Programs that were hunted already; left out while there are others.

    Raises:
        ValueError: There is no program for the exercise.
    """
    left = [p for p in programs(exercise) if p not in avoid] or list(programs(exercise))
    if not left:
        raise ValueError(f"no programs for {exercise!r}; there are some for {', '.join(exercise_ids())}")
    draw = random.Random(seed)
    template = draw.choice(sorted({p.template for p in left}))
    return draw.choice([p for p in left if p.template == template])


def found_before(hunted: Iterable[Mapping[str, object]]) -> list[Program]:
    """Programs whose bug was found already, by the data of the events of kind ``hunted``."""
    found = {(data.get("template"), data.get("code")) for data in hunted if data.get("found")}
    return [program for program in programs() if (program.template, program.code) in found]


def choices(program: Program, seed: int, count: int = 5) -> tuple[str, ...]:
    """Codes to choose from: the planted one among others that this template could have had.

    Args:
        program: What is hunted in.
        seed: Decides which others, and the order.
        count: How many in all, 4 to 6.
    """
    assert program.code is not None
    draw = random.Random(seed)
    template = next(t for t in templates() if t.id == program.template)
    others = [code for code in template.edits if code != program.code]
    draw.shuffle(others)
    near = [code for code in others if _kind(code) == _kind(program.code)]
    # Some of the same kind, some of others: neither gives it away.
    others = near[: count // 2] + [code for code in others if code not in near] + near[count // 2 :]
    chosen = [program.code]
    for code in others:
        if len(chosen) < count and not any(_alike(code, other) for other in chosen):
            chosen.append(code)
    draw.shuffle(chosen)
    return tuple(chosen)


def _kind(code: str) -> str:
    return "scale" if code.endswith("scale") else code.partition("-")[0]


def _alike(one: str, other: str) -> bool:
    return any(one in group and other in group for group in SYNONYMS)
