"""An answer as clauses of words: what is said where, and what is only asked, quoted or called wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from interview_coach.marking.normalise import fold
from interview_coach.marking.vocabulary import JOINTS, RIVALS_OF, SAYING, VERBS
from interview_coach.marking.words import WHETHER, Word, name_words, split

JOINED, CLOSED, LEFT = 1, 2, 4
"""Links of a word to what stands before it: joined by "and"; after a word that opens a new thought ("because"); after
"from", that is, named only as what is left behind ("from quadratic to linear")."""

_TURNS = frozenset({"but", "fact"})
_FROM = frozenset({"from", "从", "由"})
_TOWARDS = frozenset({"to", "到", "down"})
_CONDITIONS = frozenset({"if", "instead"})
_SUPPOSING = _CONDITIONS | {"would"}

_POINTING = frozenset({"this", "that", "it", "这", "那", "它", "these", "those", "they"})
_QUOTE_LENGTH = 5
_LISTED, _LIST_SHARE = 4, 0.3
"""Times "and" (or 、) stands in a list of keywords, and for each keyword."""
_ROW = 6
"""Keywords that are a row of keywords."""


@dataclass(slots=True)
class Clause:
    """What is known of a clause beside its words.

    Attributes:
        sentence: its number.
        is_asked: it ends with a question mark.
        is_reported: others are said to say it.
        is_refuted: it is called wrong.
        is_doubted: the speaker says that they do not know.
        is_salad: keywords in a row, nothing said about them.
        share: how much there is beside keywords, for each keyword.
        is_supposed: it says what would be, not what is done.
        is_conditional: it says under what condition.
        turns: it sets in with "but".
    """

    sentence: int
    is_asked: bool = False
    is_reported: bool = False
    is_refuted: bool = False
    is_doubted: bool = False
    is_salad: bool = False
    share: float = 1.0
    is_supposed: bool = False
    is_conditional: bool = False
    turns: bool = False


@dataclass(slots=True)
class Reading:
    """The words of an answer that carry meaning, in order; all lists are indexed by word.

    Attributes:
        names: what each word is called.
        starts: where it starts in the answer as given.
        ends: where it ends.
        clause: the number of its clause.
        links: how it is linked to what stands before it (`JOINED`, `CLOSED`).
        quoted: whether it stands in a run of words taken from the question.
        glue: the glue that stands before each word, and after the last.
        clauses: by number.
        positions: where each name stands.
    """

    names: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    clause: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    quoted: list[bool] = field(default_factory=list)
    glue: list[tuple[str, ...]] = field(default_factory=lambda: [()])
    clauses: list[Clause] = field(default_factory=list)
    positions: dict[str, list[int]] = field(default_factory=dict)


def read(words: Sequence[Word], prompts: Iterable[Sequence[str]] = (), *, judged: bool = True) -> Reading:
    """The reading of named words.

    Args:
        words: of the answer, with its breaks.
        prompts: the names in the texts of the question; a run of five of them in an answer is a quotation.
        judged: whether it must be known of the clauses how they are meant, and what is quoted.
    """
    reading = Reading(clauses=[Clause(0)])
    marks: list[_Marks] = [_Marks()]
    link = 0
    was_han = False
    for word in words:
        if word.cut or word.name in _TURNS:
            _next_clause(reading, marks, word)
            link = 0
            continue
        mark = marks[-1]
        mark.glue += word.weight
        mark.supposes |= word.name in _SUPPOSING
        mark.conditional |= word.name in _CONDITIONS
        if word.is_glue:
            mark.glue += word.name not in JOINTS
            mark.joints += word.name in JOINTS
            mark.points |= word.name in _POINTING
            link |= JOINED * (word.name in JOINTS) | LEFT * (word.name in _FROM)
            if word.name in _TOWARDS:
                link &= ~LEFT
            reading.glue[-1] += (word.name,)
            continue
        if word.name in ("myth", "said", "unsure"):
            mark.cues.add("unmyth" if word.name == "myth" and reading.names[-1:] == ["not"] else word.name)
            continue
        if word.name == WHETHER:
            reading.clauses[-1].is_asked = True
            continue
        if word.name in ("because", "if"):
            # What is "not because of" something is denied with its reason: 不会因为新 token 而改变.
            link |= CLOSED * (reading.names[-1:] != ["not"] or bool(reading.glue[-1]))
            mark.glue += 1
            continue
        index = len(reading.names)
        if link & JOINED and _opens_a_parallel(reading, word.name):
            reading.clauses.append(Clause(reading.clauses[-1].sentence))
            marks.append(_Marks())
            mark, link = marks[-1], 0
        if word.is_han and was_han and word.start - reading.ends[-1] == 1:
            mark.spaces += 1
        was_han = word.is_han
        reading.names.append(word.name)
        reading.starts.append(word.start)
        reading.ends.append(word.end)
        reading.clause.append(len(reading.clauses) - 1)
        reading.links.append(link)
        reading.glue.append(())
        reading.positions.setdefault(word.name, []).append(index)
        mark.denials += word.name == "not"
        mark.content += len(word.name) > 2 or not word.name.isascii()
        mark.glue += word.name in VERBS
        mark.saying += 2 * (word.name in _SIGNS) or word.name in SAYING
        link = 0
    if judged:
        _judge(reading, marks)
        reading.quoted = _quotations(reading.names, prompts)
    return reading


def _opens_a_parallel(reading: Reading, name: str) -> bool:
    """Whether a word after "and" is the subject of a second statement: in "memory falls and FLOPs stay" a rival stands
    before it in its clause, with something said of it."""
    rivals = RIVALS_OF.get(name, frozenset())
    clause = len(reading.clauses) - 1
    return (
        any(reading.clause[i] == clause and reading.names[i] in rivals for i in range(len(reading.names) - 1))
        and reading.names[-1] not in rivals
    )


def words_of(text: str) -> list[Word]:
    """The words of a text under their names."""
    folded = fold(text)
    return name_words(split(folded.text), folded)


@dataclass(slots=True)
class _Marks:
    """What was counted and heard in a clause."""

    content: int = 0
    glue: int = 0
    saying: int = 0
    spaces: int = 0
    points: bool = False
    colon: bool = False
    turns: bool = False
    corrects: bool = False
    supposes: bool = False
    conditional: bool = False
    denials: int = 0
    joints: int = 0
    cues: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in the clause."""
        return not (self.content or self.glue or self.saying or self.cues)


_SIGNS = frozenset({"div", "times", "minus", "sqrt"})


def _next_clause(reading: Reading, marks: list[_Marks], word: Word) -> None:
    last = reading.clauses[-1]
    marks[-1].colon = word.cut == 1 and word.name == ":"
    if word.cut == 3:
        for clause in reversed(reading.clauses):
            if clause.sentence != last.sentence:
                break
            clause.is_asked = True
    sentence = last.sentence + (word.cut > 1)
    reading.glue[-1] = ()
    if marks[-1].is_empty and (sentence == last.sentence or len(reading.clauses) == 1):
        last.sentence = sentence
        marks[-1].turns |= not word.cut
        marks[-1].corrects |= word.name == "fact"
        return
    reading.clauses.append(Clause(sentence))
    marks.append(_Marks(turns=not word.cut, corrects=word.name == "fact"))


def _judge(reading: Reading, marks: list[_Marks]) -> None:
    """Sets what the cues say of the clauses."""
    clauses = reading.clauses
    reported_sentence = -1
    for number, (clause, mark) in enumerate(zip(clauses, marks, strict=True)):
        clause.is_salad = mark.joints >= _LISTED and mark.joints >= _LIST_SHARE * mark.content
        if mark.turns:
            reported_sentence = -1
        if "said" in mark.cues:
            reported_sentence = clause.sentence
        clause.is_reported = reported_sentence == clause.sentence
        clause.is_doubted = "unsure" in mark.cues
        clause.is_supposed = mark.supposes
        clause.is_conditional = mark.conditional
        clause.turns = mark.turns
        if mark.corrects and number:
            clauses[number - 1].is_reported = True
        if number and mark.denials == mark.content == 1 and not mark.cues:
            clauses[number - 1].is_refuted = True
        if "myth" in mark.cues:
            alone = mark.content <= 1
            if not alone:
                clause.is_refuted = True
            elif mark.points or number + 1 == len(clauses) or not mark.colon:
                if number:
                    clauses[number - 1].is_refuted = True
            else:
                clauses[number + 1].is_refuted = True
    by_sentence: dict[int, list[int]] = {}
    for number, clause in enumerate(clauses):
        by_sentence.setdefault(clause.sentence, []).append(number)
    groups = [*by_sentence.values(), list(range(len(clauses)))]
    for group in groups:
        content = sum(marks[number].content for number in group)
        said = sum(marks[number].glue + 0.25 * marks[number].saying for number in group)
        pieces = sum((marks[number].content > 0) + marks[number].spaces for number in group)
        for number in group:
            clauses[number].share = min(clauses[number].share, said / content if content else 1.0)
            clauses[number].is_salad |= content >= _ROW and said < content * _share_said(content, pieces)


def _share_said(content: int, pieces: int) -> float:
    """How much there must be beside the keywords, for each of them, for a text to say something.

    More where no mark or space parts many words, and where one parts nearly all.
    """
    length = content / max(pieces, 1)
    return 0.35 if length < 1.8 or length > 12 else 0.22 if length > 9 else 0.1


def _quotations(names: Sequence[str], prompts: Iterable[Sequence[str]]) -> list[bool]:
    quoted = [False] * len(names)
    runs = {tuple(prompt[i : i + _QUOTE_LENGTH]) for prompt in prompts for i in range(len(prompt) - _QUOTE_LENGTH + 1)}
    for i in range(len(names) - _QUOTE_LENGTH + 1):
        if tuple(names[i : i + _QUOTE_LENGTH]) in runs:
            quoted[i : i + _QUOTE_LENGTH] = [True] * _QUOTE_LENGTH
    return quoted
