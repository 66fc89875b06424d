"""A kept tournament that stands still is what one that went on with it would begin from."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimtui.arena.play.plan import plan
from nimtui.jobs.tournament import StoppedTournament, Tournament
from nimtui.store import StoreError
from nimtui.store.database import Database
from nimtui.store.tournaments import begin, info, resume

GAME = "subtraction:21,3:misere"


@pytest.mark.parametrize("sprt", [None, "elo0=0,elo1=50"])
def test_it_is_as_the_one_that_was_played(tmp_path: Path, sprt: str | None) -> None:
    made = plan((GAME,), ("perfect", "random", "value"), number=60, sprt=sprt)
    with Database(tmp_path / "kept.sqlite") as database:
        with begin(database, made.document(), made.games, made.agents, made.pairings, made.total) as kept:
            played = Tournament(made, kept, workers=1)
            played.work()
        before = info(database, kept.id)
        held = StoppedTournament(database, kept.id)
        assert held.plan == made and held.view.finished
        assert held.view.scores == played.view.scores and held.view.total == played.view.total
        assert (held.view.total < made.total) is (sprt is not None)
        assert [held.results(at).tolist() for at in range(3)] == [played.results(at).tolist() for at in range(3)]
        assert info(database, kept.id) == before
        with resume(database, kept.id):  # nobody has claimed it
            assert StoppedTournament(database, kept.id).view.done == played.view.done  # and whoever has is no hindrance
        with pytest.raises(StoreError, match="tournament 9 does not exist"):
            StoppedTournament(database, 9)
