"""Bug hunt: the catalogue against the grader, the game on a clock of its own, the command in a plain terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from interview_coach.grading import grade
from interview_coach.grading.codes import BUG_CLASSES
from interview_coach.grading.sandbox import Sandbox
from interview_coach.hunt import Hunt, Program, choices, choose, describe, exercise_ids, programs, templates
from interview_coach.hunt.catalogue import SYNONYMS
from interview_coach.hunt.template import Template
from interview_coach.store import Store
from interview_coach.text import Text


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


PROGRAM = next(p for p in programs() if (p.template, p.code) == ("torch-function", "softmax-wrong-axis"))
CHOICES = ("missing-scale", "softmax-wrong-axis", "mask-ignored", "mask-inverted")


def start(clock: Clock) -> Hunt:
    return Hunt(PROGRAM, CHOICES, clock=clock, seconds=60, penalty=10)


# --- the catalogue --------------------------------------------------------------------------------------------------


def test_there_are_enough_of_them() -> None:
    assert len(templates()) >= 6
    assert len(programs()) >= 60
    assert len({program.code for program in programs()}) >= 20
    assert len({(program.template, program.code) for program in programs()}) == len(programs())


@pytest.mark.parametrize("program", programs(), ids=lambda p: f"{p.template}-{p.code}")
def test_a_planted_bug_is_a_small_change_at_the_lines_that_are_told(program: Program) -> None:
    template = next(t for t in templates() if t.id == program.template)
    before, after = template.text.splitlines(), program.text.splitlines()
    compile(program.text, "program", "exec")
    first, last = program.lines[0], program.lines[-1]
    assert program.lines == tuple(range(first, last + 1))
    assert len(program.lines) <= 4
    restored = [*after[: first - 1], *program.right, *after[last:]]
    assert restored == before or [*after[: first - 1], *program.right, *after[first - 1 :]] == before


@pytest.mark.parametrize("template", templates(), ids=lambda t: t.id)
def test_nothing_written_in_a_program_gives_the_bug_away(template: Template) -> None:
    comments = {p: re.findall(r"#.*|\"\"\".*?\"\"\"", p.text) for p in (template.right(), *template.programs())}
    assert len({tuple(c) for c in comments.values()}) == 1, "a bug changes no comment"
    words = " ".join(comments[template.right()]).lower()
    assert not re.search(r"bug|wrong|fixme|todo|错|sqrt|√|softmax|scale by|缩放因子", words.replace("softmax(", ""))


def test_every_bug_has_a_name_in_both_languages() -> None:
    for code in {program.code or "" for program in programs()}:
        assert code in BUG_CLASSES
        assert describe(code).en != describe(code).zh
        assert re.search(r"[一-鿿]", describe(code).zh)


def test_an_edit_that_fits_nowhere_or_twice_is_refused() -> None:
    broken = Template("t", "sdpa", Text("", ""), "a = 1\nb = 1\n", {"x": ("1", "2"), "y": ("3", "4")})
    for code in ("x", "y"):
        with pytest.raises(ValueError, match="times"):
            broken.planted(code)


def test_the_seed_decides_and_the_exercise_is_kept() -> None:
    assert [choose(n) for n in range(20)] == [choose(n) for n in range(20)]
    assert len({choose(n) for n in range(50)}) > 25
    for exercise in exercise_ids():
        assert {choose(n, exercise).exercise for n in range(20)} == {exercise}
    with pytest.raises(ValueError, match="multi-head"):
        choose(1, "nothing")


def test_what_was_found_comes_again_only_when_nothing_else_is_left() -> None:
    all_of_them = programs("cross-attention")
    assert {choose(n, "cross-attention", all_of_them[1:]) for n in range(10)} == {all_of_them[0]}
    assert choose(1, "cross-attention", all_of_them) in all_of_them


@pytest.mark.parametrize("count", [4, 5, 6])
def test_the_choices_hold_the_bug_once_and_no_synonym_of_it(count: int) -> None:
    positions = set()
    for seed, program in enumerate(programs()):
        offered = choices(program, seed, count)
        assert len(offered) == len(set(offered)) == count
        assert program.code in offered
        positions.add(offered.index(program.code or ""))
        for group in SYNONYMS:
            assert len(group & set(offered)) <= 1
    assert positions == set(range(count)), "the place tells nothing"


@pytest.mark.slow
@pytest.mark.parametrize("template", templates(), ids=lambda t: t.id)
def test_the_grader_gives_the_same_answer(template: Template, sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(template.text, encoding="utf-8")
    assert grade(file, sandbox=sandbox, seed=11).verdict == "pass"
    for program in template.programs():
        file.write_text(program.text, encoding="utf-8")
        report = grade(file, sandbox=sandbox, seed=11)
        assert report.verdict == "fail", program.code
        assert program.code in [diagnosis.code for diagnosis in report.diagnosis], program.code
        pointed = [d.line for d in report.diagnosis if d.code == program.code and d.line is not None]
        assert not pointed or pointed[0] in program.lines + program.also, (program.code, pointed)


# --- the game -------------------------------------------------------------------------------------------------------


def test_naming_the_bug_ends_it(clock: Clock) -> None:
    game = start(clock)
    clock.now += 12
    assert game.name("softmax-wrong-axis")
    assert game.phase == "over"
    assert game.result is not None
    assert (game.result.found, game.result.by, game.result.seconds) == (True, "code", 12.0)
    clock.now += 100
    assert game.elapsed == 12.0


def test_pointing_at_its_line_ends_it_too(clock: Clock) -> None:
    game = start(clock)
    assert game.point(PROGRAM.lines[0])
    assert game.result is not None and game.result.by == "line"


def test_the_line_that_the_grader_points_at_is_as_good(clock: Clock) -> None:
    program = next(p for p in programs() if (p.template, p.code) == ("module-fused", "causal-missing"))
    assert len(program.also) == 1 and program.also[0] not in program.lines
    game = Hunt(program, choices(program, 1), clock=clock)
    assert game.point(program.also[0])


def test_a_wrong_guess_costs_time_once(clock: Clock) -> None:
    game = start(clock)
    assert not game.name("mask-ignored")
    assert game.remaining == 50
    assert not game.name("mask-ignored")
    assert game.remaining == 50, "said before"
    assert not game.name("no-such-code")
    assert not game.point(999)
    assert game.remaining == 50, "no guess"
    assert not game.point(1)
    assert game.remaining == 40
    assert game.wrong == ["mask-ignored", "1"]
    assert game.phase == "hunting"


def test_time_ends_it_also_by_penalties(clock: Clock) -> None:
    game = start(clock)
    clock.now += 59
    game.tick()
    assert game.phase == "hunting"
    clock.now += 1
    assert not game.name("softmax-wrong-axis"), "too late"
    assert game.result is not None and not game.result.found
    assert game.result.seconds == 60

    game = start(clock)
    clock.now += 55
    game.name("mask-ignored")
    assert game.phase == "over"
    assert game.remaining == 0


def test_giving_up_is_final(clock: Clock) -> None:
    game = start(clock)
    game.give_up()
    assert not game.name("softmax-wrong-axis")
    assert game.result is not None and game.result.by is None


def test_a_pause_takes_no_time_and_no_guesses(clock: Clock) -> None:
    game = start(clock)
    clock.now += 10
    game.pause()
    clock.now += 500
    assert game.remaining == 50
    assert not game.name("softmax-wrong-axis")
    game.resume()
    clock.now += 5
    assert game.remaining == 45
    assert game.name("softmax-wrong-axis")


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        *[(typed, True) for typed in ("b", " B \n", "softmax-wrong-axis", str(PROGRAM.lines[0]))],
        *[(typed, False) for typed in ("a", "1", "missing-scale")],
        *[(typed, None) for typed in ("e", "", "0", "999", "²", "ab")],
    ],
)
def test_what_was_typed(clock: Clock, typed: str, right: bool | None) -> None:
    game = start(clock)
    assert game.answer(typed) is right
    assert (game.phase == "over") is (right is True)
    assert bool(game.wrong) is (right is False)


def test_a_hunt_needs_its_bug_among_the_choices(clock: Clock) -> None:
    with pytest.raises(ValueError, match="softmax-wrong-axis"):
        Hunt(PROGRAM, ("missing-scale",), clock=clock)


def test_the_event(clock: Clock) -> None:
    game = start(clock)
    clock.now += 3.21
    game.name("mask-ignored")
    game.point(PROGRAM.lines[0])
    assert game.result is not None
    assert game.result.event() == {
        "template": "torch-function", "exercise": "sdpa", "code": "softmax-wrong-axis", "found": True, "by": "line",
        "wrong": ["mask-ignored"], "seconds": 13.2,
    }  # fmt: skip


# --- the command ----------------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> int:
    from interview_coach.cli.commands import dispatch

    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return dispatch(["hunt", *arguments])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path))
    return tmp_path


def test_the_command_finds_records_and_does_not_repeat(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = choose(5, "sdpa")
    offered = choices(program, 5)
    letter = "abcde"[offered.index(program.code or "")]
    wrong = next(other for other in "abcde" if other != letter)
    assert run(monkeypatch, f"{wrong}\nnonsense\n{letter}\n", "--seed", "5", "--exercise", "sdpa", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "✗ no; that costs 15 s" in out
    assert "a letter a–e or a line number" in out
    assert f"✓ found in 15 s · line {program.lines[0]} · {program.code}" in " ".join(out.split())
    assert all(line.strip() in out for line in program.right)
    with Store.open() as store:
        (event,) = store.events("hunted")
    assert (event.data["code"], event.data["found"], event.data["seed"]) == (program.code, True, 5)
    assert event.data["wrong"] == [offered["abcde".index(wrong)]]

    monkeypatch.setattr("interview_coach.hunt.choose", lambda seed, exercise, avoid: avoid[0])
    run(monkeypatch, "?\n", "--exercise", "sdpa")
    assert program.text.splitlines()[-1] in capsys.readouterr().out, "what was found is to be avoided"


def test_giving_up_or_the_end_of_the_input_shows_the_answer_in_chinese(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed in ("?\n", ""):
        assert run(monkeypatch, typed, "--seed", "5", "--lang", "zh") == 1
        out = capsys.readouterr().out
        assert "没有找到" in out and "下一步：coach hunt" in out
        assert describe(choose(5).code or "").zh.split("：")[0] in out.replace("\n", "").replace("   ", "")


def test_an_exercise_without_programs_is_an_error_with_the_way_out(home: Path) -> None:
    from interview_coach.errors import CoachError

    with pytest.raises(CoachError) as error:
        from interview_coach.cli.commands import dispatch

        dispatch(["hunt", "--exercise", "sdp"])
    assert error.value.next_command == "coach hunt --exercise sdpa"
