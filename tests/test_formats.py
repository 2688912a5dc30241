"""Reports for a CI and for a pull request, read back as these read them."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from interview_coach.grading.formats import to_json, to_junit, to_markdown
from interview_coach.grading.report import Check, Contract, Diagnosis, GradeError, Report

CHECKS = (
    Check(
        "formula.generic", "formula", "fail", 0.41, 1e-5, "relative error", "first at [0, 0, 2, 5]: got 1, expected 2"
    ),
    Check("formula.second-draw", "formula", "pass", 1e-7, 1e-5, "relative error"),
    Check("mask.keep", "mask", "fail", detail="a | b <c> `d` *e*"),
    Check("dtype.fp16", "dtype", "warn", 3.2, 5.0, "ratio", "fp16 loses digits"),
    Check("gradient.q", "gradient", "skip", detail="numpy has no gradients"),
)
WRONG = Report(
    "my attention.py", "sdpa", "attention", Contract("torch", "BHSD", summary="attention(q, k, v) · torch"),
    "fail", False, None, None, 40, 9182, CHECKS,
    (Diagnosis("missing-scale", "your output equals attention without the factor 1/√d", 14, 3e-7, "why-sqrt-dk"),
     Diagnosis("mask-ignored", "the mask has no effect")),
    stdout="hello \x00 <b>", elapsed_s=0.31,
)  # fmt: skip
RIGHT = replace(
    WRONG, verdict="pass", correct=True, stable=True, checks=CHECKS[1:2], diagnosis=(), stdout="", score=100
)
BROKEN = Report(
    "x\x07.py", None, None, None, "error", None, None, None, 0, 5, error=GradeError("import", "x.py: line 3: not valid")
)  # fmt: skip


def parsed(*reports: Report, language: str = "en") -> ElementTree.Element:
    text = to_junit(reports, language)  # type: ignore[arg-type]
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>')
    return ElementTree.fromstring(text.encode())


def test_junit_has_a_suite_a_file_and_a_case_a_check() -> None:
    root = parsed(WRONG, RIGHT, BROKEN)
    assert [suite.get("name") for suite in root] == ["my attention.py", "my attention.py", "x�.py"]
    assert [case.get("name") for case in root[0].iter("testcase")] == [check.id for check in CHECKS]
    assert {case.get("classname") for case in root[0].iter("testcase")} >= {"my attention.py.formula"}
    for suite in root:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("errors") == str(len(suite.findall("testcase/error")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "7", "failures": "2", "errors": "1", "skipped": "1",
    }  # fmt: skip
    assert root.get("time") == "0.620"


def test_a_junit_failure_tells_what_was_seen_the_bug_and_how_to_replay_it() -> None:
    case = parsed(WRONG).find(".//testcase[@name='formula.generic']")
    assert case is not None
    assert (case.get("line"), case.get("file")) == ("14", "my attention.py")
    failure = case.find("failure")
    assert failure is not None and failure.text is not None
    assert failure.get("message") == "first at [0, 0, 2, 5]: got 1, expected 2 (4.1e-01, allowed 1.0e-05)"
    assert failure.text.splitlines() == [
        "first at [0, 0, 2, 5]: got 1, expected 2 (4.1e-01, allowed 1.0e-05)",
        "wrong: your output equals attention without the factor 1/√d",
        "missing-scale, line 14: your output equals attention without the factor 1/√d "
        "(coach questions show why-sqrt-dk)",
        "mask-ignored: the mask has no effect",
        "coach grade 'my attention.py' --exercise sdpa --seed 9182 --verbose",
    ]


def test_junit_keeps_remarks_prints_and_errors() -> None:
    root = parsed(WRONG, BROKEN)
    remark = root.find(".//testcase[@name='dtype.fp16']/properties/property[@name='warn']")
    assert remark is not None and remark.get("value") == "fp16 loses digits (3.2×, allowed 5.0×)"
    assert root[0].findtext("system-out") == "hello � <b>"
    assert {p.get("name"): p.get("value") for p in root[0].findall("properties/property")} == {
        "exercise": "sdpa", "callable": "attention", "verdict": "fail", "score": "40", "seed": "9182",
        "codes": "missing-scale mask-ignored",
    }  # fmt: skip
    error = root[1].find("testcase/error")
    assert error is not None
    assert (error.get("type"), error.text) == ("import", "cannot grade (import): x.py: line 3: not valid")


def test_junit_in_chinese() -> None:
    failure = parsed(WRONG, language="zh").find(".//failure")
    assert failure is not None and "第 14 行" in (failure.text or "")


@pytest.mark.parametrize("text", ["\ud800", "\x1b[31m", "]]>", "a\x00b", "￾", "😀"])
def test_junit_is_well_formed_whatever_was_printed(text: str) -> None:
    odd = replace(WRONG, file=text, stdout=text, checks=(replace(CHECKS[0], detail=text),))
    suite = parsed(odd)[0]
    assert suite.get("tests") == "1"


def test_markdown_is_a_heading_the_bugs_and_a_table() -> None:
    assert to_markdown(WRONG).splitlines() == [
        "### ✗ `my attention.py`: wrong: your output equals attention without the factor 1/√d",
        "",
        "`attention(q, k, v) · torch`",
        "",
        "- `missing-scale`, line 14: your output equals attention without the factor 1/√d · "
        "`coach questions show why-sqrt-dk`",
        "- `mask-ignored`: the mask has no effect",
        "",
        "| | check | seen |",
        "| --- | --- | --- |",
        "| ✗ | `formula.generic` | first at [0, 0, 2, 5]: got 1, expected 2 (4.1e-01, allowed 1.0e-05) |",
        "| ✗ | `mask.keep` | a \\| b \\<c> \\`d\\` \\*e\\* |",
        "| ● | `dtype.fp16` | fp16 loses digits (3.2×, allowed 5.0×) |",
        "",
        "1 checks passed, score 40, seed 9182",
    ]


def test_markdown_of_a_pass_has_no_table_and_of_an_error_only_the_reason() -> None:
    assert "|" not in to_markdown(RIGHT)
    assert to_markdown(BROKEN) == "### ? `x\x07.py`: cannot grade (import): x.py: line 3: not valid"


def test_a_long_table_is_cut_and_counted_failures_first() -> None:
    many = tuple(replace(CHECKS[3], id=f"dtype.{n}") for n in range(20))
    rows = [
        line for line in to_markdown(replace(WRONG, checks=(*many, CHECKS[2]))).splitlines() if line.startswith("| ")
    ]
    assert len(rows) == 2 + 12
    assert rows[2].startswith("| ✗ | `mask.keep`")
    assert rows[-1] == "| | … | 10 more |"


def test_markdown_in_chinese() -> None:
    text = to_markdown(WRONG, "zh")
    assert "| | 检查 | 结果 |" in text
    assert "`missing-scale`，第 14 行" in text
    assert text.endswith("1 项通过，得分 40，种子 9182")


def test_json_is_one_line_without_nan() -> None:
    odd = replace(WRONG, checks=(replace(CHECKS[0], measured=float("nan")),))
    text = to_json(odd)
    assert "\n" not in text
    assert json.loads(text)["checks"][0]["measured"] is None
