"""What is wrong with a question file, where, and what would be right."""

from __future__ import annotations

from dataclasses import dataclass

from interview_coach.text import Language, Text

Location = tuple[str | int, ...]
"""Where something is in a question: field names and list positions from the top."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong with a question file.

    Attributes:
        file: The file, or the folder that was asked for.
        line: Counted from 1.
        field: The path of the field (``key_points[1].concepts[0].zh``), or ``file`` or ``yaml`` when no field is meant.
        message: What is wrong and what is allowed, in English.
        message_zh: The same in Chinese.
    """

    file: str
    line: int
    field: str
    message: str
    message_zh: str

    def get(self, language: Language) -> str:
        """The message in ``language``."""
        return self.message_zh if language == "zh" else self.message

    def format(self, language: Language = "en") -> str:
        """``file:line: field: message``, the form that editors can jump to."""
        return f"{self.file}:{self.line}: {self.field}: {self.get(language)}"

    def __str__(self) -> str:
        return self.format()


MESSAGES = {
    # the file
    "no_folder": Text("there is no such folder", "没有这个文件夹"),
    "no_questions": Text(
        "no question file in this folder; expected <topic>/<id>.yaml",
        "这个文件夹里没有题目文件；应为 <topic>/<id>.yaml",
    ),
    "unreadable": Text("cannot be read: {detail}", "无法读取：{detail}"),
    "not_a_file": Text("is not a regular file", "不是普通文件"),
    "too_big": Text("is {size} bytes long; at most {most} are read", "有 {size} 字节；最多读取 {most} 字节"),
    "binary": Text("is not text (it holds a NUL byte)", "不是文本文件（含有 NUL 字节）"),
    "not_utf8": Text("is not UTF-8; save it as UTF-8", "不是 UTF-8 编码；请另存为 UTF-8"),
    "empty": Text(
        "is empty; start from the example in docs/questions.md", "是空文件；可从 docs/questions.md 的示例开始"
    ),
    # the YAML
    "tab": Text("a tab where YAML wants spaces; indent with spaces", "此处不能用制表符；请用空格缩进"),
    "yaml": Text("not valid YAML: {detail}", "YAML 语法错误：{detail}"),
    "not_a_mapping": Text(
        "must be a mapping (`id: …`, `topic: …`), not {found}", "应为映射（`id: …`、`topic: …`），而不是{found}"
    ),
    "tag": Text("the tag {tag} is not supported; remove it", "不支持标签 {tag}；请删除"),
    "key": Text("a key must be a plain word", "键必须是普通单词"),
    "duplicate_key": Text(
        "is given twice; keep one (the first is in line {first})", "重复出现；请只保留一个（第一个在第 {first} 行）"
    ),
    "too_large": Text(
        "holds more than {most} values with its aliases written out, or nests deeper than {deepest} levels",
        "展开别名后超过 {most} 个值，或嵌套超过 {deepest} 层",
    ),
    "control": Text("holds the control character {character}; remove it", "含有控制字符 {character}；请删除"),
    # the fields
    "missing": Text("is missing; it is required", "缺失；此字段必填"),
    "unknown": Text("is not a known field; allowed: {allowed}", "不是已知字段；允许：{allowed}"),
    "unknown_close": Text(
        "is not a known field; did you mean {close}? allowed: {allowed}",
        "不是已知字段；是否想写 {close}？允许：{allowed}",
    ),
    "blank": Text(
        "is empty; write a text or leave the field out if it is optional", "为空；请填写，若为可选字段可整行删去"
    ),
    "string": Text("must be a text, not {found}", "应为文本，而不是{found}"),
    "list": Text("must be a list, not {found}", "应为列表，而不是{found}"),
    "mapping": Text("must be a mapping with {allowed}, not {found}", "应为包含 {allowed} 的映射，而不是{found}"),
    "integer": Text("must be a whole number, not {value}", "应为整数，而不是 {value}"),
    "number": Text("must be a finite number, not {value}", "应为有限的数，而不是 {value}"),
    "at_least": Text("is {value}; at least {bound} is allowed", "为 {value}；不得小于 {bound}"),
    "at_most": Text("is {value}; at most {bound} is allowed", "为 {value}；不得大于 {bound}"),
    "range": Text("is {value}; allowed: 1 to 5", "为 {value}；允许 1 到 5"),
    "choice": Text("is {value}; allowed: {allowed}", "为 {value}；允许：{allowed}"),
    "slug": Text(
        "is {value}; allowed: lower-case letters, digits and single hyphens (why-sqrt-dk)",
        "为 {value}；只允许小写字母、数字和单个连字符（why-sqrt-dk）",
    ),
    "claim_id": Text("is {value}; expected the id of a claim, such as A36", "为 {value}；应为论断编号，例如 A36"),
    "url": Text("is {value}; expected https://…", "为 {value}；应为 https://…"),
    "too_long": Text("has more than {bound} characters", "超过 {bound} 个字符"),
    "no_items": Text("needs at least one entry", "至少需要一项"),
    "other": Text("{detail}", "{detail}"),
    # the rules
    "duplicate_id": Text(
        "{value} is also the id of {other}; ids must differ", "{value} 也是 {other} 的 id；id 不得重复"
    ),
    "topic_folder": Text(
        "is {value}, but the file lies in the folder {folder}/; they must be the same",
        "为 {value}，但文件在文件夹 {folder}/ 中；两者必须一致",
    ),
    "file_name": Text("is {value}, so the file should be named {value}.yaml", "为 {value}，文件名应为 {value}.yaml"),
    "elevator_words": Text(
        "is {count} words long; at most {most} (30 seconds spoken)",
        "有 {count} 个英文单词；最多 {most} 个（口述 30 秒）",
    ),
    "elevator_characters": Text(
        "is {count} Chinese characters long; at most {most} (30 seconds spoken)",
        "有 {count} 个汉字；最多 {most} 个（口述 30 秒）",
    ),
    "no_chinese": Text("has no Chinese character; write the Chinese text here", "没有汉字；请在此写中文"),
    "key_point_count": Text("{count} key points; write 3 to 6", "有 {count} 个要点；应为 3 到 6 个"),
    "no_core": Text("no key point is core; mark what must be said as core", "没有 core 要点；请把必须说到的标为 core"),
    "same_key_point": Text("{value} is used by two key points; ids must differ", "两个要点都用了 {value}；id 不得重复"),
    "same_misconception": Text(
        "{value} is used by two misconceptions of this question; ids must differ",
        "本题两个误解都用了 {value}；id 不得重复",
    ),
    "no_misconception": Text(
        "a core key point needs at least one misconception (a wrong answer that contradicts it)",
        "core 要点至少需要一个误解（与之矛盾的错误回答）",
    ),
    "when_missing": Text(
        "{value} is no key point of this question; allowed: {allowed}", "{value} 不是本题的要点；允许：{allowed}"
    ),
    # the links
    "exercise": Text("there is no exercise {value}; allowed: {allowed}", "没有练习 {value}；允许：{allowed}"),
    "lab": Text("there is no lab {value}; allowed: {allowed}", "没有实验 {value}；允许：{allowed}"),
    "lab_value": Text(
        "the lab {lab} has no value {value}; allowed: {allowed}", "实验 {lab} 没有值 {value}；允许：{allowed}"
    ),
    "lab_number": Text(
        "is {expected} ± {tolerance}, but the lab {lab} measures {measured}",
        "为 {expected} ± {tolerance}，但实验 {lab} 测得 {measured}",
    ),
}

NOUNS = {
    "dict": Text("a mapping", "映射"),
    "list": Text("a list", "列表"),
    "str": Text("a text", "文本"),
    "NoneType": Text("nothing", "空值"),
}


def field_name(location: Location) -> str:
    """``("key_points", 1, "text")`` as ``key_points[1].text``."""
    name = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return name.lstrip(".") or "yaml"


def problem(file: str, line: int, field: str, code: str, **details: object) -> Problem:
    """The problem ``code`` of :data:`MESSAGES`, filled with ``details`` (a :class:`Text` is put in by its language)."""
    message = MESSAGES[code]
    english = {name: value.en if isinstance(value, Text) else value for name, value in details.items()}
    chinese = {name: value.zh if isinstance(value, Text) else value for name, value in details.items()}
    return Problem(file, line, field, message.en.format(**english), message.zh.format(**chinese))
