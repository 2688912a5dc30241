"""Torch's part of the state of the whole process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from interview_coach.grading.worker import poison

_Setting = tuple[Callable[[], Any], Callable[[Any], Any]]

_SETTINGS: tuple[_Setting, ...] = (
    (torch.get_default_dtype, torch.set_default_dtype),
    (torch.is_grad_enabled, torch.set_grad_enabled),
    (torch.get_num_threads, torch.set_num_threads),
    (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
    (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    (lambda: torch.is_autocast_enabled("cpu"), lambda on: torch.set_autocast_enabled("cpu", on)),
    (lambda: torch.get_autocast_dtype("cpu"), lambda dtype: torch.set_autocast_dtype("cpu", dtype)),
)
_inference_guards: list[Any] = []


def save() -> Callable[[], None]:
    """Take note of torch's settings; the result sets them back, and the seed."""
    from interview_coach.grading.worker.state import seed

    torch.set_num_threads(1)
    saved = [(get, put, get()) for get, put in _SETTINGS]
    profile = vars(torch._tensor_str.PRINT_OPTS).copy()
    manual_seed, get_device, set_device = (
        torch.default_generator.manual_seed,
        torch.get_default_device,
        torch.set_default_device,
    )
    cpu, modes = torch.device("cpu"), torch._C._len_torch_function_stack

    def restore() -> None:
        if torch.is_inference_mode_enabled():
            guard = torch._C._InferenceMode(False)
            _inference_guards.append(guard)
        for get, put, value in saved:
            if get() != value:
                put(value)
        if modes() and get_device() != cpu:  # a default device is a mode
            set_device(None)
        vars(torch._tensor_str.PRINT_OPTS).update(profile)
        poison.fill_torch()
        manual_seed(seed())

    return restore


def run_uncompiled() -> None:
    """Have ``torch.compile`` hand back what it is given: compiling takes longer than a call, for the same numbers."""

    def compile(model: Any = None, **options: Any) -> Any:
        return (lambda function: function) if model is None else model

    torch.compile = compile
