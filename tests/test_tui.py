"""The app, driven by keys."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.widgets import Input, OptionList

from interview_coach.drill.marked import MarkedAnswer
from interview_coach.grading.report import Report
from interview_coach.review.projection import progress_of
from interview_coach.settings import Settings
from interview_coach.store import Store
from interview_coach.tui.app import CoachApp
from interview_coach.tui.screens.confirm import ConfirmScreen
from interview_coach.tui.screens.help import HelpScreen
from interview_coach.tui.widgets.answer_editor import AnswerEditor
from interview_coach.tui.widgets.key_line import KeyLine
from interview_coach.tui.widgets.marked_sheet import spans
from tests.tui_support import NOW, QUESTIONS, Clock, broken, failing, let_run, make_app, passing, text_of, until

SIZE = (80, 24)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "coach.db") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "code"
    here.mkdir()
    (here / "my_attention.py").write_text("def attention(q, k, v): ...\n")
    return here


def keys_of(app: CoachApp) -> dict[str, str]:
    """What the bottom line tells: words by id of the binding."""
    return {binding.id or "": label for binding, label in app.screen.query_one(KeyLine).shown()}


def events(store: Store, kind: str) -> list[dict[str, Any]]:
    return [event.data for event in store.events(kind)]


# --- home ---


async def test_home_tells_what_is_due_and_the_question_of_the_day(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        shown = text_of(app)
        question = app.services.question_of_the_day()
        assert "3 cards · about 2 min" in shown
        assert app.services.bank.questions[question or ""].prompt.en in shown
        assert "None yet. g grades a file, d starts a drill." in shown
        assert list(keys_of(app)) == ["drill", "review", "grade", "browse", "hunt", "language", "help", "quit"]


async def test_home_of_an_empty_bank_says_what_to_do(store: Store) -> None:
    app = make_app(store, questions=())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "Nothing is due. d for a drill." in text_of(app)
        assert "coach questions lint" in text_of(app)
        await pilot.press("enter", "d")
        await pilot.pause()
        assert "No question matches. Esc goes back." in text_of(app)
        await pilot.press("escape")
        assert app.screen.name == "home"


async def test_home_shows_the_last_grades_and_the_weakest_topics(store: Store) -> None:
    said = {"en": "correct, not stable in fp16", "zh": "正确，但数值不稳定（fp16）"}
    store.append("graded", {"file": "/code/mine.py", "verdict": "fail", "headline": said}, NOW)
    store.append("rated", {"question": "masked-row", "rating": 1}, NOW)
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        shown = text_of(app)
        assert "✗ mine.py   correct, not stable in fp16" in shown
        assert "just now" in shown
        assert "masks              ░░░░░░░░░░   0 %" in shown
        await pilot.press("l")
        await pilot.pause()
        assert "✗ mine.py   正确，但数值不稳定（fp16）" in text_of(app)


# --- drill ---


async def test_a_drill_from_question_to_rating(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await let_run(pilot, clock, 0)
        first = app.screen.question
        assert first.id == app.services.question_of_the_day()
        assert "think 00:10 / 00:10" in text_of(app)
        await let_run(pilot, clock, 4)
        assert "think 00:06 / 00:10" in text_of(app)
        await let_run(pilot, clock, 6)
        assert "● 00:30 / 00:30" in text_of(app)
        await pilot.press(*"dgrbl")  # letters type
        await let_run(pilot, clock, 12)
        assert "● 00:18 / 00:30" in text_of(app)
        await pilot.press("ctrl+j")
        await pilot.pause()
        assert events(store, "answered") == [
            {"question": first.id, "text": "dgrbl", "language": "en", "seconds": 12.0, "ticked": [], "source": "drill"}
        ]
        shown = text_of(app)
        assert "dgrbl" in shown
        assert "0 of 2 core" in shown
        assert first.elevator.en in shown
        await pilot.press("m")
        await pilot.pause()
        assert "A sum of d_k products has variance d_k." in text_of(app)
        assert "· The variance of q·k is d_k" in shown
        assert "missed · core" in shown
        assert keys_of(app)["rate.1"] == "again 1 min"
        await pilot.press("2")
        await pilot.pause()
        assert events(store, "rated") == [{"question": first.id, "rating": 3}]
        assert app.screen.question.id != first.id
        assert app.screen.phase == "thinking"


async def answer_with(pilot: Any, clock: Clock, text: str, seconds: float = 12) -> None:
    """Opens a drill and hands in ``text`` after so many seconds."""
    await pilot.press("d", "space")
    await pilot.pause()
    pilot.app.screen.editor.text = text
    await let_run(pilot, clock, seconds)
    await pilot.press("ctrl+j")
    await pilot.pause()


WRONG = "the variance is √d_k,\nso the softmax saturates"


async def test_an_answer_is_marked_wrong_statements_first(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await answer_with(pilot, clock, WRONG)
        shown = text_of(app).splitlines()
        assert shown[0].endswith("1 of 2 core · 1 wrong · 40 words/min")
        points = [line.split() for line in shown if (line.strip()[:1] in "›✗·✓" and "core" in line) or "bonus" in line]
        assert [" ".join(words) for words in points] == [
            "› ✗ “variance is √d_k” √d_k is the deviation; the variance is d_k. core",
            "✓ Large logits saturate softmax “softmax saturates” core",
            "· It assumes independent entries missed · bonus",
        ]
        assert " Suggested rating: 1 again · wrong on a core point" in "\n".join(shown)
        assert " They would ask next: Why not divide by d_k?" in "\n".join(shown)
        assert "12 s" in "\n".join(shown)
        assert events(store, "answered")[0]["ticked"] == ["saturation"]


async def test_the_spans_of_an_answer_are_drawn_where_they_stand(store: Store) -> None:
    marked = MarkedAnswer(QUESTIONS[0], "\x07\tthe variance is √d_k\nand softmax saturates", 10)
    content = spans(marked)
    drawn = {content.plain[span.start : span.end]: str(span.style) for span in content.spans}
    assert drawn == {"variance is √d_k": "$text-error underline", "softmax saturates": "$text-success"}
    assert content.plain.startswith("  the")


async def test_a_verdict_can_be_flipped_and_is_kept_as_a_label(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await answer_with(pilot, clock, WRONG)
        answered = next(store.events("answered")).uuid
        await pilot.press("f")
        await pilot.pause()
        shown = text_of(app)
        assert "2 of 2 core · 40 words/min" in shown
        assert "› ✓ The variance of q·k is d_k  “variance is √d_k”" in shown
        assert "your verdict · core" in shown
        assert "Suggested rating: 2 good · all core points" in shown
        flipped = {"question": app.screen.question.id, "event": answered, "point": "variance-is-dk"}
        assert events(store, "flipped") == [{**flipped, "from": "contradicted", "to": "hit"}]
        assert app.services.reviewer.queue() and progress_of(store, app.screen.question.id).ticked == (
            "saturation",
            "variance-is-dk",
        )
        await pilot.press("f", "down", "f")
        await pilot.pause()
        assert [(e["from"], e["to"]) for e in events(store, "flipped")[1:]] == [
            ("hit", "contradicted"),
            ("hit", "missing"),
        ]
        assert "0 of 2 core · 1 wrong" in text_of(app)


async def test_an_answer_that_cannot_be_marked_is_saved_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("no marker")

    monkeypatch.setattr("interview_coach.drill.marked.mark", fails)
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await answer_with(pilot, clock, WRONG)
        assert events(store, "answered")[0]["text"] == WRONG
        assert [each.message for each in app._notifications] == ["The answer could not be marked: no marker"]
        await pilot.press("f")
        await pilot.pause()
        assert "1 of 2 core" in text_of(app)


async def test_at_zero_the_answer_is_taken_as_it_stands(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock, language="zh")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "space")
        await pilot.press(*"方差为", "enter", *"d_k")
        await let_run(pilot, clock, 31)
        assert app.screen.phase == "revealed"
        assert events(store, "answered")[0]["text"] == "方差为\nd_k"
        assert events(store, "answered")[0]["seconds"] == 30
        shown = text_of(app)
        assert "时间到，以下是你的回答。" in shown
        assert "方差为" in shown


async def test_what_is_typed_right_after_the_key_that_opens_the_editor_is_kept(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        for character in " 方差 dk":  # as from a buffer: no key waits for what the one before it does
            key = "space" if character == " " else character
            app.post_message(Key(key, character))
        await pilot.pause()
        assert app.screen.query_one(AnswerEditor).text == "方差 dk"


async def test_every_letter_is_a_draft_that_comes_back(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "space", *"softmax 饱和")
        await pilot.pause()
        question = app.screen.question.id
        assert store.draft(question) == "softmax 饱和"
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.phase == "paused"
        await let_run(pilot, clock, 100)
        assert app.screen.phase == "paused"
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.name == "home"
    # A new app, as after a crash.
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert app.screen.question.id == question
        assert app.screen.query_one(AnswerEditor).text == "softmax 饱和"
        assert "Your draft is back." in text_of(app)
        await pilot.press("space", *"!", "f2")
        await pilot.pause()
        assert events(store, "answered")[0]["text"] == "softmax 饱和!"
        assert store.draft(question) is None


async def test_pause_stops_the_clock_and_goes_on(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await let_run(pilot, clock, 3)
        await pilot.press("p")
        await let_run(pilot, clock, 50)
        assert "paused 00:07 / 00:10" in text_of(app)
        assert keys_of(app)["drill.pause"] == "go on"
        await pilot.press("p")
        await let_run(pilot, clock, 1)
        assert "think 00:06 / 00:10" in text_of(app)


async def test_a_paused_drill_tells_each_way_on_once(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "p")
        await pilot.pause()
        assert (keys_of(app)["drill.go"], keys_of(app)["drill.pause"]) == ("answer", "go on")
        await pilot.press("space", "x", "escape")
        await pilot.pause()
        assert keys_of(app)["drill.go"] == "go on"
        assert "drill.pause" not in keys_of(app)


async def test_undo_in_a_drill_shows_the_answer_again_to_be_rated(store: Store) -> None:
    clock = Clock()
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await answer_with(pilot, clock, WRONG)
        first = app.screen.question
        await pilot.press("2")
        await pilot.pause()
        assert app.screen.question != first
        await pilot.press("u")
        await pilot.pause()
        assert (app.screen.question, app.screen.phase) == (first, "revealed")
        assert "“variance is √d_k”" in text_of(app)
        await pilot.press("1")
        await pilot.pause()
        assert [event["rating"] for event in events(store, "rated")] == [3, 1]
        assert app.screen.phase == "thinking"
    store.append("rated", {"question": "flash-memory", "rating": 3}, NOW)
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "u")
        await pilot.pause()
        assert app.screen.phase == "thinking"
        assert [each.message for each in app._notifications] == [
            "The rating of flash-memory is taken back; r rates it again."
        ]


async def test_a_resumed_draft_has_no_pace(store: Store) -> None:
    clock = Clock()
    store.save_draft("why-sqrt-dk", "the variance is d_k")
    app = make_app(store, clock=clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "space")
        await let_run(pilot, clock, 2)
        await pilot.press("ctrl+j")
        await pilot.pause()
        assert text_of(app).splitlines()[0].endswith("1 of 2 core")


async def test_four_ratings_and_the_length_of_the_clock_are_settings(store: Store) -> None:
    app = make_app(store, four_ratings=True, think_seconds=0, answer_seconds=75)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert "● 01:15 / 01:15" in text_of(app)
        await pilot.press("x", "ctrl+j")
        await pilot.pause()
        assert [keys_of(app)[f"rate.{key}"].split()[0] for key in (1, 2, 3, 4)] == ["again", "hard", "good", "easy"]
        await pilot.press("4")
        await pilot.pause()
        assert events(store, "rated")[0]["rating"] == 4


async def test_the_drill_ends_with_the_questions(store: Store) -> None:
    app = make_app(store, questions=QUESTIONS[:1])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "space", "x", "ctrl+enter", "space")
        await pilot.pause()
        assert "That was all: 1 answered." in text_of(app)
        assert "drill" not in keys_of(app)  # told by help only


# --- review ---


async def test_review_shows_rates_and_undoes(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        await pilot.pause()
        assert "3 left" in text_of(app)
        assert "rate.1" not in keys_of(app)
        await pilot.press("space")
        await pilot.pause()
        assert "Divide by the standard deviation" in text_of(app)
        assert keys_of(app)["rate.2"] == "good 10 min"
        await pilot.press("2")
        await pilot.pause()
        assert "2 left" in text_of(app)
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r", "u")
        await pilot.pause()
        assert QUESTIONS[0].prompt.en in text_of(app)
        assert len(events(store, "undone")) == 1
        for _ in range(3):
            await pilot.press("space", "2")
            await pilot.pause()
        while app.services.reviewer.due():
            await pilot.press("space", "2")
            await pilot.pause()
        assert "Done for today" in text_of(app)
        assert "d for a drill" in text_of(app)


async def test_keys_that_lead_elsewhere_are_off_during_a_review(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r", "g", "b")
        await pilot.pause()
        assert app.screen.name == "review"


# --- grade ---


async def grade(store: Store, folder: Path, result: Any) -> str:
    app = make_app(store, grade=result, folder=folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g", "enter")
        await until(pilot, lambda: bool(events(store, "graded")) or "failed" in text_of(app))
        await pilot.pause()
        return text_of(app)


async def test_a_wrong_file_leads_to_the_question_behind_it(store: Store, folder: Path) -> None:
    (folder / "my_attention.py").write_text("\n" * 13 + "scores = q @ k.mT / 8\n", "utf-8")
    app = make_app(store, grade=failing, folder=folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g", "enter")
        await until(pilot, lambda: bool(events(store, "graded")))
        shown = text_of(app)
        assert "✗ wrong: your output equals attention scaled by 1/√d_model" in shown
        assert "line 14   → why-sqrt-dk" in shown
        assert "mask True = keep" in shown
        assert "formula    ✗ 1 of 2   0.41, allowed 1.0e-05 · first at [0, 0, 2, 5]" in shown
        assert "masks      ● 2   a row with nothing to attend to gives NaN" in shown
        assert "half       · bf16 is graded on a GPU only" in shown
        assert "    scores = q @ k.mT / 8" in shown
        assert events(store, "graded")[0]["codes"] == ["scale-d-model"]
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.name == "question"
        assert QUESTIONS[0].prompt.en in text_of(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "line 14" in text_of(app)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert app.screen.name == "home"
        assert "✗ my_attention.py" in text_of(app)


async def test_a_right_file(store: Store, folder: Path) -> None:
    assert "✓ correct and stable" in await grade(store, folder, passing)


async def test_a_file_that_cannot_be_graded(store: Store, folder: Path) -> None:
    assert "· cannot grade (import): line 3: invalid syntax" in await grade(store, folder, broken)


async def test_a_grader_that_fails_is_told(store: Store, folder: Path) -> None:
    def fails(path: Path) -> Report:
        raise RuntimeError("no worker")

    assert "The grader itself failed: no worker" in await grade(store, folder, fails)


async def test_a_run_is_shown_can_be_cancelled_and_is_asked_about(store: Store, folder: Path) -> None:
    gate = threading.Event()

    def slow(path: Path) -> Report:
        gate.wait(10)
        return failing(path)

    app = make_app(store, grade=slow, folder=folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g", "enter")
        await pilot.pause()
        assert "Grading my_attention.py … 0 s" in text_of(app)
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, ConfirmScreen)
        await pilot.press("escape", "c")
        await pilot.pause()
        assert "Cancelled." in text_of(app)
        gate.set()
        await pilot.pause(0.05)
        assert "Cancelled." in text_of(app)
        assert events(store, "graded") == []


async def test_a_path_can_be_typed(store: Store, folder: Path) -> None:
    seen: list[Path] = []

    def note(path: Path) -> Report:
        seen.append(path)
        return passing(path)

    app = make_app(store, grade=note, folder=folder / "nowhere")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g")
        await pilot.pause()
        assert "No .py file here." in text_of(app)
        await pilot.press(*"sub/my.py", "enter")
        await until(pilot, lambda: bool(seen))
        assert seen == [folder / "nowhere" / "sub" / "my.py"]


# --- browse ---


async def test_browse_searches_in_both_languages(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("b", "slash", *"flash")
        await pilot.pause()
        assert "1 question" in text_of(app)
        assert "What does FlashAttention change" in text_of(app)
        await pilot.press("ctrl+u", *"mask", "ctrl+u")
        await pilot.pause()
        assert app.screen.query_one("#list", OptionList).highlighted == 0
        await pilot.press(*"flash")
        await pilot.press("ctrl+u", *"掩码")
        await pilot.pause()
        assert "A row of the mask is False everywhere" in text_of(app)
        await pilot.press("escape", "enter")
        await pilot.pause()
        assert app.screen.name == "question"
        assert "What they look for" in text_of(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "掩码"
        await pilot.press("escape", "b")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "掩码"
        await pilot.press("c")
        await pilot.pause()
        assert "3 questions" in text_of(app)


async def test_browse_filters_by_topic_and_tag(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("b", "number_sign")
        await pilot.pause()
        assert "softmax  2" in text_of(app)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert "2 questions" in text_of(app)
        assert "#softmax" in text_of(app)
        await pilot.press("t", "end", "enter")
        await pilot.pause()
        assert "1 question" in text_of(app)
        assert app.screen.query_one("#list", OptionList).option_count == 1
        await pilot.press("d")
        await pilot.pause()
        assert app.screen.question.id == "why-sqrt-dk"


# --- everywhere ---


@pytest.mark.parametrize("where", [(), ("d",), ("d", "space", "x", "ctrl+j"), ("r", "space"), ("b",), ("b", "enter")])
async def test_the_language_switches_everywhere(store: Store, folder: Path, where: tuple[str, ...]) -> None:
    app = make_app(store, folder=folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*where)
        await pilot.pause()
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in text_of(app).replace("中文", ""))
        await pilot.press("l")
        await pilot.pause()
        await until(pilot, lambda: "English" in text_of(app))
        zh = text_of(app)
        assert any(question.prompt.zh[:10] in zh for question in QUESTIONS)
        assert not any(question.prompt.en[:20] in zh for question in QUESTIONS)
        assert app.services.settings.language == "zh"
        await pilot.press(*["escape"] * len(where))
        await pilot.pause()
        assert "今日一题" in text_of(app)


async def test_help_tells_the_keys_of_what_has_the_focus(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "space", "f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        shown = text_of(app)
        assert "Not every terminal can send ctrl+enter" in shown
        assert "Hand in the answer" in shown
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.query_one(AnswerEditor).has_focus


async def test_keys_can_be_remapped(store: Store) -> None:
    app = make_app(store, keys={"drill": "ctrl+t", "editor.done": "f5"})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "ctrl+t drill" in text_of(app)
        await pilot.press("d")
        await pilot.pause()
        assert app.screen.name == "home"
        await pilot.press("ctrl+t", "space", "x")
        await pilot.pause()
        assert "f5 done" in text_of(app)
        await pilot.press("f5")
        await pilot.pause()
        assert app.screen.phase == "revealed"


async def test_the_palette_offers_what_works_here(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert titles == [
            *("answer it", "drill", "interview", "review", "grade", "browse", "hunt", "中文", "help", "quit", "Theme")
        ]
        await pilot.press("ctrl+p", *"browse")
        await until(pilot, lambda: "Read and search all questions" in text_of(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.name == "browse")


@pytest.mark.parametrize("size", [(40, 10), (20, 5)])
async def test_a_small_terminal_breaks_nothing(store: Store, folder: Path, size: tuple[int, int]) -> None:
    app = make_app(store, folder=folder)
    async with app.run_test(size=size) as pilot:
        await pilot.press(
            "d", "space", "x", "ctrl+j", "f", "escape", "r", "space", "escape", "b", "escape", "g", "enter"
        )
        await until(pilot, lambda: bool(events(store, "graded")))
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert app.screen.name == "home"


async def test_quitting_asks_nothing_when_nothing_would_be_lost(store: Store) -> None:
    app = make_app(store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "space", *"half")
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert app.return_value == 0
    assert list(store.drafts().values()) == ["half"]


async def test_a_store_that_cannot_write_is_told_and_the_text_stays(store: Store, monkeypatch: Any) -> None:
    def full(*_: Any) -> None:
        raise OSError("disk full")

    app = make_app(store)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("d", "space")
        monkeypatch.setattr(store, "save_draft", full)
        await pilot.press("x")
        await pilot.pause()
        assert "Not saved: disk full" in text_of(app)
        assert app.screen.query_one(AnswerEditor).text == "x"


async def test_reduced_motion_and_theme_are_settings(store: Store) -> None:
    app = make_app(store, reduced_motion=True, theme="textual-light")
    async with app.run_test(size=SIZE):
        assert app.animation_level == "none"
        assert app.theme == "textual-light"
        app.theme = "nord"
        assert app.services.settings == replace(
            Settings(language="en", reduced_motion=True, theme="textual-light"), theme="nord"
        )


async def test_another_path_is_typed_over_the_last_one_and_seen(store: Store, folder: Path) -> None:
    app = make_app(store, folder=folder, grade=broken)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("g", "slash", *"nope.py", "enter")
        await until(pilot, lambda: "invalid syntax" in text_of(app))
        await pilot.press("slash", *"other.py")
        await pilot.pause()
        assert "/ other.py" in text_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: "invalid syntax" in text_of(app))
        assert "other.py" in text_of(app).splitlines()[0]
