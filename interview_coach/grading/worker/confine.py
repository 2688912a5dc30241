"""What the operating system is asked to take away from a submission.

Everything here is Linux's where it says so, and does nothing elsewhere: the parent's time limits and process groups
hold on every system.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
import time
from typing import Any

LINUX = sys.platform.startswith("linux")

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CLONE_NEWUSER, _CLONE_NEWPID = 0x10000000, 0x20000000
_CPUCLOCK_SCHED = 2
_KEPT_CAPABILITIES = (1 << 1) | (1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: root still reads the files it is asked to grade."""


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, argument: int) -> None:
    if LINUX:
        _libc().prctl(option, ctypes.c_ulong(argument), 0, 0, 0)


def die_with_parent() -> None:
    """Linux: be killed when the parent ends, however it ends."""
    _prctl(_PR_SET_PDEATHSIG, 9)


def adopt_orphans() -> None:
    """Linux: become the parent of every descendant whose own parent ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def enter_pid_namespace() -> bool:
    """Linux, where permitted: have this process's next child be the first of a process namespace of its own.

    Nothing inside can see or signal a process outside, and all of it ends with the first. Someone who is not root
    needs a user namespace for it; where the system refuses, nothing has changed.
    """
    if not LINUX:
        return False
    uid, gid = os.getuid(), os.getgid()
    if _libc().unshare(_CLONE_NEWPID) == 0:
        return True
    if _libc().unshare(_CLONE_NEWPID | _CLONE_NEWUSER) != 0:
        return False
    for name, content in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
            file.write(content)
    return True


def drop_privileges() -> None:
    """Linux: give up every capability but reading files, and the way to get one back."""
    if not LINUX:
        return
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    kept = _KEPT_CAPABILITIES if os.geteuid() == 0 else 0
    _libc().capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0))


def limit_resources(memory_bytes: int, cpu_s: float, file_bytes: int) -> None:
    """Bound memory beyond what the process holds now, processor time, and the size of a written file.

    Memory is bounded on Linux only. The time is a backstop: the parent's own clock comes first.
    """
    try:
        import resource
    except ImportError:
        return
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CPU: int(cpu_s) + 1,
    }
    if LINUX:
        pages = _memory_pages()
        page = resource.getpagesize()
        bounds[resource.RLIMIT_DATA] = pages[5] * page + memory_bytes
        # Shared mappings are not data; threads reserve address space that they never touch.
        bounds[resource.RLIMIT_AS] = pages[0] * page + memory_bytes + 2**30
    for name, wanted in bounds.items():
        _, hard = resource.getrlimit(name)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(name, (value, value))
        except (ValueError, OSError):
            continue


def _memory_pages() -> list[int]:
    """Linux: size, resident, shared, text, lib, data of this process, in pages."""
    with open("/proc/self/statm", "rb") as file:
        return list(map(int, file.read().split()))


def processor_seconds(pid: int) -> float | None:
    """Linux: processor time of a process, all its threads together."""
    if not LINUX:
        return None
    # The clock of a process, as clock_getcpuclockid(3) makes it from its number.
    try:
        return time.clock_gettime((~pid << 3) | _CPUCLOCK_SCHED)
    except OSError:
        return None


def close_files(keep: int) -> None:
    """Close every open file but the standard ones and ``keep``."""
    try:
        last = max(map(int, os.listdir("/proc/self/fd")))
    except (OSError, ValueError):
        last = 1024
    os.closerange(3, keep)
    os.closerange(keep + 1, last + 1)


def orphans(children: set[int]) -> list[int]:
    """Linux: children of this process that are not in ``children``: what a submission left behind."""
    if not LINUX:
        return []
    found = []
    for process in _children():
        # The number by which this process, perhaps in a namespace of its own, can signal it.
        number = _status(process).get("NSpid", process).split()
        if number:
            found.append(int(number[-1]))
    return [pid for pid in found if pid not in children]


def _children() -> list[str]:
    """Numbers of this process's children, as ``/proc`` has them."""
    try:
        return _text("/proc/thread-self/children").split()
    except OSError:  # not every kernel tells
        own = os.readlink("/proc/self")
        numbers = [name for name in os.listdir("/proc") if name.isdigit()]
        return [number for number in numbers if _status(number).get("PPid", "").strip() == own]


def _text(path: str) -> str:
    with open(path) as file:
        return file.read()


def _status(number: str) -> dict[str, str]:
    """What ``/proc`` says of a process; nothing, of one that is gone."""
    try:
        lines = _text(f"/proc/{number}/status").splitlines()
    except OSError:
        return {}
    return dict(line.split(":", 1) for line in lines if ":" in line)
