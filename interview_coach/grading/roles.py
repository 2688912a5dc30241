"""What the names in a signature say: the role of each parameter, and the sizes a constructor asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interview_coach.grading.protocol import DTypeName, Parameter, Record

# Role → the names it goes by, as whole words after the case and underscores are folded away. First match wins.
PARAMETER_ROLES: tuple[tuple[str, str], ...] = (
    ("qkv", r"qkv"),
    ("w_q", r"(w|weights?)(q|query|queries)|(q|query)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_k", r"(w|weights?)(k|keys?)|(k|key)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_v", r"(w|weights?)(v|values?)|(v|value)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_o", r"(w|weights?)(o|out|output|proj)|(o|out|output)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_qkv", r"(w|weights?)(qkv)|qkv(w|weights?|proj)|(in|attn|c)(proj|attn)w?(eights?)?"),
    ("b_q", r"(b|bias)(q|query)|(q|query)(b|bias)"),
    ("b_k", r"(b|bias)(k|key)|(k|key)(b|bias)"),
    ("b_v", r"(b|bias)(v|value)|(v|value)(b|bias)"),
    ("b_o", r"(b|bias)(o|out|output)|(o|out|output)(b|bias)"),
    ("q", r"q|qs|xq|qq|query|queries|querystates?|querylayer|qin|qinput|qh|qmat|qtensor|qmatrix|querytensor"),
    ("k", r"k|ks|xk|kk|keys?|keystates?|keylayer|kin|kinput|kh|kmat|ktensor|kmatrix|keytensor"),
    ("v", r"v|vs|xv|vv|values?|valuestates?|valuelayer|vin|vinput|vh|vmat|vtensor|vmatrix|valuetensor|val"),
    ("lengths", r"(valid|seq|key|kv|k|src|context|memory|ctx|enc|x)?(lens?|lengths?)|(valid|real)(tokens|count|keys)|numvalid"),
    ("bias", r"(attn|attention|score|scores|position|pos|rel|logit|logits|additive)bias|bias|additivemask|maskbias|floatmask"),
    ("mask", r".*mask.*|.*padding|pad|keep|visible|allowed|valid|adj|adjacency|drop|hide|ignore|blocked"),
    ("causal", r"(is|use)?causal|iscausal|causalflag|autoregressive"),
    ("window", r"window(size)?|w|win|windowlen"),
    ("scale", r"scale|scaling|softmaxscale|temperature|temp|scalefactor|smscale"),
    ("dropout", r"dropout|dropoutp|attndropout|pdrop|dropoutrate|p|attnpdrop|residpdrop|drop(rate)?"),
    ("training", r"training|train|istraining|deterministic"),
    ("weights_flag", r"(need|return|output|with)(weights?|attn|attention|attentions|probs|scores|attnweights|lse)"),
    ("n_heads", r"(n|num)?(heads?|attentionheads?|qheads)|nhead|h|numheads|nheads"),
    ("block", r"(block|tile|chunk)(size|q|k|n|m|len)?|bc|br|blk|bs"),
    ("axis", r"dim|axis"),
    ("x", r"x\d?|xs|inputs?|hidden(states?)?|emb(edding)?s?|tokens?|src|seq(uence)?|inp|h0|feat(ure)?s?|tgt|target|xin|xq|dec(oder)?(hidden|states?|input|x|out)?|logits|scores"),
    ("context", r"context|ctx|cond(ition)?|mem(ory)?|enc(oder)?(out|outputs?|states?|hidden(states?)?)?|kv|keyvalue|cross(states?)?|kvstates?|kvinput|xkv|encx|xenc"),
)  # fmt: skip
_COMPILED = tuple((role, re.compile(pattern)) for role, pattern in PARAMETER_ROLES)

# Size of a constructor → the names it goes by. The order matters: `dim_head` before `dim`.
SIZE_NAMES: tuple[tuple[str, str], ...] = (
    ("kv_heads", r"(n|num)?(kv|keyvalue)(heads?|groups?)|(n|num)kvhead|numqueriespergroup|nkv|kvh|ngroups|numgroups"),
    ("heads", r"(n|num)?(heads?|attentionheads?|attnheads?)|nheads?|numheads?|nh|h|numattentionheads|qheads|nqheads"),
    ("d_head", r"doutkq|doutqk|dkq|dk|dhead|headdim|headsize|dimhead|dimperhead|headwidth|dkey|kdim|dq|qkdim|keydim|querysize|keysize|dimk|hd|hs|dkq"),
    ("d_value", r"doutv|dv|vdim|valuedim|dimv|dvalue|valuesize"),
    ("d_context", r"(d|dim)?(context|ctx|cond|memory|mem|enc|encoder|cross|kv|source)(dim|size|features|channels)?|dimcontext|contextdim|dkv|dctx|denc|dmem"),
    ("d_model", r"nx|nstate|dstate|(d|dim)?(model|embed|embedding|hidden|emb|in|input|feature|features|query|x)(dim|size|features|channels|ding|dings)?|nembd|nembed|ndim|dim|c|d|e|embeddim|embedsize|width|channels|hidden|size|units|dout|outdim|dmodel|inner|innerdim|alldim|totaldim|dimension|numhiddens|nhidden|hiddens|attndim"),
    ("length", r"(max|block|context|seq|sequence|ctx|n|max)*(len|length|size|positions?|ctx|window)|maxt|t|blocksize|maxseq|contextlength|maxseqlen"),
    ("dropout", r".*drop.*|p"),
    ("scale", r"scale|temperature|scaling|temp|softmaxscale"),
    ("causal", r"(is|use)?causal|mask(ed)?|autoregressive"),
    ("bias", r".*bias"),
    ("batch_first", r"batchfirst"),
    ("layer", r"layer(idx|id|index)|idx"),
    ("dtype", r"dtype"),
    ("device", r"device"),
    ("config", r"config|cfg|conf|args|params|hparams|opt|options"),
    ("axis", r"axis|dim"),
    ("base", r"base|theta|ropebase|ropetheta"),
)  # fmt: skip
_SIZES = tuple((role, re.compile(pattern)) for role, pattern in SIZE_NAMES)


def fold(name: str) -> str:
    """A name without case, underscores and trailing digits' separators: ``W_Q`` and ``wq`` are one."""
    return re.sub(r"[_\W]", "", name).lower()


def parameter_role(name: str) -> str | None:
    """The role of a parameter of a call, or ``None`` when the name says nothing."""
    folded = fold(name)
    return next((role for role, pattern in _COMPILED if pattern.fullmatch(folded)), None)


def size_role(name: str) -> str | None:
    """The size that a constructor's parameter asks for."""
    folded = fold(name)
    return next((role for role, pattern in _SIZES if pattern.fullmatch(folded)), None)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes a module is built with. ``d_head * heads == d_model``."""

    d_model: int = 30
    heads: int = 5
    kv_heads: int | None = None
    d_context: int | None = None
    d_value: int | None = None
    length: int = 256
    dropout: float = 0.25
    """Not 0, so that dropout that acts in eval mode shows."""

    shared: bool = False
    """Whether one projection of the width of a head serves all heads."""
    single: bool = False
    """Whether the object turned out to hold one head, whatever its configuration says."""

    @property
    def head_count(self) -> int:
        """Heads that the projections are split into."""
        return 1 if self.single else self.heads

    @property
    def d_head(self) -> int:
        """Channels of one head."""
        return self.d_model // self.heads

    def named(self, role: str) -> Any:
        """The value for a size role; raises ``KeyError`` for roles that are no size."""
        values: Mapping[str, Any] = {
            "d_model": self.d_model,
            "heads": self.heads,
            "kv_heads": self.kv_heads or self.heads,
            "d_head": self.d_head,
            "d_value": self.d_value or self.d_head,
            "d_context": self.d_context or self.d_model,
            "length": self.length,
            "dropout": self.dropout,
            "scale": float(self.d_head) ** -0.5,
            "batch_first": True,
            "layer": 0,
            "dtype": DTypeName("float32"),
            "device": "cpu",
            "axis": -1,
            "base": 10000.0,
        }
        return values[role]


_CONFIG_ACCESS = re.compile(
    r"\b(?:config|cfg|conf|args|hparams|params|opt|options|c|hp)\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*['\"](\w+)['\"]\s*\])"
)


def config_names(code: str) -> list[str]:
    """Names that a source asks its configuration for."""
    return list(dict.fromkeys(a or b for a, b in _CONFIG_ACCESS.findall(code)))


def _size_by_words(name: str) -> str | None:
    """The size that a longer name speaks of, such as ``vision_hidden`` or ``num_query_heads``."""
    words = name.lower()
    if "head" in words and re.search(r"n_|num|count|heads", words):
        return "kv_heads" if re.search(r"kv|key|group", words) else "heads"
    if re.search(r"head", words):
        return "d_head"
    if re.search(r"drop", words):
        return "dropout"
    if re.search(r"hidden|dim|embd|embed|width|size|channel|model", words):
        return (
            "d_context"
            if re.search(r"vision|image|audio|context|enc|source|src|memory|cond|kv|cross", words)
            else "d_model"
        )
    return "length" if re.search(r"len|pos|block|ctx", words) else None


def config_record(sizes: Sizes, names: Sequence[str] = ()) -> Record:
    """An object that answers to the usual names of a model configuration, and to ``names``."""
    fields: dict[str, Any] = {}
    for name in names:
        role = size_role(name) or _size_by_words(name)
        if role in _CONFIG_ROLES:
            fields[name] = sizes.named(role)
    for names, role in (
        ("n_embd d_model hidden_size embed_dim dim emb_dim n_embed model_dim d hidden_dim embedding_dim", "d_model"),
        ("n_head n_heads num_heads num_attention_heads nhead heads h", "heads"),
        ("n_kv_heads num_key_value_heads n_kv_head num_kv_heads kv_heads", "kv_heads"),
        ("head_dim d_head d_k head_size", "d_head"),
        ("d_v", "d_value"),
        ("d_context context_dim", "d_context"),
        (
            "block_size max_seq_len max_position_embeddings context_length ctx_len n_ctx max_len seq_len n_positions"
            " max_length max_seq_length max_sequence_length",
            "length",
        ),
        (
            "dropout attn_pdrop resid_pdrop attention_dropout hidden_dropout attention_probs_dropout_prob drop_rate"
            " attn_dropout resid_dropout dropout_rate p_dropout drop pdrop embd_pdrop",
            "dropout",
        ),
        ("rope_theta theta rope_base base", "base"),
    ):
        fields |= {name: sizes.named(role) for name in names.split()}
    fields |= {"bias": True, "qkv_bias": True, "attention_bias": False, "vocab_size": 97, "n_layer": 1, "num_layers": 1}
    return Record(fields)


_CONFIG_ROLES = frozenset(
    {"d_model", "heads", "kv_heads", "d_head", "d_value", "d_context", "length", "dropout", "base"}
)


def constructor_arguments(
    parameters: Sequence[Parameter], sizes: Sizes, names: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, str]]:
    """Arguments for a constructor, and the role that each name was taken for.

    Sizes are always passed, also over a default, so that no head size is right by chance. Other parameters keep their
    defaults.

    Raises:
        KeyError: With the parameter's name, when a required one says nothing.
    """
    values: dict[str, Any] = {}
    roles: dict[str, str] = {}
    for parameter in parameters:
        if parameter.kind in ("var_positional", "var_keyword"):
            continue
        role = size_role(parameter.name)
        required = parameter.default is None
        if role == "config" or (role is None and required and "onfig" in parameter.annotation):
            values[parameter.name], roles[parameter.name] = config_record(sizes, names), "config"
        elif role in ("d_model", "heads", "kv_heads", "d_head", "d_value", "d_context", "dropout", "batch_first") or (
            role == "scale" and required
        ):
            if role == "kv_heads" and sizes.kv_heads is None and not required:
                continue
            if role == "batch_first" and not required:
                continue
            if role == "d_head" and fold(parameter.name) in ("kdim",) and not required:
                continue
            value = sizes.named(role)
            if role == "scale" and "temp" in fold(parameter.name):
                value = float(sizes.d_head) ** 0.5
            values[parameter.name], roles[parameter.name] = value, role
        elif role == "length" and (required or _number_below(parameter.default, sizes.length)):
            values[parameter.name], roles[parameter.name] = sizes.length, role
        elif required:
            if role == "causal" or role == "bias":
                values[parameter.name], roles[parameter.name] = True, role
            elif role is None:
                guess = next((r for r in ("d_model", "heads") if r not in roles.values()), None)
                if guess is None or parameter.annotation not in ("", "int"):
                    raise KeyError(parameter.name)
                values[parameter.name], roles[parameter.name] = sizes.named(guess), guess
            else:
                values[parameter.name], roles[parameter.name] = sizes.named(role), role
    return values, roles


def _number_below(text: str | None, limit: int) -> bool:
    return text is not None and text.isdigit() and int(text) < limit


# ── what docstrings and comments state ─────────────────────────────────────────────────────────────────────────────

_KEEP = (
    r"may (?:be )?attend|can (?:be )?(?:attend|see)|attend|keep|kept|real|visible|allowed?|valid|see[ns]?\b|look|participat|use[ds]?\b|present|"
    r"参与|保留|可见|可以看|能看|看到|看得到|看见|有效|真实|允许|可看|可以关注|能关注|关注|可以被|实际|非填充|保持|可参与"
)
_DROP = (
    r"mask(?:ed)?(?: out)?|ignor|pad|drop|hid[ed]|block|not (?:be )?(?:attend|see|allowed)|may not|must not|cannot|exclud|remove|forbid|"
    r"屏蔽|遮|忽略|填充|不看|掩盖|掩掉|不可见|不能|不参与|丢弃|盖住|去掉|无效|不允许|挡"
)
_TRUE = r"(?:true|\b1s?\b|ones?|nonzero|non-zero)"
_FALSE = r"(?:false|\b0s?\b|zeros?)"
_LINK = r"[\s\"'`*)]*(?:=|==|:|->|→|：|means?|marks?|for|where|is|are|at|表示|为|是|代表|的位置|处|即|指|标记)?[\s\"'`*(]*(?:the |a |that |positions? |tokens? |keys? |attention |attending |scores? |is |are |will |must be |gets? |have |marks |we |entries |which |should |be |to |this |query |it |位置|这个|该|要|query|key|token|的|是|那些|被|会|将|时|处|上)*"
_STATEMENTS = tuple(
    (re.compile(flag + _LINK + f"(?:{phrase})", re.IGNORECASE), meaning)
    for flag, phrase, meaning in (
        (_TRUE, _DROP, "drop"),
        (_FALSE, _DROP, "keep"),
        (_TRUE, _KEEP, "keep"),
        (_FALSE, _KEEP, "drop"),
    )
)
_REVERSED = tuple(
    (
        re.compile(
            f"(?:{phrase})" + r"[^.;,。；，\n]{0,24}?(?:=|为|是|are|is|where|as|:|with)\s*" + flag, re.IGNORECASE
        ),
        meaning,
    )
    for phrase, flag, meaning in (
        (r"mask(?:ed)? positions?|padding|pad tokens?|padded", _TRUE, "drop"),
        (r"padding|pad tokens?|padded", _FALSE, "keep"),
        (r"real tokens?|valid|kept", _TRUE, "keep"),
    )
)


def stated_polarity(text: str) -> str | None:
    """``keep`` or ``drop`` when docstrings or comments say what True means in a mask, else ``None``."""
    found: list[str] = []
    for line in text.splitlines():
        hits = [(m.start(), meaning) for pattern, meaning in _STATEMENTS for m in pattern.finditer(line)]
        if not hits:
            hits = [(m.start(), meaning) for pattern, meaning in _REVERSED for m in pattern.finditer(line)]
        found += [meaning for _, meaning in hits]
    kinds = set(found)
    return kinds.pop() if len(kinds) == 1 else None


_EMPTY = re.compile(
    r"(fully|all|completely|entirely|every\w*)\b.{0,24}(mask|pad|hidden|block)|mask\w* (out )?(completely|entirely|everywhere)|"
    r"without (any|a single|one) (real|valid|visible|kept|allowed)|nothing (left )?to (attend|see)|no (visible|valid|allowed|real)? ?(keys?|tokens?)|empty (row|quer|example|batch)|"
    r"整行|空行|(全部?|都)(被|是|为)?.{0,4}(遮|屏蔽|掩|mask|pad|填充)|没有(可见|可看|任何|有效)|无可见",
    re.IGNORECASE,
)
_ZERO = re.compile(r"zeros?\b|\b0\b|零|(?<![\d.])0(?![\d.])", re.IGNORECASE)


def promises_zero_rows(text: str) -> bool:
    """Whether a sentence promises 0 for a query with nothing to attend to."""
    sentences = re.split(r"[.;。；\n]", text)
    return any(_EMPTY.search(s) and _ZERO.search(s) for s in sentences)


_SAME_DTYPE = re.compile(
    r"dtype (of|as) (the )?(q\b|query|queries|inputs?|x\b)|(same|its|their|input) dtype|preserv\w* (the )?dtype|"
    r"dtype (is |stays )?(preserved|kept|unchanged)|(返回|输出|结果).{0,12}(dtype|类型|精度).{0,10}(相同|一致|同|不变)|"
    r"(dtype|类型|精度)(与|和|跟).{0,8}(相同|一致)",
    re.IGNORECASE,
)


def promises_dtype(text: str) -> bool:
    """Whether the text promises an output in the dtype of the inputs."""
    return bool(_SAME_DTYPE.search(text))


_HALF = r"(fp16|float16|half|半精度)"
_SAFE = r"(safe|stable|finite|no overflow|(do|will)(es)?( not|n't) overflow|cannot overflow|安全|稳定|不会?溢出)"
_HALF_SAFE = re.compile(f"{_HALF}[^.;。；\\n]{{0,60}}{_SAFE}|{_SAFE}[^.;。；\\n]{{0,40}}{_HALF}", re.IGNORECASE)


def promises_half(text: str) -> bool:
    """Whether the text promises to be safe in half precision."""
    return bool(_HALF_SAFE.search(text))


_UNEQUAL = re.compile(
    r"\bS?q\b.{0,24}\bS?k\b.{0,24}(differ|different|不同|不等|unequal)|长度(可以|可|允许)?不(同|等|一致)|Sq ?(!=|≠) ?Sk|cross",
    re.IGNORECASE,
)


def allows_unequal_lengths(text: str) -> bool:
    """Whether the text says that queries and keys may have different lengths."""
    return bool(_UNEQUAL.search(text))


def states_additive(text: str) -> bool:
    """Whether the text says that a floating mask is added to the scores."""
    return bool(
        re.search(
            r"float[^.\n]{0,40}(added|additive|\badd)|additive|added to (the )?(score|logit)|加到|加在|相加|加性",
            text,
            re.I,
        )
    )


_SHAPE = re.compile(r"[(\[（]\s*((?:[A-Za-z_][\w*/ ]*\s*[,，]\s*)+[A-Za-z_][\w*/ ]*)\s*[)\]）]")
_LENGTH_WORD = re.compile(
    r"(?:s|l|t|n|sq|sk|lq|lk|tq|tk|nq|nk|m|seq\w*|len\w*|.*len|.*_len\w*|.*length|time|tokens?|src|tgt|q_?len|k_?len|i|j)",
    re.IGNORECASE,
)


def stated_lengths(text: str) -> frozenset[str]:
    """Names of sequence lengths in the shapes that the text writes down, such as ``(B, H, Sq, D)``."""
    words: set[str] = set()
    for match in _SHAPE.finditer(text):
        items = [item.strip() for item in re.split(r"[,，]", match.group(1))]
        words |= {i.lower() for i in items[-3:] if _LENGTH_WORD.fullmatch(i)}
    return frozenset(words)
