"""The process that guests are forked from: it imports numpy, and torch when first needed, once.

It runs no line of a submission, and has no threads. The parent asks it over a socket: ``fork`` a guest, ``end`` one and
everything that it started, tell the processor ``time`` of one, or nothing more (the socket closes): then all guests are
ended and it is done.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from typing import Any

from interview_coach.grading.worker import confine


def main(control_fd: int, modules: list[str], namespace: bool) -> None:
    """Serve the parent on the socket ``control_fd`` until it closes; import ``modules`` first."""
    isolated = namespace and _become_first_of_a_namespace()
    confine.adopt_orphans()
    control = socket.socket(fileno=control_fd)
    control.set_inheritable(False)
    import gc

    gc.disable()  # imports make many objects and no garbage
    import interview_coach.grading.worker.guest  # noqa: F401 - every guest needs it

    gc.freeze()
    gc.enable()
    _preload(modules)
    Zygote(control, isolated).serve()


def _become_first_of_a_namespace() -> bool:
    if not confine.enter_pid_namespace():
        return False
    pid = os.fork()
    if pid == 0:
        confine.die_with_parent()
        return True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.closerange(0, 64)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


class Zygote:
    """The guests that are alive, and what the parent may ask for."""

    def __init__(self, control: socket.socket, isolated: bool) -> None:
        self._control = control
        self._isolated = isolated
        self._guests: dict[int, str] = {}
        self._forked = 0

    def serve(self) -> None:
        """Answer requests until the parent is gone."""
        while True:
            try:
                request, files, _, _ = socket.recv_fds(self._control, 65536, 2)
            except OSError:
                request = b""
            if not request:
                break
            answer = self._answer(json.loads(request), files)
            try:
                self._control.sendall(json.dumps(answer).encode())
            except OSError:
                break
        for pid, folder in list(self._guests.items()):
            self._end(pid, 0)
            _remove(folder)
        # At once: the interpreter's own end takes longer than all of the above.
        os._exit(0)

    def _answer(self, request: dict[str, Any], files: list[int]) -> dict[str, Any]:
        if request["op"] == "end":
            return self._end(request["pid"], request["grace_s"])
        if request["op"] == "time":
            return {"seconds": confine.processor_seconds(request["pid"]) if request["pid"] in self._guests else None}
        more = _preload(request["modules"])
        self._forked += 1
        if more and self._forked > 2:
            _remember()
        if self._forked == 2:
            # There will be more: what each would set up for itself is set up for all. The first was not kept waiting.
            _preload([f"interview_coach.grading.worker.{name}" for name in ("inspection", "library", "instruments")])
            _rehearse()
        try:
            pid = os.fork()
        except OSError as error:
            pid, failed = -1, str(error)
        if pid == 0:
            self._control.close()
            _run_guest(files[0], files[1], request)
        for file in files:
            os.close(file)
        if pid < 0:
            return {"error": failed}
        self._guests[pid] = request["folder"]
        return {"pid": pid}

    def _end(self, pid: int, grace_s: float) -> dict[str, Any]:
        """End a guest and everything that it started; how it ended if it did so by itself, or does in ``grace_s``."""
        if pid not in self._guests:
            return {}
        ended, status = _wait(pid, grace_s)
        del self._guests[pid]
        _kill(os.killpg, pid)
        if not ended:
            _kill(os.kill, pid)
            os.waitpid(pid, 0)
        self._end_orphans()
        if not ended:
            return {}
        code = os.waitstatus_to_exitcode(status)
        return {"signal": -code} if code < 0 else {"exit": code}

    def _end_orphans(self) -> None:
        """End what guests left behind: its processes became this one's children."""
        alone = not self._guests
        if self._isolated and alone:
            _kill(os.kill, -1)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if alone:
                try:
                    while os.waitpid(-1, os.WNOHANG)[0]:
                        pass
                except ChildProcessError:
                    return
            left = confine.orphans(set(self._guests))
            for pid in left:
                _kill(os.kill, pid)
            if not left and not alone:
                return
            time.sleep(0.001)


def _wait(pid: int, seconds: float) -> tuple[bool, int]:
    """Whether ``pid`` ended, and its status; a process whose socket just closed is given a moment to do so."""
    deadline = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended or time.monotonic() >= deadline:
            return ended != 0, status
        time.sleep(0.0005)


def _kill(kill: Any, pid: int) -> None:
    try:
        kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _preload(modules: list[str]) -> bool:
    """Import modules for all guests; whether there was one to import."""
    import gc
    import importlib

    more = False
    for name in modules:
        if name not in sys.modules:
            # A package that is missing or broken is reported by the guest that imports it.
            try:
                if name == "triton":
                    importlib.import_module("interview_coach.grading.worker.triton_cpu").choose_interpreter()
                importlib.import_module(name)
                if name == "torch":
                    importlib.import_module("interview_coach.grading.worker.tensors")
                    importlib.import_module("interview_coach.grading.worker.warm").touch()
            except Exception:
                continue
            more = True
            _forget_locks()
            gc.collect()
            gc.freeze()
    return more


def _forget_locks() -> None:
    """Spare each guest new locks for all handlers of the log: nothing here has threads that may hold one."""
    handlers = getattr(sys.modules.get("logging"), "_at_fork_reinit_lock_weakset", None)
    if handlers is not None:
        handlers.clear()


def _rehearse() -> None:
    """What the interpreter sets up when it first reads a module's text and describes what that defines."""
    import ast
    import gc
    import resource  # noqa: F401 - every guest needs it
    from types import ModuleType

    from interview_coach.grading.worker import loading

    text = 'class Module:\n    """Text."""\n    def forward(self, x: int = 0) -> int:\n        return x\n'
    module = ModuleType("rehearsal")
    exec(compile(ast.parse(text), "rehearsal", "exec", dont_inherit=True), module.__dict__)
    json.dumps(loading.describe_module(module, text, set()))
    _remember()
    gc.collect()
    gc.freeze()


def _remember() -> None:
    from interview_coach.grading.worker import state

    state.remember()


def _run_guest(channel_fd: int, output_fd: int, request: dict[str, Any]) -> None:
    """In the child: confine it, then serve the parent. Never returns."""
    try:
        confine.die_with_parent()
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        confine.close_files(channel_fd)
        from interview_coach.grading.worker.guest import Guest, settle

        settle(request)
        if request["ahead"] and "interview_coach.grading.worker.warm" in sys.modules:
            # Copies the pages that the submission will write to, while nobody waits.
            sys.modules["interview_coach.grading.worker.warm"].touch()
        Guest(socket.socket(fileno=channel_fd)).serve()
    finally:
        os._exit(70)


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
