"""Saved games as a list, one by one and as documents, also of a game that is unknown here."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nimtui.arena.play.plan import plan
from nimtui.arena.standings import games_report
from nimtui.arena.standings.games_report import OPENINGS, writer
from nimtui.arena.standings.standings_report import MOST_FIRST_MOVES, first_moves, openings
from nimtui.foreign.values import moment
from nimtui.games import Record, parse_game
from nimtui.jobs.tournament import StoppedTournament, Tournament
from nimtui.jobs.tournament_report import tournament as report
from nimtui.progress import SILENT
from nimtui.report.blocks import Report
from nimtui.report.cells import cells, spoken
from nimtui.report.document import document, html_of, rows_of
from nimtui.report.lines import plain_text
from nimtui.store import game_list, saved_games, tournaments
from nimtui.store.database import Database
from nimtui.store.game_list import games
from nimtui.store.rows import GameInfo, GameRow
from nimtui.store.tournaments import begin

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


# First moves: each figure is counted again from the saved games, and every writer says the same.


@pytest.mark.parametrize(("begun", "sprt"), [("start", None), ("random:1", None), ("random:2", "elo0=0,elo1=300")])
def test_every_figure_is_that_of_the_saved_games(tmp_path: Path, begun: str, sprt: str | None) -> None:
    made = plan(("tower:16", "noughts:3x3x3"), ("perfect", "random", "easy"), number=40, openings=begun, sprt=sprt)
    with Database(tmp_path / "games.sqlite") as database:
        with begin(database, made.document(), made.games, made.agents, made.pairings, made.total) as kept:
            played = Tournament(made, kept, workers=1)
            view = played.work()
        counts: Counter[tuple[str, str]] = Counter()
        points: Counter[tuple[str, str]] = Counter()
        for info in games(database, limit=None):
            game = parse_game(info.game)
            key = info.game, game.move_name(info.codes[0], game.start)
            mover = info.row.opener ^ (info.row.opening % 2)
            counts[key] += 1
            points[key] += (1 + info.row.result * (1 - 2 * mover)) / 2  # type: ignore[assignment]
        rows = rows_of(first_moves(made, view.scores))
        assert {(row["game"], row["move"]): row["games"] for row in rows} == counts
        assert {(row["game"], row["move"]): row["score"] for row in rows} == pytest.approx(
            {key: points[key] / counts[key] for key in counts}
        )
        stopped = StoppedTournament(database, kept.id)
        assert rows_of(first_moves(made, stopped.view.scores)) == rows
        assert document(report(stopped.view, [], 0.0))["first_moves"] == rows
        page = openings(made, view.scores)
        for text in ("\n".join(plain_text(line) for line in cells(page)), "\n".join(spoken(page)), html_of(page)):
            assert all(row["move"] in text and str(row["games"]) in text for row in rows)
        out = io.StringIO()
        writer(database, kept.id, OPENINGS, SILENT)(out)
        assert [
            (row["game"], row["move"], int(row["games"])) for row in csv.DictReader(out.getvalue().splitlines())
        ] == [(row["game"], row["move"], row["games"]) for row in rows]


def test_a_report_counts_the_first_moves_that_it_leaves_out() -> None:
    made = plan(("tower:16",), ("perfect", "random"), number=60)
    view = Tournament(made, workers=1).work()
    rows = rows_of(first_moves(made, view.scores))
    text = "\n".join(plain_text(line) for line in cells(report(view, [], 0.0)))
    assert [f"\n{row['move']} " in text for row in rows] == [at < MOST_FIRST_MOVES for at in range(len(rows))]
    rest = rows[MOST_FIRST_MOVES:]
    assert f"{len(rest)} other first moves: {sum(row['games'] for row in rest):,} games." in text
    view = Tournament(made, workers=1).view  # before the first game
    assert not first_moves(made, view.scores).rows and document(report(view, [], 0.0))["first_moves"] == []
    assert "First moves of no finished games." in "\n".join(spoken(openings(made, view.scores)))
