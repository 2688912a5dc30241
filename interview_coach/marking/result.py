"""What a marked answer comes to: coverage, pace, advice, the next follow-up, a rating."""

from __future__ import annotations

import re
from typing import Any, Literal

from interview_coach.bank.model import FollowUp, KeyPoint, Misconception, Question, Weight
from interview_coach.records import record
from interview_coach.text import Language, Text

Verdict = Literal["hit", "partial", "missing", "contradicted", "unsure"]
Rating = Literal["again", "hard", "good", "easy"]
RATING_NUMBERS: dict[Rating, int] = {"again": 1, "hard": 2, "good": 3, "easy": 4}
"""The ratings as the scheduler counts them."""

SECONDS = 30
_LONGEST = 20_000
"""Characters in which words are counted: nobody says more."""
LENGTHS: dict[Language, int] = {"en": 75, "zh": 130}
"""Words (English) or characters (Chinese) that are said in 30 seconds."""
_FASTEST: dict[Language, int] = {"en": 190, "zh": 330}

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_FILLERS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:um+|uh+|er+|hmm+|basically|actually|you know|i mean|kind of|sort of|like|well)\b", re.I),
    "zh": re.compile("嗯+|呃+|那个|就是说|然后呢|怎么说呢|这个嘛|反正"),
}


@record
class PointMark:
    """The verdict on one key point.

    Attributes:
        id: of the key point.
        weight: ``core`` or ``bonus``.
        verdict: what became of it.
        span: first character and the one after the last, in the answer as given; ``None`` where nothing shows it.
        quote: the answer at that span.
        misconception: id of the one that was said.
        correction: what is right, where something wrong was said.
    """

    id: str
    weight: Weight
    verdict: Verdict
    span: tuple[int, int] | None = None
    quote: str = ""
    misconception: str | None = None
    correction: Text | None = None


@record
class Coverage:
    """Shares of the core and of the bonus points that were hit, 0 to 1; 1 where there are none."""

    core: float
    bonus: float


@record
class Marking:
    """A marked answer.

    Attributes:
        question: its id.
        language: that the answer was read as.
        points: in the order of the question.
        coverage: shares of the points that were hit.
        length: words (English) or characters (Chinese).
        seconds: that were taken, if known.
        words_per_minute: words or characters a minute; ``None`` without a time.
        within_time: whether it was, or could be, said in 30 seconds.
        fillers: filler words, each with how often it was said, the most frequent first.
        suggested_rating: what to rate the card.
        reason: why.
        advice: one sentence.
        next_follow_up: what the interviewer would ask now.
    """

    question: str
    language: Language
    points: tuple[PointMark, ...]
    coverage: Coverage
    length: int
    seconds: float | None
    words_per_minute: float | None
    within_time: bool
    fillers: tuple[tuple[str, int], ...]
    suggested_rating: Rating
    reason: Text
    advice: Text
    next_follow_up: FollowUp | None

    @property
    def wrong_first(self) -> tuple[PointMark, ...]:
        """The points by what matters: wrong, unsure, missing, partial, hit; core before bonus."""
        order = ("contradicted", "unsure", "missing", "partial", "hit")
        return tuple(sorted(self.points, key=lambda point: (order.index(point.verdict), point.weight == "bonus")))

    def to_dict(self) -> dict[str, Any]:
        """The marking as JSON data; spans count characters of the answer as given."""
        return {
            "schema": 1,
            "question": self.question,
            "language": self.language,
            "points": [
                {
                    "id": point.id,
                    "weight": point.weight,
                    "verdict": point.verdict,
                    "span": list(point.span) if point.span else None,
                    "quote": point.quote,
                    "misconception": point.misconception,
                }
                for point in self.points
            ],
            "coverage": {"core": round(self.coverage.core, 4), "bonus": round(self.coverage.bonus, 4)},
            "words_per_minute": None if self.words_per_minute is None else round(self.words_per_minute, 1),
            "suggested_rating": self.suggested_rating,
            "next_follow_up": self.next_follow_up.question.get(self.language) if self.next_follow_up else None,
        }


def language_of(answer: str) -> Language:
    """The language an answer is mainly in: terms and formulas in Latin letters do not make it English."""
    sample = answer[:_LONGEST]
    return "zh" if len(_HAN.findall(sample)) > len(_WORD.findall(sample)) else "en"


def summarise(
    question: Question, answer: str, language: Language, seconds: float | None, points: tuple[PointMark, ...]
) -> Marking:
    """The marking of an answer whose points have their verdicts."""
    answer = answer[:_LONGEST]
    length = len((_HAN if language == "zh" else _WORD).findall(answer))
    pace = 60 * length / seconds if seconds and seconds > 0 and length else None
    within = length <= LENGTHS[language] if seconds is None else seconds <= SECONDS
    coverage = Coverage(_share(points, "core"), _share(points, "bonus"))
    rating, reason = _rate(points, coverage, within)
    focus = _focus(question, points)
    return Marking(
        question=question.id,
        language=language,
        points=points,
        coverage=coverage,
        length=length,
        seconds=seconds,
        words_per_minute=pace,
        within_time=within,
        fillers=_fillers(answer, language),
        suggested_rating=rating,
        reason=reason,
        advice=_advise(points, focus, length, language, within, pace),
        next_follow_up=_follow_up(question, focus),
    )


def _share(points: tuple[PointMark, ...], weight: Weight) -> float:
    verdicts = [point.verdict for point in points if point.weight == weight]
    return verdicts.count("hit") / len(verdicts) if verdicts else 1.0


def _rate(points: tuple[PointMark, ...], coverage: Coverage, within: bool) -> tuple[Rating, Text]:
    wrong = [point.id for point in points if point.verdict == "contradicted" and point.weight == "core"]
    missed = [point.id for point in points if point.verdict != "hit" and point.weight == "core"]
    if wrong:
        return "again", Text(f"wrong on a core point: {', '.join(wrong)}", f"核心要点说错了：{'、'.join(wrong)}")
    if missed:
        names = Text(", ".join(missed), "、".join(missed))
        if coverage.core >= 0.5:
            return "hard", Text(
                f"nothing wrong, but not all core points: {names.en}", f"没有说错，但核心要点不全：{names.zh}"
            )
        return "again", Text(f"most core points are missing: {names.en}", f"大部分核心要点没有说到：{names.zh}")
    if any(point.verdict == "contradicted" for point in points):
        return "good", Text("all core points, one bonus point wrong", "核心要点齐全，但有一个加分点说错了")
    if coverage.bonus == 1 and within:
        return "easy", Text("all points, within the time", "要点齐全，而且没有超时")
    if coverage.bonus == 1:
        return "good", Text("all points, but over 30 seconds", "要点齐全，但超过 30 秒")
    return "good", Text("all core points", "核心要点齐全")


_URGENCY: tuple[tuple[Verdict, Weight], ...] = (
    ("contradicted", "core"), ("missing", "core"), ("unsure", "core"), ("partial", "core"),
    ("contradicted", "bonus"), ("missing", "bonus"), ("unsure", "bonus"), ("partial", "bonus"),
)  # fmt: skip


def _focus(question: Question, points: tuple[PointMark, ...]) -> list[tuple[KeyPoint, PointMark]]:
    """The points that were not hit, the most important first."""
    by_id = {point.id: point for point in question.key_points}
    ranked = sorted(
        (point for point in points if point.verdict != "hit"),
        key=lambda point: _URGENCY.index((point.verdict, point.weight)),
    )
    return [(by_id[point.id], point) for point in ranked]


def _follow_up(question: Question, focus: list[tuple[KeyPoint, PointMark]]) -> FollowUp | None:
    for point, _ in focus:
        for follow_up in question.follow_ups:
            if follow_up.when_missing == point.id:
                return follow_up
    return next((each for each in question.follow_ups if each.when_missing is None), None) or next(
        iter(question.follow_ups), None
    )


def _advise(
    points: tuple[PointMark, ...],
    focus: list[tuple[KeyPoint, PointMark]],
    length: int,
    language: Language,
    within: bool,
    pace: float | None,
) -> Text:
    if not length:
        return Text("Say something: one sentence is better than none.", "先说一句：有一句总比没有好。")
    if focus:
        point, mark = focus[0]
        if mark.verdict == "contradicted":
            right = mark.correction or point.text
            return Text(f"Put this right first: {right.en}", f"先纠正这一点：{right.zh}")
        if mark.weight == "core":
            if mark.verdict == "missing":
                return Text(f"Add this: {point.text.en}", f"补上这一点：{point.text.zh}")
            return Text(f"Say this to the end: {point.text.en}", f"把这一点说完整：{point.text.zh}")
    if pace is not None and pace > _FASTEST[language]:
        return Text("All there; speak more slowly.", "要点都到了，语速放慢一些。")
    if not within:
        return Text("All there; say it in 30 seconds.", "要点都到了，压缩到 30 秒之内。")
    if focus:
        return Text(
            f"The core is there; to shine, add: {focus[0][0].text.en}",
            f"核心都到了；想更好，再加：{focus[0][0].text.zh}",
        )
    return Text("Nothing to add; say it just like that.", "没有可补充的，就这样说。")


def _fillers(answer: str, language: Language) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for match in _FILLERS[language].finditer(answer):
        word = match.group().lower()
        counts[word] = counts.get(word, 0) + 1
    return tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def correction_of(misconception: Misconception | None, point: KeyPoint) -> Text:
    """What to say to the one who got a point wrong."""
    return misconception.correction if misconception else point.text
