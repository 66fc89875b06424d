"""Every ID of a game that a command or a screen prints is taken by every command that takes a game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimtui.errors import InputError
from nimtui.store.database import Database
from nimtui.store.rows import MOST_NUMBERS, MOST_PAIRINGS, GameId, GameRow, parse_game_id, short_id
from nimtui.store.tournaments import find_game, games, save_game
from tests.cli.conftest import Nimtui

ROW = GameRow(0, 0, 0, b"\0\0", 1, (1, 0), (0, 0), (0, 0), "", 0.0)
SINGLE = "Game: nim:1,2\nFirst: a\nSecond: b\nTournament: 9\nPairing: 3\nNumber: 62\n\n1. b1 a1 2. b1 1-0\n"


@pytest.fixture
def several(nimtui: Nimtui, tmp_path: Path) -> Nimtui:
    """Save two tournaments, one with a single game per pairing, a match, an imported game and a saved game."""
    nimtui("tournament nim:3,5 -a random -a perfect -a easy -n 4 --json")
    nimtui("tournament nim:3,5 -a random -a perfect -a easy -n 1 --json")
    nimtui("match nim:3,5 --first random --second perfect -n 3 --save --json")
    file = tmp_path / "single.txt"
    file.write_text(SINGLE, "utf-8")
    assert nimtui("games", "import", str(file)).status == 0
    database = Database()
    save_game(database, "nim:1", "me", "perfect", ROW)
    database.close()
    return nimtui


def of(keys: dict[str, Any]) -> tuple[object, ...]:
    """Return what tells a game from the others of these."""
    return tuple(keys[name] for name in ("tournament", "pairing", "number", "game", "first", "second", "transcript"))


def test_each_id_that_is_printed_shows_its_game(several: Nimtui, tmp_path: Path) -> None:
    listed = several("games list --limit 1000 --json").document["games"]
    ids = {game["id"]: of(game) for game in listed}
    assert len(ids) == len(listed) == 20 and {"1:1", "3:4", "4:1", "9", "8"} > set() and "9" in ids

    def check(id: str, wanted: tuple[object, ...]) -> None:
        assert of(several(f"games show {id} --json").document) == wanted, id

    for id, wanted in ids.items():
        check(id, wanted)
        text = several(f"games show {id}").out
        assert re.search(rf"^game {id}[ ,\"]", text, re.MULTILINE), text
    for line, game in zip(several("games list --limit 1000").out.splitlines()[1:21], listed, strict=True):
        assert line.split()[0] == game["id"]
    exported = several("games export").out
    assert re.findall(r"^Id: (.*)$", exported, re.MULTILINE) == [game["id"] for game in reversed(listed)]
    assert {row.split(",")[0] for row in several("games export --format csv").out.splitlines()[1:]} == set(ids)
    database = Database()
    for info in games(database, limit=None):  # the other forms
        whole = short_id(info.id)
        for id in (whole, f" {info.id:,} ", str(info.id)):
            if "," not in id or info.id >= MOST_NUMBERS:
                assert find_game(database, parse_game_id(id)).id == info.id
        if info.tournament in (None, 2):  # the only game of its pairing
            assert find_game(database, GameId(info.id // MOST_NUMBERS)).id == info.id
            assert find_game(database, GameId(info.id // MOST_NUMBERS, 0)).id == info.id
    database.close()
    wrong = several("games show 1")
    assert wrong.status == 2 and "pairing 1 has several games: name one, for example 1:1" in wrong.err


@given(st.integers(1, MOST_PAIRINGS), st.integers(0, MOST_NUMBERS - 1))
def test_an_id_is_read_as_it_is_written(pairing: int, number: int) -> None:
    id = pairing * MOST_NUMBERS + number
    assert parse_game_id(short_id(id)) == (pairing, number) == parse_game_id(str(id))
    assert str(parse_game_id(short_id(id))) == short_id(id)
    if pairing < MOST_NUMBERS:
        assert parse_game_id(short_id(id, alone=True)) == (pairing, None)


@given(st.text(st.sampled_from("0123456789:,_-+. \nx²")) | st.text())
def test_any_text_is_an_id_or_one_line(text: str) -> None:
    try:
        found = parse_game_id(text)
    except InputError as fault:
        assert "\n" not in str(fault)
    else:
        assert parse_game_id(str(found)) == found


def test_games_are_exported_by_their_ids_in_this_order(several: Nimtui, tmp_path: Path) -> None:
    ids = lambda text: re.findall(r"^Id: (.*)$", text, re.MULTILINE)  # noqa: E731
    assert ids(several("games export 9 1:2 8 1:2").out) == ["9", "1:2", "8"]
    assert "Plan: " not in several("games export 1:1").out
    file = tmp_path / "one.csv"
    assert several("games", "export", "1:3", "--to", str(file)).status == 0
    assert [row.split(",")[0] for row in file.read_text("utf-8").splitlines()] == ["id", "1:3"]
    for wrong, said in (
        ("games export 99:1", "game 99:1 does not exist"),
        ("games export 1", "several games"),
        ("games export 1:1 --agent easy", "not both"),
        ("games export games.txt", "--to FILE names the output file"),
    ):
        answer = several(wrong)
        assert answer.status == 2 and said in answer.err and answer.err.count("\n") == 1 and not answer.out


def test_a_shown_game_says_how_many_plies_it_has(several: Nimtui) -> None:
    keys = several("games show 1:1 --json").document
    text = several("games show 1:1").out
    assert re.search(rf"^{keys['plies']} pl(y|ies)$", text, re.MULTILINE)
