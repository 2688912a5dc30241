"""``coach questions``: the bank, on paper."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interview_coach.cli.catalogue import find
from interview_coach.cli.completion import question_ids
from interview_coach.cli.context import note, open_bank, run, say, tell, width
from interview_coach.cli.parser import new_app, teach
from interview_coach.errors import CoachError
from interview_coach.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interview_coach.bank import Bank, Question

_HELP = teach(
    say("The questions: list, show, search, check.", "题目：列出、查看、搜索、检查。"),
    ("coach questions list --topic masks", say("one topic", "一个主题")),
    ("coach questions show why-sqrt-dk", say("a whole question", "一道题的全部内容")),
    ("coach questions search softmax", say("in English or Chinese", "中英文皆可")),
    ("coach questions lint my-questions", say("check files you wrote", "检查你写的题目文件")),
)

app = new_app(invoke_without_command=True, **_HELP)


@app.callback()
def questions(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        _table(_checked_bank().questions.values())


@app.command(
    "list",
    **teach(
        say("All questions, or those of a topic or a tag.", "全部题目，或某个主题、标签的题目。"),
        ("coach questions list", say("all", "全部")),
        ("coach questions list --topic masks", say("one topic", "一个主题")),
        ("coach questions list --tag softmax", say("one tag", "一个标签")),
    ),
)
def list_questions(
    topic: Annotated[str | None, typer.Option(metavar="TOPIC", help=say("Only this topic.", "只看这个主题。"))] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help=say("Only this tag.", "只看这个标签。"))] = None,
) -> None:
    bank = _checked_bank()
    for wanted, known, noun in ((topic, bank.topics, Text("topic", "主题")), (tag, bank.tags, Text("tag", "标签"))):
        if wanted is not None:
            find(
                {name: name for name in known},
                wanted,
                noun,
                f"coach questions list --{noun.en}",
                "coach questions list",
            )
    _table(bank.filter(topic=topic, tag=tag))


@app.command(
    **teach(
        say(
            "A whole question: answer, key points, pitfalls, follow-ups, sources.",
            "一道题的全部内容：答案、要点、误区、追问、出处。",
        ),
        ("coach questions show why-sqrt-dk", say("in the language of the settings", "按设置的语言")),
        ("coach questions show why-sqrt-dk --lang zh", say("in Chinese", "用中文")),
    )
)
def show(
    question_id: Annotated[
        str, typer.Argument(metavar="ID", help=say("Id of the question.", "题目的编号。"), autocompletion=question_ids)
    ],
) -> None:
    bank = _checked_bank()
    print(
        _sheet(
            find(bank.questions, question_id, Text("question", "题目"), "coach questions show", "coach questions list")
        )
    )


@app.command(
    **teach(
        say("Questions that speak of something, the nearest first.", "搜索题目，最相关的在前。"),
        ("coach questions search softmax", say("one word", "一个词")),
        ("coach questions search 掩码 NaN", say("several, mixed", "多个词，可混用")),
    )
)
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help=say("What to look for.", "要搜索的词。"))],
) -> None:
    found = _checked_bank().search(" ".join(words))
    if not found:
        raise CoachError(
            Text("No question speaks of that.", "没有相关的题目。"),
            " ".join(words),
            next_command="coach questions list",
        )
    _table(found)


@app.command(
    "lint",
    **teach(
        say(
            "Checks question files: all that is wrong, as file:line: field: what is wrong, what is allowed.",
            "检查题目文件：列出全部问题，格式为 文件:行: 字段: 错误与允许的值。",
        ),
        ("coach questions lint", say("the bank that is in use", "正在使用的题库")),
        ("coach questions lint my-questions", say("a folder of your own", "你自己的文件夹")),
    ),
)
def lint_files(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[FOLDER]...", help=say("Folders of question files.", "题目文件夹。"))
    ] = None,
) -> None:
    if folders:
        from interview_coach.bank import lint

        for folder in folders:
            if not folder.exists():
                raise CoachError(
                    Text("There is no such folder.", "没有这个文件夹。"),
                    folder,
                    Text("a folder of question files (*.yaml)", "存放题目文件（*.yaml）的文件夹"),
                    "coach questions lint",
                )
        problems = lint(folders)
    else:
        bank = open_bank()
        problems = list(bank.problems)
        if not problems:
            print(say(f"{len(bank.questions)} questions, nothing wrong", f"{len(bank.questions)} 道题，没有问题"))
    for problem in problems:
        print(problem.format(run.language))
    if problems:
        raise typer.Exit(1)
    if folders:
        print(say("nothing wrong", "没有问题"))


def _checked_bank() -> Bank:
    """The bank; says on stderr how many files of it have problems."""
    bank = open_bank()
    if bank.problems:
        files = len({problem.file for problem in bank.problems})
        lint_them = " ".join(["coach questions lint", *(shlex.quote(folder) for folder in run.banks)])
        count = "1 question file has" if files == 1 else f"{files} question files have"
        note(say(f"{count} problems, left out: {lint_them}", f"{files} 个题目文件有问题，未载入：{lint_them}"))
    return bank


def _table(questions: Iterable[Question]) -> None:
    from interview_coach.page import display_width, pad

    rows = [(q.id, q.topic, f"{q.level}", tell(q.prompt)) for q in questions]
    if not rows:
        return
    ids, topics = (max(display_width(row[i]) for row in rows) for i in (0, 1))
    room = width() - ids - topics - 7
    for name, topic, level, prompt in rows:
        print(f"{pad(name, ids)}  {pad(topic, topics)}  {level}  {_cut(' '.join(prompt.split()), room)}".rstrip())


def _cut(text: str, room: int) -> str:
    from interview_coach.page import display_width

    if room < 10:
        return ""
    if display_width(text) <= room:
        return text
    while display_width(text) > room - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def _sheet(question: Question) -> str:
    """A question as Markdown."""
    from interview_coach.exercises import practising

    lines = [f"# {tell(question.prompt).strip()}", ""]
    level = say("level", "难度")
    lines += [f"{question.id} · {question.topic} · {level} {question.level} · {', '.join(question.tags)}"]
    sections: list[tuple[str, list[str]]] = [
        (say("What they look for", "考察什么"), [tell(question.intent)]),
        (say("In 30 seconds", "三十秒版"), [tell(question.elevator)]),
        (say("Answer", "参考答案"), [tell(question.answer)]),
        (
            say("Key points", "要点"),
            [
                f"- {tell(point.text).strip()}" + ("" if point.weight == "core" else say(" (bonus)", "（加分）"))
                for point in question.key_points
            ],
        ),
        (
            say("Often said, and wrong", "常见错误"),
            [f"- ✗ {tell(pitfall.wrong).strip()}\n  ✓ {tell(pitfall.right).strip()}" for pitfall in question.pitfalls],
        ),
        (
            say("They would ask next", "接下来会问"),
            [f"- {tell(f.question).strip()}\n  {tell(f.answer).strip()}" for f in question.follow_ups],
        ),
        (
            say("Sources", "出处"),
            [
                "- "
                + ", ".join(str(part) for part in (r.title, r.year, r.section) if part)
                + (f"  {r.url}" if r.url else "")
                for r in question.references
            ],
        ),
    ]
    for title, body in sections:
        if body:
            lines += ["", f"## {title}", "", *(text.strip() for text in body)]
    following = [f"coach start {name}" for name in practising(question.id, question.exercise)]
    if question.lab:
        following.append(f"coach lab {question.lab}")
    if following:
        lines += ["", say("next: ", "下一步：") + " · ".join(following)]
    return "\n".join(lines)
