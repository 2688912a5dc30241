"""The marker by its parts, on small questions made here."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interview_coach.bank.model import (
    ConceptGroup,
    Experience,
    FollowUp,
    KeyPoint,
    Misconception,
    Question,
    Reference,
)
from interview_coach.marking import Marking, PointMark, mark
from interview_coach.marking.clauses import read, words_of
from interview_coach.marking.normalise import LONGEST, fold
from interview_coach.marking.stem import stem
from interview_coach.marking.words import phrase_of
from interview_coach.text import Text
from tests import characters


def text(en: str) -> Text:
    return Text(en, f"{en}（中文）")


def group(en: str, zh: str = "无此说法", direction: str | None = None) -> ConceptGroup:
    return ConceptGroup(tuple(en.split(" | ")), tuple(zh.split(" | ")), direction)  # type: ignore[arg-type]


def point(name: str, *concepts: ConceptGroup, weight: str = "core", wrong: Sequence[Misconception] = ()) -> KeyPoint:
    return KeyPoint(name, weight, text(f"about {name}"), concepts, tuple(wrong))  # type: ignore[arg-type]


def ask(
    *points: KeyPoint, prompt: str = "What does FlashAttention change?", follow_ups: Sequence[FollowUp] = ()
) -> Question:
    return Question(
        id="flash",
        topic="memory",
        tags=(),
        level=2,
        frequency=3,
        kind="concept",
        prompt=Text(prompt, "FlashAttention 改变了什么？"),
        intent=text("intent"),
        answer=text("answer"),
        elevator=text("elevator"),
        key_points=points,
        pitfalls=(),
        follow_ups=tuple(follow_ups),
        experience=Experience(text("a"), text("b"), text("c")),
        references=(Reference("Paper", 2022),),
    )


FEWER = Misconception("fewer-flops", (group("fewer flops", "减少 flops"),), text("FLOPs do not fall"))
FLOPS = point("flops", group("flops"), group("same | not reduced", "不变 | 没有减少"), wrong=[FEWER])
MEMORY = point("memory", group("memory", "显存"), group("linear", "线性"))
EXACT = point("exact", group("exact", "精确"), weight="bonus")
QUESTION = ask(
    FLOPS,
    MEMORY,
    EXACT,
    follow_ups=[
        FollowUp(text("why linear?"), text("one number a row"), "memory"),
        FollowUp(text("and then?"), text("x")),
    ],
)


def marks(answer: str, question: Question = QUESTION) -> dict[str, str]:
    return {each.id: each.verdict for each in mark(question, answer).points}


def only(answer: str, *points: KeyPoint) -> PointMark:
    (found,) = mark(ask(*points), answer).points
    return found


def names(answer: str) -> list[str]:
    return read(words_of(answer)).names


@pytest.mark.parametrize(
    "spellings",
    [
        [
            "√d_k",
            "sqrt(d_k)",
            r"$\sqrt{d_k}$",
            "根号 d_k",
            "square root of d k",
            "√ｄ＿ｋ",
            "root of the head dimension",
            "√dₖ",
        ],
        ["O(n²)", "O(N^2)", "n squared", "quadratic", "N 平方", "O(n^{2})"],
        ["QKᵀ", "Q K^T", r"QK^\top", "q times k transpose", "Q 乘 K 的转置"],
        ["每個頭的維度", "每个头的维度", "head size", "dimension of each head", "d_head"],
        ["soft max", "softmax", "SoftMax"],
        ["flash attention two", "FlashAttention-2", "flash-attn"],
        ["六十四", "sixty-four", "64", "６４"],
        ["-inf", "minus infinity", "−∞", "负无穷"],
        ["normalisation", "normalized", "归一化"],
        ["并不减少", "does not reduce", "doesn't decrease"],
        ["bf16", "bfloat16", "BF 16"],
        ["dim=-1", "the last axis", "最后一维"],
    ],
)
def test_spellings_have_one_name(spellings: list[str]) -> None:
    assert {spelling: names(spelling) for spelling in spellings} == dict.fromkeys(spellings, names(spellings[0]))


def test_folding_keeps_the_way_back() -> None:
    given = "Ａ\u202e√d，²"
    folded = fold(given)
    assert folded.text == "a sqrt d,^2"
    assert [given[i] for i in folded.origin] == list("Ａ√√√√√√d，²²")


def test_spans_count_characters_of_the_answer_as_given() -> None:
    answer = "嗯😀，Flash 的結果是\u200b精確的。"
    found = mark(QUESTION, answer).points[2]
    assert found.span is not None
    assert (found.verdict, answer[slice(*found.span)], found.quote) == ("hit", "精確", "精確")


def test_stems_join_forms_and_keep_words_apart() -> None:
    assert {stem(word) for word in ("scaling", "scaled", "scales", "scale")} == {"scal"}
    assert stem("dropping") == stem("drops") == "drop"
    assert stem("noise") != stem("noisy")
    assert stem("axis") == "axis"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The FLOPs stay the same.", "hit"),
        ("FLOPs 不变", "hit"),
        ("浮点运算 is unchanged", "hit"),
        ("The FLOPs do not stay the same.", "contradicted"),
        ("It needs fewer FLOPs.", "contradicted"),
        ("The FLOPs are reduced.", "contradicted"),
        ("It does not reduce the FLOPs, they are the same.", "hit"),
        ("It doesn't need fewer FLOPs.", "missing"),
        ("Fewer FLOPs? The FLOPs are the same.", "hit"),
        ("Are the FLOPs the same?", "missing"),
        ("People say it needs fewer FLOPs, but the FLOPs are the same.", "hit"),
        ("It is a myth that the FLOPs are reduced; FLOPs are the same.", "hit"),
        ("The FLOPs are the same. That's wrong.", "contradicted"),
        ("I'm not sure, the FLOPs are the same", "hit"),
        ("I'm not sure the FLOPs are the same.", "unsure"),
        ("", "missing"),
        ("flops", "partial"),
    ],
)
def test_said_denied_asked_reported_refuted(answer: str, verdict: str) -> None:
    assert marks(answer)["flops"] == verdict


SATURATES = replace(
    point("saturates", group("softmax", "softmax"), group("saturates", "饱和"), wrong=[FEWER]),
    remedy=group("divide by | scale", "除以 | 缩放"),
)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The softmax saturates.", "hit"),
        ("The softmax does not saturate.", "contradicted"),
        ("We divide by the root of d_k so that the softmax does not saturate.", "hit"),
        ("We divide by the root of d_k. Then the softmax does not saturate.", "hit"),
        ("除以 √d_k，softmax 就不会饱和。", "hit"),
        ("We do not divide by anything, and the softmax does not saturate.", "contradicted"),
        ("The softmax does not saturate, so people divide by habit.", "contradicted"),
        ("不除以 √d_k，softmax 也不会饱和。", "contradicted"),
    ],
)
def test_a_harm_denied_after_its_remedy_is_said(answer: str, verdict: str) -> None:
    assert marks(answer, ask(SATURATES))["saturates"] == verdict


def test_a_rival_takes_what_stands_nearer_to_it() -> None:
    assert marks("The memory is quadratic, the FLOPs are linear.")["memory"] != "hit"
    assert marks("The FLOPs are quadratic, the memory is linear.")["memory"] == "hit"
    assert marks("Memory and FLOPs are linear.")["memory"] == "hit"


def test_what_is_left_behind_is_not_said() -> None:
    wrong = Misconception("quadratic", (group("memory quadratic"),), text("linear"))
    known = point("memory", group("memory"), group("linear"), wrong=[wrong])
    assert only("Memory goes from quadratic down to linear.", known).verdict == "hit"
    assert only("Memory is quadratic.", known).misconception == "quadratic"


@pytest.mark.parametrize(
    ("direction", "phrase", "right", "wrong"),
    [
        ("grows", "grows", "the cache increases", "the cache shrinks"),
        ("shrinks", "shrinks", "缓存变小", "the cache gets larger"),
        ("unchanged", "unchanged", "the cache stays the same", "the cache grows"),
        ("before", "before the softmax", "the cache is read before the softmax", "the cache is read after the softmax"),
        ("without", "without a mask", "the cache works without a mask", "the cache works with a mask"),
    ],
)
def test_a_direction_contradicts_its_contrary(direction: str, phrase: str, right: str, wrong: str) -> None:
    known = point("cache", group("cache", "缓存"), group(phrase, direction=direction))
    assert only(right, known).verdict == "hit"
    assert only(wrong, known).verdict == "contradicted"


def test_repeating_the_question_earns_nothing() -> None:
    prompt = "Is FlashAttention with its linear memory still exact attention?"
    question = ask(MEMORY, EXACT, prompt=prompt)
    assert set(marks(prompt, question).values()) == {"missing"}
    assert set(marks(prompt.replace("?", "."), question).values()) == {"missing"}
    assert marks("Yes: memory is linear.", question)["memory"] == "hit"


@pytest.mark.parametrize(
    "answer",
    [
        "flash FLOPs same memory linear exact softmax tiling online backward recompute",
        "FLOPs，不变，显存，线性，精确，分块，反向，重计算",
        "FLOPs 不变 显存 线性 精确 分块 反向 重计算 带宽",
    ],
)
def test_a_row_of_keywords_is_half_at_most(answer: str) -> None:
    assert "hit" not in marks(answer).values()
    assert marks(answer)["memory"] == "partial"


@pytest.mark.parametrize("typo", ["quadrtic", "quadratci", "qaudratic", "quadrattic", "quadradic"])
def test_one_wrong_letter_in_a_long_word(typo: str) -> None:
    known = point("cost", group("cost"), group("quadratic"))
    assert only(f"The cost is {typo}.", known).verdict == "hit"
    assert only("The cost is quadruple.", known).verdict != "hit"


def test_an_explained_negation_denies_nothing_else() -> None:
    known = point("exact", group("exact"), group("not an approximation"))
    assert only("It is not an approximation but exact.", known).verdict == "hit"


def test_a_phrase_needs_the_glue_that_means_something() -> None:
    assert phrase_of("still trains").near == {"still"}
    known = point("trains", group("model"), group("still trains"))
    assert only("The model still trains.", known).verdict == "hit"
    assert only("The model is trained.", known).verdict != "hit"
    assert phrase_of("is diagonal").near == frozenset()


def test_the_result_of_a_good_and_of_a_bad_answer() -> None:
    good = mark(QUESTION, "The FLOPs are the same, the memory is linear, the result is exact.", seconds=20)
    assert (good.coverage.core, good.coverage.bonus, good.suggested_rating) == (1, 1, "easy")
    assert good.words_per_minute == 3 * 13
    slow = mark(QUESTION, "The FLOPs are the same, the memory is linear, the result is exact.", seconds=50)
    assert (slow.suggested_rating, slow.within_time) == ("good", False)
    assert mark(QUESTION, "The FLOPs are the same; memory is linear.").suggested_rating == "good"
    assert mark(QUESTION, "The FLOPs are the same.").suggested_rating == "hard"
    assert mark(QUESTION, "Well.").suggested_rating == "again"
    bad = mark(QUESTION, "um, fewer FLOPs, um, but memory is linear")
    assert (bad.suggested_rating, bad.wrong_first[0].id) == ("again", "flops")
    assert bad.advice == Text("Put this right first: FLOPs do not fall", "先纠正这一点：FLOPs do not fall（中文）")
    assert bad.fillers == (("um", 2),)


def test_the_next_follow_up_is_about_what_matters_most() -> None:
    def follow_up(answer: str) -> str | None:
        found: Marking = mark(QUESTION, answer)
        return found.next_follow_up.question.en if found.next_follow_up else None

    assert follow_up("The FLOPs are the same.") == "why linear?"
    assert follow_up("The FLOPs are the same, memory is linear and it is exact.") == "and then?"


def test_the_json_is_as_agreed() -> None:
    marking = mark(QUESTION, "显存是线性的，FLOPs 减少了。", seconds=6)
    assert json.loads(json.dumps(marking.to_dict(), ensure_ascii=False)) == {
        "schema": 1,
        "question": "flash",
        "language": "zh",
        "points": [
            {
                "id": "flops",
                "weight": "core",
                "verdict": "contradicted",
                "span": [7, 15],
                "quote": "FLOPs 减少",
                "misconception": "fewer-flops",
            },
            {
                "id": "memory",
                "weight": "core",
                "verdict": "hit",
                "span": [0, 5],
                "quote": "显存是线性",
                "misconception": None,
            },
            {"id": "exact", "weight": "bonus", "verdict": "missing", "span": None, "quote": "", "misconception": None},
        ],
        "coverage": {"core": 0.5, "bonus": 0.0},
        "words_per_minute": 90.0,
        "suggested_rating": "again",
        "next_follow_up": "and then?（中文）",
    }


_PIECES = st.sampled_from(
    [
        "flops",
        " ",
        "not",
        "same",
        "，",
        "。",
        "显存",
        "不",
        "线性",
        "(",
        "\\sqrt{",
        "\u202e",
        "😀",
        "\x00",
        "n't",
        "1,000",
        "^2",
        "-",
        "?",
        "一百",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(characters.ANY, max_size=300), st.lists(_PIECES, max_size=80).map("".join)))
def test_any_text_can_be_marked(answer: str) -> None:
    for found in mark(QUESTION, answer, seconds=3).points:
        assert found.span is None or found.quote == answer[slice(*found.span)]
        assert (found.verdict == "missing") == (found.span is None)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "flops same ",
        "not ",
        "(",
        "\\",
        "\n",
        "1,",
        "一",
        "十",
        "'",
        "a'",
        "\u202e",
        "😀",
        "\x00",
        "\ud800",
        "-",
        "不是 flops 不变，",
        "quadrtic ",
    ],
)
def test_a_megabyte_of_anything_is_quick(piece: str) -> None:
    answer = (piece * (1_000_000 // len(piece) + 1))[:1_000_000]
    mark(QUESTION, answer[:LONGEST])
    taken = []
    for _ in range(3):  # the least is what the work costs; the rest is what else the machine did
        started = time.process_time()
        mark(QUESTION, answer)
        taken.append(time.process_time() - started)
    assert min(taken) < 0.2
