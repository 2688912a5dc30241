"""Triton without a GPU: kernels run in its interpreter, and CUDA as a device means the CPU."""

from __future__ import annotations


def prepare() -> None:
    """Set up, before a submission that imports triton is loaded. Does nothing where there is a GPU."""
