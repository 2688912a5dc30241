"""Texts of the app: line breaks, Markdown, phrases, and both languages for all of them."""

from __future__ import annotations

import string
import subprocess
import sys
from datetime import timedelta
from itertools import pairwise

import pytest
from rich.cells import cell_len

from interview_coach.text import Language
from interview_coach.tui.markdown import layout, parse
from interview_coach.tui.phrases import clock_time, fit, interval, share_bar, sides, sparkline
from interview_coach.tui.strings import KEYS, STRINGS
from interview_coach.tui.wrapping import install, line_breaks


def broken(text: str, width: int) -> list[str]:
    cuts = [0, *line_breaks(text, width), len(text)]
    return [text[first:last].rstrip() for first, last in pairwise(cuts)]


def lines(markdown: str, width: int = 40) -> list[str]:
    return [line.plain.rstrip() for line in layout(parse(markdown), width)[0]]


def test_chinese_breaks_at_any_ideograph_but_not_before_a_comma() -> None:
    assert broken("除以根号是为了，让方差保持为一（否则会饱和）。", 14) == [
        "除以根号是为",
        "了，让方差保持",
        "为一（否则会饱",
        "和）。",
    ]
    assert broken("除以 √d_k 使 softmax 不饱和", 12) == ["除以 √d_k 使", "softmax 不饱", "和"]


def test_english_breaks_as_before_and_installing_twice_changes_nothing() -> None:
    install()
    install()
    assert broken("the sum of d_k products", 10) == ["the sum of", "d_k", "products"]


def test_markdown_blocks() -> None:
    text = (
        "A sum of\n`d_k` **terms**.\n\n- one item that is long enough to be broken\n- two\n\n"
        "```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | `x|y` |"
    )
    assert lines(text, 30) == [
        "A sum of d_k terms.",
        "",
        "• one item that is long enough",
        "  to be broken",
        "• two",
        "",
        "  x = 1",
        "",
        "a │ b",
        "──┼────",
        "1 │ x|y",
    ]


def test_emphasis_may_touch_chinese_and_a_product_is_no_emphasis() -> None:
    content = parse("**“方差”**为 d_k，即 B * H * S")[0].content  # type: ignore[union-attr]
    assert content.plain == "“方差”为 d_k，即 B * H * S"
    assert [(span.start, span.end) for span in content.spans if "bold" in str(span.style)] == [(0, 4)]


def test_lines_of_chinese_source_are_joined_without_a_space() -> None:
    assert lines("方差是\n一，and\nso on") == ["方差是一，and so on"]


@pytest.mark.parametrize("width", [20, 33, 60])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    table = "| 权重 | what it is | value |\n|-|-|-|\n| `nn.Linear` 默认 | a longer cell with words | 0.11 |"
    text = f"{'因果掩码遮住未来的键。' * 9}\n\n{table}\n\n1. {'word ' * 30}"
    assert max(cell_len(line) for line in lines(text, width)) <= width


@pytest.mark.parametrize(
    ("span", "language", "said"),
    [
        (timedelta(seconds=20), "en", "<1 min"),
        (timedelta(minutes=10), "en", "10 min"),
        (timedelta(hours=23, minutes=50), "en", "1 d"),
        (timedelta(days=3, hours=2), "zh", "3 天"),
        (timedelta(days=400), "en", "1 y"),
    ],
)
def test_intervals(span: timedelta, language: Language, said: str) -> None:
    assert interval(span, language) == said


def test_quantities() -> None:
    assert clock_time(12.01) == "00:13"
    assert clock_time(0) == "00:00"
    assert sparkline((0, 1, 2, 4)) == "▁▃▅█"
    assert sparkline((0, 0)) == "▁▁"
    assert share_bar(0.31) == "███░░░░░░░"
    assert fit("注意力", 5) == "注意…"
    assert sides("left", "右", 10) == "left    右"


def test_every_text_exists_in_both_languages_with_the_same_fields() -> None:
    texts = [*STRINGS.items(), *((id, text) for id, pair in KEYS.items() for text in pair)]
    for id, text in texts:
        fields = [{name for _, name, _, _ in string.Formatter().parse(side) if name} for side in (text.en, text.zh)]
        assert text.en, id
        assert text.zh, id
        assert fields[0] == fields[1], id


def test_opening_the_app_imports_nothing_heavy() -> None:
    heavy = (
        "torch numpy fsrs yaml pydantic markdown_it textual.widgets._text_area "
        "interview_coach.grading.engine interview_coach.marking"
    )
    script = f"import sys, interview_coach.tui.app; print(*(m for m in {heavy.split()} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
