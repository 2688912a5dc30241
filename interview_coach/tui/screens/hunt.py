"""Bug hunt: a short attention with one planted bug, to be named or pointed at before the clock ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from interview_coach.tui.bindings import bind
from interview_coach.tui.markdown import BLANK, Block
from interview_coach.tui.phrases import clock_time
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.widgets.clock_bar import ClockBar
from interview_coach.tui.widgets.page import Page
from interview_coach.tui.widgets.prose import prose

if TYPE_CHECKING:
    from interview_coach.hunt import Hunt

_TICK = 0.2
_LETTERS = "abcde"


class HuntScreen(CoachScreen):
    """One program after the other; the line under the cursor or one of the names is the answer.

    Args:
        seed: Decides the first program; drawn where none is given.
    """

    CSS_PATH = "../styles/hunt.tcss"
    HELP = "help.hunt"
    AUTO_FOCUS = "#code"
    QUIET = CoachScreen.QUIET | {"hunt"}
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("hunt.go", "space,enter", "go_on"),
        *(bind("hunt.name", letter, f"name_it({n})", display="a–e") for n, letter in enumerate(_LETTERS)),
        bind("hunt.turn", "tab", "turn", show=False),
        bind("hunt.pause", "p", "pause"),
        bind("hunt.show", "s", "give_up"),
        bind("hunt.why", "w", "why"),
    ]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(name="hunt")
        self._seed = seed
        self._game: Hunt | None = None
        self._counts = {True: 0, False: 0}
        self._note: tuple[str, dict[str, object]] | None = None

    def compose_body(self) -> ComposeResult:
        with Container(id="hunt"):
            yield OptionList(id="code", markup=False)
            with Vertical(id="about"):
                yield OptionList(id="names", markup=False)
                yield Page(id="end")
        yield Static(id="note", markup=False)
        yield ClockBar()

    def on_mount(self) -> None:
        self.set_interval(_TICK, self.tick)
        self._begin()

    # --- the game ---

    @property
    def game(self) -> Hunt:
        """The program that is hunted in, and the clock."""
        assert self._game is not None
        return self._game

    @property
    def phase(self) -> str:
        """``hunting``, ``paused`` or ``over``."""
        return self._game.phase if self._game else "paused"

    def in_session(self) -> bool:
        return self.phase != "over"

    def _begin(self) -> None:
        from interview_coach.hunt import Hunt, choices, choose, found_before

        seed = self.services.draw() if self._seed is None else self._seed
        try:
            known = found_before(event.data for event in self.services.store.events("hunted"))
        except Exception as error:
            self.coach.complain("app.cannot-load", error)
            known = []
        program = choose(seed, avoid=known)
        self._drawn, self._seed, self._note = seed, None, None
        self._game = Hunt(program, choices(program, seed), clock=self.services.clock)
        self.query_one("#code", OptionList).highlighted = None
        self._show_phase()
        self.query_one("#code", OptionList).focus()

    def tick(self) -> None:
        """Let the clock run."""
        if self.phase == "hunting":
            self.game.tick()
            if self.phase == "over":
                self._end()
            else:
                self._show_clock()

    def _answered(self, right: bool, tried: int) -> None:
        from interview_coach.hunt.game import PENALTY

        if self.phase == "over":
            self._end()
        elif not right and len(self.game.wrong) > tried:
            self._note = ("hunt.wrong", {"seconds": f"{PENALTY:.0f}"})
            self._show_phase()

    def _end(self) -> None:
        result = self.game.result
        assert result is not None
        self._counts[result.found] += 1
        self._note = None
        try:
            self.services.record("hunted", **result.event(), seed=self._drawn, language=self.language)
        except Exception as error:
            self.coach.complain("app.not-saved", error)
        self.query_one("#code", OptionList).highlighted = result.program.lines[0] - 1
        self._show_phase()

    # --- what is shown ---

    def update_texts(self) -> None:
        if self._game is not None:
            self._show_phase()

    def _show_phase(self) -> None:
        over = self.phase == "over"
        self._show_code()
        self._show_names()
        self.query_one("#names").display = not over
        self.query_one("#end").display = over
        if over:
            self.query_one("#end", Page).show(self._end_blocks())
        self.query_one(ClockBar).display = not over
        self._show_clock()
        self.refresh_bindings()

    def _show_clock(self) -> None:
        game = self.game
        what = [self.say("hunt.title"), self.tr(game.program.style)]
        right = self.say("hunt.count", found=self._counts[True], all=sum(self._counts.values()))
        if self.phase != "over":
            mark = "●" if self.phase == "hunting" else self.say("drill.paused")
            right = f"{mark} {clock_time(game.remaining)} / {clock_time(game.seconds)}"
            self.query_one(ClockBar).left = game.remaining / game.seconds
        self.head(" · ".join(what), right)
        key, values = self._note or ("hunt.over" if self.phase == "over" else f"hunt.{self.phase}", {})
        self.query_one("#note", Static).update(self.say(key, **values))

    def _show_code(self) -> None:
        """The program with its line numbers; nothing of it while the clock stands."""
        from textual.highlight import highlight

        game = self.game
        code = self.query_one("#code", OptionList)
        kept, room = code.highlighted, self._room(code)
        lines = highlight(game.program.text, language="python").split("\n") if self.phase != "paused" else []
        marked = game.program.lines if self.phase == "over" else ()
        options = []
        for number, line in enumerate(lines[: len(game.program.text.splitlines())], 1):
            wrong = number in marked or str(number) in game.wrong
            margin = Content(f"{'✗' if wrong else ' '}{number:>3}  ").stylize("$text-error" if wrong else "dim")
            text = margin + _folded(line, room - len(margin), " " * len(margin))
            options.append(Option(text, disabled=not line.plain.strip()))
        code.set_options(options)
        code.highlighted = kept if kept is not None and kept < len(options) else 0 if options else None
        self.call_after_refresh(code.scroll_to_highlight)

    def _room(self, options: OptionList) -> int:
        """Cells of a line of the list; a guess before the first layout."""
        return (options.scrollable_content_region.width or 68) - 2

    def on_resize(self) -> None:
        self.call_after_refresh(self.update_texts)

    def _show_names(self) -> None:
        from interview_coach.hunt import describe

        game = self.game
        names = self.query_one("#names", OptionList)
        kept, room = names.highlighted, self._room(names)
        options = []
        for letter, code in zip(_LETTERS, game.choices, strict=False):
            text = self.tr(describe(code))
            line = _folded(Content(text), room - 3, "   ")
            if cell_len(text) + len(code) + 5 <= room:
                line += Content(f"  {code}").stylize("dim")
            wrong = code in game.wrong
            options.append(Option(Content(f"{'✗' if wrong else letter}  ") + (line.stylize("dim") if wrong else line)))
        names.set_options(options)
        names.highlighted = kept

    def _end_blocks(self) -> list[Block]:
        """Whether it was found, what it is, what the line should be, and what is behind it."""
        from interview_coach.hunt import describe

        result = self.game.result
        assert result is not None
        program = result.program
        code = program.code or ""
        if result.found:
            verdict = Content(self.say("hunt.found", seconds=f"{result.seconds:.0f}")).stylize("bold $text-success")
        else:
            verdict = Content(self.say("hunt.not-found")).stylize("bold")
        lines = program.text.splitlines()
        blocks = [
            Block(verdict + Content(f"   {code}").stylize("dim")),
            Block(Content(self.tr(describe(code)))),
            *(Block(Content(lines[n - 1].strip()), first=Content("- ").stylize("$text-error")) for n in program.lines),
            *(Block(Content(line.strip()), first=Content("+ ").stylize("$text-success")) for line in program.right),
        ]
        question = self.services.bank.get(self._question() or "")
        if question is not None:
            blocks += [BLANK, Block(prose(self.tr(question.prompt)).stylize("bold"))]
            blocks += [Block(prose(self.tr(question.elevator)))]
        return blocks

    def _question(self) -> str | None:
        """Id of the question behind the bug, if the bank has it."""
        from interview_coach.grading.codes import question

        found = question(self.game.program.code or "")
        return found if found in self.services.bank.heads else None

    # --- keys ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        hunting = self.phase == "hunting"
        allowed = {
            "name_it": hunting,
            "turn": hunting,
            "give_up": hunting,
            "pause": self.phase in ("hunting", "paused"),
            "why": self.phase == "over" and self._question() is not None,
        }
        return allowed.get(action, super().check_action(action, parameters))

    def stands_for(self, binding_id: str) -> str:
        words = {
            ("hunt.go", "hunting"): "hunt.pick" if self._naming else "hunt.point",
            ("hunt.go", "paused"): "drill.resume",
            ("hunt.pause", "paused"): "drill.resume",
            ("hunt.turn", "hunting"): "hunt.to-code" if self._naming else "hunt.to-names",
        }
        return words.get((binding_id, self.phase), binding_id)

    @property
    def _naming(self) -> bool:
        """Whether the cursor is in the list of names."""
        return getattr(self.focused, "id", "") == "names"

    @on(OptionList.OptionSelected)
    def action_go_on(self) -> None:
        """Answer with the line or the name under the cursor; let the clock run again; take another program."""
        if self.phase == "hunting":
            chosen = self.query_one("#names" if self._naming else "#code", OptionList).highlighted
            if chosen is None:
                return
            if self._naming:
                self.action_name_it(chosen)
            else:
                tried = len(self.game.wrong)
                self._answered(self.game.point(chosen + 1), tried)
        elif self.phase == "paused":
            self.action_pause()
        else:
            self._begin()

    def action_name_it(self, index: int) -> None:
        """Say that it is one of the names."""
        tried = len(self.game.wrong)
        self._answered(self.game.name(self.game.choices[index]), tried)

    def action_turn(self) -> None:
        """From the code to the names, and back."""
        code, names = self.query_one("#code", OptionList), self.query_one("#names", OptionList)
        if self._naming:
            code.focus()
        else:
            names.highlighted = names.highlighted or 0
            names.focus()
        self.refresh_bindings()

    def action_pause(self) -> None:
        """Stop the clock, or let it run again."""
        if self.phase == "paused":
            self.game.resume()
        else:
            self.game.pause()
            if self.phase == "over":
                return self._end()
        return self._show_phase()

    def action_give_up(self) -> None:
        """Show where it is."""
        self.game.give_up()
        self._end()

    def action_why(self) -> None:
        """Open the question behind the bug."""
        question = self._question()
        if question is not None:
            self.coach.open("question", question=question)


def _folded(line: Content, width: int, margin: str) -> Content:
    """A line in pieces that fit, broken at spaces; the later ones begin with ``margin``."""
    pieces = []
    while cell_len(line.plain) > width > 8:
        text, cut = line.plain, len(line)
        while cell_len(text[:cut]) > width:
            cut -= 1
        space = text.rfind(" ", len(text) - len(text.lstrip()) + 1, cut + 1)
        cut = space + 1 if space > 0 else cut
        pieces.append(line[:cut])
        line = line[cut:]
    return Content(f"\n{margin}").join([*pieces, line])
