"""A question beside an answer to it: what was said, missed, and wrong, then all that belongs to the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content

from interview_coach.text import Language
from interview_coach.tui.markdown import BLANK, Block
from interview_coach.tui.strings import KEYS, say
from interview_coach.tui.widgets.key_points import COLORS, KeyPoints
from interview_coach.tui.widgets.prose import prose
from interview_coach.tui.widgets.sheet import Blocks, Sheet

if TYPE_CHECKING:
    from interview_coach.drill.marked import MarkedAnswer

_RATINGS = {1: "rate.again", 2: "rate.hard", 3: "rate.good", 4: "rate.easy"}
_DRAWN = ("missing", "hit", "partial", "unsure", "contradicted")
"""Spans may overlap: what is drawn last is seen."""
_SPACES = str.maketrans({code: " " for code in range(32) if code != 10})


class MarkedSheet(Sheet):
    """The result of a drill.

    Args:
        answer: Marked.
        language: Of the texts.
        ratings: The FSRS ratings on offer, in the order of their keys; none where there is nothing to rate.
        note: Key of the line above the answer; it may tell the ``seconds``.
    """

    def __init__(self, answer: MarkedAnswer, language: Language, *, ratings: tuple[int, ...], note: str = "") -> None:
        super().__init__(answer.question, language)
        self._answer, self._ratings, self._note = answer, ratings, note

    def _points(self) -> ComposeResult:
        if self.question.key_points:
            yield KeyPoints(self._answer, self.language)

    def _after_points(self) -> Blocks:
        yield from self._advice()
        yield from self._said()
        if self.question.elevator.en:
            yield from self._elevator()

    def _advice(self) -> Blocks:
        marking = self._answer.marking
        yield BLANK
        if self._ratings:
            rating = self._answer.suggestion(self._ratings)
            name = KEYS[_RATINGS[rating]][0].get(self.language)
            key = self._ratings.index(rating) + 1
            # The reason names the points by id; they stand above, in words.
            reason = self._tr(marking.reason).split(": ")[0].split("：")[0]
            yield self._labelled("result.suggested", Content(f"{key} {name}").stylize("bold") + Content(f" · {reason}"))
        if self._ratings and (
            marking.coverage.core == 1 or not marking.length
        ):  # else the advice is what the points above say already
            yield Block(prose(self._tr(marking.advice)))
        if marking.next_follow_up is not None:
            yield self._labelled("sheet.follow-ups", prose(self._tr(marking.next_follow_up.question)))

    def _labelled(self, key: str, content: Content) -> Block:
        colon = "：" if self.language == "zh" else ": "
        return Block(Content(self._say(key) + colon).stylize("dim") + content)

    def _said(self) -> Blocks:
        yield from self._heading("drill.your-answer")
        fillers = ", ".join(f"{word} ×{count}" for word, count in self._answer.marking.fillers)
        notes = [self._say(self._note, seconds=round(self._answer.seconds))] if self._note else []
        if fillers:
            notes.append(self._say("result.fillers", words=fillers))
        if notes:
            yield Block(Content(" · ".join(notes)).stylize("dim"))
        text = self._answer.text.strip("\n")
        lines = spans(self._answer).split("\n", allow_blank=True) if text else [Content(self._say("drill.no-answer"))]
        for line in lines:
            yield Block(line, first=Content("▏").stylize("dim"))


def spans(answer: MarkedAnswer) -> Content:
    """The answer with what counted, what half counted, and what was wrong in their colours; wrong also underlined."""
    # A control character would be dropped and shift all that follows.
    content = Content(answer.text.translate(_SPACES))
    for point in sorted(answer.marking.points, key=lambda point: _DRAWN.index(point.verdict)):
        if point.span is not None and COLORS[point.verdict]:
            style = COLORS[point.verdict] + (" underline" if point.verdict == "contradicted" else "")
            content = content.stylize(style, *point.span)
    return content


def outcome(answer: MarkedAnswer, language: Language) -> str:
    """``2 of 3 core · 1 wrong · 96 words/min``."""
    marking = answer.marking
    cores = sum(point.weight == "core" for point in marking.points)
    parts = [say("drill.core", language, core=answer.count("hit", "core"), cores=cores)] if cores else []
    wrong = answer.count("contradicted")
    if wrong:
        parts.append(say("drill.wrong", language, count=wrong))
    if marking.words_per_minute is not None:
        parts.append(say(f"drill.pace-{marking.language}", language, rate=round(marking.words_per_minute)))
    return " · ".join(parts)
