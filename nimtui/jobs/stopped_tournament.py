"""A saved tournament that is not running: its state, read once. Nothing of it is changed or claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nimtui.arena.faults import EqualFaults, joined
from nimtui.arena.ledger import Ledger
from nimtui.arena.openings import START
from nimtui.arena.plan import Plan
from nimtui.jobs.tournament import View, batch
from nimtui.store import StoreError

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.tournament_writer import TournamentWriter


class StoppedTournament:
    """What a resumed `Tournament` would show at first. `info` is its saved row."""

    def __init__(self, db: Database, number: int) -> None:
        """Read a tournament. StoreError if it does not exist or is damaged; InputError if it cannot be played."""
        from nimtui.store.tournaments import columns, info

        self.number: int | None = number
        self.kept: TournamentWriter | None = None  # nothing more is written
        self.info = info(db, number)
        self.plan = plan = Plan.from_document(self.info.document)
        self._ledgers = [Ledger(plan, place) for place in range(len(plan.pairings))]
        faults: list[str] = []
        kinds: tuple[EqualFaults, ...] = ()
        for place, ledger in enumerate(self._ledgers):
            games = columns(db, number, place)
            if len(games.number) and games.number[-1] >= plan.number:
                raise StoreError(f"tournament {number} is damaged: it holds games outside its plan")
            ledger.add(batch(games))
            faults += ledger.news()
            kinds = joined(kinds, ledger.new_kinds())
        scores = tuple(ledger.score for ledger in self._ledgers)
        self.view = View(
            plan,
            scores,
            done=sum(score.played for score in scores),
            total=sum(score.wanted for score in scores),
            seconds=self.info.seconds,
            rate=0.0,
            left=None,
            playing=(),
            faults=tuple(faults),
            fault="",
            kinds=kinds,
            results=() if plan.openings.kind == START else tuple(ledger.results() for ledger in self._ledgers),
        )

    def results(self, pairing: int) -> npt.NDArray[np.int8]:
        """Return the results by number of the game: −1, 0, 1 for the pairing's first entrant, −2 if not played."""
        return self._ledgers[pairing].results()
