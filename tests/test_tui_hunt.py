"""The bug hunt in the app, driven by keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interview_coach.grading.codes import question
from interview_coach.hunt import Program, choices, choose
from interview_coach.store import Store
from interview_coach.tui.app import CoachApp
from interview_coach.tui.screens.hunt import HuntScreen
from interview_coach.tui.widgets.key_line import KeyLine
from tests.tui_support import Clock, make_app, text_of

SIZE = (80, 24)
PROGRAM = choose(7)
CHOICES = choices(PROGRAM, 7)
RIGHT = "abcde"[CHOICES.index(PROGRAM.code or "")]
WRONG = next(letter for letter in "abcde" if letter != RIGHT)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "coach.db") as opened:
        yield opened


def hunted(store: Store) -> list[dict[str, Any]]:
    return [event.data for event in store.events("hunted")]


def keys_of(app: CoachApp) -> dict[str, str]:
    return {binding.id or "": label for binding, label in app.screen.query_one(KeyLine).shown()}


async def test_a_letter_names_the_bug_and_the_result_is_kept(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h")
        await pilot.pause()
        assert f" {PROGRAM.lines[0]:>3}  " in text_of(app) or len(PROGRAM.text.splitlines()) > 11
        assert list(keys_of(app)) == [
            "hunt.go",
            "hunt.name",
            "hunt.pause",
            "hunt.show",
            "back",
            "language",
            "help",
            "quit",
        ]
        clock.seconds = 12.0
        await pilot.press(RIGHT)
        await pilot.pause()
        shown = text_of(app)
        assert "✓ found in 12 s" in shown
        assert PROGRAM.right[0].strip()[:40] in shown
        assert "1 of 1 found" in shown
        assert hunted(store) == [
            {
                "template": PROGRAM.template,
                "exercise": PROGRAM.exercise,
                "code": PROGRAM.code,
                "found": True,
                "by": "code",
                "wrong": [],
                "seconds": 12.0,
                "seed": 7,
                "language": "en",
            }
        ]


async def test_what_was_found_does_not_come_again(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", RIGHT, "space")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, HuntScreen)
        again: Program = screen.game.program
        assert (again.template, again.code) != (PROGRAM.template, PROGRAM.code)
        assert screen.phase == "hunting"


async def test_the_line_under_the_cursor_is_an_answer_and_blank_lines_are_passed_over(store: Store) -> None:
    before = PROGRAM.text.splitlines()[: PROGRAM.lines[0] - 1]
    assert "" in before
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", *["down"] * sum(bool(line.strip()) for line in before), "space")
        await pilot.pause()
        assert hunted(store)[0]["by"] == "line"
        assert hunted(store)[0]["found"] is True


async def test_a_wrong_name_costs_time_and_is_struck_out(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", WRONG)
        await pilot.pause()
        assert "✗ No; that costs 15 s." in text_of(app)
        assert "01:15 / 01:30" in text_of(app)
        await pilot.press(WRONG)
        await pilot.pause()
        assert "01:15 / 01:30" in text_of(app)
        assert hunted(store) == []


async def test_the_names_can_be_walked_through(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", "tab", *["down"] * CHOICES.index(PROGRAM.code or ""))
        assert keys_of(app)["hunt.go"] == "this one"
        await pilot.press("enter")
        await pilot.pause()
        assert hunted(store)[0]["by"] == "code"


async def test_the_code_is_covered_while_the_clock_stands(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", "p")
        await pilot.pause()
        assert "import" not in text_of(app)
        clock.seconds = 500.0
        await pilot.press("p")
        await pilot.pause()
        assert "import" in text_of(app)
        assert "01:30 / 01:30" in text_of(app)


async def test_the_end_of_the_clock_shows_the_bug(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h")
        clock.seconds = 91.0
        screen = app.screen
        assert isinstance(screen, HuntScreen)
        screen.tick()
        await pilot.pause()
        assert "· not found" in text_of(app)
        assert f"✗{PROGRAM.lines[0]:>3}  " in text_of(app)
        assert hunted(store)[0]["seconds"] == 90.0


async def test_why_opens_the_question_where_the_bank_has_it(store: Store) -> None:
    asked = question(PROGRAM.code or "")
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", "s")
        await pilot.pause()
        known = asked in app.services.bank.heads
        assert ("hunt.why" in keys_of(app)) == known
        await pilot.press("w")
        await pilot.pause()
        assert app.screen.name == ("question" if known else "hunt")


async def test_leaving_in_the_middle_keeps_nothing(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("h", "escape")
        await pilot.pause()
        assert app.screen.name == "home" or len(app.screen_stack) == 1
        assert hunted(store) == []
