"""Triton without a GPU: kernels run in its interpreter, and CUDA as a device means the CPU.

A tensor says that it is on ``cuda:0``, so that a submission's own checks pass; every request for that device, in
whatever call, is met by the CPU.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interview_coach.grading.worker.triton_memory import Checked


def choose_interpreter() -> None:
    """Before triton is imported: its own library of kernels is made for the interpreter, or not, by then."""
    os.environ["TRITON_INTERPRET"] = "1"


def prepare(filename: str) -> Checked | None:
    """Before a submission that imports triton is loaded: have its requests for CUDA met by the CPU.

    Returns:
        The interpreter's memory, which tells what kernels did; None if there is no triton.
    """
    choose_interpreter()
    import torch
    from torch.overrides import TorchFunctionMode

    class CudaIsCpu(TorchFunctionMode):
        """Replaces the device in every call of torch, and leaves out moves to the GPU."""

        def __torch_function__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            if func is torch.Tensor.cuda:
                return args[0]
            if func in answers:
                return answers[func]
            if func is torch.device:
                return func(*args, **(kwargs or {}))
            moved = {key: _on_cpu(value) for key, value in (kwargs or {}).items()}
            moved.pop("pin_memory", None)
            return func(*map(_on_cpu, args), **moved)

    answers: dict[Any, Any] = {
        torch.Tensor.is_cuda.__get__: True,  # type: ignore[attr-defined]
        torch.Tensor.device.__get__: torch.device("cuda", 0),
        torch.Tensor.get_device: 0,
    }

    def _on_cpu(value: Any) -> Any:
        if isinstance(value, str) and value.partition(":")[0] == "cuda":
            return "cpu"
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("cpu")
        return value

    CudaIsCpu().__enter__()  # type: ignore[no-untyped-call]  # for as long as the process lives
    set_default = torch.set_default_device
    torch.set_default_device = lambda device: set_default(_on_cpu(device))
    _stand_in_for_cuda(torch.cuda, torch.nn.Module)
    # What hands kernels to torch's compiler would look into them, and find none that is compiled.
    torch.library.wrap_triton = lambda kernel: kernel
    torch.library.triton_op = lambda *_, **__: lambda function: function
    try:
        importlib.import_module("triton").runtime.driver.set_active(_Driver())
    except ImportError:
        return None
    from interview_coach.grading.worker.triton_memory import Checked

    memory = Checked(filename)
    memory.install()
    return memory


_DONE = (
    "init", "set_device", "synchronize", "empty_cache", "manual_seed", "manual_seed_all", "set_stream", "ipc_collect",
    "reset_peak_memory_stats", "reset_max_memory_allocated",
)  # fmt: skip
_PROPERTIES: dict[str, Any] = {
    "name": "Triton's interpreter",
    "major": 8,
    "minor": 0,
    "multi_processor_count": 1,
    "total_memory": 2**34,
    "warp_size": 32,
    "regs_per_multiprocessor": 2**16,
    "max_threads_per_multi_processor": 2048,
    "shared_memory_per_block": 48 * 2**10,
    "shared_memory_per_block_optin": 160 * 2**10,
    "shared_memory_per_multiprocessor": 160 * 2**10,
    "L2_cache_size": 2**20,
}


def _stand_in_for_cuda(cuda: Any, module: Any) -> None:
    def nothing(*_: Any, **__: Any) -> None:
        return None

    def zero(*_: Any, **__: Any) -> int:
        return 0

    answers: dict[str, Callable[..., Any]] = {
        "is_available": lambda: True,
        "is_initialized": lambda: True,
        "is_bf16_supported": lambda *_, **__: True,
        "device_count": lambda: 1,
        "current_device": zero,
        "get_device_capability": lambda device=None: (8, 0),
        "get_device_name": lambda device=None: _PROPERTIES["name"],
        "get_device_properties": lambda device=None: SimpleNamespace(**_PROPERTIES),
        "get_arch_list": lambda: ["sm_80"],
        "mem_get_info": lambda device=None: (2**34, 2**34),
        "device": _no_context,
        "device_of": _no_context,
        "stream": _no_context,
        "Stream": _Stream,
        "Event": _Stream,
        "current_stream": _Stream,
        "default_stream": _Stream,
        **dict.fromkeys(_DONE, nothing),
        **dict.fromkeys(("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"), zero),
    }
    for name, answer in answers.items():
        setattr(cuda, name, answer)
    module.cuda = lambda self, device=None: self


@contextlib.contextmanager
def _no_context(device: Any = None) -> Iterator[None]:
    yield


class _Stream:
    """A stream, or an event on one: all work is done when it is asked for."""

    cuda_stream = 0

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def elapsed_time(self, _: Any) -> float:
        return 0.0

    def query(self) -> bool:
        return True

    def synchronize(self, *_: Any) -> None:
        return

    record = wait = wait_event = wait_stream = synchronize


class _Driver:
    """What submissions ask of triton's driver, answered for the interpreter."""

    class utils:
        """What triton asks of the device itself."""

        @staticmethod
        def get_device_properties(device: int = 0) -> dict[str, int]:
            return {
                "max_shared_mem": _PROPERTIES["shared_memory_per_block_optin"],
                "max_num_regs": _PROPERTIES["regs_per_multiprocessor"],
                "multiprocessor_count": _PROPERTIES["multi_processor_count"],
                "warpSize": _PROPERTIES["warp_size"],
                "sm_clock_rate": 10**6,
                "mem_clock_rate": 10**6,
                "mem_bus_width": 5120,
            }

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        return

    def get_active_torch_device(self) -> Any:
        return sys.modules["torch"].device("cuda", 0)

    def get_current_target(self) -> Any:
        return importlib.import_module("triton.backends.compiler").GPUTarget("cuda", 80, 32)

    def get_device_interface(self) -> Any:
        return sys.modules["torch"].cuda

    def get_current_stream(self, device: Any = None) -> int:
        return 0

    def get_benchmarker(self) -> Callable[..., list[float]]:
        # No timing is worth anything here: the first configuration that runs is as good as any.
        def run_once(kernel: Callable[[], Any], quantiles: Any = None, **_: Any) -> list[float]:
            kernel()
            return [1.0] * len(quantiles or (0,))

        return run_once
