"""Looking things up by id, with an error that helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from interview_coach.errors import CoachError
from interview_coach.text import Text

T = TypeVar("T")


def find(things: Mapping[str, T], wanted: str, noun: Text, command: str, list_command: str) -> T:
    """The thing with the id ``wanted``.

    Args:
        things: all of them, by id.
        wanted: the id that was typed.
        noun: what they are called.
        command: the command that was typed, without the id; completed with the nearest id in the error.
        list_command: the command that lists the ids.

    Raises:
        CoachError: there is none; the nearest ids are told.
    """
    if wanted in things:
        return things[wanted]
    from difflib import get_close_matches

    near = get_close_matches(wanted, things, 3, 0.5)
    raise CoachError(
        Text(f"There is no {noun.en} {wanted!r}.", f"没有{noun.zh} {wanted!r}。"),
        right=", ".join(near) or None,
        next_command=f"{command} {near[0]}" if near else list_command,
    )
