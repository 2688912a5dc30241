"""What all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# One thread a process, before numpy is imported: arrays are small, and there is a process a core already.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
# Tests make many objects and little garbage.
gc.set_threshold(50_000)

from interview_coach.bank import load_bank  # noqa: E402
from interview_coach.grading.protocol import Source  # noqa: E402
from interview_coach.grading.sandbox import Sandbox  # noqa: E402
from interview_coach.grading.second_opinion import Opinion  # noqa: E402

_ASK = Opinion.ask


@pytest.fixture(scope="session", autouse=True)
def without_second_opinions() -> Iterator[None]:
    """Most tests ask for verdicts, which the project's own solution has no part in: it is not asked each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Opinion, "ask", lambda *_, **__: ((), None))
        yield


@pytest.fixture
def second_opinions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The project's own solution is asked as well."""
    monkeypatch.setattr(Opinion, "ask", _ASK)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One for all modules: it imports torch once. A module that needs other limits sets them for its time."""
    with Sandbox(preload_torch=True) as shared:
        shared.open(Source("import torch", "first.py")).close()  # waits until torch is there
        yield shared


@pytest.fixture(scope="session")
def compiled_bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder ``cache`` that holds the bank, for the homes of tests that are not about compiling it."""
    home = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INTERVIEW_COACH_HOME", str(home))
        load_bank()
    assert list((home / "cache").iterdir())
    return home / "cache"
