"""Two apps that leave as soon as their first frame is drawn: this one, and a bare Textual app with the same widgets.

Run as ``python -m benchmarks.frames coach | tree | bare TREE``. ``tree`` prints the shape of the home screen as JSON: a
list for each widget, holding the lists of its children.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App
    from textual.pilot import Pilot
    from textual.widget import Widget

Tree = list[Any]


def first_frame(app: App[Any], then: Callable[[], None] = lambda: None) -> None:
    """Runs an app until its first frame is drawn and it takes keys."""

    async def leave(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        then()
        pilot.app.exit()

    app.run(headless=True, size=(80, 24), auto_pilot=leave)


def coach() -> None:
    """This app, as ``coach`` opens it."""
    from interview_coach.tui.app import CoachApp

    first_frame(CoachApp())


def tree() -> None:
    """Prints the tree of widgets of the home screen."""
    from interview_coach.tui.app import CoachApp

    def shape(widget: Any) -> Tree:
        return [shape(child) for child in widget.children]

    app = CoachApp()
    first_frame(app, lambda: print(json.dumps(shape(app.screen))))


def bare(shape: Tree) -> None:
    """A Textual app with a container where the home screen has one, and a static text where it has a leaf."""
    from textual.app import App, ComposeResult
    from textual.containers import Vertical
    from textual.widgets import Static

    def widget(children: Tree) -> Widget:
        return Vertical(*map(widget, children)) if children else Static("text")

    class Bare(App[None]):
        CSS = "Vertical { height: auto; }"

        def compose(self) -> ComposeResult:
            yield from map(widget, shape)

    first_frame(Bare())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["coach"]:
            coach()
        case ["tree"]:
            tree()
        case ["bare", shape]:
            bare(json.loads(shape))
        case _:
            sys.exit(__doc__)
