"""Run a submission in another process, and never trust what comes back.

A :class:`Sandbox` owns the process that guests are made from; a
:class:`~interview_coach.grading.guest.Guest` is one submission. Whatever the submission does, a call ends within its
limit with an :class:`~interview_coach.grading.protocol.Outcome`. Importing this module imports no numpy: the sandbox
starts while its parent still does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from interview_coach.grading.failures import SubmissionError
from interview_coach.grading.imports import imported_modules
from interview_coach.grading.launch import ForkLauncher, Launcher, SpawnLauncher
from interview_coach.grading.protocol import Limits, Source
from interview_coach.grading.spare import SpareLauncher
from interview_coach.grading.start import Zygote

if TYPE_CHECKING:
    from interview_coach.grading.guest import Guest

__all__ = ["Guest", "Sandbox", "SubmissionError"]


def __getattr__(name: str) -> object:
    if name == "Guest":
        from interview_coach.grading.guest import Guest

        return Guest
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Sandbox:
    """Where guests come from. Starting it does not wait for anything.

    Args:
        limits: What each guest may use.
        isolate: Also keep guests from the network and from writing files, by bubblewrap; ``isolation_note`` is one
            line that says so where that cannot be had.
        preload_torch: Import torch before the first submission asks for it.
        lingering: A guest that is released is ended while the report is read, not before; what is asked next waits
            for its end.
        start: ``fork`` guests from one process, in a process ``namespace`` of its own where that is permitted, or
            ``spawn`` each; by default the best that the system can do.
        zygote: The process to fork from, where it was started before; it then decides ``isolate``, ``preload_torch``
            and ``start``.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        isolate: bool = False,
        preload_torch: bool = False,
        lingering: bool = False,
        start: Literal["namespace", "fork", "spawn"] = "namespace",
        zygote: Zygote | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._guests: set[Guest] = set()
        self._lingering = lingering
        self._leaving: list[Thread] = []
        self._launcher: Launcher
        if start == "spawn" or not hasattr(os, "fork"):
            self.marker = os.urandom(8).hex()
            self._launcher = SpawnLauncher(isolate=isolate, marker=self.marker)
        else:
            preload = ("torch",) if preload_torch else ()
            zygote = zygote or Zygote(isolate=isolate, namespace=start == "namespace", preload=preload)
            self.marker = zygote.marker
            self._launcher = ForkLauncher(zygote)
        self._spares = SpareLauncher(self._launcher)

    @property
    def isolation_note(self) -> str:
        """Why ``isolate`` could not be had, in one line; empty if it could or was not asked for."""
        return self._launcher.isolation_note

    def prepare(self, text: str) -> None:
        """Start the process for the next submission, which is likely to import what ``text`` does.

        Not while a guest is open: its code must find no process that will run another submission.
        """
        self._see_off()
        if not self._guests:
            modules = imported_modules(text)
            self._spares.prepare(modules, _limits_for(modules, self.limits, "cpu"))

    def open(self, source: Source, meanwhile: Callable[[], None] | None = None) -> Guest:
        """Load a submission in a process of its own; ``meanwhile`` is done while it loads.

        Raises:
            SubmissionError: if it cannot be loaded.
        """
        from interview_coach.grading.guest import Guest

        self._see_off()
        modules = imported_modules(source.text)
        limits = _limits_for(modules, self.limits, source.device)
        guest = Guest(self._spares, source, modules, limits, self._ended)
        self._guests.add(guest)
        try:
            guest.load(meanwhile)
        except SubmissionError as problem:
            guest.close()
            problem.printed = guest.stdout
            raise
        except BaseException:
            guest.close()
            raise
        return guest

    def release(self, guest: Guest) -> None:
        """End a guest that was asked everything, in the background."""
        thread = Thread(target=guest.close, daemon=True)
        self._leaving.append(thread)
        thread.start()

    def settle(self) -> None:
        """Wait for the end of what was released, unless guests linger."""
        if not self._lingering:
            self._see_off()

    def _see_off(self) -> None:
        while self._leaving:
            self._leaving.pop().join()

    def _ended(self, guest: Guest) -> None:
        self._guests.discard(guest)
        if not self._guests:
            self._spares.used()

    def close(self) -> None:
        """End all guests, and the process that they came from."""
        self._see_off()
        for guest in list(self._guests):
            guest.close()
        self._spares.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


ADDRESSES = 2**46
"""Bytes of address space for CUDA, which reserves as much as all its memory and the machine's, and touches little."""


def _limits_for(modules: list[str], limits: Limits, device: str) -> Limits:
    """More time for kernels in an interpreter, or to be compiled; address space without end on a GPU."""
    if device != "cpu":
        limits = replace(limits, memory_bytes=ADDRESSES)
    if "triton" not in modules:
        return limits
    times = limits.interpreted
    return replace(limits, load_s=limits.load_s * times, call_s=limits.call_s * times, total_s=limits.total_s * times)
