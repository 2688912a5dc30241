"""Names of parameters: what is looked up as a word means what the patterns say."""

from __future__ import annotations

import re
import string

import pytest

from interview_coach.grading.roles import (
    PARAMETER_ROLES,
    SIZE_NAMES,
    SPECIAL_ROLES,
    parameter_role,
    size_role,
    special_role,
)

TABLES = {"parameter": PARAMETER_ROLES, "size": SIZE_NAMES, **SPECIAL_ROLES}
LOOK_UP = {"parameter": parameter_role, "size": size_role}
WORDS = sorted({word for table in TABLES.values() for _, pattern in table for word in re.findall(r"[a-z]+", pattern)})


@pytest.mark.parametrize("kind", TABLES)
def test_a_name_means_what_the_first_pattern_says_that_fits_it(kind: str) -> None:
    for name in (*string.ascii_lowercase, *string.digits, *WORDS):
        expected = next((role for role, pattern in TABLES[kind] if re.fullmatch(pattern, name)), None)
        found = LOOK_UP[kind](name) if kind in LOOK_UP else special_role(kind, name)
        assert found == expected, name


def test_the_usual_names() -> None:
    assert [parameter_role(name) for name in ("Q", "key", "v", "attn_mask", "x", "W_q", "n_heads", "eps")] == [
        "q", "k", "v", "mask", "x", "w_q", "n_heads", None,
    ]  # fmt: skip
