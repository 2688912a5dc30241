import os
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_coach.errors import CoachError
from interview_coach.settings import Settings, load_settings, save_settings, settings_file, system_language
from interview_coach.toml_edit import edit
from tests import characters


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "config.toml"


def load() -> tuple[Settings, list[str]]:
    problems: list[CoachError] = []
    settings = load_settings(problems.append)
    return settings, [str(problem) for problem in problems]


def test_no_file_means_defaults_and_makes_none(config: Path) -> None:
    assert load() == (Settings(), [])
    assert (Settings().answer_seconds, Settings().think_seconds, Settings().new_per_day) == (30, 10, 10)
    assert settings_file() == config
    assert not config.exists()


def test_what_is_saved_is_loaded() -> None:
    settings = Settings("zh", 45, 0, 3, True, True, "nord", {"app.quit": "ctrl+q", "drill": '"', "tab": "\\\x7f中"})
    save_settings(settings)
    assert load() == (settings, [])
    save_settings(replace(settings, keys={"drill": "x"}, language="en"))
    assert load() == (replace(settings, keys={"drill": "x"}, language="en"), [])


def test_a_change_leaves_comments_and_the_keys_of_others(config: Path) -> None:
    config.write_text(
        "# mine\nlanguage = 'en'  # for work\nanswer_seconds = 30\nfuture = [1, {a = 2}]\n\n"
        "[judge]\nmodel = \"m\" # local\n\n[keys]\n'app.quit' = 'x' # left hand\nold = 'o'\n"
    )
    settings, problems = load()
    assert problems == []
    save_settings(replace(settings, answer_seconds=60, keys={"app.quit": "x", "new": "n"}))
    text = config.read_text()
    for kept in ("# mine", "language = 'en'  # for work", 'model = "m" # local', "'app.quit' = 'x' # left hand"):
        assert kept in text
    document = tomllib.loads(text)
    assert document["future"] == [1, {"a": 2}]
    assert document["judge"] == {"model": "m"}
    assert document["keys"] == {"app.quit": "x", "new": "n"}
    assert document["answer_seconds"] == 60
    assert [path.name for path in config.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("line", "field", "allowed"),
    [
        ("language = 'fr'", "language", '"en" or "zh"'),
        ("language = ['en']", "language", '"en" or "zh"'),
        ("answer_seconds = 0", "answer_seconds", "5 to 3600"),
        ("answer_seconds = true", "answer_seconds", "5 to 3600"),
        ("answer_seconds = '30'", "answer_seconds", "5 to 3600"),
        ("four_ratings = 1", "four_ratings", "true or false"),
        ("theme = ''", "theme", "a theme"),
        ("keys = 3", "keys", "[keys]"),
        ("keys = {quit = 3}", "keys.quit", "a key"),
    ],
)
def test_a_wrong_value_is_reported_its_default_used_and_the_rest_kept(
    config: Path, line: str, field: str, allowed: str
) -> None:
    config.write_text(line + "\nthink_seconds = 7\n")
    settings, problems = load()
    assert settings == Settings(think_seconds=7)
    assert len(problems) == 1
    assert f"The setting {field} cannot be" in problems[0]
    assert allowed in problems[0]
    assert str(config) in problems[0]


@pytest.mark.parametrize("raw", [b"language = ", b"\xff\xfe", b"a = 1\na = 2", b"[keys\n"])
def test_a_broken_file_is_reported_left_alone_and_copied_before_a_save(config: Path, raw: bytes) -> None:
    config.write_bytes(raw)
    settings, problems = load()
    assert settings == Settings()
    assert len(problems) == 1
    assert "not valid TOML" in problems[0]
    assert config.read_bytes() == raw
    save_settings(replace(settings, language="zh"))
    assert load() == (Settings("zh"), [])
    assert config.with_name("config.broken-1.toml").read_bytes() == raw
    config.write_bytes(raw)
    save_settings(settings)
    assert config.with_name("config.broken-2.toml").read_bytes() == raw


def test_a_wrong_value_is_copied_aside_before_it_is_replaced(config: Path) -> None:
    config.write_text("answer_seconds = 'long'\nfuture = 1\n")
    save_settings(load()[0])
    assert config.with_name("config.broken-1.toml").read_text() == "answer_seconds = 'long'\nfuture = 1\n"
    assert tomllib.loads(config.read_text()) | {"keys": {}} == {
        "answer_seconds": 30,
        "future": 1,
        "language": "en",
        "think_seconds": 10,
        "new_per_day": 10,
        "four_ratings": False,
        "reduced_motion": False,
        "theme": "textual-dark",
        "keys": {},
    }


def test_a_layout_that_cannot_be_edited_by_lines_is_copied_aside(config: Path) -> None:
    text = 'note = """\ntheme = "x"\n"""\nkeys = {quit = "q"}\n'
    config.write_text(text)
    settings = Settings(keys={"quit": "x"})
    save_settings(settings)
    assert load() == (settings, [])
    assert config.with_name("config.broken-1.toml").read_text() == text


def test_a_byte_order_mark_is_no_error(config: Path) -> None:
    config.write_bytes(b"\xef\xbb\xbflanguage = 'zh'\n")
    assert load() == (Settings("zh"), [])


def test_dotted_ids_need_no_quotes(config: Path) -> None:
    config.write_text("[keys]\napp.quit = 'x'\n")
    assert load()[0].keys == {"app.quit": "x"}


def test_a_failed_write_leaves_the_old_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("language = 'zh'\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CoachError, match="No space left"):
        save_settings(Settings())
    assert config.read_text() == "language = 'zh'\n"
    assert [path.name for path in config.parent.iterdir()] == ["config.toml"]


def test_a_link_stays_a_link(config: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("")
    real.chmod(0o600)
    config.symlink_to(real)
    save_settings(Settings("zh"))
    assert config.is_symlink()
    assert 'language = "zh"' in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_value_that_is_not_allowed_is_not_saved(config: Path) -> None:
    with pytest.raises(ValueError, match="answer_seconds"):
        save_settings(Settings(answer_seconds=1))
    assert not config.exists()


def test_problems_go_to_stderr_by_default(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text("theme = 1")
    load_settings()
    captured = capsys.readouterr()
    assert "The setting theme cannot be 1." in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(("value", "language"), [("zh_CN.UTF-8", "zh"), ("en_GB.UTF-8", "en"), ("C", "en")])
def test_the_language_is_the_systems(monkeypatch: pytest.MonkeyPatch, value: str, language: str) -> None:
    monkeypatch.setenv("LC_ALL", value)
    assert system_language() == language


_TEXT = st.text(characters.ENCODABLE, max_size=8)


@given(
    st.dictionaries(_TEXT, st.one_of(_TEXT, st.integers(-9, 9), st.booleans()), max_size=4),
    st.dictionaries(_TEXT, _TEXT, max_size=4),
)
def test_any_name_and_value_is_written_as_toml(top: dict[str, Any], table: dict[str, str]) -> None:
    top.pop("keys", None)
    text = edit(edit("", top), table, "keys")
    assert tomllib.loads(text) == top | {"keys": table}
    assert tomllib.loads(edit(text, dict.fromkeys(table), "keys")) == top | {"keys": {}}
