"""Records: what a frozen dataclass with slots can do, at a fraction of its start."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import Any

import pytest

from interview_coach.records import record


@record
class Point:
    x: int
    label: str = "origin"
    near: dict[str, int] = field(default_factory=dict)
    secret: int = field(default=7, repr=False)


@dataclass(frozen=True, slots=True)
class Twin:
    x: int
    label: str = "origin"
    near: dict[str, int] = field(default_factory=dict)
    secret: int = field(default=7, repr=False)


@pytest.mark.parametrize("arguments", [((1,), {}), ((1, "a"), {}), ((), {"x": 1, "near": {"k": 2}})])
def test_a_record_is_made_and_shown_like_a_frozen_dataclass(arguments: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    values, named = arguments
    made, twin = Point(*values, **named), Twin(*values, **named)
    assert asdict(made) == asdict(twin)
    assert repr(made) == repr(twin).replace("Twin", "Point")
    assert [each.name for each in fields(made)] == [each.name for each in fields(twin)]


@pytest.mark.parametrize("values", [(), (1, "a", {}, 7, 5)])
def test_a_wrong_number_of_values_is_refused(values: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"Point.__init__\(\)"):
        Point(*values)


def test_a_default_that_is_made_is_made_for_each() -> None:
    assert Point(1).near is not Point(1).near


def test_equality_goes_by_class_and_values() -> None:
    assert Point(1) == Point(1) != Point(2)
    assert Point(1) != Twin(1)
    assert replace(Point(1), label="b") == Point(1, "b")


@record
class Pair:
    a: int
    b: int = 0


def test_equal_records_are_one_key() -> None:
    assert {Pair(1, 2): "kept"}[Pair(1, 2)] == "kept"
    assert len({Pair(1), Pair(1, 0), Pair(1, 1)}) == 2


def test_a_record_cannot_be_changed_and_has_no_room_for_more() -> None:
    point: Any = Pair(1)
    for change in (lambda: setattr(point, "a", 2), lambda: delattr(point, "a"), lambda: setattr(point, "c", 2)):
        with pytest.raises(FrozenInstanceError):
            change()
    assert point == Pair(1)
    assert not hasattr(point, "__dict__")


def test_a_copy_is_equal() -> None:
    point = Point(1, near={"k": 2})
    for other in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert other == point
    assert copy.deepcopy(point).near is not point.near
