"""What SQLite and the file system say, turned into errors for a reader."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interview_coach.errors import CoachError
from interview_coach.store import backup
from interview_coach.text import Text

# How long a write waits for another process.
WAIT_MS = 10_000
_MAGIC = b"SQLite format 3\0"
_ELSEWHERE = "INTERVIEW_COACH_HOME=~/interview-coach coach"


def refuse_damaged(path: Path) -> None:
    """Looks at the first bytes before SQLite does: it would throw away the log beside a file that was cut to nothing.

    Raises:
        CoachError: the file is no SQLite database, or is empty while its log is not.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    log = path.with_name(f"{path.name}-wal")
    if start != _MAGIC and (start or (log.exists() and log.stat().st_size)):
        raise _damaged(path)


@contextmanager
def for_readers(path: Path) -> Iterator[None]:
    """Turns what SQLite and the file system raise into a `CoachError`."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise _explain(error, path) from error
    except OSError as error:
        raise CoachError(
            Text(f"The store cannot be opened: {error.strerror}.", f"无法打开数据文件：{error.strerror}。"),
            error.filename or path,
            Text("a folder that you may write to", "一个可写的文件夹"),
            _ELSEWHERE,
        ) from error


# SQLite's primary result code -> (what is wrong, what would be right)
_CAUSES: dict[int, tuple[Text, Text]] = {
    sqlite3.SQLITE_FULL: (
        Text("The disk is full; the last entry was not saved.", "磁盘已满；最后一条记录未保存。"),
        Text("some free space", "释放一些空间"),
    ),
    sqlite3.SQLITE_READONLY: (
        Text("The store cannot be written: it is read-only.", "数据文件是只读的，无法写入。"),
        Text("a file and a folder that you may write to", "可写的文件和文件夹"),
    ),
    sqlite3.SQLITE_CANTOPEN: (
        Text("The store cannot be opened.", "无法打开数据文件。"),
        Text("a folder that you may write to", "一个可写的文件夹"),
    ),
    sqlite3.SQLITE_BUSY: (
        Text("Another program has kept the store locked for 10 s.", "另一个程序已锁定数据文件 10 秒。"),
        Text("one that lets go; then try again", "等它释放后重试"),
    ),
}


def _explain(error: sqlite3.DatabaseError, path: Path) -> CoachError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path)
    other = Text(f"The store failed: {error}.", f"数据文件出错：{error}。"), None
    what, right = _CAUSES.get(code, other)
    is_place = code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    return CoachError(what, path, right, _ELSEWHERE if is_place else "coach doctor")


def _damaged(path: Path) -> CoachError:
    newest = next(iter(backup.backups(path)), None)
    # The files beside it (-wal, -shm) must go along: they would spoil a backup put in its place.
    aside = _quoted(path.parent / "damaged")
    restore = f" && cp {_quoted(newest)} {_quoted(path)}" if newest else ""
    return CoachError(
        Text(
            "The store is damaged. It was left as it is: nothing is deleted.",
            "数据文件已损坏。文件保持原样，未删除任何内容。",
        ),
        path,
        Text("a backup in its place, or a new store", "用备份替换，或新建数据文件"),
        f"mkdir -p {aside} && mv {_quoted(path)}* {aside}/{restore}",
    )


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
