"""Saved games as a list, one by one and as documents, also of a game that is unknown here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nimtui.arena.standings import games_report
from nimtui.foreign.values import moment
from nimtui.games import Record, parse_game
from nimtui.progress import SILENT
from nimtui.report.blocks import Report
from nimtui.report.cells import cells
from nimtui.report.document import document
from nimtui.report.lines import plain_text
from nimtui.store import game_list, saved_games, tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameInfo, GameRow

MISTAKES = "mistakes: moves that worsened the outcome, of all positions not lost"


@pytest.fixture
def infos(tmp_path: Path) -> Iterator[list[GameInfo]]:
    """A game of a match at a game that is unknown here, which ended by a fault, then one of Nim."""
    record = Record(parse_game("nim:2,3"))
    for name in ("b1", "a1", "b1", "b1", "a1"):
        record.push(record.game.parse_move(name, record.state))
    codes = np.array(record.moves, np.int16).tobytes()
    row = GameRow(0, 0, 1, codes, -1, (2, 2), (2, 0), (1, 0), "", 0.25)
    fault = row._replace(number=4, opener=1, result=1, chances=(0, 0), mistakes=(0, 0), packed_fault="b raised")
    with Database(tmp_path / "games.sqlite") as db:
        saved_games.save_game(db, "nim:2,3", "perfect", "random", row, "mine")
        with tournaments.begin(db, {}, ["lost:5"], ["a", "b"], [(0, 0, 1)], 5, "match") as kept:
            kept.append(0, [fault])
        yield game_list.games(db)


def told(report: Report, infos: list[GameInfo]) -> list[str]:
    """Return the lines of a report with NOW for the ends of games, between which a minute may have ended."""
    text = "\n".join(plain_text(line) for line in cells(report, 140))
    for info in infos:
        text = text.replace(moment(info.ended), "NOW")
    return [line for line in text.split("\n") if line]


def test_a_document_names_players_by_their_seats(infos: list[GameInfo]) -> None:
    lost, nim = (games_report.keys_of(info) for info in infos)
    names = ("id", "tournament", "kind", "name", "pairing", "number", "game", "first", "second", "result", "winner")
    assert tuple(nim[name] for name in names) == (
        "1", None, "play", "mine", None, None, "nim:2,3", "perfect", "random", "0-1", "random",
    )  # fmt: skip
    assert tuple(lost[name] for name in names) == ("2:5", 1, "match", None, 1, 5, "lost:5", "b", "a", "0-1", "a")
    names = ("plies", "opening", "transcript", "first_chances", "second_chances", "first_mistakes", "second_mistakes")
    assert tuple(nim[name] for name in names) == (5, 1, ["b1", "a1", "b1", "b1", "a1"], 2, 0, 1, 0)
    assert (lost["transcript"], lost["fault"], nim["fault"], nim["seconds"]) == (None, "b raised", None, 0.25)
    assert [games_report.end_text(info) for info in infos] == [
        "a won, moving second: b raised",
        "random won, moving second",
    ]
    assert games_report.move_texts(infos[0]) == ["#2", "#0", "#2", "#2", "#0"]


def test_a_list_says_what_it_leaves_out(infos: list[GameInfo]) -> None:
    lines = told(games_report.games(infos, 5, True), infos)
    assert [" ".join(line.split()) for line in lines[:3]] == [
        "game of ended first second result moves mistakes: first second",
        "2:5 match 1 NOW lost:5 b a 0-1 5 – – b raised",
        "1 play NOW nim:2,3 perfect random 0-1 5 1 of 2 – mine",
    ]
    assert " ".join(lines[3:]) == (
        f"{MISTAKES}. Both columns: of the first and of the second player."
        " 2 of 5 games. --limit lists more, 'nimtui games show ID' shows one."
    )
    assert len(told(games_report.games(infos[:1], 1, True), infos)) == 2
    for selected, text in ((True, "no saved game matches"), (False, "no games saved yet")):
        assert told(games_report.games([], 0, selected), infos) == [text]
        assert document(games_report.games([], 0, selected)) == {"games": [], "of_games": 0}


def test_a_game_that_is_unknown_here_is_shown_by_its_codes(infos: list[GameInfo]) -> None:
    report = games_report.shown(infos[0], SILENT)
    lines = told(report, infos)
    assert lines[:5] == [
        "lost:5",
        "b moves first, a second",
        "game 2:5, match 1, pairing 1, game 5, NOW",
        "5 plies, 1 of them the opening",
        "#2 #0 #2 #2 #0",
    ]
    assert lines[5].startswith("The moves are shown as codes: unknown game 'lost'") and lines[-1].startswith("a won, ")
    assert document(report)["codes"] == [2, 0, 2, 2, 0] and document(report)["moves"] is None
    about = told(Report(games_report.about(infos[1])), infos)
    assert about[1:3] == ['game 1 "mine", play, NOW', "5 plies, 1 of them the opening"]
    assert " ".join(about[3:]) == f"{MISTAKES}: first 1 of 2, second –"
    played = told(games_report.shown(infos[1], SILENT), infos)
    assert played[0].endswith("(nim:2,3)") and played[-1] == "random won, moving second"
