"""The bottom line: the keys that make sense now. A click on one presses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from interview_coach.tui.bindings import key_name
from interview_coach.tui.strings import KEYS

if TYPE_CHECKING:
    from textual.binding import Binding

    from interview_coach.tui.screens.base import CoachScreen


_FIRST = ("editor.done", "drill.go", "review.show", "result.flip", "hunt.go")
_LAST = ("undo", "back", "drill", "review", "grade", "browse", "hunt", "language", "help", "quit")


class KeyLine(Widget):
    """Shows the bindings of what has the focus, then of the screen, then of the app."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[Any]) -> None:
        if self.screen.is_current:
            self.refresh(layout=True)

    def shown(self) -> list[tuple[Binding, str]]:
        """Each binding that works now with its word, in order, one for each action."""
        coach: CoachScreen = self.screen  # type: ignore[assignment]
        found: dict[str, tuple[Binding, str]] = {}
        for _, binding, enabled, _ in coach.active_bindings.values():
            if not enabled or not binding.show or binding.id not in KEYS or binding.id in coach.QUIET:
                continue
            words = coach.stands_for(binding.id)
            label = coach.label_for(binding.id) or KEYS[words][0].get(coach.language)
            if binding.action not in found and all(label != other for _, other in found.values()):
                found[binding.action] = (binding, label)
        return sorted(found.values(), key=lambda item: _rank(item[0].id or ""))

    def _lines(self, width: int) -> list[Content]:
        items = [(f"{key_name(binding)} {label}", key_name(binding), binding.key) for binding, label in self.shown()]
        total = sum(cell_len(text) for text, _, _ in items)
        gap = max(2, min(3, (width - total) // max(1, len(items) - 1)))
        lines, line, used = [], Content(""), 0
        for text, name, key in items:
            if used and used + gap + cell_len(text) > width:
                lines.append(line)
                line, used = Content(""), 0
            if used:
                line, used = line + Content(" " * gap), used + gap
            style = Style.from_meta({"@click": ("app.simulate_key", (key,)), "key": key})
            line += Content(text).stylize(style).stylize("bold", 0, len(name))
            used += cell_len(text)
        return [*lines, line]

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.content_size.width or 80))

    def get_content_height(self, container: Any, viewport: Any, width: int) -> int:
        return len(self._lines(width))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        key = event.style.meta.get("key")
        tips = {binding.key: KEYS[binding.id or ""][1] for binding, _ in self.shown()}
        language = self.screen.language  # type: ignore[attr-defined]
        self.tooltip = tips[key].get(language) if key in tips else None


def _rank(id: str) -> int:
    """What is done next stands first, what leads away last."""
    return -1 if id in _FIRST else _LAST.index(id) + 1 if id in _LAST else 0
