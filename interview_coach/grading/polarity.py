"""What docstrings and comments say that ``True`` means in a mask.

A clause counts that has one kind of flag (``True``, 1, or ``False``, 0) and one kind of fate for what it marks: kept or
dropped. Clauses with both of either say nothing by themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache

_KEEP = (
    r"attend(?!ed by)\w*|kept|keep\w*|real|visible|allow\w*|permit\w*|valid|sees?|seen|look\w*|tak\w+ part|participat\w*|contribut\w*|receiv\w*|"
    r"used?|shown|unmask\w*|present|actual|exists?|survive\w*|include\w*|live|参与|保留|可见|可以看|能看|看到|看得到|看见|有效|真实|允许|可看|关注|实际|保持|参加|算进|计入"
)
_DROP = (
    r"masked|masks? (?:out|off|away|the|these|padd\w+|keys?)|(?:[=>:]|means?|for|is|to) masks?\b(?! ?(?:value|entr|posit))|masking|ignor\w*|pads?|padding|padded|drop\w*|hid(?:e|es|den|ing)|"
    r"block\w*|exclud\w*|remov\w*|forbid\w*|skip\w*|disregard\w*|left out|prohibit\w*|disallow\w*|invalid|invisible|suppress\w*|unseen|zeroed out|"
    r"[-−] ?(?:inf\w*|∞|1e\d+)|float\(.-inf.\)|minus infinity|(?:large|big|huge) negative|屏蔽|遮|忽略|填充|掩盖|掩掉|丢弃|盖住|去掉|无效|挡|跳过|剔除|排除|负无穷|禁止"
)
_NOT = r"\b(?:not|never|cannot|can't|isn't|aren't|don't|doesn't|mustn't|no|nothing|non)\b[- ]?"
_NOT_ZH = r"(?:不|没有|没|看不|无法|非|并非|未)(?:再|能够?|会|可以?|应|被|要|得|需要|是|代表|表示|意味着|允许)*"
# In a clause ⊕ stands for words that keep, ⊖ for those that drop; ⊟ and ⊞ for their denials.
_KEPT_NOT = rf"{_NOT}(?:\w+ ){{0,3}}?⊕(?: (?:to |be )*⊕)*|{_NOT_ZH} ?(?:⊕|见|到|看)"
_DROPPED_NOT = rf"{_NOT}(?:be |an? |to be |part of )?⊖|{_NOT_ZH} ?⊖"
_TRUE, _FALSE = (rf"(?<![A-Za-z0-9_.]){flag}(?![A-Za-z0-9_])|为{zh}" for flag, zh in (("true", "真"), ("false", "假")))
_ALONE = r"(?<![A-Za-z0-9_.\-−])(?<![-−+*·第] )(?<!第)(?<!from )(?<!position )(?<!token )(?<!key )(?<!head )(?<!query )(?<!row )(?<!dim )(?:{})(?![A-Za-z0-9_.]| ?[-−+*·] ?\w)"
_ONE, _ZERO = _ALONE.format("1s?|ones|non-?zeros?"), _ALONE.format("0s?|zeros?")
_OF_A_MASK = r"^[\s:：]*[01] |mask|掩码|entr(?:y|ies)|positions?|tokens?|padd?ing|padded|\bpads?\b|位置|处|标|[01] ?(?:=|:|->|→|：|means?\b|for\b|marks?\b|表示|代表|是)"
_A_RESULT = r"\b(?:gives?|returns?|outputs?|yields?|weights?|probabilit\w+|rows?|contributes?|scores? (?:of|are)|set to|comes? (?:back|out))\b|得到|返回|输出|权重|结果|概率"
_OF_ANOTHER = r"causal|因果|future|未来|diagonal|triang|tril|triu|对角|三角|下标|training|dropout|cache|batch_first|need_|flag|bias|return\w* (?:the )?(?:attention|weights)"
_ELSEWHERE = (
    r"other way (a?round)|opposite|contrary|reverse|unlike|whereas|differs?\b|nn\.Multi|key_padding_mask|torch's|pytorch|"
    r"hugging ?face|keras|tensorflow|\bjax\b|相反|不同|有别"
)
_FILL = r"[-−] ?(?:inf\w*|∞|1e\d)|float\(.-inf|finfo|负无穷"
_HERE = r"(?:\bhere\b|\bthis\b|这里|此处|本)[^;。；.\n]{0,24}(?:other way (?:a?round)|opposite|contrary|reversed?|相反)[:：,，]"
_NOUNS = r"\b\w+_masks?\b|\bmask_\w+|\b(?:key[ -])?pad(?:ding)?[ -]masks?\b|\bkeep[ -]masks?\b|填充掩码|padding ?掩码"
_CONDITION = r"\b(if|where|when|wherever|for)\b([^,;.\n]*\b(?:true|false|[01])\b[^,;.\n]*),"
_GOES_ON = r"(?<=[a-z,])\n[ \t]*(?=[a-z]+[ .,])(?![\w ]{1,24}:)"
_CLAUSE_END = r"[;,，。；()（）\n]|\.(?=\s|$)|\b(?:and|or|but|while|else|otherwise|whereas)\b|而(?!非)|、"


@lru_cache(maxsize=32)
def stated_polarity(text: str) -> str | None:
    """``keep`` or ``drop`` when docstrings or comments say what True means in a mask, else ``None``.

    What is said of another library's masks counts only where nothing else contradicts it.
    """
    if not re.search(r"true|false|ones|zero|[01]|真|假", text, re.I):
        return None
    kinds = _meanings(text) or _meanings(re.sub(_GOES_ON, " ", text))
    if len(kinds) != 1:
        text = re.sub(_HERE, ";", text, flags=re.I)
        kinds = _meanings(re.sub(rf"(?:{_ELSEWHERE}).*?(?=[;()。；（）\n]|\.(?:\s|$)|$)", "", text, flags=re.I))
    return kinds.pop() if len(kinds) == 1 else None


def _meanings(text: str) -> set[str]:
    return {found for clause in _clauses(text) if (found := _meaning(clause)) is not None}


def _clauses(text: str) -> list[str]:
    text = re.sub(r"(?m)^\s*[-*•] +|\*\*|[`\"“”]|(?<![A-Za-z])'|'(?![A-Za-z])", "", text)  # bullets and quotes
    text = re.sub(r"\((true|false)\)", r"= \1", text, flags=re.I)
    text = re.sub(r"(?<![\w.])([01]) ?\((\w+)\)", r"\1 = \2", text)
    text = re.sub(r"\[[^\]\n]*\]|\((?![^()\n]*(?:true|false))[^()\n]*,[^()\n]*\)", " ", text, flags=re.I)  # shapes
    text = re.sub(_CONDITION, r"\1\2", text, flags=re.I)
    text = re.sub(_NOUNS, "mask", text, flags=re.I)
    clauses = []
    for line in text.splitlines():
        added = re.search(_FILL, line, re.I) and not re.search("bool|true|false", line, re.I)
        for clause in re.split(_CLAUSE_END, line, flags=re.I):
            if not added or re.search(r"(?:==|\bis|为) ?[01]\b", clause):  # "0 keeps, -inf hides" adds numbers
                clauses += _one_flag_each(clause)
    return clauses


def _one_flag_each(clause: str) -> list[str]:
    """A clause that goes from flag to flag in parts: ``1 keep / 0 drop``."""
    first, *others = re.split(rf"(?={_TRUE}|{_FALSE}|{_ONE}|{_ZERO})", clause, flags=re.I)
    if len(others) < 2 or re.search(f"{_KEEP}|{_DROP}", first, re.I):
        return [clause]
    return [f"mask {other}" for other in others]


def _meaning(clause: str) -> str | None:
    """What True means by one clause."""
    if re.search(_OF_ANOTHER, clause, re.I):
        return None
    numbers = re.search(_OF_A_MASK, clause, re.I) and not re.search(_A_RESULT, clause, re.I)
    true = re.search(f"{_TRUE}|{_ONE}" if numbers else _TRUE, clause, re.I)
    false = re.search(f"{_FALSE}|{_ZERO}" if numbers else _FALSE, clause, re.I)
    if bool(true) == bool(false):
        return None
    for words, sign in ((_KEEP, "⊕"), (_DROP, "⊖")):
        clause = re.sub(rf"(?<![A-Za-z])(?:{words})(?![a-z])", sign, clause, flags=re.I)
    clause = re.sub(_DROPPED_NOT, "⊞", re.sub(_KEPT_NOT, "⊟", clause, flags=re.I), flags=re.I)
    kept, dropped = re.search("[⊕⊞]", clause), re.search("[⊖⊟]", clause)
    if bool(kept) == bool(dropped):
        return None
    return "keep" if bool(kept) == bool(true) else "drop"
