"""Causal attention token by token, from nothing but the keys and values of the tokens so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from interview_coach.oracles.attention import attention

Array = npt.NDArray[Any]


def attention_in_chunks(query: Array, key: Array, value: Array, lengths: Sequence[int]) -> Array:
    """Causal attention whose tokens come in chunks; equal to one causal pass, whatever the lengths.

    Token i of a chunk after s others attends to the first ``s + i + 1`` keys: later ones are not there yet. Source:
    Vaswani et al. 2017, section 3.2.3: a position attends to positions up to its own, so its key and value
    never change again.

    Args:
        query: ``(B, H, S, D)``.
        key: ``(B, H, S, D)``.
        value: ``(B, H, S, Dv)``.
        lengths: Of the chunks; their sum is S.

    Raises:
        ValueError: If the lengths do not add up to S.
    """
    if sum(lengths) != query.shape[-2]:
        raise ValueError(f"lengths: {list(lengths)}, expected a sum of {query.shape[-2]}")
    outputs, past = [], 0
    for length in lengths:
        for i in range(length):
            token = past + i
            seen = slice(0, token + 1)
            outputs.append(attention(query[..., token : token + 1, :], key[..., seen, :], value[..., seen, :]))
        past += length
    return np.concatenate(outputs, axis=-2)
