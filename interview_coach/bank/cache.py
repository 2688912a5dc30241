"""The compiled bank: one file in the cache folder, made from the question files and safe to delete at any time.

A file is a preface (magic, length and checksum of the header), the header (``marshal`` of plain tuples: all that is
known of the questions except their texts) and the body (the texts, one block a question, read only when a question is
shown). Whatever is not exactly as it was written is ignored and written anew.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import struct
import sys
import threading
import weakref
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from interview_coach import __version__

_MAGIC = b"coach\x01"
_PREFACE = struct.Struct("<6sQI")

Span = tuple[int, int, int]
"""Offset in the body, length, checksum."""


def cache_path(kind: str, folders: Iterable[str]) -> Path:
    """Where the compiled form of ``folders`` is kept."""
    from interview_coach.paths import cache_dir

    return (
        cache_dir(create=False) / f"{kind}-{zlib.crc32(chr(0).join(folders).encode(errors='surrogatepass')):08x}.cache"
    )


def program_key() -> tuple[object, ...]:
    """What must be the same for a compiled bank to be of use: version, interpreter, and the code that compiles."""
    code = []
    with contextlib.suppress(OSError), os.scandir(Path(__file__).parent) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                code.append((entry.name, status.st_mtime_ns, status.st_size))
    return __version__, sys.version, tuple(sorted(code))


def pack(value: Any) -> bytes:
    """``value``, made of tuples, lists, texts, numbers and ``None``, as bytes."""
    return marshal.dumps(value)


class Blocks:
    """The body of an open cache file. It stays readable when the file is deleted or replaced."""

    def __init__(self, file: Any, start: int) -> None:
        self._file = file
        self._start = start
        self._lock = threading.Lock()
        weakref.finalize(self, file.close)

    def packed(self, span: Span) -> bytes | None:
        """The bytes of a block; ``None`` if the file does not hold them unharmed."""
        offset, length, checksum = span
        with self._lock, contextlib.suppress(OSError):
            self._file.seek(self._start + offset)
            block: bytes = self._file.read(length)
            if zlib.crc32(block) == checksum:
                return block
        return None


def unpack(block: bytes) -> Any:
    """What :func:`pack` was given."""
    return marshal.loads(block)


def read_cache(path: Path) -> tuple[Any, Blocks] | None:
    """The header and the body of a cache file; ``None`` if there is none, or none that can be used."""
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115, PTH123 - closed by Blocks
    except OSError:
        return None
    with contextlib.suppress(OSError, struct.error, ValueError, EOFError, TypeError, MemoryError):
        magic, length, checksum = _PREFACE.unpack(file.read(_PREFACE.size))
        if magic == _MAGIC and length <= os.fstat(file.fileno()).st_size:
            header = file.read(length)
            if zlib.crc32(header) == checksum:
                return marshal.loads(header), Blocks(file, _PREFACE.size + length)
    file.close()
    return None


def write_cache(path: Path, header: object, blocks: Iterable[bytes]) -> None:
    """Write a cache file, whole or not at all. A folder that cannot be written to is no error."""
    packed = pack(header)
    temporary = path.with_name(f"{path.stem}-{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(_PREFACE.pack(_MAGIC, len(packed), zlib.crc32(packed)))
            file.write(packed)
            file.writelines(blocks)
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
