"""How much of a phase is left, as a line that gets thinner."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget


class ClockBar(Widget):
    """A line across the screen: what is left is heavy, what is gone is light."""

    left: reactive[float] = reactive(1.0)
    """Share of the phase that is left, 0 to 1."""

    def render(self) -> Content:
        width = self.content_size.width
        heavy = max(0, min(width, round(self.left * width)))
        return Content("━" * heavy).stylize("$primary") + Content("─" * (width - heavy)).stylize("$foreground 30%")
