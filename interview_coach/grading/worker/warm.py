"""What torch sets up when it is first used, done once before guests are forked, so that not each of them pays for it.

Nothing here starts a thread (a fork would lose it) or draws a random number.
"""

from __future__ import annotations

import torch

from interview_coach.grading.worker import torch_state  # noqa: F401 - every guest with torch needs it
from interview_coach.grading.worker.meter import TorchMeter


def touch() -> None:
    """Run the operators of attention on a few numbers, in each precision, plain and metered."""
    torch.set_num_threads(1)
    torch.get_default_device()
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        _attend(dtype)
    with TorchMeter():
        _attend(torch.float32)


def _attend(dtype: torch.dtype) -> None:
    query = torch.ones(1, 2, 3, 4, dtype=dtype).requires_grad_()
    keep = torch.ones(3, 3, dtype=torch.bool).tril()
    scores = query @ query.transpose(-2, -1) / 4**0.5
    scores = torch.where(keep, scores, -1.0).masked_fill(~keep, float("-inf")) - scores.amax(-1, keepdim=True)
    weights = torch.softmax(scores, dim=-1) + scores.exp() / scores.exp().sum(-1, keepdim=True)
    torch.einsum("bhqk,bhkd->bqhd", weights, query).reshape(1, 3, 8).contiguous()
