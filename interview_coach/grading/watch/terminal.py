"""The terminal around a watch: file events and keys come in by two threads, screens go out."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from interview_coach.grading.chinese import said_in
from interview_coach.grading.imports import imported_modules
from interview_coach.grading.render import Style, to_text
from interview_coach.grading.report import Report
from interview_coach.grading.submission import UnreadableSubmission, read_submission
from interview_coach.grading.watch.session import ESCAPE, INTERRUPT, SPACE, Screen, WatchSession
from interview_coach.page import wrap
from interview_coach.text import Text

if TYPE_CHECKING:
    from interview_coach.grading.sandbox import Sandbox

STEP_MS = 3
"""How often the file events are looked at: a save is seen after two steps without another."""
_STILL_MS = 50
_LOOK_MS = 1000

Event = tuple[str, Any]


def watch(
    path: Path, sandbox: Sandbox, grade: Callable[[], Report], style: Style, graded: Callable[[Report], None]
) -> int:
    """Watch ``path`` until ``q``, Ctrl-C, or the end of the terminal.

    Args:
        path: The submission.
        sandbox: Where ``grade`` runs it; a process for the next save is prepared in it.
        grade: Grades the file as it is now.
        style: How reports are written.
        graded: Told each report.

    Returns:
        The exit code of the last report; 2 if there was none.
    """
    events: SimpleQueue[Event] = SimpleQueue()
    stop = threading.Event()
    terminal = sys.stdout.isatty()
    session = WatchSession(path.name, grade, reference_solution, style, graded=graded)
    with _keys(events), _screen(events) if terminal else contextlib.nullcontext():
        show = _draw if terminal else _print
        if terminal:
            show(session.resized(*_size(style)))
        threading.Thread(target=_follow, args=(path.resolve(), events, stop), daemon=True).start()
        show(_read(session, path))
        _prepare(sandbox, path)
        try:
            while not session.finished:
                kind, value = events.get()
                if kind == "key":
                    show(session.pressed(value))
                elif kind == "size":
                    show(session.resized(*_size(style)))
                elif path.resolve() in value or _imports(path, value):
                    before, shown = session.report, session.screen()
                    screen = _read(session, path, again=path.resolve() not in value)
                    if session.report is not before or screen != shown:
                        show(screen)
                    if session.report is not before:
                        _prepare(sandbox, path)
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
    if terminal and session.report is not None:
        print(to_text(session.report, replace(session.style, detail="quiet")))
    return 2 if session.report is None else session.report.exit_code


def reference_solution(exercise: str) -> str | None:
    """The text of the exercise's stable solution, or of the tiled one where tiles are the point."""
    from interview_coach.resources import resource_dir

    for technique in ("stable", "tiled"):
        with contextlib.suppress(OSError):
            return (resource_dir("solutions") / exercise / f"{technique}.py").read_text("utf-8")
    return None


def _read(session: WatchSession, path: Path, *, again: bool = False) -> Screen:
    try:
        text = read_submission(str(path)).text
    except UnreadableSubmission as problem:
        if not path.exists():
            return session.missing(Text("the file is gone; waiting for it", "文件不见了；等待它出现"))
        if path.suffix != ".py":
            return session.missing(Text(problem.message, said_in("zh", problem.message)))
        # Most likely half-written: the session says where.
        text = path.read_text("utf-8", "replace")
    return session.saved(text, again=again)


def _prepare(sandbox: Sandbox, path: Path) -> None:
    with contextlib.suppress(UnreadableSubmission):
        sandbox.prepare(read_submission(str(path)).text)


def _imports(path: Path, changed: set[Path]) -> bool:
    """Whether a changed file is a sibling module of the submission."""
    try:
        names = imported_modules(read_submission(str(path)).text)
    except UnreadableSubmission:
        return False
    return any(other.suffix == ".py" and other.stem in names for other in changed)


def _follow(path: Path, events: SimpleQueue[Event], stop: threading.Event) -> None:
    """Reports changes in the folder: an editor may write a new file and put it in the old one's place.

    Once a second the file itself is looked at, for what no event told: a save before the watch had begun, a folder of
    another machine.
    """
    from watchfiles import watch as changes

    def wanted(_: Any, changed: str) -> bool:
        return changed == str(path) or changed.endswith(".py")

    known = None
    for found in changes(
        path.parent,
        watch_filter=wanted,
        debounce=_STILL_MS,
        step=STEP_MS,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
        stop_event=stop,
        recursive=False,
        raise_interrupt=False,
    ):
        names = {Path(name) for _, name in found}
        before, known = known, _signature(path)
        if names or known != before:
            events.put(("changed", names or {path}))


def _signature(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


# --- the terminal ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _keys(events: SimpleQueue[Event]) -> Iterator[None]:
    """Each key pressed, as it is pressed; none where stdin is no terminal. The terminal is set back at any end."""
    if not sys.stdin.isatty() or os.name == "nt":
        yield
        return
    import termios
    import tty

    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    stopping, wake = os.pipe()

    def read() -> None:
        while True:
            ready, _, _ = select.select([file, stopping], [], [])
            if stopping in ready:
                return
            data = os.read(file, 64)
            for key in key_names(data.decode(errors="ignore")) if data else [INTERRUPT]:
                events.put(("key", key))
            if not data:
                return

    reader = threading.Thread(target=read, daemon=True)

    def resume() -> None:
        tty.setcbreak(file)
        events.put(("size", None))

    with _signals({"SIGCONT": resume}):
        tty.setcbreak(file)
        reader.start()
        try:
            yield
        finally:
            termios.tcsetattr(file, termios.TCSADRAIN, before)
            os.write(wake, b".")
            reader.join(1)
            os.close(stopping)
            os.close(wake)


def key_names(typed: str) -> list[str]:
    """Names of the keys in one piece of input; arrows and function keys have none here."""
    if typed.startswith("\x1b"):
        return [ESCAPE] if len(typed) == 1 else []
    names = {" ": SPACE, "\x04": "q"}
    return [names.get(char, char.lower()) for char in typed]


@contextlib.contextmanager
def _screen(events: SimpleQueue[Event]) -> Iterator[None]:
    """The terminal's other screen, without a cursor, so that what was there before is there again afterwards."""

    def leave() -> None:
        raise KeyboardInterrupt

    with _signals({"SIGWINCH": lambda: events.put(("size", None)), "SIGTERM": leave, "SIGHUP": leave}):
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        try:
            yield
        finally:
            sys.stdout.write("\x1b[?25h\x1b[?1049l")
            sys.stdout.flush()


@contextlib.contextmanager
def _signals(handlers: dict[str, Callable[[], Any]]) -> Iterator[None]:
    before: dict[int, Any] = {}
    for name, handle in handlers.items():
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, lambda *_, handle=handle: handle())
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _size(style: Style) -> tuple[int, int]:
    found = shutil.get_terminal_size((style.width, 24))
    return max(40, min(120, found.columns)), found.lines


def _draw(screen: Screen) -> None:
    """In place, without clearing first: nothing flickers."""
    columns, height = shutil.get_terminal_size((80, 24))
    body = [*screen.body, *[""] * (height - 2 - len(screen.body))]
    remark = _cut(f" · {screen.remark}", columns) if screen.remark else ""
    text = "\n".join(f"{line}\x1b[K" for line in (*body, remark, screen.keys))
    sys.stdout.write(f"\x1b[H{text}\x1b[J")
    sys.stdout.flush()


def _cut(line: str, columns: int) -> str:
    """On one line of the terminal."""
    lines = wrap(line, columns - 2)
    return f" {lines[0]} …" if len(lines) > 1 else line


def _print(screen: Screen) -> None:
    """One after the other, for a pipe or a file."""
    lines = [screen.remark] if screen.remark else [*screen.body, ""]
    print("\n".join(lines), flush=True)
