"""The bank: what it holds, what it links to, and the compiled form of it."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from interview_coach.bank import Bank, check_claims, check_links, load_bank
from interview_coach.bank import files as bank_files
from interview_coach.bank import library as bank_library
from interview_coach.bank.rows import from_row, to_row
from interview_coach.bank.schema import schema_text
from interview_coach.resources import resource_dir
from interview_coach.text import Text
from tests.bank_support import sample, write


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(folder))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bank"
    write(folder, "alpha", topic="scaling", tags="softmax, variance", frequency=1)
    write(folder, "beta", topic="masks", tags="softmax", frequency=5)
    write(folder, "gamma", topic="masks", tags="padding")
    return folder


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are parsed from now on."""
    names: list[str] = []

    def read(file: bank_files.QuestionFile) -> object:
        names.append(Path(file.path).stem)
        return bank_files.read_question(file)

    monkeypatch.setattr(bank_library, "read_question", read)
    return names


def open_bank(folder: Path) -> Bank:
    return load_bank([folder], builtin=False)


def cache_files(home: Path) -> list[Path]:
    return sorted((home / "cache").glob("*"))


def test_every_field_arrives(folder: Path) -> None:
    question = open_bank(folder).questions["alpha"]
    assert (question.id, question.topic, question.tags) == ("alpha", "scaling", ("softmax", "variance"))
    assert (question.level, question.frequency, question.kind) == (2, 1, "concept")
    assert question.prompt == Text("Why?", "为什么？")
    point = question.key_points[0]
    assert (point.id, point.weight, point.concepts[0].zh) == ("first", "core", ("一",))
    assert point.misconceptions[0].correction == Text("It is one.", "是一。")
    assert question.pitfalls[0].refutes == ("A36",)
    assert question.follow_ups[0].when_missing == "first"
    assert question.experience.no_project.zh == "没有。"
    assert (question.references[0].title, question.references[0].year) == ("A Paper", 2017)
    assert (question.exercise, question.lab) == ("sdpa", "entropy")
    claim = question.claims[0]
    assert (claim.lab, claim.value, claim.expected, claim.tolerance) == ("entropy", "mean.d64", 4.12, 0.05)


def test_a_row_holds_a_whole_question(folder: Path) -> None:
    question = load_bank([folder], builtin=False, cache=False).questions["alpha"]
    assert from_row(to_row(question)) == question


def test_topics_tags_and_filter(folder: Path) -> None:
    bank = open_bank(folder)
    assert dict(bank.topics) == {"masks": 2, "scaling": 1}
    assert dict(bank.tags) == {"padding": 1, "softmax": 2, "variance": 1}
    assert [each.id for each in bank.filter(topic="masks")] == ["beta", "gamma"]
    assert [each.id for each in bank.filter(topic="masks", tag="softmax")] == ["beta"]
    assert len(bank.filter()) == len(bank) == 3
    assert bank.get("beta") is bank.questions["beta"]
    assert bank.get("nothing") is None
    assert bank.path("beta") == folder / "masks" / "beta.yaml"


def test_a_bank_of_questions_in_memory(folder: Path) -> None:
    bank = Bank.of(reversed(open_bank(folder).filter()))
    assert dict(bank.topics) == {"masks": 2, "scaling": 1}
    assert bank.questions["beta"].id == "beta"
    assert bank.path("beta") is None


def test_the_question_of_the_day_walks_through_the_bank(folder: Path) -> None:
    start = date(2025, 3, 1)
    week = [open_bank(folder).of_the_day(start + timedelta(days=day)).id for day in range(6)]
    assert sorted(week[:3]) == ["alpha", "beta", "gamma"]
    assert week[3:] == week[:3]
    assert open_bank(folder).of_the_day(start).id == week[0]
    with pytest.raises(LookupError):
        Bank.of([]).of_the_day(start)


def test_own_questions_join_the_programs(home: Path) -> None:
    write(home / "config" / "questions", "mine", topic="mine")
    bank = load_bank()
    assert "mine" in bank.questions and "why-sqrt-dk" in bank.questions
    assert bank.problems == ()


def test_the_programs_question_wins_over_one_with_its_id(tmp_path: Path) -> None:
    path = write(tmp_path / "bank", "why-sqrt-dk")
    bank = load_bank([tmp_path / "bank"])
    assert bank.questions["why-sqrt-dk"].prompt.en != "Why?"
    assert [(each.file, each.line, each.field) for each in bank.problems] == [(str(path), 1, "id")]


class TestLinks:
    def test_what_exists_is_fine(self, folder: Path) -> None:
        assert check_links(open_bank(folder), {"sdpa"}, {"entropy": {"mean.d64"}}) == []

    def test_what_does_not_is_told(self, folder: Path) -> None:
        path = folder / "scaling" / "alpha.yaml"
        line = next(n for n, text in enumerate(path.read_text().split("\n"), 1) if text.startswith("exercise"))
        bank = open_bank(path)
        found = check_links(bank, ["softmax"], {"overflow": []})
        assert [(each.file, each.line, each.field) for each in found] == [
            (str(path), line, "exercise"),
            (str(path), line + 1, "lab"),
            (str(path), line + 3, "claims[0].lab"),
        ]
        assert "no exercise sdpa; allowed: softmax" in found[0].message
        found = check_links(bank, ["sdpa"], {"entropy": ["mean.d16"]})
        assert [each.field for each in found] == ["claims[0].value"]
        assert "no value mean.d64; allowed: mean.d16" in found[0].message

    @pytest.mark.parametrize(("measured", "wrong"), [(4.17, 0), (4.07, 0), (4.18, 3), (float("nan"), 3)])
    def test_a_number_is_what_the_lab_measures(self, folder: Path, measured: float, wrong: int) -> None:
        found = check_claims(open_bank(folder), {"entropy": {"mean.d64": measured}})
        assert [each.field for each in found] == ["claims[0].expected"] * wrong


class TestCache:
    def test_a_second_opening_parses_nothing(self, folder: Path, parsed: list[str]) -> None:
        first = dict(open_bank(folder).questions)
        assert parsed == ["beta", "gamma", "alpha"]
        parsed.clear()
        assert dict(open_bank(folder).questions) == first
        assert parsed == []

    def test_only_what_changed_is_parsed_again(self, folder: Path, parsed: list[str]) -> None:
        dict(open_bank(folder).questions)
        parsed.clear()
        write(folder, "beta", topic="masks", en="What?")
        write(folder, "delta", topic="scaling")
        (folder / "masks" / "gamma.yaml").unlink()
        bank = open_bank(folder)
        assert list(bank.questions) == ["beta", "alpha", "delta"]
        assert bank.questions["beta"].prompt.en == "What?"
        assert bank.questions["alpha"].prompt.en == "Why?"
        assert parsed == ["beta", "delta"]

    def test_a_change_that_keeps_size_and_time_is_seen(self, folder: Path) -> None:
        import os

        open_bank(folder)
        path = folder / "masks" / "beta.yaml"
        status = path.stat()
        deadline = time.monotonic() + 2
        while path.stat().st_ctime_ns == status.st_ctime_ns and time.monotonic() < deadline:
            path.write_text(path.read_text().replace("Why?", "How?"))
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert open_bank(folder).questions["beta"].prompt.en == "How?"

    def test_problems_are_remembered(self, folder: Path, parsed: list[str]) -> None:
        write(folder, "bad", "id: bad\n", topic="masks")
        problems = open_bank(folder).problems
        parsed.clear()
        assert open_bank(folder).problems == problems != ()
        assert parsed == []

    @pytest.mark.parametrize("harm", ["empty", "short", "noise", "header", "body", "folder"])
    def test_a_harmed_cache_is_written_anew(self, folder: Path, home: Path, parsed: list[str], harm: str) -> None:
        first = dict(open_bank(folder).questions)
        (path,) = cache_files(home)
        whole = path.read_bytes()
        if harm == "folder":
            path.unlink()
            path.mkdir()
        else:
            flipped = bytearray(whole)
            flipped[40 if harm == "header" else -40] ^= 0xFF
            path.write_bytes({"empty": b"", "short": whole[:100], "noise": b"\xff" * 5000}.get(harm, bytes(flipped)))
        parsed.clear()
        assert dict(open_bank(folder).questions) == first
        assert parsed == (["alpha"] if harm == "body" else ["beta", "gamma", "alpha"])

    def test_deleting_the_cache_under_an_open_bank_does_no_harm(
        self, folder: Path, home: Path, parsed: list[str]
    ) -> None:
        open_bank(folder)
        bank = open_bank(folder)
        for path in cache_files(home):
            path.unlink()
        assert bank.questions["alpha"].prompt.en == "Why?"

    def test_another_version_of_the_program_starts_anew(
        self, folder: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_bank(folder)
        parsed.clear()
        monkeypatch.setattr("interview_coach.bank.cache.__version__", "999")
        open_bank(folder)
        assert len(parsed) == 3

    def test_a_cache_folder_that_cannot_be_made(self, folder: Path, home: Path) -> None:
        home.mkdir()
        (home / "cache").write_text("in the way")
        assert len(open_bank(folder)) == 3
        assert open_bank(folder).search("why")

    def test_without_a_cache_nothing_is_written(self, folder: Path, home: Path) -> None:
        bank = load_bank([folder], builtin=False, cache=False)
        assert bank.search("alpha")[0].id == "alpha"
        assert cache_files(home) == []

    def test_nothing_is_left_beside_the_cache(self, folder: Path, home: Path) -> None:
        open_bank(folder).search("why")
        assert [path.suffix for path in cache_files(home)] == [".cache", ".cache"]


def test_opening_a_compiled_bank_loads_neither_yaml_nor_pydantic(folder: Path, home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from interview_coach.bank import load_bank\n"
        f"bank = load_bank([Path({str(folder)!r})], builtin=False)\n"
        "assert bank.search('alpha')[0].id == 'alpha'\n"
        "print(sorted({'yaml', 'pydantic', 'numpy', 'textual', 'torch', 'typer'} & set(sys.modules)))"
    )
    outputs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)
    ]
    assert outputs[1].stdout.strip() == "[]"


def test_installed_the_questions_lie_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "interview_coach"
    monkeypatch.setattr("interview_coach.resources.__file__", str(package / "resources.py"))
    with pytest.raises(FileNotFoundError, match="questions"):
        resource_dir("questions")
    (tmp_path / "questions").mkdir()
    assert resource_dir("questions") == tmp_path / "questions"
    (package / "_data" / "questions").mkdir(parents=True)
    assert resource_dir("questions") == package / "_data" / "questions"


def test_the_schema_for_editors_is_in_step() -> None:
    path = resource_dir("questions") / "schema.json"
    assert path.read_text(encoding="utf-8") == schema_text(), "run: python -m interview_coach.bank.schema"


def test_the_lint_command(folder: Path) -> None:
    write(folder, "bad", text=sample("bad", topic="masks").replace("level: 2", "level: 7"), topic="masks")
    command = [sys.executable, "-m", "interview_coach.bank.lint", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == f"{folder}/masks/bad.yaml:4: level: is '7'; allowed: 1 to 5\n"
