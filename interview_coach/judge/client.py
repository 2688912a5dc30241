"""One request to an OpenAI-compatible endpoint: no redirect followed, nothing tried twice, nothing waited for long."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from interview_coach.errors import CoachError
from interview_coach.judge.config import JudgeConfig
from interview_coach.judge.prompt import Message
from interview_coach.text import Text

if TYPE_CHECKING:
    import httpx

_LARGEST = 1_000_000
"""Bytes of a reply."""
_TEST = "coach judge test"
_UNPRINTABLE = re.compile(r"[^\S ]+|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+")

_STATUS: dict[int, tuple[Text, Text]] = {
    400: (
        Text("The judge did not understand the request.", "评判端无法理解请求。"),
        Text("an OpenAI-compatible base_url, and a chat model", "兼容 OpenAI 的 base_url，以及对话模型"),
    ),
    401: (
        Text("The judge does not accept the key.", "评判端不接受密钥。"),
        Text(
            "the key of this host, in the variable that api_key_env names", "在 api_key_env 所指变量中放这个主机的密钥"
        ),
    ),
    403: (
        Text("The judge refuses this key or this model.", "评判端拒绝这个密钥或模型。"),
        Text("a key and a model that this host allows", "该主机允许的密钥和模型"),
    ),
    404: (
        Text("The judge knows no such address or model.", "评判端没有这个地址或模型。"),
        Text(
            "base_url up to and with /v1, and a model that the host lists", "base_url 写到 /v1 为止，模型为该主机提供的"
        ),
    ),
    429: (
        Text("The judge has had too many requests, or its quota is used up.", "请求过多，或者额度已用完。"),
        Text("the same again in a minute", "一分钟后再试"),
    ),
}
_SERVER = (
    Text("The judge has a fault of its own.", "评判端自身出错。"),
    Text("the same again later, or another endpoint", "稍后再试，或换一个端点"),
)


async def complete(config: JudgeConfig, messages: Sequence[Message]) -> str:
    """What the model writes in reply.

    Raises:
        CoachError: there is no reply, for whatever reason; no error holds the key.
    """
    httpx = _httpx()
    try:
        async with asyncio.timeout(config.timeout):
            status, headers, body = await _post(httpx, config, messages)
    except TimeoutError:
        raise _failure(
            config,
            Text(
                f"The judge did not answer within {config.timeout:g} s.", f"评判端在 {config.timeout:g} 秒内没有回答。"
            ),
            Text("a longer timeout in [judge], or a faster model", "在 [judge] 里把 timeout 调大，或换更快的模型"),
        ) from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, ImportError) as error:
        raise _failure(
            config,
            Text(
                f"The judge cannot be reached: {_clean(error, config)}.", f"无法连接评判端：{_clean(error, config)}。"
            ),
            Text("an endpoint that runs, and a network that leads there", "正在运行且网络可达的端点"),
        ) from None
    if 300 <= status < 400:
        target = _clean(headers.get("location", "?"), config)
        raise _failure(
            config,
            Text(f"The judge sends on to {target}, which is not followed.", f"评判端要求转到 {target}，不会跟随。"),
            Text("that address as base_url, if you trust it", "如果信任该地址，把它写进 base_url"),
        )
    if status != 200:
        what, right = _SERVER if status >= 500 else _STATUS.get(status, _STATUS[400])
        said = _clean(_error_message(body), config)
        told = f" ({status}: {said})" if said else f" ({status})"
        raise _failure(config, Text(what.en + told, what.zh + told), right)
    content = _content(body)
    if content is None:
        raise _failure(
            config,
            Text("What came back is not a chat completion.", "返回的不是对话补全结果。"),
            _STATUS[400][1],
        )
    return content


async def _post(
    httpx: ModuleType, config: JudgeConfig, messages: Sequence[Message]
) -> tuple[int, httpx.Headers, bytes]:
    url = f"{config.base_url}/chat/completions"
    headers = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
    if config.api_key is not None:
        headers["authorization"] = f"Bearer {config.api_key}"
    body = json.dumps({"model": config.model, "messages": list(messages), "stream": False}).encode()
    # A proxy sees all of a request over plain HTTP, the key included, so the environment's is for HTTPS alone. Plain
    # HTTP has no certificates to verify either, and to load them takes a while.
    secure = url.startswith("https:")
    async with (
        httpx.AsyncClient(timeout=None, follow_redirects=False, trust_env=secure, verify=secure) as client,
        client.stream("POST", url, content=body, headers=headers) as response,
    ):
        received = bytearray()
        async for chunk in response.aiter_bytes():
            received += chunk
            if len(received) > _LARGEST:
                raise ValueError(f"the reply is larger than {_LARGEST} bytes")
        return response.status_code, response.headers, bytes(received)


def _httpx() -> ModuleType:
    try:
        import httpx
    except ImportError as error:
        raise CoachError(
            Text("The judge needs the package httpx.", "评判需要 httpx 包。"),
            right=Text("everything else works without it", "其他功能都不需要它"),
            next_command=f'{shlex.quote(sys.executable)} -m pip install "httpx>=0.27"',
        ) from error
    return httpx


def _failure(config: JudgeConfig, what: Text, right: Text) -> CoachError:
    return CoachError(what, f"{config.base_url}, {config.model}", right, _TEST)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _content(body: bytes) -> str | None:
    """The text of the first choice."""
    try:
        content = _parsed(body)["choices"][0]["message"]["content"]
    except (TypeError, KeyError, IndexError):
        return None
    return content if isinstance(content, str) else None


def _error_message(body: bytes) -> str:
    """What the endpoint says is wrong: ``{"error": {"message": …}}`` or ``{"error": …}``."""
    found = _parsed(body)
    error = found.get("error") if isinstance(found, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else ""


def _clean(words: str | Exception, config: JudgeConfig) -> str:
    """Words from outside, fit for a terminal: on one line, short, without the key."""
    text = words if isinstance(words, str) else str(words) or type(words).__name__
    if config.api_key:
        text = text.replace(config.api_key, "…")
    text = _UNPRINTABLE.sub(" ", text[:2_000]).strip().rstrip(".")
    return text if len(text) <= 200 else f"{text[:199]}…"
