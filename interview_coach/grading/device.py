"""Where a submission is graded: the CPU, or a GPU where torch finds one."""

from __future__ import annotations

import subprocess
import sys

from interview_coach.grading.problems import CannotGrade

_PROBE = "import torch; print(torch.cuda.is_available())"


def usable_device(name: str) -> str:
    """The device to grade on.

    Raises:
        CannotGrade: For a device other than ``cpu`` and ``cuda``, or for ``cuda`` where torch finds none.
    """
    if name == "cpu":
        return name
    if name != "cuda":
        raise CannotGrade("usage", f"--device {name}: unknown; one of cpu, cuda")
    # Asked of another process: this one never imports torch, and the worker must fork before CUDA is touched.
    probe = subprocess.run([sys.executable, "-c", _PROBE], capture_output=True, text=True, check=False)
    if probe.stdout.strip() != "True":
        raise CannotGrade("usage", "--device cuda: torch finds no GPU here; leave the flag out to grade on the CPU")
    return name
