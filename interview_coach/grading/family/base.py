"""A computation in stages, each with its right way and the wrong ones.

A *choice* names one variant for some of the stages; the stages left out take their first, which is the right one. The
empty choice is therefore the truth, and a choice of one or two wrong variants is what a submission with these bugs
would compute.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from interview_coach.arrays import Array

Flow = TypeVar("Flow")
Choice = Mapping[str, str]


class NotApplicable(Exception):
    """The variant has no meaning for these inputs (a shape does not permit it, nothing of the kind is there)."""


_MEANINGLESS = (NotApplicable, ValueError, IndexError)
"""What applying a variant raises where a shape does not permit it."""


@dataclass(eq=False, repr=False)
class Variant(Generic[Flow]):
    """One way to do a stage; ``code`` names the bug, ``None`` marks the right way or an accepted convention."""

    apply: Callable[[Flow], None]
    code: str | None = None
    alone: bool = False
    """Never tried together with another variant."""


@dataclass(frozen=True, eq=False, repr=False)
class Family(Generic[Flow]):
    """Stages in the order of the computation; each maps variant names to variants, the right one first."""

    stages: Mapping[str, Mapping[str, Variant[Flow]]]
    output: Callable[[Flow], Array]

    @cached_property
    def _right(self) -> tuple[tuple[str, Callable[[Flow], None]], ...]:
        """What does each stage right."""
        return tuple((stage, next(iter(variants.values())).apply) for stage, variants in self.stages.items())

    def evaluate(self, flow: Flow, choice: Choice) -> Array:
        """The output of the chosen variants on the inputs that ``flow`` carries.

        Raises:
            NotApplicable: If a chosen variant has no meaning here.
        """
        with np.errstate(all="ignore"):
            try:
                for stage, right in self._right:
                    name = choice.get(stage)
                    (right if name is None else self.stages[stage][name].apply)(flow)
                return self.output(flow)
            except (ValueError, IndexError) as error:
                raise NotApplicable(str(error)) from error

    def before(self, stage: str, flow: Flow, choice: Choice) -> Flow:
        """The values that flow into a stage, under a choice."""
        with np.errstate(all="ignore"):
            for name, variants in self.stages.items():
                if name == stage:
                    break
                variants[choice.get(name, next(iter(variants)))].apply(flow)
        return flow

    def code(self, stage: str, name: str) -> str | None:
        """The code of a variant."""
        return self.stages[stage][name].code

    def wrong(self) -> list[tuple[str, str]]:
        """All wrong variants as ``(stage, name)``."""
        return [(s, n) for s, variants in self.stages.items() for n, v in variants.items() if v.code is not None]

    def singles(
        self, flow: Flow, wrong: Sequence[tuple[str, str]], base: Choice
    ) -> Iterator[tuple[dict[str, str], Array]]:
        """Outputs of the ``wrong`` variants one by one, on top of ``base``, in the order of the computation.

        The stages before a variant are computed once for all; what has no meaning here is left out.
        """
        names = list(self.stages)
        usual = [v[base[s]] if s in base else next(iter(v.values())) for s, v in self.stages.items()]
        state = copy.copy(flow)
        with np.errstate(all="ignore"):
            for number, stage in enumerate(names):
                for name in (n for s, n in wrong if s == stage):
                    trial = copy.copy(state)
                    try:
                        self.stages[stage][name].apply(trial)
                        for variant in usual[number + 1 :]:
                            variant.apply(trial)
                        yield {stage: name}, self.output(trial)
                    except _MEANINGLESS:
                        continue
                try:
                    usual[number].apply(state)
                except _MEANINGLESS:
                    return

    def pairs(
        self,
        flow: Flow,
        wrong: Sequence[tuple[str, str]],
        base: Choice,
        within: frozenset[str] = frozenset(),
    ) -> Iterator[tuple[dict[str, str], Array]]:
        """Outputs of all pairs of ``wrong`` variants of different stages, on top of ``base``.

        The stages before the second variant are computed once for all that share the first. With ``within``, only
        pairs with a variant of one of these stages.
        """
        names = list(self.stages)
        usually = {s: v[base[s]] if s in base else next(iter(v.values())) for s, v in self.stages.items()}
        usual = usually.__getitem__
        of_stage: dict[str, list[str]] = {stage: [] for stage in names}
        for stage, name in wrong:
            of_stage[stage].append(name)

        with np.errstate(all="ignore"):
            for first, name in wrong:
                start = names.index(first)
                try:
                    state = copy.copy(flow)
                    for stage in names[:start]:
                        usual(stage).apply(state)
                    self.stages[first][name].apply(state)
                except _MEANINGLESS:
                    continue
                for second in range(start + 1, len(names)):
                    wanted = not within or first in within or names[second] in within
                    for other in of_stage[names[second]] if wanted else ():
                        trial = copy.copy(state)
                        try:
                            self.stages[names[second]][other].apply(trial)
                            for stage in names[second + 1 :]:
                                usual(stage).apply(trial)
                            yield {first: name, names[second]: other}, self.output(trial)
                        except _MEANINGLESS:
                            continue
                    try:
                        usual(names[second]).apply(state)
                    except _MEANINGLESS:
                        break

    def pairable(self, stage: str, name: str) -> bool:
        """Whether a variant is tried in pairs."""
        return not self.stages[stage][name].alone

    def codes(self, choice: Choice) -> tuple[str, ...]:
        """The codes of a choice, each once, in the order of the computation."""
        found = [self.code(s, choice[s]) for s in self.stages if s in choice]
        return tuple(dict.fromkeys(c for c in found if c is not None))
