"""One hunt as a state machine: a program, some names, a clock. No widgets, no terminal; the clock is given.

``hunting`` ⇄ ``paused`` → ``over``. Calls that make no sense in the phase do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from interview_coach.hunt.template import Program
from interview_coach.records import record

Phase = Literal["hunting", "paused", "over"]
Way = Literal["code", "line"]

SECONDS = 90.0
PENALTY = 15.0
"""Seconds that a wrong guess costs."""


@record
class Result:
    """How a hunt ended.

    Attributes:
        program: What was hunted in.
        found: Whether the bug was named, or its line, in time.
        by: What was given: the code or the line; ``None`` if it was not found.
        wrong: Guesses that were wrong.
        seconds: That it took, penalties included.
    """

    program: Program
    found: bool
    by: Way | None
    wrong: tuple[str, ...]
    seconds: float

    def event(self) -> dict[str, Any]:
        """The data of an event of kind ``hunted``."""
        return {
            "template": self.program.template,
            "exercise": self.program.exercise,
            "code": self.program.code,
            "found": self.found,
            "by": self.by,
            "wrong": list(self.wrong),
            "seconds": round(self.seconds, 1),
        }


class Hunt:
    """One program and its planted bug.

    Args:
        program: Where to look; it has a bug.
        choices: Codes to choose from, the planted one among them.
        clock: Seconds, never going back (`time.monotonic`).
        seconds: How long the hunt lasts.
        penalty: Seconds that a wrong guess costs.
    """

    def __init__(
        self,
        program: Program,
        choices: Sequence[str],
        *,
        clock: Callable[[], float],
        seconds: float = SECONDS,
        penalty: float = PENALTY,
    ) -> None:
        if program.code not in choices:
            raise ValueError(f"the planted bug {program.code!r} is not among the choices {tuple(choices)}")
        self.program, self.choices = program, tuple(choices)
        self.phase: Phase = "hunting"
        self.wrong: list[str] = []
        self.result: Result | None = None
        self._clock, self.seconds, self._penalty = clock, seconds, penalty
        self._since, self._used = clock(), 0.0

    @property
    def elapsed(self) -> float:
        """Seconds used, penalties included, at most all of them."""
        running = self._clock() - self._since if self.phase == "hunting" else 0.0
        return min(self.seconds, self._used + running)

    @property
    def remaining(self) -> float:
        """Seconds left."""
        return self.seconds - self.elapsed

    def tick(self) -> None:
        """Look at the clock: at its end the hunt is over."""
        if self.phase == "hunting" and self.remaining <= 0:
            self._end(None)

    def pause(self) -> None:
        """Stop the clock."""
        self.tick()
        if self.phase == "hunting":
            self._used, self.phase = self.elapsed, "paused"

    def resume(self) -> None:
        """Let the clock go on."""
        if self.phase == "paused":
            self._since, self.phase = self._clock(), "hunting"

    def name(self, code: str) -> bool:
        """Say which bug it is; whether that is right. What is no choice, or was wrong before, costs nothing."""
        return self._guess("code", code, code == self.program.code) if code in self.choices else False

    def point(self, line: int) -> bool:
        """Say in which line it is (from 1); whether that is right."""
        if not 1 <= line <= len(self.program.text.splitlines()):
            return False
        return self._guess("line", str(line), line in self.program.lines + self.program.also)

    def give_up(self) -> None:
        """End it without an answer."""
        if self.phase != "over":
            self._end(None)

    def answer(self, typed: str) -> bool | None:
        """A line number, the letter of a choice or a code, as it was typed.

        Returns:
            Whether it is right; ``None`` if it is none of them.
        """
        text = typed.strip().lower()
        if text.isdecimal() and text.isascii():
            return self.point(int(text)) if 1 <= int(text) <= len(self.program.text.splitlines()) else None
        if text in self.choices:
            return self.name(text)
        position = ord(text) - ord("a") if len(text) == 1 else -1
        return self.name(self.choices[position]) if 0 <= position < len(self.choices) else None

    def _guess(self, way: Way, guess: str, right: bool) -> bool:
        self.tick()
        if self.phase != "hunting" or guess in self.wrong:
            return False
        if right:
            self._end(way)
            return True
        self.wrong.append(guess)
        self._used += self._penalty
        self.tick()
        return False

    def _end(self, by: Way | None) -> None:
        self._used = self.elapsed
        self.phase = "over"
        self.result = Result(self.program, by is not None, by, tuple(self.wrong), self._used)
