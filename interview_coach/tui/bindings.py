"""Bindings that carry an id and a tooltip, and how their keys are written on the screen."""

from __future__ import annotations

from textual.binding import Binding

from interview_coach.tui.strings import KEYS

_NAMES = {
    "question_mark": "?",
    "escape": "esc",
    "slash": "/",
    "number_sign": "#",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "f1": "F1",
    "f2": "F2",
    "up": "↑",
    "down": "↓",
}


def bind(
    id: str, keys: str, action: str, *, show: bool = True, priority: bool = False, display: str | None = None
) -> Binding:
    """A binding whose words are those of ``KEYS[id]``.

    Args:
        id: Name of the binding; ``[keys]`` of the config file remaps it by this name.
        keys: One key, or several separated by commas.
        action: The action to run.
        show: Whether the bottom line tells it; help tells all.
        priority: Whether it goes before the focused widget.
        display: How the keys are written, where that is not the first one.
    """
    label, tooltip = KEYS[id]
    return Binding(
        keys,
        action,
        description=label.en,
        tooltip=tooltip.en,
        id=id,
        show=show,
        priority=priority,
        key_display=display,
    )


def key_name(binding: Binding) -> str:
    """The key as it is written on the screen: ``?``, ``esc``, ``ctrl+e``."""
    return binding.key_display or _NAMES.get(binding.key, binding.key)
