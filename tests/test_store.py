import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interview_coach.errors import CoachError
from interview_coach.store import Store, backup, schema
from interview_coach.store.event import from_stamp, to_stamp

NOW = datetime(2026, 3, 4, 12, 30, 15, 250_000, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "coach.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as store:
        yield store


def test_it_lies_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEW_COACH_HOME", str(tmp_path / "home"))
    with Store.open() as store:
        assert store.path == tmp_path / "home" / "data" / "coach.db"
    assert store.path.exists()


def test_what_is_appended_is_read_after_a_restart(path: Path) -> None:
    east = timezone(timedelta(hours=8))
    data = {"question": "why-sqrt-dk", "text": "方差 \ud800\0 √d_k", "seconds": 1.5, "ticked": ["a"], "none": None}
    with Store.open(path) as store:
        first = store.append("answered", data, NOW.astimezone(east))
        second = store.append("graded", {"file": "a.py"}, NOW - timedelta(days=1))
    with Store.open(path) as store:
        assert list(store.events()) == [first, second]
        assert (first.id, first.kind, first.at, first.data) == (1, "answered", NOW, data)
        assert first.at.tzinfo is UTC
        assert len({first.uuid, second.uuid}) == 2
        assert list(store.events("graded")) == [second]
        assert list(store.events(since=NOW)) == [first]
        assert list(store.events("graded", since=NOW)) == []
        assert store.latest("answered", 5) == [first]
        assert len(store) == 2


def test_events_are_read_as_they_are_asked_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interview_coach.store.store._PAGE", 2)
    for number in range(5):
        store.append("rated", {"n": number}, NOW)
    events = store.events()
    assert [next(events).data["n"] for _ in range(3)] == [0, 1, 2]
    store.append("rated", {"n": 5}, NOW)
    assert [event.data["n"] for event in events] == [3, 4, 5]
    assert [event.data["n"] for event in store.latest("rated", 2)] == [5, 4]


def test_events_since_a_time_are_found_wherever_they_were_written(store: Store) -> None:
    for days in (0, 5, 2, 7, 1):
        store.append("rated", {"n": days}, NOW + timedelta(days=days))
    for since, expected in ((-1, [0, 5, 2, 7, 1]), (2, [5, 2, 7]), (6, [7]), (8, [])):
        found = store.events("rated", NOW + timedelta(days=since))
        assert [event.data["n"] for event in found] == expected


def test_the_log_is_only_appended_to(store: Store) -> None:
    store.append("rated", {}, NOW)
    for statement in ("UPDATE events SET kind = 'x'", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"), store.transaction() as connection:
            connection.execute(statement)
    assert [event.kind for event in store.events()] == ["rated"]


def test_a_time_without_a_zone_and_a_value_beyond_json_are_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="time zone"):
        store.append("rated", {}, datetime(2026, 3, 4))
    with pytest.raises(ValueError, match="JSON"):
        store.append("rated", {"n": float("nan")}, NOW)
    assert list(store.events()) == []


def test_an_error_or_a_ctrl_c_inside_a_transaction_leaves_nothing_half_done(store: Store) -> None:
    with pytest.raises(KeyboardInterrupt), store.transaction() as connection:
        connection.execute("INSERT INTO drafts VALUES ('a', '\"x\"')")
        raise KeyboardInterrupt
    store._connection.execute("BEGIN")  # as a Ctrl-C right after BEGIN would leave it
    store.append("rated", {}, NOW)
    assert store.drafts() == {}
    assert len(list(store.events())) == 1


def test_drafts_are_kept_replaced_and_cleared(path: Path) -> None:
    with Store.open(path) as store:
        assert store.draft("a") is None
        store.save_draft("a", "wi")
        store.save_draft("a", "with \ud800 中\0")
        store.save_draft("b", "x")
    with Store.open(path) as store:
        assert store.drafts() == {"a": "with \ud800 中\0", "b": "x"}
        store.clear_draft("a")
        store.save_draft("b", "")
        assert (store.draft("a"), store.draft("b"), store.drafts()) == (None, None, {})


def test_an_answer_takes_the_place_of_its_own_draft_only(store: Store) -> None:
    store.save_draft("a", "one")
    store.save_draft("b", "one")
    store.append("answered", {"question": "a", "text": "one"}, NOW)
    assert store.drafts() == {"b": "one"}
    store.append("answered", {"question": "b", "text": "given elsewhere"}, NOW)
    assert store.drafts() == {"b": "one"}


def test_events_wait_for_the_disk_and_drafts_do_not(store: Store) -> None:
    assert store.read("PRAGMA journal_mode") == [("wal",)]
    store.append("rated", {}, NOW)
    assert store.read("PRAGMA synchronous") == [(2,)]
    store.save_draft("a", "x")
    assert store.read("PRAGMA synchronous") == [(1,)]
    store.append("rated", {}, NOW)
    assert store.read("PRAGMA synchronous") == [(2,)]


def test_threads_share_a_store(store: Store) -> None:
    threads = [
        threading.Thread(target=lambda: [store.append("rated", {"n": n}, NOW) for n in range(25)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(store.events())) == 100


_WRITER = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from interview_coach.store import Store
with Store.open(Path(sys.argv[1])) as store:
    for n in range(int(sys.argv[2])):
        store.append("rated", {"n": n}, datetime.now(UTC))
        print(n, flush=True)
"""


def _writer(path: Path, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(path), str(count)], stdout=subprocess.PIPE, text=True)


def test_two_processes_make_and_fill_a_store_at_once(path: Path) -> None:
    writers = [_writer(path, 50) for _ in range(2)]
    assert [writer.communicate()[1] is None and writer.returncode for writer in writers] == [0, 0]
    with Store.open(path) as store:
        assert [event.id for event in store.events()] == list(range(1, 101))
        assert store.problems() == []


def test_a_killed_process_loses_nothing_that_it_reported(path: Path) -> None:
    writer = _writer(path, 100_000)
    assert writer.stdout is not None
    reported = [int(writer.stdout.readline()) for _ in range(20)]
    writer.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    writer.communicate()
    with Store.open(path) as store:
        kept = [event.data["n"] for event in store.events()]
        assert kept[:20] == reported == list(range(20))
        assert store.problems() == []


# --- files that cannot be used -----------------------------------------------------------------------------------


def _refusal(path: Path) -> str:
    with pytest.raises(CoachError) as caught:
        Store.open(path)
    assert caught.value.message("zh") != str(caught.value)
    return str(caught.value)


def test_a_newer_store_is_refused_and_left_as_it_is(path: Path) -> None:
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    before = path.read_bytes()
    message = _refusal(path)
    assert "newer Interview Coach" in message
    assert "pip install --upgrade interview-coach" in message
    assert path.read_bytes() == before


def test_another_programs_database_is_refused_and_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    assert "another program" in _refusal(path)
    assert path.read_bytes() == before


def test_a_damaged_file_is_reported_with_what_to_do_and_never_deleted(path: Path) -> None:
    with Store.open(path) as store:
        event = store.append("rated", {}, NOW)
        store.back_up(NOW)
    path.write_bytes(b"this was a store once")
    path.with_name("coach.db-wal").write_bytes(b"and this its log")
    with pytest.raises(CoachError, match="damaged") as caught:
        Store.open(path)
    assert path.read_bytes() == b"this was a store once"
    assert caught.value.next_command is not None
    subprocess.run(caught.value.next_command, shell=True, check=True)
    with Store.open(path) as store:
        assert list(store.events()) == [event]
    assert sorted(kept.read_bytes() for kept in (path.parent / "damaged").iterdir()) == [
        b"and this its log",
        b"this was a store once",
    ]


def test_a_file_cut_to_nothing_does_not_cost_its_log(path: Path) -> None:
    Store.open(path).close()
    path.write_bytes(b"")
    log = path.with_name("coach.db-wal")
    log.write_bytes(b"the last events")
    assert "damaged" in _refusal(path)
    assert log.read_bytes() == b"the last events"
    log.unlink()
    Store.open(path).close()  # an empty file alone is a store not yet begun


def test_damage_found_later_is_reported_too(path: Path) -> None:
    with Store.open(path) as store:
        for number in range(2000):
            with store.transaction(durable=False) as connection:
                connection.execute(
                    "INSERT INTO events (uuid, kind, at, data) VALUES (?, 'rated', ?, '{}')", (number, NOW)
                )
    raw = bytearray(path.read_bytes())
    raw[8192:] = b"\xff" * (len(raw) - 8192)
    path.write_bytes(raw)
    with pytest.raises(CoachError, match="damaged"), Store.open(path) as store:
        list(store.events())
    assert len(path.read_bytes()) == len(raw)


def test_a_read_only_store_is_explained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(path).close()
    connect = sqlite3.connect

    def read_only(database: Path, **options: object) -> sqlite3.Connection:
        return connect(f"file:{database}?mode=ro", uri=True, **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr("interview_coach.store.store.sqlite3.connect", read_only)
    with Store.open(path) as store, pytest.raises(CoachError, match="read-only") as caught:
        store.append("rated", {}, NOW)
    assert "INTERVIEW_COACH_HOME=" in str(caught.value)


def test_a_path_that_cannot_hold_a_store_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be opened" in _refusal(tmp_path / "file" / "coach.db")
    assert "cannot be opened" in _refusal(tmp_path)


def test_a_full_disk_is_explained_and_the_event_is_not_half_there(store: Store) -> None:
    pages = store.read("PRAGMA page_count")[0][0]
    store.read(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CoachError, match="disk is full"):
        store.append("answered", {"text": "x" * 100_000}, NOW)
    store.read("PRAGMA max_page_count = 100000")
    assert list(store.events()) == []
    assert store.append("answered", {"text": "x"}, NOW).id == 1


def test_a_store_locked_for_long_is_explained(path: Path, store: Store) -> None:
    with Store.open(path) as other, other.transaction():
        store.read("PRAGMA busy_timeout = 1")
        with pytest.raises(CoachError, match="locked"):
            store.append("rated", {}, NOW)
    assert store.append("rated", {}, NOW).id == 1


# --- migrations and backups --------------------------------------------------------------------------------------

_STEP = "CREATE TABLE later (x);\nINSERT INTO later VALUES (1);\n"


def test_an_older_store_is_backed_up_and_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(path) as store:
        event = store.append("rated", {"question": "a"}, NOW)
    assert store.backups() == []
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, _STEP))
    with Store.open(path) as store:
        assert store.read("SELECT x FROM later") == [(1,)]
        assert list(store.events()) == [event]
    (kept,) = store.backups()
    assert kept.parent == path.parent / "backups"
    with closing(sqlite3.connect(kept)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS) - 1,)
        assert copy.execute("SELECT uuid FROM events").fetchall() == [(event.uuid,)]
    Store.open(path).close()
    assert store.backups() == [kept]


def test_a_step_that_fails_leaves_the_store_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(path) as store:
        event = store.append("rated", {}, NOW)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, _STEP + "INSERT INTO nowhere VALUES (1);\n"))
        with pytest.raises(CoachError, match="nowhere"):
            Store.open(path)
    with Store.open(path) as store:
        assert list(store.events()) == [event]
        assert store.read("SELECT name FROM sqlite_master WHERE name = 'later'") == []


def test_backups_are_thinned_to_the_newest_and_one_a_month(store: Store) -> None:
    made = [store.back_up(NOW + timedelta(days=10 * number)) for number in range(60)]
    newest_first = store.backups()
    assert newest_first[:5] == made[:-6:-1]
    months = [path.stem.rsplit("-", 1)[-1][:6] for path in newest_first]
    assert len(set(months)) == 12
    assert len(newest_first) <= 5 + 12
    assert len(list(backup.folder_of(store.path).iterdir())) == len(newest_first)


def test_a_backup_holds_what_is_not_yet_in_the_main_file(store: Store) -> None:
    event = store.append("rated", {}, NOW)
    with Store.open(store.back_up(NOW)) as copy:
        assert list(copy.events()) == [event]


@given(st.datetimes(timezones=st.timezones()), st.datetimes(timezones=st.timezones()))
def test_stamps_sort_as_times_do(first: datetime, second: datetime) -> None:
    try:
        stamps = to_stamp(first), to_stamp(second)
    except OverflowError:  # a zone carries the first or last day over the edge of the calendar
        return
    assert (stamps[0] < stamps[1]) == (first.astimezone(UTC) < second.astimezone(UTC))
    assert from_stamp(stamps[0]) == first.astimezone(UTC)


def test_opening_imports_nothing_heavy() -> None:
    code = (
        "import sys; from interview_coach.store import Store; from interview_coach.review import Reviewer, stats; "
        "from interview_coach.drill import Drill; from interview_coach.settings import load_settings; "
        "print(sorted({'torch', 'textual', 'typer', 'fsrs', 'numpy', 'pydantic', 'yaml'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
