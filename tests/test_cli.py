"""The commands: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from interview_coach import __version__
from interview_coach.cli import commands
from interview_coach.cli import main as cli
from interview_coach.cli.side_by_side import side_by_side
from interview_coach.errors import CoachError
from interview_coach.grading.report import Check, Contract, Diagnosis, GradeError, Report
from interview_coach.text import Text


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Coach = Callable[..., Ran]


@pytest.fixture
def coach(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, compiled_bank: Path
) -> Coach:
    """Runs the command in this process, in an empty folder and with a home that holds the compiled bank alone."""
    home = tmp_path / "home"
    shutil.copytree(compiled_bank, home / "cache")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(home))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(work)

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["coach", *arguments])
        capsys.readouterr()
        code = cli.main()
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def process(*arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interview_coach", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "INTERVIEW_COACH_HOME": str(home), "LC_ALL": "C.UTF-8", **environment},
    )


# --- the command itself -----------------------------------------------------------------------------------------------


def test_help_names_every_command_and_shows_examples(coach: Coach) -> None:
    ran = coach("--help")
    assert ran.code == 0
    assert ran.err == ""
    for name in commands.COMMANDS:
        assert f"\n  {name} " in ran.out
    assert "coach grade sdpa.py" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [("--lang", "zh", "--help"), ("--help", "--lang=zh")])
def test_help_in_chinese(coach: Coach, arguments: Sequence[str]) -> None:
    assert "打开应用" in coach(*arguments).out


def test_the_language_of_the_settings_is_used(coach: Coach, tmp_path: Path) -> None:
    config = tmp_path / "home" / "config"
    config.mkdir(parents=True)
    (config / "config.toml").write_text('language = "zh"\n')
    assert "打开应用" in coach("--help").out
    assert "open the app" in coach("--help", "--lang", "en").out


@pytest.mark.parametrize("command", sorted(commands.COMMANDS))
def test_each_command_has_help_that_teaches_by_example(coach: Coach, command: str) -> None:
    ran = coach(command, "--help")
    assert ran.code == 0
    assert "Examples:\n    " in ran.out
    assert ran.out.count(f"coach {command}") >= 2
    assert "--lang en|zh" in ran.out


def test_help_of_a_command_in_chinese(tmp_path: Path) -> None:
    ran = process("grade", "--help", "--lang", "zh", home=tmp_path)
    assert ran.returncode == 0
    assert "要评判的函数或类" in ran.stdout


def test_version(coach: Coach) -> None:
    assert coach("--version").out == f"coach {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("grad",), ["no command 'grad'", "next: coach grade"]),
        (("mine.py",), ["no command 'mine.py'", "next: coach grade mine.py"]),
        (("--frobnicate",), ["no option --frobnicate", "next: coach --help"]),
        (("--lang", "fr"), ["--lang cannot be 'fr'", "en | zh"]),
        (("--lang",), ["--lang needs a value"]),
        (("grade",), ["FILE is missing.", "next: coach grade --help"]),
        (("grade", "x.py", "--mask", "maybe"), ["maybe", "keep", "next: coach grade --help"]),
        (("hint", "sdpa", "9"), ["LEVEL cannot be that: 9", "3", "next: coach hint --help"]),
        (("drill", "--frob"), ["no option --frob", "next: coach drill --help"]),
        (("questions", "frob"), ["frob", "next: coach questions --help"]),
        (("lab", "entropi"), ["no lab 'entropi'", "next: coach lab entropy"]),
        (("questions", "show", "why-sqrt-dkk"), ["no question", "why-sqrt-dk"]),
        (("questions", "list", "--topic", "zebra"), ["no topic 'zebra'", "next: coach questions list"]),
        (("start", "spda"), ["no exercise 'spda'", "next: coach start sdpa"]),
        (("--bank", "nowhere", "questions"), ["no such folder", "nowhere"]),
        ((), ["needs a terminal", "coach --help"]),
        (("drill",), ["needs a terminal"]),
        (("drill", "--topic", "mask"), ["no topic 'mask'", "next: coach drill --topic masks"]),
    ],
)
def test_errors_of_use_say_what_and_what_next(coach: Coach, arguments: Sequence[str], words: list[str]) -> None:
    ran = coach(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    for word in words:
        assert word in ran.err
    assert "Traceback" not in ran.err


def test_errors_speak_chinese(coach: Coach) -> None:
    assert "没有命令" in coach("grad", "--lang", "zh").err
    assert coach("grade", "--lang", "zh").err.startswith("缺少 FILE。\n  正确的是: coach grade")


def test_interrupt_ends_with_130(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Sequence[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "dispatch", interrupt)
    ran = coach("doctor")
    assert ran.code == 130
    assert ran.err == "\n"


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m interview_coach --help | true; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "INTERVIEW_COACH_HOME": str(tmp_path)},
    )
    assert ran.stderr == ""
    assert ran.returncode in (0, 141)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("coach gr", "grade"), ("coach questions sh", "show"), ("coach start sd", "sdpa"), ("coach lab entr", "entropy")],
)
def test_completion(tmp_path: Path, line: str, expected: str) -> None:
    words = line.split()
    ran = process(home=tmp_path, _COACH_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert ran.stdout.split() == [expected]


# --- questions, labs, exercises, hints --------------------------------------------------------------------------------


def test_questions_list_and_show(coach: Coach) -> None:
    listed = coach("questions", "list")
    assert listed.code == 0
    assert any(line.startswith("why-sqrt-dk ") for line in listed.out.splitlines())
    assert coach("questions").out == listed.out
    shown = coach("questions", "show", "why-sqrt-dk", "--lang", "zh")
    assert shown.code == 0
    for title in ("考察什么", "三十秒版", "参考答案", "要点", "常见错误", "接下来会问", "出处"):
        assert f"## {title}" in shown.out


def test_questions_search_finds_in_both_languages(coach: Coach) -> None:
    assert "causal-alignment" in coach("questions", "search", "causal").out
    assert "fp16-overflow-bf16" in coach("questions", "search", "溢出").out
    nothing = coach("questions", "search", "zzzzqqqq")
    assert nothing.code == 2
    assert "coach questions list" in nothing.err


def test_questions_lint_prints_file_and_line(coach: Coach, tmp_path: Path) -> None:
    assert coach("questions", "lint").code == 0
    broken = tmp_path / "mine" / "masks" / "broken.yaml"
    broken.parent.mkdir(parents=True)
    broken.write_text("id: broken\ntopic: masks\nlevel: 9\n")
    ran = coach("questions", "lint", str(tmp_path / "mine"))
    assert ran.code == 1
    assert f"{broken}:3: level: " in ran.out
    with_bank = coach("questions", "list", "--bank", str(tmp_path / "mine"))
    assert with_bank.code == 0
    assert "why-sqrt-dk" in with_bank.out
    assert "coach questions lint" in with_bank.err


def test_lab_lists_and_runs(coach: Coach) -> None:
    listed = coach("lab")
    assert listed.code == 0
    assert any(line.startswith("entropy ") for line in listed.out.splitlines())
    ran = coach("lab", "entropy")
    assert ran.code == 0
    assert "1024" in ran.out
    assert "\x1b[" not in ran.out


def test_exercises_lists_them_with_titles(coach: Coach) -> None:
    ran = coach("exercises")
    assert ran.code == 0
    names = [line.split()[0] for line in ran.out.splitlines() if line]
    assert {"softmax", "sdpa", "causal", "multi-head", "cross-attention"} <= set(names)


def test_start_writes_the_stub_and_never_over_a_file(coach: Coach) -> None:
    ran = coach("start", "multi-head")
    assert ran.code == 0
    stub = Path("multi_head.py").read_text("utf-8")
    assert "class MultiHeadAttention" in stub
    assert "coach grade multi_head.py" in ran.out
    Path("multi_head.py").write_text("mine")
    again = coach("start", "multi-head")
    assert again.code == 2
    assert Path("multi_head.py").read_text() == "mine"
    assert "coach start multi-head --to multi_head_2.py" in again.err


def test_hints_grow(coach: Coach) -> None:
    first, third = coach("hint", "sdpa"), coach("hint", "sdpa", "3")
    assert first.code == third.code == 0
    assert first.out == coach("hint", "sdpa", "1").out
    assert first.out.splitlines()[0] != third.out.splitlines()[0]
    assert "coach hint sdpa 2" in first.out


def test_doctor_can_be_pasted(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    from interview_coach.cli import doctor

    monkeypatch.setattr(doctor, "_gpu", lambda: "none")
    ran = coach("doctor")
    assert ran.code == 0
    facts = dict(line.split(None, 1) for line in ran.out.splitlines() if " " in line)
    assert facts["coach"].strip() == __version__
    assert facts["python"].startswith(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert "0 problems" in facts["bank"]
    for name in ("torch", "triton", "textual", "gpu", "isolation", "data", "config", "cache", "events"):
        assert facts[name].strip()


def test_doctor_reports_what_is_broken_and_goes_on(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    from interview_coach.cli import doctor

    def explode() -> str:
        raise OSError("no driver")

    monkeypatch.setattr(doctor, "_gpu", explode)
    ran = coach("doctor")
    assert ran.code == 0
    assert "OSError: no driver" in ran.out
    assert "questions" in ran.out


# --- grade, with a grader that is given -------------------------------------------------------------------------------


def report_of(file: str, verdict: str = "pass", **changes: Any) -> Report:
    wrong = verdict == "fail"
    return Report(
        **{
            "file": file,
            "exercise": "sdpa",
            "callable": "attention",
            "contract": Contract("torch", "BHSD", "keep", summary="attention(q, k, v, mask) · torch · (B, H, S, D)"),
            "verdict": verdict,
            "correct": not wrong,
            "stable": True,
            "efficient": None,
            "score": 40 if wrong else 100,
            "seed": 918273,
            "checks": (Check("formula.plain", "formula", "fail" if wrong else "pass", 0.41, 1e-5, "relative error"),),
            "diagnosis": (Diagnosis("missing-scale", "no 1/√d", 2, 3e-7, "why-sqrt-dk"),) if wrong else (),
            "error": GradeError("usage", f"{file}: no such file") if verdict == "error" else None,
            **changes,
        }
    )


@pytest.fixture
def grader(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Replaces the grader: the verdict is the first word of the file's name. Returns the calls."""
    calls: list[tuple[Any, ...]] = []
    sandboxes: set[Any] = set()

    class NoSandbox:
        """Stands in for a process that would be started for nothing."""

        def __init__(self, *, isolate: bool = False, lingering: bool = False, zygote: None = None) -> None:
            self.isolation_note = "no bubblewrap here" if isolate else ""

        def close(self) -> None:
            sandboxes.remove(self)

    def fake(target: str, exercise: str | None = None, **options: Any) -> Report:
        sandboxes.add(options.pop("sandbox"))
        assert len(sandboxes) == 1
        calls.append((target, exercise, {name: value for name, value in options.items() if value is not None}))
        verdict = Path(target).stem.split("_")[0]
        return report_of(target, verdict if verdict in ("pass", "fail") else "error")

    import interview_coach

    monkeypatch.setattr("interview_coach.grading.start.Zygote", lambda **_: None)
    monkeypatch.setattr("interview_coach.grading.sandbox.Sandbox", NoSandbox)
    monkeypatch.setitem(vars(interview_coach), "grade", fake)
    return calls


@pytest.mark.parametrize(("name", "code"), [("pass.py", 0), ("fail.py", 1), ("error.py", 2)])
def test_grade_exit_codes(coach: Coach, grader: list[Any], name: str, code: int) -> None:
    assert coach("grade", name).code == code


def test_grade_text_and_next_command(coach: Coach, grader: list[Any]) -> None:
    Path("fail.py").write_text("def attention(q, k, v):\n    scores = q @ k.mT\n")
    ran = coach("grade", "fail.py")
    assert "✗ wrong: no 1/√d" in ran.out
    assert "line 2" in ran.out
    assert "scores = q @ k.mT" in ran.out
    assert "coach questions show why-sqrt-dk" in ran.out
    assert ran.out.rstrip().endswith("next: coach hint sdpa")
    assert ran.err == ""


def test_grade_what_cannot_be_graded_goes_to_stderr(coach: Coach, grader: list[Any]) -> None:
    ran = coach("grade", "missing.py")
    assert ran.code == 2
    assert ran.out == ""
    assert "missing.py: no such file" in ran.err
    from interview_coach.store import Store

    with Store.open() as store:
        assert list(store.events("graded")) == []  # nothing was graded


def test_grade_json_is_one_object_of_version_1(coach: Coach, grader: list[Any]) -> None:
    ran = coach("grade", "fail.py", "--format", "json")
    assert ran.code == 1
    assert json.loads(ran.out) == report_of("fail.py", "fail").to_dict()
    assert json.loads(ran.out)["schema"] == 1


def test_grade_several_files_and_folders(coach: Coach, grader: list[Any]) -> None:
    for name in ("pass_a.py", "fail_b.ipynb", "notes.txt", ".hidden/pass.py", "__pycache__/pass.py"):
        path = Path("folder", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    ran = coach("grade", "pass.py", "folder", "--format", "json")
    assert ran.code == 1
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["file"] for line in lines] == ["pass.py", "folder/fail_b.ipynb", "folder/pass_a.py"]
    assert "[2/3] folder/fail_b.ipynb" in ran.err
    assert "3 files: 2 pass, 1 fail, 0 could not be graded" in ran.err


def test_a_long_batch_is_graded_side_by_side_and_told_in_order() -> None:
    together = threading.Barrier(2, timeout=30)

    def graded(path: str, sandbox: Any) -> Report:
        together.wait()  # breaks if no other is graded now
        return report_of(f"{path} in {sandbox}", "pass")

    names = [f"{number}.py" for number in range(20)]
    files = [report.file.split(" in ") for report in side_by_side(graded, names, cast(Any, ("one", "other")))]
    assert [name for name, _ in files] == names
    assert {sandbox for _, sandbox in files} == {"one", "other"}


def test_a_grader_that_raises_beside_another_is_heard() -> None:
    def graded(path: str, sandbox: Any) -> Report:
        if path == "1.py":
            raise CoachError(Text("no such thing", "没有"))
        return report_of(path, "pass")

    reports = side_by_side(graded, ["0.py", "1.py", "2.py"], cast(Any, ("one", "other")))
    assert next(reports).file == "0.py"
    with pytest.raises(CoachError):
        next(reports)


def test_grade_junit_is_one_document(coach: Coach, grader: list[Any]) -> None:
    from xml.etree import ElementTree

    ran = coach("grade", "pass.py", "fail.py", "--format", "junit")
    assert ran.code == 1
    assert [suite.get("failures") for suite in ElementTree.fromstring(ran.out)] == ["0", "1"]


def test_grade_markdown(coach: Coach, grader: list[Any]) -> None:
    assert coach("grade", "fail.py", "--format", "markdown").out.startswith("### ✗ `fail.py`: wrong: no 1/√d")


def test_grade_quiet_is_a_line_a_file(coach: Coach, grader: list[Any]) -> None:
    ran = coach("grade", "pass.py", "fail.py", "missing.py", "--quiet")
    assert ran.code == 2
    assert [line[0] for line in ran.out.splitlines()] == ["✓", "✗", "?"]


def test_grade_an_empty_folder(coach: Coach, grader: list[Any]) -> None:
    Path("empty").mkdir()
    ran = coach("grade", "empty")
    assert ran.code == 2
    assert "no Python file" in ran.err
    assert grader == []


def test_grade_standard_input(coach: Coach, grader: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("def attention(): ..."))
    coach("grade", "-")
    assert grader == [("-", None, {"text": "def attention(): ..."})]
    assert coach("grade", "-", "more.py").code == 2


def test_the_solution_is_asked_where_it_is_shown(coach: Coach, grader: list[Any]) -> None:
    for shown in ((), ("--verbose",), ("--format", "json"), ("--format", "json", "--quiet"), ("--quiet",)):
        coach("grade", "pass.py", *shown)
    assert [options.get("timed", True) for _, _, options in grader] == [True, True, True, True, False]


def test_nothing_is_timed_in_a_long_batch_but_where_it_is_asked_for(
    coach: Coach, grader: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    names = [f"pass_{number}.py" for number in range(16)]
    assert coach("grade", *names).code == 0
    assert {options["timed"] for _, _, options in grader} == {False}
    assert coach("grade", *names, "--format", "json").code == 0
    assert not any("timed" in options for _, _, options in grader[16:])


def test_grade_passes_on_what_was_asked_for_and_nothing_else(coach: Coach, grader: list[Any]) -> None:
    coach("grade", "pass.py")
    coach(
        *("grade", "pass.py", "--exercise", "causal", "--seed", "7", "--callable", "attend", "--mask", "drop"),
        *("--layout", "BSHD", "--scale", "1", "--allow-library", "--isolate", "--device", "cuda"),
    )
    assert grader[0] == ("pass.py", None, {})
    assert grader[1] == (
        "pass.py",
        "causal",
        {
            "seed": 7,
            "callable_name": "attend",
            "mask": "drop",
            "layout": "BSHD",
            "scale": 1.0,
            "allow_library": True,
            "isolate": True,
            "device": "cuda",
        },
    )


def test_isolation_that_cannot_be_had_is_told(coach: Coach, grader: list[Any]) -> None:
    assert coach("grade", "pass.py", "--isolate").err == "no bubblewrap here\n"
    assert coach("grade", "pass.py").err == ""


def test_grade_is_kept_for_the_home_screen(coach: Coach, grader: list[Any]) -> None:
    from interview_coach.store import Store

    coach("grade", "fail.py")
    with Store.open() as store:
        (event,) = store.events("graded")
    assert event.data["file"] == "fail.py"
    assert event.data["verdict"] == "fail"
    assert event.data["codes"] == ["missing-scale"]
    assert set(event.data["headline"]) == {"en", "zh"}


def test_every_text_of_the_overview_is_in_both_languages() -> None:
    texts = [*commands.COMMANDS.values(), *(text for _, text in (*commands.EXAMPLES, *commands.OPTIONS))]
    assert all(isinstance(text, Text) and text.en and text.zh and text.en != text.zh for text in texts)
