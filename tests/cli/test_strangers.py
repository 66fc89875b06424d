"""What strangers write is imported or refused in one line, and shown without a sign that the terminal obeys."""

from __future__ import annotations

import ast
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from nimtui.signs import visible
from nimtui.store import paths, saved_games, seals, sqlite
from nimtui.store.database import Database
from tests.cli.conftest import Answer, Nimtui
from tests.foreign.texts import IMPORTS, ROWS, Import
from tests.ui.shelving import NIM, keep_tournament, row

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
