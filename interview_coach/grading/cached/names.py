"""What the names in a signature say about a cache: the role of each parameter, and what makes or clears one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interview_coach.grading.protocol import CallableInfo, Parameter
from interview_coach.grading.roles import fold


def _any(*alternatives: str) -> str:
    return "|".join(alternatives)


_PAST = r"(cache|past|prev|previous|mem|old|cached|buffer|buf)"
_ROLES: tuple[tuple[str, str], ...] = (
    (
        "use_cache",
        _any(
            r"(use|return|output|update|with|enable|do|store|is)(kv)?(cache|caching|cached|present|past|decode|decoding|kv)",
            r"(use)?incremental|caching|cacheon|isprefill",
        ),
    ),
    ("freqs", r"(rope|rotary)?freqs?(cis|complex)?|freqcis|rope(cache|emb|freqs)?|rotaryemb"),
    ("cos", r"(rope|rotary)?cos(ine)?(s|cached?|table)?"),
    ("sin", r"(rope|rotary)?sin(e)?(s|cached?|table)?"),
    ("cache_k", rf"(k|keys?){_PAST}|(layer)?{_PAST}(k|keys?)"),
    ("cache_v", rf"(v|values?){_PAST}|(layer)?{_PAST}(v|values?)"),
    (
        "start",
        _any(
            r"(start|cur(rent)?|curr|cache|cached|past|seq|input|position|pos|token|rope|prefix|begin|kv|query|q|abs|base"
            r"|write|nth|num|n|step)*(pos|positions?|offset|start|idx|index|indices|ids|steps?|seen|len|length|tokens|size)",
            r"t|t0|start|past|offset",
        ),
    ),
    (
        "cache",
        _any(
            r".*(cache|past).*|prev.*|history|hist|mem|memory|kv|kvs|present|buffer|inferenceparams|store",
            r"(layer|kv|incremental|decoder|attn|recurrent|inference|decode)?(state|states)",
        ),
    ),
)
_VERBS = (
    r"(re|pre)?(set|init|initialise|initialize|new|make|create|alloc|allocate|setup|clear|empty|start|begin|flush|fresh|build"
    r"|prepare|get|free|drop|forget|wipe)"
)
_THINGS = r"(caches?|states?|memory|buffers?|sequence|decoding|kv|past|history|inference|generation|decode|session)"
_OPENING = _any(rf"{_VERBS}(up|initial|empty|new)?(a|the)?(kv)?{_THINGS}", r"reset|clear|flush|resetparameters?cache")
_NEXT = r".*(decode|step|next|append|extend|continue|increment|generate|cached|withcache|onetoken|chunk|update|feed).*"
_CACHE_CLASS = r".*(cache|past|kvstate|kvstore|kvbuffer|kvmemory|layerstate|attn(ention)?state).*"


def cache_role(name: str) -> str | None:
    """The role of a parameter in keeping a cache, or ``None``."""
    folded = fold(name)
    if folded in ("x", "q", "k", "v"):
        return None
    return next((role for role, pattern in _ROLES if re.fullmatch(pattern, folded)), None)


def cache_roles(parameters: Sequence[Parameter]) -> dict[str, str]:
    """Names of the parameters that are about the cache, with their roles; a name is taken for one thing only."""
    found: dict[str, str] = {}
    for p in parameters:
        role = cache_role(p.name) if p.kind not in ("var_positional", "var_keyword") else None
        if fold(p.name) == "past":
            role = "start" if "int" in p.annotation or (p.default or "").isdigit() else "cache"
        if role is not None and (role in ("use_cache", "start") or role not in found.values()):
            found[p.name] = role
    return found


def opens(name: str) -> bool:
    """Whether a method or function of that name begins a sequence."""
    return re.fullmatch(_OPENING, fold(name)) is not None


def goes_on(name: str) -> bool:
    """Whether a method of that name takes the tokens after the first."""
    return re.fullmatch(_NEXT, fold(name)) is not None


def begins(name: str) -> bool:
    """Whether a method of that name takes the first tokens."""
    return re.search(r"prefill|prompt|forward|encode|full|parallel", fold(name)) is not None


def makes_cache(info: CallableInfo) -> bool:
    """Whether a class or function of the file makes a cache."""
    if info.kind == "class":
        named = re.fullmatch(_CACHE_CLASS, fold(info.name)) is not None
        return named and not {"forward"} & set(info.methods) and "ttention" not in info.name.replace("Attn", "ttention")
    return info.kind == "function" and opens(info.name)
