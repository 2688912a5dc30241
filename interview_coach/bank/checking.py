"""From plain data to a :class:`~interview_coach.bank.model.Question`, or to everything that is wrong with it.

Types, required fields and bounds are pydantic's work, done over the dataclasses themselves; its errors are told again
in words that say what is allowed. What types cannot say (lengths of spoken answers, links inside a question) are rules.
A question with wrong types is left out of the bank; one that only breaks a rule is kept.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import PurePath
from typing import Any, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from interview_coach.bank import model
from interview_coach.bank.model import Question
from interview_coach.bank.problems import Location, Problem, field_name, problem
from interview_coach.bank.reading import Document, noun
from interview_coach.text import Text

_PARTS: dict[str, type] = {
    "key_points": model.KeyPoint,
    "concepts": model.ConceptGroup,
    "misconceptions": model.Misconception,
    "pitfalls": model.Pitfall,
    "follow_ups": model.FollowUp,
    "experience": model.Experience,
    "references": model.Reference,
    "claims": model.Claim,
    "examples": model.Examples,
}
_PATTERNS = {get_args(kind)[1].bounds["pattern"]: code for kind, code in (
    (model.Slug, "slug"), (model.ClaimId, "claim_id"), (model.Url, "url"),
)}  # fmt: skip
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"\S*\w\S*")

Finding = tuple[Location, str, dict[str, object]]
"""Where, which message, and what fills it."""


@cache
def adapter() -> TypeAdapter[tuple[Question]]:
    """Checks a list of one question: a list carries the configuration down to every dataclass inside it."""
    config = ConfigDict(extra="forbid", str_strip_whitespace=True, str_min_length=1)
    return TypeAdapter(tuple[Question], config=config)


def check_document(file: str, document: Document, folder: str | None) -> tuple[Question | None, list[Problem]]:
    """The question in ``document``, if its fields have the right types, and what is wrong with it.

    Args:
        file: The file's path; its name is compared with the id.
        document: What the file holds.
        folder: The name of the topic folder it lies in; ``None`` when it lies at the top, where any topic may.
    """
    try:
        (question,) = adapter().validate_python([document.data])
    except ValidationError as error:
        return None, list(_told_again(file, document, error.errors(include_url=False)))
    problems = [
        problem(file, document.line(location), field_name(location), code, **details)
        for location, code, details in _broken_rules(question, PurePath(file).stem, folder)
    ]
    return question, problems


def count_words(text: str) -> int:
    """English words as a speaker counts them: whatever stands between spaces and holds a letter or digit."""
    return len(_WORD.findall(text))


def count_characters(text: str) -> int:
    """Chinese characters."""
    return len(_HAN.findall(text))


def _told_again(file: str, document: Document, errors: list[ErrorDetails]) -> Iterator[Problem]:
    for error in errors:
        location: Location = error["loc"][1:]
        if error["type"] == "too_short" and error["input"]:
            continue  # its entries are wrong, and each of them is reported
        code, details = _message(error, location)
        is_name = error["type"] == "unexpected_keyword_argument"
        yield problem(file, document.line(location, key=is_name), field_name(location), code, **details)


def _message(error: ErrorDetails, location: Location) -> tuple[str, dict[str, object]]:
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    shown = f"{value!r}" if len(str(value)) <= 40 else f"{str(value)[:40]!r}…"
    match kind:
        case "missing":
            return "missing", {}
        case "unexpected_keyword_argument":
            return _unknown_field(location)
        case "string_type":
            return ("blank", {}) if value is None else ("string", {"found": noun(value)})
        case "string_too_short":
            return "blank", {}
        case "string_too_long":
            return "too_long", {"bound": context["max_length"]}
        case "string_pattern_mismatch":
            return _PATTERNS[context["pattern"]], {"value": shown}
        case "literal_error":
            return "choice", {"value": shown, "allowed": context["expected"].replace("'", "").replace(" or ", ", ")}
        case "tuple_type":
            return "list", {"found": noun(value)}
        case "dataclass_type":
            return "mapping", {"found": noun(value), "allowed": ", ".join(_field_names(location))}
        case "too_short":
            return "no_items", {}
        case _ if kind.startswith("int"):
            return "integer", {"value": shown}
        case "float_parsing" | "float_type" | "finite_number":
            return "number", {"value": shown}
        case "greater_than_equal" | "less_than_equal":
            if location[-1] in {"level", "frequency"}:
                return "range", {"value": shown}
            at_least = kind == "greater_than_equal"
            return "at_least" if at_least else "at_most", {"value": shown, "bound": context["ge" if at_least else "le"]}
    return "other", {"detail": error["msg"]}


def _field_names(location: Location) -> list[str]:
    """The fields of the part of a question at ``location``."""
    names = [step for step in location if isinstance(step, str)]
    part: type = _PARTS.get(names[-1], Text) if names else Question
    return [field.name for field in fields(part)]


def _unknown_field(location: Location) -> tuple[str, dict[str, object]]:
    allowed = _field_names(location[:-1])
    close = difflib.get_close_matches(str(location[-1]), allowed, n=1)
    details: dict[str, object] = {"allowed": ", ".join(allowed)}
    return ("unknown_close", {**details, "close": close[0]}) if close else ("unknown", details)


def _broken_rules(question: Question, stem: str, folder: str | None) -> Iterator[Finding]:
    if folder is not None and folder != question.topic:
        yield ("topic",), "topic_folder", {"value": question.topic, "folder": folder}
    if stem != question.id:
        yield ("id",), "file_name", {"value": question.id}
    words, characters = count_words(question.elevator.en), count_characters(question.elevator.zh)
    if words > model.ELEVATOR_WORDS:
        yield ("elevator", "en"), "elevator_words", {"count": words, "most": model.ELEVATOR_WORDS}
    if characters > model.ELEVATOR_CHARACTERS:
        yield ("elevator", "zh"), "elevator_characters", {"count": characters, "most": model.ELEVATOR_CHARACTERS}
    for name in ("prompt", "intent", "answer", "elevator"):
        if not count_characters(getattr(question, name).zh):
            yield (name, "zh"), "no_chinese", {}
    yield from _key_point_rules(question)
    ids = [point.id for point in question.key_points]
    for index, follow_up in enumerate(question.follow_ups):
        if follow_up.when_missing is not None and follow_up.when_missing not in ids:
            yield (
                ("follow_ups", index, "when_missing"),
                "when_missing",
                {"value": follow_up.when_missing, "allowed": ", ".join(ids)},
            )

    for index, examples in enumerate(question.examples):
        if examples.point not in ids:
            yield ("examples", index, "point"), "when_missing", {"value": examples.point, "allowed": ", ".join(ids)}


def _key_point_rules(question: Question) -> Iterator[Finding]:
    points = question.key_points
    if not 3 <= len(points) <= 6:
        yield ("key_points",), "key_point_count", {"count": len(points)}
    if all(point.weight != "core" for point in points):
        yield ("key_points",), "no_core", {}
    seen: set[str] = set()
    seen_wrong: set[str] = set()
    for index, point in enumerate(points):
        here: tuple[Any, ...] = ("key_points", index)
        if point.id in seen:
            yield (*here, "id"), "same_key_point", {"value": point.id}
        seen.add(point.id)
        if point.weight == "core" and not point.misconceptions:
            yield here, "no_misconception", {}
        for position, misconception in enumerate(point.misconceptions):
            if misconception.id in seen_wrong:
                yield (*here, "misconceptions", position, "id"), "same_misconception", {"value": misconception.id}
            seen_wrong.add(misconception.id)
