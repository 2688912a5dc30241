"""What is wrong with a question file is told with its line, all at once, and the other files still open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interview_coach.bank import Bank, Problem, lint, load_bank
from tests.bank_support import sample, write


def only(problems: list[Problem]) -> Problem:
    assert len(problems) == 1, [str(each) for each in problems]
    return problems[0]


def test_a_sample_has_no_problem(tmp_path: Path) -> None:
    write(tmp_path)
    assert lint([tmp_path]) == []


LINES = sample().split("\n")


def line_with(text: str) -> int:
    return next(number for number, line in enumerate(LINES, start=1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "words"),
    [
        ("level: 2", "level: 9", 4, "level", ["'9'", "1 to 5"]),
        ("level: 2", "level: high", 4, "level", ["whole number", "'high'"]),
        ("level: 2", "level: 2.5", 4, "level", ["whole number", "'2.5'"]),
        ("level: 2", "level:", 4, "level", ["whole number"]),
        ("level: 2\n", "", 1, "level", ["missing"]),
        ("kind: concept", "kind: riddle", 6, "kind", ["'riddle'", "concept, derivation, numbers, code, design"]),
        ("tags: [softmax]", "tags: softmax", 3, "tags", ["a list", "a text"]),
        ("tags: [softmax]", "tags: [Soft Max]", 3, "tags[0]", ["lower-case"]),
        ("zh: 是否理解。", "zh: ''", 8, "intent.zh", ["empty"]),
        ("en: Whether it is understood.", "en: ' '", 8, "intent.en", ["empty"]),
        ("en: Whether it is understood., ", "", 8, "intent.en", ["missing"]),
        ("zh: 是否理解。", "zh: understood", 8, "intent.zh", ["no Chinese"]),
        ("intent: {", "intent: [a]\nintnt: {", 8, "intent", ["a mapping with en, zh", "a list"]),
        ("weight: core", "weight: main", line_with("weight: core"), "key_points[0].weight", ["'main'", "core, bonus"]),
        ("expected: 4.12", "expected: .nan", line_with("expected"), "claims[0].expected", ["finite"]),
        ("expected: 4.12", "expected: nan", line_with("expected"), "claims[0].expected", ["finite"]),
        ("tolerance: 0.05", "tolerance: -1", line_with("expected"), "claims[0].tolerance", ["at least 0"]),
        ("year: 2017", "year: 17", line_with("year"), "references[0].year", ["'17'", "at least 1900"]),
        ('url: "https', 'url: "file', line_with("year"), "references[0].url", ["https://"]),
        ("refutes: [A36]", "refutes: [36]", line_with("refutes"), "pitfalls[0].refutes[0]", ["'36'", "A36"]),
        ("when_missing: first", "when_missing: fist", line_with("when_missing"), "follow_ups[0].when_missing",
         ["fist", "first, second, third"]),
        ("id: second", "id: first", line_with("id: second"), "key_points[1].id", ["two key points"]),
        ("topic: scaling", "topic: masks", 2, "topic", ["masks", "scaling/"]),
        ("id: sample", "id: other", 1, "id", ["other.yaml"]),
        ("en: [one]", "en: []", line_with("en: [one]"), "key_points[0].concepts[0].en", ["at least one"]),
        ("lab: entropy\nclaims", "lab: [a]\nclaims", line_with("lab: entropy"), "lab", ["a text", "a list"]),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, field: str, words: list[str]
) -> None:
    assert old in sample()
    path = write(tmp_path, text=sample().replace(old, new, 1))
    found = next(each for each in lint([tmp_path]) if each.field == field)
    assert (found.file, found.line) == (str(path), line)
    assert all(word in found.message for word in words), found.message
    assert found.message_zh != found.message
    assert str(found) == f"{path}:{line}: {field}: {found.message}"


def test_an_unknown_field_is_told_with_the_nearest_known_one(tmp_path: Path) -> None:
    write(tmp_path, text=sample().replace("exercise: sdpa", "excercise: sdpa"))
    found = only(lint([tmp_path]))
    assert (found.line, found.field) == (line_with("exercise"), "excercise")
    assert "did you mean exercise?" in found.message and "key_points" in found.message


def test_an_unknown_field_inside_a_part_names_the_fields_of_that_part(tmp_path: Path) -> None:
    write(tmp_path, text=sample().replace("  - question:", "  - hint: x\n    question:"))
    found = only(lint([tmp_path]))
    assert (found.line, found.field) == (line_with("- question"), "follow_ups[0].hint")
    assert found.message.endswith("allowed: question, answer, when_missing")


def test_a_core_key_point_needs_a_misconception(tmp_path: Path) -> None:
    write(tmp_path, text=sample().replace("weight: bonus", "weight: core", 1))
    found = only(lint([tmp_path]))
    assert (found.line, found.field) == (line_with("id: second"), "key_points[1]")
    assert "misconception" in found.message


@pytest.mark.parametrize(("words", "faulty"), [(75, False), (76, True)])
def test_an_elevator_answer_fits_into_thirty_seconds(tmp_path: Path, words: int, faulty: bool) -> None:
    text = sample().replace("{en: Short., zh: 简短。}", "\n  en: " + "word " * words + "\n  zh: 简短。")
    write(tmp_path, text=text)
    found = lint([tmp_path])
    assert bool(found) == faulty
    if faulty:
        assert (found[0].line, found[0].field) == (line_with("elevator") + 1, "elevator.en")
        assert "76 words" in found[0].message and "75" in found[0].message


@pytest.mark.parametrize(("characters", "faulty"), [(130, False), (131, True)])
def test_a_chinese_elevator_answer_too(tmp_path: Path, characters: int, faulty: bool) -> None:
    write(tmp_path, text=sample().replace("zh: 简短。", "zh: sqrt，" + "字" * characters))
    found = lint([tmp_path])
    assert [(each.field, "131 Chinese" in each.message) for each in found] == (
        [("elevator.zh", True)] if faulty else []
    )


@pytest.mark.parametrize(
    ("content", "line", "field", "words"),
    [
        (b"", 1, "file", "is empty"),
        (b"# only a comment\n", 1, "file", "is empty"),
        (b"- a\n- b\n", 1, "yaml", "not a list"),
        (b"just words", 1, "yaml", "not a text"),
        (b"id: x\n\ttopic: y\n", 2, "yaml", "a tab"),
        (b"id: x\ntags: [a\n", 3, "yaml", "not valid YAML"),
        (b"id: x\nprompt: a: b\n", 2, "yaml", "not valid YAML"),
        (b"\x7fELF\x00\x01", 1, "file", "NUL"),
        ("id: x\nprompt: é".encode("latin-1"), 2, "file", "UTF-8"),
        ("id: é".encode("utf-16"), 1, "file", "UTF-8"),
        (b"id: x\nprompt: \x1b[2J\n", 2, "yaml", "U+001B"),
        (b"a: 1\n---\nb: 2\n", 2, "yaml", "single document"),
        (b"a: " + b"x" * 300_000, 1, "file", "300003 bytes"),
        (b"[" * 100_000, 1, "yaml", "nesting"),
        (b"a: " + b"[" * 500 + b"]" * 500, 1, "yaml", "40 levels"),
        (b"a: &a [*a]\n", 1, "yaml", "40 levels"),
    ],
)
def test_what_is_no_question_at_all(tmp_path: Path, content: bytes, line: int, field: str, words: str) -> None:
    path = write(tmp_path, "odd", content)
    found = only(lint([tmp_path]))
    assert (found.file, found.line, found.field) == (str(path), line, field)
    assert words in found.message


def test_aliases_of_aliases_are_capped(tmp_path: Path) -> None:
    rows = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]" for old, new in zip("abcdefg", "bcdefgh", strict=True)]
    write(tmp_path, "laughs", "\n".join(rows))
    assert "20000 values" in only(lint([tmp_path])).message


def test_an_anchor_may_save_typing(tmp_path: Path) -> None:
    text = sample().replace("concepts: [{en: [b], zh: [乙]}]", "concepts: &x [{en: [b], zh: [乙]}]")
    write(tmp_path, text=text.replace("concepts: [{en: [c], zh: [丙]}]", "concepts: *x"))
    assert lint([tmp_path]) == []
    points = load_bank([tmp_path], builtin=False).questions["sample"].key_points
    assert points[1].concepts == points[2].concepts


def test_a_key_given_twice(tmp_path: Path) -> None:
    write(tmp_path, text=sample().replace("level: 2\n", "level: 2\nlevel: 3\n"))
    found = only(lint([tmp_path]))
    assert (found.line, found.field) == (5, "level")
    assert "line 4" in found.message


def test_tags_of_yaml_and_control_characters_are_refused(tmp_path: Path) -> None:
    text = sample().replace("kind: concept", "kind: !!python/name:os.system concept")
    write(tmp_path, text=text.replace('en: "Why?"', 'en: "Why\\e[2J?"'))
    assert [(each.line, each.field) for each in lint([tmp_path])] == [(6, "kind"), (7, "prompt.en")]
    assert len(load_bank([tmp_path], builtin=False)) == 0


def test_byte_order_mark_and_windows_lines_are_fine(tmp_path: Path) -> None:
    write(tmp_path, text=b"\xef\xbb\xbf" + sample().replace("\n", "\r\n").encode())
    assert lint([tmp_path]) == []
    assert load_bank([tmp_path], builtin=False).questions["sample"].answer.en == "Because."


def test_what_yaml_would_convert_stays_as_written(tmp_path: Path) -> None:
    write(tmp_path, text=sample().replace("en: [one]", "en: [no, 1.50, 2024-13-45, 0x10]"))
    question = load_bank([tmp_path], builtin=False).questions["sample"]
    assert question.key_points[0].concepts[0].en == ("no", "1.50", "2024-13-45", "0x10")
    assert question.references[0].section == "3.20"


def test_a_broken_line_of_chinese_leaves_no_space(tmp_path: Path) -> None:
    folded = "answer:\n  en: >-\n    one\n    two\n  zh: >-\n    甲，\n    乙 x\n    丙\n"
    text = sample().replace("answer:\n  en: |\n    Because.\n  zh: |\n    因为。\n", folded)
    write(tmp_path, text=text)
    answer = load_bank([tmp_path], builtin=False).questions["sample"].answer
    assert (answer.en, answer.zh) == ("one two", "甲，乙 x 丙")


def test_all_problems_of_all_files_at_once_and_the_rest_opens(tmp_path: Path) -> None:
    write(tmp_path, "good")
    write(tmp_path, "long", text=sample("long").replace("en: Short.", "en: " + "word " * 80))
    write(tmp_path, "bad", text=sample("bad").replace("level: 2", "level: 7").replace("year: 2017", "year: x"))
    write(tmp_path, "twin", text=sample("good"))
    bank = load_bank([tmp_path], builtin=False)
    assert list(bank.questions) == ["good", "long"]
    assert sorted(bank.problems) == lint([tmp_path])
    assert [(Path(each.file).stem, each.field) for each in lint([tmp_path])] == [
        ("bad", "level"),
        ("bad", "references[0].year"),
        ("long", "elevator.en"),
        ("twin", "id"),
        ("twin", "id"),
    ]
    assert "good.yaml" in lint([tmp_path])[-1].message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path, "good")
    (tmp_path / "scaling" / "gone.yaml").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "scaling" / "pipe.yaml")
    bank = load_bank([tmp_path], builtin=False)
    assert list(bank.questions) == ["good"]
    assert [(Path(each.file).name, each.field) for each in bank.problems] == [
        ("gone.yaml", "file"),
        ("pipe.yaml", "file"),
    ]


def test_folders_that_hold_nothing(tmp_path: Path) -> None:
    missing, empty = tmp_path / "missing", tmp_path / "empty"
    empty.mkdir()
    bank = load_bank([missing, empty], builtin=False)
    assert isinstance(bank, Bank) and len(bank) == 0
    assert [(each.file, each.field) for each in bank.problems] == [(str(missing), "file"), (str(empty), "file")]
    assert "no such folder" in bank.problems[0].message


def test_a_file_at_the_top_may_have_any_topic_and_a_single_file_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "sample.yml"
    path.write_text(sample(topic="anything"), encoding="utf-8")
    assert lint([tmp_path]) == []
    assert only(lint([path])).field == "topic"


def test_the_worked_example_of_the_guide_has_no_problem(tmp_path: Path) -> None:
    guide = (Path(__file__).parent.parent / "docs" / "questions.md").read_text(encoding="utf-8")
    example, optional = (part.split("```")[0] for part in guide.split("```yaml\n")[1:])
    write(tmp_path, "residual-variance", example + optional, topic="residuals")
    assert lint([tmp_path]) == []
