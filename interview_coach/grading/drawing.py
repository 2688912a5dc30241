"""The growth of a cost as bars in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interview_coach.grading.report import CostSummary
from interview_coach.text import Language, Text

_EIGHTHS = " ▏▎▍▌▋▊▉"
_WIDEST = 48
_POWERS = {1: "S", 2: "S²", 3: "S³"}
_NEAR, _FLAT = 0.2, 0.05
_UNITS = ("", "k", "M", "G", "T")


def power_of(exponent: float) -> str:
    """``S``, ``S²`` or the power as it is."""
    if abs(exponent) < 0.05:
        return "S⁰"
    whole = round(exponent)
    if whole in _POWERS and abs(exponent - whole) <= _NEAR:
        return _POWERS[whole]
    return f"S^{exponent:.1f}"


def drawn(cost: CostSummary, language: Language, width: int) -> Iterator[str]:
    """A bar a length, for the memory and for the operations; each says by how much it is longer than the last."""
    memory, work = Text("extra memory (peak)", "额外内存（峰值）"), Text("operations (FLOPs)", "运算次数（FLOPs）")
    charts: tuple[tuple[Text, Sequence[int], float | None, int, str], ...] = (
        (memory, cost.peaks, cost.memory_exponent, 1024, "B"),
        (work, cost.operations, cost.flops_exponent, 1000, ""),
    )
    for title, counts, exponent, base, unit in charts:
        if not any(counts):
            continue
        yield ""
        grows = "" if exponent is None else f" ∝ {power_of(exponent)}"
        yield f"   {title.get(language)}{grows}"
        room = max(8, min(_WIDEST, width - 34))
        before = 0
        for length, count in zip(cost.lengths, counts, strict=True):
            times = f"× {count / before:.1f}" if before else ""
            bar = _bar(count / max(counts), room)
            yield f"   S = {length:>5}  {short(count, base, unit):>9}  {bar} {times}".rstrip()
            before = count


def _bar(share: float, room: int) -> str:
    """A bar of that share of the room, to an eighth of a column; never nothing."""
    eighths = max(1, round(share * room * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def short(count: int, base: int, unit: str = "") -> str:
    """A count in three digits and the unit that suits it."""
    size, power = float(count), 0
    while size >= base and power < len(_UNITS) - 1:
        size, power = size / base, power + 1
    text = f"{size:.0f}" if power == 0 or size >= 100 else f"{size:.1f}"
    return f"{text} {_UNITS[power]}{unit}".rstrip()
