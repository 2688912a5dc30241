"""``python -m tests.marking [-v] [--own | --held-out] [QUESTION…]``: precision and recall by verdict, half, language.

``-v`` lists the judgements of the tune half that differ from their labels; those of the test half are never shown.
``--own`` shows instead where the marker trips over the bank's own texts: spoken answers and key points that it calls
wrong, and misconceptions of which a phrase shrinks to one word. ``--held-out`` marks the answers of each writer by what
was learned from all others.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

from interview_coach.bank import load_bank
from interview_coach.marking import mark
from interview_coach.marking.words import phrase_of
from interview_coach.text import LANGUAGES
from tests.marking.measure import VERDICTS, Judgement, answers, figures, held_out, judgements


def main(arguments: list[str]) -> None:
    wanted = [each for each in arguments if not each.startswith("-")]
    if "--own" in arguments:
        print("\n".join(own_faults(wanted)))
        return
    if "--held-out" in arguments:
        print("\n".join(held_out_figures(wanted)))
        return
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


WRITERS = ("o1", "o2", "o3", "o4", "o5", "o6", "o7")
"""Rounds by writers who had seen neither phrases nor examples."""


def held_out_figures(wanted: Sequence[str] = ()) -> Iterator[str]:
    """For each writer, what the marker makes of the answers if it has learned nothing from them."""
    every: list[Judgement] = []
    for writer in WRITERS:
        rows = [row for row in held_out(writer) if not wanted or row.answer.question in wanted]
        every += rows
        yield _short(writer, rows)
    yield _short("all", every)


def _short(name: str, rows: Sequence[Judgement]) -> str:
    found = figures(rows)
    hits, wrong = (sum(row.label == label for row in rows) for label in ("hit", "contradicted"))
    return (
        f"{name}: hits found {found.hits_found:.1%} of {hits} · contradictions found {found.contradictions_found:.1%} "
        f"of {wrong} · wrong credited {found.counts['contradicted', 'hit']} ({found.wrong_credited:.1%}) "
        f"· right called wrong {found.counts['hit', 'contradicted']}"
    )


def own_faults(wanted: Sequence[str] = ()) -> Iterator[str]:
    """Where a question's own right texts are called wrong, and misconceptions that hang on one word."""
    for question in load_bank().questions.values():
        if wanted and question.id not in wanted:
            continue
        texts = [("elevator", question.elevator), *((point.id, point.text) for point in question.key_points)]
        for name, text in texts:
            for language in LANGUAGES:
                for found in mark(question, text.get(language)).points:
                    if found.verdict == "contradicted":
                        wrong = found.misconception or found.id
                        yield f"{question.id}: {name}.{language}: called wrong ({wrong}): {found.quote}"
        for point in question.key_points:
            for misconception in point.misconceptions:
                if len(misconception.concepts) == 1:
                    (group,) = misconception.concepts
                    lone = [each for each in (*group.en, *group.zh) if len(phrase_of(each).names) == 1]
                    if lone:
                        yield f"{question.id}: {misconception.id}: one word each: {', '.join(lone)}"


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


if __name__ == "__main__":
    main(sys.argv[1:])
