"""``coach start``: the stub of an exercise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interview_coach.cli.catalogue import find
from interview_coach.cli.completion import exercise_ids
from interview_coach.cli.context import say, tell
from interview_coach.cli.parser import new_app, teach
from interview_coach.errors import CoachError
from interview_coach.text import Text

app = new_app()


@app.command(
    **teach(
        say(
            "Writes the stub of an exercise: the signature, and what it must do. A file that exists is left alone.",
            "生成练习的代码模板：函数签名和要求。已有的文件不会被覆盖。",
        ),
        ("coach start sdpa", say("writes sdpa.py", "生成 sdpa.py")),
        ("coach start causal --to mine.py", say("under another name", "换一个文件名")),
    )
)
def start(
    exercise: Annotated[
        str,
        typer.Argument(
            metavar="EXERCISE", help=say("Id of the exercise.", "练习的编号。"), autocompletion=exercise_ids
        ),
    ],
    to: Annotated[Path | None, typer.Option(metavar="FILE", help=say("File to write.", "要写的文件。"))] = None,
) -> None:
    from interview_coach.exercises import exercises

    found = find(exercises(), exercise, Text("exercise", "练习"), "coach start", "coach exercises")
    path = to or Path(f"{exercise.replace('-', '_')}.py")
    if path.is_dir():
        path /= f"{exercise.replace('-', '_')}.py"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(found.stub)
    except FileExistsError as error:
        raise CoachError(
            Text("The file exists already, and was left as it is.", "文件已存在，未作改动。"),
            path,
            Text("a new name", "一个新文件名"),
            f"coach start {exercise} --to {_free(path)}",
        ) from error
    except OSError as error:
        raise CoachError(
            Text(f"The file cannot be written: {error.strerror}.", f"无法写入文件：{error.strerror}。"), path
        ) from error
    print(f"{path} · {tell(found.title)}")
    why = f"coach questions show {found.questions[0]}"
    print(say(f"what it is about: {why}", f"相关题目：{why}"))
    print(say(f"next: fill it in, then coach grade {path}", f"下一步：写完后运行 coach grade {path}"))


def _free(path: Path) -> Path:
    number = 2
    while (candidate := path.with_stem(f"{path.stem}_{number}")).exists():
        number += 1
    return candidate
