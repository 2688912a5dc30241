"""Grade: pick a file or type a path, run it, read the verdict, open the question behind it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from interview_coach.tui.bindings import bind
from interview_coach.tui.phrases import ago
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.widgets.report_view import MARKS, ReportView
from interview_coach.tui.widgets.search_field import SearchField

if TYPE_CHECKING:
    from interview_coach.grading.report import Report

_SHOWN = 200


@dataclass
class Run:
    """A file being graded. The thread is a daemon: leaving the app never waits for it."""

    path: Path
    started: float
    cancelled: bool = False


class GradeScreen(CoachScreen):
    """Stays as it was left: the last report is there when one comes back.

    Args:
        path: File to grade at once.
    """

    CSS_PATH = "../styles/grade.tcss"
    HELP = "help.grade"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("grade.question", "enter,space", "question"),
        bind("grade.again", "g", "again"),
        bind("edit", "e", "edit"),
        bind("search", "slash", "path"),
        bind("grade.files", "f", "files"),
        bind("grade.cancel", "c", "cancel"),
    ]

    @dataclass
    class Graded(Message):
        """A run came to its end."""

        run: Run
        report: Report | None
        error: Exception | None

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(name="grade")
        self._path = path
        self._files: list[Path] = []
        self._run: Run | None = None
        self._report: Report | None = None
        self._source = ""
        self._note: tuple[str, dict[str, object]] | None = None

    def revisit(self, path: Path | None = None) -> None:  # type: ignore[override]
        if path is not None:
            self.start(path)

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="pathline"):
            yield Static("/ ", markup=False, id="slash")
            yield SearchField(id="path")
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield Static("", markup=False, id="folder")
                yield OptionList(id="files", markup=False)
            with Vertical(id="right"):
                yield Static("", markup=False, id="verdict")
                yield Static("", markup=False, id="contract")
                yield ReportView(id="report")

    def on_mount(self) -> None:
        self.set_interval(0.2, self._show_running)
        if self._path is not None:
            self.start(self._path)

    def on_screen_resume(self) -> None:
        self._list_files()
        super().on_screen_resume()
        self._arrange()

    # --- files ---

    def _list_files(self) -> None:
        """Python files of the folder, the newest first."""
        try:
            files = [path for path in self.services.folder.iterdir() if path.suffix == ".py" and path.is_file()]
            found = [(path.stat().st_mtime, path) for path in files]
        except OSError:
            found = []
        found.sort(key=lambda item: (-item[0], item[1].name))
        self._files = [path for _, path in found[:_SHOWN]]
        options = self.query_one("#files", OptionList)
        kept = options.highlighted
        options.set_options([Option(self._file_line(path, changed)) for changed, path in found[:_SHOWN]])
        options.highlighted = min(kept or 0, len(self._files) - 1) if self._files else None

    def _file_line(self, path: Path, changed: float) -> Content:
        from datetime import UTC, datetime

        when = ago(datetime.fromtimestamp(changed, UTC), self.services.now(), self.language)
        return Content(path.name) + Content(f"  {when}").stylize("dim")

    def _resolve(self, text: str) -> Path:
        path = Path(text.strip().strip("'\"")).expanduser()
        return path if path.is_absolute() else self.services.folder / path

    # --- running ---

    def start(self, path: Path) -> None:
        """Grade a file in a thread of its own; the screen says so at once."""
        if self._run is not None:
            self.action_cancel()
        run = Run(path, self.services.clock())
        self._path, self._run, self._report, self._note = path, run, None, None
        threading.Thread(target=self._work, args=(run,), name="grade", daemon=True).start()
        self._arrange()

    def _work(self, run: Run) -> None:
        try:
            message = self.Graded(run, self.services.grade(run.path), None)
        except Exception as error:
            message = self.Graded(run, None, error)
        self.post_message(message)

    def on_grade_screen_graded(self, message: Graded) -> None:
        """Show what came of a run, unless it was cancelled."""
        if message.run is not self._run or message.run.cancelled:
            return
        self._run = None
        if message.report is None:
            self._note = ("grade.failed", {"error": message.error})
        else:
            from interview_coach.grading.submission import graded_text

            self._report, self._source = message.report, graded_text(message.report) or ""
            self._keep(message.report)
        self._arrange()

    def _keep(self, report: Report) -> None:
        if report.error is not None and report.error.kind == "usage":
            return  # nothing was graded
        try:
            self.services.record("graded", **report.event())
        except Exception as error:
            self.coach.complain("app.not-saved", error)

    # --- what is shown ---

    @property
    def _chosen(self) -> bool:
        """Whether a file was chosen: then its report is shown, else the files."""
        return self._run is not None or self._report is not None or self._note is not None

    def _arrange(self) -> None:
        self.set_class(self._chosen, "-chosen")
        if self._report is not None:
            self.query_one(ReportView).focus()
        elif self._run is not None:
            self.set_focus(None)
        elif not self._chosen:
            self.query_one("#files" if self._files else "#path").focus()
        self.update_texts()
        self.refresh_bindings()

    def update_texts(self) -> None:
        self.head(self.say("grade.title"), self._path.name if self._path and self._chosen else "")
        self.query_one("#path", Input).placeholder = self.say("grade.path")
        self.query_one("#folder", Static).update(self.say("grade.files" if self._files else "grade.no-files"))
        self.query_one("#files").display = bool(self._files)
        report = self._report
        view = self.query_one(ReportView)
        view.display = report is not None
        contract = report.contract.summary if report is not None and report.contract is not None else ""
        if report is None:
            text = self.say(self._note[0], **self._note[1]) if self._note else self.say("grade.none")
            self.query_one("#verdict", Static).update(text)
        else:
            mark = {"pass": MARKS["pass"], "fail": MARKS["fail"]}.get(report.verdict, MARKS["skip"])
            headline = Content(f"{mark} {report.headline(self.language)}").stylize("bold")
            self.query_one("#verdict", Static).update(headline)
            view.show(report, self.language, headline.plain, self._source)
        self.query_one("#contract", Static).update(self._in_words(contract))
        self.query_one("#contract").display = bool(contract)
        self._show_running()

    def _in_words(self, sentence: str) -> str:
        """A sentence of the report in the language on the screen."""
        from interview_coach.grading.chinese import said_in

        return said_in(self.language, sentence)

    def _show_running(self) -> None:
        if self._run is not None:
            seconds = int(self.services.clock() - self._run.started)
            text = self.say("grade.running", file=self._run.path.name, seconds=seconds)
            verdict = self.query_one("#verdict", Static)
            if str(verdict.content) != text:
                verdict.update(text)

    def would_lose(self) -> str | None:
        return self.say("grade.lose") if self._run is not None else None

    # --- actions ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        allowed = {
            "cancel": self._run is not None,
            "again": self._path is not None and self._run is None and self._chosen,
            "edit": self._run is None and (self._chosen or bool(self._files)),
            "files": self._chosen,
            "question": not self._chosen or self._question() is not None,
            "path": not isinstance(self.focused, Input),
        }
        return allowed.get(action, True)

    def label_for(self, binding_id: str | None) -> str | None:
        from interview_coach.tui.strings import KEYS

        other = {"search": "grade.type", "grade.question": "" if self._chosen else "grade.run"}.get(binding_id or "")
        return KEYS[other][0].get(self.language) if other else None

    def _question(self) -> str | None:
        id = self.query_one(ReportView).question if self.is_mounted and self._report is not None else None
        return id if id is not None and self.services.bank.get(id) is not None else None

    @on(OptionList.OptionHighlighted, "#report")
    def _walked(self) -> None:
        self.refresh_bindings()

    @on(OptionList.OptionSelected, "#report")
    def action_question(self) -> None:
        """Open the question behind the line, or grade the chosen file."""
        if not self._chosen:
            self._grade_chosen()
            return
        id = self._question()
        if id is not None:
            self.coach.open("question", question=id)

    @on(OptionList.OptionSelected, "#files")
    def _grade_chosen(self) -> None:
        path = self._highlighted()
        if path is not None:
            self.start(path)

    def _highlighted(self) -> Path | None:
        index = self.query_one("#files", OptionList).highlighted
        return self._files[index] if index is not None and index < len(self._files) else None

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.start(self._resolve(event.value))

    @on(SearchField.Left)
    def _leave_path(self) -> None:
        if self._files or self._chosen:
            target = "#report" if self._report is not None else "#files"
            self.query_one(target).focus()
        else:
            self.action_back()

    def action_path(self) -> None:
        """Type a path, over the one that was typed before."""
        if self._chosen:
            self.action_files()
        field = self.query_one("#path", Input)
        field.focus()
        field.action_select_all()

    def action_again(self) -> None:
        """Grade the same file again."""
        if self._path is not None:
            self.start(self._path)

    def action_cancel(self) -> None:
        """Stop the run and end its worker."""
        if self._run is not None:
            self._run.cancelled = True
            self.services.cancel_grade()
            self._run = None
            self._note = ("grade.cancelled", {})
            self._arrange()

    def action_files(self) -> None:
        """Choose another file."""
        if self._run is not None:
            self.action_cancel()
        self._report = self._note = None
        self._arrange()

    def action_edit(self) -> None:
        """Open the file in ``$EDITOR``."""
        from interview_coach.tui.external import edit_file

        path = self._path if self._chosen else self._highlighted()
        if path is not None and edit_file(self.coach, path):
            self._list_files()
            self.update_texts()

    def action_back(self) -> None:
        """From a run to its end, from a report to the files, from the files home."""
        if self._run is not None:
            self.action_cancel()
        elif self._chosen:
            self.action_files()
        else:
            super().action_back()
