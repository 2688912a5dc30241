"""The source behind a live function or class, so that it can be graded behind the wall."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from interview_coach.grading.submission import UnreadableSubmission

_PRELUDE = "import math\nimport numpy as np\n"
_TORCH = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import Tensor\n"


def source_of(target: Callable[..., Any]) -> tuple[str, str | None, str]:
    """Where a callable's source is.

    Returns:
        A path or label, the source when it is no file, and the callable's name.

    Raises:
        UnreadableSubmission: When no source can be found (a builtin, code typed at the plain prompt).
    """
    name = getattr(target, "__name__", type(target).__name__)
    module = inspect.getmodule(target)
    path = getattr(module, "__file__", None)
    if path is not None and Path(path).is_file():
        return path, None, name
    cells = getattr(sys.modules.get("__main__"), "In", None)
    if isinstance(cells, list) and len(cells) > 1:
        kept = [
            c
            for c in cells[:-1]
            if f"def {name}" in c or f"class {name}" in c or c.lstrip().startswith(("import", "from"))
        ]
        return "<notebook>", "\n\n".join(kept), name
    try:
        body = inspect.getsource(target if inspect.isclass(target) or inspect.isfunction(target) else type(target))
    except (OSError, TypeError):
        raise UnreadableSubmission(
            "usage", f"{name}: its source cannot be found; save it to a file and grade that"
        ) from None
    uses_torch = "torch" in body or "nn." in body or "F." in body
    return "<source>", _PRELUDE + (_TORCH if uses_torch else "") + body, name
