"""How the commands are parsed: Typer, set once for all of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import typer
from typer.main import get_command

from interview_coach.cli.context import run, say
from interview_coach.errors import CoachError
from interview_coach.text import Text

_MISTAKES = {
    "MissingParameter": Text("{what} is missing.", "缺少 {what}。"),
    "NoSuchOption": Text("There is no option {what}.", "没有选项 {what}。"),
    "BadOptionUsage": Text("{what} needs a value.", "{what} 需要一个值。"),
    "BadParameter": Text("{what} cannot be that: {detail}", "{what} 的值不对：{detail}"),
}
"""Mistakes in a command line, by the name of the parser's error."""
_INTERRUPTED = 130
_OTHER = Text("{detail}", "命令有误：{detail}")
_HELP_WORDS = {
    r"^Usage: ": "用法：",
    r"^Arguments:": "参数：",
    r"^Options:": "选项：",
    r"^Commands:": "命令：",
    r"\[required\]": "[必填]",
    r"\[default: ": "[默认：",
    r"Show this message and exit\.": "显示本说明。",
}
"""What the parser itself writes into a help page, in Chinese."""


def new_app(**settings: Any) -> typer.Typer:
    """A Typer app with plain help and plain errors (Rich would cost 40 ms)."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        **settings,
    )


def teach(summary: str, *examples: tuple[str, str]) -> dict[str, Any]:
    """Help that teaches by example, as keyword arguments of ``app.command``.

    Args:
        summary: what the command does.
        examples: command lines, each with what it is for.
    """
    column = max(len(line) for line, _ in examples) + 3
    rows = "\n".join(f"  {line:<{column}}{use}" for line, use in examples)
    everywhere = say(
        "With any command: --lang en|zh, --bank FOLDER.",
        "任何命令都可以加：--lang en|zh，--bank 文件夹。",
    )
    return {"help": summary, "epilog": f"\b\n{say('Examples', '示例')}:\n{rows}\n\n{everywhere}"}


def invoke(app: typer.Typer, name: str, arguments: Sequence[str]) -> int:
    """Parses and runs a command.

    Returns:
        The exit code: what ``typer.Exit`` said, else 0.

    Raises:
        CoachError: a mistake in the command line.
    """
    command = get_command(app)
    for each in (command, *getattr(command, "commands", {}).values()):
        each.get_help = partial(_help, each.get_help)
    try:
        result = command.main(args=list(arguments), prog_name=name, standalone_mode=False)
    except typer.Abort:
        result = _INTERRUPTED
    except Exception as error:
        # Usage errors know how to show themselves; their class has moved between releases of Typer.
        if not hasattr(error, "show"):
            raise
        raise _explained(error, name) from None
    if result == _INTERRUPTED:
        print(file=sys.stderr)  # after the ^C that the terminal shows
    return result if isinstance(result, int) else 0


def _help(write: Callable[[Any], str], context: Any) -> str:
    """A help page without the braces that Typer puts around arguments, in the language of the run."""
    page = re.sub(r"^Usage: .*", lambda line: re.sub("[{}]", "", line[0]), write(context))
    if run.language == "zh":
        for pattern, words in _HELP_WORDS.items():
            page = re.sub(pattern, words, page, flags=re.MULTILINE)
    return page


def _explained(error: Any, name: str) -> CoachError:
    """A mistake in the command line, in both languages, with the way on."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    path = context.command_path if context else name
    what = getattr(error, "option_name", None)
    if parameter is not None:
        what = max(parameter.opts, key=len) if parameter.param_type_name == "option" else parameter.human_readable_name
    choices = [str(getattr(choice, "value", choice)) for choice in getattr(parameter and parameter.type, "choices", ())]
    detail = str(error.message or error.format_message()).rstrip(".") + "."
    said = _MISTAKES.get(type(error).__name__, _OTHER)
    near = ", ".join(getattr(error, "possibilities", None) or ())
    usage = re.sub("[{}]", "", context.get_usage().partition(": ")[2]) if context else ""
    return CoachError(
        Text(
            *(text.format(what=str(what).removesuffix("...").strip("[]"), detail=detail) for text in (said.en, said.zh))
        ),
        right=" | ".join(choices) or near or usage,
        next_command=f"{path} --help",
    )
