"""Which endpoint judges, with which model, and which key it may be shown.

``[judge]`` of ``config.toml`` comes first, then ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``. A key belongs to one place:
the one in ``OPENAI_API_KEY`` to that of ``OPENAI_BASE_URL`` (without it, to OpenAI), the one that ``api_key_env`` names
to that of ``base_url``. No other place is shown it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from interview_coach.errors import CoachError
from interview_coach.records import record
from interview_coach.settings import settings_file
from interview_coach.text import Text

OPENAI = "https://api.openai.com/v1"
TIMEOUT_S = 30.0
_LONGEST_S = 600

_BASE_URL = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]*)?")
"""Narrow on purpose: a URL that two parsers may read differently could show a key to the wrong host."""
_ENVIRONMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY = re.compile(r"[!-~]+")
_EXAMPLE = '\n    [judge]\n    base_url = "http://127.0.0.1:11434/v1"\n    model = "qwen3:8b"'
_TEST = "coach judge test"


@record
class JudgeConfig:
    """What it takes to ask a judge.

    Attributes:
        base_url: of an endpoint that speaks OpenAI's chat completions, such as ``https://api.openai.com/v1``.
        model: as the endpoint names it.
        api_key: shown to the endpoint; ``None``: no key is sent.
        api_key_env: the variable that it came from.
        timeout: seconds until the whole answer must be there.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    api_key_env: str | None = None
    timeout: float = TIMEOUT_S

    @property
    def host(self) -> str:
        """Host and port, for the reader."""
        return urlsplit(self.base_url).netloc


def load_judge_config(environment: Mapping[str, str] = os.environ, path: Path | None = None) -> JudgeConfig:
    """The judge that the user has set up.

    Args:
        environment: variables.
        path: of the settings; by default, where they lie.

    Raises:
        CoachError: none is set up, a setting is wrong, or a key would go to a place that it was not set for.
    """
    path = path or settings_file()
    table = _table(path)
    base_url = table.get("base_url") or environment.get("OPENAI_BASE_URL", "").strip() or OPENAI
    if _origin(base_url) is None:
        raise CoachError(
            Text("OPENAI_BASE_URL is not an address that can be used.", "OPENAI_BASE_URL 不是可用的地址。"),
            right=_RULES["base_url"][1],
            next_command=f"export OPENAI_BASE_URL={OPENAI}",
        )
    if "model" not in table:
        raise CoachError(
            Text("No model is set for the judge.", "没有为评判设置模型。"), path, _EXAMPLE, next_command=_TEST
        )
    name, key = _key_for(base_url, table, environment, path)
    return JudgeConfig(base_url.rstrip("/"), table["model"], key, name, float(table.get("timeout", TIMEOUT_S)))


def _key_for(
    base_url: str, table: Mapping[str, Any], environment: Mapping[str, str], path: Path
) -> tuple[str | None, str | None]:
    """The key that may be shown to the place of ``base_url``, with the variable that holds it."""
    own_place = _origin(environment.get("OPENAI_BASE_URL", "").strip() or OPENAI)
    named = table.get("api_key_env")
    if named and named != "OPENAI_API_KEY":
        if "base_url" not in table:
            raise CoachError(
                Text(
                    "api_key_env names a key, but nothing says which host it is for.",
                    "api_key_env 给出了密钥，却没有说明用于哪个主机。",
                ),
                path,
                f'base_url = "{base_url}"',
                _TEST,
            )
        return named, _key(named, environment)
    if _origin(base_url) == own_place:
        if named or environment.get("OPENAI_API_KEY", "").strip() or own_place == _origin(OPENAI):
            return "OPENAI_API_KEY", _key("OPENAI_API_KEY", environment)
    elif named:
        raise CoachError(
            Text(
                "The key in OPENAI_API_KEY was not set for this host, so it is not sent there.",
                "OPENAI_API_KEY 里的密钥不是为这个主机设置的，不会发送过去。",
            ),
            base_url,
            Text("a variable of its own for this host's key", "为这个主机的密钥单独设一个变量"),
            f"export OPENAI_BASE_URL={base_url}",
        )
    return None, None


def _key(name: str, environment: Mapping[str, str]) -> str:
    key = environment.get(name, "").strip()
    if _KEY.fullmatch(key):
        return key
    what = (
        Text(
            f"The key in {name} holds spaces or characters that no key has.", f"{name} 里的密钥含有空格或不合法的字符。"
        )
        if key
        else Text(f"The variable {name} holds no key.", f"变量 {name} 里没有密钥。")
    )
    raise CoachError(what, next_command=f"export {name}=…")


def _origin(url: object) -> tuple[str, str, int] | None:
    """Scheme, host and port: what a key belongs to. ``None``: not an address that can be used."""
    if not isinstance(url, str) or not _BASE_URL.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


_RULES: Mapping[str, tuple[Callable[[Any], bool], Text]] = {
    "base_url": (
        lambda value: _origin(value) is not None,
        Text(
            f"http(s)://host[:port][/path], such as {OPENAI}: no user, no query",
            f"http(s)://主机[:端口][/路径]，例如 {OPENAI}；不含用户名和查询",
        ),
    ),
    "model": (
        lambda value: isinstance(value, str) and bool(value.strip()) and value.isprintable(),
        Text('the name of a model, such as "qwen3:8b"', '模型名，例如 "qwen3:8b"'),
    ),
    "api_key_env": (
        lambda value: isinstance(value, str) and bool(_ENVIRONMENT_NAME.fullmatch(value)),
        Text(
            "the name of an environment variable that holds the key, never the key itself",
            "存放密钥的环境变量名，而不是密钥本身",
        ),
    ),
    "timeout": (
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LONGEST_S,
        Text(f"seconds, more than 0, at most {_LONGEST_S}", f"秒数，大于 0，不超过 {_LONGEST_S}"),
    ),
}


def _table(path: Path) -> dict[str, Any]:
    """``[judge]``, checked. No value is repeated in an error: it may be a key in the wrong place."""
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CoachError(
            Text("The settings cannot be read, so no judge is asked.", "无法读取设置，因此不询问评判。"),
            path,
            _EXAMPLE,
            _TEST,
        ) from error
    table = document.get("judge", {})
    if not isinstance(table, dict):
        raise CoachError(Text("judge must be a table.", "judge 必须是一个表。"), path, _EXAMPLE, _TEST)
    for name, value in table.items():
        if name not in _RULES:
            raise CoachError(
                Text(f"[judge] has no setting {name!r}.", f"[judge] 没有设置项 {name!r}。"),
                path,
                ", ".join(_RULES),
                _TEST,
            )
        allows, words = _RULES[name]
        if not allows(value):
            raise CoachError(
                Text(f"The setting judge.{name} cannot be that.", f"设置项 judge.{name} 的值不对。"), path, words, _TEST
            )
    return table
