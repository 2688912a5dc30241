"""Bad input by the real command line: a clear line, exit 2 or a failed check, in time, and nothing left running."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interview_coach.cli import ahead
from interview_coach.cli import main as cli
from interview_coach.grading.protocol import Limits
from interview_coach.grading.sandbox import Sandbox
from tests.hostile_support import Hostile, hostile, left_over, spare_the_search

LIMITS = Limits(load_s=1.5, call_s=1.5, total_s=10, memory_bytes=128 * 2**20)
EVERY = 5
"""Of the quick ones, the normal suite takes one in so many."""

GOOD = """import numpy as np

def softmax(x, axis=-1):
    peak = x.max(axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(peak), 0, peak))
    total = e.sum(axis, keepdims=True)
    return e / np.where(total == 0, 1, total)
"""
Coach = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def sandbox(sandbox: Sandbox) -> Iterator[Sandbox]:
    usual, sandbox.limits = sandbox.limits, LIMITS
    yield sandbox
    sandbox.limits = usual
    assert not left_over(sandbox)


@pytest.fixture
def coach(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Coach:
    """Runs ``coach`` in this process, with a sandbox of short limits and without the search for the bug's name."""
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.setattr(ahead, "head_start", lambda _: contextlib.nullcontext())
    monkeypatch.setattr(ahead, "sandbox", lambda **_: sandbox)
    spare_the_search(monkeypatch)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["coach", *arguments])
        capsys.readouterr()
        code = cli.main()
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def check(entry: Hostile, coach: Coach, sandbox: Sandbox) -> None:
    started = time.monotonic()
    code, out, err = coach("grade", str(entry.path), "--exercise", entry.exercise, "--format", "json", "--seed", "1")
    assert time.monotonic() - started < entry.seconds
    report = json.loads(out)
    assert report["verdict"] in entry.verdicts, report
    assert code == {"pass": 0, "fail": 1, "error": 2}[report["verdict"]]
    assert "Traceback" not in err
    if report["error"] is not None:
        assert report["error"]["kind"] in entry.kinds, report["error"]
        assert report["error"]["message"].strip()
        assert "Traceback" not in report["error"]["message"]
        assert len(report["error"]["message"]) < 3000
    assert not left_over(sandbox)


@pytest.mark.parametrize("entry", hostile("bad_")[::EVERY], ids=lambda e: e.path.stem)
def test_ends_with_a_clear_line(entry: Hostile, coach: Coach, sandbox: Sandbox) -> None:
    check(entry, coach, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("entry", hostile("bad_") + hostile("bad_", slow=True), ids=lambda e: e.path.stem)
def test_each_ends_with_a_clear_line(entry: Hostile, coach: Coach, sandbox: Sandbox) -> None:
    check(entry, coach, sandbox)


FILES: dict[str, tuple[bytes, str, str]] = {
    "empty.py": (b"", "import", "coach start"),
    "blank.py": (b"  \n\n", "import", "coach start"),
    "latin.py": (b'x = "\xff\xfe"\n', "import", "save it as UTF-8"),
    "utf16.py": (GOOD.encode("utf-16"), "import", "save it as UTF-8"),
    "zeros.py": (b"x = 1\n\0\0\n", "import", "binary"),
    "big.py": (b"#" * (5 * 2**20), "usage", "larger than 4 MB"),
    "nothing.ipynb": (b"not json", "import", "not a notebook"),
    "number.ipynb": (b'{"cells": 3}', "import", "not a notebook"),
    "list.ipynb": (b"[1, 2]", "import", "not a notebook"),
    "prose.ipynb": (b'{"cells": [{"cell_type": "markdown", "source": "x"}]}', "import", "coach start"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_none(name: str, coach: Coach) -> None:
    data, kind, hint = FILES[name]
    Path(name).write_bytes(data)
    code, out, err = coach("grade", name)
    assert (code, out) == (2, "")
    assert f"cannot grade ({kind})" in err
    assert name in err
    assert hint in err
    assert "Traceback" not in err


@pytest.mark.parametrize("exercise", ["sdpa", "multi-head", "causal", "softmax"])
def test_a_file_without_anything_that_takes_arrays(exercise: str, coach: Coach) -> None:
    Path("script.py").write_text("def load():\n    return open('data.bin').read()\n\ndef main():\n    print(load())\n")
    code, out, err = coach("grade", "script.py", "--exercise", exercise)
    assert (code, out) == (2, "")
    assert "cannot grade (contract)" in err
    assert "looked for" in err


GOOD_FILES = {
    "bom.py": b"\xef\xbb\xbf" + GOOD.encode(),
    "crlf.py": GOOD.replace("\n", "\r\n").encode(),
    "注意力 final (2).py": GOOD.encode(),
    "gbk.py": b"# coding: gbk\n# " + "注意力\n".encode("gbk") + GOOD.encode(),
    "no_suffix": GOOD.encode(),
}


def test_any_name_and_any_end_of_line(coach: Coach) -> None:
    for name, data in GOOD_FILES.items():
        Path(name).write_bytes(data)
    Path("link.py").symlink_to("bom.py")
    code, out, _ = coach("grade", *GOOD_FILES, "link.py", "--quiet", "--seed", "1", "--exercise", "softmax")
    assert (code, out.count("✓"), len(out.splitlines())) == (0, 6, 6)


def test_paths_that_are_none(coach: Coach) -> None:
    Path("folder.py").mkdir()
    Path("broken.py").symlink_to("nowhere.py")
    Path("loop.py").symlink_to("loop.py")
    names = ("missing.py", "broken.py", "loop.py")
    for name, hint in [*((name, "no such file") for name in names), ("x" * 300 + ".py", "name too long")]:
        code, out, err = coach("grade", name)
        assert (code, out) == (2, "")
        assert hint in err.lower()
        assert name[:20] in err
    code, _, err = coach("grade", "folder.py")
    assert code == 2
    assert "no Python file" in err
    assert "coach start" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_or_a_device_is_not_waited_for(coach: Coach) -> None:
    os.mkfifo("pipe.py")
    started = time.monotonic()
    for name in ("pipe.py", "/dev/zero"):
        code, _, err = coach("grade", name)
        assert code == 2
        assert "no regular file" in err
        assert "coach grade -" in err
    assert time.monotonic() - started < 5


def test_a_file_that_may_not_be_read(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("secret.py").write_text("x = 1\n")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    code, _, err = coach("grade", "secret.py")
    assert code == 2
    assert "secret.py: cannot be read (Permission denied)" in err


def test_prints_move_no_cursor(coach: Coach) -> None:
    Path("sly.py").write_text(
        'print("\\x1b[2J\\x1b]0;owned\\x07 hello")\nraise RuntimeError("\\x1b[31m red \\x9b2J")\n'
    )
    code, out, err = coach("grade", "sly.py")
    assert code == 2
    assert "hello" in err
    assert " red " in err
    assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 for c in out + err)


def test_both_languages_say_why(coach: Coach) -> None:
    Path("bad.py").write_text("import torch\n\ndef attention(q, k, v):\n    raise RuntimeError('no luck')\n")
    for language in ("en", "zh"):
        code, _, err = coach("--lang", language, "grade", "bad.py")
        assert code == 2
        assert "bad.py" in err
        assert "no luck" in err
        assert "4" in err


def test_one_real_process_from_end_to_end(tmp_path: Path) -> None:
    (tmp_path / "gone.py").write_text("import os\n\ndef attention(q, k, v):\n    os._exit(0)\n")
    ran = subprocess.run(
        [sys.executable, "-m", "interview_coach", "grade", "gone.py", "--exercise", "sdpa"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=tmp_path,
        env={**os.environ, "INTERVIEW_COACH_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"},
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "cannot grade (crash)" in ran.stderr
    assert "exit code 0" in ran.stderr
    assert "Traceback" not in ran.stderr
