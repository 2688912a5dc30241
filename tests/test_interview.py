"""Interviewer mode: what is asked next, how it is kept, and the transcript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from interview_coach.bank.model import FollowUp
from interview_coach.drill.interview import follow_ups, totals, transcript
from interview_coach.drill.labels import labels
from interview_coach.drill.marked import MarkedAnswer
from interview_coach.store import Store
from interview_coach.text import Text
from tests.tui_support import NOW, QUESTIONS, Clock, let_run, make_app, text_of

ASKING = replace(
    QUESTIONS[0],
    follow_ups=(
        FollowUp(Text("In any case?", "无论如何？"), Text("Yes.", "是。")),
        FollowUp(
            Text("Why saturated?", "为什么饱和？"), Text("The softmax saturates.", "softmax 饱和。"), "saturation"
        ),
        FollowUp(Text("Which variance?", "哪个方差？"), Text("The variance is d_k.", "方差是 d_k。"), "variance-is-dk"),
        FollowUp(Text("Independent?", "独立吗？"), Text("That is assumed.", "是假设。"), "assumption"),
    ),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "coach.db") as opened:
        yield opened


def asked(answer: str) -> list[str]:
    return [question.prompt.en for question in follow_ups(MarkedAnswer(ASKING, answer, 10))]


def test_what_was_wrong_is_asked_first_and_what_was_said_never() -> None:
    assert asked("the variance is √d_k") == ["Which variance?", "Why saturated?", "Independent?"]
    assert asked("the variance is d_k, softmax saturates") == ["Independent?", "In any case?"]
    assert asked("the variance is d_k, and softmax saturates; entries are independent") == ["In any case?"]


def test_a_follow_up_is_marked_against_its_point_alone() -> None:
    first = follow_ups(MarkedAnswer(ASKING, "", 10))[0]
    assert (first.id, [point.id for point in first.key_points]) == ("why-sqrt-dk/1", ["variance-is-dk"])
    assert MarkedAnswer(first, "the variance is d_k", 5).hits == ("variance-is-dk",)


def test_a_follow_up_whose_model_answer_does_not_make_the_point_is_not_marked() -> None:
    independent = follow_ups(MarkedAnswer(ASKING, "", 10))[2]
    assert (independent.prompt.en, independent.key_points) == ("Independent?", ())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_transcript_holds_all_that_was_said(language: str) -> None:
    main = MarkedAnswer(ASKING, "the variance is √d_k\nso softmax saturates", 12)
    deeper = MarkedAnswer(follow_ups(main)[0], "the variance is d_k", 5)
    assert totals([main, deeper]) == (1, 2, 1, 1, 1)
    text = transcript([main, deeper], NOW, "zh" if language == "zh" else "en")
    if language == "en":
        assert text.splitlines()[:3] == [
            "# Interview, 2026-03-04 12:00",
            "",
            "Questions: 1, follow-ups: 1. Core points said at first: 1 of 2. Wrong statements: 1.",
        ]
        assert "> the variance is √d_k\n> so softmax saturates\n>\n> 12 s\n" in text
        assert "- ✗ “variance is √d_k” √d_k is the deviation; the variance is d_k.\n" in text
        assert "### Which variance?\n" in text
        assert text.endswith("Model answer: The variance is d_k.\n")
    else:
        assert "核心要点首答说到 1/2，说错 1 处。" in text
        assert "### 哪个方差？\n" in text


async def test_an_interview_asks_on_and_is_written_down(store: Store, tmp_path: Path) -> None:
    clock = Clock()
    app = make_app(store, clock=clock, questions=(ASKING,), screen="interview", folder=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for said in ("the variance is √d_k", "the variance is d_k", "", "independent"):
            await pilot.press("space")
            await pilot.pause()
            app.screen.editor.text = said
            await let_run(pilot, clock, 5)
            await pilot.press("ctrl+j")
            await pilot.pause()
            if said == "the variance is d_k":
                shown = text_of(app)
                assert shown.startswith(" Interview · scaling · follow-up 1 ")
                assert "✓ The variance of q·k is d_k  “variance is d_k”" in shown
                assert "1 again" not in shown  # a follow-up is no card
                await pilot.press("f")
            await pilot.press("1" if said.endswith("√d_k") else "space")
            await pilot.pause()
        assert app.screen.phase == "finished"
        await pilot.press("w")
        await pilot.pause()
    assert [event.data["question"] for event in store.events("answered")] == ["why-sqrt-dk"]
    assert [(e.data["question"], e.data["prompt"]) for e in store.events("followed-up")] == [
        ("why-sqrt-dk", "Which variance?"),
        ("why-sqrt-dk", "Why saturated?"),
        ("why-sqrt-dk", "Independent?"),
    ]
    assert [(label.answer, label.marked, label.right) for label in labels(store)] == [
        ("the variance is d_k", "hit", "missing")
    ]
    written = next(tmp_path.glob("interview-*.md")).read_text("utf-8")
    assert written.count("### ") == 3
    assert "Questions: 1, follow-ups: 3. Core points said at first: 0 of 2. Wrong statements: 1." in written
