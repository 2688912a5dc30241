"""The family of attentions that keep keys and values: the family of attentions, evaluated chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.attention import ATTENTION
from interview_coach.grading.family.base import Choice, Family, NotApplicable, Variant
from interview_coach.grading.family.inputs import AttentionInputs, Piece, Stage, V
from interview_coach.grading.family.memory import (
    CACHED_CAUSAL,
    MEMORY_RULES,
    PLACE_RULES,
    Entries,
    remember,
    turn,
)
from interview_coach.grading.family.tiles import TILED

_HEADS = ("project", "split", "group")
"""Stages that see the new tokens alone."""
_OWN = ("memory", "places", "causal")
"""Stages whose variants are about the cache."""

_ABOUT = (
    ("rotate", "rotation"),
    ("places", "rotation"),
    ("position", "alibi"),
    ("window", "window"),
    ("mask", "keep"),
)
"""Stages that have no meaning where the inputs lack something, with its name."""


def _nothing(f: AttentionInputs) -> None:
    return


def _one_call(f: AttentionInputs) -> None:
    """There is no earlier call whose entries could be wrong."""
    raise NotApplicable


def _rules(codes: dict[str, str]) -> Stage:
    return {"right": V(_nothing), **{name: V(_one_call, code) for name, code in codes.items()}}


@dataclass(frozen=True, eq=False, repr=False)
class CachedFamily(Family[AttentionInputs]):
    """Inputs with ``chunks`` are computed one chunk after the other, each on what the choice says it remembers.

    ``of_cache`` leaves the other stages as they are, for code whose single call is right.
    """

    of_cache: bool = False

    def wrong(self) -> list[tuple[str, str]]:
        """All wrong variants, or those about the cache."""
        return [one for one in super().wrong() if not self.of_cache or one[0] in _OWN]

    def evaluate(self, flow: AttentionInputs, choice: Choice) -> Array:
        """The outputs of all chunks, one after the other.

        Raises:
            NotApplicable: If a chosen variant has no meaning here.
        """
        if len(flow.chunks) < 2:
            if "places" not in choice:
                return super().evaluate(flow, choice)
            flow.chunks = (_length(flow),)
        with np.errstate(all="ignore"):
            try:
                return self._chunked(flow, choice)
            except (ValueError, IndexError) as error:
                raise NotApplicable(str(error)) from error

    def _chunked(self, flow: AttentionInputs, choice: Choice) -> Array:
        if any(stage in choice and getattr(flow, name) is None for stage, name in _ABOUT):
            raise NotApplicable
        parts = [_part(flow, number) for number in range(len(flow.chunks))]
        for part in parts:
            for stage in _HEADS:
                self._variant(stage, choice).apply(part)
        keys, values = (np.concatenate([getattr(p, name) for p in parts], -2) for name in ("key", "value"))
        memory, places = choice.get("memory", "right"), choice.get("places", "right")
        outs = []
        for part in parts:
            assert part.piece is not None
            piece = part.piece
            entries = Entries(tuple(range(piece.start + piece.length)))
            if memory != "right":
                entries = MEMORY_RULES[memory][0](piece)
            part.key, part.value = remember(keys, values, entries, piece)
            for stage in self.stages:
                if stage == "rotate" and flow.rotation is not None and "rotate" not in choice:
                    turn(part, piece, entries, PLACE_RULES[places])
                elif stage not in (*_HEADS, "memory", "places"):
                    self._variant(stage, choice).apply(part)
            outs.append(self.output(part))
        return np.concatenate(outs, -2)

    def _variant(self, stage: str, choice: Choice) -> Variant[AttentionInputs]:
        variants = self.stages[stage]
        return variants[choice[stage]] if stage in choice else next(iter(variants.values()))

    def pairable(self, stage: str, name: str) -> bool:
        """Only what is about the cache: other pairs show in one call already, and are known from there."""
        return stage in _OWN and super().pairable(stage, name)

    def singles(
        self, flow: AttentionInputs, wrong: Sequence[tuple[str, str]], base: Choice
    ) -> Iterator[tuple[dict[str, str], Array]]:
        """The wrong variants one by one; chunks share no stages."""
        for stage, name in wrong:
            try:
                yield {stage: name}, self.evaluate(flow.fresh(), {**base, stage: name})
            except NotApplicable:
                continue

    def pairs(
        self,
        flow: AttentionInputs,
        wrong: Sequence[tuple[str, str]],
        base: Choice,
        within: frozenset[str] = frozenset(),
    ) -> Iterator[tuple[dict[str, str], Array]]:
        """Pairs of variants about the cache; for one call, all pairs."""
        if len(flow.chunks) < 2:
            yield from super().pairs(flow, wrong, base, within)
            return
        own = [one for one in wrong if one[0] in _OWN]
        for number, (stage, name) in enumerate(own):
            for other, second in own[number + 1 :]:
                if stage == other or (within and not {stage, other} & within):
                    continue
                choice = {stage: name, other: second}
                try:
                    yield choice, self.evaluate(flow.fresh(), {**base, **choice})
                except NotApplicable:
                    continue


def _length(flow: AttentionInputs) -> int:
    source = flow.q if flow.x is None else flow.x
    assert source is not None
    return int(source.shape[-2])


def _part(flow: AttentionInputs, number: int) -> AttentionInputs:
    """The inputs of one chunk."""
    piece = Piece(flow.chunks, number)
    rows = slice(piece.start, piece.start + piece.length)
    part = replace(flow, made={}, chunks=())
    for name in ("x", "q", "k", "v"):
        array = getattr(flow, name)
        if array is not None:
            setattr(part, name, array[..., rows, :])
    part.piece = piece
    return part


def _without_tiles(variants: Stage) -> Stage:
    """A cache is no reason to go over the keys tile by tile."""
    return {name: v for name, v in variants.items() if name not in TILED}


def _with_cache() -> dict[str, Stage]:
    stages: dict[str, Stage] = {}
    for name, variants in ATTENTION.stages.items():
        stages[name] = CACHED_CAUSAL if name == "causal" else _without_tiles(variants)
        if name == "group":
            stages["memory"] = _rules({name: code for name, (_, code) in MEMORY_RULES.items()})
            stages["places"] = _rules({name: "cache-offset" for name in PLACE_RULES if name != "right"})
    return stages


CACHED = CachedFamily(stages=_with_cache(), output=ATTENTION.output)
OF_CACHE = replace(CACHED, of_cache=True)
"""The same with nothing wrong but what is about the cache."""
