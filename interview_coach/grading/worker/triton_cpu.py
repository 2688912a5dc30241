"""Triton without a GPU: kernels run in its interpreter, and CUDA as a device means the CPU."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any


def choose_interpreter() -> None:
    """Before triton is imported: its own library of kernels is made for the interpreter, or not, by then."""
    os.environ["TRITON_INTERPRET"] = "1"


def prepare() -> None:
    """Before a submission that imports triton is loaded: have its requests for CUDA met by the CPU."""
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
            if func == is_cuda:
                return True
            moved = {key: _on_cpu(value) for key, value in (kwargs or {}).items()}
            moved.pop("pin_memory", None)
            return func(*map(_on_cpu, args), **moved)

    is_cuda = torch.Tensor.is_cuda.__get__  # type: ignore[attr-defined]

    def _on_cpu(value: Any) -> Any:
        if isinstance(value, str) and value.partition(":")[0] == "cuda":
            return "cpu"
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("cpu")
        return value

    CudaIsCpu().__enter__()  # type: ignore[no-untyped-call]  # for as long as the process lives
    _stand_in_for_cuda(torch.cuda, torch.nn.Module)
    with contextlib.suppress(ImportError):
        importlib.import_module("triton").runtime.driver.set_active(_Driver())


def _stand_in_for_cuda(cuda: Any, module: Any) -> None:
    properties = type("Properties", (), {"name": "interpreter", "multi_processor_count": 1, "total_memory": 2**34})()
    answers: dict[str, Callable[..., Any]] = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "set_device": lambda device: None,
        "synchronize": lambda device=None: None,
        "empty_cache": lambda: None,
        "get_device_capability": lambda device=None: (8, 0),
        "get_device_name": lambda device=None: "interpreter",
        "get_device_properties": lambda device=None: properties,
        "device": _no_context,
    }
    for name, answer in answers.items():
        setattr(cuda, name, answer)
    module.cuda = lambda self, device=None: self


@contextlib.contextmanager
def _no_context(device: Any = None) -> Iterator[None]:
    yield


class _Driver:
    """What submissions ask of triton's driver, answered for the interpreter."""

    def get_current_device(self) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        return sys.modules["torch"].device("cpu")

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
