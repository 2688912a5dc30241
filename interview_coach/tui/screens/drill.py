"""A drill: a question, time to think, time to answer, then what a good answer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static, TextArea

from interview_coach.tui.bindings import bind
from interview_coach.tui.phrases import clock_time
from interview_coach.tui.records import Records
from interview_coach.tui.screens.rating import RatingScreen
from interview_coach.tui.widgets.answer_editor import AnswerEditor
from interview_coach.tui.widgets.clock_bar import ClockBar
from interview_coach.tui.widgets.key_points import KeyPoints
from interview_coach.tui.widgets.prose import Prose
from interview_coach.tui.widgets.sheet import Sheet

if TYPE_CHECKING:
    from interview_coach.bank.collection import Head
    from interview_coach.bank.model import Question
    from interview_coach.drill import Answer, Drill
    from interview_coach.drill.marked import MarkedAnswer

_TICK = 0.2
_ASKING = ("thinking", "answering", "paused")


class DrillScreen(RatingScreen):
    """Questions one after the other, against the clock.

    Args:
        topic: Only questions of this topic.
        first: Id of the question to begin with.
    """

    CSS_PATH = ["../styles/sheet.tcss", "../styles/drill.tcss"]  # noqa: RUF012
    AUTO_FOCUS = ""
    NAME: ClassVar[str] = "drill"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("drill.go", "space,enter", "go_on"),
        bind("drill.done", "ctrl+enter,ctrl+j,f2", "submit", show=False),
        bind("drill.pause", "p", "pause"),
        bind("drill.skip", "s", "skip"),
        bind("drill.external", "e,ctrl+e", "external", show=False),
        bind("result.answer", "m", "section('sheet.answer')"),
        bind("result.follow-ups", "n", "section('sheet.follow-ups')"),
        bind("result.sources", "o", "section('sheet.references')", show=False),
        bind("result.judge", "a", "ask_judge", show=False),
    ]

    def __init__(self, topic: str | None = None, first: str | None = None) -> None:
        super().__init__(self.NAME)
        self._topic, self._first = topic, first
        self._drill: Drill[Head] | None = None
        self._asked: str | None = None

    def compose_body(self) -> ComposeResult:
        with Vertical(id="ask"):
            yield Prose(id="prompt")
            yield AnswerEditor(id="editor")
            yield Static(id="note", markup=False)
            yield ClockBar()
        yield Vertical(id="result")
        yield Static(id="finish", markup=False)

    def on_mount(self) -> None:
        from interview_coach.drill import Drill

        settings = self.services.settings
        try:
            questions = self.services.session(topic=self._topic)
            chosen = self.services.bank.heads.get(self._first or "")
        except Exception as error:
            self.coach.complain("app.cannot-load", error)
            questions, chosen = [], None
        if chosen is not None:
            questions = [chosen, *(question for question in questions if question.id != chosen.id)]
        self._records = Records(self.services, self.coach.complain)
        self._drill = Drill(
            questions,
            clock=self.services.clock,
            think_seconds=settings.think_seconds,
            answer_seconds=settings.answer_seconds,
            on_draft=self._records.keep_draft,
            on_answer=self.keep_answer,
        )
        self.set_interval(_TICK, self.tick)
        self.show_phase()

    def find(self, question_id: str) -> Question | None:
        """The question with an id."""
        return self.services.bank.get(question_id)

    def keep_answer(self, answer: Answer) -> None:
        """Mark an answer that was just taken, and save it."""
        question = self.find(answer.question)
        if question is not None:
            self._records.keep_answer(question, answer, self.language)

    # --- where things stand ---

    @property
    def drill(self) -> Drill[Head]:
        """The session."""
        assert self._drill is not None
        return self._drill

    @property
    def phase(self) -> str:
        """``thinking``, ``answering``, ``paused``, ``revealed`` or ``finished``."""
        return self._drill.phase if self._drill else "thinking"

    @property
    def question(self) -> Question | None:
        """The question that is asked, or whose answer is shown."""
        head = self._drill.question if self._drill else None
        return self.find(head.id) if head is not None else None

    def in_session(self) -> bool:
        return self.phase != "finished"

    @property
    def editor(self) -> AnswerEditor:
        """The field the answer is typed in."""
        return self.query_one(AnswerEditor)

    def tick(self) -> None:
        """Let the clock run."""
        if self._drill is None or self.phase not in ("thinking", "answering"):
            return
        before = self.phase
        self.drill.tick(self.editor.text)
        if self.phase != before:
            self.show_phase()
        else:
            self._show_clock()

    def on_key(self, event: events.Key) -> None:
        """Open the editor at once, and keep what was typed on before it had the focus: nothing typed is lost."""
        bound = self.active_bindings.get(event.key)
        if self.phase == "thinking" and bound is not None and bound.binding.action == "go_on":
            event.stop()
            self.action_go_on()
        elif self.phase == "answering" and event.is_printable and event.character:
            event.stop()
            self.editor.insert(event.character)

    def show_phase(self) -> None:
        """Arrange the screen for the phase."""
        phase = self.phase
        self.query_one("#ask").display = phase in _ASKING
        self.query_one("#result").display = phase == "revealed"
        self.query_one("#finish").display = phase == "finished"
        question = self.question
        if phase in _ASKING and question is not None and self._asked != f"{self.drill.index}":
            from interview_coach.marking import prepare

            self._asked = f"{self.drill.index}"
            draft = self._records.draft(question.id)
            self.drill.change(draft)
            self.editor.text = draft
            self.editor.move_cursor(self.editor.document.end)
            self.run_worker(lambda: prepare(question), group="prepare", thread=True, exit_on_error=False)
        self.editor.can_focus = phase == "answering"
        if phase == "answering":
            self.set_focus(self.editor)
        elif phase in ("thinking", "paused"):
            self.set_focus(None)
        if phase == "revealed":
            self.prepare_rating()
            self._show_result()
        self.update_texts()
        self.refresh_bindings()

    def update_texts(self) -> None:
        if self._drill is None:
            return
        question = self.question
        if question is not None:
            self.query_one("#prompt", Prose).show(self.tr(question.prompt))
        self.editor.placeholder = self.say("drill.placeholder") if self.phase == "answering" else ""
        for sheet in self.query(Sheet):
            sheet.turn(self.language)
        self._show_note()
        self._show_clock()
        self._show_finish()

    def _show_clock(self) -> None:
        self.head(" · ".join(self.where()), self._right())
        if self.phase in _ASKING:
            self.query_one(ClockBar).left = self.drill.remaining / max(self.drill.length, 1e-9)

    def where(self) -> list[str]:
        """The left of the title line."""
        question = self.question
        if question is None or self.phase == "finished":
            return [self.say(f"{self.NAME}.title")]
        return [self.say(f"{self.NAME}.title"), question.topic, self.say("app.level", level=question.level)]

    def _right(self) -> str:
        phase = self.phase
        if phase in _ASKING:
            time = f"{clock_time(self.drill.remaining)} / {clock_time(self.drill.length)}"
            words = {
                "thinking": f"· {self.say('drill.think')} ",
                "answering": "● ",
                "paused": f"{self.say('drill.paused')} ",
            }
            return words[phase] + time
        if phase == "revealed" and self._records.marked is not None:
            from interview_coach.tui.widgets.marked_sheet import outcome

            return outcome(self._records.marked, self.language)
        return ""

    def _show_note(self) -> None:
        question = self.question
        note = ""
        if question is not None and self.phase in ("thinking", "paused"):
            note = self.say("drill.paused" if self.phase == "paused" else "drill.placeholder-think")
            if self.editor.text and self.phase == "thinking":
                note = f"{self.say('drill.restored')} {note}"
        self.query_one("#note", Static).update(note)

    def _show_finish(self) -> None:
        if self.phase != "finished":
            return
        count = sum(answer.outcome != "skipped" for answer in self.drill.answers)
        if count:
            text = self.say("drill.finished", count=count)
        else:
            text = self.say("drill.no-questions" if not self.drill.answers else "drill.finished-none")
        self.query_one("#finish", Static).update(text)

    def _show_result(self) -> None:
        from interview_coach.tui.widgets.marked_sheet import MarkedSheet

        answer, marked = self.drill.answers[-1], self._records.marked
        assert marked is not None
        note = "drill.time-up" if answer.outcome == "time" else "drill.answered"
        result = self.query_one("#result")
        result.remove_children()
        result.mount(
            MarkedSheet(
                marked, self.language, ratings=self.services.ratings if self.rated_question() else (), note=note
            )
        )

    # --- what is typed ---

    @on(TextArea.Changed)
    def _changed(self) -> None:
        if self.phase in _ASKING and self.editor.text != self.drill.text:
            self.drill.change(self.editor.text)

    @on(AnswerEditor.Done)
    def action_submit(self) -> None:
        """Hand in the answer."""
        if self.phase in _ASKING:
            self.drill.submit(self.editor.text)
            self.show_phase()

    @on(AnswerEditor.Left)
    def action_pause(self) -> None:
        """Stop the clock, or let it run again."""
        if self.phase == "paused":
            self.drill.resume()
        elif self.phase in _ASKING:
            self.drill.pause(self.editor.text)
        self.show_phase()

    @on(AnswerEditor.ExternalWanted)
    def action_external(self) -> None:
        """Write the answer in ``$EDITOR``; the clock waits."""
        from interview_coach.tui.external import edit_text

        if self.phase not in _ASKING:
            return
        if self.phase == "thinking":
            self.drill.start_answer()
        if self.phase == "answering":
            self.drill.pause()
        text = edit_text(self.coach, self.editor.text)
        if text is not None:
            self.editor.text = text
            self.editor.move_cursor(self.editor.document.end)
            self.drill.change(text)
        self.drill.resume()
        self.show_phase()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self.editor and self.phase in ("thinking", "paused"):
            self.action_go_on()

    # --- going on ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        phase = self.phase
        allowed = {
            "go_on": phase in ("thinking", "paused", "revealed"),
            "submit": phase in _ASKING,
            "pause": phase in ("thinking", "answering", "paused"),
            "skip": phase in ("thinking", "paused"),
            "external": phase in _ASKING,
            "section": phase == "revealed",
            "ask_judge": phase == "revealed",
            "undo": phase in ("thinking", "finished"),
        }
        return allowed.get(action, super().check_action(action, parameters))

    def help_topic(self) -> str:
        usual = "help.result" if self.phase == "revealed" else "help.drill"
        return getattr(self.focused, "HELP_TOPIC", usual)

    def stands_for(self, binding_id: str) -> str:
        written = self.phase == "paused" and self.drill.timed_phase == "answering"
        words = {
            ("drill.go", "paused"): "drill.resume" if written else "drill.go",
            ("drill.go", "revealed"): "result.next",
            ("drill.pause", "paused"): "drill.resume",
        }
        return "home" if binding_id == "back" else words.get((binding_id, self.phase), binding_id)

    def action_go_on(self) -> None:
        """Start the answer, let the clock run again, or go to the next question."""
        if self.phase == "thinking":
            self.drill.start_answer()
        elif self.phase == "paused":
            self.drill.resume()
            if self.phase == "thinking":
                self.drill.start_answer()
        elif self.phase == "revealed":
            self.drill.next()
        self.show_phase()

    def action_skip(self) -> None:
        """Another question; the draft is kept."""
        self.drill.skip(self.editor.text)
        self.show_phase()

    def action_section(self, section: str) -> None:
        """Jump to a part of the answer."""
        for sheet in self.query(Sheet):
            sheet.go_to(section)

    @on(KeyPoints.Flipped)
    def _flip(self, message: KeyPoints.Flipped) -> None:
        self._records.flip(message.point_id, self.drill.answers[-1])
        for sheet in self.query(Sheet):
            sheet.redraw()
        self._show_clock()

    def action_ask_judge(self) -> None:
        """Have a language model read the answer, if one is set up."""
        if self._records.marked is not None:
            self.run_worker(self._ask_judge(self._records.marked), group="judge", exclusive=True)

    async def _ask_judge(self, marked: MarkedAnswer) -> None:
        from interview_coach.errors import CoachError
        from interview_coach.judge import ask_judge, load_judge_config

        try:
            config = load_judge_config()
            self.coach.message("judge.asking")
            reply = await ask_judge(config, marked.question, marked.text, marked.marking.language)
        except CoachError as error:
            self.coach.complain("judge.failed", error)
            return
        marked.suggested = {each.id: each for each in reply.suggestions(marked.marking)}
        if not marked.suggested:
            self.coach.message("judge.silent")
        for sheet in self.query(Sheet):
            sheet.redraw()

    def rated_question(self) -> str | None:
        question = self._drill.question if self._drill else None
        return question.id if question is not None and self.phase == "revealed" else None

    def after_rating(self) -> None:
        self.drill.next()
        self.show_phase()

    def after_undo(self, question_id: str) -> None:
        if self.drill.reopen(question_id):
            self.show_phase()
            self.coach.message("review.undone")
        else:
            self.coach.message("drill.undone", question=question_id)

    def action_back(self) -> None:
        """Go home; what was typed is kept as a draft."""
        if self._drill is not None and self.phase in _ASKING:
            self.drill.change(self.editor.text)
        super().action_back()
