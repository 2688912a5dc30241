"""Reports for other programs: JSON, JUnit XML that a CI shows, Markdown for a pull request."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as xml

from interview_coach.grading.chinese import said_in
from interview_coach.grading.render import MARKS, compared, growth, seen
from interview_coach.grading.report import Diagnosis, Report
from interview_coach.text import Language, Text

_ROWS = 12
"""Rows of a table of checks: more are counted, not shown."""
_MARKUP = re.compile(r"[|<*`]")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(report: Report) -> str:
    """One line of JSON, version 1 of the format."""
    return json.dumps(report.to_dict(), ensure_ascii=False, allow_nan=False)


def to_junit(reports: Sequence[Report], language: Language = "en") -> str:
    """JUnit XML: a suite a file, a case a check; what could not be graded is an error.

    A failure tells what was seen, the named bugs with their lines, and how to replay it. A remark is a property of
    a case that passes.
    """
    root = xml.Element("testsuites", name="coach grade")
    for report in reports:
        root.append(_suite(report, language))
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", f"{sum(report.elapsed_s for report in reports):.3f}")
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode")


def _suite(report: Report, language: Language) -> xml.Element:
    counts = {status: sum(check.status == status for check in report.checks) for status in ("fail", "skip")}
    file = _clean(report.file)
    suite = xml.Element(
        "testsuite",
        name=file,
        tests=str(len(report.checks) + (report.error is not None)),
        failures=str(counts["fail"]),
        errors=str(int(report.error is not None)),
        skipped=str(counts["skip"]),
        time=f"{report.elapsed_s:.3f}",
    )
    told = {
        "exercise": report.exercise,
        "callable": report.callable,
        "verdict": report.verdict,
        "score": report.score,
        "seed": report.seed,
        "codes": " ".join(diagnosis.code for diagnosis in report.diagnosis),
        "cost": ", ".join(growth(report, language)),
        "references": compared(report, language) if report.references else None,
    }
    properties = xml.SubElement(suite, "properties")
    for name, value in told.items():
        if value not in (None, ""):
            xml.SubElement(properties, "property", name=name, value=_clean(str(value)))
    if report.error is not None:
        case = xml.SubElement(suite, "testcase", classname=file, name="grade", file=file)
        headline = _clean(report.headline(language))
        xml.SubElement(case, "error", type=report.error.kind, message=headline).text = headline
    why = _clean("\n".join(_reasons(report, language)))
    for check in report.checks:
        case = xml.SubElement(suite, "testcase", classname=f"{file}.{check.group}", name=check.id, file=file)
        text = _clean(seen(check, language))
        if check.status == "fail":
            line = next((d.line for d in report.diagnosis if d.line is not None), None)
            if line is not None:
                case.set("line", str(line))
            xml.SubElement(case, "failure", type=check.group, message=text).text = f"{text}\n{why}"
        elif check.status == "skip":
            xml.SubElement(case, "skipped", message=text)
        elif check.status == "warn":
            remarks = xml.SubElement(case, "properties")
            xml.SubElement(remarks, "property", name="warn", value=text)
    if report.stdout:
        xml.SubElement(suite, "system-out").text = _clean(report.stdout)
    return suite


def _reasons(report: Report, language: Language) -> Iterator[str]:
    """The verdict, each named bug with its line and its question, and the command that replays it."""
    yield report.headline(language)
    for diagnosis in report.diagnosis:
        why = f" (coach questions show {diagnosis.question})" if diagnosis.question else ""
        yield f"{diagnosis.code}{_place(diagnosis, language)}: {diagnosis.text(language)}{why}"
    yield _replay(report)


def to_markdown(report: Report, language: Language = "en") -> str:
    """For a pull request or an issue: a heading, the contract, the named bugs, a table of what is no plain pass."""
    lines = [f"### {MARKS[report.verdict]} `{report.file}`: {_flat(report.headline(language))}"]
    if report.contract is not None:
        lines += ["", f"`{said_in(language, report.contract.summary) or report.callable}`"]
    if report.diagnosis:
        lines.append("")
    for diagnosis in report.diagnosis:
        why = f" · `coach questions show {diagnosis.question}`" if diagnosis.question else ""
        lines.append(f"- `{diagnosis.code}`{_place(diagnosis, language)}: {_flat(diagnosis.text(language))}{why}")
    telling = [check for status in ("fail", "warn") for check in report.checks if check.status == status]
    if telling:
        lines += ["", Text("| | check | seen |", "| | 检查 | 结果 |").get(language), "| --- | --- | --- |"]
        shown = telling if len(telling) <= _ROWS else telling[: _ROWS - 1]
        lines += [f"| {MARKS[c.status]} | `{c.id}` | {_flat(seen(c, language))} |" for c in shown]
        if len(shown) < len(telling):
            rest = len(telling) - len(shown)
            lines.append(Text(f"| | … | {rest} more |", f"| | … | 另有 {rest} 项 |").get(language))
    passed = sum(check.status == "pass" for check in report.checks)
    if report.checks:
        total = Text(
            f"{passed} checks passed, score {report.score}, seed {report.seed}",
            f"{passed} 项通过，得分 {report.score}，种子 {report.seed}",
        )
        facts = [total.get(language), *growth(report, language)]
        lines += ["", Text(", ", "，").get(language).join(facts)]
    if report.references:
        lines += ["", compared(report, language)]
    return "\n".join(lines)


def _place(diagnosis: Diagnosis, language: Language) -> str:
    if diagnosis.line is None:
        return ""
    return Text(f", line {diagnosis.line}", f"，第 {diagnosis.line} 行").get(language)


def _replay(report: Report) -> str:
    file = shlex.quote(report.file)
    return f"coach grade {file} --exercise {report.exercise} --seed {report.seed} --verbose"


def _clean(text: str) -> str:
    """Without the characters that XML does not allow."""
    return _NOT_XML.sub("�", text)


def _flat(text: str) -> str:
    """On one line, and safe inside a table."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
