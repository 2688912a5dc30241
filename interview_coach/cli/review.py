"""``coach review``: the flashcards that are due."""

from __future__ import annotations

import typer

from interview_coach.cli.app import open_app
from interview_coach.cli.context import say
from interview_coach.cli.parser import new_app, teach

app = new_app()


@app.command(
    **teach(
        say(
            "The cards that are due today: say the answer aloud, turn the card, rate it.",
            "今天到期的卡片：先说出答案，翻面，再打分。",
        ),
        ("coach review", say("what is due", "到期的卡片")),
        ("coach --lang zh review", say("in Chinese", "用中文")),
    )
)
def review() -> None:
    raise typer.Exit(open_app("review"))
