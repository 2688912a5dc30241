"""Print the mutation matrix: ``python -m tests.mutation [--write]``; ``--write`` keeps it in ``docs/mutation.md``."""

from __future__ import annotations

import sys
from collections import defaultdict
from datetime import date
from pathlib import Path

from interview_coach.grading.engine import grade
from interview_coach.grading.report import Report
from interview_coach.grading.sandbox import Sandbox
from tests.corpus_support import Entry, entries

DOCS = Path(__file__).parents[2] / "docs" / "mutation.md"


def judged(entry: Entry, sandbox: Sandbox) -> Report:
    """The report of one entry; how long it takes beside the project's own is of no interest here."""
    return grade(entry.path, entry.exercise, sandbox=sandbox, seed=1, timed=False)


def main() -> int:
    """Grade both corpora; exit code 1 if a right one fails or a wrong one passes."""
    caught: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    places: dict[str, set[str]] = defaultdict(set)
    missed: list[str] = []
    with Sandbox(preload_torch=True) as sandbox:
        right = [*entries("right"), *entries("functions/right")]
        false = [e.id for e in right if judged(e, sandbox).verdict != "pass"]
        wrong = [*entries("wrong"), *entries("functions/wrong")]
        for entry in wrong:
            report = judged(entry, sandbox)
            failed = report.verdict == "fail"
            named = not entry.codes or bool(entry.codes & {d.code for d in report.diagnosis})
            if not failed:
                missed.append(entry.id)
            for code in sorted(entry.codes) or ["(no code of the catalogue)"]:
                row = caught[code]
                row[0] += 1
                row[1] += failed
                row[2] += failed and named
                places[code].add(entry.exercise)
    lines = [
        f"# Mutation matrix, {date.today().isoformat()}",
        "",
        f"Right submissions: {len(right)}, failed: {len(false)} {' '.join(false)}".rstrip() + ".",
        f"Wrong submissions: {len(wrong)}, passed: {len(missed)} {' '.join(missed)}".rstrip() + ".",
        "A submission with several right names counts in each of their rows.",
        "",
        "| class | submissions | caught | named | in |",
        "| --- | ---: | ---: | ---: | --- |",
        *(
            f"| `{code}` | {n} | {c} | {named} | {', '.join(sorted(places[code]))} |"
            for code, (n, c, named) in sorted(caught.items())
        ),
    ]
    print("\n".join(lines))
    if "--write" in sys.argv[1:]:
        DOCS.write_text("\n".join(lines) + "\n", "utf-8")
    return 1 if false or missed else 0


if __name__ == "__main__":
    sys.exit(main())
