"""Bring a submission's text to life as a module."""

from __future__ import annotations
import __future__

import ast
import importlib.machinery
import linecache
import os
import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from types import CodeType, ModuleType

from interview_coach.grading.protocol import BESIDE, ModuleInfo
from interview_coach.grading.worker.absent import SIBLINGS, Placeholders
from interview_coach.grading.worker.faults import Fault, describe

MODULE_NAME = "submission"
_WORKER = "interview_coach.grading.worker"
_HERE = os.path.dirname(os.path.realpath(__file__))
_GRADING = os.path.dirname(_HERE)
_PACKAGE = os.path.dirname(_GRADING)
_ANSWERS = tuple(f"{folder}{os.sep}" for folder in (_PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "solutions")))
_NO_ANSWERS = (
    f"{_HERE}{os.sep}",
    *(os.path.join(_GRADING, cache, name) for cache in ("", "__pycache__") for name in ("wire.", "protocol.")),
)
"""Files of the package that the worker itself reads, some of them late."""
_RELATIVE = re.compile(r"\bfrom[\s\\]+\.")
_SITE = ("site-packages", "dist-packages")


class _OffLimits:
    """Refuses the coach's own modules: they hold the answers."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] == "interview_coach" and not fullname.startswith(_WORKER):
            raise ModuleNotFoundError(f"No module named {fullname!r}", name="interview_coach")
        return None


def keep_answers_closed(folder: str | None) -> None:
    """Refuse to open files that hold answers, in this process and for good: an audit hook cannot be taken back.

    A submission that lies among them itself, such as a reference solution, may read its own ``folder``.
    """
    own = f"{folder}{os.sep}" if folder is not None else None
    resolve, decode = os.path.realpath, os.fsdecode

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], str | bytes | os.PathLike):
            return
        path = decode(resolve(arguments[0]))
        if path.startswith(_ANSWERS) and not path.startswith(_NO_ANSWERS) and not (own and path.startswith(own)):
            raise PermissionError(f"{path}: a submission is graded without the coach's own code")

    sys.addaudithook(refuse)


def load(text: str, filename: str, folder: str | None) -> tuple[ModuleType, Fault | None]:
    """Compile and run ``text`` as a module that is not ``__main__``.

    A statement of a script or a notebook that raises, such as one that reads a file, is left out. Definitions,
    imports and ``raise`` are not.

    Returns:
        The module, and what the first statement that was left out raised.

    Raises:
        Fault: whatever keeps it from being loaded.
    """
    sys.meta_path.insert(0, _OffLimits())
    keep_answers_closed(folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, filename)
            code = compile(tree, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise describe(error, filename, "raised-on-load") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Fault("unreadable", type(error).__name__, detail=str(error) or type(error).__name__) from None
    # inspect and the compilers of torch and triton ask for the source by file name.
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    level = _deepest_relative_import(tree) if _RELATIVE.search(text) else 0
    module = _new_module(filename, folder, level)
    try:
        with Placeholders(tree, module.__package__ or ""):
            left_out = _run(tree, code, module, filename)
    except BaseException as error:
        raise describe(error, filename, "raised-on-load") from None
    if left_out is not None and not any(isinstance(node, _DEFINES) for node in ast.walk(tree)):
        raise left_out
    return module, left_out


def load_beside(text: str, filename: str) -> ModuleType:
    """Run the project's own ``text`` as a module beside the submission's."""
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = sys.modules[BESIDE] = ModuleType(BESIDE)
    exec(compile(text, filename, "exec", dont_inherit=True), module.__dict__)
    return module


_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NEEDED = (*_DEFINES, ast.Import, ast.ImportFrom, ast.Raise)


def _run(tree: ast.Module, code: CodeType, module: ModuleType, filename: str) -> Fault | None:
    """Run the statements of a module, but for those that raise; what the first of these raised."""
    features = code.co_flags & sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    first: Fault | None = None
    body = tree.body
    while True:
        try:
            exec(code, module.__dict__)  # this is what the wall is for
        except Exception as error:
            line = _line_of_module(error, code)
            failed = [node for node in body if node.lineno <= line][-1:]
            if not failed or isinstance(failed[0], _NEEDED) or isinstance(error, ImportError):
                raise
            fault = describe(error, filename, "raised-on-load")
            if fault.reason != "raised-on-load":
                raise fault from None
            first = first or fault
            body = body[body.index(failed[0]) + 1 :]
            rest = ast.Module(body, [])
            code = compile(rest, filename, "exec", features, dont_inherit=True)
        else:
            return first


def _line_of_module(error: Exception, code: CodeType) -> int:
    """The line of the module's own statement that raised."""
    lines = (number for frame, number in traceback.walk_tb(error.__traceback__) if frame.f_code is code)
    return next(lines, 0)


def _new_module(filename: str, folder: str | None, level: int) -> ModuleType:
    """An empty module that finds its siblings: by their names, and relatively up to ``level`` folders above."""
    name = MODULE_NAME
    if folder is not None:
        _search([folder, _package_root(folder)])
        package = ""
        for depth, path in enumerate(reversed(_upwards(folder, level))):
            package = f"{package}.{os.path.basename(path)}" if depth else SIBLINGS
            parent = ModuleType(package)
            parent.__path__ = [path]
            parent.__package__ = package
            sys.modules[package] = parent
        name = f"{package}.{MODULE_NAME}" if package else name
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    module.__file__ = filename
    sys.modules[name] = module
    return module


def _search(folders: list[str]) -> None:
    """Look for modules in ``folders`` after the standard library, which they must not shadow, and before packages."""
    first_site = next((i for i, path in enumerate(sys.path) if any(site in path for site in _SITE)), len(sys.path))
    sys.path[first_site:first_site] = list(dict.fromkeys(folders))


def _upwards(folder: str, level: int) -> list[str]:
    """``folder`` and those that hold it, at most ``level``."""
    folders = [folder]
    while len(folders) < level and (parent := os.path.dirname(folders[-1])) not in ("", folders[-1]):
        folders.append(parent)
    return folders[:level]


def _package_root(folder: str) -> str:
    """The folder from which the package that holds ``folder`` is imported."""
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _deepest_relative_import(tree: ast.Module) -> int:
    return max((node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)), default=0)


def describe_module(
    module: ModuleType, text: str, imported: set[str], left_out: Fault | None = None
) -> dict[str, object]:
    """The JSON form of a module's :class:`~interview_coach.grading.protocol.ModuleInfo`."""
    from dataclasses import asdict

    from interview_coach.grading.worker.inspection import callables

    info = ModuleInfo(callables(module, ast.parse(text)), "torch" in imported, "triton" in imported)
    return asdict(info) | {"left_out": left_out and left_out.form()}
