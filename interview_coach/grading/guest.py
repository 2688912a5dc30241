"""One submission in its process: calls go in, outcomes come out, whatever the submission does."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from interview_coach.grading import answers, wire
from interview_coach.grading.allowance import Allowance, Wait
from interview_coach.grading.answers import Step
from interview_coach.grading.failures import SubmissionError, ended, failure
from interview_coach.grading.launch import Launcher, LaunchError
from interview_coach.grading.link import Link, LinkClosed, LinkTimeout, Output
from interview_coach.grading.protocol import (
    Call,
    Failure,
    Framework,
    Limits,
    ModuleInfo,
    ModuleState,
    Outcome,
    Ref,
    Source,
    Tensor,
    Value,
    refs,
)

_RESTARTS = 5
_SLACK_BYTES = 2**20
_STATE_S = 20.0
_AHEAD, _AHEAD_BYTES = 32, 3 * 2**15 if sys.platform.startswith("linux") else 0
"""Calls that may wait in the channel: so few bytes fit into it there that neither side ever waits for the other."""
_GRACE_S = 0.25
"""For a process whose end of the channel closed, to end by itself: how it ended tells why."""


@dataclass(slots=True, eq=False, repr=False)
class _Asked:
    """A call that was sent, or is to be sent again: number and time of the last sending, and what came of it."""

    call: Call
    turn: int | None
    seconds: float
    number: int = 0
    size: int = 0
    sent: float = 0.0
    outcome: Outcome | None = None


class Guest:
    """One submission. Made by :meth:`Sandbox.open`; its process is replaced when it ends before its time."""

    info: ModuleInfo

    def __init__(
        self,
        launcher: Launcher,
        source: Source,
        modules: list[str],
        limits: Limits,
        closed: Callable[[Guest], None],
    ) -> None:
        self._launcher, self._source, self._limits, self._closed = launcher, source, limits, closed
        self._modules = modules
        self._output = Output(limits.output_bytes)
        self._link: Link | None = None
        self._sequence = 0
        self._asked: deque[_Asked] = deque()
        self._heard = 0.0
        self.steps: list[Step] = []
        self._oldest_kept = 0
        self._restarts = 0
        self._total = Allowance(limits.total_s, self._processor_s)
        self._gone: Failure | None = None
        self.missing: Failure | None = None
        """A call that needed a module which is not here."""

    @property
    def interprets(self) -> bool:
        """Whether kernels of the submission run in Triton's interpreter."""
        return self.info.imports_triton and self._source.device == "cpu"

    @property
    def forward_only(self) -> bool:
        """Whether it is kernels without an autograd function: nothing leads back through them."""
        return self.interprets and not any(c.is_autograd_function for c in self.info.callables)

    @property
    def stdout(self) -> str:
        """What the submission printed so far, on either stream; cut at ``limits.output_bytes``, and then says so."""
        if self._link is not None:
            self._link.drain()
        return self._output.text()

    def load(self, meanwhile: Callable[[], None] | None = None) -> None:
        """Start a process and load the submission in it; ``meanwhile`` is done while it loads.

        Raises:
            SubmissionError: if it cannot be loaded.
        """
        try:
            process = self._launcher.start(self._modules, self._limits)
        except LaunchError as error:
            raise SubmissionError(failure("no-worker", detail=str(error))) from None
        self._link = Link(process, self._output)
        self._oldest_kept = self._sequence
        source = {
            "text": self._source.text,
            "filename": self._source.filename,
            "folder": self._source.folder,
            "device": self._source.device,
            "without": list(self._source.without),
        }
        header = {
            "op": "load",
            "source": source,
            "modules": self._modules,
            "result_bytes": self._limits.result_bytes,
        }
        answer, failed = self._ask(header, [], self._limits.load_s, "timeout-load", meanwhile)
        if failed is None:
            try:
                self.info = answers.module_info(answer[0].get("info"))
                return
            except wire.WireError as error:
                failed = self._end(failure("garbage", detail=str(error)))
        self._end(failed)
        raise SubmissionError(failed)

    def beside(self, text: str, filename: str) -> ModuleInfo:
        """Load a module of the project's own in the process of the submission, which by then was asked all that counts.

        Returns:
            What it holds. Calls of it name :data:`~interview_coach.grading.protocol.BESIDE` first.

        Raises:
            SubmissionError: if it cannot be loaded.
        """
        header = {"op": "beside", "text": text, "filename": filename}
        info: ModuleInfo = self._exchange(header, read=lambda answer, _: answers.module_info(answer.get("info")))
        return info

    def call(self, call: Call, *, turn: int | None = None, seconds: float | None = None) -> Outcome:
        """Make one call. What the submission does wrong is in the outcome; nothing of it is ever raised.

        ``turn`` numbers the call, which seeds what is random in it; by default it is the number of its step.
        ``seconds`` may limit it further than the limits do.
        """
        return self.begin(call, turn=turn, seconds=seconds)()

    def begin(self, call: Call, *, turn: int | None = None, seconds: float | None = None) -> Callable[[], Outcome]:
        """Send a call and go on; the result waits for its outcome. Calls are made in the order they were sent in."""
        limit = self._limits.call_s if seconds is None else min(seconds, self._limits.call_s)
        asked = _Asked(call, turn, limit)
        self._send_call(asked)

        def outcome() -> Outcome:
            while asked.outcome is None:
                if asked in self._asked:
                    self._hear()
                else:  # its process ended before it came to it
                    self._send_call(asked)
            return asked.outcome

        return outcome

    def _send_call(self, asked: _Asked) -> None:
        call = asked.call
        failed = self._prepare(call)
        if failed is not None:
            return self._conclude(asked, Outcome(failure=failed))
        encoder = wire.Encoder()
        header: dict[str, Any] = {
            "op": "call",
            "target": encoder.encode(call.target),
            "args": [encoder.encode(value) for value in call.args],
            "kwargs": [[name, encoder.encode(value)] for name, value in call.kwargs.items()],
            "method": call.method,
            "framework": call.framework,
            "cotangent": None if call.cotangent is None else encoder.tensor(call.cotangent)["tensor"],
            "output_path": list(call.output_path),
            "watch": sorted(call.watch),
            "eval_mode": call.eval_mode,
            "keep": call.keep,
            "times": call.times,
        }
        while self._asked and (
            len(self._asked) >= _AHEAD or sum([a.size for a in self._asked]) + encoder.size > _AHEAD_BYTES
        ):
            self._hear()
        if self._link is None:
            return self._send_call(asked)
        self._sequence += 1
        asked.number, asked.size, asked.sent = self._sequence, encoder.size, time.monotonic()
        header |= {"seq": asked.number, "turn": asked.number if asked.turn is None else asked.turn}
        try:
            pieces = wire.pack(header, encoder.buffers)
            self._link.send(pieces, self._wait(asked.seconds, asked.sent), idle=not self._asked)
        except LinkTimeout:
            self._conclude(asked, Outcome(failure=self._end(failure("timeout", seconds=asked.seconds))))
        except LinkClosed:
            if self._asked:
                self._hear()  # it ended over one of these
            else:
                self._conclude(asked, Outcome(failure=self._end(None)))
        except wire.WireError as error:
            self._conclude(asked, Outcome(failure=self._end(failure("garbage", detail=str(error)))))
        else:
            self._asked.append(asked)

    def _hear(self) -> None:
        """Wait for the next answer, which is that to the oldest call that has none."""
        asked = self._asked.popleft()
        since = max(asked.sent, self._heard)
        answer, failed = self._receive(asked.number, since, asked.seconds, "timeout")
        elapsed = time.monotonic() - since
        if failed is not None and not answer[0]:
            return self._conclude(asked, Outcome(failure=failed, seconds=elapsed))
        try:
            outcome = answers.outcome(*answer, Ref(asked.number) if asked.call.keep else None, failed)
        except wire.WireError as error:
            outcome = Outcome(failure=self._end(failure("garbage", detail=str(error))), seconds=elapsed)
        return self._conclude(asked, outcome)

    def _conclude(self, asked: _Asked, outcome: Outcome) -> None:
        asked.outcome = outcome
        if outcome.failure is not None and outcome.failure.reason.startswith("missing-"):
            self.missing = outcome.failure
        self.steps.append(Step(asked.number or self._sequence, asked.call, outcome))

    def state(self, ref: Ref) -> ModuleState:
        """Parameters, buffers and attributes of a kept object.

        Raises:
            SubmissionError: if it cannot be read.
        """
        header = {"op": "state", "ref": [ref.call, *ref.path]}
        state: ModuleState = self._exchange(header, ref, read=answers.module_state)
        return state

    def assign(self, ref: Ref, values: dict[str, Tensor]) -> None:
        """Set parameters, buffers or arrays of a kept object in place, by the names of :meth:`state`.

        Raises:
            SubmissionError: for a name that it lacks, or a shape that differs.
        """
        encoder = wire.Encoder()
        pairs = [[name, encoder.tensor(tensor)["tensor"]] for name, tensor in values.items()]
        self._exchange({"op": "assign", "ref": [ref.call, *ref.path], "values": pairs}, ref, encoder.buffers)
        self.steps.append(Step(self._sequence, of=ref.call, values=values))

    def place(self, value: Value, framework: Framework) -> Ref:
        """Keep a value on the other side: the object that a :class:`Ref` then stands for may be changed in place.

        Raises:
            SubmissionError: if it cannot be had there.
        """
        encoder = wire.Encoder()
        header = {"op": "place", "value": encoder.encode(value), "framework": framework}
        self._exchange(header, buffers=encoder.buffers)
        return Ref(self._sequence)

    def convert(self, ref: Ref, dtype: str) -> None:
        """Convert a kept object to another dtype, in place: ``module.to(dtype)``.

        Raises:
            SubmissionError: if it cannot be converted.
        """
        self._exchange({"op": "convert", "ref": [ref.call, *ref.path], "dtype": dtype}, ref)
        self.steps.append(Step(self._sequence, of=ref.call, dtype=dtype))

    def close(self) -> None:
        """End the submission's process and everything that it started."""
        self._asked.clear()
        self._gone = failure("lost")
        if self._link is not None:
            link, self._link = self._link, None
            link.close()
        self._closed(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _exchange(
        self,
        header: dict[str, Any],
        of: Ref | None = None,
        buffers: Sequence[Any] = (),
        read: Callable[[dict[str, Any], bytearray], Any] = lambda *_: None,
    ) -> Any:
        """What is ``read`` from the answer to what is no call; a kept object that it is ``of`` must still be there."""
        while self._asked:
            self._hear()
        failed = self._prepare(of or Ref(self._sequence + 1))
        if failed is None:
            answer, failed = self._ask(header, buffers, _STATE_S, "timeout")
        if failed is not None:
            raise SubmissionError(failed)
        try:
            return read(*answer)
        except wire.WireError as error:
            raise SubmissionError(self._end(failure("garbage", detail=str(error)))) from None

    def _prepare(self, wanted: Call | Ref) -> Failure | None:
        """Have a process that can be asked, and that has the kept values that are ``wanted``."""
        if self._gone is not None:
            return self._gone
        if self._link is None:
            if self._restarts >= _RESTARTS:
                return failure("ended-often", times=self._restarts)
            self._restarts += 1
            try:
                self.load()
            except SubmissionError as error:
                return error.failure
        if self._oldest_kept and any(ref.call <= self._oldest_kept for ref in refs(wanted)):
            return failure("lost")
        return None

    def _ask(
        self,
        header: dict[str, Any],
        buffers: Sequence[Any],
        seconds: float,
        reason: str,
        meanwhile: Callable[[], None] | None = None,
    ) -> tuple[tuple[dict[str, Any], bytearray], Failure | None]:
        """One exchange with the process; a failure also comes with the rest of the answer, if there was one."""
        assert self._link is not None
        self._sequence += 1
        started = time.monotonic()
        try:
            pieces = wire.pack(header | {"seq": self._sequence}, buffers)
            self._link.send(pieces, self._wait(seconds, started), idle=True)
        except LinkTimeout:
            return ({}, bytearray()), self._end(failure(reason, seconds=seconds))
        except LinkClosed:
            return ({}, bytearray()), self._end(None)
        except wire.WireError as error:
            return ({}, bytearray()), self._end(failure("garbage", detail=str(error)))
        if meanwhile is not None:
            meanwhile()
        return self._receive(self._sequence, started, seconds, reason)

    def _receive(
        self, number: int, since: float, seconds: float, reason: str
    ) -> tuple[tuple[dict[str, Any], bytearray], Failure | None]:
        """The answer to question ``number``, which the process has been at ``since`` then."""
        assert self._link is not None
        nothing: tuple[dict[str, Any], bytearray] = ({}, bytearray())
        left = self._total.left if reason != "timeout-load" else seconds
        if left < seconds:
            seconds, reason = left, "timeout-total"
        if left <= 0:
            self._gone = self._end(failure("timeout-total", seconds=self._limits.total_s))
            return nothing, self._gone
        try:
            answer = self._link.receive(self._wait(seconds, since), self._limits.result_bytes + _SLACK_BYTES)
            if answer[0].get("seq") != number:
                raise wire.WireError("an answer to another question")
            failed = answers.failed(answer[0], self._limits)
        except LinkTimeout:
            if reason == "timeout-total":
                seconds, self._total.left = self._limits.total_s, 0.0
            return nothing, self._end(failure(reason, seconds=seconds))
        except LinkClosed:
            return nothing, self._end(None)
        except wire.WireError as error:
            return nothing, self._end(failure("garbage", detail=str(error)))
        finally:
            self._heard = time.monotonic()
            if reason != "timeout-load":
                self._total.spend(self._heard - since)
        if failed is not None and failed.kind == "memory":
            self._end(failed)
        return answer, failed

    def _processor_s(self) -> float | None:
        return None if self._link is None else self._link.processor_s()

    def _wait(self, seconds: float, since: float) -> Wait:
        return Wait(Allowance(seconds, self._processor_s), since)

    def _end(self, failed: Failure | None) -> Failure:
        """End the process; the failure is the given one, or tells how it had ended by itself."""
        self._asked.clear()
        link, self._link = self._link, None
        status = link.close(_GRACE_S if failed is None else 0.0) if link is not None else {}
        return failed or ended(status, self._limits.total_s)
