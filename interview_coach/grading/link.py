"""The parent's end of the channel to a guest, with a limit on everything, and of the pipe that it prints into."""

from __future__ import annotations

import os
import selectors
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from interview_coach.grading import wire
from interview_coach.grading.allowance import Wait
from interview_coach.grading.launch import Process

_CHUNK, _LARGE = 65536, 2**20
_JOINED = 2**17
"""Frames up to this size are sent at once: each piece would wake the other side."""
_SELECTABLE_PIPES = os.name != "nt"


class LinkTimeout(Exception):
    """No whole answer came in time."""


class LinkClosed(Exception):
    """The other side is gone."""


class Output:
    """What a guest printed: the first bytes are kept, the rest is counted."""

    def __init__(self, limit: int) -> None:
        self._kept, self._limit = bytearray(), limit
        self.dropped = 0
        """Bytes that came after the limit."""

    def write(self, data: bytes) -> None:
        """Take note of more output."""
        room = self._limit - len(self._kept)
        self._kept += data[:room]
        self.dropped += len(data) - min(room, len(data))

    def text(self) -> str:
        """The output as text, with a note if there was more."""
        text = wire.printable(self._kept.decode(errors="replace"))
        return f"{text}\n[… {self.dropped:,} more bytes]" if self.dropped else text


class Link:
    """One guest process and the means to ask it."""

    def __init__(self, process: Process, output: Output) -> None:
        self._process, self._channel, self._pipe = process, process.channel, process.output
        self._output = output
        self._channel.setblocking(False)
        self._came = bytearray()
        """What was read beyond the piece that was asked for: several answers come at once."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._channel, selectors.EVENT_READ)
        self._event = selectors.EVENT_READ
        if _SELECTABLE_PIPES:
            os.set_blocking(self._pipe, False)
            self._selector.register(self._pipe, selectors.EVENT_READ)
        else:
            threading.Thread(target=self._read_pipe, daemon=True).start()

    def send(self, pieces: Sequence[bytes | memoryview], wait: Wait, *, idle: bool) -> None:
        """Send a frame. ``idle`` tells that no answer is on its way: then nothing may have come.

        Raises:
            LinkTimeout: if it is not taken in time.
            LinkClosed: if the process is gone.
            WireError: if something came unasked.
        """
        if idle and (self._came or self._wait(selectors.EVENT_READ, time.monotonic())):
            try:
                if self._came or self._channel.recv(1):
                    raise wire.WireError("bytes that nobody asked for")
            except OSError:
                pass
            raise LinkClosed
        if sum(map(len, pieces)) <= _JOINED:
            pieces = [b"".join(pieces)]
        try:
            for piece in pieces:
                self._send(piece, wait)
        except (BrokenPipeError, ConnectionError):
            raise LinkClosed from None

    def receive(self, wait: Wait, max_body: int) -> tuple[dict[str, Any], bytearray]:
        """Wait for the next frame.

        Raises:
            LinkTimeout: if it is not there in time.
            LinkClosed: if the process is gone.
            WireError: if what came is no frame.
        """
        try:
            header, body = wire.unpack_prefix(self._receive(wire.PREFIX.size, wait), max_body)
            return wire.unpack_header(self._receive(header, wait)), self._receive(body, wait)
        except (BrokenPipeError, ConnectionError):
            raise LinkClosed from None

    def _send(self, piece: bytes | memoryview, wait: Wait) -> None:
        rest = memoryview(piece)
        while rest:
            try:
                rest = rest[self._channel.send(rest) :]
            except BlockingIOError:
                self._await(selectors.EVENT_WRITE, wait)

    def _receive(self, size: int, wait: Wait) -> bytearray:
        came = self._came
        while len(came) < size:
            try:
                data = self._channel.recv(_CHUNK if size <= _CHUNK else _LARGE)
            except BlockingIOError:
                self._await(selectors.EVENT_READ, wait)
                continue
            if not data:
                raise LinkClosed
            came += data
        if len(came) == size:
            self._came = bytearray()
            return came
        piece = came[:size]
        del came[:size]
        return piece

    def _await(self, event: int, wait: Wait) -> None:
        while not self._wait(event, until := wait.until):
            if time.monotonic() >= until and wait.over():
                raise LinkTimeout

    def _wait(self, event: int, deadline: float) -> bool:
        """Wait for the channel until ``deadline``, or for output, which is taken; whether the channel is ready."""
        if event != self._event:
            self._selector.modify(self._channel, event)
            self._event = event
        ready = False
        for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
            if key.fileobj is self._channel:
                ready = True
            else:
                self.drain(1)
        return ready

    def drain(self, chunks: int = 32) -> None:
        """Take what is in the pipe now."""
        if not _SELECTABLE_PIPES or self._pipe < 0:
            return
        for _ in range(chunks):
            try:
                data = os.read(self._pipe, _CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._selector.unregister(self._pipe)
                os.close(self._pipe)
                self._pipe = -1
                return
            self._output.write(data)

    def _read_pipe(self) -> None:
        try:
            while data := os.read(self._pipe, _CHUNK):
                self._output.write(data)
        except OSError:
            return

    def processor_s(self) -> float | None:
        """Processor seconds that the process has taken, where that can be known."""
        return self._process.processor_s()

    def close(self, grace_s: float = 0.0) -> Mapping[str, int]:
        """End the process; how it ended if it did so by itself, or does within ``grace_s``."""
        status = self._process.end(grace_s)
        self.drain()
        self._selector.close()
        self._channel.close()
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        return status
