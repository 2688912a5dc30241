"""A small bank, clocks that are moved by hand, and reports as the grader would write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from interview_coach.bank import Bank
from interview_coach.bank.model import (
    ConceptGroup,
    Experience,
    FollowUp,
    KeyPoint,
    Misconception,
    Pitfall,
    Question,
    Reference,
)
from interview_coach.grading.report import Check, Contract, CostSummary, Diagnosis, GradeError, Report
from interview_coach.settings import Settings
from interview_coach.store import Store
from interview_coach.text import Language, Text
from interview_coach.tui.app import CoachApp
from interview_coach.tui.screens.drill import DrillScreen
from interview_coach.tui.services import Services

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def question(
    id: str, prompt: Text, *, topic: str, tags: tuple[str, ...] = (), level: int = 2, answer: Text | None = None
) -> Question:
    """A whole question around ``prompt``."""
    variance = (ConceptGroup(en=("variance d_k",), zh=("方差 d_k",)),)
    saturates = (ConceptGroup(en=("softmax saturates",), zh=("softmax 饱和",)),)
    independent = (ConceptGroup(en=("independent",), zh=("独立",)),)
    root = Misconception(
        "variance-is-sqrt",
        (ConceptGroup(en=("variance root d_k",), zh=("方差 根号 d_k",)),),
        Text("√d_k is the deviation; the variance is d_k.", "√d_k 是标准差；方差是 d_k。"),
    )
    return Question(
        id=id,
        topic=topic,
        tags=tags,
        level=level,
        frequency=3,
        kind="derivation",
        prompt=prompt,
        intent=Text("Whether the variance is derived, or recited.", "是推导出方差，还是背结论。"),
        answer=answer or Text("A sum of `d_k` products has **variance** d_k.", "`d_k` 个乘积之和，**方差**为 d_k。"),
        elevator=Text(
            "Divide by the standard deviation, so that softmax sees unit variance.",
            "除以标准差，使 softmax 的输入方差为 1。",
        ),
        key_points=(
            KeyPoint(
                "variance-is-dk", "core", Text("The variance of q·k is d_k", "q·k 的方差是 d_k"), variance, (root,)
            ),
            KeyPoint(
                "saturation", "core", Text("Large logits saturate softmax", "过大的 logits 使 softmax 饱和"), saturates
            ),
            KeyPoint("assumption", "bonus", Text("It assumes independent entries", "前提是各分量独立"), independent),
        ),
        pitfalls=(
            Pitfall(
                Text("The variance is √d_k", "方差是 √d_k"), Text("√d_k is the deviation", "√d_k 是标准差"), ("A36",)
            ),
        ),
        follow_ups=(
            FollowUp(
                Text("Why not divide by d_k?", "为什么不除以 d_k？"),
                Text("The scores would be nearly flat.", "分数会几乎相同。"),
            ),
        ),
        experience=Experience(
            Text("Say what you logged.", "说说你记录了什么。"),
            Text("Tie it to initialisation.", "联系初始化。"),
            Text("Say that you tried it on toy data.", "说你在小数据上试过。"),
        ),
        references=(
            Reference(
                title="Attention Is All You Need",
                year=2017,
                section="3.2.1, footnote 4",
                url="https://arxiv.org/abs/1706.03762",
            ),
        ),
        exercise="sdpa",
        lab="entropy",
    )


QUESTIONS = (
    question(
        "why-sqrt-dk",
        Text("Why divide by √d_k, and not by d_k?", "为什么除以 √d_k，而不是 d_k？"),
        topic="scaling",
        tags=("softmax",),
    ),
    question(
        "masked-row",
        Text(
            "A row of the mask is False everywhere. What does your attention return, and what should it return?",
            "掩码有一行全为 False。你的注意力会返回什么，又应该返回什么？",
        ),
        topic="masks",
        tags=("softmax", "nan"),
        level=3,
    ),
    question(
        "flash-memory",
        Text("What does FlashAttention change, and what not?", "FlashAttention 改变了什么，没改变什么？"),
        topic="flash attention",
        level=4,
    ),
)


class Clock:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def passing(path: Path) -> Report:
    """A report of a file that is right."""
    return Report(
        file=str(path), exercise="sdpa", callable="attention", contract=CONTRACT, verdict="pass", correct=True,
        stable=True, efficient=None, score=100, seed=7, checks=CHECKS[:1], elapsed_s=0.3,
    )  # fmt: skip


def failing(path: Path) -> Report:
    """A report of a file whose scale is wrong."""
    return Report(
        file=str(path), exercise="sdpa", callable="attention", contract=CONTRACT, verdict="fail", correct=False,
        stable=True, efficient=None, score=40, seed=918273, checks=CHECKS,
        diagnosis=(
            Diagnosis("scale-d-model", "your output equals attention scaled by 1/√d_model", 14, 3e-7, "why-sqrt-dk"),
        ),
        cost=CostSummary(10, 10, 2.0, 1.1), elapsed_s=0.3,
    )  # fmt: skip


def broken(path: Path) -> Report:
    """A report of a file that could not be graded."""
    return Report(
        file=str(path), exercise=None, callable=None, contract=None, verdict="error", correct=None, stable=None,
        efficient=None, score=0, seed=7, error=GradeError("import", "line 3: invalid syntax"),
    )  # fmt: skip


CONTRACT = Contract(
    "torch", "BHSD", "keep", summary="attention(q, k, v, mask) · torch · (B, H, S, D) · mask True = keep"
)
CHECKS = (
    Check("formula.all-dims-differ", "formula", "fail", 0.41, 1e-5, "error", "first at [0, 0, 2, 5]", "why-sqrt-dk"),
    Check("formula.single", "formula", "pass", 1e-7, 1e-5, "error"),
    Check("mask.keep", "mask", "pass", 1e-7, 1e-5, "error"),
    Check(
        "mask.empty-row", "mask", "warn", None, None, None, "a row with nothing to attend to gives NaN", "masked-row"
    ),
    Check("gradient.values", "gradient", "pass", 1e-6, 1e-4, "error"),
    Check("stability.large", "stability", "pass", 1.2, 2.0, "ratio"),
    Check("dtype.bf16", "dtype", "skip", None, None, None, "bf16 is graded on a GPU only"),
)


def make_app(
    store: Store,
    *,
    language: Language = "en",
    screen: str = "home",
    questions: Sequence[Question] = QUESTIONS,
    grade: Any = failing,
    folder: Path | None = None,
    clock: Clock | None = None,
    path: Path | None = None,
    **settings: Any,
) -> CoachApp:
    """The app over a store of the test's own; the clocks are moved by hand."""
    services = Services(
        settings=Settings(language=language, **settings),
        store=store,
        bank=Bank.of(questions),
        now=lambda: NOW,
        clock=clock or Clock(),
        grade=grade,
        folder=folder or Path("/nowhere"),
        draw=lambda: 7,
    )
    return CoachApp(services, screen=screen, path=path)


async def until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Let the app work until ``condition`` holds."""
    for _ in range(500):
        await pilot.pause(0.01)
        if condition():
            return
    raise AssertionError("the app did not get there")


async def let_run(pilot: Pilot[Any], clock: Clock, seconds: float) -> None:
    """Move the drill's clock and let the screen notice."""
    clock.seconds += seconds
    drill: DrillScreen = pilot.app.screen  # type: ignore[assignment]
    drill.tick()
    await pilot.pause()


def text_of(app: CoachApp) -> str:
    """What is on the screen, as text."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())
