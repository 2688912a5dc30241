"""An interviewer that asks on: follow-ups about what was wrong or missed, and the whole exchange on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from interview_coach.bank.model import FollowUp, Question
from interview_coach.drill.marked import MarkedAnswer
from interview_coach.marking import Verdict, mark
from interview_coach.text import Language, Text

MOST = 3
_PRESSING: tuple[Verdict, ...] = ("contradicted", "missing", "unsure", "partial")
_MARKS = {"contradicted": "✗", "unsure": "?", "missing": "·", "partial": "~", "hit": "✓"}
_NOTHING = Text("", "")


def follow_ups(marked: MarkedAnswer, most: int = MOST) -> list[Question]:
    """What to ask next, each as a question of its own.

    First about what was wrong, then about what was missed, core before bonus; then what is asked in any case. A
    follow-up about a key point is marked against that point where its own model answer makes the point; else it is
    shown beside its model answer, unmarked.

    Args:
        marked: the answer.
        most: at most so many.
    """
    question = marked.question
    open_points = sorted(
        (point for point in marked.marking.points if point.verdict in _PRESSING),
        key=lambda point: (point.weight == "bonus", _PRESSING.index(point.verdict)),
    )
    wanted = [*(point.id for point in open_points), None]
    chosen = [follow_up for about in wanted for follow_up in question.follow_ups if follow_up.when_missing == about]
    return [_as_question(question, follow_up, number) for number, follow_up in enumerate(chosen[:most], 1)]


def _as_question(question: Question, follow_up: FollowUp, number: int) -> Question:
    asked = replace(
        question,
        id=f"{question.id}/{number}",
        prompt=follow_up.question,
        answer=follow_up.answer,
        elevator=_NOTHING,
        key_points=tuple(point for point in question.key_points if point.id == follow_up.when_missing),
        pitfalls=(),
        follow_ups=(),
    )
    models = (follow_up.answer.en, follow_up.answer.zh)
    if any(point.verdict == "hit" for model in models for point in mark(asked, model).points):
        return asked
    return replace(asked, key_points=())


def is_follow_up(question_id: str) -> bool:
    """Whether an id is that of a follow-up; it begins with the id of its question, which has no slash."""
    return "/" in question_id


def asked_first(question_id: str) -> str:
    """The id of the question that a follow-up belongs to."""
    return question_id.partition("/")[0]


class Totals(NamedTuple):
    """What an interview came to: core points hit, asked for, and wrong statements; questions and follow-ups."""

    hit: int
    core: int
    wrong: int
    questions: int
    follow_ups: int


def totals(exchange: Sequence[MarkedAnswer]) -> Totals:
    """The sum over an exchange."""
    first = [marked for marked in exchange if not is_follow_up(marked.question.id)]
    return Totals(
        hit=sum(marked.count("hit", "core") for marked in first),
        core=sum(point.weight == "core" for marked in first for point in marked.marking.points),
        wrong=sum(marked.count("contradicted") for marked in exchange),
        questions=len(first),
        follow_ups=len(exchange) - len(first),
    )


def transcript(exchange: Sequence[MarkedAnswer], at: datetime, language: Language) -> str:
    """The exchange as Markdown: each question, the answer as it was given, the verdicts, and a summary."""

    def say(en: str, zh: str) -> str:
        return zh if language == "zh" else en

    sums = totals(exchange)
    lines = [
        say(f"# Interview, {at:%Y-%m-%d %H:%M}", f"# 面试记录，{at:%Y-%m-%d %H:%M}"),
        "",
        say(
            f"Questions: {sums.questions}, follow-ups: {sums.follow_ups}. "
            f"Core points said at first: {sums.hit} of {sums.core}. Wrong statements: {sums.wrong}.",
            f"{sums.questions} 道题，{sums.follow_ups} 个追问。"
            f"核心要点首答说到 {sums.hit}/{sums.core}，说错 {sums.wrong} 处。",
        ),
    ]
    for marked in exchange:
        deeper = is_follow_up(marked.question.id)
        prompt = " ".join(marked.question.prompt.get(language).split())
        lines += ["", f"{'###' if deeper else '##'} {prompt}", ""]
        said = marked.text.strip() or say("(nothing)", "（没有回答）")
        lines += [f"> {line}".rstrip() for line in said.splitlines()]
        lines += [">", f"> {marked.seconds:.0f} s", ""]
        texts = {point.id: point.text for point in marked.question.key_points}
        for point in (marked[id] for id in marked.order):
            right = point.correction or texts[point.id]
            quote = f" “{' '.join(point.quote.split())}”" if point.quote else ""
            lines.append(f"- {_MARKS[point.verdict]}{quote} {' '.join(right.get(language).split())}")
        if deeper:
            model = " ".join(marked.question.answer.get(language).split())
            lines += ["", say(f"Model answer: {model}", f"参考答案：{model}")]
    return "\n".join(lines) + "\n"
