"""What a judge's reply is worth: a verdict counts only with words of the answer that show it.

A judge suggests. It speaks where the marker heard nothing or is unsure; what the marker heard, it leaves alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, get_args

from interview_coach.bank.model import Question
from interview_coach.errors import CoachError
from interview_coach.judge.prompt import judged_part
from interview_coach.marking.result import Marking
from interview_coach.records import record
from interview_coach.text import Text

JudgeVerdict = Literal["hit", "partial", "missing", "contradicted"]
Reason = Literal["id", "twice", "verdict", "quote", "question"]

REASONS: dict[Reason, Text] = {
    "id": Text("no key point has this id", "没有这个编号的要点"),
    "twice": Text("judged more than once", "判了不止一次"),
    "verdict": Text("not one of the verdicts", "不是规定的判断"),
    "quote": Text("its quote is not in the answer", "引文不在回答里"),
    "question": Text("its quote only repeats the question", "引文只是重复题目"),
}
_VERDICTS: dict[str, JudgeVerdict] = {verdict: verdict for verdict in get_args(JudgeVerdict)}
_SHORTEST = 3
_ATTEMPTS = 50
_THOUGHT = "</think>"


@record
class Judged:
    """A verdict that its quote proves; a ``missing`` needs none.

    Attributes:
        id: of the key point.
        verdict: of the judge.
        span: of the quote, in characters of the answer as given.
        quote: the answer at that span.
    """

    id: str
    verdict: JudgeVerdict
    span: tuple[int, int] | None = None
    quote: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "id": self.id,
            "verdict": self.verdict,
            "span": list(self.span) if self.span else None,
            "quote": self.quote,
        }


@record
class Dropped:
    """A verdict that does not count. ``id`` is that of a key point, or empty."""

    id: str
    reason: Reason


@record
class Reply:
    """What is left of a reply.

    Attributes:
        verdicts: that count, in the order of the question.
        dropped: that do not.
        silent: ids of the key points that were not judged at all.
    """

    verdicts: tuple[Judged, ...]
    dropped: tuple[Dropped, ...]
    silent: tuple[str, ...]

    def suggestions(self, marking: Marking) -> tuple[Judged, ...]:
        """What the judge would have the user look at: said, half said or wrong, where the marker heard nothing sure."""
        open_points = {point.id for point in marking.points if point.verdict in ("missing", "unsure")}
        return tuple(each for each in self.verdicts if each.id in open_points and each.span)


def read_reply(content: str, question: Question, answer: str, code: str) -> Reply:
    """The verdicts in what a judge wrote.

    Args:
        content: its reply; thoughts and fences around the JSON are passed over.
        question: what was asked.
        answer: as given.
        code: that the reply must carry.

    Raises:
        CoachError: there is no reply of the asked form in it.
    """
    rows = _rows(content, code)
    ids = [point.id for point in question.key_points]
    said = judged_part(answer)
    prompts = [" ".join(text.split()) for text in (question.prompt.en, question.prompt.zh)]
    counts = Counter(row["id"] for row in rows if isinstance(row.get("id"), str))
    kept: dict[str, Judged] = {}
    dropped: list[Dropped] = []
    for row in rows:
        judged = _judge(row, ids, counts, said, prompts)
        if isinstance(judged, Dropped):
            dropped.append(judged)
        else:
            kept[judged.id] = judged
    return Reply(
        tuple(kept[each] for each in ids if each in kept),
        tuple(dict.fromkeys(dropped)),
        tuple(each for each in ids if each not in counts),
    )


def _judge(
    row: dict[str, Any], ids: list[str], counts: Counter[str], answer: str, prompts: list[str]
) -> Judged | Dropped:
    name, verdict, quote = row.get("id"), row.get("verdict"), row.get("quote")
    if not isinstance(name, str) or name not in ids:
        return Dropped("", "id")
    if counts[name] > 1:
        return Dropped(name, "twice")
    if not isinstance(verdict, str) or verdict not in _VERDICTS:
        return Dropped(name, "verdict")
    if verdict == "missing":
        return Judged(name, "missing")
    span = find_quote(quote, answer)
    if span is None:
        return Dropped(name, "quote")
    if any(" ".join(str(quote).split()) in prompt for prompt in prompts):
        return Dropped(name, "question")
    return Judged(name, _VERDICTS[verdict], span, answer[slice(*span)])


def find_quote(quote: object, answer: str) -> tuple[int, int] | None:
    """Where in the answer a quote stands, word for word; only the white space may differ.

    A quote of fewer than three letters (two Chinese characters) proves nothing and is not found.
    """
    if not isinstance(quote, str) or len(quote) > len(answer):
        return None
    letters = sum(2 if "\u3400" <= each <= "\u9fff" else 1 for each in quote if each.isalnum())
    if letters < _SHORTEST:
        return None
    found = re.search(r"\s+".join(map(re.escape, quote.split())), answer)
    return found.span() if found else None


def _rows(content: str, code: str) -> list[dict[str, Any]]:
    """The verdicts of the first object that carries the code: what was copied from the answer does not."""
    for found in _objects(content.rpartition(_THOUGHT)[2]):
        rows = found.get("verdicts")
        if found.get("code") == code and isinstance(rows, list):
            return [row if isinstance(row, dict) else {} for row in rows]
    raise CoachError(
        Text("The judge's reply is not of the form that it was asked for.", "评判的回复不是要求的格式。"),
        right=Text(
            "a model that can follow a form; small ones often cannot",
            "换一个能按格式回复的模型；小模型往往做不到",
        ),
        next_command="coach judge test",
    )


def _objects(content: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, from the outside in."""
    decoder = json.JSONDecoder()
    at = content.find("{")
    for _ in range(_ATTEMPTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(content, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(found, dict):
                yield found
        at = content.find("{", end)
