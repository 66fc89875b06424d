"""Damage, odd files, full disks, what strangers write: named in a line, shown without harm, changed by nobody."""

from __future__ import annotations

import ast
import json
import os
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

from nimtui.cli import names
from nimtui.cli.saving import Saving
from nimtui.games import parse_game
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from nimtui.signs import visible
from nimtui.store import StoreError, arrays, files, paths, saved_games, seals, settings, sqlite, tournaments
from nimtui.store.database import Database
from nimtui.store.errors import Unwritable
from nimtui.version import __version__
from tests.cli.conftest import Answer, Nimtui
from tests.cli.processes import ONE_BY_ONE, one_by_one, run
from tests.foreign.texts import IMPORTS, ROWS, Import
from tests.ui.shelving import NIM, keep_tournament, row


@pytest.fixture
def home(nimtui: Nimtui) -> Path:
    """The folder of the commands, with something of everything."""
    folder = paths.home()
    for name in ("tables", "sweeps"):
        (folder / name).mkdir(parents=True)
    assert nimtui("tournament nim:3,4,5 -a random -a perfect -a easy --games 20 --headless -w 1").status == 0
    assert nimtui(f"train nim:3,5 --games 100 --save {folder}/tables/x.npz").status == 0
    (folder / "settings.json").write_text('{"pace": 1}')
    return folder


def flip(path: Path, at: int) -> None:
    whole = bytearray(path.read_bytes())
    whole[at] ^= 4
    path.write_bytes(whole)


def test_all_is_well_and_then_each_damage_is_a_line(nimtui: Nimtui, home: Path) -> None:
    well = nimtui("games check --json")
    counts = well.document["checked"]
    assert well.status == 0 and well.document["damaged"] == []
    assert (counts["games"], counts["tournaments"], counts["tables"]) == (60, 1, 1)
    flip(home / "tables" / "x.npz", 1000)
    (home / "settings.json").write_text('{"pace": "x"}')
    with closing(sqlite.connect(home / "nimtui.sqlite")) as other:
        other.execute("UPDATE games SET moves = x'0102' WHERE pairing = 2 AND number = 10")
        other.execute("UPDATE agents SET name = 'eazy' WHERE name = 'easy'")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and "-shm" not in path.name}
    damaged = nimtui("games check --json")
    assert damaged.status == 1
    assert [(one["what"], Path(one["id"]).name) for one in damaged.document["damaged"]][:4] == [
        *(("table", "x.npz"), ("settings", "settings.json"), ("agent name", "3"), ("game", "2:11"))
    ]
    assert {path: path.read_bytes() for path in before} == before
    listed = nimtui("games list --limit 100")
    assert listed.err == "nimtui: game 2:11 is damaged and left out: its checksum is wrong\n" and listed.status == 0
    assert nimtui("games show 2:11").err == "nimtui: game 2:11 is damaged: its checksum is wrong\n"
    assert nimtui(f"games export --to {home / 'all.txt'}").status == 1


def test_a_damaged_database_is_read_where_it_lies(nimtui: Nimtui, home: Path) -> None:
    path = home / "nimtui.sqlite"
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    whole = path.read_bytes()
    damaged = nimtui("games check --json")
    assert damaged.status == 1 and damaged.document["checked"]["games"] == 60
    assert [one["what"] for one in damaged.document["damaged"]] == ["database"]
    assert path.read_bytes() == whole and not list(home.glob("*damaged*"))
    listed = nimtui("games list")
    assert listed.status == 0 and listed.err.count("\n") == 1
    assert "all 60 games were copied to a new database" in listed.err


def _of_an_unknown_learner(file: Path) -> None:
    header, content = arrays.load(file)
    arrays.save(file, {**header, "learner": "genius"}, content)


SPOILED: list[tuple[Callable[[Path], object], str]] = [  # tests/store has other ways
    (lambda file: flip(file, file.read_bytes().index(b"scores.npy") + 150), "is damaged"),
    (lambda file: file.write_bytes(b"GIF89a and so on"), "is not a file of nimtui"),
    (_of_an_unknown_learner, "unknown learner 'genius'"),
]


def test_a_table_that_is_not_sound_is_named_and_left_as_it_was(nimtui: Nimtui, tmp_path: Path) -> None:
    training, table = Training(parse_game("nim:3,5"), "reward"), tmp_path / "tables" / "table.npz"
    training.run(100)
    table.parent.mkdir()
    for spoil, says in SPOILED:
        training.save(table)
        spoil(table)
        before = table.read_bytes()
        for words in (f"table {table}", f"train --resume {table} --games 5", f"export {table} --to {table}.csv"):
            answer = nimtui(words)
            assert (answer.status, answer.out) == (2, "")
            assert str(table) in answer.err and says in answer.err and answer.err.count("\n") == 1
        assert table.read_bytes() == before and list(table.parent.iterdir()) == [table]


def test_a_game_that_cannot_be_saved_is_played_and_told_of(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournaments, "begin", mock.Mock(side_effect=StoreError("x is full")))
    play = "tournament nim:1,2 -a random -a perfect -n 2 -w 1 --json"
    answer = nimtui(play)
    assert (answer.status, answer.document["id"], answer.document["saved_games"]) == (1, None, 0)
    lost = "nimtui: x is full; playing the tournament without saving it\nnimtui: x is full: none of 2 games are saved\n"
    assert answer.err == lost
    assert nimtui(f"{play} --no-save").document["saved_games"] is None
    must = nimtui(f"{play} --save")
    assert (must.status, must.out, must.err) == (2, "", "nimtui: x is full\n")


def test_a_new_tournament_of_which_nothing_was_played_is_dropped_and_a_resumed_one_stays(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("nimtui.jobs.work.Work.here", mock.Mock(side_effect=Cancelled("tournament")))
        answer = nimtui("tournament nim:1,2 -a random -a perfect -n 2")
    assert (answer.status, answer.out, answer.err) == (130, "", "nimtui: stopped\n")
    assert nimtui("tournaments list").out == "no tournaments saved yet\n"
    nimtui("tournament nim:1,2 -a random -a perfect -n 2 -w 1")
    monkeypatch.setattr("nimtui.cli.saving.__version__", "9.9")
    with closing(Saving()) as saving:
        saving.resume(2)
        saving.drop()
    assert capsys.readouterr().err == f"nimtui: tournament 2 was started with nimtui {__version__}; this is 9.9\n"
    assert len(nimtui("tournaments list --json").document["tournaments"]) == 1


# The system refuses.

LIMITED = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, 250_000))
runpy.run_module("nimtui", run_name="__main__", alter_sys=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["tournament tower:16 -a random -a perfect", "match tower:16 --first random --second perfect"]
)
def test_on_a_full_disk_the_last_line_says_how_many_games_are_saved(tmp_path: Path, words: str) -> None:
    full = run(tmp_path, f"{words} --games 3000 --save --json", program=LIMITED)
    number = full.document["saved_games"]
    assert full.status == 1 and number < 3000
    last = f"it may be full: {number:,} of 3,000 games are saved; nimtui tournament --resume 1 plays the others"
    assert last in full.err.splitlines()[-1]
    again = run(tmp_path, "tournament --resume 1 --json")
    assert (again.status, again.document["saved_games"], again.document["games"]) == (0, 3000, 3000)


@pytest.mark.slow
def test_a_read_only_home_is_shown(home: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root writes everywhere")
    powers = ["setpriv", "--inh-caps=-all", "--bounding-set=-all", sys.executable, "-c", ONE_BY_ONE]
    given_up = f"import os, sys; os.execvp('setpriv', [*{powers!r}, *sys.argv[1:]])"
    program = given_up if os.geteuid() == 0 else ONE_BY_ONE
    folders = [path for path in (home, *home.rglob("*")) if path.is_dir()]
    before = sorted(home.rglob("*"))
    for folder in folders:
        folder.chmod(0o555)
    try:
        table, play = f"table {home}/tables/x.npz", "match nim:3,4 --first random --second random --save"
        words = ("games list", "games show 1:4", "games export", table, "games check", "tournament --resume 1", play)
        *read, resumed, played = one_by_one(home, dict(zip("abcdefg", words, strict=True)), program).values()
        assert all((answer.status, answer.err) == (0, "") and answer.out for answer in read) and len(read) == 5
        assert sorted(home.rglob("*")) == before
        denied = f"nimtui: {home / 'nimtui.sqlite'} cannot be written: permission denied\n"
        assert resumed == played == Answer(1, "", denied)
        [new] = one_by_one(home / "tables" / "new", {"new": "games list"}, program).values()
        assert new == Answer(0, "no games saved yet\n", "")
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.mark.parametrize(
    "words", ["config", "solve nim:3,4", "keys list", "match nim:3 --first random --second random"]
)
def test_a_home_that_may_not_be_looked_into_is_no_fault(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    home, stat = paths.home(), Path.stat

    def refused(self: Path, **more: bool) -> os.stat_result:
        if self == home or home in self.parents:
            raise PermissionError(13, "Permission denied", str(self))
        return stat(self, **more)

    monkeypatch.setattr(Path, "stat", refused)
    names.own_files.cache_clear()
    answer = nimtui(words)
    assert answer.status == 0 and answer.out


def test_what_was_set_aside_is_named_until_a_terminal_has_shown_it(
    nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths.home().mkdir()
    paths.database().write_bytes(b"SQLite format 3\0" + b"x" * 4000)
    assert "is damaged" in nimtui("games list").err  # to a pipe: who knows whether anybody reads it
    for _ in range(2):
        assert "not yet looked at" in nimtui("games list").err
    with monkeypatch.context() as shown:
        shown.setattr(type(sys.stderr), "isatty", lambda _: True)
        shown.setattr(os, "get_terminal_size", lambda _=0: os.terminal_size((80, 24)))
        nimtui("games list")
    assert nimtui("games list").err == "" and files.unseen_asides() == []


# A pipe, a socket, a device, a folder or a link that leads nowhere, in the place of a file.


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def dangling(path: Path) -> None:
    path.symlink_to("/nowhere/at/all")


ODD: dict[str, tuple[Callable[[Path], object], str]] = {  # what stands there, and what is said of it
    "folder": (Path.mkdir, "it is a folder"),
    "pipe": (os.mkfifo, "it is a pipe, not a file"),
    "socket": (bound, "it is a socket"),
    "device": (device, "it is a device, not a file"),
    "loop": (lambda path: path.symlink_to(path), "is a link that leads nowhere"),
    "dangling": (dangling, "it is a link to /nowhere/at/all, which is not there"),
}
HOMES = {
    "file": (Path.touch, "is a file, not a folder"),
    "pipe": (os.mkfifo, "is a pipe, not a folder"),
    "socket": (bound, "is a socket, not a folder"),
    "device": (device, "is a device, not a folder"),
    "loop": ODD["loop"],
    "dangling": (dangling, "is a link that leads nowhere"),
}


@pytest.mark.parametrize("kind", ODD)
def test_in_the_place_of_the_database_it_is_named_in_one_line_with_status_1(nimtui: Nimtui, kind: str) -> None:
    make, said = ODD[kind]
    paths.home().mkdir()
    make(paths.database())
    before = paths.database().lstat().st_ino
    for words in ("games list", "tournaments list", "match nim:1,2 --first random --second random --save"):
        answer = nimtui(words)
        assert (answer.status, answer.out) == (1, "") and answer.err.count("\n") == 1
        assert answer.err.startswith(f"nimtui: {paths.database()} cannot be ") and said in answer.err
    check = nimtui("games check")
    assert check.status == 1 and "damaged: database" in check.out and said in " ".join(check.out.split())
    assert paths.database().lstat().st_ino == before


@pytest.mark.parametrize("kind", [kind for kind in ODD if kind != "dangling"])
def test_where_no_file_is_the_defaults_hold_and_a_table_is_named(nimtui: Nimtui, tmp_path: Path, kind: str) -> None:
    make, said = ODD[kind]
    paths.home().mkdir()
    for path in (paths.settings(), paths.keys(), tmp_path / "t.npz"):
        make(path)
    values, [line] = settings.load()
    assert values == settings.Settings() and said in line and line.endswith("; the defaults are used")
    none, [line] = settings.read_keys()
    assert none == [] and said in line and line.endswith("; the default keys hold")
    answer = nimtui("config")
    assert answer.status == 0 and said in answer.err and answer.err.count("\n") == 1
    for words in ("table {}", "export {} --to out.csv", "moves nim:1,2 --agent table:{}"):
        answer = nimtui(words.format(tmp_path / "t.npz"))
        assert answer.status == 2 and answer.err.count("\n") == 1
        assert answer.err.startswith(f"nimtui: {tmp_path / 't.npz'} cannot be read: ") and said in answer.err
    if kind in ("folder", "pipe", "socket"):
        with pytest.raises(Unwritable, match=r"settings\.json cannot be written: "):
            settings.save(settings.Settings())


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_output_into_what_nobody_reads_is_refused_at_once(nimtui: Nimtui, tmp_path: Path, kind: str) -> None:
    for ending in (".npz", ".json", ".csv"):
        ODD[kind][0](tmp_path / f"t{ending}")
    for words in (
        "train nim:1,2 --games 10 --force --save {}.npz",
        "compare nim:1,2 -a mc -a random --force --to {}.json",
        "compare nim:1,2 -a random -a perfect --positions --force --to {}.csv",
        "search nim:1,2 --force --to {}.json",
    ):
        answer = nimtui(words.format(tmp_path / "t"))
        assert answer.status == 1 and answer.err.count("\n") == 1
        assert "cannot be written: it is a socket, or a pipe that nobody reads" in answer.err
    if kind == "pipe":  # one with a reader gets all of the file
        text, reader = b"moves\n" * 5000, os.open(tmp_path / "t.csv", os.O_RDONLY | os.O_NONBLOCK)
        files.replace(tmp_path / "t.csv", lambda file: file.write(text))  # less than a pipe holds
        assert os.read(reader, 100_000) == text
        os.close(reader)


@pytest.mark.parametrize("kind", HOMES)
def test_a_home_that_is_no_folder_is_named(nimtui: Nimtui, kind: str) -> None:
    make, said = HOMES[kind]
    make(paths.home())
    for words in ("games list", "match nim:1,2 --first random --second random --save"):
        answer = nimtui(words)
        assert f"{paths.home()} {said}" in answer.err.splitlines()[-1]
    assert answer.status == 1
    assert nimtui("new game mine").status == (2 if kind == "loop" else 1)


# What strangers write is imported or refused in one line, and shown without a sign that the terminal obeys.


CLI = Path(__file__).resolve().parents[2] / "nimtui" / "cli"


def unseen(answer: Answer) -> list[str]:
    """The lines that hold a sign which should have been made visible."""
    return [line for line in (answer.out + answer.err).split("\n") if visible(line) != line]


@pytest.mark.slow
@pytest.mark.parametrize("case", IMPORTS, ids=[case.name for case in IMPORTS])
def test_an_import(nimtui: Nimtui, tmp_path: Path, case: Import) -> None:
    file = tmp_path / "games.txt"
    file.write_bytes(case.text if isinstance(case.text, bytes) else case.text.encode())
    answer = nimtui("games", "import", str(file))
    assert not unseen(answer)
    if case.refused:
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert case.refused in answer.err and str(file) in answer.err and len(answer.err) < 500
        assert nimtui("games list").out == "no games saved yet\n"
        return
    shown = nimtui("games list")
    assert answer.status == shown.status == 0 and case.listed in shown.out and not unseen(shown)
    for words in ("games list --json", "games show 1:1", "games show 1:1 --json", "games export --format csv"):
        said = nimtui(words)
        assert said.status == 0 and not said.err and (said.out.isascii() or "--json" not in words)
    out = tmp_path / "again.txt"
    assert nimtui("games", "export", "--to", str(out)).status == 0
    assert "already" in nimtui("games", "import", str(out)).out, "what is exported is the same game"


def altered(column: str, value: object) -> bool:
    """A game, and one whose row another program wrote before rows had checksums; was it sealed as it was found?"""
    with closing(Database()) as db:
        for name in ("sound", "odd"):
            saved_games.save_game(db, NIM, "ann", "bob", row("a3 b2 c1", 1), name)
    with closing(sqlite3.connect(paths.database())) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        cast = "CAST(? AS TEXT)" if column == "name" and isinstance(value, bytes) else "?"
        raw.execute(f"UPDATE games SET {column} = {cast} WHERE pairing = 2", (value,))
        raw.commit()
    with closing(sqlite.connect(paths.database())) as raw:
        raw.execute(f"UPDATE games SET seal = {seals.expression(seals.GAMES)} WHERE pairing = 2")
        ((sealed,),) = raw.execute(f"SELECT {seals.sound(seals.GAMES)} FROM games WHERE pairing = 2").fetchall()
    return bool(sealed)


@pytest.mark.slow
@pytest.mark.parametrize(("column", "value", "listed"), ROWS)
def test_a_row_that_does_not_fit_is_shown(nimtui: Nimtui, column: str, value: object, listed: str) -> None:
    sealed, shown = altered(column, value), nimtui("games list")
    assert shown.status == 0 and "sound" in shown.out and not unseen(shown)
    if not sealed:  # a value of another kind, which has no checksum: told of, and left out
        assert "damaged" in shown.err
        assert nimtui("games check").status == 1 and nimtui("games show 2:1").err.count("\n") == 1
        return
    assert listed in shown.out and len(nimtui("games list --json").document["games"]) == 2
    for words in ("games show 2:1", "games show 2:1 --json", "games export --format csv", "games export"):
        said = nimtui(words)
        assert (said.status, said.err) == (0, "") and (words != "games show 2:1" or not unseen(said)), words
    assert len(json.loads(nimtui("games export --format json").out)["games"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("document", ["{", "[]", '{"agents": 5, "games": {"a": 1}, "seed": "x"}', "[" * 9_000])
def test_a_tournament_whose_plan_cannot_be_read_is_told_of_and_not_resumed(nimtui: Nimtui, document: str) -> None:
    with closing(Database()) as db:
        number = keep_tournament(db)
    with closing(sqlite3.connect(paths.database())) as raw:
        raw.execute("UPDATE tournaments SET document = ?, made = 'x', changed = ?", (document, b"\xff"))
        raw.commit()
    assert nimtui(f"games list --tournament {number}").status == 0
    resumed = nimtui(f"tournament --resume {number}")
    assert resumed.status == 2 and f"tournament {number} is damaged" in resumed.err and resumed.err.count("\n") <= 2
    export = nimtui(f"games export --tournament {number}")
    assert export.status == 1 and export.out.count("Game: ") == 4 and "damaged" in export.err


def test_a_database_that_lacks_a_column_is_set_aside(nimtui: Nimtui) -> None:
    altered("name", "x")
    with closing(sqlite3.connect(paths.database())) as raw:
        raw.execute("ALTER TABLE games RENAME COLUMN mistakes_second TO lost")
    answer = nimtui("games list")
    assert answer.status == 0 and "the definition of games has changed" in answer.err
    assert list(paths.home().glob("nimtui.damaged-1*"))


@pytest.mark.parametrize(
    "words",
    [
        *(("solve", "nim:3\x1b[31m,5"), ("solve", "nim:1,2", "-p", "1\u202e2"), ("table", "no\x1b]0;x\x07file.npz")),
        *(("games", "import", "no\nsuch\nfile"), ("games", "list", "--bogus\x1b[2J"), ("games", "show", "\u2066x")),
        *(("games", "list", "--limit", "1\n2"), ("\x1b[31mfoo\nbar", "x"), ("solve", "ni\nm:1"), ("solve", "a.b. ")),
        *(("moves", "nim:3", "--agent", "table:\udcff\x9b.npz"), ("sweep", "nim:3", "-l", "q", "--grid", "\x1b[31m=1")),
    ],
)
def test_an_error_repeats_an_argument_in_visible_signs(nimtui: Nimtui, words: tuple[str, ...]) -> None:
    answer = nimtui(*words)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert not unseen(answer)


def test_only_one_module_writes_to_the_terminal() -> None:
    """`output` makes every text visible; nothing else of the command line prints, or opens a console of its own."""
    writers = set()
    for path in CLI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in ("print", "Console", "typer.echo", "sys.stdout.write", "sys.stderr.write"):
                writers.add(f"{path.relative_to(CLI)}: {called}")
    assert writers <= {"output.py: print", "output.py: Console", "output.py: sys.stdout.write"}
