"""The command line: finds the language, then the command, and hands over.

Typer costs 100 ms to import, so it is imported by a command, never here: the overview, the version and the app start
without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from interview_coach import __version__
from interview_coach.cli.context import run, say
from interview_coach.errors import CoachError
from interview_coach.text import LANGUAGES, Text

COMMANDS = {
    "drill": Text("a question, a 30-second clock, your answer", "一道题，30 秒计时，你的回答"),
    "answer": Text("mark an answer: said, missed, and wrong", "批改回答：说到、漏掉、说错"),
    "review": Text("the flashcards that are due", "复习到期的卡片"),
    "judge": Text("try the language model that may judge answers", "试用可选的语言模型评判"),
    "grade": Text("is your attention right? which bug is it?", "你写的注意力对吗？是哪个错误？"),
    "hunt": Text("find the bug, against the clock", "限时找出代码里的错误"),
    "start": Text("write the stub of an exercise", "生成练习的代码模板"),
    "hint": Text("one more hint for an exercise", "练习的下一个提示"),
    "exercises": Text("what can be coded and graded", "可以写、可以判的练习"),
    "questions": Text("list, show, search or check the questions", "列出、查看、搜索、检查题目"),
    "lab": Text("the experiments behind the answers", "答案背后的实验"),
    "labels": Text("export the verdicts that you flipped", "导出你改过的判断"),
    "doctor": Text("versions and folders, for a bug report", "版本与文件夹，报告问题时附上"),
}

EXAMPLES = (
    ("coach", Text("open the app", "打开应用")),
    ("coach drill --topic masks", Text("only this topic", "只练这个主题")),
    ("coach start sdpa", Text("writes sdpa.py, for you to fill in", "生成 sdpa.py，由你填写")),
    ("coach grade sdpa.py", Text("a verdict, the reason, the next step", "结论、原因、下一步")),
    ("coach questions search softmax", Text("in English or Chinese", "中英文皆可")),
    ("coach --lang zh", Text("everything in Chinese", "全部用中文")),
)

OPTIONS = (
    ("--lang en|zh", Text("language, with any command", "语言，可用于任何命令")),
    ("--bank FOLDER", Text("your own questions too, with any command", "加上自己的题库，可用于任何命令")),
    ("--version", Text("print the version", "显示版本")),
    ("--install-completion", Text("complete commands with Tab in this shell", "在当前 shell 中启用 Tab 补全")),
    ("--show-completion", Text("print the completion script", "打印补全脚本")),
    (
        "-h, --help",
        Text("this; of a command: coach grade --help", "本说明；命令的说明：coach grade --help"),
    ),
)

COMPLETION = ("--install-completion", "--show-completion")


def overview() -> str:
    """What ``coach --help`` prints."""
    blocks = [
        (say("Commands", "命令"), COMMANDS.items()),
        (say("Examples", "示例"), EXAMPLES),
        (say("Options", "选项"), OPTIONS),
    ]
    lines = [
        say("Usage: coach [COMMAND] [OPTIONS]", "用法：coach [命令] [选项]"),
        "",
        say(
            "Drill ML interview questions and grade hand-written attention, offline.",
            "在终端里离线练习机器学习面试题，并评判手写的注意力代码。",
        ),
    ]
    for title, rows in blocks:
        lines += ["", title]
        lines += [f"  {name:<32}{text.get(run.language)}" for name, text in rows]
    return "\n".join(lines)


def take_globals(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Takes ``--lang`` and ``--bank`` out of the command line, wherever they stand before a ``--``.

    The question folders go to the context of the run.

    Returns:
        The other arguments, and the language that was named.

    Raises:
        CoachError: one of the two has no value, or the language is unknown.
    """
    run.banks = ()
    rest: list[str] = []
    language: str | None = None
    queue = list(arguments)
    while queue:
        argument = queue.pop(0)
        name, equals, value = argument.partition("=")
        if argument == "--":
            rest += [argument, *queue]
            break
        if name not in ("--lang", "--bank"):
            rest.append(argument)
            continue
        if not equals:
            if not queue:
                raise CoachError(
                    Text(f"{name} needs a value.", f"{name} 需要一个值。"),
                    next_command=f"coach {name} {_EXAMPLE[name]}",
                )
            value = queue.pop(0)
        if name == "--bank":
            run.banks += (value,)
        elif value in LANGUAGES:
            language = value
        else:
            raise CoachError(
                Text(f"--lang cannot be {value!r}.", f"--lang 不能是 {value!r}。"),
                right=" | ".join(LANGUAGES),
                next_command="coach --lang zh",
            )
    return rest, language


_EXAMPLE = {"--lang": "zh", "--bank": "my-questions"}


def dispatch(arguments: Sequence[str]) -> int:
    """Runs one command line.

    Returns:
        The exit code.

    Raises:
        CoachError: something that the user can put right.
    """
    rest, language = take_globals(arguments)
    run.choose_language(language)
    command = rest[0] if rest else None
    if command is None:
        return int(import_module("interview_coach.cli.app").open_app())
    if command in ("--help", "-h", "help"):
        print(overview())
        return 0
    if command == "--version":
        print(f"coach {__version__}")
        return 0
    if command in COMPLETION:
        return int(import_module("interview_coach.cli.completion").complete(rest))
    if command not in COMMANDS:
        raise _unknown(command)
    module = import_module(f"interview_coach.cli.{command}")
    return int(import_module("interview_coach.cli.parser").invoke(module.app, f"coach {command}", rest[1:]))


def execute(arguments: Sequence[str]) -> int:
    """Runs one command line, and says on stderr what is wrong with it. Returns the exit code."""
    try:
        if "_COACH_COMPLETE" in os.environ:
            return int(import_module("interview_coach.cli.completion").complete(arguments))
        code = dispatch(arguments)
        sys.stdout.flush()
        return code
    except CoachError as error:
        print(error.message(run.language), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader went away (coach ... | head). Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _unknown(command: str) -> CoachError:
    from difflib import get_close_matches

    near = get_close_matches(command, COMMANDS, 1)
    is_file = command.endswith((".py", ".ipynb"))
    option = command.startswith("-")
    suggestion = f"coach grade {command}" if is_file else f"coach {near[0]}" if near else "coach --help"
    what = (
        Text(f"There is no option {command}.", f"没有选项 {command}。")
        if option
        else Text(f"There is no command {command!r}.", f"没有命令 {command!r}。")
    )
    return CoachError(what, right=", ".join(COMMANDS), next_command=suggestion)
