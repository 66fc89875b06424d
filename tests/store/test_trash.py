"""What is deleted comes back as it was, or is gone for good after a month; and rows, numbers and names as values."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.store import StoreError, files, game_list, guard, imports, paths, row_values, seals, tournaments, trash
from nimtui.store.check import Checked, check_files
from nimtui.store.database import Database
from nimtui.store.imports import ImportedGame, ImportedTournament
from nimtui.store.rows import Fault, GameId, GameInfo, GameRow, parse_game_id, short_id, unpacked
from nimtui.store.sweeps import Log
from tests.opened import open_files, opened_since
from tests.store.sample import DOCUMENT, begin, row, rows


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path


def kept(path: Path, text: str = "scores") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(1, os.strerror(1))


def test_a_file_goes_and_comes_back_byte_for_byte(home: Path) -> None:
    path = kept(home / "home" / "runs" / "ünlike a plain name.npz", "1 2 3")
    trashed = trash.put(path)
    assert not path.exists() and trashed.file.read_text() == "1 2 3"
    about = {"nimtui": "trash", "format": 1, "place": str(path), "deleted": trashed.deleted}
    manifest = trashed.folder / trash.MANIFEST
    assert manifest.read_text() == json.dumps(about, indent=2) + "\n"
    for size, found in ((100_001, []), (100_000, [trashed])):
        kept(manifest, manifest.read_text().strip().ljust(size))
        assert trash.trashed_files() == found
    path.parent.rmdir()
    assert trash.restore(trashed) == path and path.read_text() == "1 2 3"
    assert trash.trashed_files() == [] and not trashed.folder.exists()
    (link := home / "link").symlink_to(home / "nowhere")
    assert trash.restore(trash.put(link)) == link and link.is_symlink()


def test_a_file_has_its_name_when_it_is_on_the_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, path, before = list[object](), home / "a.jsonl", open_files()

    def sync(handle: int) -> None:
        status = os.fstat(handle)
        synced.append(path.exists() if stat.S_ISDIR(status.st_mode) else status.st_size)

    monkeypatch.setattr(os, "fsync", sync)
    files.replace_text(path, lambda file: file.write("123"))
    assert synced == [3, True] and not opened_since(before)
    path.unlink()
    with Log.create(path, {}) as log:
        size = path.stat().st_size
        log.append([{"a": 1}])
        assert synced[2:] == [size, False, True, path.stat().st_size] and path.stat().st_size > size
    assert not opened_since(before) and [found.name for found in home.iterdir()] == ["a.jsonl"]


def test_two_of_one_name_are_both_kept_and_the_last_is_named_first(home: Path) -> None:
    path = home / "table.npz"
    first = trash.put(kept(path, "old"))
    second = trash.put(kept(path, "new"))
    assert [found.file.read_text() for found in trash.trashed_files()] == ["new", "old"]
    trash.restore(second)
    with pytest.raises(StoreError, match=r"another file .* rename it first"):
        trash.restore(first)
    assert path.read_text() == "new" and first.file.read_text() == "old"


def test_only_what_is_older_than_a_month_is_gone_for_good(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, now in (("old.npz", 999.0), ("young.npz", 1_000.0), ("", 1_000.0 + 30 * 24 * 3600)):
        monkeypatch.setattr(trash, "time", lambda now=now: now)
        if name:
            trash.put(kept(home / name))
    assert trash.purge() == 1
    assert [found.place.name for found in trash.trashed_files()] == ["young.npz"]


def test_what_cannot_be_moved_stays_and_leaves_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, place, unlink = kept(home / "a.npz"), home / "b.npz", Path.unlink

    def refused(self: Path, *_: object, **__: object) -> None:
        if self == path:
            raise PermissionError(1, os.strerror(1))
        unlink(self)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refused)
        with pytest.raises(StoreError, match=r"a\.npz cannot be deleted: "):
            trash.put(path)
        assert path.exists() and list(trash.folder().iterdir()) == []
        patch.setattr(os, "rmdir", refuse)  # what cannot be tidied up stays, without a word
        with pytest.raises(StoreError, match=r"a\.npz cannot be deleted: "):
            trash.put(path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rmdir", refuse)
        assert trash.restore(trash.put(path)) == path
        trash.put(path)
        assert trash.purge(days=-1) == 0
    kept(path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refused)  # it may be linked, but not taken away
        with pytest.raises(PermissionError):
            files.move(path, place)
    assert path.exists() and not place.exists()
    shutil.rmtree(trash.folder())
    kept(home / "home" / "trash", "in the way")
    with pytest.raises(StoreError, match="trash is a file, not a folder"):
        trash.put(path)
    assert path.exists()
    for name in ("nowhere.npz", trash.MANIFEST):
        with pytest.raises(StoreError, match=f"^there is no file {home / name} to delete$"):
            trash.put(kept(home / name) if name == trash.MANIFEST else home / name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"nimtui": "trash", "format": 1}',
        '{"nimtui": "trash", "format": 9, "place": "a", "deleted": 1}',
        '{"nimtui": "sweep", "format": 1, "place": "a", "deleted": 1}',
        '{"place": 3}',
        '{"place": "a\\u0000b"}',
        '{"place": "a", "place": "b"}',
    ],
)
def test_manifests_that_are_none_of_ours_are_reported_and_left(home: Path, text: str) -> None:
    good = trash.put(kept(home / "a.txt"))
    strange = kept(trash.folder() / "strange" / trash.MANIFEST, text)
    (stray := trash.folder() / "zzz").write_text("no folder, so it has no manifest")
    assert trash.trashed_files() == [good]
    kept(paths.runs() / f"a{files.ASIDE}1.npz")  # no run
    check_files(checked := Checked())
    where = [str(strange.parent), str(stray)]
    assert [(found.what, found.id) for found in checked.damaged] == [("deleted file", place) for place in where]
    assert checked.damaged[1].fault.startswith("cannot be read: ") and checked.counts == {"deleted file": 3}
    trash.purge(days=-1)
    assert strange.read_text() == text and not good.folder.exists()


def test_a_move_that_was_broken_off_leaves_a_manifest_that_means_nothing(home: Path) -> None:
    trashed = trash.put(kept(home / "a.npz"))
    trashed.file.rename(home / "a.npz")  # as if the process had been killed before the rename
    assert trash.trashed_files() == []
    with pytest.raises(StoreError, match=r"a\.npz is no longer in the trash"):
        trash.restore(trashed)
    assert trash.purge(days=-1) == 1 and list(trash.folder().iterdir()) == []


@pytest.mark.parametrize("links", [True, False])
def test_a_file_moves_to_a_free_place_alone_also_on_a_drive_without_links(
    home: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    path, place = kept(home / "a.npz", "1"), home / "b.npz"
    files.move(path, place)
    assert not path.exists() and place.read_text() == "1"
    kept(path, "2")
    with pytest.raises(FileExistsError):
        files.move(path, place)
    assert (path.read_text(), place.read_text()) == ("2", "1")
    files.name_also(path, other := home / "c.npz")
    assert other.read_text() == "2" and path.exists() is links
    files.name_back(path, other)
    assert path.read_text() == "2" and not other.exists()


# Rows, numbers and names of the database as values: fitted, counted, imported, and the files beside it.


LEAST, LARGEST = (0, 0, 0, b"", -1, *[0] * 6, "", 0.0), (10**7 - 1, 1, 2**15 - 1, b"", 1, *[2**31 - 1] * 6, "", 0.0)
SOUND = (3, 1, 2, b"abcd", -1, 5, 6, 3, 4, 1, 0, "a fault", 0.5)
NAMES = ("number", "opener", "opening", "moves", "result", *seals.COUNTS, "fault", "seconds")
FITTED: list[tuple[str, Any, Any]] = [  # a column, a value that does not fit, the value instead
    ("number", "3", 0), ("number", 3.0, 0), ("opener", 2, 0), ("opener", 1.0, 1), ("moves", b"abc", b"ab"),
    *(("opening", opening, 0) for opening in (-1, 2**15, 2.0)),
    ("moves", b"abcde", b"abcd"), ("moves", "text", b""), ("result", 0.5, 0), ("result", 1.0, 0), ("result", "x", 0),
    *((column, count, 0) for column in seals.COUNTS for count in (2**31, 1.0)), ("own_first", -1, 0),
    ("fault", None, ""), ("fault", 7, "7"), ("seconds", -0.5, 0.0), ("seconds", 3, 3.0),
    ("seconds", float("inf"), 0.0),
]  # fmt: skip


def flat(game: GameRow) -> tuple[Any, ...]:
    return (*game[:5], *game.own, *game.chances, *game.mistakes, game.fault, game.seconds)


@pytest.mark.parametrize(("column", "value", "instead"), FITTED)
def test_a_value_that_no_game_has_is_replaced_alone(column: str, value: Any, instead: Any) -> None:
    place = NAMES.index(column)
    stored = (*SOUND[:place], value, *SOUND[place + 1 :])
    fitted = row_values.game_row(stored)
    assert flat(fitted) == (*SOUND[:place], instead, *SOUND[place + 1 :])
    assert row_values.misfits(fitted, stored) == (column,)


def test_values_at_their_limits_stay() -> None:
    for values in (SOUND, LEAST, LARGEST):
        fitted = row_values.game_row(values)
        assert flat(fitted) == values and row_values.misfits(fitted, values) == ()
    beyond = (10**7, 2, 2**15, b"", 2, *[2**31] * 6, "", 0.0)
    for values, fit in ((LEAST, LEAST), (LARGEST, LARGEST), (beyond, (*LEAST[:4], 0, *LEAST[5:]))):
        assert flat(row_values.game_row((*values[:11], None, values[12]))) == fit, "where one of them is wrong"
    text = '{"games": "x", "agents": ["a", 1], "number": "n", "seed": 7, "pairs": 1}'
    assert row_values.tournament_document(text) == {"games": [], "agents": ["a", "1"], "seed": 7}
    assert row_values.tournament_document('{"seed": 7}') == {"seed": 7}
    assert row_values.tournament_document(b"{") == {} and row_values.count("x") == 0 and row_values.count(-3) == -3
    assert row_values.token("0af") == "0af" and len(row_values.token("../x")) == len(row_values.token(None)) == 64


@pytest.mark.parametrize(("text", "id"), [
     ("3:30\n", GameId(3, 29)), (" 3 ", GameId(3)), ("30000029", GameId(3, 29)), ("10000000", GameId(1, 0)),
     ("9999999", GameId(9999999)), ("1", GameId(1)), ("1:1", GameId(1, 0)), ("922337203684:10000000", None)
])  # fmt: skip
def test_an_id_is_read_as_it_is_written(text: str, id: GameId | None) -> None:
    id = id or GameId(922_337_203_684, 9_999_999)  # the largest whose long number SQLite can store
    assert parse_game_id(text) == id == parse_game_id(str(id))
    for wrong in ("3:0", "3:10000001", "0", "0:1", "x", "３", "3:4:5", "", "922337203685:1"):
        with pytest.raises(InputError):
            parse_game_id(wrong)


def test_a_game_tells_its_short_id_its_moves_and_who_moved_first() -> None:
    moves = row(1)._replace(moves=b"\1\0\xff\xff\0\x80\7")
    one = GameInfo(30_000_029, 3, "match", "nim:1,2", "a", "b", moves, 5.0, "", 0, False)
    assert (one.short, one.codes, one.seats) == ("3:30", [1, -1, -(2**15)], ("b", "a"))
    single = one._replace(tournament=None, row=row(0))
    assert (single.short, single.seats, len(single.codes)) == ("3", ("a", "b"), 9)
    assert [short_id(pairing * 10**7, True) for pairing in (10**7 - 1, 10**7)] == ["9999999", "10000000:1"]
    assert short_id(30_000_029) == "3:30", "of many"


def test_games_are_imported_once(db: Database) -> None:
    dated = ImportedGame("nim:1,2", "a", "b", row(3), " a\nname ", 1_000)
    timeless = dated._replace(row=row(4), ended=None)
    told: list[int] = []
    assert imports.keep_all(db, [dated, timeless, timeless, dated], [], told.append) == (
        [10_000_003, 20_000_004, 30_000_004, None], [],
    )  # fmt: skip
    assert told == [0] and game_list.game(db, 10_000_003)[6:] == (row(3), 1_000, "a name", 0, False, ())
    assert imports.keep_all(db, [dated], []) == ([None], []), "of one time, and found by it"
    assert game_list.game(db, 10_000_003).ended == 1_000 and game_list.game(db, 20_000_004).ended > 1.7e9
    assert imports.keep_all(db, [dated, timeless, dated._replace(ended=1_001)], []) == ([None, None, 40_000_003], [])
    source = ImportedTournament("tournament", "t", DOCUMENT, 5.0, 2.5, 2, [("nim:1,2", "a", "b")],
                                [(0, row(0), 7), (0, row(1), None)])  # fmt: skip
    assert imports.keep_all(db, [], [source, source._replace(made=6.0, total=3)]) == ([], [1, 2])
    assert [(info.state, info.played, info.seconds) for info in tournaments.tournaments(db)] == [
        ("stopped", 2, 2.5), ("done", 2, 2.5),
    ]  # fmt: skip
    assert [game.ended for game in game_list.games(db, tournament=1)][1] == 7
    assert game_list.same_games(db, (1, 0), (2, 0)) and not game_list.same_games(db, (1, 0), (1, 1))
    with begin(db) as kept:
        kept.append(0, [row(0), row(1)._replace(result=1)])
        kept.append(1, rows([2]))
    assert not game_list.same_games(db, (1, 0), (3, 0)) and not game_list.same_games(db, (1, 0), (3, 1))
    assert imports.keep_all(db, [], [source]) == ([], [None])
    with pytest.raises(InputError, match="tournament 1 is an earlier state of the one in the file: delete it"):
        imports.keep_all(db, [], [source._replace(games=[*source.games, (0, row(2), None)])])


def test_a_crash_is_told_in_two_lines_and_the_oldest_report_goes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_REPORTS", 2)
    reports = [guard.write_report(ValueError("one\ntwo"), {"screen": "play"}) for _ in range(3)]
    assert all(reports) and sorted(paths.reports().glob("*.txt")) == reports[1:]
    text = reports[2].read_text().splitlines() if reports[2] else []
    assert text[2:5] == ["screen     play", "", "ValueError: one"] and text[1].startswith("version    nimtui ")
    assert guard.report_lines(ValueError("one\ntwo"), "in play", reports[2]) == (
        "nimtui failed in play: ValueError: one two", f"Report: {reports[2]}",
    )  # fmt: skip
    monkeypatch.setenv("NIMTUI_HOME", str(reports[2]))
    assert guard.write_report(ValueError(), {}) is None
    assert guard.report_lines(ValueError("x" * 300), "x", None)[1] == "The report could not be written."


def test_a_fault_tells_what_a_program_was_told_and_wrote() -> None:
    fault = Fault("a took too long", "timeout", "3,4", "go movetime 5", "", ("one", "two"))
    told = ["timeout at 3,4", "told: go movetime 5", "answered: nothing", "stderr: one", "stderr: two"]
    assert fault.particulars == told and fault._replace(told="").particulars == []
    said = {"kind": "timeout", "position": "3,4", "told": "go movetime 5", "errors": ["one", "two"]}
    assert fault.packed() == f"a took too long {json.dumps(said)}" and unpacked(fault.packed()) == fault
    assert fault.document() == {"text": "a took too long", **said, "answer": None}


# The last word of a process that dies: said once, in two lines, and never where it ends in good order.


ROOT = Path(__file__).resolve().parents[2]
CODE = """
import ctypes, os, signal, sys
from pathlib import Path
from nimtui.process import plugins
from nimtui.store import guard
plugins.load(Path("games/mine.py"), "game", b"")
guard.begin()
guard.saved(Path("runs/table.npz"), 12_000)
print("begun", flush=True)
"""


def died(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    """What is said on stdout and stderr, until nobody can say anything more."""
    return subprocess.run(
        [sys.executable, "-c", CODE + code],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NIMTUI_HOME": str(home / "home"), "TMPDIR": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(("code", "said"), [
    ("ctypes.string_at(0)", "Segmentation fault"), ("os.abort()", "Aborted"),
    ("os.kill(os.getpid(), signal.SIGBUS)", "Bus error"),
])  # fmt: skip
def test_a_crash_is_told_in_two_lines_with_a_report(code: str, said: str, tmp_path: Path) -> None:
    done = died(code, tmp_path)
    what, where = done.stderr.splitlines()
    assert what == f"nimtui died: {said}. Own files loaded: games/mine.py."
    checkpoint, _, report = where.partition(" Report: ")
    assert checkpoint == "Last checkpoint: runs/table.npz, 12,000 games."
    assert Path(report).parent == tmp_path / "home" / "reports"
    assert said in Path(report).read_text() and 'File "<string>"' in Path(report).read_text()
    assert list(tmp_path.glob("nimtui-*")) == [] and done.stdout == "begun\n"


@pytest.mark.parametrize("code", ["", "sys.exit(3)", "raise ValueError", "guard.end(); os._exit(0)"])
def test_nothing_is_added_where_it_ends_otherwise(code: str, tmp_path: Path) -> None:
    done = died(code, tmp_path)
    assert "nimtui" not in done.stderr.replace("nimtui.store", "")
    assert not (tmp_path / "home").exists() and list(tmp_path.glob("nimtui-*")) == []


@pytest.mark.parametrize("code", ["os.kill(os.getpid(), signal.SIGKILL)", "os._exit(0)"])
def test_an_end_that_says_nothing_itself_is_told_where_own_code_may_have_caused_it(code: str, tmp_path: Path) -> None:
    done = died(code, tmp_path)
    assert done.stderr.splitlines() == [
        "nimtui was killed, or own code ended it. Own files loaded: games/mine.py.",
        "Last checkpoint: runs/table.npz, 12,000 games. ",
    ]
    assert not (tmp_path / "home").exists() and list(tmp_path.glob("nimtui-*")) == []


def test_a_terminal_of_the_same_name_hears_nothing_of_who_died_in_the_one_before(tmp_path: Path) -> None:
    """Names of terminals are given again: as soon as one is closed another may have its name."""
    code = "import os, sys; from nimtui.store import guard; guard.begin(sys.argv[1]); guard.ready(); print(1); input()"
    master, slave = os.openpty()
    name = os.ttyname(slave)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    child = subprocess.Popen(
        [sys.executable, "-uc", code, name],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdout is not None and child.stdout.read(1) == b"1"
    os.close(slave)
    os.close(master)
    others = [os.openpty() for _ in range(3)]
    try:
        child.kill()
        child.communicate()
        for _ in range(500):
            if not list(tmp_path.glob("nimtui-*")):
                break  # the last thing it does
            time.sleep(0.02)
        for master, _ in others:
            os.set_blocking(master, False)
            with pytest.raises(BlockingIOError):
                os.read(master, 100)
    finally:
        for pair in others:
            for one in pair:
                os.close(one)


def test_a_guard_hears_all_lines_and_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    master, slave = os.openpty()
    shells, done = list[Any](), list[tuple[object, ...]]()

    class Shell:
        """The shell that would wait; `heard` is what it reads."""

        def __init__(self, command: list[str], **how: Any) -> None:
            shells.append(self)
            self.command, self.how, self.heard = command, how, os.dup(how["stdin"])
            self.on = how["stderr"] and os.ttyname(how["stderr"])
            self.stdout = io.BytesIO(b"\n...") if how["stdout"] == subprocess.PIPE else None

        def wait(self, seconds: float) -> None:
            done.append(("wait", seconds))

    def noted(name: str) -> Callable[..., bool]:
        return lambda *given, **_: bool(done.append((name, *given[:1])))

    for name in ("is_enabled", "enable", "disable", "register", "unregister"):
        monkeypatch.setattr(guard.faulthandler, name, noted(name))
    monkeypatch.setattr(guard.subprocess, "Popen", Shell)
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    monkeypatch.setattr(guard.plugins, "loaded_names", lambda: "a\x1b.py" * (not shells))
    guard.begin()
    *command, trace, report, own = shells[0].command
    assert command == ["/bin/sh", "-c", guard.SCRIPT, "nimtui-guard", "", ""] and own == "Own files loaded: a‹1B›.py."
    assert Path(report).parent == paths.reports() and Path(trace).exists()
    del shells[0].how["stdin"]
    assert shells[0].how == {
        "stdout": subprocess.DEVNULL,
        "stderr": None,
        "start_new_session": True,
        "cwd": "/",
        "env": {**os.environ, "LC_ALL": "C"},
    }
    guard.ready()
    before = open_files()
    guard.begin(os.ttyname(slave), "tidy")
    assert not Path(trace).exists() and os.read(shells[0].heard, 99) == b"farewell\n"
    assert [*shells[1].command[4:6], shells[1].command[-1]] == [os.ttyname(slave), "tidy", ""]
    assert shells[1].on == os.ttyname(slave)
    guard.ready()
    assert shells[1].stdout.closed and opened_since(before) == 3  # for the second shell, which listens
    guard.trace([10, 12])
    guard.tell("on\x1b")
    guard.saved(Path("x.npz"), 12_000)
    os.write(guard.pipe(), b"how it ended\n")
    last = guard._guard
    for _ in range(2):
        guard.end()
    assert last is not None and guard.pipe() == -1
    other, another = os.pipe()
    os.dup2(another, last.pipe)  # its number may be another file's by now
    last.tell("too late")
    for number in (another, last.pipe):
        os.close(number)
    assert os.read(other, 1) == b""
    os.close(other)
    guard.tell("to nobody")
    guard.trace([1])
    said = "on‹1B›\nsaved Last checkpoint: x.npz, 12,000 games.\nhow it ended\nfarewell\n"
    assert os.read(shells[1].heard, 999).decode() == said and os.read(shells[1].heard, 1) == b""
    first, rest = [("is_enabled",), ("enable",)], [("disable",), ("wait", guard.PATIENCE)]
    traced = [("register", 10), ("register", 12), ("unregister", 12), ("unregister", 10)]
    assert [each if each[0] != "enable" else each[:1] for each in done] == [*first, *rest, *first, *traced, *rest]
    assert not Path(shells[1].command[6]).exists() and opened_since(before) == 1 and len(before - open_files()) >= 2
    for number in (master, slave, *(shell.heard for shell in shells)):
        os.close(number)
