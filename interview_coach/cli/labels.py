"""``coach labels``: the verdicts on answers that the user flipped."""

from __future__ import annotations

from typing import Annotated

import typer

from interview_coach.cli.context import note, say
from interview_coach.cli.parser import new_app, teach

_EXPORT = ("coach labels export > labels.jsonl", say("one JSON object a line", "每行一个 JSON 对象"))

app = new_app(
    **teach(
        say("What you flipped after an answer (f in the app).", "答题后你改判的要点（应用里按 f）。"),
        _EXPORT,
    )
)


@app.callback()
def labels() -> None:
    pass


@app.command(
    **teach(
        say(
            "Writes each verdict of yours that differs from the marker's as a line of JSON: question, point, answer, "
            "from, to, at. Good for improving the question's phrases; nothing is sent anywhere.",
            "把你与批改不同的每个判断写成一行 JSON：question、point、answer、from、to、at。"
            "可用来改进题目的短语；不会发送到任何地方。",
        ),
        _EXPORT,
    )
)
def export(
    to: Annotated[str | None, typer.Option(metavar="FILE", help=say("File to write.", "要写的文件。"))] = None,
) -> None:
    import json

    from interview_coach.drill.labels import labels as flipped
    from interview_coach.store import Store

    with Store.open() as store:
        lines = [json.dumps(label.to_dict(), ensure_ascii=False) for label in flipped(store)]
    if to is None:
        print("".join(f"{line}\n" for line in lines), end="")
    else:
        _write(to, lines)
    note(
        say(f"{len(lines)} labels", f"{len(lines)} 条")
        if lines
        else say("No verdict was flipped yet: coach drill, then f.", "还没有改判过：coach drill，然后按 f。")
    )


def _write(name: str, lines: list[str]) -> None:
    from pathlib import Path

    from interview_coach.errors import CoachError
    from interview_coach.text import Text

    try:
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise CoachError(
            Text(f"The file cannot be written: {error.strerror}.", f"无法写入文件：{error.strerror}。"),
            name,
            next_command="coach labels export > labels.jsonl",
        ) from error
