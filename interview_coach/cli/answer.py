"""``coach answer``: a spoken or typed answer, marked."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interview_coach.cli.catalogue import find
from interview_coach.cli.completion import question_ids
from interview_coach.cli.context import note, open_bank, run, say, tell, use_color, width
from interview_coach.cli.parser import new_app, teach
from interview_coach.errors import CoachError
from interview_coach.text import Text

if TYPE_CHECKING:
    from interview_coach.bank import Question
    from interview_coach.judge import Judged
    from interview_coach.marking import Marking, PointMark

app = new_app()

STDIN = "-"


class Format(StrEnum):
    text = "text"
    json = "json"


@app.command(
    **teach(
        say(
            "Marks an answer: what was said, what was missed, what was wrong. Exit code 0, whatever the answer.",
            "批改回答：说到了什么，漏了什么，说错了什么。无论答得如何，退出码都是 0。",
        ),
        (
            'coach answer why-sqrt-dk --text "…"',
            say("an answer on the command line", "直接在命令行给出回答"),
        ),
        ("coach answer why-sqrt-dk --file a.txt", say("from a file", "从文件读取")),
        ("cat a.txt | coach answer why-sqrt-dk -", say("from standard input", "从标准输入读取")),
        ("coach answer why-sqrt-dk - --format json", say("for a program", "供程序读取")),
        (
            'coach answer why-sqrt-dk --judge --text "…"',
            say("with a language model's suggestions", "加上语言模型的建议"),
        ),
    )
)
def answer(
    question_id: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION", help=say("Id of the question.", "题目的编号。"), autocompletion=question_ids
        ),
    ],
    source: Annotated[
        str | None, typer.Argument(metavar="[-]", help=say("- reads standard input.", "- 表示标准输入。"))
    ] = None,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help=say("The answer.", "回答。"))] = None,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help=say("A file with the answer.", "存有回答的文件。"))
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help=say("Seconds that the answer took.", "回答用了多少秒。"), min=0),
    ] = None,
    judge: Annotated[
        bool,
        typer.Option(
            "--judge",
            help=say(
                "Sends the answer to the language model of [judge], for suggestions.",
                "把回答发给 [judge] 里的语言模型，征求建议。",
            ),
        ),
    ] = False,
    format_: Annotated[Format, typer.Option("--format", help=say("Form of the output.", "输出格式。"))] = Format.text,
) -> None:
    from interview_coach.marking import mark

    question = find(
        open_bank().questions, question_id, Text("question", "题目"), "coach answer", "coach questions list"
    )
    said = _said(question_id, source, text, file)
    marking = mark(question, said, seconds=seconds)
    suggestions = _suggested(question, said, marking) if judge else None
    if format_ is Format.json:
        import json

        found = marking.to_dict()
        if judge:
            found["suggestions"] = None if suggestions is None else [each.to_dict() for each in suggestions]
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return
    print("\n".join(_lines(question, marking, suggestions or ())))


def _suggested(question: Question, said: str, marking: Marking) -> tuple[Judged, ...] | None:
    """What the judge suggests; ``None``, and why on stderr, where it cannot say: the marking stands without it."""
    import asyncio

    from interview_coach.judge import ask_judge, load_judge_config

    try:
        reply = asyncio.run(ask_judge(load_judge_config(), question, said, marking.language))
    except CoachError as error:
        note(error.message(run.language))
        return None
    if not (suggestions := reply.suggestions(marking)):
        note(say("The judge has nothing to suggest.", "评判没有建议。"))
    return suggestions


def _said(question_id: str, source: str | None, text: str | None, file: str | None) -> str:
    """The answer, from where the command line says.

    Raises:
        CoachError: it says no place, several, or one that cannot be read.
    """
    example = f'coach answer {question_id} --text "…"'
    if source not in (None, STDIN):
        raise CoachError(
            Text(f"{source!r} is not a place to read from.", f"不能从 {source!r} 读取。"),
            right='--text "…" | --file FILE | -',
            next_command=f"coach answer {question_id} --file {source}",
        )
    places = [place for place in (source, text, file) if place is not None]
    if len(places) != 1:
        what = Text("The answer is missing.", "没有给出回答。")
        if places:
            what = Text("The answer is given twice.", "回答给了不止一处。")
        raise CoachError(what, right='--text "…" | --file FILE | -', next_command=example)
    if text is not None:
        return text
    try:
        if STDIN in (source, file):
            return sys.stdin.buffer.read().decode("utf-8", errors="replace")
        return Path(places[0]).read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise CoachError(
            Text(f"The file cannot be read: {error.strerror}.", f"无法读取文件：{error.strerror}。"),
            places[0],
            next_command=example,
        ) from error


_SIGNS = {"contradicted": ("✗", "31"), "unsure": ("?", "33"), "missing": ("·", "2"), "partial": ("~", "33")}
_NOTES = {
    "missing": Text("missed", "没说到"),
    "partial": Text("half of it", "说了一半"),
    "unsure": Text("unclear: is this meant?", "不确定：是这个意思吗？"),
}


_SUGGESTED = {
    "hit": Text("the judge would call it said", "评判认为说到了"),
    "partial": Text("the judge would call it half said", "评判认为说了一半"),
    "contradicted": Text("the judge would call it wrong", "评判认为说错了"),
}


def _lines(question: Question, marking: Marking, suggestions: tuple[Judged, ...] = ()) -> list[str]:
    from interview_coach.page import wrap

    lines = [*wrap(" ".join(tell(question.prompt).split()), width()), ""]
    texts = {point.id: point.text for point in question.key_points}
    suggested = {each.id: f"{tell(_SUGGESTED[each.verdict])}: {_quoted(each.quote)}" for each in suggestions}
    for point in marking.wrong_first:
        lines += _point_lines(point, texts[point.id])
        lines += [f"    {row}" for row in wrap(suggested.get(point.id, ""), width() - 4) if row]
    core, bonus = (_counted(marking, weight) for weight in ("core", "bonus"))
    unit = say("words/min", "词/分") if marking.language == "en" else say("characters/min", "字/分")
    length = say("words", "词") if marking.language == "en" else say("characters", "字")
    facts = [say(f"{core} core", f"核心 {core}"), say(f"{bonus} bonus", f"加分 {bonus}"), f"{marking.length} {length}"]
    if marking.words_per_minute is not None:
        facts.append(f"{marking.words_per_minute:.0f} {unit}")
    if marking.fillers:
        facts.append(say("fillers", "口头禅") + " " + ", ".join(f"{word} ×{count}" for word, count in marking.fillers))
    rating = {"again": ("again", "重来"), "hard": ("hard", "困难"), "good": ("good", "良好"), "easy": ("easy", "轻松")}
    rated = say(*rating[marking.suggested_rating])
    lines += [
        "",
        " · ".join(facts),
        say(f"rating: {rated} ({marking.reason.en})", f"评分：{rated}（{marking.reason.zh}）"),
    ]
    lines += wrap(tell(marking.advice), width())
    if marking.next_follow_up:
        asked = tell(marking.next_follow_up.question)
        lines += wrap(say(f"They would ask next: {asked}", f"接下来会问：{asked}"), width())
    lines.append(say(f"next: coach questions show {question.id}", f"下一步：coach questions show {question.id}"))
    return lines


def _counted(marking: Marking, weight: str) -> str:
    verdicts = [point.verdict for point in marking.points if point.weight == weight]
    return f"{verdicts.count('hit')}/{len(verdicts)}"


def _point_lines(point: PointMark, text: Text) -> list[str]:
    from interview_coach.page import wrap

    sign, color = _SIGNS.get(point.verdict, ("✓", "32"))
    mark = f"\033[{color}m{sign}\033[0m" if use_color() else sign
    quote = _quoted(point.quote)
    remark = (
        tell(point.correction) if point.correction else tell(_NOTES[point.verdict]) if point.verdict in _NOTES else ""
    )
    first = tell(text) if point.verdict != "contradicted" else f"{quote}  {remark}"
    rest = [] if point.verdict == "contradicted" else [part for part in (remark, quote) if part]
    rows = wrap(first, width() - 2)
    lines = [f"{mark} {rows[0]}", *(f"  {row}" for row in rows[1:])]
    return lines + ([f"    {'  '.join(rest)}"] if rest else [])


def _quoted(words: str) -> str:
    words = " ".join(words.split())
    return f'"{words[:77]}…"' if len(words) > 78 else f'"{words}"' if words else ""
