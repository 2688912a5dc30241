"""Every sentence of a report exists in Chinese."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import interview_coach.grading
from interview_coach.exercises import exercises
from interview_coach.grading.chinese import said_in
from interview_coach.grading.chinese.details import DETAILS
from interview_coach.grading.chinese.problems import PROBLEMS
from interview_coach.grading.chinese.words import WORDS
from interview_coach.grading.engine import grade
from interview_coach.grading.functions.task import task
from interview_coach.grading.lanes.stability import DIRECT_PROBES
from interview_coach.grading.render import Style, to_text
from interview_coach.grading.sandbox import Sandbox

SOURCES = Path(interview_coach.grading.__file__).parent
CHINESE = re.compile("[\u4e00-\u9fff]")
WORDS_IN_A_ROW = re.compile(r"[a-z]{2,} [a-z]{2,}")
COMMAND = re.compile(r" *(coach|--)")
HOLE = re.compile(r"\{(\w+)\}")
TABLES = {**WORDS, **DETAILS, **PROBLEMS}
SAYING = {"add", "CannotGrade", "UnreadableSubmission", "crashed", "compare", "append", "Observed", "Finding"}


def english_left(sentence: str) -> list[str]:
    """Clauses of the Chinese for a sentence that are still English."""
    clauses = re.split("[；：。]| · ", said_in("zh", sentence))
    return [clause for clause in clauses if _english(clause)]


def _english(clause: str) -> bool:
    """Whether it is words, and not a command or its flag."""
    return bool(WORDS_IN_A_ROW.search(clause)) and not CHINESE.search(clause) and not COMMAND.match(clause)


def sentences() -> Iterator[tuple[str, str]]:
    """What the grader's sources say in calls that report: each string with words, its holes filled with ``X``."""
    for path in sorted(SOURCES.rglob("*.py")):
        if {"worker", "watch", "render.py"} & set(path.parts):
            continue
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and _name(call.func) in SAYING:
                for argument in (*call.args, *(k.value for k in call.keywords if k.arg in ("detail", "problem"))):
                    for text in _strings(argument):
                        if WORDS_IN_A_ROW.search(text):
                            yield f"{path.relative_to(SOURCES)}:{call.lineno}", text


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from (*_strings(node.body), *_strings(node.orelse))
    elif isinstance(node, ast.BinOp):
        yield from (*_strings(node.left), *_strings(node.right))
    elif isinstance(node, ast.Subscript):
        yield from _strings(node.value)


SENTENCES = sorted({text: place for place, text in sentences()}.items())


def test_the_sources_were_read() -> None:
    assert len(SENTENCES) > 80


@pytest.mark.parametrize(("text", "place"), SENTENCES, ids=[place for _, place in SENTENCES])
def test_a_sentence_of_the_grader_has_its_chinese(text: str, place: str) -> None:
    assert english_left(text.strip(" ;:")) == [], place


@pytest.mark.parametrize("english", TABLES)
def test_a_template_keeps_its_holes(english: str) -> None:
    assert set(HOLE.findall(english)) == set(HOLE.findall(TABLES[english]))


def test_what_the_functions_are_tried_on_has_its_chinese() -> None:
    said = [detail for _, detail, _ in DIRECT_PROBES]
    for exercise in exercises().values():
        if exercise.family != "function":
            continue
        about = task(exercise.id)
        said += [shape.detail for shape in about.shapes] + [probe.detail for probe in about.probes]
        said += [narrow.text for narrow in about.narrower] + [n for a in about.alternatives for n in a.notes]
    assert [text for text in said if english_left(text)] == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            "first at [0, 2]: got nan, expected 0.5; 3 of 9 wrong, 3 NaN",
            "首处在 [0, 2]：得到 nan，应为 0.5；9 个中错 3 个，其中 3 个 NaN",
        ),
        ("S = 65; 2 of 4 wrong", "S = 65；4 个中错 2 个"),
        ("argument q, k is changed in place", "参数 q, k 被就地修改"),
        (
            "f raised on every input tried (line 3): ValueError: no",
            "f 对试过的每种输入都报错（第 3 行）：ValueError: no",
        ),
        ("only equal lengths: RuntimeError: size mismatch", "只支持长度相等：RuntimeError: size mismatch"),
        (
            "f(q, k, v) · torch · (B, H, S, D) · mask True = keep",
            "f(q, k, v) · torch · (B, H, S, D) · 掩码 True = 可见",
        ),
        ("what nobody knows", "what nobody knows"),
    ],
)
def test_a_sentence_is_put_together_from_its_parts(english: str, chinese: str) -> None:
    assert said_in("zh", english) == chinese
    assert said_in("en", english) == english


WRONG = """
import numpy as np

def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores)
    return e / e.sum(-1, keepdims=True) @ v
"""


def test_a_report_in_chinese_is_chinese(tmp_path: Path) -> None:
    with Sandbox() as sandbox:
        report = grade("mine.py", text=WRONG, sandbox=sandbox, seed=1)
    assert report.verdict == "fail"
    written = to_text(report, Style("zh", 200, detail="verbose"))
    for line in written.splitlines():
        clauses = [
            c for c in re.split("[；：。（）]| · |, ", line) if WORDS_IN_A_ROW.search(c) and not CHINESE.search(c)
        ]
        assert [c for c in clauses if "coach" not in c and "RuntimeWarning" not in c] == [], line
