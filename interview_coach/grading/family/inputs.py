"""Canonical inputs of an attention, and the values that flow through its stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TypeAlias

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import Variant
from interview_coach.records import record


@record
class Norm:
    """A normalisation of the last axis before the projections: LayerNorm, or RMSNorm without a mean."""

    scale: Array
    shift: Array | None = None
    centred: bool = True
    eps: float = 1e-5
    groups: int = 0
    """Groups of channels, each normalised over all positions of ``(B, S, C)``; 0 for each position alone."""

    def __call__(self, x: Array) -> Array:
        """``x`` normalised along its last axis, or in groups of channels."""
        if self.groups:
            y: Array = x.reshape(*x.shape[:-1], self.groups, -1)
            y = y - y.mean((-3, -1), keepdims=True)
            y = (y / np.sqrt((y**2).mean((-3, -1), keepdims=True) + self.eps)).reshape(x.shape) * self.scale
            return y if self.shift is None else y + self.shift
        y = x - x.mean(-1, keepdims=True) if self.centred else x
        y = y / np.sqrt((y**2).mean(-1, keepdims=True) + self.eps) * self.scale
        return y if self.shift is None else y + self.shift


@record
class Rotation:
    """RoPE on queries and keys.

    Attributes:
        base: Of the frequencies ``base ** (-2 i / D)``.
        interleaved: Pairs are ``(x[2i], x[2i + 1])`` instead of ``(x[i], x[i + D/2])``.
        restart: Queries count from 0 also where there are fewer of them than keys.
    """

    base: float = 10000.0
    interleaved: bool = False
    restart: bool = False


@record
class Weights:
    """Projections, each ``(in, out)`` for ``x @ w``; a missing bias or output projection is ``None``."""

    q: Array
    k: Array
    v: Array
    o: Array | None = None
    q_bias: Array | None = None
    k_bias: Array | None = None
    v_bias: Array | None = None
    o_bias: Array | None = None
    kv_heads: int | None = None
    x_norm: Norm | None = None
    context_norm: Norm | None = None
    out_norm: Norm | None = None
    residual: bool = False
    set_block: bool = False
    """Whether it is a block of the Set Transformer (Lee et al., 2019): queries are added to what the heads bring, and
    the output projection, after a ReLU, is added to that."""

    def sources(self, f: AttentionInputs) -> tuple[Array, Array, Array]:
        """What queries, keys and values are projected from, normalised where the module does."""
        assert f.x is not None
        x = f.x if self.x_norm is None else f.normalised(f.x, self.x_norm)
        if f.context is None:
            return x, x, x
        pair = (f.context, f.context if f.value_context is None else f.value_context)
        context, values = pair if self.context_norm is None else (f.normalised(t, self.context_norm) for t in pair)
        return x, context, values

    def projected(self, merged: Array, queries: Array) -> Array:
        """The output projection of the merged heads; ``queries`` are merged as well."""
        if self.o is None:
            return merged
        heads = merged + queries if self.set_block else merged
        out: Array = heads @ self.o + (0 if self.o_bias is None else self.o_bias)
        return heads + np.maximum(out, 0) if self.set_block else out

    def finished(self, out: Array, f: AttentionInputs) -> Array:
        """The output of the module, from that of its attention: a whole sublayer adds its input, and may normalise."""
        if self.residual:
            assert f.x is not None
            out = out + f.x
        return out if self.out_norm is None else self.out_norm(out)


@record
class Piece:
    """One chunk of a sequence: its number among the lengths of all."""

    chunks: tuple[int, ...]
    number: int

    @property
    def start(self) -> int:
        """Tokens before the chunk."""
        return sum(self.chunks[: self.number])

    @property
    def length(self) -> int:
        """Tokens of the chunk."""
        return self.chunks[self.number]


@dataclass(eq=False, repr=False)
class AttentionInputs:
    """Canonical inputs, and the values that flow through the stages.

    Either ``q``, ``k``, ``v`` are given as ``(B, H, S, D)``, or ``x`` (``(B, S, C)``), ``context`` and ``weights``.
    ``keep`` is the mask in the meaning True = may attend, broadcastable to ``(B, H, Sq, Sk)``; ``bias`` is added to the
    logits. ``padding`` says that ``keep`` comes from a ``(B, Sk)`` mask. ``causal`` aligns the last query with the last
    key, with ``top_left`` the first with the first. ``window`` limits how far back a query sees, ``alibi`` names the
    slopes of a bias that grows with the distance (``paper``, ``plain``), ``rotation`` is RoPE. ``linear`` attention has
    the feature map elu + 1 in place of the softmax.
    """

    heads: int = 1
    q: Array | None = None
    k: Array | None = None
    v: Array | None = None
    x: Array | None = None
    context: Array | None = None
    value_context: Array | None = None
    weights: Weights | None = None
    keep: Array | None = None
    bias: Array | None = None
    padding: bool = False
    causal: bool = False
    top_left: bool = False
    scale: float | None = None
    window: int | None = None
    alibi: str | None = None
    rotation: Rotation | None = None
    linear: bool = False
    empty_rows: str = "zero"
    chunks: tuple[int, ...] = ()
    """How many tokens each call brought, for attention that keeps earlier keys and values; empty for one call."""
    conventions: dict[str, str] = field(default_factory=dict)
    made: dict[tuple[str, int, int], tuple[Array, object, object]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Products of sources and weights, which most variants share, with what they were made of."""
    query: Array = field(init=False)
    key: Array = field(init=False)
    value: Array = field(init=False)
    unsplit: bool = field(init=False, default=False)
    """Whether heads lie as a view of ``(B, S, C)`` without a transpose left them, and are merged in the same way."""
    groups: int = field(init=False, default=1)
    """Query heads that share a key/value head."""
    logits: Array = field(init=False)
    slopes: Array | None = field(init=False, default=None)
    """Slopes ``(H, 1, 1)`` of the bias that was added."""
    corner: int = field(init=False, default=0)
    """Position of the first query, as a variant of the causal mask takes it."""
    allowed: Array | None = field(init=False, default=None)
    swapped: bool = field(init=False, default=False)
    attention: Array = field(init=False)
    out: Array = field(init=False)
    piece: Piece | None = field(init=False, default=None)
    """Which of the chunks these values belong to."""

    def product(self, role: str, source: Array, weight: Array) -> Array:
        """``source @ weight``, computed once for all copies of these inputs."""
        key = (role, id(source), id(weight))
        if key not in self.made:
            self.made[key] = (source @ weight, source, weight)
        return self.made[key][0]

    def normalised(self, source: Array, norm: Norm) -> Array:
        """``norm(source)``, computed once for all copies of these inputs."""
        key = ("norm", id(source), id(norm))
        if key not in self.made:
            self.made[key] = (norm(source), source, norm)
        return self.made[key][0]

    def first_position(self, queries: int, keys: int) -> int:
        """Position of the first query among the keys."""
        return 0 if self.top_left else keys - queries

    def all_kept(self) -> Array:
        """The mask ``(B, 1, Sq, Sk)`` under which every query sees every key."""
        queries = self.q if self.q is not None else self.x
        keys = next(t for t in (self.k, self.context, self.x) if t is not None)
        assert queries is not None
        return np.ones((queries.shape[0], 1, queries.shape[-2], keys.shape[-2]), bool)

    def fresh(self) -> AttentionInputs:
        """The same inputs to run another choice on."""
        other, given = object.__new__(AttentionInputs), self.__dict__
        other.__dict__.update((name, given[name]) for name in _GIVEN)
        return other

    def __copy__(self) -> AttentionInputs:
        """These inputs and all values that have flowed so far; what ``copy`` does by itself takes ten times as long."""
        other = object.__new__(AttentionInputs)
        other.__dict__.update(self.__dict__)
        return other


Step: TypeAlias = Callable[[AttentionInputs], None]
V: TypeAlias = Variant[AttentionInputs]
Stage: TypeAlias = Mapping[str, Variant[AttentionInputs]]

_GIVEN = tuple(f.name for f in fields(AttentionInputs) if f.init)
