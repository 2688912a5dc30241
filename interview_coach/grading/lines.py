"""The source line of a named bug, where the syntax tree leaves no doubt: exactly one place of the kind in question."""

from __future__ import annotations

import ast
from collections.abc import Callable

Test = Callable[[ast.AST], bool]


def _names(node: ast.AST) -> set[str]:
    return {
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)
    }


def _call_of(*names: str) -> Test:
    def test(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        f = node.func
        return (f.id if isinstance(f, ast.Name) else f.attr if isinstance(f, ast.Attribute) else "") in names

    return test


def _root_or_power(node: ast.AST) -> bool:
    if _call_of("sqrt", "rsqrt", "log", "log2")(node):
        return True
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Pow)
        and any(isinstance(n, ast.Constant) and n.value in (0.5, 0.25, 0.75) for n in ast.walk(node.right))
    )


_MASKING = _call_of("masked_fill", "masked_fill_", "where")
_CAUSAL = _call_of("tril", "triu", "tri")
_REPEAT = _call_of("repeat", "repeat_interleave", "tile", "expand", "cat", "concatenate")

# Code prefix → what must occur exactly once for its line to be certain.
_PLACES: tuple[tuple[str, Test], ...] = (
    ("scale-", _root_or_power),
    ("missing-scale", lambda n: False),
    ("softmax-", _call_of("softmax", "log_softmax", "softmax2d", "Softmax")),
    ("double-softmax", lambda n: False),
    ("sigmoid-for-softmax", _call_of("sigmoid")),
    ("base-two-exponent", _call_of("exp2", "pow")),
    ("no-max-subtraction", _call_of("exp")),
    ("mask-after-softmax", _MASKING),
    ("mask-", _MASKING),
    ("causal-", _CAUSAL),
    ("window-", _CAUSAL),
    ("gqa-", _REPEAT),
    (
        "delegates-to-library",
        _call_of(
            "scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward", "flex_attention"
        ),
    ),
    ("uninitialised-memory", _call_of("empty", "empty_like", "new_empty")),
    ("projection-reused", lambda n: False),
)  # fmt: skip


def line_of(tree: ast.Module, code: str, scope: str | None) -> int | None:
    """The line of ``code`` inside the definition ``scope``, or ``None`` when more than one place is possible."""
    test = next((t for prefix, t in _PLACES if code.startswith(prefix)), None)
    if test is None:
        return None
    root: ast.AST = tree
    if scope is not None:
        root = next(
            (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == scope), tree
        )
    for area in (root, tree):
        lines: set[int] = {node.lineno for node in ast.walk(area) if isinstance(node, ast.expr) and test(node)}
        if len(lines) == 1:
            return lines.pop()
        if lines:
            return None
    return None
