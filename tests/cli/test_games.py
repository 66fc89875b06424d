"""`nimtui games`: what is kept is listed, shown, written out, and read back."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from nimtui.arena.standings import games_report
from nimtui.arena.transcripts.game_import import read_lines
from nimtui.games import Record, heaps, parse_game
from tests.cli.conftest import Nimtui

PLAY = "tournament nim:3,5 connect:4x4x3 -a random -a perfect -n 6 --openings random:1 --seed 4 --json"


@pytest.fixture
def played(nimtui: Nimtui) -> Nimtui:
    """One tournament of two pairings of six games, and a match of one game."""
    assert nimtui(PLAY).status == 0
    assert nimtui("match nim:3,5 --first perfect --second random --save --json").status == 0
    return nimtui


@pytest.mark.slow
def test_a_list_is_the_newest_first_and_can_be_narrowed(played: Nimtui) -> None:
    keys = played("games list --json").document
    games = keys["games"]
    assert (keys["of_games"], len(games)) == (13, 13)
    assert [game["id"] for game in games] == sorted((game["id"] for game in games), reverse=True)
    assert (games[0]["kind"], games[0]["tournament"], games[0]["game"]) == ("match", 2, "nim:3,5")
    assert [game["number"] for game in games[1:7]] == [6, 5, 4, 3, 2, 1]
    assert {game["opening"] for game in games[1:]} == {1}

    def number(words: str) -> int:
        found: int = played(f"games list {words} --json").document["of_games"]
        return found

    assert number("--tournament 1") == 12 and number("--game connect") == 6 and number("--agent value") == 0
    assert number("--game nim:3,5:max=9") == 7, "another name of the same game"
    by_result = [number(f"--tournament 1 --result {result}") for result in ("first", "second", "draw")]
    won = [game["result"] for game in games if game["tournament"] == 1]
    assert by_result == [won.count("1-0"), won.count("0-1"), won.count("1/2-1/2")] and sum(by_result) == 12
    assert len(played("games list --limit 2 --json").document["games"]) == 2
    assert "2 of 13 games" in played("games list --limit 2").out
    assert played("games list --faults").out == "no saved game matches\n"


@pytest.mark.slow
def test_a_game_is_shown_with_its_mistakes(played: Nimtui) -> None:
    game = parse_game("nim:3,5")
    listed = played("games list --tournament 1 --game nim:3,5 --json").document["games"]
    shown = [played(f"games show {one['id']} --json").document for one in listed]
    assert any(keys["first_mistakes"] or keys["second_mistakes"] for keys in shown)
    for keys in shown:
        record = Record(game)
        for move in keys["moves"]:
            nim_sum = int(record.state.board[0]) ^ int(record.state.board[1])
            record.push(game.parse_move(move["move"], record.state))
            after = int(record.state.board[0]) ^ int(record.state.board[1])
            assert move["position"] == game.position_name(record.state)
            assert move["mistake"] == (nim_sum != 0 and after != 0), "a win is kept by leaving a nim-sum of 0"
        assert record.over
        seats = [move["agent"] for move in keys["moves"][1:3]]
        assert keys["moves"][0]["agent"] == "opening" and seats == [keys["first"], keys["second"]][: len(seats)]
        wrong_at = [move["ply"] for move in keys["moves"][1:] if move["mistake"]]
        point = keys["turning_point"]
        assert (point and point["ply"]) == (wrong_at[-1] if wrong_at else None)
        assert [one["ply"] for one in keys["earlier"]] == wrong_at[:-1] and keys["unjudged"] == []
        assert all(one["gave_away"] == {"from": "win", "to": "loss"} for one in keys["moves"] if one["mistake"])
        if point is not None:
            assert (point["from"], point["to"], point["certain"]) == ("win", "loss", True)
            assert point["agent"] in (keys["first"], keys["second"]) and point["agent"] != keys["winner"]
            assert point["better"] == keys["moves"][point["ply"] - 1]["best_moves"]
            assert point["why"].startswith(f"{point['better'][0]} wins") and keys["story"][0].startswith("Move ")
        by_seat = [sum(move["mistake"] for move in keys["moves"][begin::2]) for begin in (1, 2)]
        assert by_seat == [keys["first_mistakes"], keys["second_mistakes"]]
    wrong = next(keys for keys in shown if keys["second_mistakes"] or keys["first_mistakes"])
    text = played(f"games show {wrong['id']}").out
    assert "turning point: win → loss; better:" in text and ", was the turning point: " in text
    assert f"{wrong['winner']} won, moving " in text and "tournament 1, pairing 1, game" in text


@pytest.mark.slow
def test_what_is_exported_is_read_back(played: Nimtui, nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    assert played(f"games export --to {file}").status == 0
    text = file.read_text("utf-8")
    assert played("games export").out == text
    games = list(read_lines(text.splitlines()))
    assert [game.tournament for game in games] == [1] * 12 + [2], "the oldest first"
    assert [game.row.number for game in games] == [*range(6), *range(6), 0]
    assert games[0].seed == 4 and games[0].row.opening == 1
    refused = nimtui(f"games export --to {file}")
    assert (refused.status, refused.err.count("\n")) == (2, 1) and "--force" in refused.err
    assert nimtui(f"games export --to {file} --force --result second").status == 0
    assert all("Result: 0-1" in part for part in file.read_text("utf-8").split("Game: ")[1:])


@pytest.mark.slow
def test_what_is_imported_is_kept_once_with_its_date_and_source(
    played: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.txt"
    assert played(f"games export --to {file}").status == 0
    nothing = {"games": 0, "already": 13, "ids": [], "tournaments": []}
    assert played(f"games import {file} --json").document == nothing
    file.write_text(re.sub("Plan: .*\n", "", file.read_text("utf-8")), "utf-8")  # each game by itself
    assert played(f"games import {file} --json").document == nothing
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "other"))
    file.write_text(file.read_text("utf-8").replace("Date: 20", "Date: 19"), "utf-8")
    keys = played(f"games import {file} --json").document
    assert (keys["games"], keys["already"], len(set(keys["ids"]))) == (13, 0, 13)
    again = list(read_lines((played("games export").out).splitlines()))
    for one, other in zip(list(read_lines((file.read_text("utf-8")).splitlines())), again, strict=True):
        assert one.row == other.row and one.ended == other.ended
        assert (one.game, one.first, one.second) == (other.game, other.first, other.second)
        assert one.pairing is not None
        assert other.tournament is None, "a game of its own"
        assert other.name == f"tournament {one.tournament}, pairing {one.pairing + 1}, game {one.row.number + 1}"
    more = tmp_path / "more.txt"
    more.write_text(f"{file.read_text('utf-8')}\nGame: nim:1,2\nFirst: a\nSecond: b\n\n1. b1 a1 2. b1 1-0\n")
    said = " ".join(played(f"games import {more}").out.split())
    assert said == "1 game imported, 13 were saved already. 'nimtui games show 14' shows the last one."
    assert played(f"games import {more}").out == "0 games imported, 14 were saved already\n", "without a date as well"


def test_a_game_has_a_number_that_can_be_typed(played: Nimtui) -> None:
    listed = played("games list --tournament 1 --game nim:3,5").out.splitlines()
    short = [line.split()[0] for line in listed[1:7]]
    assert short == ["1:6", "1:5", "1:4", "1:3", "1:2", "1:1"]
    by_short, by_long = (played(f"games show {id} --json").document for id in ("1:5", "10000004"))
    assert by_short == by_long and by_short["id"] == "1:5"
    assert "game 1:5, tournament 1, pairing 1, game 5" in played("games show 1:5").out


def test_mistakes_are_told_of_who_and_of_how_many(played: Nimtui) -> None:
    answer = played("games list --tournament 1 --game nim:3,5")
    head, row = answer.out.splitlines()[:2]
    assert head.split()[-3:] == ["mistakes:", "first", "second"]
    assert "mistakes: moves that worsened the outcome, of all positions not lost" in answer.out
    keys = played("games list --tournament 1 --game nim:3,5 --json").document["games"][0]
    cells = [
        f"{keys[f'{seat}_mistakes']} of {keys[f'{seat}_chances']}" if keys[f"{seat}_chances"] else "–"
        for seat in ("first", "second")
    ]
    assert row.split()[-sum(len(cell.split()) for cell in cells) :] == " ".join(cells).split()
    shown = " ".join(played(f"games show {keys['id']}").out.split())
    assert f": first {cells[0]}, second {cells[1]}" in shown


def test_csv_and_json_say_the_same(played: Nimtui, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(played("games export --tournament 1 --format csv").out)))
    file = tmp_path / "games.json"
    assert played(f"games export --tournament 1 --to {file}").status == 0
    games = json.loads(file.read_text("utf-8"))["games"]
    listed = played("games list --tournament 1 --json").document["games"]
    assert games == listed[::-1] and len(rows) == len(games) == 12
    for row, game in zip(rows, games, strict=True):
        assert row["transcript"].split() == game["transcript"] and row["id"] == game["id"]
        assert (row["first"], row["winner"] or None) == (game["first"], game["winner"])
        assert int(row["plies"]) == len(game["transcript"])


def test_games_that_are_not_known_here_any_more_are_listed_all_the_same(
    played: Nimtui, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = played("games list --json").document["games"]
    monkeypatch.setattr(heaps, "NAMES", ())
    games_report.steps_of.cache_clear()
    after = played("games list --json").document["games"]
    assert [game["id"] for game in after] == [game["id"] for game in before]
    for one, other in zip(before, after, strict=True):
        assert other == (one if one["game"].startswith("connect") else one | {"transcript": None})
    shown = played(f"games show {before[0]['id']}")
    assert (shown.status, shown.err) == (0, "") and "shown as codes: unknown game 'nim'" in shown.out
    assert len(played("games list").out.split("\n\n")[0].splitlines()) == 14


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("games", "Missing command"),
        ("games shwo", "shwo"),
        ("games show", "ID"),
        ("games show 5", "game 5 does not exist"),
        ("games show 70,000,003", "game 7:4 does not exist"),
        ("games show first", "expected an ID"),
        ("games show 1:x", "whole number"),
        ("games show 0:1", "before the colon"),
        ("games show 1:99999999", "from 1 to 10,000,000"),
        ("games show 7:3", "game 7:3 does not exist"),
        ("games show 1:0", "from 1 to 10,000,000"),
        ("games list --tournament 9", "tournament 9 does not exist"),
        ("games list --limit 0", "--limit"),
        ("games list --result won", "won"),
        ("games export", "no games saved yet"),
        ("games export --agent perfect", "no saved game matches"),
        ("games export --to nowhere/x.txt", "there is no folder"),
        ("games export --format pgn", "pgn"),
        ("games import", "FILE"),
        ("games import nowhere.txt", "nowhere.txt"),
    ],
)
def test_what_is_asked_wrongly_is_one_line(nimtui: Nimtui, words: str, said: str) -> None:
    answer = nimtui(words)
    assert answer.status in (1, 2) and answer.out == "" and answer.err.count("\n") == 1
    assert said in answer.err


def test_a_text_with_a_wrong_line_adds_nothing(nimtui: Nimtui, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    game = "Game: nim:1,2\nFirst: a\nSecond: b\n\n1. b1 a1 2. b1 1-0\n"
    file.write_text(f"{game}\n{game.replace('2. b1', '2. b2')}")
    answer = nimtui(f"games import {file}")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(f"nimtui: {file}: line 11: ") and answer.err.count("\n") == 1
    assert nimtui("games list --json").document["of_games"] == 0
    file.write_text("")
    assert "contains no games" in nimtui(f"games import {file}").err
    file.write_bytes(b"\xff\xfe\x00")
    assert nimtui(f"games import {file}").err.count("\n") == 1


def test_a_file_that_cannot_be_read_is_named(nimtui: Nimtui, tmp_path: Path) -> None:
    binary = tmp_path / "x.bin"
    binary.write_bytes(b"\xfe\xfd\xff")
    for path, why in (
        (binary, "not text in UTF-8"),
        (tmp_path / "no.txt", "no such file"),
        (tmp_path, "it is a folder"),
    ):
        answer = nimtui("games", "import", str(path))
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert str(path) in answer.err and why in answer.err
