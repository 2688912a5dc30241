"""Guest processes started ahead of the submission that they are for: a save is then not followed by a fork.

Only while no submission runs: code of one file must find no process that will run the next.
"""

from __future__ import annotations

import contextlib
import socket
import threading

from interview_coach.grading.launch import Launcher, LaunchError, Process, release
from interview_coach.grading.protocol import PRELOADED, Limits

_COUNT = 2


class SpareLauncher:
    """A launcher that hands out the processes prepared earlier, if they fit, else starts one."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self.isolation_note = launcher.isolation_note
        self._spares: list[Process] = []
        self._lock = threading.Lock()
        self._fits: tuple[frozenset[str], Limits] | None = None

    def prepare(self, modules: list[str], limits: Limits) -> None:
        """Have processes ready for the next submission with these modules and limits; what fails is left to its start.

        There are two: one to ask, and a fresh one that the same is asked again.
        """
        fits = _key(modules, limits)
        if len(self._spares) == _COUNT and self._fits == fits:
            return
        self._drop()
        self._fits = fits
        with contextlib.suppress(LaunchError):
            while len(self._spares) < _COUNT:
                self._spares.append(self._launcher.start(modules, limits, ahead=True))

    def start(self, modules: list[str], limits: Limits, *, ahead: bool = False) -> Process:
        """See :meth:`Launcher.start`."""
        with self._lock:
            if self._spares and self._fits == _key(modules, limits):
                spare = self._spares.pop(0)
                if _waits(spare.channel):
                    return spare
                _end(spare)
            self._drop()
        return self._launcher.start(modules, limits, ahead=ahead)

    def used(self) -> None:
        """A submission has come to its end: what it left over was there while it ran, and is for no other."""
        with self._lock:
            if len(self._spares) < _COUNT:
                self._drop()

    def _drop(self) -> None:
        while self._spares:
            _end(self._spares.pop())

    def close(self) -> None:
        """See :meth:`Launcher.close`."""
        self._drop()
        self._launcher.close()


def _end(spare: Process) -> None:
    spare.end(0)
    release(spare)


def _key(modules: list[str], limits: Limits) -> tuple[frozenset[str], Limits]:
    return frozenset(modules) & frozenset(PRELOADED), limits


def _waits(channel: socket.socket) -> bool:
    """Whether the process at the other end is there, and silent."""
    channel.setblocking(False)
    try:
        channel.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        channel.setblocking(True)
    return False
