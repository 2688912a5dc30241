"""A guest in a process of its own from the start: where there is no fork to make it from."""

from __future__ import annotations

import json
import os
import socket
import sys

from interview_coach.grading.worker.guest import Guest, settle


def main(port: int) -> None:
    """Read from stdin what is allowed, connect to the parent at ``port``, and serve it."""
    request = json.loads(sys.stdin.buffer.read())
    channel = socket.create_connection(("127.0.0.1", port))
    channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    channel.sendall(request["token"].encode())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if "torch" in request["modules"]:
        import interview_coach.grading.worker.tensors  # noqa: F401 - before memory is bounded
    settle(request)
    Guest(channel).serve()
