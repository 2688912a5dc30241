"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interview_coach.grading.second_opinion import Opinion

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
