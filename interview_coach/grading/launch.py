"""Start worker processes: one zygote that forks guests, or, where there is no fork, a fresh process for each guest."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from interview_coach.grading.protocol import PRELOADED, Limits
from interview_coach.grading.start import START_S, Zygote, command, environment


class LaunchError(Exception):
    """A worker process that could not be started, or does not answer."""


class Process(Protocol):
    """A guest's process as the parent knows it."""

    channel: socket.socket
    output: int
    """File descriptor of what it prints."""
    folder: Path

    def end(self, grace_s: float) -> Mapping[str, int]:
        """End it and all that it started; ``{"signal": n}`` or ``{"exit": n}`` if it ends by itself in ``grace_s``."""

    def processor_s(self) -> float | None:
        """Processor seconds that it has taken, all its threads together; None where that cannot be known."""


def release(process: Process) -> None:
    """Close this side's ends of the channel and the pipe of a process that nobody asked anything."""
    process.channel.close()
    os.close(process.output)


class Launcher(Protocol):
    """Makes guest processes."""

    isolation_note: str

    def start(self, modules: list[str], limits: Limits, *, ahead: bool = False) -> Process:
        """A new guest process that has ``modules`` imported, where that is possible.

        With ``ahead``, it is not needed at once: it may spend time of its own on being quicker later.

        Raises:
            LaunchError: if there is none to be had.
        """

    def close(self) -> None:
        """End everything that was started."""


def _remove(folder: Path) -> None:
    def unlock(function: Any, path: str, _: Any) -> None:
        try:
            Path(path).parent.chmod(0o700)
            Path(path).chmod(0o700)
            function(path)
        except OSError:
            return

    shutil.rmtree(folder, onerror=unlock)


class ForkLauncher:
    """Forks guests from one zygote, which need not have started yet."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._home = Path(zygote.home)
        self._count = 0
        self._lock = threading.RLock()
        self.isolation_note = zygote.isolation_note

    def start(self, modules: list[str], limits: Limits, *, ahead: bool = False) -> Process:
        """See :meth:`Launcher.start`."""
        with self._lock:
            return self._start(modules, limits, ahead)

    def _start(self, modules: list[str], limits: Limits, ahead: bool) -> Process:
        self._count += 1
        folder = self._home / str(self._count)
        folder.mkdir()
        request = _request(modules, folder, limits, ahead)
        for attempt in (1, 2):
            channel, theirs = socket.socketpair()
            output, written = os.pipe()
            try:
                answer = self._ask(request, [theirs.fileno(), written])
                if "pid" not in answer:
                    raise LaunchError(str(answer.get("error", "no process")))
                return _Forked(self, answer["pid"], channel, output, folder)
            except (OSError, ValueError, LaunchError) as error:
                channel.close()
                os.close(output)
                self._zygote.stop()
                if attempt == 2:
                    raise LaunchError(str(error)) from None
                self._zygote.start()
            finally:
                theirs.close()
                os.close(written)
        raise AssertionError("unreachable")

    def _ask(self, request: dict[str, Any], files: list[int]) -> dict[str, Any]:
        socket.send_fds(self._zygote.control, [json.dumps(request).encode()], files)
        answer = self._zygote.control.recv(65536)
        if not answer:
            raise LaunchError("the zygote ended")
        found: dict[str, Any] = json.loads(answer)
        return found

    def end(self, pid: int, folder: Path, grace_s: float) -> Mapping[str, int]:
        """End the guest ``pid``."""
        with self._lock:
            try:
                return self._ask({"op": "end", "pid": pid, "grace_s": grace_s}, [])
            except (OSError, ValueError, LaunchError):
                self._zygote.stop()
                self._zygote.start()
                return {}
            finally:
                _remove(folder)

    def processor_s(self, pid: int) -> float | None:
        """Processor seconds that the guest ``pid`` has taken."""
        with self._lock:
            try:
                found = self._ask({"op": "time", "pid": pid}, []).get("seconds")
            except (OSError, ValueError, LaunchError):
                return None
            return found if isinstance(found, float) else None

    def close(self) -> None:
        """See :meth:`Launcher.close`."""
        # A zygote that is still importing torch has no guests to end, and is not waited for.
        self._zygote.stop(grace_s=0.5)
        _remove(self._home)


class _Forked:
    def __init__(self, launcher: ForkLauncher, pid: int, channel: socket.socket, output: int, folder: Path) -> None:
        self._launcher, self._pid = launcher, pid
        self.channel, self.output, self.folder = channel, output, folder

    def end(self, grace_s: float) -> Mapping[str, int]:
        return self._launcher.end(self._pid, self.folder, grace_s)

    def processor_s(self) -> float | None:
        return self._launcher.processor_s(self._pid)


class SpawnLauncher:
    """Starts a fresh process for each guest. It connects back to the parent, and proves itself by a token."""

    def __init__(self, *, isolate: bool, marker: str) -> None:
        self._marker = marker
        self._alive: list[_Spawned] = []
        self.isolation_note = "not isolated: this system has no fork, and no bubblewrap" if isolate else ""

    def start(self, modules: list[str], limits: Limits, *, ahead: bool = False) -> Process:
        """See :meth:`Launcher.start`."""
        folder = Path(tempfile.mkdtemp(prefix="coach-"))
        token = os.urandom(16).hex()
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(START_S)
            process = subprocess.Popen(
                command("spawned", {"port": server.getsockname()[1]}),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment(str(folder), self._marker),
                cwd=folder,
                start_new_session=True,
            )
            assert process.stdin is not None
            spawned = _Spawned(process, folder, self._alive)
            try:
                with process.stdin:
                    process.stdin.write(
                        json.dumps(_request(modules, folder, limits, ahead) | {"token": token}).encode()
                    )
                spawned.channel = _accept(server, token)
            except OSError as error:
                spawned.end(0)
                raise LaunchError(str(error)) from None
        self._alive.append(spawned)
        return spawned

    def close(self) -> None:
        """See :meth:`Launcher.close`."""
        for spawned in list(self._alive):
            spawned.end(0)


class _Spawned:
    channel: socket.socket

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, alive: list[_Spawned]) -> None:
        assert process.stdout is not None
        self._process, self.folder, self._alive = process, folder, alive
        self.output = os.dup(process.stdout.fileno())
        process.stdout.close()

    def end(self, grace_s: float) -> Mapping[str, int]:
        try:
            code = self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            code = None
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, 9)
        self._process.kill()
        self._process.wait()
        _remove(self.folder)
        if self in self._alive:
            self._alive.remove(self)
        if code is None:
            return {}
        return {"signal": -code} if code < 0 else {"exit": code}

    def processor_s(self) -> float | None:
        return None


def _accept(server: socket.socket, token: str) -> socket.socket:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        channel, _ = server.accept()
        channel.settimeout(5)
        if channel.recv(len(token), socket.MSG_WAITALL) == token.encode():
            channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return channel
        channel.close()
    raise TimeoutError("the worker did not connect")


def _request(modules: list[str], folder: Path, limits: Limits, ahead: bool) -> dict[str, Any]:
    return {
        "op": "fork",
        "ahead": ahead,
        "modules": [name for name in PRELOADED if name in modules],
        "folder": str(folder),
        "memory_bytes": limits.memory_bytes,
        "cpu_s": limits.load_s + limits.total_s + limits.call_s,
    }
