"""How the commands are parsed: Typer, set once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer
from typer.main import get_command

from interview_coach.cli.context import say


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
        The exit code: what ``typer.Exit`` said, 2 for a mistake in the command line, else 0.
    """
    command = get_command(app)
    try:
        result = command.main(args=list(arguments), prog_name=name, standalone_mode=False)
    except typer.Abort:
        return 130
    except Exception as error:
        # Usage errors know how to show themselves; their class has moved between releases of Typer.
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        return int(getattr(error, "exit_code", 2))
    return result if isinstance(result, int) else 0
