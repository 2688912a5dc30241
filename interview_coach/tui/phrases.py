"""Times and quantities in words, short, in both languages."""

from __future__ import annotations

from datetime import datetime, timedelta

from rich.cells import cell_len

from interview_coach.text import Language

_UNITS = (
    (365 * 86400, "y", "年"),
    (30 * 86400, "mo", "个月"),
    (86400, "d", "天"),
    (3600, "h", "小时"),
    (60, "min", "分钟"),
)
_BARS = "▁▂▃▄▅▆▇█"


def interval(span: timedelta, language: Language) -> str:
    """A length of time, rounded to its largest unit: ``10 min``, ``3 天``; ``<1 min`` below a minute."""
    seconds = max(0.0, span.total_seconds())
    for size, en, zh in _UNITS:
        if seconds >= size * 0.95:
            return f"{max(1, round(seconds / size))} {zh if language == 'zh' else en}"
    return "<1 分钟" if language == "zh" else "<1 min"


def ago(then: datetime, now: datetime, language: Language) -> str:
    """How long ago: ``2 h ago``, ``2 小时前``."""
    span = now - then
    if span < timedelta(minutes=1):
        return "刚刚" if language == "zh" else "just now"
    return f"{interval(span, language)}前" if language == "zh" else f"{interval(span, language)} ago"


def clock_time(seconds: float) -> str:
    """``00:17``, counting up to the whole second, so that 00:00 means it is over."""
    whole = max(0, int(-(-seconds // 1)))
    return f"{whole // 60:02d}:{whole % 60:02d}"


def sparkline(values: tuple[int, ...]) -> str:
    """One bar a value; a day without anything is the lowest bar."""
    top = max(values, default=0)
    return "".join(_BARS[0] if not top else _BARS[round(value / top * (len(_BARS) - 1))] for value in values)


def share_bar(share: float, width: int = 10) -> str:
    """A share of 1 as blocks: ``███░░░░░░░``."""
    filled = round(min(1.0, max(0.0, share)) * width)
    return "█" * filled + "░" * (width - filled)


def fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` cells: padded with spaces, or cut with an ellipsis."""
    length = cell_len(text)
    if length <= width:
        return text + " " * (width - length)
    kept = ""
    for character in text:
        if cell_len(kept) + cell_len(character) > width - 1:
            break
        kept += character
    return kept + "…" + " " * max(0, width - 1 - cell_len(kept))


def sides(left: str, right: str, width: int) -> str:
    """``left`` and ``right`` at the two ends of a line of ``width`` cells; the left one is cut if it must be."""
    space = width - cell_len(right) - (2 if right else 0)
    return (fit(left, max(1, space)) + "  " + right) if right else fit(left, width)
