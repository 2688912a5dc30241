"""The bank as the rest of the program sees it: questions by id, by topic, by words, by day."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from interview_coach.bank.model import Question
from interview_coach.bank.problems import Problem
from interview_coach.text import Language

if TYPE_CHECKING:
    from interview_coach.bank.search import Index


class Head(NamedTuple):
    """What can be asked about a question without loading its texts."""

    id: str
    topic: str
    tags: tuple[str, ...]
    level: int
    frequency: int


class _Questions(Mapping[str, Question]):
    """Questions by id, each made when it is first looked at."""

    def __init__(self, ids: Iterable[str], fetch: Callable[[str], Question]) -> None:
        self._made: dict[str, Question | None] = dict.fromkeys(ids)
        self._fetch = fetch

    def __getitem__(self, question_id: str) -> Question:
        question = self._made[question_id]
        if question is None:
            question = self._made[question_id] = self._fetch(question_id)
        return question

    def __contains__(self, question_id: object) -> bool:
        return question_id in self._made

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


class Bank:
    """All questions that could be read, and what is wrong with the others.

    Attributes:
        questions: By id, in the order of their files. Each is made when it is first looked at.
        problems: What is wrong with the files, in the order they were read.
    """

    def __init__(
        self,
        ids: Sequence[str],
        fetch: Callable[[str], Question],
        head: Callable[[str], Head],
        *,
        problems: tuple[Problem, ...] = (),
        path: Callable[[str], Path | None] = lambda _: None,
        index_file: tuple[Path, object] | None = None,
    ) -> None:
        """A bank of ``ids``; the functions give the question, the head and the file of an id.

        Args:
            ids: In the order of the files.
            fetch: Makes a question.
            head: What is known of a question without its texts.
            problems: What is wrong with the files.
            path: The file a question was read from.
            index_file: Where the search index is kept, and what must be the same for a kept one to be used.
        """
        self.questions: Mapping[str, Question] = _Questions(ids, fetch)
        self.problems = problems
        self._head = head
        self._path = path
        self._index_file = index_file

    @classmethod
    def of(cls, questions: Iterable[Question]) -> Bank:
        """A bank of questions that are in memory already."""
        by_id = {question.id: question for question in questions}

        def head(question_id: str) -> Head:
            question = by_id[question_id]
            return Head(question.id, question.topic, question.tags, question.level, question.frequency)

        return cls(tuple(by_id), by_id.__getitem__, head)

    def __len__(self) -> int:
        return len(self.questions)

    @cached_property
    def heads(self) -> Mapping[str, Head]:
        """What is known of each question without its texts: enough for counting and choosing."""
        return {question_id: self._head(question_id) for question_id in self.questions}

    def get(self, question_id: str) -> Question | None:
        """The question with this id, if there is one."""
        return self.questions.get(question_id)

    def path(self, question_id: str) -> Path | None:
        """The file a question was read from; ``None`` for one that has none, or that is not here."""
        return self._path(question_id) if question_id in self.questions else None

    @cached_property
    def topics(self) -> Mapping[str, int]:
        """How many questions each topic has, by name."""
        return _counts(head.topic for head in self.heads.values())

    @cached_property
    def tags(self) -> Mapping[str, int]:
        """How many questions bear each tag, by name."""
        return _counts(tag for head in self.heads.values() for tag in head.tags)

    def filter_ids(self, topic: str | None = None, tag: str | None = None) -> list[str]:
        """The ids of the questions of a topic, with a tag, or both; of all of them if neither is given."""
        return [
            head.id
            for head in self.heads.values()
            if (topic is None or head.topic == topic) and (tag is None or tag in head.tags)
        ]

    def filter(self, topic: str | None = None, tag: str | None = None) -> list[Question]:
        """The questions of a topic, with a tag, or both; all of them if neither is given."""
        return [self.questions[each] for each in self.filter_ids(topic, tag)]

    def search_ids(self, query: str, language: Language | None = None, *, limit: int | None = None) -> list[str]:
        """The ids of the questions that match ``query``, the best first. See :meth:`search`."""
        return self._index.search(query, language, limit)

    def search(self, query: str, language: Language | None = None, *, limit: int | None = 50) -> list[Question]:
        """The questions that match ``query``, the best first.

        Words match from their beginning, Chinese by its characters, formulas in any spelling; a word that occurs
        nowhere may have one letter wrong. A match in the prompt or the id counts more than one in the tags or the
        topic, and that more than one in the answer. If no question has all the words, those that have at least half of
        them are returned.

        Args:
            query: What was typed. An empty query finds nothing.
            language: Look only into the texts of this language; ``None`` looks into both.
            limit: The most questions to return; ``None`` for all.
        """
        return [self.questions[each] for each in self.search_ids(query, language, limit=limit)]

    @cached_property
    def _index(self) -> Index:
        from interview_coach.bank.search import open_index

        return open_index(self, *(self._index_file or (None, None)))

    def of_the_day(self, day: date) -> Question:
        """The question of ``day``: every question once before any comes again, in an order that looks random.

        Raises:
            LookupError: The bank is empty.
        """
        if not self.questions:
            raise LookupError("the bank has no questions")
        order = sorted((zlib.crc32(each.encode()), each) for each in self.questions)
        return self.questions[order[day.toordinal() % len(order)][1]]


def _counts(names: Iterable[str]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))
