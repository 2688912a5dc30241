from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_coach.drill import Answer, Drill, Summary, build_queue
from interview_coach.drill.summary import count, language_of


@dataclass(frozen=True)
class Q:
    id: str
    topic: str = "masks"
    level: int = 2
    frequency: int = 3


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Session:
    """A drill with its clock, and what it told its owner."""

    def __init__(self, *ids: str, think: float = 10, answer: float = 30) -> None:
        self.clock = Clock()
        self.drafts: dict[str, str] = {}
        self.answers: list[Answer] = []
        self.drill = Drill(
            [Q(name) for name in ids],
            clock=self.clock,
            think_seconds=think,
            answer_seconds=answer,
            on_draft=self.drafts.__setitem__,
            on_answer=self.answers.append,
        )

    def after(self, seconds: float, text: str | None = None) -> str:
        self.clock.now += seconds
        return self.drill.tick(text)


def test_thinking_then_answering_then_the_answer_is_taken_as_it_stands() -> None:
    session = Session("a", "b")
    drill = session.drill
    assert (drill.phase, drill.question, drill.remaining) == ("thinking", Q("a"), 10)
    assert session.after(9.5) == "thinking"
    assert session.after(0.5) == "answering"
    assert (drill.remaining, drill.elapsed, drill.length) == (30, 0, 30)
    assert session.after(12, "with -inf") == "answering"
    assert session.after(18, "with -inf the row is NaN") == "revealed"
    assert session.answers == [Answer("a", "with -inf the row is NaN", 30, "time")]
    assert session.drafts == {"a": "with -inf the row is NaN"}
    assert (drill.remaining, drill.timed_phase) == (0, "answering")
    drill.next()
    assert (drill.phase, drill.question, drill.text, drill.remaining) == ("thinking", Q("b"), "", 10)


def test_no_time_to_think_goes_straight_to_the_answer() -> None:
    assert Session("a", think=0).drill.phase == "answering"


def test_a_pause_stops_the_clock_in_both_phases() -> None:
    session = Session("a")
    session.after(4)
    session.drill.pause()
    assert session.after(1000) == "paused"
    assert (session.drill.remaining, session.drill.timed_phase) == (6, "thinking")
    session.drill.resume()
    assert session.after(5) == "thinking"
    assert session.after(1) == "answering"
    session.after(7)
    session.drill.pause("half")
    session.clock.now += 50
    session.drill.change("half an answer")
    assert session.drafts == {"a": "half an answer"}
    session.drill.resume()
    session.after(3)
    session.drill.submit()
    assert session.answers == [Answer("a", "half an answer", 10, "submitted")]


def test_a_machine_that_slept_through_thinking_still_gets_its_answer_time() -> None:
    session = Session("a")
    assert session.after(9000) == "answering"
    assert session.drill.remaining == 30


def test_a_pause_that_comes_after_the_bell_takes_the_answer() -> None:
    session = Session("a", think=0)
    session.clock.now += 31
    session.drill.pause("late")
    assert session.drill.phase == "revealed"
    assert session.answers == [Answer("a", "late", 30, "time")]


def test_submit_works_while_thinking_and_while_paused_and_once() -> None:
    session = Session("a", "b")
    session.after(3)
    session.drill.submit("known")
    session.drill.submit("again")
    session.drill.change("later")
    assert session.answers == [Answer("a", "known", 0, "submitted")]
    session.drill.next()
    session.drill.start_answer()
    session.after(5)
    session.drill.pause()
    session.drill.submit("from the pause")
    assert session.answers[1] == Answer("b", "from the pause", 5, "submitted")
    session.drill.next()
    assert (session.drill.phase, session.drill.question) == ("finished", None)


def test_skipping_leaves_a_draft_and_no_answer() -> None:
    session = Session("a", "b")
    session.drill.skip("half a thought")
    assert session.drafts == {"a": "half a thought"}
    assert session.answers == []
    assert session.drill.question == Q("b")
    session.drill.submit("x")
    session.drill.skip()
    assert session.drill.phase == "finished"
    assert [answer.outcome for answer in session.drill.answers] == ["skipped", "submitted"]


def test_leaving_early_keeps_the_text_as_a_draft() -> None:
    session = Session("a", "b")
    summary = session.drill.finish("half")
    assert session.drafts == {"a": "half"}
    assert summary == Summary(0, 0, 0, None, None, 0)
    assert session.after(100) == "finished"


def test_no_question_is_a_finished_drill() -> None:
    drill = Session().drill
    drill.submit("x")
    drill.next()
    drill.skip()
    drill.pause()
    assert (drill.phase, drill.question, drill.answers) == ("finished", None, [])


@pytest.mark.parametrize(("think", "answer"), [(-1, 30), (10, 0)])
def test_lengths_must_make_sense(think: float, answer: float) -> None:
    with pytest.raises(ValueError, match="answering more than 0 s"):
        Session("a", think=think, answer=answer)


def test_the_summary_counts_words_and_characters_a_minute() -> None:
    session = Session("a", "b", "c", "d", think=0)
    session.after(15)
    session.drill.submit("the variance of q·k is d_k, so we divide")  # 10 words
    session.answers[0].ticked.append("x")
    session.drill.next()
    session.after(20)
    session.drill.submit("点积的方差是 d_k，所以除以根号 d_k。")  # 12 characters
    session.drill.next()
    session.after(30)
    session.drill.next()
    session.drill.skip()
    assert session.drill.summary() == Summary(2, 2, 65, 40.0, 36.0, 1)


def test_lengths_of_texts() -> None:
    assert count("FlashAttention-2 doesn't store O(n^2) scores", "en") == 6
    assert count("softmax 之前除以 √d_k", "zh") == 4
    assert count("softmax 之前除以 √d_k", "en") == 2
    assert language_of("用 softmax 和 mask") == "en"
    assert language_of("用 softmax 归一化") == "zh"


_ACTIONS = st.one_of(
    st.sampled_from(["pause", "resume", "start_answer", "submit", "skip", "next"]),
    st.floats(0, 50),
    st.text("ab中 ", max_size=5),
)


@given(st.lists(_ACTIONS, max_size=40), st.integers(0, 3))
def test_whatever_happens_no_word_is_lost_and_the_clock_stays_in_bounds(
    actions: list[str | float], questions: int
) -> None:
    session = Session(*map(str, range(questions)))
    drill = session.drill
    typed: dict[str, str] = {}
    for action in actions:
        open_question = drill.question if drill.phase not in ("revealed", "finished") else None
        if isinstance(action, float):
            session.after(action)
        elif action in ("pause", "resume", "start_answer", "submit", "skip", "next"):
            getattr(drill, action)()
        else:
            if open_question:
                typed[open_question.id] = action
            drill.tick(action)
        assert 0 <= drill.remaining <= drill.length
        assert 0 <= drill.elapsed <= drill.length
        assert len(session.answers) == sum(answer.outcome != "skipped" for answer in drill.answers)
    for answer in session.answers:
        assert answer.text == typed.get(answer.question, "")
        assert 0 <= answer.seconds <= 30
    # What was typed is in the drafts, unless it was typed and then deleted.
    assert {key: text for key, text in session.drafts.items() if text} == {k: t for k, t in typed.items() if t}


def test_the_queue_takes_due_then_weak_then_new_then_the_rest() -> None:
    then = datetime(2026, 3, 1, tzinfo=UTC)
    questions = [
        Q("rest-late", "numerics"),
        Q("rest-early", "numerics"),
        Q("new-rare", frequency=1),
        Q("new-often", "flash", frequency=5),
        Q("new-often-hard", level=5, frequency=5),
        Q("weak-late"),
        Q("weak-early"),
        Q("weaker", "flash"),
        Q("due-2"),
        Q("due-1"),
    ]
    practised = {
        name: then + timedelta(days=place)
        for place, name in enumerate(["rest-early", "rest-late", "weak-early", "weak-late", "weaker", "due-1", "due-2"])
    }
    queue = build_queue(
        questions,
        due=["due-1", "gone", "due-2"],
        weak_topics=["flash", "masks"],
        last_practised=practised,
    )
    assert [question.id for question in queue] == [
        "due-1",
        "due-2",
        "weaker",
        "weak-early",
        "weak-late",
        "new-often",
        "new-often-hard",
        "new-rare",
        "rest-early",
        "rest-late",
    ]


def test_the_queue_is_filtered_cut_and_holds_each_question_once() -> None:
    questions = [Q("a"), Q("a"), Q("b", "flash"), Q("c", level=5), Q("d")]
    assert [q.id for q in build_queue(questions, topic="masks", level=2)] == ["a", "d"]
    assert [q.id for q in build_queue(questions, count=2)] == ["a", "b"]
    assert build_queue(questions, topic="none") == []
