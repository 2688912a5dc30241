"""The report as text: what it says, how wide it is, and that colour adds nothing but colour."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from interview_coach.grading.formats import to_json, to_junit, to_markdown
from interview_coach.grading.render import Style, to_text
from interview_coach.grading.report import Check, Contract, CostSummary, Diagnosis, GradeError, Report
from interview_coach.page import display_width

WRONG = Report(
    file="my_attention.py",
    exercise="sdpa",
    callable="attention",
    contract=Contract(
        "torch", "BHSD", "keep", summary="attention(q, k, v, mask) · torch · (B, H, S, D) · mask True = keep"
    ),
    verdict="fail",
    correct=False,
    stable=True,
    efficient=None,
    score=40,
    seed=918273,
    checks=(
        Check("formula.plain", "formula", "fail", 0.41, 1e-5, "relative error", "max error 4.1e-01 at [0, 0, 2, 5]"),
        *(Check(f"formula.{i}", "formula", "pass", 3e-7, 1e-5) for i in range(8)),
        *(Check(f"mask.{i}", "mask", "pass") for i in range(6)),
        *(Check(f"gradient.{i}", "gradient", "pass") for i in range(3)),
        Check("hygiene.skipped", "hygiene", "skip"),
        Check("dtype.fp16", "dtype", "warn", 3.2, 2.0, "ratio", "fp16 loses digits"),
    ),
    diagnosis=(
        Diagnosis("scale-by-d-model", "your output equals attention scaled by 1/√d_model", 2, 3.2e-7, "scale-per-head"),
    ),
    cost=CostSummary(1000, 2048, 2.0, None, None, (64, 128), (512, 2048)),
    elapsed_s=0.31,
)
SOURCE = "def attention(q, k, v, mask):\n    s = q @ k.mT / math.sqrt(q.size(1) * q.size(3))\n"
RIGHT = replace(
    WRONG,
    verdict="pass",
    correct=True,
    checks=tuple(replace(check, status="pass") for check in WRONG.checks),
    diagnosis=(),
    score=100,
)
BROKEN = Report(
    "x.py",
    None,
    None,
    None,
    "error",
    None,
    None,
    None,
    0,
    1,
    error=GradeError("import", "x.py: line 3: not valid Python"),
)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


def test_a_wrong_one_names_the_bug_its_line_and_what_to_read() -> None:
    lines = to_text(WRONG, Style(width=110), SOURCE).splitlines()
    assert lines[0] == (
        " my_attention.py · attention(q, k, v, mask) · torch · (B, H, S, D) · mask True = keep · exercise sdpa"
    )
    verdict = next(line for line in lines if "✗ wrong" in line)
    assert verdict.startswith(" ✗ wrong: your output equals attention scaled by 1/√d_model, to 3e-07")
    assert verdict.endswith("line 2")
    assert display_width(verdict) == 110
    assert "     s = q @ k.mT / math.sqrt(q.size(1) * q.size(3))" in lines
    assert "   why it matters: coach questions show scale-per-head" in lines
    assert lines[-1] == "next: coach hint sdpa"


def test_groups_are_counted_and_skipped_checks_are_not() -> None:
    text = to_text(WRONG)
    assert re.search(r"formula +✗ 1 of 9 +max error 4\.1e-01 at \[0, 0, 2, 5\]", text)
    assert re.search(r"masks +✓ 6 +gradients +✓ 3", text)
    assert re.search(r"half +● 1 of 1 +fp16 loses digits \(3\.2×, allowed 2\.0×\)", text)
    assert "hygiene" not in text
    assert "memory grows with S² (2.0 kB at S = 128)    score 40    seed 918273" in text
    assert "score 40" in text
    assert "seed 918273" in text
    assert "0.3 s" in text


def test_a_right_one_says_both_words() -> None:
    text = to_text(RIGHT)
    assert "✓ correct and stable" in text
    assert "next: coach exercises" in text
    assert "✗" not in text


def test_what_cannot_be_graded_says_why_and_shows_no_table() -> None:
    text = to_text(BROKEN)
    assert text.splitlines() == [" x.py", " ? cannot grade (import): x.py: line 3: not valid Python"]


def test_quiet_is_one_line() -> None:
    assert to_text(RIGHT, Style(detail="quiet")) == "✓ my_attention.py: correct and stable"
    long = to_text(WRONG, Style(detail="quiet", width=50))
    assert len(long.splitlines()) == 1
    assert display_width(long) <= 50


def test_verbose_shows_every_check_with_its_figures() -> None:
    text = to_text(WRONG, Style(detail="verbose", width=100))
    for check in WRONG.checks:
        assert f" {check.id}" in text
    assert re.search(r"✓ formula\.0 +3\.0e-07, allowed 1\.0e-05", text)
    assert re.search(r"· hygiene\.skipped", text)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("detail", ["quiet", "normal", "verbose"])
@pytest.mark.parametrize("report", [WRONG, RIGHT, BROKEN], ids=["wrong", "right", "broken"])
def test_no_line_is_wider_than_the_terminal(report: Report, language: str, width: int, detail: str) -> None:
    style = Style(language, width, True, detail)  # type: ignore[arg-type]
    text = to_text(report, style, SOURCE)
    wide = [line for line in plain(text).splitlines() if display_width(line) > width]
    assert wide == []


def test_colour_adds_nothing_but_colour() -> None:
    for report in (WRONG, RIGHT, BROKEN):
        colored = to_text(report, Style(color=True), SOURCE)
        assert "\x1b[" in colored
        assert plain(colored) == to_text(report, Style(), SOURCE)


def test_chinese() -> None:
    text = to_text(WRONG, Style("zh"), SOURCE)
    for words in ("错误", "第 2 行", "为什么重要", "公式", "内存随 S² 增长", "种子 918273", "下一步：coach hint sdpa"):
        assert words in text


def test_json_is_one_line_of_valid_json_also_with_nan() -> None:
    checks = (Check("formula.plain", "formula", "fail", float("nan"), 1e-5, "error", "97 NaN"),)
    line = to_json(replace(WRONG, checks=checks))
    assert "\n" not in line
    assert json.loads(line)["checks"][0]["measured"] is None
    assert " ".join(json.loads(line)) == (
        "schema file exercise callable contract verdict correct stable efficient score seed checks diagnosis cost "
        "stdout error elapsed_s references"
    )


def test_heat_map_of_an_unknown_bug() -> None:
    text = to_text(replace(WRONG, diagnosis=(), heatmap=((1.0, 0.0), (0.5, float("nan")))))
    assert "no known bug fits" in text
    assert "     ██\n     ▒▒??" in text


def test_infinite_figures_do_not_break_the_text() -> None:
    checks = (Check("stability.large", "stability", "fail", float("inf"), 2.0, "ratio", ""),)
    assert "inf, allowed 2.0×" in to_text(replace(WRONG, checks=checks))
    nan = (Check("formula.x", "formula", "fail", float("nan"), 2.0, "error", ""),)
    assert "nan" in to_text(replace(WRONG, checks=nan))


def test_junit_counts_failures_errors_and_skips() -> None:
    printed = replace(WRONG, stdout="hello \x00 <world>")
    root = ElementTree.fromstring(to_junit([printed, RIGHT, BROKEN]))
    counts = [(s.get("name"), s.get("failures"), s.get("errors"), s.get("skipped")) for s in root]
    assert counts == [("my_attention.py", "1", "0", "1"), ("my_attention.py", "0", "0", "0"), ("x.py", "0", "1", "0")]
    failure = root.find(".//testcase[@name='formula.plain']/failure")
    assert failure is not None
    assert failure.get("message") == "max error 4.1e-01 at [0, 0, 2, 5]"
    assert "1/√d_model" in (failure.text or "")
    assert root.findtext(".//system-out") == "hello � <world>"
    error = root.find(".//error")
    assert error is not None
    assert error.get("type") == "import"


def test_markdown_names_the_bug_and_tabulates_what_is_not_a_pass() -> None:
    lines = to_markdown(
        replace(WRONG, checks=(*WRONG.checks, Check("mask.x", "mask", "fail", detail="a | b")))
    ).splitlines()
    assert lines[0] == "### ✗ `my_attention.py`: wrong: your output equals attention scaled by 1/√d_model"
    assert any(line.startswith("- `scale-by-d-model`, line 2: ") for line in lines)
    assert "| ✗ | `formula.plain` | max error 4.1e-01 at [0, 0, 2, 5] |" in lines
    assert "| ● | `dtype.fp16` | fp16 loses digits (3.2×, allowed 2.0×) |" in lines
    assert "| ✗ | `mask.x` | a \\| b |" in lines
    assert lines[-1] == "17 checks passed, score 40, seed 918273, memory grows with S² (2.0 kB at S = 128)"
