"""``coach exercises``: what can be coded and graded."""

from __future__ import annotations

from interview_coach.cli.context import say, tell
from interview_coach.cli.parser import new_app, teach

app = new_app()


@app.command(
    **teach(
        say("What can be coded and graded, from softmax on.", "可以写、可以判的练习，从 softmax 开始。"),
        ("coach exercises", say("the list", "列表")),
        ("coach start sdpa", say("the stub of one of them", "其中一个的代码模板")),
    )
)
def list_exercises() -> None:
    from interview_coach.exercises import exercises

    found = exercises()
    column = max((len(name) for name in found), default=0) + 3
    for name, exercise in found.items():
        print(f"{name:<{column}}{tell(exercise.title)}")
    print(say("\nnext: coach start ID", "\n下一步：coach start ID"))
