"""First moves: each figure is counted again from the saved games, and every writer says the same."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from nimtui.arena.play.plan import plan
from nimtui.arena.standings.games_report import OPENINGS, writer
from nimtui.arena.standings.standings_report import MOST_FIRST_MOVES, first_moves, openings
from nimtui.games import parse_game
from nimtui.jobs.tournament import StoppedTournament, Tournament
from nimtui.jobs.tournament_report import tournament as report
from nimtui.progress import SILENT
from nimtui.report.cells import cells, spoken
from nimtui.report.document import document, html_of, rows_of
from nimtui.report.lines import plain_text
from nimtui.store.database import Database
from nimtui.store.game_list import games
from nimtui.store.tournaments import begin


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


def test_nothing_is_said_before_the_first_game() -> None:
    made = plan(("tower:16",), ("perfect", "random"), number=20)
    view = Tournament(made, workers=1).view
    scores = view.scores
    assert not first_moves(made, scores).rows and document(report(view, [], 0.0))["first_moves"] == []
    assert "First moves of no finished games." in "\n".join(spoken(openings(made, scores)))
