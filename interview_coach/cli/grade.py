"""``coach grade``: a verdict, the reason, the next step.

Its annotations are evaluated as they stand: as strings, Typer would evaluate all of them twice at each start.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interview_coach.cli import ahead
from interview_coach.cli.completion import exercise_ids
from interview_coach.cli.context import note, run, say, use_color, width
from interview_coach.cli.parser import new_app, teach
from interview_coach.errors import CoachError
from interview_coach.text import Text

if TYPE_CHECKING:
    from interview_coach.grading.render import Style
    from interview_coach.grading.report import Report
    from interview_coach.grading.sandbox import Sandbox

app = new_app()

STDIN = "-"
MANY = 16
"""Files from which on a second sandbox is worth its start."""
_SUFFIXES = (".py", ".ipynb")
_SKIPPED = {"__pycache__", "node_modules", "site-packages"}


class Format(StrEnum):
    text = "text"
    json = "json"
    junit = "junit"
    markdown = "markdown"


class Mask(StrEnum):
    keep = "keep"
    drop = "drop"
    additive = "additive"
    lengths = "lengths"


class Device(StrEnum):
    cpu = "cpu"
    cuda = "cuda"


@app.command(
    **teach(
        say(
            "Grades hand-written attention: is it right, is it stable, and which bug is it. Exit code: 0 pass, 1 fail, "
            "2 could not be graded; of several files, the worst.",
            "评判手写的注意力：对不对，稳不稳定，是哪个错误。退出码：0 通过，1 未通过，2 无法评分；多个文件取最差的。",
        ),
        ("coach grade sdpa.py", say("a file written to a stub, or any other", "按模板写的文件，或任意文件")),
        ("coach grade mine.py --callable attend", say("this function of the file", "文件中的这个函数")),
        ("coach grade mine.py --mask drop", say("True in its mask means: hide", "掩码中 True 表示遮住")),
        ("coach grade homework/ --quiet", say("each file of a folder, a line each", "文件夹中的每个文件，各一行")),
        ("coach grade mine.py --cost", say("how memory and operations grow", "内存和运算量如何增长")),
        ("coach grade mine.py --format json", say("for a program; junit for a CI", "供程序读取；junit 供 CI")),
        ("coach grade mine.py --watch", say("again at each save; h for a hint", "每次保存后重新评判；h 看提示")),
        ("cat mine.py | coach grade -", say("from standard input", "从标准输入读取")),
    )
)
def grade(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help=say(
                "Files (.py, .ipynb), folders, or - for stdin.", "文件（.py、.ipynb）、文件夹，或 - 表示标准输入。"
            ),
        ),
    ],
    exercise: Annotated[
        str | None,
        typer.Option(
            help=say("Exercise to grade it as; else it is found.", "按哪个练习评判；默认自动识别。"),
            autocompletion=exercise_ids,
        ),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help=say("Form of the report.", "报告格式。"))] = Format.text,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help=say("Replays the inputs of a report.", "重现某份报告的输入。"), min=0),
    ] = None,
    callable_name: Annotated[
        str | None,
        typer.Option("--callable", metavar="NAME", help=say("Function or class to grade.", "要评判的函数或类。")),
    ] = None,
    mask: Annotated[Mask | None, typer.Option(help=say("What its mask means.", "掩码的含义。"))] = None,
    layout: Annotated[
        str | None, typer.Option(metavar="BHSD|BSHD|BSC|SBC|...", help=say("Axes of its inputs.", "输入的轴顺序。"))
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help=say("Factor it is meant to put on the scores; 1 is none.", "它应乘在打分上的系数；1 表示不缩放。"),
        ),
    ] = None,
    allow_library: Annotated[
        bool, typer.Option("--allow-library", help=say("Library attention is fine.", "允许调用库里的注意力。"))
    ] = False,
    isolate: Annotated[
        bool,
        typer.Option(
            "--isolate", help=say("No network, read-only files (bubblewrap).", "无网络、文件只读（bubblewrap）。")
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=say("One line a file.", "每个文件一行。"))] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=say("Every check.", "每一项检查。"))] = False,
    cost: Annotated[
        bool,
        typer.Option("--cost", help=say("Draw how its cost grows.", "画出开销如何增长。")),
    ] = False,
    device: Annotated[Device, typer.Option(help=say("Where it runs.", "运行设备。"))] = Device.cpu,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help=say("Grade it at each save.", "每次保存后重新评判。"))
    ] = False,
) -> None:
    if STDIN in files and len(files) > 1:
        raise CoachError(
            Text("- stands for standard input, and must be alone.", "- 表示标准输入，只能单独使用。"),
            next_command="coach grade -",
        )
    options: dict[str, Any] = {
        "seed": seed,
        "callable_name": callable_name,
        "mask": mask.value if mask else None,
        "layout": layout,
        "scale": scale,
        "allow_library": allow_library or None,
        "isolate": isolate or None,
        "cost": cost or None,
        "device": device.value if device is not Device.cpu else None,
    }
    given = {name: value for name, value in options.items() if value is not None}
    if verbose:
        import logging

        logging.basicConfig(format="%(message)s")  # on stderr
        logging.getLogger("interview_coach").setLevel(logging.DEBUG)
    from interview_coach.grading.render import Style

    style = Style(run.language, width(), use_color(), "quiet" if quiet else "verbose" if verbose else "normal", cost)
    if watch:
        raise typer.Exit(_watch(files, exercise, given, style))
    paths = [STDIN] if files == [STDIN] else _expand(files)
    # A line a file does not show what the project's own solution takes, and what is timed is not timed beside others.
    given |= {"timed": False} if format_ is Format.text and (quiet or len(paths) >= MANY) else {}
    reports = _graded(paths, exercise, given)
    raise typer.Exit(_print(reports, format_, style))


def _watch(files: list[str], exercise: str | None, options: dict[str, Any], style: "Style") -> int:
    """Grades one file at each save; what changes the verdict is written to the log."""
    if len(files) != 1 or not Path(files[0]).is_file():
        raise CoachError(
            Text("--watch takes one file that exists.", "--watch 需要一个已存在的文件。"),
            files[0] if len(files) == 1 else None,
            next_command="coach start sdpa",
        )
    from interview_coach import grade as grade_one
    from interview_coach.grading.watch.terminal import watch

    path, recorded = Path(files[0]), [""]

    def record(report: "Report") -> None:
        headline = report.headline(run.language)
        if headline != recorded[0]:
            recorded[0] = headline
            _record(report)

    sandbox = ahead.sandbox(isolate="isolate" in options)

    def again() -> "Report":
        # Who waits for a verdict at each save does not wait for a comparison of times.
        return grade_one(path, exercise, sandbox=sandbox, timed=False, **options)

    return watch(path, sandbox, again, style, record)


def _graded(paths: list[str], exercise: str | None, options: dict[str, Any]) -> Iterator[tuple["Report", str | None]]:
    """Each report, with its source where that is no file; progress on stderr."""
    sandbox = ahead.sandbox(isolate="isolate" in options)
    from interview_coach import grade as grade_one

    sources = {path: sys.stdin.read() for path in paths if path == STDIN}

    def report(path: str, sandbox: "Sandbox") -> "Report":
        return grade_one(path, exercise, text=sources.get(path), sandbox=sandbox, **options)

    if len(paths) < MANY or options.get("timed", True) or (os.cpu_count() or 1) < 2:
        reports: Iterator[Report] = (report(path, sandbox) for path in paths)
    else:
        from interview_coach.cli.side_by_side import side_by_side

        reports = side_by_side(report, paths, (sandbox, ahead.another_sandbox(isolate="isolate" in options)))
    for index, path in enumerate(paths, 1):
        if len(paths) > 1:
            note(f"[{index}/{len(paths)}] {path}")
        yield next(reports), sources.get(path)
    if sandbox.isolation_note:
        from interview_coach.grading.chinese import said_in

        note(said_in(run.language, sandbox.isolation_note))


def _print(graded: Iterable[tuple["Report", str | None]], format_: Format, style: "Style") -> int:
    """Prints each report as it comes (JUnit: all in one document), and returns the worst exit code."""
    reports: list[Report] = []
    for report, source in graded:
        if format_ is Format.text and reports and style.detail != "quiet":
            print(flush=True)
        if format_ is not Format.junit:
            stream = sys.stderr if format_ is Format.text and report.error and style.detail != "quiet" else sys.stdout
            print(_written(report, source, format_, style), file=stream, flush=True)
        reports.append(report)
    if format_ is Format.junit:
        from interview_coach.grading.formats import to_junit

        print(to_junit(reports, style.language))
    if len(reports) == 1:
        _record(reports[0])
    codes = [report.exit_code for report in reports]
    if len(codes) > 1:
        passed, failed, ungraded = (codes.count(code) for code in (0, 1, 2))
        note(
            say(
                f"{len(codes)} files: {passed} pass, {failed} fail, {ungraded} could not be graded",
                f"{len(codes)} 个文件：{passed} 通过，{failed} 未通过，{ungraded} 无法评分",
            )
        )
    return max(codes, default=2)


def _written(report: "Report", source: str | None, format_: Format, style: "Style") -> str:
    if format_ is Format.text:
        from interview_coach.grading.render import to_text
        from interview_coach.grading.submission import graded_text

        return to_text(report, style, source or graded_text(report))
    from interview_coach.grading.formats import to_json, to_markdown

    return to_json(report) if format_ is Format.json else to_markdown(report, style.language)


def _expand(files: list[str]) -> list[str]:
    """Folders become their Python files and notebooks, in order; a path that is missing is left to the grader."""
    paths: list[str] = []
    for name in files:
        folder = Path(name)
        if not os.path.isdir(name):  # noqa: PTH112 - a name too long is none, and raises nothing
            paths.append(name)
            continue
        inside = sorted(
            path for path in folder.rglob("*") if path.suffix in _SUFFIXES and _wanted(path.relative_to(folder))
        )
        if not inside:
            raise CoachError(
                Text("The folder holds no Python file and no notebook.", "文件夹中没有 Python 文件或笔记本。"),
                folder,
                Text("a .py or .ipynb file", "一个 .py 或 .ipynb 文件"),
                "coach start sdpa",
            )
        paths += map(str, inside)
    return paths


def _wanted(path: Path) -> bool:
    return not any(part.startswith(".") or part in _SKIPPED for part in path.parts)


def _record(report: "Report") -> None:
    """Writes the result to the log, for the home screen; a log that cannot be written does not spoil the verdict."""
    if report.error is not None and report.error.kind == "usage":
        return  # nothing was graded
    from datetime import UTC, datetime

    from interview_coach.store import Store

    try:
        with Store.open() as store:
            store.append("graded", report.event(), datetime.now(UTC))
    except CoachError as error:
        note(error.message(run.language))
