"""The log-sum-exp beside an output, in the forms and orders in which it comes back."""

from __future__ import annotations

import numpy as np
import pytest

from interview_coach.grading.functions import rows
from interview_coach.grading.protocol import Tensor

DIMS = {"b": 3, "h": 2, "q": 5}
LSE = np.random.default_rng(0).normal(size=(3, 2, 5))
OUT = Tensor(np.zeros((3, 2, 5, 7)), "float32")


def tensor(array: np.ndarray) -> Tensor:
    return Tensor(np.ascontiguousarray(array), "float32")


@pytest.mark.parametrize(
    "shaped",
    [
        LSE,
        LSE[..., None],
        LSE[:, :, None],
        LSE.transpose(0, 2, 1),
        LSE.transpose(0, 2, 1)[..., None],
        LSE.reshape(6, 5),
        LSE.reshape(6, 5, 1),
    ],
    ids=lambda a: str(a.shape),
)
def test_the_order_of_the_axes_is_found_and_undone(shaped: np.ndarray) -> None:
    order = rows.order_of(shaped.shape, "bhq", DIMS)
    assert order is not None
    back = rows.in_order(np.ascontiguousarray(shaped), "bhq", order, DIMS)
    assert back is not None and np.array_equal(back, LSE)


def test_another_size_has_no_order() -> None:
    assert rows.order_of((3, 2, 4), "bhq", DIMS) is None
    assert rows.in_order(np.zeros((3, 2, 4)), "bhq", "bhq", DIMS) is None


@pytest.mark.parametrize(
    "value",
    [
        (OUT, tensor(LSE)),
        [OUT, tensor(LSE[..., None])],
        {"lse": tensor(LSE), "out": OUT},
        (OUT, {"L": tensor(LSE)}),
        (OUT, None, tensor(LSE)),
    ],
)
def test_the_output_comes_first_and_the_numbers_a_query_after_it(value: object) -> None:
    found = rows.split(value, LSE.size)
    assert found is not None and found[0] is OUT
    assert rows.forms(found[1]) == ("lse",)
    assert np.array_equal(rows.log_sum_exp(found[1], "lse")[1].reshape(LSE.shape), LSE)


def test_an_output_alone_offers_no_statistics() -> None:
    assert rows.split(OUT, LSE.size) == (OUT, [])
    assert rows.split("text", LSE.size) is None
    assert rows.forms([]) == ()


def test_the_maximum_and_the_sum_stand_for_their_log_sum_exp() -> None:
    peak, total = LSE - 1.0, np.full_like(LSE, np.e)
    for names, form in ((("l", "m"), "l, m"), (("m", "l"), "m, l")):
        arrays = dict(zip(names, (total, peak) if names[0] == "l" else (peak, total), strict=True))
        found = rows.split({"out": OUT, **{k: tensor(v) for k, v in arrays.items()}}, LSE.size)
        assert found is not None
        assert rows.forms(found[1]) == (form,)
        assert np.allclose(rows.log_sum_exp(found[1], form)[1], LSE)
    unnamed = rows.split((OUT, tensor(total), tensor(peak)), LSE.size)
    assert unnamed is not None and rows.forms(unnamed[1]) == rows.FORMS
