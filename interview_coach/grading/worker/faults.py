"""Exceptions of a submission, as reasons and facts that the parent makes sentences from."""

from __future__ import annotations

import traceback
from typing import Any

_LIMIT = 2000
_INSTALL_NAMES = {
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "PIL": "pillow",
    "cv2": "opencv-python",
    "yaml": "pyyaml",
    "flash_attn": "flash-attn",
    "flax": "flax",
    "mlx": "mlx",
    "pytorch_lightning": "pytorch-lightning",
}
_ALLOCATION_TEXTS = (
    "can't allocate memory",
    "not enough memory",
    "Cannot allocate memory",
    "unable to mmap",
    "std::bad_alloc",
)
_ballast: list[bytearray] = [bytearray(2 * 2**20)]
"""Given back when memory runs out, so that the fault itself can be told."""


class Fault(Exception):
    """A reason of ``failures.REASONS`` with its facts."""

    def __init__(self, reason: str, exception: str = "", line: int | None = None, **facts: str | int | float) -> None:
        super().__init__(reason)
        self.reason, self.exception, self.line, self.facts = reason, exception, line, facts

    def form(self) -> dict[str, Any]:
        """The JSON form that the parent reads."""
        return {"reason": self.reason, "exception": self.exception, "line": self.line, "facts": self.facts}


def describe(error: BaseException, filename: str, reason: str) -> Fault:
    """The fault behind ``error``, which came out of the submission ``filename``.

    ``reason`` is what an ordinary exception is called; running out of memory, leaving by ``sys.exit`` and a missing
    package have their own. The frames of the traceback are let go.
    """
    if isinstance(error, Fault):
        return error
    if isinstance(error, MemoryError) or _is_allocation_failure(error):
        _ballast.clear()
        line = _own_line(error, filename)
        _let_go(error)
        return Fault("memory", type(error).__name__, line)
    loading = reason == "raised-on-load"
    name, line, detail = type(error).__name__, _own_line(error, filename), _text(error)
    fault = Fault(reason, name, line, detail=detail)
    if isinstance(error, SystemExit):
        fault = Fault("exit-on-load" if loading else "exit", name, line, code=_text(error) or "0")
    elif isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        package = error.name.partition(".")[0]
        if package == "submission_package":
            module = error.name.removeprefix(package).lstrip(".") or "a sibling module"
            fault = Fault("missing-sibling", name, line, module=module)
        elif package == "interview_coach":
            fault = Fault("off-limits", name, line, package=package)
        elif package != error.name and _is_installed(package):
            fault = Fault("missing-module", name, line, module=error.name, package=package)
        else:
            install = _INSTALL_NAMES.get(package, package)
            fault = Fault("missing-package", name, line, package=package, install=install)
    elif isinstance(error, SyntaxError) and loading and error.filename == filename:
        fault = Fault("syntax", name, error.lineno or line, detail=_cut(str(error.msg)))
    _let_go(error)
    return fault


def _is_allocation_failure(error: BaseException) -> bool:
    if not isinstance(error, RuntimeError | OSError | ImportError):
        return False
    text = _text(error)
    return any(words in text for words in _ALLOCATION_TEXTS)


def _is_installed(package: str) -> bool:
    import importlib.util

    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _own_line(error: BaseException, filename: str) -> int | None:
    line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == filename:
            line = number
    return line


def _text(error: BaseException) -> str:
    try:
        return _cut(str(error))
    except BaseException:  # __str__ is the submission's
        return ""


def _cut(text: str) -> str:
    return text if len(text) <= _LIMIT else text[:_LIMIT] + "…"


def _let_go(error: BaseException) -> None:
    """Free what the frames of the traceback hold: it may be all the memory there is."""
    seen: BaseException | None = error
    for _ in range(100):
        if seen is None:
            return
        traceback.clear_frames(seen.__traceback__)
        seen.__traceback__ = None
        seen = seen.__context__
