"""Grade submissions under many seeds: ``python -m tests.sweep [--seeds 200] [--every 12] [NAME ...]``.

Without names, one entry in ``--every`` of each corpus is taken. Prints the verdicts and names that came out for each
entry, and ends with 1 if a verdict was not the one of the manifest under every seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from interview_coach.grading.engine import grade
from interview_coach.grading.sandbox import Sandbox
from tests.corpus_support import Entry, entries

CORPORA = ("right", "wrong", "functions/right", "functions/wrong")


def chosen(names: list[str], every: int) -> list[Entry]:
    """The entries whose file names start with one of ``names``; without names, one in ``every``."""
    found = [entry for corpus in CORPORA for entry in entries(corpus)]
    if names:
        return [entry for entry in found if entry.id.startswith(tuple(names))]
    return found[::every]


def main() -> int:
    """Sweep; exit code 1 if any verdict flipped."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--every", type=int, default=12)
    asked = parser.parse_args()
    started, flips, graded = time.process_time(), 0, 0
    with Sandbox(preload_torch=True) as sandbox:
        for entry in chosen(asked.names, asked.every):
            reports = [
                grade(entry.path, entry.exercise, sandbox=sandbox, seed=seed, timed=False)
                for seed in range(asked.seeds)
            ]
            verdicts = Counter(report.verdict for report in reports)
            codes = Counter(" ".join(d.code for d in report.diagnosis) or "-" for report in reports)
            flipped = sum(n for verdict, n in verdicts.items() if verdict != entry.verdict)
            flips, graded = flips + flipped, graded + len(reports)
            print(f"{'ok  ' if not flipped else 'FLIP'} {entry.id}: {dict(verdicts)} {dict(codes)}", flush=True)
    print(
        f"{graded} gradings, {flips} verdicts that are not the manifest's, {time.process_time() - started:.0f} s here"
    )
    return 1 if flips else 0


if __name__ == "__main__":
    sys.exit(main())
