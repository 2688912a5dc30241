"""The JSON Schema of a question file, for editors.

``python -m interview_coach.bank.schema`` generates ``questions/schema.json`` from the model; a test keeps it in step.
"""

from __future__ import annotations

import json
from typing import Any

from interview_coach.resources import resource_dir

_HINTS = {
    "Question": {
        "id": "The name of the file; never changed, as a reader's history hangs on it. 文件名，不要更改",
        "topic": "The name of the folder the file lies in. 所在文件夹的名字",
        "tags": "Further words to filter by. 标签",
        "level": "1 everybody should know it, 5 an expert does. 难度",
        "frequency": "1 rarely asked, 5 nearly always. 出现频率",
        "prompt": "The question as the interviewer says it. 题目",
        "intent": "What the interviewer looks for. 考察点",
        "answer": "The model answer, in Markdown. 参考答案（Markdown）",
        "elevator": "What can be said in 30 seconds: at most 75 English words, 130 Chinese characters. 30 秒口述版",
        "key_points": "What a good answer says: 3 to 6 points. 要点",
        "pitfalls": "Common wrong answers beside the right ones. 常见错误",
        "follow_ups": "What is asked next. 追问",
        "experience": "How to tie the answer to one's own work, honestly. 如何结合自己的经历",
        "references": "Sources that were read. 参考资料",
        "exercise": "An exercise that practises this: see `coach exercises`. 对应的编程练习",
        "lab": "An experiment that shows this: see `coach lab`. 对应的实验",
        "claims": "The numbers said in the texts, each with the lab value that proves it. 文中数字的依据",
        "examples": "What people say about each key point; the marker learns from it. 各要点的说法，供评分器学习",
    },
    "KeyPoint": {
        "weight": "core: must be said; bonus: good to hear. core 必须说到，bonus 加分",
        "concepts": "Every group is needed; any phrase of a group will do. 每组都要出现，组内任一说法即可",
        "misconceptions": "Wrong statements that contradict this point; a core point needs one. 与本要点矛盾的错误说法",
        "remedy": "Of a harm: what averts it; denying the harm after it is right. 要点说的是危害时：避免它的做法",
    },
    "ConceptGroup": {"en": "English phrases.", "zh": "中文说法"},
    "Pitfall": {"refutes": "Ids of the claims of the fact-check that this corrects. 所纠正的论断编号"},
    "FollowUp": {"when_missing": "The key point whose absence provokes the question. 缺失哪个要点时追问"},
    "Examples": {
        "point": "A key point's id. 要点的 id",
        "right": "Sentences that say it, in many wordings, English and Chinese. 说对的句子，中英文，说法越多越好",
        "wrong": "Sentences that get it wrong, in much the same words. 说错的句子，用词与说对的相近",
    },
    "Claim": {"value": "The name of a value of the lab. 实验中的值名"},
}


def json_schema() -> dict[str, Any]:
    """The schema, as JSON Schema 2020-12."""
    from pydantic import TypeAdapter

    from interview_coach.bank.model import Question

    schema = TypeAdapter(Question).json_schema()
    parts = {"Question": schema, **schema["$defs"]}
    for name, part in parts.items():
        part["additionalProperties"] = False
        for field, hint in _HINTS.get(name, {}).items():
            part["properties"][field]["description"] = hint
    for field in parts["Text"]["properties"].values():
        field["minLength"] = 1
    for part in parts.values():
        for field in part["properties"].values():
            field.pop("title", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def schema_text() -> str:
    """The schema as the file holds it."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    path = resource_dir("questions") / "schema.json"
    path.write_text(schema_text(), encoding="utf-8")
    print(path)
