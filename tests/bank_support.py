"""Question files for the tests of the bank."""

from __future__ import annotations

from pathlib import Path

SAMPLE = """\
id: {id}
topic: {topic}
tags: [{tags}]
level: 2
frequency: {frequency}
kind: concept
prompt: {{en: "{en}", zh: "{zh}"}}
intent: {{en: Whether it is understood., zh: 是否理解。}}
answer:
  en: |
    {answer}
  zh: |
    {answer_zh}
elevator: {{en: Short., zh: 简短。}}
key_points:
  - id: first
    weight: core
    text: {{en: The first point., zh: 第一点。}}
    concepts:
      - {{en: [one], zh: [一]}}
    misconceptions:
      - id: not-first
        concepts: [{{en: [two], zh: [二]}}]
        correction: {{en: It is one., zh: 是一。}}
  - {{id: second, weight: bonus, text: {{en: Second., zh: 第二。}}, concepts: [{{en: [b], zh: [乙]}}]}}
  - {{id: third, weight: bonus, text: {{en: Third., zh: 第三。}}, concepts: [{{en: [c], zh: [丙]}}]}}
pitfalls:
  - {{wrong: {{en: W., zh: 错。}}, right: {{en: R., zh: 对。}}, refutes: [A36]}}
follow_ups:
  - question: {{en: And then?, zh: 然后呢？}}
    answer: {{en: Nothing., zh: 没有了。}}
    when_missing: first
experience:
  llm_training: {{en: L., zh: 训练。}}
  classic_nlp: {{en: C., zh: 经典。}}
  no_project: {{en: N., zh: 没有。}}
references:
  - {{title: A Paper, year: 2017, section: 3.20, url: "https://example.org/paper"}}
exercise: sdpa
lab: entropy
claims:
  - {{statement: {{en: It is 4., zh: 是四。}}, lab: entropy, value: mean.d64, expected: 4.12, tolerance: 0.05}}
"""


def sample(question_id: str = "sample", **fields: object) -> str:
    """A question file without a fault."""
    values: dict[str, object] = {
        "topic": "scaling",
        "tags": "softmax",
        "frequency": 3,
        "en": "Why?",
        "zh": "为什么？",
        "answer": "Because.",
        "answer_zh": "因为。",
    }
    return SAMPLE.format(id=question_id, **(values | fields))


def write(folder: Path, question_id: str = "sample", text: str | bytes | None = None, **fields: object) -> Path:
    """Write a question file to its topic folder under ``folder``: ``text``, or a sample with ``fields``."""
    path = folder / str(fields.get("topic", "scaling")) / f"{question_id}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text if text is not None else sample(question_id, **fields)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
