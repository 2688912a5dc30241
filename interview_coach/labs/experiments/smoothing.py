"""Label smoothing and gradient clipping: what they act on, and that it is not the softmax of attention."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, softmax
from interview_coach.page import Page
from interview_coach.text import Text

EPS, CLASSES = 0.1, 37_000


def cross_entropy(logits: Array, target: Array) -> Array:
    """−Σ target · log softmax(logits), for complex logits too."""
    shifted = logits - logits.real.max(-1, keepdims=True)
    loss: Array = -(target * (shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))).sum(-1)
    return loss


def gradient(logits: Array, target: Array) -> Array:
    """Gradient of :func:`cross_entropy` by complex steps."""
    steps = logits + 1j * 1e-30 * np.eye(len(logits))
    slope: Array = cross_entropy(steps, target).imag / 1e-30
    return slope


def clip(grad: Array, limit: float) -> Array:
    """``grad`` scaled down to the norm ``limit`` where it is larger."""
    norm = float(np.linalg.norm(grad))
    return grad * min(1.0, limit / norm)


@cache
def measure() -> Mapping[str, float]:
    """Gradients of cross-entropy, the optimum under smoothing, and clipping of small and large gradients."""
    rng = np.random.default_rng(13)
    logits = rng.standard_normal(10)
    one_hot = np.eye(10)[3]
    smooth = (1 - EPS) * one_hot + EPS / 10
    confident = np.log(np.array([0.99, 0.01]))
    right, wrong = gradient(confident, np.array([1.0, 0.0])), gradient(confident, np.array([0.0, 1.0]))
    return {
        "cross_entropy.p_minus_y.max_error": float(
            np.abs(gradient(logits, one_hot) - (softmax(logits) - one_hot)).max()
        ),
        "smoothed.p_minus_y.max_error": float(np.abs(gradient(logits, smooth) - (softmax(logits) - smooth)).max()),
        "smoothed.target_sum": float(smooth.sum()),
        "confident_right.grad0": float(right[0]),
        "confident_right.grad1": float(right[1]),
        "confident_wrong.grad0": float(wrong[0]),
        "confident_wrong.grad1": float(wrong[1]),
        "attention.slope_at_0.99": 0.99 * 0.01,
        "smoothed.optimal_gap.k37000": math.log((1 - EPS + EPS / CLASSES) / (EPS / CLASSES)),
        "clip.small": float(clip(np.array([9e-9]), 1.0)[0]),
        "clip.large": float(clip(np.array([50.0]), 1.0)[0]),
    }


def body(page: Page) -> None:
    """Cross-entropy first, then smoothing and clipping."""
    v = measure()
    page.table(
        [
            Text("output softmax, p = [.99, .01]", "输出层 softmax，p = [.99, .01]"),
            Text("gradient of the loss", "损失的梯度"),
        ],
        [
            [
                Text("label 0: confident and right", "标签 0：自信且正确"),
                f"[{v['confident_right.grad0']:+.2f}, {v['confident_right.grad1']:+.2f}]",
            ],
            [
                Text("label 1: confident and wrong", "标签 1：自信但错误"),
                f"[{v['confident_wrong.grad0']:+.2f}, {v['confident_wrong.grad1']:+.2f}]",
            ],
        ],
    )
    page.say(
        Text(
            "P − y is the gradient of cross-entropy at the output logits "
            f"({v['cross_entropy.p_minus_y.max_error']:.0e}): it vanishes only when the answer is right. Attention "
            "has no labels; "
            f"there the slope p(1 − p) = {v['attention.slope_at_0.99']:.4f} is what shrinks. Label smoothing acts "
            "on the output: "
            f"it makes the best logit gap finite, {v['smoothed.optimal_gap.k37000']:.1f} for {CLASSES} classes. "
            "Clipping limits "
            f"large gradients (50 to {v['clip.large']:.0f}) and leaves 9e-09 at {v['clip.small']:.0e}. Neither "
            "helps a saturated "
            "attention row.",
            f"P − y 是交叉熵对输出 logits 的梯度（{v['cross_entropy.p_minus_y.max_error']:.0e}），"
            "只有答对时才趋于 0。"
            "注意力没有标签，"
            f"变小的是斜率 p(1 − p) = {v['attention.slope_at_0.99']:.4f}。"
            "label smoothing 只作用于输出层，使最优 logit 差变为有限值："
            f"{CLASSES} 类时为 {v['smoothed.optimal_gap.k37000']:.1f}。"
            f"梯度裁剪只限制大梯度（50 变成 {v['clip.large']:.0f}），9e-09 仍是 {v['clip.small']:.0e}。"
            "两者都救不了饱和的注意力行。",
        )
    )


LAB = Lab(
    id="smoothing",
    title=Text("Label smoothing and clipping", "label smoothing 与梯度裁剪"),
    summary=Text(
        f"Cross-entropy on a few logits, smoothing with ε = {EPS}, clipping to a norm of 1.",
        f"几个 logits 上的交叉熵，平滑系数 ε = {EPS}，裁剪到范数 1。",
    ),
    values=measure,
    body=body,
    questions=("softmax-backward", "common-wrong-answers"),
)
