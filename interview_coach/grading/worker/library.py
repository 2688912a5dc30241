"""Take parts of the library away from a submission: a result that does not change was made without them.

The dispatcher's own kernels are replaced, so that a part is gone in every thread and by every route to it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from types import FunctionType
from typing import Any, NoReturn

_COMPOSITE, _CPU = "CompositeImplicitAutograd", "CPU"
PARTS: dict[str, tuple[tuple[str, str], ...]] = {
    "attention": (
        ("scaled_dot_product_attention", _COMPOSITE),
        ("_scaled_dot_product_attention_math", _COMPOSITE),
        ("_scaled_dot_product_flash_attention_for_cpu", _CPU),
        ("_native_multi_head_attention", _CPU),
        ("_transformer_encoder_layer_fwd", _CPU),
    ),
    "softmax": (("_softmax", _CPU), ("_log_softmax", _CPU)),
}
"""Operators, and the dispatch key that their kernel is registered for."""

_FUNCTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "attention": (
        ("torch.nn.functional", "multi_head_attention_forward"),
        ("torch.nn.attention.flex_attention", "flex_attention"),
    ),
    "softmax": (("scipy.special._logsumexp", "softmax"), ("scipy.special._logsumexp", "log_softmax")),
}
"""Those written in Python, by module and name."""

_registered: list[Any] = []
"""Registrations end with the object that made them."""


def withhold(parts: Sequence[str]) -> None:
    """Have every call of ``parts`` raise, from now on; what is not imported is left."""
    for part in parts:
        for module, name in _FUNCTIONS.get(part, ()):
            function = getattr(sys.modules.get(module), name, None)
            if isinstance(function, FunctionType):
                # The code, not the name: other modules hold the function itself.
                function.__code__, function.__defaults__, function.__kwdefaults__ = _refuse.__code__, None, None
    if "torch" not in sys.modules or _registered:
        return
    library = sys.modules["torch"].library.Library("aten", "IMPL")
    _registered.append(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in parts:
            for name, key in PARTS.get(part, ()):
                try:
                    library.impl(name, _refuse, key, allow_override=True)
                except (RuntimeError, TypeError):
                    continue  # a version of torch that has no such operator, or lets none be replaced


def _refuse(*args: Any, **kwargs: Any) -> NoReturn:
    raise RuntimeError("this part of the library is not available here")
