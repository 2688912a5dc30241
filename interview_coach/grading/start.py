"""The start of the processes that run submissions: their command line, their environment, the first of them.

What is imported here is little, so that a command can begin with it: the process loads numpy while its parent still
reads the command line.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from typing import Any

import interview_coach
from interview_coach import grading

START_S = 120.0
"""For the zygote to start and to import torch: on a cold disk that takes far longer than on a warm one."""

MARKER = "INTERVIEW_COACH_SANDBOX"
"""Environment variable that every process of a sandbox has, with a value of the sandbox's own."""

_PASSED_ON = (
    "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "TZ",
    "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
    "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH",
)  # fmt: skip
_THREAD_COUNTS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS", "BLIS_NUM_THREADS",
)  # fmt: skip
_FIXED = {
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONMALLOC": "malloc",
    # Anonymous memory in huge pages: a fork then copies a fraction of the page table.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",
    **dict.fromkeys(_THREAD_COUNTS, "1"),
}  # fmt: skip

# The packages above the worker stand in as empty ones: on that side of the wall nothing of them is to be found.
_BOOT = """
import json, sys, types
boot = json.loads(sys.argv.pop())
for name, folder in boot["packages"]:
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = [folder]
sys.path += [path for path in boot["path"] if path not in sys.path]
sys.argv[0] = "submission"
from interview_coach.grading.worker import {module}
{module}.main(**boot["arguments"])
"""


def command(module: str, arguments: dict[str, Any]) -> list[str]:
    """The command line of a process that runs ``main`` of a module of the worker."""
    boot = {
        "packages": [
            [package.__name__, os.path.realpath(package.__path__[0])] for package in (interview_coach, grading)
        ],
        "path": [path for path in sys.path if "site-packages" in path or "dist-packages" in path],
        "arguments": arguments,
    }
    return [sys.executable, "-P", "-X", "utf8", "-c", _BOOT.format(module=module), json.dumps(boot)]


def environment(home: str, marker: str) -> dict[str, str]:
    """All environment variables of a process whose own folder is ``home``."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    folders = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME"), home)
    return passed | _FIXED | folders | {MARKER: marker}


class Zygote:
    """The process that guests are forked from. Starting it, or starting it again, does not wait for it.

    Args:
        isolate: Keep it from the network and from writing files, by bubblewrap; ``isolation_note`` says so where that
            cannot be had.
        namespace: Give it a process namespace of its own, where that is permitted.
        preload: Modules to import at once.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket
    """This side's end of the socket that it is asked over."""

    def __init__(self, *, isolate: bool = False, namespace: bool = True, preload: tuple[str, ...] = ()) -> None:
        self._isolate, self._namespace, self._preload = isolate, namespace, preload
        self.marker = os.urandom(8).hex()
        self.home = tempfile.mkdtemp(prefix="coach-")
        self.isolation_note = ""
        self.start()

    def start(self) -> None:
        """Start the process."""
        self.control, theirs = socket.socketpair()
        with theirs:
            line = command(
                "zygote",
                {"control_fd": theirs.fileno(), "modules": self._preload, "namespace": self._namespace},
            )
            if self._isolate:
                line = self._wrap(line)
            self.process = subprocess.Popen(
                line,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if os.environ.get("INTERVIEW_COACH_DEBUG") else subprocess.DEVNULL,
                env=environment(self.home, self.marker),
                cwd=self.home,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self.control.settimeout(START_S)

    def _wrap(self, line: list[str]) -> list[str]:
        bubblewrap = shutil.which("bwrap")
        if bubblewrap is None:
            self.isolation_note = "not isolated: bubblewrap (bwrap) is not installed"
            return line
        wrapper = [
            bubblewrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", self.home, self.home,
            "--unshare-all", "--die-with-parent", "--new-session",
        ]  # fmt: skip
        for gpu in (entry.path for entry in os.scandir("/dev") if entry.name.startswith("nvidia")):
            wrapper += ["--dev-bind", gpu, gpu]
        try:
            check = subprocess.run([*wrapper, "true"], capture_output=True, timeout=10, check=False)
            if check.returncode == 0:
                return [*wrapper, "--", *line]
            why = check.stderr.decode(errors="replace").strip().splitlines()[-1:]
        except (OSError, subprocess.TimeoutExpired) as error:
            why = [str(error)]
        self.isolation_note = f"not isolated: bubblewrap does not work here ({''.join(why)})"
        return line

    def stop(self, grace_s: float = 5.0) -> None:
        """End the process, and with it all guests."""
        self.control.close()
        try:
            self.process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
