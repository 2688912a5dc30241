"""Reports for other programs: JSON, JUnit XML that a CI shows, Markdown for a pull request."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree as xml

from interview_coach.grading.render import MARKS, seen
from interview_coach.grading.report import Report
from interview_coach.text import Language, Text

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(report: Report) -> str:
    """One line of JSON, version 1 of the format."""
    return json.dumps(report.to_dict(), ensure_ascii=False, allow_nan=False)


def to_junit(reports: Sequence[Report], language: Language = "en") -> str:
    """JUnit XML: a suite a file, a case a check; what could not be graded is an error."""
    root = xml.Element("testsuites", name="coach grade")
    for report in reports:
        failed = [check for check in report.checks if check.status == "fail"]
        suite = xml.SubElement(
            root,
            "testsuite",
            name=report.file,
            tests=str(len(report.checks) or 1),
            failures=str(len(failed)),
            errors=str(int(report.error is not None)),
            skipped=str(sum(check.status == "skip" for check in report.checks)),
            time=f"{report.elapsed_s:.3f}",
        )
        headline = _clean(report.headline(language))
        if report.error is not None:
            case = xml.SubElement(suite, "testcase", classname=report.file, name="grade")
            xml.SubElement(case, "error", type=report.error.kind, message=headline)
        for check in report.checks:
            case = xml.SubElement(suite, "testcase", classname=f"{report.file}.{check.group}", name=check.id)
            if check.status == "fail":
                failure = xml.SubElement(case, "failure", message=_clean(seen(check, language)))
                failure.text = headline
            elif check.status == "skip":
                xml.SubElement(case, "skipped", message=_clean(check.detail))
        if report.stdout:
            xml.SubElement(suite, "system-out").text = _clean(report.stdout)
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode")


def to_markdown(report: Report, language: Language = "en") -> str:
    """A heading, the contract, the diagnosis, and a table of what is not a plain pass."""
    lines = [f"### {MARKS[report.verdict]} `{report.file}`: {_flat(report.headline(language))}"]
    if report.contract is not None:
        lines += ["", f"`{report.contract.summary or report.callable}`"]
    for diagnosis in report.diagnosis:
        place = (
            ""
            if diagnosis.line is None
            else Text(f", line {diagnosis.line}", f"，第 {diagnosis.line} 行").get(language)
        )
        why = f" · `coach questions show {diagnosis.question}`" if diagnosis.question else ""
        lines += ["", f"- `{diagnosis.code}`{place}: {_flat(diagnosis.message)}{why}"]
    telling = [check for check in report.checks if check.status in ("fail", "warn")]
    if telling:
        lines += ["", Text("| | check | seen |", "| | 检查 | 结果 |").get(language), "| --- | --- | --- |"]
        lines += [f"| {MARKS[c.status]} | `{c.id}` | {_flat(seen(c, language))} |" for c in telling]
    passed = sum(check.status == "pass" for check in report.checks)
    if report.checks:
        total = Text(
            f"{passed} checks passed, score {report.score}, seed {report.seed}",
            f"{passed} 项通过，得分 {report.score}，种子 {report.seed}",
        )
        lines += ["", total.get(language)]
    return "\n".join(lines)


def _clean(text: str) -> str:
    """Without the characters that XML does not allow."""
    return _NOT_XML.sub("�", text)


def _flat(text: str) -> str:
    """On one line, and safe inside a table."""
    return " ".join(text.split()).replace("|", "\\|")
