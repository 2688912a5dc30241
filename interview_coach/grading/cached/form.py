"""How a sequence goes on from call to call: what holds the cache, how it begins, and how it comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from interview_coach.grading.cached.names import cache_role
from interview_coach.grading.failures import SubmissionError
from interview_coach.grading.family.inputs import AttentionInputs
from interview_coach.grading.layouts import Layout, floating_tensor
from interview_coach.grading.observation import Observation, Observed
from interview_coach.grading.protocol import (
    Call,
    DTypeName,
    ModuleState,
    Outcome,
    Parameter,
    Ref,
    Tensor,
)
from interview_coach.grading.roles import Sizes, config_record, fold, size_role
from interview_coach.records import record

if TYPE_CHECKING:
    from interview_coach.grading.binding import Argument
    from interview_coach.grading.contract import Subject

Path = tuple[int | str, ...]
ROOM = 256
USUAL_BASE = 10000.0
"""Tokens that a preallocated cache has room for."""
_TRIES = 3
TOKEN = Layout("token", 2, lambda a: a[..., 0, :], lambda a: a[..., None, :], text="one token")
"""A single token, without an axis for the sequence."""


@record
class Opening:
    """What is called before a sequence: a method of the object, or a class or function of the file."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    method: bool = False


@record
class CacheForm:
    """One way to keep a cache.

    Attributes:
        takes: Roles of the arguments that take the cache; empty where the object itself holds it.
        begins: What the first call is given: ``omitted``, ``opened`` (what ``opening`` made), ``none``, ``dict``,
            ``list``, ``rows`` (arrays without a row) or ``room`` (arrays of zeros with room for all).
        comes_back: Where the cache is in the result, one path each; empty where it is changed in place.
        position: How the number of earlier tokens is told: ``int``, ``row`` (a tensor of positions), ``rows``, or not.
        renewed: Whether each sequence has an object of its own.
        later: Method, arguments and output of the calls after the first, where they are others.
        chunks: Lengths of the chunks in which a sequence is given; empty for all at once.
        single: Whether a token comes without an axis for the sequence.
        masked: Whether the caller's mask makes it causal.
        table: Of the rotation, where the caller hands it over: ``rows`` of the new tokens, or of ``all`` positions.
    """

    takes: tuple[str, ...] = ()
    begins: str = "omitted"
    opening: Opening | None = None
    comes_back: tuple[Path, ...] = ()
    position: str = ""
    renewed: bool = False
    later: tuple[str | None, tuple[Argument, ...], Path] | None = None
    chunks: tuple[int, ...] = ()
    single: bool = False
    masked: bool = False
    table: str = ""

    @property
    def by_caller(self) -> bool:
        """Whether the caller hands the cache on, so that several sequences can be under way."""
        return bool(self.takes)

    def described(self) -> str:
        """The form in a few words, for the contract."""
        if self.by_caller:
            made = f" made by {self.opening.name}()" if self.opening and self.begins == "opened" else ""
            return f"cache{made}, {'handed back' if self.comes_back else 'changed in place'}"
        if self.opening is not None:
            return f"cache in the object, {self.opening.name}() begins a sequence"
        return "cache in the object" + (", a new object for each sequence" if self.renewed else "")

    @property
    def holds(self) -> bool:
        """Whether anything is kept from call to call."""
        return not self.takes or bool(self.comes_back) or self.begins in ("opened", "dict", "list", "room")

    @property
    def bar(self) -> str:
        """What a failure that does not depend on how the cache begins rules out."""
        return f"{self.chunks} {self.single}"

    def switches(self, parameters: Sequence[Parameter]) -> dict[str, Any]:
        """Arguments of a constructor that switch the cache on."""
        off = (p for p in parameters if p.default == "False" and cache_role(p.name) == "use_cache")
        batches = (p for p in parameters if _is_batch(p.name) and (p.default is None or p.default.isdigit()))
        return {p.name: True for p in off} | {p.name: 4 for p in batches}

    def without_cache(self, state: ModuleState) -> ModuleState:
        """The state of an object without the arrays that are its cache and no weights."""
        kept = {n: t for n, t in state.parameters.items() if not re.search(r"cache|past|buf", n.rpartition(".")[2])}
        return replace(state, parameters=kept)

    # ── one sequence ───────────────────────────────────────────────────────────────────────────────────────────────

    def run(
        self, subject: Subject, case: AttentionInputs, *, dtype: str, memory: Any, watch: frozenset[str], sizes: Sizes
    ) -> Observation:
        """Give a sequence in the chunks of the case, and put the outputs together."""
        for _ in range(_TRIES):
            session = Session(self, subject, case, dtype, memory, watch, sizes)
            observed = session.finish()
            failure = observed.outcome.failure
            if failure is None or failure.reason != "lost":
                break
            subject._instances.clear()
        if observed.output is not None:
            subject.echoes.note(case, (case.q, case.k, case.v, case.x), observed.output)
        return Observation(lambda: observed)

    def first_arguments(self) -> dict[str, Any]:
        """Roles that every call is given."""
        return {"use_cache": True}


class Session:
    """A sequence that is under way: its cache, and what came out so far."""

    def __init__(
        self, form: CacheForm, subject: Subject, case: AttentionInputs, dtype: str, memory: Any,
        watch: frozenset[str], sizes: Sizes,
    ) -> None:  # fmt: skip
        self.form, self.subject, self.case, self.sizes = form, subject, case, sizes
        self.dtype, self.options = dtype, {"dtype": dtype, "memory": memory, "watch": watch, "sizes": sizes}
        self.length = _length(case)
        self.lengths = list(case.chunks or _cut(form.chunks, self.length))
        self.start = 0
        self.seen: list[Observed] = []
        self.cache: tuple[Any, ...] = ()
        self.problem: Observed | None = None

    def finish(self) -> Observed:
        """Give all chunks that are left; the outputs one after the other, or the first problem."""
        while self.lengths and self.problem is None:
            self.step()
        return self.observed()

    def observed(self) -> Observed:
        """What came out so far."""
        if self.problem is not None:
            return self.problem
        outputs = [o.output for o in self.seen if o.output is not None]
        last = self.seen[-1]
        return replace(
            last,
            output=np.concatenate(outputs, axis=-2),
            outcome=replace(
                last.outcome,
                mutated=tuple(dict.fromkeys(m for o in self.seen for m in o.outcome.mutated)),
                library=tuple(dict.fromkeys(c for o in self.seen for c in o.outcome.library)),
                seconds=max(o.outcome.seconds for o in self.seen),
            ),
        )

    def step(self) -> None:
        """Give the next chunk."""
        form = self.form
        n = self.lengths.pop(0)
        part = _slice(self.case, self.start, n, self.form.masked)
        bound = self.subject
        if form.later is not None and self.seen:
            method, arguments, path = form.later
            bound = bound.bound(method=method, arguments=arguments, output_path=path)
        try:
            if not self.seen:
                self._open()
            extra = {**form.first_arguments(), **self._given(n, part)}
        except SubmissionError as error:
            self.problem = self._failed(Outcome(failure=error.failure))
            return
        except _CannotBegin as error:
            self.problem = self._failed(error.outcome)
            return
        if form.single and n == 1:
            bound = bound.bound(layout=TOKEN)
        observed = bound.bound(cache=None).run(part, extra=extra, **self.options)._observed
        if observed.output is None:
            earlier = f" after {self.start} in the cache" if self.start else ""
            self.problem = (
                replace(observed, problem=f"{n} tokens{earlier}: {observed.problem}") if earlier else observed
            )
            return
        self.seen.append(observed)
        self.start += n
        ref = observed.outcome.ref
        if form.comes_back and ref is not None:
            self.cache = tuple(Ref(ref.call, (*ref.path, *path)) for path in form.comes_back)

    def _failed(self, outcome: Outcome) -> Observed:
        blank = self.subject._read(self.case, outcome, [], [])
        return replace(blank, output=None)

    def _given(self, n: int, part: AttentionInputs) -> dict[str, Any]:
        values: dict[str, Any] = {}
        form = self.form
        if form.takes == ("cache",):
            if len(self.cache) == 1:
                values["cache"] = self.cache[0]
            elif self.cache:
                values["cache"] = self.cache
            elif form.begins == "none":
                values["cache"] = None
        elif self.cache:
            values |= dict(zip(form.takes, self.cache, strict=False))
        elif form.begins == "none":
            values |= dict.fromkeys(form.takes)
        if form.position:
            row = np.arange(self.start, self.start + n, dtype=np.int64)
            if form.position == "rows":
                row = np.repeat(row[None], _batch(part), axis=0)
            values["start"] = self.start if form.position == "int" else Tensor(row, "int64")
        if form.table:
            values |= self._tables(n)
        return values

    def _tables(self, n: int) -> dict[str, Any]:
        """Angles of the usual rotation, for new tokens or for all positions: as complex numbers, cosines and sines."""
        dim = self.case.q.shape[-1] if self.case.q is not None else self.sizes.d_head
        places = np.arange(ROOM) if self.form.table == "all" else np.arange(self.start, self.start + n)
        angles = np.outer(places, USUAL_BASE ** (-2.0 * np.arange(dim // 2) / dim))
        both = np.concatenate((angles, angles), axis=-1)
        return {
            "freqs": Tensor(np.exp(1j * angles).astype(np.complex64), "complex64"),
            "cos": floating_tensor(np.cos(both), self.dtype),
            "sin": floating_tensor(np.sin(both), self.dtype),
        }

    # ── how it begins ──────────────────────────────────────────────────────────────────────────────────────────────

    def _open(self) -> None:
        """Make the object and the cache of a new sequence."""
        form, subject, binding = self.form, self.subject, self.subject.binding
        if form.renewed:
            subject._instances.pop((self.sizes, self.dtype), None)
        owner: Ref | None = None
        if binding.needs_instance:
            owner, _, failure = subject.instance(self.sizes, self.dtype)
            if owner is None:
                raise _CannotBegin(Outcome(failure=failure))
        if form.opening is not None:
            self._call_opening(form.opening, owner)
        elif form.begins in ("dict", "list"):
            self.cache = (subject.guest.place({} if form.begins == "dict" else [], binding.framework),)
        elif form.begins in ("rows", "room"):
            self.cache = tuple(subject.guest.place(self._rows(role), binding.framework) for role in ("k", "v"))[
                : max(2, len(form.takes))
            ]

    def _call_opening(self, opening: Opening, owner: Ref | None) -> None:
        kwargs = opening_arguments(opening.parameters, self.sizes, _batch(self.case), self.dtype, self.case)
        if opening.method and owner is not None:
            call = Call(owner, kwargs=kwargs, method=opening.name, framework=self.subject.binding.framework)
        else:
            call = Call(opening.name, kwargs=kwargs, framework=self.subject.binding.framework)
        outcome = self.subject.guest.call(call)
        if outcome.failure is not None or outcome.ref is None:
            raise _CannotBegin(outcome)
        if self.form.begins == "opened":
            parts = len(self.form.takes)
            self.cache = (outcome.ref,) if parts < 2 else tuple(Ref(outcome.ref.call, (i,)) for i in range(parts))

    def _rows(self, role: str) -> Tensor:
        """Keys or values in the submission's own order, without a row or with room for all."""
        case, layout = self.case, self.subject.binding.layout
        array = getattr(case, role)
        if array is None:
            heads = self.sizes.kv_heads or self.sizes.head_count
            array = np.zeros((_batch(case), heads, 1, self.sizes.d_head))
            length = ROOM if self.form.begins == "room" else 0
            return floating_tensor(np.zeros((*array.shape[:2], length, array.shape[-1])), self.dtype)
        length = ROOM if self.form.begins == "room" else 0
        shape = (*array.shape[:2], length, array.shape[-1])
        return floating_tensor(layout.out_of(np.zeros(shape)), self.dtype)


class _CannotBegin(Exception):
    """A sequence whose cache could not be made."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


def _length(case: AttentionInputs) -> int:
    source = case.x if case.x is not None else case.q
    assert source is not None
    return int(source.shape[-2])


def _batch(case: AttentionInputs) -> int:
    source = case.x if case.x is not None else case.q
    assert source is not None
    return int(source.shape[0])


def _cut(lengths: tuple[int, ...], total: int) -> Iterator[int]:
    """The lengths, the last of them again and again, until ``total`` is reached."""
    left = total
    for number in range(total if lengths else 1):
        n = min(left, lengths[min(number, len(lengths) - 1)] if lengths else total)
        if left > 0:
            yield n
        left -= n


def _slice(case: AttentionInputs, start: int, n: int, masked: bool) -> AttentionInputs:
    """The inputs of one chunk; with ``masked``, the mask that makes it causal."""
    part = case.fresh()
    part.chunks = ()
    rows = slice(start, start + n)
    for name in ("x", "q", "k", "v"):
        array = getattr(case, name)
        if array is not None:
            setattr(part, name, array[..., rows, :])
    if case.keep is not None:
        keep = np.broadcast_to(case.keep, (*case.keep.shape[:2], _length(case), case.keep.shape[-1]))
        part.keep = keep[..., rows, : start + n]
    if masked:
        seen = np.arange(start + n)[None, :] <= np.arange(start, start + n)[:, None]
        kept = np.broadcast_to(seen, (_batch(case), 1, n, start + n))
        part.keep = kept if part.keep is None else kept & part.keep
    return part


def _is_batch(name: str) -> bool:
    return re.fullmatch(r"(max)?(batch|bsz|bs|b)(size|es)?|nbatch|batches", fold(name)) is not None


def opening_arguments(
    parameters: Sequence[Parameter], sizes: Sizes, batch: int, dtype: str, case: AttentionInputs
) -> dict[str, Any]:
    """Arguments of what makes a cache, by their names; what says nothing keeps its default."""
    if case.q is not None and case.k is not None:
        dim, heads, kv = case.q.shape[-1], case.q.shape[1], case.k.shape[1]
    else:
        dim, heads, kv = sizes.d_head, sizes.head_count, sizes.kv_heads or sizes.head_count
    by_role: Mapping[str, Any] = {
        "heads": kv,
        "kv_heads": kv,
        "d_head": dim,
        "d_value": case.v.shape[-1] if case.v is not None else dim,
        "d_model": dim * heads,
        "length": ROOM,
        "device": "cpu",
        "layer": 0,
        "dtype": DTypeName(dtype),
    }
    values: dict[str, Any] = {}
    roles = {size_role(p.name) for p in parameters}
    by_heads = bool(roles & {"heads", "kv_heads"}) and "d_head" not in roles
    for p in parameters:
        if p.kind in ("var_positional", "var_keyword"):
            continue
        role = size_role(p.name)
        if role == "d_model" and by_heads and fold(p.name) in ("dim", "d", "size"):
            role = "d_head"  # of a cache that is asked for heads
        if _is_batch(p.name):
            values[p.name] = batch
        elif role == "config":
            values[p.name] = config_record(sizes)
        elif role is not None and role in by_role and (p.default is None or role not in ("device", "layer")):
            values[p.name] = by_role[role]
        elif p.default is None and re.search(r"capacity|max|limit|room|slots", fold(p.name)):
            values[p.name] = ROOM
        elif re.fullmatch(r"(n|num)?layers?", fold(p.name)) and p.default is None:
            values[p.name] = 1
    return values
