"""A guest process started ahead of the submission that it is for: a save is then not followed by a fork.

One at a time, and only while no submission runs: code of one file must find no process that will run the next.
"""

from __future__ import annotations

import contextlib
import socket
import threading

from interview_coach.grading.launch import Launcher, LaunchError, Process, release
from interview_coach.grading.protocol import PRELOADED, Limits


class SpareLauncher:
    """A launcher that hands out the process prepared earlier, if it fits, else starts one."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self.isolation_note = launcher.isolation_note
        self._spare: Process | None = None
        self._lock = threading.Lock()
        self._fits: tuple[frozenset[str], Limits] | None = None

    def prepare(self, modules: list[str], limits: Limits) -> None:
        """Have a process ready for the next :meth:`start` with these modules and limits; what fails is left to that."""
        fits = _key(modules, limits)
        if self._spare is not None and self._fits == fits:
            return
        self._drop()
        with contextlib.suppress(LaunchError):
            self._spare, self._fits = self._launcher.start(modules, limits, ahead=True), fits

    def start(self, modules: list[str], limits: Limits, *, ahead: bool = False) -> Process:
        """See :meth:`Launcher.start`."""
        with self._lock:
            if self._spare is not None and self._fits == _key(modules, limits) and _waits(self._spare.channel):
                spare, self._spare = self._spare, None
                return spare
            self._drop()
        return self._launcher.start(modules, limits, ahead=ahead)

    def _drop(self) -> None:
        if self._spare is not None:
            spare, self._spare = self._spare, None
            spare.end(0)
            release(spare)

    def close(self) -> None:
        """See :meth:`Launcher.close`."""
        self._drop()
        self._launcher.close()


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
