import os
from pathlib import Path

import pytest

from interview_coach import paths
from interview_coach.errors import CoachError
from interview_coach.text import Text


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_one_folder_holds_all_three_and_is_made_on_demand(home: Path) -> None:
    assert paths.config_dir(create=False) == home / "config"
    assert not home.exists()
    assert [paths.data_dir(), paths.config_dir(), paths.cache_dir()] == [home / "data", home / "config", home / "cache"]
    assert sorted(child.name for child in home.iterdir()) == ["cache", "config", "data"]


def test_without_the_variable_the_platform_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTERVIEW_COACH_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "etc"))
    folders = {paths.data_dir(), paths.config_dir(), paths.cache_dir(create=False)}
    if os.name == "posix":
        assert tmp_path / "share" / "interview-coach" in folders
    assert len(folders) == 3
    assert all(folder.name == "interview-coach" or "interview-coach" in folder.parts for folder in folders)


def test_a_file_in_the_way_is_explained(home: Path) -> None:
    home.parent.mkdir(exist_ok=True)
    home.write_text("not a folder")
    with pytest.raises(CoachError) as caught:
        paths.data_dir()
    assert str(home / "data") in str(caught.value)
    assert "next: INTERVIEW_COACH_HOME=" in str(caught.value)
    assert home.read_text() == "not a folder"


def test_a_folder_that_cannot_be_written_is_explained(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interview_coach.paths.os.access", lambda *_: False)
    with pytest.raises(CoachError, match="not writable"):
        paths.data_dir()


def test_an_error_tells_all_it_knows_in_both_languages() -> None:
    error = CoachError(Text("It broke.", "坏了。"), Path("a.toml"), Text("a number", "数字"), "coach doctor")
    assert str(error) == "It broke.\n  where: a.toml\n  right would be: a number\n  next: coach doctor"
    assert error.message("zh") == "坏了。\n  位置: a.toml\n  正确的是: 数字\n  下一步: coach doctor"
    assert str(CoachError("It broke.")) == "It broke."
