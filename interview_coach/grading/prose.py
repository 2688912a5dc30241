"""What docstrings and comments state: shapes, kinds of attention, and promises that then must hold."""

from __future__ import annotations

import re

from interview_coach.grading.polarity import stated_polarity

# Patterns are strings: re compiles one when it is first used, and keeps it.

_EMPTY = (
    r"(fully|all|completely|entirely|every\w*)\b.{0,24}(mask|pad|hidden|block)|mask\w* (out )?(completely|entirely|everywhere)|"
    r"without (any |a single |one |a )?((real|valid|visible|kept|allowed)|keys?\b)|nothing (left )?to (attend|see)|no (visible|valid|allowed|real)? ?(keys?|tokens?)|empty (row|quer|example|batch)|"
    r"整行|空行|(全部?|都)(被|是|为)?.{0,4}(遮|屏蔽|掩|mask|pad|填充)|没有(可见|可看|任何|有效)|无可见"
)
_ZERO = r"zeros?\b|\b0\b|零|(?<![\d.])0(?![\d.])"


ZERO_ROWS = f"({_EMPTY})[^.;。；\\n]*({_ZERO})|({_ZERO})[^.;。；\\n]*({_EMPTY})"
"""What :func:`promises_zero_rows` looks for, as one expression."""


def promises_zero_rows(text: str) -> bool:
    """Whether a sentence promises 0 for a query with nothing to attend to."""
    sentences = re.split(r"[.;。；\n]", text)
    return any(re.search(_EMPTY, s, re.I) and re.search(_ZERO, s, re.I) for s in sentences)


_EMPTY_SLICE = (
    r"[-−](inf|∞)\w* (everywhere|only|throughout)|(all|only|entirely|nothing but) (of )?`?[-−](inf|∞)\w*`?(?! ?(entr|logit|pos|val|elem))|"
    r"(全部?|都)(是|为) ?`?([-−](inf|∞)|负无穷)"
)


def promises_zero_slices(text: str) -> bool:
    """Whether a sentence promises 0 for a softmax over entries that are all ``-inf``."""
    sentences = re.split(r"[.;。；\n]", text)
    return any(re.search(_EMPTY_SLICE, s, re.I) and re.search(_ZERO, s, re.I) for s in sentences)


_SAME_DTYPE = (
    r"dtype (of|as) (the )?(q\b|query|queries|inputs?|x\b)|(same|its|their|input) dtype|preserv\w* (the )?dtype|"
    r"dtype (is |stays )?(preserved|kept|unchanged)|(返回|输出|结果).{0,12}(dtype|类型|精度).{0,10}(相同|一致|同|不变)|"
    r"(dtype|类型|精度)(与|和|跟).{0,8}(相同|一致)"
)


def promises_dtype(text: str) -> bool:
    """Whether the text promises an output in the dtype of the inputs."""
    return bool(re.search(_SAME_DTYPE, text, re.I))


_CAUSAL = (
    r"\W*(an? |the )?((multi-head|grouped[- ]query|multi-query|scaled|naive|batched|plain|simple)[ ,]+)*"
    r"((causal|autoregressive)[- ](\w+[- ]){0,3}?(self-)?attention|causal (gqa|mqa|mha)\b)|"
    r"\W*(带|实现)?(因果|自回归)的?[^，。；\n]{0,8}(注意力|attention)"
)
_LEFT_TO_OTHERS = (
    r"\bnon|\bnot?\b|without|unlike|\bif\b|\bwhen\b|\bfor\b|\bor\b|optional|pass|mask (is|may|can)|caller|also|differ|versus|\bvs\b|"
    r"非|不|无|没|可选|如果|若|或|传入|区别|除了"
)


def promises_causal(text: str) -> bool:
    """Whether a clause begins by calling what is in the file causal attention, and leaves that to no one else."""
    clauses = re.split(r"[;:()。；：，（）\n]|\.(?=\s|$)", text)
    return any(re.match(_CAUSAL, c, re.I) and not re.search(_LEFT_TO_OTHERS, c, re.I) for c in clauses)


_EXCLUSIVE = r"mutually exclusive|takes? precedence|not both|either [^.\n]{0,40} or [^.\n]{0,30}, (but )?not both|互斥|不能同时|二选一"


def states_exclusive(text: str) -> bool:
    """Whether the text says that two arguments are not used together."""
    return bool(re.search(_EXCLUSIVE, text, re.IGNORECASE))


_HALF = r"(fp16|float16|half|半精度)"
_SAFE = r"(safe|stable|finite|no overflow|(do|will)(es)?( not|n't) overflow|cannot overflow|安全|稳定|不会?溢出)"
_HALF_SAFE = f"{_HALF}[^.;。；\\n]{{0,60}}{_SAFE}|{_SAFE}[^.;。；\\n]{{0,40}}{_HALF}"


def promises_half(text: str) -> bool:
    """Whether the text promises to be safe in half precision."""
    return bool(re.search(_HALF_SAFE, text, re.I))


_DIFFER = r"(differ|different|不同|不等|unequal)"
_APART = r"(?:(?!\bnot\b|\bnever\b|n't)[^.;\n]){0,24}\b(shorter|longer|fewer|more) than[^.;\n]{0,12}\b"
_UNEQUAL = (
    rf"\bS?q(uer(y|ies))?\b{_APART}S?k(eys?)?\b|\bS?k(eys?)?\b{_APART}S?q(uer(y|ies))?\b|\blonger k(eys?)?\b|"
    r"(k|键)[^。；\n]{0,8}比[^。；\n]{0,6}(q|查询)[^。；\n]{0,6}[长多]|(q|查询)[^。；\n]{0,8}比[^。；\n]{0,6}(k|键)[^。；\n]{0,6}[短少]|"
    rf"\bS?q\b.{{0,24}}\bS?k\b.{{0,24}}{_DIFFER}|\bSq\b.{{0,16}}{_DIFFER}.{{0,12}}\bSk\b|"
    r"长度(可以|可|允许)?不(同|等|一致)|Sq ?(!=|≠|<|>|<=|>=|≤|≥) ?Sk|cross|bottom.?right|右下|"
    r"not (limited|restricted|confined) to (equal|the same|one)|last query [^.;\n]{0,24}last key"
)


def allows_unequal_lengths(text: str) -> bool:
    """Whether the text says that queries and keys may have different lengths."""
    return bool(re.search(_UNEQUAL, text, re.I))


_VALUE_DIM = r"\bd_?v\b|\bdim_?v\b|value dim|\bv\b[^.\n]{0,30}(another|different|its own|other) (width|dim|size)|v 的(维度|宽度)(可以|可)?不同"


def states_value_dim(text: str) -> bool:
    """Whether the text speaks of a dim of the values that is not that of the keys."""
    return bool(re.search(_VALUE_DIM, text, re.I))


_DIM_OF = r"\b{}\w*\b[^\n(\[（]{{0,40}}[(\[（]([^)\]）\n]*[,，]\s*)([A-Za-z_]\w*)\s*[)\]）]"


def states_one_dim(text: str) -> bool:
    """Whether the shapes that the text gives for queries and values end in the same dim."""
    q, v = (re.search(_DIM_OF.format(name), text, re.I) for name in "qv")
    return q is not None and v is not None and q.group(2).lower() == v.group(2).lower()


_NOT_ADDITIVE = (
    r"\b(no|not|never|isn't|without)( an?| be| support\w*| accept\w*)* additive|additive[^.;\n]{0,20}(not|n't|un)\s?support"
    r"|additive[^.;\n]{0,20}not (accept|allow)|(不|无|没有|非)(接受|支持|允许|是|用)?\s*(additive|加性)"
)


def states_additive(text: str) -> bool:
    """Whether the text says that a floating mask is added to the scores, and not that it is refused."""
    text = re.sub(_NOT_ADDITIVE, "", text, flags=re.I)
    said = r"float[^.\n]{0,40}(added|additive|\badd)|additive|added to (the )?(score|logit)|加到|加在|相加|加性"
    return bool(re.search(said, text, re.I))


def states_both_masks(text: str) -> bool:
    """Whether the text says what a boolean mask means, beside what a floating one does."""
    boolean = [line for line in text.splitlines() if re.search(r"\bbool|布尔", line, re.I)]
    both = any(re.search(r"\bfloat|浮点", line, re.I) for line in boolean)
    made = r"\b(from|built|build|make|made|convert\w*|turn\w*|becomes?)\b|由|转|换成|变成"
    return both and not re.search(made, "\n".join(boolean), re.I) and stated_polarity("\n".join(boolean)) is not None


_SHAPE = r"[(\[（]\s*((?:[A-Za-z_][\w*/ ]*\s*[,，]\s*)+[A-Za-z_][\w*/ ]*)\s*[)\]）]"
_LENGTH_WORD = r"(?:s|l|t|n|sq|sk|lq|lk|tq|tk|nq|nk|m|seq\w*|len\w*|.*len|.*_len\w*|.*length|time|tokens?|src|tgt|q_?len|k_?len|i|j)"


def stated_lengths(text: str) -> frozenset[str]:
    """Names of sequence lengths in the shapes that the text writes down, such as ``(B, H, Sq, D)``."""
    words: set[str] = set()
    for match in re.finditer(_SHAPE, text):
        items = [item.strip() for item in re.split(r"[,，]", match.group(1))]
        words |= {_one_spelling(i) for i in items[-3:] if re.fullmatch(_LENGTH_WORD, i, re.I)}
    return frozenset(words)


def _one_spelling(name: str) -> str:
    """``seq_len`` for the spellings of a sequence length that has no letter of its own."""
    return "seq_len" if re.fullmatch(r"(seq(uence)?)?_?(len(gth)?)?", name, re.I) else name.lower()


_TILED = (
    r"%\s*(n?_?h?_?kv\w*|hkv|g\b|num_\w*kv\w*|n_kv\w*)|\bmod(ulo)?\b|\btiled\b|round.?robin|cyclic|"
    r"平铺|轮流|循环|取模|取余|模 ?(n_?kv|hkv)"
)


_DENIED = (
    r"\b(not|never|no|unlike|without|isn't|rather than|instead of|as opposed to|in contrast to|would|where|encoders)\b|"
    r"不(是|像|同|按|用|能|要)|而非|并非|避免"
)
_RUNS = r"consecutive|neighbou?r|adjacent|contiguous|repeat_interleave|// ?\w|相邻|连续"


_TURN = r"\b(?:rather than|instead of|as opposed to|in contrast to|unlike|but)\b|而不是|而非|而是"
_BOUND = rf"[;()。；，（）\n]|\.(?=\s|$)|,(?!\s*(?:which|where|whose|who)\b)|——|(?={_TURN})"
_NOT_THIS_ONE = (
    r"\s*(but |while |whereas )?(this|these|ours?|we|here|it|that)\b[^.;。；\n]{0,30}(\bnot\b|n't\b|\binstead\b)|"
    r"\s*而?(这里|本文件|本实现|我们)[^。；\n]{0,12}不"
)
"""What follows a clause on something else, and says that it does not hold here."""
_DENIED_NEXT = r"\b(not|never|no|unlike|without|than|instead of|as opposed to|in contrast to)\s*\n\s*"


def affirms(text: str, pattern: str) -> bool:
    """Whether the text has the pattern in a clause that does not deny it."""
    text = re.sub(_DENIED_NEXT, r"\1 ", text, flags=re.I)
    for found in re.finditer(pattern, text, re.I):
        before, after = re.split(_BOUND, text[: found.start()])[-1], re.split(_BOUND, text[found.end() :])[0]
        rest = text[found.end() + len(after) :]
        if rest[:1] in (",", "，") and re.match(_NOT_THIS_ONE, rest[1:], re.I):
            continue
        if not re.search(_DENIED, f"{before}{found.group()}{after}", re.I):
            return True
    return False


def states_tiled_heads(text: str) -> bool:
    """Whether the text says that the key/value heads follow each other in turn, and not that each serves a run."""
    return affirms(text, _TILED) and not affirms(text, _RUNS)


_T5_DIFFERS = (
    r"unlike|in contrast|as opposed|differ|except|other than|rather than|instead of|whereas|\bif\b|\balike\b|\bcf\b|compare|"
    r"not (as|like|in|that of) T5|\bno, T5|T5-like models|(BERT|GPT\S*|LLaMA\S*|BART) ?[/,] ?T5|T5 ?[/,] ?(BERT|GPT|LLaMA|BART)|bias is left out|"
    r"不同|不像|不是|并非|若|如果|有别|区别|除了|比较|对比"
)
_SCALED = (
    r"(scal(?!ar)\w*|divid\w*|multipl\w*|keep|kept|保留|除以|除|乘以|缩放)[^\n]{0,40}(sqrt|√|\broot\b|根号|-0?\.5|1 ?/)|"
    r"(sqrt|√|根号)[^\n]{0,24}(缩放|scal)|(over|with|by) (the )?(\w+ )?(square root|1 ?/ ?sqrt|sqrt|√)"
)
_UNSCALED = (
    r"\b(not|no|un\w+|never|without|nor|omit\w*|skip\w*|drop\w*|absorb\w*|fold\w*|lack\w*|leav\w*|left|init\w*|absent|instead|"
    r"rather|others?|usual|does ?n.t|is ?n.t)\b|不|没|无|省|去掉|折|吸收|并入|合并|初始|而非"
)


def _affirms_scale(text: str) -> bool:
    """Whether a clause of the text says that scores are scaled."""
    clauses = re.split(r"[;,。；，\n]|\.(?=\s|$)", text)
    return any(re.search(_SCALED, c, re.I) and not re.search(_UNSCALED, c, re.I) for c in clauses)


def states_t5(text: str) -> bool:
    """Whether the text says that this is T5's attention, which has no scale, and not that this one differs from it."""
    text = re.sub(r"\b(cf|e\.g|i\.e|vs)\.", r"\1", text)
    sentences = [s for s in re.split(r"[.;。；\n]", text) if re.search(r"\bT5\b", s)]
    if any(re.search(_T5_DIFFERS, s, re.I) for s in sentences):
        return False
    if not any(re.search(r"attention|attn|scal|divid|sqrt|√|注意力|缩放|除", s, re.I) for s in sentences):
        return False  # of its bias, its norm, its vocabulary
    return not _affirms_scale(text)


_ONE_KEY_HEAD = (
    r"\bmqa\b|mqa_|_mqa|multi.?query|(one|single|1|shared) (shared )?(key|kv|k/v)|Hkv ?= ?1|"
    r"(单|一|1) ?个? ?(kv|key|k/v)|共(享|用)(同)?一|多查询"
)


_ONE_GROUP = (
    r"(one|1|a|single) (kv |key/value )?group\b|\bg(roups?)? ?= ?1\b|"
    r"(special|extreme|limiting|degenerate) case of (\w+[ -]){0,3}(gqa|grouped)|gqa ?(的|[(（])[^.;。；\n]{0,8}(特例|极端)|"
    r"(gqa|grouped[\w -]{0,24}) (with|of|at|where|when)[^.;\n]{0,24}\b(one|1|single)\b( group)?|(一|单|1) ?个?组"
)
_GROUPS = (
    r"\bgqa\b|\bgroup(s|ed|ing)?\b|group_?size|consecutive|neighbou?r|// ?\w|\bhead h\b|分组|每组|一组|同组|相邻|连续"
)


_A_CASE = (
    r"\b(mqa|multi.?query( attention)?)\b( ?\([^)\n]*\))? (is|being|as|comes|included|covered)\b[^.;。；\n]{0,24}\b(case|included|too|as well)\b|"
    r"mqa( ?[(（][^)）\n]*[)）])? ?(也?是|为|作为)[^.;。；\n]{0,12}(特例|特殊|极端|情形|情况)"
)


def states_one_key_head(prose: str, code: str = "") -> bool:
    """Whether the text, or a name in the code, says that one key/value head serves all query heads.

    A text that speaks of groups of query heads means any number of key/value heads, one among them.
    """
    if re.search(_GROUPS, re.sub(_ONE_GROUP, "", prose, flags=re.I), re.I) or re.search(_A_CASE, prose, re.I):
        return False
    return bool(re.search(_ONE_KEY_HEAD, prose + code, re.I))


_W = r"`?(window|win|w|left)(_?size)?`?"
_HOUSE_WINDOW = (
    rf"i ?[-−] ?{_W} ?\+ ?1|i ?[-−] ?\(?{_W} ?[-−] ?1|i ?[-−] ?{_W} ?< ?j|j ?> ?i ?[-−] ?{_W}|i ?[-−] ?j ?< ?{_W}|"
    rf"[(（] ?i ?[-−] ?{_W} ?, ?i ?[\]］]|共 ?{_W}|总共|一共|合计|in total|altogether|"
    rf"(window|w|last|最近|这) ?{_W}? ?(keys|tokens|positions|个)[^.;。；\n]{{0,24}}"
    r"(includ|itself counted|含自身|包括自身|含自己|包含自)"
)
_REACHES_BACK = (
    rf"i ?[-−] ?{_W} ?(\.\.|…|<=|≤|to\b|through|到|至|~|:|,|–|-)|i ?[-−] ?j ?(<=|≤) ?{_W}|"
    rf"j ?(>=|≥) ?i ?[-−] ?{_W}(?! ?\+)|"
    rf"{_W} (previous|preceding|past|earlier|prior|more)[^.;。；\n]{{0,24}}(and|plus|\+|besides)|"
    rf"(itself|own (key|position|token))[^.;。；\n]{{0,12}}(and|plus|\+) (to )?(the |up to )*{_W}|"
    rf"{_W} ?(keys|tokens|positions) (before|to (the|its) left|back)|{_W} ?\+ ?1 (keys|tokens|positions|个)|"
    rf"(自身|自己|当前)[^.;。；\n]{{0,8}}(和|以及|加|外加|与|及)[^.;。；\n]{{0,6}}(前|之前)[^.;。；\n]{{0,6}}{_W}|"
    rf"前(面)?(的)? ?{_W} ?个[^.;。；\n]{{0,12}}(和|以及|加|外加|与|及)[^.;。；\n]{{0,4}}(自|当前|本)"
)


def states_window_before(text: str) -> bool:
    """Whether the text says that a window counts the keys before the query's own, which comes on top."""
    if re.search(rf"{_W} ?\+ ?1 ?(keys|tokens|positions|个)", text, re.I):
        return True
    return bool(re.search(_REACHES_BACK, text, re.I)) and not re.search(_HOUSE_WINDOW, text, re.I)


_NOT_CAUSAL = r"non.?causal|(not|isn't|no) (a )?causal\w*( mask)?|without (a )?causal\w*( mask)?|非因果|(不是|并非|没有|无)因果(的)?(掩码)?"
_BOTH_SIDES = (
    r"both (sides|ways|directions)|(each|either) side|two.sided|symmetric|bidirectional|noncausal|centred|centered|before and after|"
    r"\|i ?[-−] ?j\||left and right|两侧|双向|左右|两边|每侧|前后|对称|中心"
)
_HALVES = rf"{_W} ?//? ?2|half (of )?(the |a )?{_W}|total width|in total|altogether|一半|总宽|总共|共 ?{_W}"
_WHOLE_SIDES = (
    rf"{_W} ?(keys|tokens|positions)? ?(on|to|at) (each|either|both|every)|(each|both|either) sides?[^.;\n]{{0,12}}{_W} (keys|tokens)|"
    rf"i ?[-−] ?{_W} ?(\.\.|…|to|through|~|到|至) ?i ?\+ ?{_W}|\|i ?[-−] ?j\| ?(<=?|≤) ?{_W}(?! ?//?)|(两侧|左右|每侧|两边|前后)各?(看|有)? ?{_W}(?! ?//?)"
)


def states_two_sided_window(text: str, half: bool = False) -> bool:
    """Whether the text says that a window reaches to both sides, and not that it is causal.

    With ``half`` it may say that the window is shared by the sides, without it that each side has the whole.
    """
    text = re.sub(_NOT_CAUSAL, "noncausal", text, flags=re.I)
    causal = r"(?<!non)causal|因果|autoregress|look\w* back|a decoder|只看(前|过去|左)"
    if not affirms(text, _BOTH_SIDES) or re.search(causal, text, re.I):
        return False
    return not re.search(_WHOLE_SIDES if half else _HALVES, text, re.I)


_ONE_SEQUENCE = (
    r"batch[ _]?(size)?\s*(=|==|of|is|must be)?\s*(1|one)\b|single[ -]?(stream|user|sequence|batch)|"
    r"batch\s*(大小)?\s*(必须|只能|固定)?\s*(是|为|=)?\s*1|单(条|个)?(序列|流|用户)"
)


def states_one_sequence(text: str) -> bool:
    """Whether the text says that there is one sequence only: a batch of one."""
    return bool(re.search(_ONE_SEQUENCE, text, re.I))


_MASK_SHAPE = r"mask\w*`?[^\n(（\[]{0,30}[(\[（]([^)\]）\n]*,[^)\]）\n]*)[)\]）]"
_BATCH_AND_KEYS = (
    r"\s*(b|bs|bsz|batch\w*)\s*[,，]\s*(s\w?|l\w?|t\w?|seq\w*|\w*len\w*|context\w*|ctx\w*|src\w*)( length)?\s*"
)


def states_padding_mask(text: str) -> bool:
    """Whether the one shape that the text gives a mask is that of the batch and the keys: ``mask (B, S)``."""
    shapes = re.findall(_MASK_SHAPE, text, re.I)
    return len(shapes) == 1 and bool(re.fullmatch(_BATCH_AND_KEYS, shapes[0], re.I)) and "broadcast" not in text
