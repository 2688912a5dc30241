"""``coach hunt``: find the planted bug, in a plain terminal."""

from __future__ import annotations

import select
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from interview_coach.cli.catalogue import find
from interview_coach.cli.context import note, run, say, tell, use_color, width
from interview_coach.cli.parser import new_app, teach
from interview_coach.errors import CoachError
from interview_coach.text import Text

if TYPE_CHECKING:
    from interview_coach.hunt import Hunt, Program, Result

app = new_app()

GIVE_UP = "?"


def _exercise_ids(incomplete: str) -> list[str]:
    from interview_coach.hunt import exercise_ids

    return [name for name in exercise_ids() if name.startswith(incomplete)]


@app.command(
    **teach(
        say(
            "A short attention with one bug. Name the bug, or give its line, before the time is up. "
            "Exit code: 0 found, 1 not found.",
            "一段带有一个错误的注意力代码。在时间用完之前说出是哪个错误，或给出行号。退出码：0 找到，1 未找到。",
        ),
        ("coach hunt", say("another one each time", "每次都不同")),
        ("coach hunt --exercise causal", say("only causal attention", "只看因果注意力")),
        ("coach hunt --seed 7", say("this very one again", "重现同一题")),
    )
)
def hunt(
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help=say("Decides which one it is.", "决定出哪一题。"), min=0)
    ] = None,
    exercise: Annotated[
        str | None,
        typer.Option(metavar="ID", help=say("Only this exercise.", "只出这个练习。"), autocompletion=_exercise_ids),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="SECONDS", help=say("Time to find it.", "限时（秒）。"), min=1)
    ] = 90,
) -> None:
    import secrets

    from interview_coach.hunt import Hunt, choices, choose, exercise_ids

    if exercise is not None:
        known = {name: name for name in exercise_ids()}
        find(
            known, exercise, Text("exercise to hunt in", "可用于找错的练习"), "coach hunt --exercise", "coach exercises"
        )
    chosen = seed if seed is not None else secrets.randbelow(10**6)
    program = choose(chosen, exercise, [] if seed is not None else _found_before())
    game = Hunt(program, choices(program, chosen), clock=time.monotonic, seconds=seconds)
    _show(game)
    _play(game)
    assert game.result is not None
    _reveal(game.result)
    _record(game.result, chosen)
    again = f"coach hunt --exercise {exercise}" if exercise else "coach hunt"
    print(say(f"next: {again}", f"下一步：{again}"))
    raise typer.Exit(0 if game.result.found else 1)


def _show(game: Hunt) -> None:
    from interview_coach.hunt import describe
    from interview_coach.page import wrap

    program, room = game.program, width() - 8
    print(f" {program.exercise} · {tell(program.style)}\n")
    for number, line in enumerate(program.text.splitlines(), 1):
        first, *rest = (line[at : at + room] for at in range(0, max(1, len(line)), room))
        print(f" {_faint(f'{number:>3}')}  {first}".rstrip())
        for more in rest:
            print(f"      {_faint('…')} {more}")
    print()
    for letter, code in zip("abcdef", game.choices, strict=False):
        first, *rest = wrap(f"{letter}  {code}: {tell(describe(code))}", width() - 2, "   ")
        print("\n".join(f" {line}" for line in (first, *rest)))
    print()


def _play(game: Hunt) -> None:
    """Asks until the hunt is over."""
    from interview_coach.hunt.game import PENALTY

    while game.phase == "hunting":
        left = f"{game.remaining:.0f} s"
        print(
            say(f" [{left}] letter or line number (? gives up) > ", f" [{left}] 字母或行号（? 放弃）> "),
            end="",
            flush=True,
        )
        typed = _line(game.remaining)
        if typed is None:
            print()
            game.tick()
            if game.phase == "hunting":
                game.give_up()
        elif typed.strip() == GIVE_UP:
            game.give_up()
        else:
            tried = len(game.wrong)
            right = game.answer(typed)
            if right is None and typed.strip():
                letters = f"a–{'abcdef'[len(game.choices) - 1]}"
                print(say(f" a letter {letters} or a line number", f" 请输入字母 {letters} 或行号"))
            elif right is False and len(game.wrong) > tried:
                print(say(f" ✗ no; that costs {PENALTY:.0f} s", f" ✗ 不对，扣 {PENALTY:.0f} 秒"))


def _line(seconds: float) -> str | None:
    """A line from stdin; ``None`` at its end, or when nothing came in time."""
    try:
        ready, _, _ = select.select([sys.stdin], [], [], max(0.0, seconds))
    except (OSError, ValueError, TypeError):
        # Not something that can be waited for (Windows, a test): then it is read without a limit.
        ready = [sys.stdin]
    return (sys.stdin.readline() or None) if ready else None


def _reveal(result: Result) -> None:
    from interview_coach.grading.codes import question
    from interview_coach.hunt import describe
    from interview_coach.page import wrap

    program: Program = result.program
    code = program.code or ""
    if result.found:
        verdict = say(f"✓ found in {result.seconds:.0f} s", f"✓ 用 {result.seconds:.0f} 秒找到")
    else:
        verdict = say("· not found", "· 没有找到")
    where = say(f"line {program.lines[0]}", f"第 {program.lines[0]} 行")
    for line in wrap(f"{verdict} · {where} · {code}: {tell(describe(code))}", width() - 2, "  "):
        print(f" {line}")
    lines = program.text.splitlines()
    for number in program.lines:
        print(f"   - {lines[number - 1].strip()}")
    for line in program.right:
        print(f"   + {line.strip()}")
    why = question(code)
    if why:
        print(say(f"   why it matters: coach questions show {why}", f"   为什么重要：coach questions show {why}"))


def _found_before() -> list[Program]:
    """Programs whose bug was found already, by the log; none where it cannot be read."""
    from interview_coach.hunt import found_before
    from interview_coach.store import Store

    try:
        with Store.open() as store:
            return found_before(event.data for event in store.events("hunted"))
    except CoachError:
        return []


def _record(result: Result, seed: int) -> None:
    """Writes the result to the log; a log that cannot be written spoils nothing."""
    from datetime import UTC, datetime

    from interview_coach.store import Store

    try:
        with Store.open() as store:
            store.append("hunted", result.event() | {"seed": seed, "language": run.language}, datetime.now(UTC))
    except CoachError as error:
        note(error.message(run.language))


def _faint(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m" if use_color() else text
