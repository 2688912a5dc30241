"""An interval in a few characters."""

from __future__ import annotations

from datetime import timedelta

from interview_coach.text import Language, Text

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_MONTH, _YEAR = 30.44 * _DAY, 365.25 * _DAY
# (shown below this many of its own unit, seconds in the unit, decimals, name)
_UNITS: tuple[tuple[float, float, int, Text], ...] = (
    (60, _MINUTE, 0, Text("min", "分钟")),
    (24, _HOUR, 0, Text("h", "小时")),
    (30, _DAY, 0, Text("d", "天")),
    (12, _MONTH, 0, Text("mo", "个月")),
    (10, _YEAR, 1, Text("y", "年")),
)


def humanise(interval: timedelta, language: Language) -> str:
    """``10 min``, ``3 d``, ``2 mo``, ``1.5 y``; in Chinese ``10 分钟``, ``3 天``, ... Under a minute is ``<1 min``."""
    seconds = max(interval.total_seconds(), 0.0)
    if seconds < _MINUTE:
        return f"<1 {_UNITS[0][3].get(language)}"
    for limit, unit, decimals, name in _UNITS:
        count = round(seconds / unit, decimals)
        if count < limit:
            return f"{max(count, 1):g} {name.get(language)}"
    return f"{seconds / _YEAR:.0f} {_UNITS[-1][3].get(language)}"
