"""What is watched during a call: library functions that it reached, memory that it took, work that it did."""

from __future__ import annotations

import contextlib
import sys
from types import FrameType, TracebackType
from typing import Any

_PYTHON_FUNCTIONS = {
    ("torch/nn/functional.py", "multi_head_attention_forward"): "multi_head_attention",
    ("torch/nn/functional.py", "softmax"): "softmax",
    ("torch/nn/functional.py", "log_softmax"): "log_softmax",
    ("torch/nn/functional.py", "cross_entropy"): "cross_entropy",
    ("torch/nn/modules/activation.py", "forward"): "",
    ("torch/nn/attention/flex_attention.py", "flex_attention"): "flex_attention",
    ("torch/autograd/__init__.py", "grad"): "autograd",
    ("torch/autograd/__init__.py", "backward"): "autograd",
    ("torch/_functorch/eager_transforms.py", "vjp"): "autograd",
    ("torch/_functorch/eager_transforms.py", "_vjp_with_argnums"): "autograd",
    ("torch/_functorch/eager_transforms.py", "grad_and_value_impl"): "autograd",
    ("scipy/special/_logsumexp.py", "softmax"): "softmax",
    ("scipy/special/_logsumexp.py", "log_softmax"): "log_softmax",
}
"""Functions written in Python, by the end of their file's name."""

_OPERATORS = {
    "aten::scaled_dot_product_attention": "scaled_dot_product_attention",
    "aten::_native_multi_head_attention": "multi_head_attention",
    "aten::_transformer_encoder_layer_fwd": "multi_head_attention",
    "aten::softmax": "softmax",
    "aten::_softmax": "softmax",
    "aten::special_softmax": "softmax",
    "aten::log_softmax": "log_softmax",
    "aten::_log_softmax": "log_softmax",
    "aten::special_log_softmax": "log_softmax",
    "aten::_masked_softmax": "softmax",
    "aten::_safe_softmax": "softmax",
    "aten::_softmax_backward_data": "softmax_backward",
    "aten::logsumexp": "logsumexp",
    "aten::cross_entropy_loss": "cross_entropy",
}
"""Operators by the name that torch's dispatcher knows them by, however they were reached."""

_OPERATOR_PREFIXES = {
    "aten::_scaled_dot_product": "scaled_dot_product_attention",
    "aten::_efficient_attention": "scaled_dot_product_attention",
    "aten::_flash_attention": "scaled_dot_product_attention",
    "autograd::engine::evaluate_function": "autograd",
    "flex_attention": "flex_attention",
}


class Watch:
    """The instruments of one call, as a context manager."""

    def __init__(self, names: list[str], framework: str) -> None:
        self._names, self._framework = names, framework
        self._stack = contextlib.ExitStack()
        self._library: _Library | None = None
        self._memory: Any = None
        self._work: Any = None

    def handed_over(self, args: Any) -> Any:
        """Arguments as the call gets them: those of numpy may be counted."""
        return args if self._work is None else self._work.handed_over(args)

    def __enter__(self) -> Watch:
        if "library" in self._names:
            self._library = _Library()
            self._stack.enter_context(self._library)
        if "memory" in self._names:
            if self._framework == "torch":
                # A graph would keep every intermediate of a module with weights: the cost is that of the call alone.
                self._stack.enter_context(sys.modules["torch"].no_grad())
            self._memory = _memory_meter(self._framework)
            self._stack.enter_context(self._memory)
        if "work" in self._names and self._framework == "numpy":
            from interview_coach.grading.worker.work import WorkMeter

            self._work = WorkMeter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A submission that tampered with an instrument must not turn its exit into the call's own exception.
        with contextlib.suppress(Exception):
            self._stack.close()

    def count(self, products: int) -> None:
        """Add operations of products that no instrument of torch sees."""
        if self._memory is not None and self._framework == "torch":
            self._memory.products += products

    def report(self) -> dict[str, Any]:
        """What was seen, as fields of the answer."""
        report: dict[str, Any] = {}
        if self._library is not None:
            report["library"] = sorted(self._library.names)
        if self._memory is not None:
            report["cost"] = self._memory.cost()
        elif self._work is not None:
            report["cost"] = self._work.cost()
        return report


def attach(names: list[str], framework: str) -> Watch:
    """Instruments by the names of ``Call.watch``, for a call with arrays of ``framework``."""
    return Watch(names, framework)


class _Library:
    """Names of library functions that were reached.

    Torch's profiler reports every operator that passes the dispatcher, whether it was called by its public name, by a
    private one, through ``torch.ops``, a string that was evaluated or a compiled function. A profile hook sees those
    that are written in Python.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._codes: dict[Any, str] = {}
        self._profiling = False

    def __enter__(self) -> _Library:
        if "torch" in sys.modules:
            from torch._C._autograd import _enable_profiler_legacy
            from torch._C._profiler import ProfilerConfig, ProfilerState, _ExperimentalConfig

            _enable_profiler_legacy(
                ProfilerConfig(ProfilerState.CPU, False, False, False, False, False, _ExperimentalConfig())
            )
            self._profiling = True
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        if self._profiling:
            from torch._C._autograd import _disable_profiler_legacy

            for events in _disable_profiler_legacy():
                self.names.update(filter(None, map(_operator, {event.name() for event in events})))

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        name = self._codes.get(code)
        if name is None:
            name = self._codes[code] = _python_function(code.co_filename, code.co_name)
        if name:
            self.names.add(name)
            if name == "cross_entropy" and frame.f_locals.get("label_smoothing"):
                self.names.add("cross_entropy.label_smoothing")


def _python_function(filename: str, function: str) -> str:
    path = filename.replace("\\", "/")
    return next(
        (name for (file, wanted), name in _PYTHON_FUNCTIONS.items() if wanted == function and path.endswith(file)), ""
    )


def _operator(event: str) -> str:
    if event in _OPERATORS:
        return _OPERATORS[event]
    return next((name for prefix, name in _OPERATOR_PREFIXES.items() if event.startswith(prefix)), "")


def _memory_meter(framework: str) -> Any:
    if framework == "torch":
        from interview_coach.grading.worker.meter import TorchMeter

        return TorchMeter()
    return _NumpyMeter()


class _NumpyMeter:
    """Peak memory of a call by Python's own accounting, which numpy reports its buffers to."""

    def __enter__(self) -> _NumpyMeter:
        import tracemalloc

        tracemalloc.start()
        self._peak = 0
        return self

    def __exit__(self, *_: object) -> None:
        import tracemalloc

        self._peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    def cost(self) -> dict[str, int]:
        return {"flops": 0, "peak_bytes": self._peak, "largest_bytes": self._peak}
