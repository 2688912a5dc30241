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
        (
            "coach drill --follow-ups",
            say("an interviewer who asks on; w writes it down", "会追问的面试官；按 w 写成文件"),
        ),
    )
)
def drill(
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help=say("Only questions of this topic.", "只出这个主题的题。"))
    ] = None,
    follow_ups: Annotated[
        bool,
        typer.Option(
            "--follow-ups",
            help=say("Up to three follow-ups about what was wrong or missed.", "针对说错、漏掉的要点，最多追问三次。"),
        ),
    ] = False,
) -> None:
    if topic is not None:
        known = {name: name for name in open_bank().topics}
        find(known, topic, Text("topic", "主题"), "coach drill --topic", "coach questions list")
    raise typer.Exit(open_app("interview" if follow_ups else "drill", topic=topic))
