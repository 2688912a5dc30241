"""``python -m tests.marking [-v] [QUESTION…]``: precision and recall of each verdict, for each half and language.

``-v`` lists the judgements of the tune half that differ from their labels; those of the test half are never shown.
"""

from __future__ import annotations

import sys
import time

from interview_coach.bank import load_bank
from interview_coach.marking import mark
from tests.marking.measure import VERDICTS, answers, figures, judgements


def main(arguments: list[str]) -> None:
    wanted = [each for each in arguments if not each.startswith("-")]
    rows = [row for row in judgements() if not wanted or row.answer.question in wanted]
    if "-v" in arguments:
        for row in rows:
            if row.answer.half == "tune" and row.label != row.verdict:
                print(f"{row.answer.question} {row.answer.id} {row.point}: {row.label}, marked {row.verdict}")
    for half in ("tune", "test"):
        for language in ("en", "zh", "all"):
            part = [row for row in rows if row.answer.half == half and language in (row.answer.language, "all")]
            found = figures(part)
            marked = len({(row.answer.question, row.answer.id) for row in part})
            print(f"\n{half} · {language} · {marked} answers, {len(part)} key points")
            print(f"  {'verdict':<14}{'labelled':>9}{'marked':>8}{'precision':>11}{'recall':>8}")
            for verdict in VERDICTS[:-1]:
                labelled = sum(count for (label, _), count in found.counts.items() if label == verdict)
                given = sum(count for (_, said), count in found.counts.items() if said == verdict)
                right = found.counts[verdict, verdict]
                print(
                    f"  {verdict:<14}{labelled:>9}{given:>8}{_percent(right, given):>11}{_percent(right, labelled):>8}"
                )
            print(
                f"  wrong credited {found.wrong_credited:.1%} · hits found {found.hits_found:.1%} · contradictions "
                f"found {found.contradictions_found:.1%} · salad above partial {found.salad_above_partial}"
            )
    bank = load_bank()
    texts = [(bank.questions[answer.question], answer.text) for answer in answers()]
    started = time.perf_counter()
    for question, text in texts:
        mark(question, text)
    print(f"\n{1000 * (time.perf_counter() - started) / len(texts):.2f} ms an answer, over {len(texts)} answers")


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


if __name__ == "__main__":
    main(sys.argv[1:])
