"""All questions: a list to filter and to search as one types."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from interview_coach.tui.bindings import bind
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.widgets.prose import prose
from interview_coach.tui.widgets.search_field import SearchField

_SHOWN = 300


class BrowseScreen(CoachScreen):
    """Stays as it was left: what was searched and chosen is there when one comes back.

    Args:
        topic: Only questions of this topic, at first.
    """

    CSS_PATH = "../styles/browse.tcss"
    HELP = "help.browse"
    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("open", "enter,space", "open"),
        bind("search", "slash", "search"),
        bind("topic", "t", "pick('topic')"),
        bind("tag", "number_sign", "pick('tag')"),
        bind("clear", "c", "clear"),
        bind("browse.drill", "d", "drill_it"),
    ]

    def __init__(self, topic: str | None = None) -> None:
        super().__init__(name="browse")
        self._topic, self._tag = topic, None  # type: str | None, str | None
        self._ids: list[str] = []

    def revisit(self, topic: str | None = None) -> None:  # type: ignore[override]
        if topic is not None:
            self._topic = topic

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="filters"):
            yield Static("/ ", markup=False, id="slash")
            yield SearchField(id="query")
            yield Static("", markup=False, id="chosen")
        with Horizontal(id="columns"):
            yield OptionList(id="list", markup=False)
            yield Static("", markup=False, id="preview")
        yield Static("", markup=False, id="nothing")

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.query_one("#list").focus()

    def update_texts(self) -> None:
        field = self.query_one("#query", Input)
        field.placeholder = self.say("browse.search")
        chosen = [name for name in (self._topic, f"#{self._tag}" if self._tag else None) if name]
        self.query_one("#chosen", Static).update("  ".join(chosen))
        self.search(field.value)

    # --- the list ---

    def search(self, query: str, *, keep: bool = True) -> None:
        """Fill the list with what matches the words, the topic and the tag.

        Args:
            query: The words.
            keep: Whether the chosen question stays chosen; else the first one is.
        """
        bank = self.services.bank
        ids = bank.filter_ids(self._topic, self._tag)
        if query.strip():
            allowed = set(ids)
            ids = [id for id in bank.search_ids(query) if id in allowed]
        options = self.query_one("#list", OptionList)
        kept = self._highlighted() if keep else None
        total, self._ids = len(ids), ids[:_SHOWN]
        options.set_options([Option(self._line(id), id=id) for id in self._ids])
        options.highlighted = self._ids.index(kept) if kept in self._ids else (0 if self._ids else None)
        self.query_one("#columns").display = bool(self._ids)
        nothing = self.query_one("#nothing", Static)
        nothing.display = not self._ids
        nothing.update(self.say("browse.nothing" if bank.heads else "home.no-questions"))
        count = self.say("browse.count-one") if total == 1 else self.say("browse.count", count=total)
        self.head(self.say("browse.title"), count)
        self._preview()

    def _line(self, id: str) -> Content:
        question = self.services.bank.questions[id]
        about = f"{question.topic} · {self.say('app.level', level=question.level)}"
        return prose(self.tr(question.prompt)) + Content(f"\n{about}").stylize("dim")

    def _highlighted(self) -> str | None:
        index = self.query_one("#list", OptionList).highlighted
        return self._ids[index] if index is not None and index < len(self._ids) else None

    @on(OptionList.OptionHighlighted)
    def _preview(self) -> None:
        id = self._highlighted()
        preview = self.query_one("#preview", Static)
        if id is None:
            preview.update("")
            return
        question = self.services.bank.questions[id]
        parts = [prose(self.tr(question.prompt)).stylize("bold")]
        for heading, text in (("sheet.intent", question.intent), ("sheet.elevator", question.elevator)):
            parts += [Content(f"\n{self.say(heading)}").stylize("$text-primary"), prose(self.tr(text))]
        parts.append(Content("\n" + "  ".join(f"#{tag}" for tag in question.tags)).stylize("dim"))
        preview.update(Content("\n").join(parts))

    # --- actions ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("open", "drill_it"):
            return bool(self._ids)
        if action == "search":
            return not isinstance(self.focused, Input)
        if action == "clear":
            return bool(self._topic or self._tag or (self.is_mounted and self.query_one("#query", Input).value))
        return True

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.search(event.value, keep=False)
        self.refresh_bindings()

    @on(Input.Submitted)
    @on(SearchField.Left)
    def _to_list(self) -> None:
        self.query_one("#list").focus()

    @on(OptionList.OptionSelected)
    def action_open(self) -> None:
        """Read the whole question."""
        id = self._highlighted()
        if id is not None:
            self.coach.open("question", question=id)

    def action_search(self) -> None:
        """Go to the search field."""
        self.query_one("#query").focus()

    def action_pick(self, what: str) -> None:
        """Choose a topic or a tag."""
        from interview_coach.tui.screens.pick import PickScreen

        bank = self.services.bank
        names, current = (bank.topics, self._topic) if what == "topic" else (bank.tags, self._tag)

        def chosen(name: str | None) -> None:
            if name is not None:
                if what == "topic":
                    self._topic = name or None
                else:
                    self._tag = name or None
                self.update_texts()
                self.refresh_bindings()

        heading = self.say(f"browse.{what}")
        self.app.push_screen(PickScreen(heading, self.say("browse.all"), list(names.items()), current), chosen)

    def action_clear(self) -> None:
        """Show all questions again."""
        self._topic = self._tag = None
        self.query_one("#query", Input).value = ""
        self.update_texts()
        self.refresh_bindings()

    def action_drill_it(self) -> None:
        """Drill the chosen question."""
        id = self._highlighted()
        if id is not None:
            self.coach.open("drill", first=id)
