"""``coach drill``: a question, a clock, an answer."""

from __future__ import annotations

from typing import Annotated

import typer

from interview_coach.cli.app import open_app
from interview_coach.cli.catalogue import find
from interview_coach.cli.context import open_bank, say
from interview_coach.cli.parser import new_app, teach
from interview_coach.text import Text

app = new_app()


@app.command(
    **teach(
        say(
            "One question after another: think, answer before the clock ends, compare, rate.",
            "一题接一题：思考，在时间内作答，对照，打分。",
        ),
        ("coach drill", say("the question of the day first", "先做今日一题")),
        (
            "coach drill --topic masks",
            say("only this topic (coach questions list shows them)", "只练这个主题（见 coach questions list）"),
        ),
    )
)
def drill(
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help=say("Only questions of this topic.", "只出这个主题的题。"))
    ] = None,
) -> None:
    if topic is not None:
        known = {name: name for name in open_bank().topics}
        find(known, topic, Text("topic", "主题"), "coach drill --topic", "coach questions list")
    raise typer.Exit(open_app("drill", topic=topic))
