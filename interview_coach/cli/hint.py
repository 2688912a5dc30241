"""``coach hint``: one of three hints for an exercise."""

from __future__ import annotations

from typing import Annotated

import typer

from interview_coach.cli.catalogue import find
from interview_coach.cli.completion import exercise_ids
from interview_coach.cli.context import say, tell, width
from interview_coach.cli.parser import new_app, teach
from interview_coach.text import Text

app = new_app()


@app.command(
    **teach(
        say(
            "A hint for an exercise: 1 points the way, 2 names the step, 3 is nearly the answer.",
            "练习的提示：1 指方向，2 说步骤，3 接近答案。",
        ),
        ("coach hint sdpa", say("the first hint", "第一条提示")),
        ("coach hint sdpa 3", say("nearly the answer", "接近答案")),
    )
)
def hint(
    exercise: Annotated[
        str,
        typer.Argument(
            metavar="EXERCISE", help=say("Id of the exercise.", "练习的编号。"), autocompletion=exercise_ids
        ),
    ],
    level: Annotated[
        int, typer.Argument(metavar="[LEVEL]", min=1, max=3, help=say("How much is told.", "提示的程度。"))
    ] = 1,
) -> None:
    from interview_coach.exercises import exercises
    from interview_coach.page import wrap

    found = find(exercises(), exercise, Text("exercise", "练习"), "coach hint", "coach exercises")
    for paragraph in tell(found.hints[level - 1]).splitlines():
        print("\n".join(wrap(paragraph, width())))
    if level == 3:
        print(say("\nwhy it is so:", "\n为什么："))
        print("\n".join(f"  coach questions show {name}" for name in found.questions))
    following = f"coach hint {exercise} {level + 1}" if level < 3 else f"coach start {exercise}"
    print(say(f"\nnext: {following}", f"\n下一步：{following}"))
