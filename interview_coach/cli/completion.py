"""Shell completion: the whole tree of commands, built only for this."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import typer
from typer.main import get_command

from interview_coach.cli.commands import COMMANDS


def complete(arguments: Sequence[str]) -> int:
    """Answers the shell, or installs or prints the completion script."""
    root = typer.Typer(rich_markup_mode=None)
    root.callback()(lambda: None)
    group = get_command(root)
    commands = {name: get_command(import_module(f"interview_coach.cli.{name}").app) for name in COMMANDS}
    vars(group)["commands"].update(commands)
    for name, command in commands.items():
        command.name = name
    group.main(args=list(arguments), prog_name="coach", complete_var="_COACH_COMPLETE")
    return 0


def exercise_ids(incomplete: str) -> list[str]:
    """Exercise ids that begin with what was typed."""
    from interview_coach.exercises import exercises

    return [name for name in exercises() if name.startswith(incomplete)]


def lab_ids(incomplete: str) -> list[str]:
    """Lab ids that begin with what was typed."""
    from interview_coach.labs import labs

    return [name for name in labs() if name.startswith(incomplete)]


def question_ids(incomplete: str) -> list[str]:
    """Question ids that begin with what was typed."""
    from interview_coach.cli.context import open_bank

    return [name for name in open_bank().questions if name.startswith(incomplete)]
