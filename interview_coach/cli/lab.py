"""``coach lab``: the experiments behind the answers."""

from __future__ import annotations

from typing import Annotated

import typer

from interview_coach.cli.catalogue import find
from interview_coach.cli.completion import lab_ids
from interview_coach.cli.context import run, say, tell, use_color, width
from interview_coach.cli.parser import new_app, teach
from interview_coach.text import Text

app = new_app()


@app.command(
    **teach(
        say(
            "Runs an experiment and prints its tables and charts: the evidence behind the answers.",
            "运行一个实验并打印表格和图：答案背后的依据。",
        ),
        ("coach lab", say("the list", "列表")),
        ("coach lab entropy", say("why the scores are divided by √d_k", "为什么要除以 √d_k")),
    )
)
def lab(
    lab_id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help=say("Id of the lab.", "实验的编号。"), autocompletion=lab_ids),
    ] = None,
) -> None:
    from interview_coach.labs import labs

    if lab_id is not None:
        found = find(labs(), lab_id, Text("lab", "实验"), "coach lab", "coach lab")
        print(found.render(run.language, width(), use_color()))
        return
    column = max((len(name) for name in labs()), default=0) + 3
    for name, entry in labs().items():
        print(f"{name:<{column}}{tell(entry.title)}")
    print(say("\nnext: coach lab ID", "\n下一步：coach lab ID"))
