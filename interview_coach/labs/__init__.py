"""Labs: one experiment a file, the evidence behind the numbers of the answers.

A lab is a module of :mod:`interview_coach.labs.experiments` with one :class:`~interview_coach.labs.lab.Lab` named
``LAB``. Its id is the module's name with hyphens. Nothing else has to be edited; see ``docs/labs.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from interview_coach.labs.lab import Lab

__all__ = ["Lab", "labs"]

_FOLDER = Path(__file__).parent / "experiments"


class _Shelf(Mapping[str, Lab]):
    """Labs by id; a lab's module is imported when the lab is asked for, the ids cost one directory listing."""

    def __init__(self) -> None:
        modules = sorted(path.stem for path in _FOLDER.glob("*.py") if not path.stem.startswith("_"))
        self._modules = {module.replace("_", "-"): module for module in modules}

    def __getitem__(self, lab_id: str) -> Lab:
        module = f"{__name__}.experiments.{self._modules[lab_id]}"
        lab = import_module(module).LAB
        if not isinstance(lab, Lab) or lab.id != lab_id:
            raise TypeError(f"{module}: LAB must be a Lab with the id {lab_id!r}, which is the module's name")
        return lab

    def __contains__(self, lab_id: object) -> bool:
        return lab_id in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


@cache
def labs() -> Mapping[str, Lab]:
    """All labs by id, in alphabetical order. Looking at the ids imports no lab and no numpy."""
    return _Shelf()
