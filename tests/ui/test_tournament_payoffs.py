"""Standings, pools and forms of games that end with a number: the mean payoff, and no Elo."""

from __future__ import annotations

import statistics

import pytest

from nimtui.arena.play.plan import plan
from nimtui.arena.rating.ratings import Anchor
from nimtui.arena.standings import pool, standings_report
from nimtui.errors import InputError
from nimtui.games import base, registry
from nimtui.games.registry import parse_game
from nimtui.jobs.tournament import Tournament
from nimtui.report import document as documents
from nimtui.store import saved_games, tournaments
from nimtui.store.database import Database
from nimtui.store.rows import codes_of
from nimtui.ui.tournament import view
from nimtui.ui.tournament.draft import TournamentDraft
from nimtui.ui.tournament.setup import TournamentSetup
from tests.games import coins
from tests.jobs.playing import begin


def test_a_pool_counts_the_payoffs_of_all_saved_games(tmp_path):
    registry.add(coins)
    with Database(tmp_path / "kept.sqlite") as database:
        numbers, payoffs = [], {}
        for seed, text in enumerate(("redblue:4,3", "coins:3,9,2,7")):
            planned = plan([text], ["random", "perfect"], number=30, seed=seed)
            with begin(database, planned) as kept:
                Tournament(planned, kept, 1).work()
                numbers.append(kept.id)
            for row in saved_games.rows(database, kept.id, 0):
                game, last = parse_game(text), row.opener
                state = game.new()
                for ply, move in enumerate(codes_of(row.moves)):
                    base.play(state, move)
                    last = (row.opener + ply) % 2
                payoffs.setdefault(kept.id, []).append(int(base.payoff(state)) * (1 if last == 0 else -1))
        infos = [tournaments.info(database, number) for number in numbers]
        alone = pool.saved_standings(database, numbers[0], infos[0].document)
        assert {row.agent: row.payoff.mean for row in alone.rows} == {
            "random": pytest.approx(statistics.mean(payoffs[numbers[0]])),
            "perfect": pytest.approx(-statistics.mean(payoffs[numbers[0]])),
        }
        assert view.of_standings(alone, ("random", "perfect"), running=True) == []
        gathered = pool.gather(database, infos)
        document = documents.document(standings_report.ratings(pool.rated(gathered)))
        both = statistics.mean(payoff for games in payoffs.values() for payoff in games)
        assert [(row["agent"], row["elo"]) for row in document["standings"]] == [("perfect", None), ("random", None)]
        assert document["standings"][1]["payoff"] == pytest.approx(both)
        assert document["superiority"] == [[None, None], [None, None]] and document["fit"] is None
        assert not any("Elo" in note or "LOS" in note for note in document["notes"])
        with pytest.raises(InputError, match="an anchor is a number of Elo"):
            pool.rated(gathered, Anchor(0, 0.0))
        other = plan(["nim:1,2"], ["random", "perfect"], number=4)
        with begin(database, other) as kept:
            Tournament(other, kept, 1).work()
        mixed = pool.gather(database, [*infos, tournaments.info(database, kept.id)])
        with pytest.raises(InputError, match="share no scale"):
            pool.rated(mixed)
    with pytest.raises(InputError, match="play them in two tournaments"):
        plan(["redblue:4,3", "nim:1,2"], ["random", "perfect"])


def test_a_tournament_of_payoffs_offers_no_sequential_test():
    draft = TournamentDraft.of(TournamentSetup(("redblue:4,3",), ("random", "perfect")))
    assert [choice.value for choice in draft.offers("sprt")] == ["off"]
    finding = draft.with_text("sprt", "elo0=0,elo1=50").finding("sprt")
    assert not finding.right and "ends with a number" in finding.text
