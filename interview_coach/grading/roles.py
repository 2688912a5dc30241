"""What the names in a signature say: the role of each parameter, and the sizes a constructor asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from interview_coach.grading.protocol import DTypeName, Parameter, Record
from interview_coach.records import record

# Role → the names it goes by, as whole words after the case and underscores are folded away. First match wins.
PARAMETER_ROLES: tuple[tuple[str, str], ...] = (
    ("qkv", r"qkv"),
    ("w_q", r"(w|weights?)(q|query|queries)|(q|query)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_k", r"(w|weights?)(k|keys?)|(k|key)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_v", r"(w|weights?)(v|values?)|(v|value)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_o", r"(w|weights?)(o|out|output|proj|p)|(o|out|output)(w|weights?|proj|kernel|mat|matrix)"),
    ("w_qkv", r"(w|weights?)(qkv|kqv)|qkv(w|weights?|proj)|(in|attn|c)(proj|attn)w?(eights?)?"),
    ("b_qkv", r"(b|bias)(qkv|kqv)|qkv(b|bias)|inproj(b|bias)"),
    ("b_q", r"(b|bias)(q|query)|(q|query)(b|bias)"),
    ("b_k", r"(b|bias)(k|key)|(k|key)(b|bias)"),
    ("b_v", r"(b|bias)(v|value)|(v|value)(b|bias)"),
    ("b_o", r"(b|bias)(o|out|output)|(o|out|output)(b|bias)"),
    ("q", r"q|qs|xq|qq|query|queries|querystates?|querylayer|qin|qinput|qh|qtensor|querytensor"),
    ("k", r"k|ks|xk|kk|key|keys|keystates?|keylayer|kin|kinput|kh|ktensor|keytensor"),
    ("v", r"v|vs|xv|vv|value|values|valuestates?|valuelayer|vin|vinput|vh|vtensor|valuetensor|val"),
    ("lengths", r"(valid|seq|key|kv|k|src|context|memory|ctx|enc|x)?(lens?|lengths?)|(valid|real)(tokens|count|keys)|numvalid"),
    ("bias", r"(attn|attention|score|scores|position|pos|rel|logit|logits|additive)bias|bias|additivemask|maskbias|floatmask"),
    ("mask", r"mask|.*mask.*|.*padding|pad|keep|visible|allowed|valid|adj|adjacency|drop|hide|ignore|blocked"),
    ("causal", r"(is|use)?causal|iscausal|causalflag|autoregressive"),
    ("window", r"(sliding|attn|attention|local|causal)?(window|win)(size|len|length|width)?|w|(n|num)?left(context|window|size|keys|tokens)?|lookback|span"),
    ("scale", r"scale|scaling|softmaxscale|temperature|temp|scalefactor|smscale"),
    ("dropout", r"dropout|dropoutp|attndropout|pdrop|dropoutrate|p|attnpdrop|residpdrop|drop(rate)?"),
    ("training", r"training|train|istraining|deterministic"),
    ("weights_flag", r"(need|return|output|with)(weights?|attn|attention|attentions|probs|scores|attnweights|lse)"),
    ("n_heads", r"(n|num)?(heads?|attentionheads?|qheads)|nhead|h|numheads|nheads"),
    ("block", r"(block|tile|chunk)(size|q|k|n|m|len)?|bc|br|blk|bs"),
    ("axis", r"dim|axis"),
    ("x", r"x|x\d|xs|inputs?|hidden(states?)?|emb(edding)?s?|tokens?|src|seq(uence)?|inp|h0|feat(ure)?s?|tgt|target|xin|xq|dec(oder)?(hidden|states?|input|x|out)?|logits|scores"),
    ("context", r"context|ctx|cond(ition)?|mem(ory)?|enc(oder)?(out|outputs?|states?|hidden(states?)?)?|kv|keyvalue|cross(states?)?|kvstates?|kvinput|xkv|encx|xenc"),
)  # fmt: skip

# Size of a constructor → the names it goes by. The order matters: `dim_head` before `dim`.
SIZE_NAMES: tuple[tuple[str, str], ...] = (
    ("group_size", r"(n|num)?(rep|reps|queriesper(kv|group)|qper(kv|group)|headsper(group|kv))|(kv)?groupsize"),
    ("kv_heads", r"(n|num)?(kv|keyvalue)(heads?|groups?)|(n|num)kvhead|nkv|kvh|hkv|ngroups|numgroups|groups|querygroups|nquerygroups|numquerygroups"),
    ("window", r"(sliding|attn|attention|local)?(window|win)(size|len|length|width)?|w|slidingwindowsize"),
    ("heads", r"(n|num)?(heads?|attentionheads?|attnheads?)|nheads?|numheads?|nh|h|numattentionheads|(n|num)?(q|query)heads"),
    ("d_head", r"doutkq|doutqk|dkq|dk|dhead|headdim|headsize|dimhead|dimperhead|headwidth|dkey|kdim|dq|qkdim|keydim|querysize|keysize|dimk|hd|hs|dkq"),
    ("d_value", r"doutv|dv|vdim|valuedim|dimv|dvalue|valuesize"),
    ("d_context", r"(d|dim)?(context|ctx|cond|memory|mem|enc|encoder|cross|kv|source)(dim|size|features|channels)?|dimcontext|contextdim|dkv|dctx|denc|dmem"),
    ("d_model", r"nx|nstate|dstate|(d|dim)?(model|embed|embedding|hidden|emb|in|input|feature|features|query|x)(dim|size|features|channels|ding|dings)?|nembd|nembed|ndim|dim|c|d|e|x|embeddim|embedsize|width|channels|hidden|size|units|dout|outdim|dmodel|inner|innerdim|alldim|totaldim|dimension|numhiddens|nhidden|hiddens|attndim"),
    ("length", r"(max|block|context|seq|sequence|ctx|n|max)*(len|length|size|positions?|ctx|window)|maxt|t|blocksize|maxseq|contextlength|maxseqlen"),
    ("dropout", r".*drop.*|p"),
    ("scale", r"scale|temperature|scaling|temp|softmaxscale"),
    ("causal", r"(is|use)?causal|mask|masked|autoregressive"),
    ("bias", r".*bias"),
    ("batch_first", r"batchfirst"),
    ("layer", r"layer(idx|id|index)|idx"),
    ("dtype", r"dtype"),
    ("device", r"device"),
    ("config", r".*(config|cfg)|conf|args|params|hparams|opt|options"),
    ("axis", r"axis|dim"),
    ("base", r"base|theta|ropebase|ropetheta"),
)  # fmt: skip


MASKS = ("mask", "bias", "lengths")
"""Roles of parameters that say which keys a query may attend to."""

# Roles that only some exercises have, or only code that speaks of rotary embeddings.
SPECIAL_ROLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "grouped": (
        ("group_size", r"(n|num)?(rep|reps|repeats?|queriesper(kv|group)|qper(kv|group)|headsper(group|kv))|groupsize"),
        ("kv_heads", r"(n|num)?(kv|keyvalue)heads?|(n|num|number)?(of)?kvhead|nkv|hkv|numkv|kvh"),
        ("groups", r"(n|num)?(kv|keyvalue|query|head)?groups?|g"),
    ),
    "alibi": (("slopes", r"(alibi)?slopes?|m"),),
    "rotation": (
        ("positions", r"(position|pos|token)s?(ids?|indices|idx)?|inputpos|cacheposition"),
        ("offset", r"(start|past|cache)(pos|position|len|length)|(pos|position|cache|seq)?offset"),
        ("cos", r"(rope|rotary|freqs?)?cos(ine)?s?(cached?|table|emb)?"),
        ("sin", r"(rope|rotary|freqs?)?sin(e)?s?(cached?|table|emb)?"),
        ("freqs", r"(rope|rotary)?freqs?(cis|complex)?|freqcis|rope(cache|emb|freqs)?|rotary(pos)?emb(edding)?s?|rotations?"),
        ("cos_sin", r"position(al)?embeddings?|cossin"),
    ),
}  # fmt: skip


def special_role(kind: str, name: str) -> str | None:
    """The role of a parameter in exercises of a kind, a key of :data:`SPECIAL_ROLES`."""
    return _first_match(SPECIAL_ROLES[kind], fold(name))


@cache
def fold(name: str) -> str:
    """A name without case, underscores and trailing digits' separators: ``W_Q`` and ``wq`` are one."""
    return re.sub(r"[_\W]", "", name).lower()


@cache
def _first_match(table: tuple[tuple[str, str], ...], name: str) -> str | None:
    """The patterns are compiled here, when first needed: a start pays only for those that it uses.

    The usual names, and all of one letter, are written out in the tables: they need no pattern.
    """
    plain = _plain_names(table)
    if name in plain or len(name) == 1:
        return plain.get(name)
    return next((role for role, pattern in table if re.fullmatch(pattern, name)), None)


@cache
def _plain_names(table: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """The alternatives of the patterns that are words as they stand."""
    found: dict[str, str] = {}
    for role, pattern in table:
        depth = 0
        for part in pattern.split("|"):
            outside, depth = depth == 0, depth + part.count("(") - part.count(")")
            if outside and depth == 0 and part.isalnum():
                found.setdefault(part, role)
    return found


@cache
def parameter_role(name: str) -> str | None:
    """The role of a parameter of a call, or ``None`` when the name says nothing."""
    return _first_match(PARAMETER_ROLES, fold(name)) or _operand_by_words(name)


_OPERANDS = {"query": "q", "queries": "q", "key": "k", "keys": "k", "value": "v", "values": "v"}
_NO_OPERAND = r"len|num|n|mask|pad|proj|w|weight|bias|dim|size|head|cache|past|pool|page|block|table|grad|d|idx|index|pos|scale|use|return|is|first|last|same|shared|order|layout"


def _operand_by_words(name: str) -> str | None:
    """The operand that a longer name speaks of, such as ``memory_keys``."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    found = {_OPERANDS[word] for word in words if word in _OPERANDS}
    if len(found) != 1 or any(re.fullmatch(f"({_NO_OPERAND})s?", word) for word in words):
        return None
    return found.pop()


@cache
def size_role(name: str) -> str | None:
    """The size that a constructor's parameter asks for."""
    return _first_match(SIZE_NAMES, fold(name))


@record
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
    window: int | None = None
    """Keys that a query sees, for constructors that ask for a window."""
    single: bool = False
    """Whether the object turned out to hold one head, whatever its configuration says."""
    wide: bool = False
    """Whether what sounds like the width of a head is that of all heads: ``key_size`` may be either."""

    gain: float = 1.0
    """Factor on the parameters of normalisation layers."""

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
            "group_size": self.heads // (self.kv_heads or self.heads),
            "window": self.window or self.length,
            "d_head": self.d_model if self.wide else self.d_head,
            "d_value": self.d_value or (self.d_model if self.wide else self.d_head),
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


_ITEM = r"\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*['\"](\w+)['\"]\s*\])"
_CONFIG_ACCESS = rf"\b(?:\w*config|\w*cfg|conf|args|hparams|params|opt|options|c|hp){_ITEM}(?:{_ITEM})?"


def config_names(code: str) -> list[str]:
    """Names that a source asks its configuration for; with a dot, those of a size in a part of it."""
    found: list[str] = []
    for a, b, c, d in re.findall(_CONFIG_ACCESS, code):
        part, inner = a or b, c or d
        sized = inner and _config_role(inner) in _CONFIG_ROLES and (d or _config_role(part) in (None, "d_context"))
        found.append(f"{part}.{inner}" if sized else part)
    return list(dict.fromkeys(found))


def _config_role(name: str) -> str | None:
    return size_role(name) or _size_by_words(name)


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
        part, _, inner = name.partition(".")
        role = _config_role(name)
        if inner:
            record = fields.get(part)
            sized = {inner: sizes.named(_config_role(inner) or "")}
            fields[part] = Record({**(record.fields if isinstance(record, Record) else {}), **sized})
        elif name in fields:
            continue
        elif role in _CONFIG_ROLES:
            fields[name] = sizes.named(role)
        else:
            fields[name] = next((value for pattern, value in _CONFIG_FLAGS if re.search(pattern, name.lower())), False)
    for usual, role in (
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
        *((("sliding_window window window_size attention_window", "window"),) if sizes.window else ()),
    ):
        fields |= {name: sizes.named(role) for name in usual.split()}
    fields |= {"bias": True, "qkv_bias": True, "attention_bias": False, "vocab_size": 97, "n_layer": 1, "num_layers": 1}
    return Record(fields)


# What a configuration says where its name is no size: the plain case of each switch.
_CONFIG_FLAGS: tuple[tuple[str, Any], ...] = (
    (r"attn_implementation|attention_implementation", "eager"),
    (r"position_embedding_type", "absolute"),
    (r"scale_attn|use_scale|scaled", True),
    (r"eps|epsilon", 1e-5),
    (r"bias", True),
    (r"^(d?type|device)$|torch_dtype|quant", None),
)
_CONFIG_ROLES = frozenset(
    {"d_model", "heads", "kv_heads", "group_size", "d_head", "d_value", "d_context", "length", "dropout", "base"}
)


_ALWAYS = frozenset(
    ("d_model", "heads", "kv_heads", "group_size", "window", "d_head", "d_value", "d_context", "dropout", "batch_first")
)
"""Sizes that are passed also over a default."""


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
        elif role in _ALWAYS or (role == "scale" and required):
            if role in ("kv_heads", "group_size") and sizes.kv_heads is None and not required:
                continue
            if role == "window" and sizes.window is None and not required:
                continue
            if role == "batch_first" and not required:
                continue
            if role == "d_head" and fold(parameter.name) in ("kdim",) and not required:
                continue
            value = sizes.named(role)
            if role == "scale" and "temp" in fold(parameter.name):
                value = float(sizes.d_head) ** 0.5
            values[parameter.name], roles[parameter.name] = value, role
        elif role == "scale" and parameter.default in ("True", "False"):
            values[parameter.name], roles[parameter.name] = True, role
        elif role == "length" and (required or _number_below(parameter.default, sizes.length)):
            values[parameter.name], roles[parameter.name] = sizes.length, role
        elif required:
            if role in ("causal", "bias") or (role == "scale" and parameter.annotation == "bool"):
                values[parameter.name], roles[parameter.name] = True, role
            elif role is None and (spoken := _size_by_words(parameter.name)) in _CONFIG_ROLES:
                assert spoken is not None
                values[parameter.name], roles[parameter.name] = sizes.named(spoken), spoken
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
