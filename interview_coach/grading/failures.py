"""Why a submission brought no value, in words.

The worker sends a reason and its facts; the sentence is made here, in either language.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping

from interview_coach.grading.protocol import Failure, FailureKind
from interview_coach.text import Language, Text


class SubmissionError(Exception):
    """A submission that cannot be loaded, or an object of it that cannot be read; ``failure`` tells why.

    ``printed`` is what it wrote until then.
    """

    def __init__(self, failed: Failure) -> None:
        super().__init__(failed.message)
        self.failure = failed
        self.printed = ""


Facts = Mapping[str, str | int | float]

REASONS: dict[str, tuple[FailureKind, Text]] = {
    "syntax": ("import", Text("line {line}: {detail}", "第 {line} 行：{detail}")),
    "unreadable": ("import", Text("it is no Python source: {detail}", "不是 Python 源码：{detail}")),
    "missing-package": (
        "import",
        Text(
            "needs the package {package}, which is not installed here; install it with: pip install {install}",
            "需要 {package} 包，但这里没有安装；请运行：pip install {install}",
        ),
    ),
    "missing-module": (
        "import",
        Text(
            "imports {module}, which the installed {package} does not have",
            "导入了 {module}，但已安装的 {package} 里没有它",
        ),
    ),
    "missing-sibling": (
        "import",
        Text(
            "imports {module} from its own folder, where there is no such module; grade it where its siblings are",
            "从自己的文件夹导入 {module}，但那里没有这个模块；请在它的同级模块所在处评分",
        ),
    ),
    "off-limits": (
        "import",
        Text(
            "imports {package}: a submission is graded without the coach's own code",
            "导入了 {package}：提交的代码不能使用评分程序自身的模块",
        ),
    ),
    "exit-on-load": (
        "import",
        Text(
            'calls sys.exit({code}) while it is loaded; move that under `if __name__ == "__main__":`',
            '加载时调用了 sys.exit({code})；请把它移到 `if __name__ == "__main__":` 之下',
        ),
    ),
    "raised-on-load": (
        "import",
        Text("raises {exception} while it is loaded: {detail}", "加载时抛出 {exception}：{detail}"),
    ),
    "raised": ("crash", Text("raises {exception}: {detail}", "抛出 {exception}：{detail}")),
    "exit": ("crash", Text("calls sys.exit({code})", "调用了 sys.exit({code})")),
    "ended": ("crash", Text("ended its process with exit code {code}", "结束了自己的进程，退出码 {code}")),
    "ended-often": (
        "crash",
        Text("ended its process {times} times; it is not started again", "已结束进程 {times} 次；不再重新启动"),
    ),
    "signal": ("crash", Text("was killed by {signal}", "被信号 {signal} 终止")),
    "lost": (
        "crash",
        Text(
            "the value from an earlier call was lost when the process ended",
            "之前调用得到的值随进程结束而丢失",
        ),
    ),
    "garbage": (
        "crash",
        Text("wrote into the grader's channel: {detail}", "向评分程序的通道里写入了数据：{detail}"),
    ),
    "timeout": ("timeout", Text("took longer than {seconds:g} s", "用时超过 {seconds:g} 秒")),
    "timeout-load": (
        "timeout",
        Text("took longer than {seconds:g} s to load", "加载用时超过 {seconds:g} 秒"),
    ),
    "timeout-total": (
        "timeout",
        Text("took longer than {seconds:g} s in all", "总用时超过 {seconds:g} 秒"),
    ),
    "memory": (
        "memory",
        Text("wanted more than {limit} MiB of memory", "需要的内存超过 {limit} MiB"),
    ),
    "huge": (
        "output",
        Text("returned {size} MiB; at most {limit} MiB are taken", "返回了 {size} MiB；最多接受 {limit} MiB"),
    ),
    "unsendable": ("output", Text("returned something unreadable: {detail}", "返回值无法读取：{detail}")),
    "no-target": ("contract", Text("has no {name}", "没有 {name}")),
    "no-graph": (
        "output",
        Text(
            "the output does not depend on its inputs by a graph: no gradient can be taken",
            "输出与输入之间没有计算图：无法求梯度",
        ),
    ),
    "no-output": (
        "output",
        Text("the result has no floating output there: {detail}", "结果中该处没有浮点输出：{detail}"),
    ),
    "interpreter-lacks": (
        "contract",
        Text(
            "a kernel needs what Triton's interpreter on the CPU lacks: {what}; where there is a GPU, grade it with: "
            "coach grade --device cuda",
            "核函数用到了 Triton 解释器（CPU）没有的功能：{what}；在有 GPU 的机器上请用：coach grade --device cuda",
        ),
    ),
    "triton-removed": (
        "contract",
        Text(
            "a kernel needs what Triton {version}, which is installed here, no longer has: {what}",
            "核函数用到了此处安装的 Triton {version} 已经去掉的功能：{what}",
        ),
    ),
    "no-worker": ("crash", Text("the worker could not be started: {detail}", "无法启动工作进程：{detail}")),
}


def failure(reason: str, *, exception: str = "", line: int | None = None, **facts: str | int | float) -> Failure:
    """The :class:`Failure` for a reason of :data:`REASONS`, with its message in English."""
    if exception:
        facts["exception"] = exception
    if line is not None:
        facts["line"] = line
    kind, template = REASONS[reason]
    return Failure(kind, _fill(template.en, facts), exception, line, reason, dict(facts))


def ended(status: Mapping[str, int], total_s: float) -> Failure:
    """How a process ended by itself: with an ``exit`` code, by a ``signal``, or after ``total_s`` of processor time."""
    number = status.get("signal")
    if number is None:
        return failure("ended", code=status.get("exit", 0))
    if number == getattr(signal, "SIGXCPU", None):
        return failure("timeout-total", seconds=total_s)
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return failure("signal", signal=name)


_CUT_SHORT = frozenset({"signal", "ended-often", "lost", "no-worker"})


def cut_short(failed: Failure | None) -> bool:
    """Whether a call was ended before it came to anything: that tells nothing of what it computes."""
    return failed is not None and (failed.kind in ("timeout", "memory") or failed.reason in _CUT_SHORT)


_IN_PLACE = ("modified by an inplace operation", "is being used in an in-place operation", "a view of a leaf")


def stems_from_work_in_place(message: str) -> bool:
    """Whether there is no backward pass since values that it needs are overwritten: the forward pass may be right."""
    return any(text in message for text in _IN_PLACE)


def in_short(failed: Failure) -> str:
    """What happened, for a sentence that says already that the code raised: ``ValueError: what it said``."""
    return f"{failed.exception}: {failed.facts.get('detail', '')}" if failed.reason == "raised" else failed.message


def explain(failed: Failure, language: Language) -> str:
    """The message of a failure in ``language``."""
    if failed.reason not in REASONS:
        return failed.message
    return _fill(REASONS[failed.reason][1].get(language), failed.facts)


class _Facts(dict[str, str | int | float]):
    def __missing__(self, key: str) -> str:
        return "?"


def _fill(template: str, facts: Facts) -> str:
    try:
        return template.format_map(_Facts(facts))
    except (ValueError, TypeError):
        # A fact of the wrong type, which only a forged answer holds.
        return template
