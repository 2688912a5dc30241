"""How well the marker does on the labelled answers.

A file of ``answers/`` holds the answers to one question. ``hit``, ``partial``, ``contradicted`` list key points under
their verdict; a point in none of them is ``missing``; what ``any`` lists is open and not counted. ``half`` is ``tune``
or ``test``: patterns are improved by looking at the first only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from interview_coach.bank import load_bank
from interview_coach.bank.model import Question
from interview_coach.marking import mark

ANSWERS = Path(__file__).parent / "answers"
LABELS = ("hit", "partial", "contradicted")
VERDICTS = ("hit", "partial", "missing", "contradicted", "unsure")


@dataclass(frozen=True)
class Answer:
    """A labelled answer; ``labels`` maps each key point to its verdict, without those that are open."""

    question: str
    id: str
    half: str
    kind: str
    language: str
    text: str
    labels: dict[str, str]

    @property
    def round(self) -> str:
        """The middle of the id, as in ``en-o4-1``: who wrote it, or of what kind it is."""
        return self.id.split("-")[1]


@dataclass(frozen=True)
class Judgement:
    """What the marker said of one key point of an answer, beside its label."""

    answer: Answer
    point: str
    label: str
    verdict: str


@cache
def answers() -> tuple[Answer, ...]:
    """All labelled answers."""
    return tuple(answer for path in sorted(ANSWERS.glob("*.yaml")) for answer in _read(path))


def _read(path: Path) -> Iterator[Answer]:
    data: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    points = [point.id for point in load_bank().questions[data["question"]].key_points]
    for entry in data["answers"]:
        labels = dict.fromkeys(points, "missing")
        named = [(label, point) for label in (*LABELS, "any") for point in entry.get(label, ())]
        unknown = {point for _, point in named} - set(points)
        if unknown or len({point for _, point in named}) < len(named):
            raise ValueError(f"{path.name}: {entry['id']}: key points unknown or named twice: {unknown or named}")
        labels.update((point, label) for label, point in named)
        yield Answer(
            question=data["question"],
            id=entry["id"],
            half=entry["half"],
            kind=entry["kind"],
            language=entry["id"][:2],
            text=entry["text"] * entry.get("repeat", 1),
            labels={point: label for point, label in labels.items() if label != "any"},
        )


@cache
def judgements(half: str | None = None, questions: tuple[str, ...] = ()) -> tuple[Judgement, ...]:
    """Every key point of every answer, or of those of a half, or to some questions, marked."""
    bank = load_bank().questions
    return tuple(
        Judgement(answer, point.id, answer.labels[point.id], point.verdict)
        for answer in answers()
        if half in (None, answer.half) and answer.question in (questions or bank)
        for point in mark(
            unseen(answer.question) if answer.half == "test" else bank[answer.question], answer.text
        ).points
        if point.id in answer.labels
    )


@cache
def unseen(question_id: str, round_name: str | None = None) -> Question:
    """A question without the examples that were taken from answers of the test half, or of a round."""
    question = load_bank().questions[question_id]
    mine = [
        " ".join(each.text.split())
        for each in answers()
        if each.question == question_id and (each.half == "test" if round_name is None else each.round == round_name)
    ]

    def own(sentences: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sentence for sentence in sentences if not any(sentence in text for text in mine))

    examples = (replace(each, right=own(each.right), wrong=own(each.wrong)) for each in question.examples)
    return replace(question, examples=tuple(examples))


def held_out(round_name: str) -> Iterator[Judgement]:
    """A round of answers by one writer, marked by what was learned from everybody else."""
    for answer in answers():
        if answer.round == round_name:
            for point in mark(unseen(answer.question, round_name), answer.text).points:
                if point.id in answer.labels:
                    yield Judgement(answer, point.id, answer.labels[point.id], point.verdict)


@dataclass(frozen=True)
class Figures:
    """The four figures that are asked for, as shares, and the counts behind them."""

    wrong_credited: float
    hits_found: float
    contradictions_found: float
    salad_above_partial: int
    hit_precision: float
    counts: Counter[tuple[str, str]]


def figures(rows: Iterable[Judgement]) -> Figures:
    """The figures of some judgements."""
    rows = list(rows)
    counts = Counter((row.label, row.verdict) for row in rows)
    labelled = Counter(row.label for row in rows)
    credited = Counter(row.verdict for row in rows)

    def share(label: str, verdict: str, of: int) -> float:
        return counts[label, verdict] / of if of else 0.0

    return Figures(
        wrong_credited=share("contradicted", "hit", labelled["contradicted"]),
        hits_found=share("hit", "hit", labelled["hit"]),
        contradictions_found=share("contradicted", "contradicted", labelled["contradicted"]),
        salad_above_partial=sum(row.answer.kind == "salad" and row.verdict == "hit" for row in rows),
        hit_precision=share("hit", "hit", credited["hit"]),
        counts=counts,
    )
