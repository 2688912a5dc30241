"""State of the whole process that a submission may change, and that is set back before each of its calls."""

from __future__ import annotations

import builtins
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

SEED = 20_170_612
_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGUSR1", "SIGUSR2") if hasattr(signal, name)
]

_seed = SEED


def take_turn(number: int) -> None:
    """Have the seed of a call follow from its number, so that it can be made again as it was."""
    global _seed  # noqa: PLW0603 - one process, one sequence of calls
    _seed = SEED + number


def seed() -> int:
    """The seed of the call that is about to be made."""
    return _seed


Saver = Callable[[], Callable[[], None]]
"""Takes note of some state, and returns what sets it back."""


def _working_folder() -> Callable[[], None]:
    folder = os.getcwd()

    def restore() -> None:
        try:
            os.chdir(folder)
        except OSError:
            # Also a folder that was removed comes back: the next call may write in it.
            os.makedirs(folder, exist_ok=True)
            os.chdir(folder)

    return restore


def _environment() -> Callable[[], None]:
    saved = dict(os.environ)
    # Comparing what lies behind saves the decoding of every variable at every call.
    raw = getattr(os.environ, "_data", None)
    raw_saved = dict(raw) if raw is not None else None

    def restore() -> None:
        if raw is None or getattr(os.environ, "_data", None) != raw_saved:
            os.environ.clear()
            os.environ.update(saved)

    return restore


def _streams() -> Callable[[], None]:
    streams = sys.stdin, sys.stdout, sys.stderr

    def restore() -> None:
        sys.stdin, sys.stdout, sys.stderr = streams

    return restore


def _signals() -> Callable[[], None]:
    # The public function turns numbers into names, at each call anew.
    getsignal: Any = vars(signal)["_signal"].getsignal
    handlers = {number: getsignal(number) for number in _SIGNALS}

    def restore() -> None:
        for number, handler in handlers.items():
            if getsignal(number) is not handler:
                signal.signal(number, handler)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    return restore


def _interpreter() -> Callable[[], None]:
    depth, names, hooks = sys.getrecursionlimit(), dict(vars(builtins)), (sys.excepthook, threading.excepthook)

    def restore() -> None:
        sys.settrace(None)
        sys.setprofile(None)
        sys.setrecursionlimit(depth)
        vars(builtins).update(names)
        sys.excepthook, threading.excepthook = hooks

    return restore


def _warnings() -> Callable[[], None]:
    filters = list(warnings.filters)
    show = warnings.showwarning

    def restore() -> None:
        if list(warnings.filters) != filters:
            warnings.filters[:] = filters  # type: ignore[index]
            warnings._filters_mutated()  # type: ignore[attr-defined]
        warnings.showwarning = show

    return restore


def _numpy() -> Callable[[], None]:
    errors: Any = np.geterr()
    printing: Any = np.get_printoptions()

    def restore() -> None:
        np.seterr(**errors)
        if np.get_printoptions() != printing:
            np.set_printoptions(**{key: value for key, value in printing.items() if key != "override_repr"})

    return restore


def _random() -> Callable[[], None]:
    """Other numbers for each call, the same on every run: what depends on them shows when a call is repeated."""

    def restore() -> None:
        if "random" in sys.modules:
            sys.modules["random"].seed(_seed)
        if "numpy.random" in sys.modules:
            np.random.seed(_seed)

    return restore


def _torch() -> Callable[[], None]:
    restore_now: Callable[[], None] | None = None

    def restore() -> None:
        nonlocal restore_now
        if restore_now is None and "torch" in sys.modules:
            # A submission may be the first to import it.
            from interview_coach.grading.worker.torch_state import save

            restore_now = save()
        if restore_now is not None:
            restore_now()

    restore()
    return restore


_OF_A_GUEST: tuple[Saver, ...] = (_streams, _working_folder, _environment)
_OF_ALL: tuple[Saver, ...] = (_signals, _interpreter, _warnings, _numpy, _random, _torch)
_remembered: list[Callable[[], None]] = []


def remember() -> None:
    """Take note, before guests are forked, of what is the same in all of them."""
    _remembered[:] = [save() for save in _OF_ALL]


class GlobalState:
    """The state as it is now; of what was remembered, as it was then."""

    def __init__(self) -> None:
        self._restorers = [save() for save in _OF_A_GUEST] + (_remembered or [save() for save in _OF_ALL])

    def restore(self) -> None:
        """Set everything back, and every random generator to the same seed."""
        for restore in self._restorers:
            try:
                restore()
            except Exception:  # a submission can break a setter; the others still run
                continue
