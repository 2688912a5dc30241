"""What a file must say to mean another convention than the house's, where no variant of it is right unsaid.

A sentence counts where it affirms the convention and is about that very thing, and nothing else in the file says the
opposite. Words only excuse: what they are compared with is what the code computes.
"""

from __future__ import annotations

import re

from interview_coach.grading.prose import affirms

_CORNER = r"(top|upper)[ -]?left|左上"
_OF_THE_MASK = r"align|anchor|corner|causal|triang|mask|对齐|因果|三角|角|掩码"
_FIRST_WITH_FIRST = (
    r"(query|q) ?0 (only )?(sees|attends to|may attend to|looks at) (only )?(key|k) ?0\b|"
    r"first query[^.;\n]{0,24}(with|to|at|sees only|only sees) the first key|"
    r"(positions?|indices) (are )?counted from (0|zero|the (first|start|beginning))[^.;\n]{0,40}(q|quer)[^.;\n]{0,24}(k|key)|"
    r"第 ?(一|0|零) ?个 ?(query|q|查询)[^。；\n]{0,10}(对齐|对着|只看|只能看)[^。；\n]{0,4}第 ?(一|0|零) ?个 ?(key|k|键)"
)
_WHATEVER = (
    r"j ?(<=|≤) ?i\b[^.;\n]{0,24}(whatever|regardless|no matter|even (if|when|for|where)|also (if|when|for|where))"
    r"[^.;\n]{0,32}(S?k\b|keys|lengths?)|(无论|不管|即使)[^。；\n]{0,24}(Sk|长度|key|键)[^。；\n]{0,16}j ?(<=|≤) ?i"
)
_OTHER_CORNER = r"(bottom|lower)[ -]?right|右下|last query[^.;\n]{0,24}(with|to|at) the last key"
_FAULTED = r"\b(bug|wrong|mistake|trap|pitfall|incorrect|instead)|错|误|陷阱|本该|应该"


def states_top_left(text: str) -> bool:
    """Whether the text aligns its causal mask to the top left: the first query with the first key."""
    text = re.sub(r", where (?=(query|row|position|the first|q|i)\b)", "; ", text)
    sentences = [s for s in re.split(r"[;。；\n]|\.(?=\s|$)", text) if not re.search(_FAULTED, s, re.I)]
    about = "\n".join(s for s in sentences if re.search(_OF_THE_MASK, s, re.I))
    said = affirms(about, _CORNER) or affirms("\n".join(sentences), f"{_FIRST_WITH_FIRST}|{_WHATEVER}")
    return said and not affirms(text, _OTHER_CORNER)


_UNMASKED = (
    r"\bno (attention )?mask(ing)?\b(?! (is )?(given|passed|needed))|\bunmasked\b|every query (sees|attends to) (all|every) keys?|"
    r"(没有|无|不带|不加|不用)(注意力)?掩码"
)


def states_unmasked(text: str) -> bool:
    """Whether the text says that nothing is masked, and nowhere speaks of what is."""
    rest = re.sub(_UNMASKED, "", text, flags=re.I)
    return rest != text and not re.search(r"causal|autoregress|future|mask|因果|自回归|未来|掩码", rest, re.I)


_LSE = r"lse|log[- ]?sum[- ]?exps?|logsumexps?|log-normali[sz]er|\bL\b"
_BASE_TWO = r"base[- ]?(2|two)\b|log_?2(?!_?e\b|\(e)|log₂|binary log\w*|以 ?(2|二) ?为底"
_IN_BASE_TWO = rf"({_LSE})[^.;。；\n]{{0,48}}?({_BASE_TWO})|({_BASE_TWO})[^.;。；\n]{{0,32}}?({_LSE})|log2-?sum-?exp2"
_NATURAL = r"\bnatural|\bln\b|\bnats?\b|base[- ]?e\b|log_?e\b(?<!2_e)|自然对数|以 ?e ?为底"


def states_base_two(text: str) -> bool:
    """Whether the text says that log-sum-exps are in base 2."""
    return affirms(text, _IN_BASE_TWO) and not affirms(text, _NATURAL)


_CLASSES = r"(class(es)?|labels?|tokens?|categor(y|ies)|entries|logits|words?|indices|ones)"
_COUNT = r"(K|C|V|N|n|k|n_?class(es)?|num_class(es)?|classes|vocab(_size)?)"
_LESS_ONE = rf"\(? ?{_COUNT} ?[-−–] ?1\b ?\)?"
_OTHERS = (
    rf"(eps\w*|ε|smooth\w*|mass|α|alpha) ?/ ?{_LESS_ONE}|"
    rf"(over|among|across|between|to|on|by|for|of|onto) (all )?(the )?({_LESS_ONE} )?(other|others|remaining|rest|wrong|incorrect|"
    rf"non-?target|off-target)\b( {_LESS_ONE})?( {_CLASSES})?|(over|among|across|between|by) (the )?{_LESS_ONE}|"
    rf"其(余|他)(的)? ?({_COUNT} ?[-−–] ?1 ?)?个?(类|标签|词|位置)|{_COUNT} ?[-−–] ?1 ?个(其(余|他)|非目标)?(类|标签|词)?|非目标(类|标签|词)"
)
_SMOOTHS = r"eps|ε|smooth|mass|spread|shar|distribut|split|divid|α|alpha|平均|均匀|均分|平分|分给|分摊|分到|分配|摊"
_ALL_CLASSES = (
    rf"(over|among|across|between|to|on|by) (all|every|each)( the)? ({_COUNT} )?{_CLASSES}|(eps\w*|ε|α|alpha) ?/ ?{_COUNT}\b(?! ?[-−–])|"
    r"(all|every) \w* ?class(es)?[^.;\n]{0,16}(target|itself) (included|too|as well)|所有(的)?(类|标签|词)|全部(的)?(类|标签|词)|包括目标|含目标"
)


def states_other_classes(text: str) -> bool:
    """Whether the text spreads the eps of label smoothing over the classes other than the target."""
    about = "\n".join(s for s in re.split(r"[;。；\n]|\.(?=\s|$)", text) if re.search(_SMOOTHS, s, re.I))
    return affirms(about, _OTHERS) and not affirms(text, _ALL_CLASSES)


_AXIS = r"(dim(ension)?|axis|轴|维度?)"
_FIRST_AXIS = rf"{_AXIS} ?(=|is|为|：|:)? ?0\b|(first|leading|0th|zeroth) {_AXIS}|axis zero|第 ?(0|零|一) ?(个)?(维|轴)|0 轴|首(维|轴)"
_COLUMNS = (
    r"(over|along|down|across|of|for|within|normali[sz]\w+) (the |each |every |all )?columns?\b|column.?wise|per column|"
    r"(each|every|all|the) columns? (of \w+ )?(\w+ )?(sums?|adds?|is|are)|columns (sum|add)|按列|逐列|沿列|(每|各|对)(一)?列|列方向"
)
_OTHER_AXIS = (
    rf"{_AXIS} ?(=|is|为|：|:)? ?[-−]1|(last|final|trailing) {_AXIS}|row.?wise|per row|(each|every) row|"
    r"(over|along|across) (the )?rows?\b|最后一?个?(维|轴)|按行|逐行|(每|各)(一)?行"
)


def stated_axes(text: str, default: str | None = None) -> tuple[int, ...]:
    """Axes but the last that a softmax may mean, by what the text and the default of its parameter say."""
    if affirms(text, _OTHER_AXIS):
        return ()
    first = default == "0" or affirms(text, _FIRST_AXIS)
    columns = affirms(text, _COLUMNS)
    return ((0,) if first or columns else ()) + ((-2,) if columns else ())
