"""Saving of tournaments and matches for the commands: create, resume, report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nimtui.cli.output import tell
from nimtui.errors import InputError
from nimtui.report.values import Named
from nimtui.store import StoreError, tournaments
from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.arena.play.batch import Batch
    from nimtui.arena.play.plan import Plan
    from nimtui.store.database import Database
    from nimtui.store.tournaments import TournamentWriter


def open_database() -> Database:
    """Open the database of saved games. Its messages go to stderr. Raises StoreError if it cannot be used."""
    from nimtui.store import files
    from nimtui.store.database import Database

    for line in files.lines_of_asides(files.unseen_asides()):
        tell(line)
    database = Database(tell=tell)
    if sys.stderr.isatty():  # a person has seen the line, or the database's own
        files.see_asides(files.unseen_asides())
    return database


class Saving:
    """At most one tournament, new or resumed. `kept` is its writer, or None if nothing is saved."""

    def __init__(self) -> None:
        self.kept: TournamentWriter | None = None
        self._database: Database | None = None
        self._new = False
        self._unkept = ""  # why the tournament could not be saved
        self.finished = False  # was the tournament complete before it was resumed?

    def open(self) -> Database:
        """Return the database, opened once. Raises StoreError if that fails."""
        self._database = self._database or open_database()
        return self._database

    def begin(self, plan: Plan, name: str = "", must: bool = True, kind: str = "tournament") -> None:
        """Save a new tournament. If that fails, raises StoreError if `must`, else prints a message on stderr."""
        document = {**plan.document(), "version": __version__}
        pairings = list(plan.pairings)
        try:
            self.kept = tournaments.begin(
                self.open(), document, plan.games, plan.agents, pairings, plan.total, kind=kind, name=name
            )
            self._new = True
        except StoreError as fault:
            if must:
                raise
            self._unkept = str(fault)
            tell(f"{fault}; playing the {kind} without saving it")

    def resume(self, number: int | None) -> Plan:
        """Resume the tournament of this number, by default the last one stopped. Raises StoreError if there is none."""
        from nimtui.agents.program import changes
        from nimtui.arena.play.plan import Plan

        self.kept = tournaments.resume(self.open(), number)
        document = self.kept.info.document
        for line in changes(document, resumed=True):
            tell(line)
        self.finished = self.kept.info.played >= self.kept.info.total
        if (version := document.get("version", __version__)) != __version__:
            tell(f"{self.name} was started with nimtui {version}; this is {__version__}")
        return Plan.from_document(document)

    def extend(self, number: int, games: int, agents: Sequence[str]) -> None:
        """Add games per pairing, and agents, to a saved tournament. `resume` plays them. Raises InputError."""
        from nimtui.agents.levels import former_agents
        from nimtui.arena.play.plan import Plan

        database = self.open()
        info = tournaments.info(database, number)
        if agents and info.kind != "tournament":
            raise InputError(f"a {info.kind} has two agents: 'nimtui tournament' plays more")
        former = former_agents(info.document)
        for level in former.keys() & agents:
            raise InputError(
                f"{level} is {former[level]} in tournament {number}: name the agent of today by its recipe"
            )
        plan = Plan.from_document(info.document).extended(games, agents)
        document = {**info.document, **plan.document()}
        tournaments.extend(database, number, document, plan.games, plan.agents, list(plan.pairings), plan.total)

    def keep(self, games: Batch) -> None:
        """Save games of a match."""
        if self.kept is not None:
            self.kept.append(0, games.rows())

    def ended(self, played: int, asked: int, seconds: float) -> None:
        """Record the end of a match: done, or stopped early."""
        if self.kept is not None:
            self.kept.set_total(asked)
            self.kept.ended("done" if played == asked else "stopped", seconds)

    def drop(self) -> None:
        """Delete a new tournament of which nothing was played."""
        if self.kept is None or self._database is None or not self._new:
            return
        try:
            self.kept.close()
            tournaments.delete(self._database, self.kept.id)
        except StoreError as fault:
            tell(str(fault))

    def document(self) -> dict[str, Any]:
        """Return the keys of a JSON document: the id, and the number of saved games, null without saving."""
        if self.kept is None:
            return {"id": None, "saved_games": 0 if self._unkept else None}
        return {"id": self.kept.id, "saved_games": self.kept.info.played}

    @property
    def name(self) -> str:
        """Return 'tournament 3', or '' if nothing is saved."""
        return "" if self.kept is None else f"{self.kept.info.kind} {self.kept.id}"

    @property
    def where(self) -> str:
        """Return the line that says where the games are saved, or '' if nothing is saved."""
        if self.kept is None:
            return ""
        only = f" ({Named(self.kept.info.played, 'game', 'games')} only)" if self.kept.fault else ""
        return f"saved as {self.name}{only}: nimtui games list --tournament {self.kept.id}"

    def say_how_to_resume(self, played: int, asked: int, again: str = "") -> bool:
        """Print on stderr which games are missing and how to play them, by the command `again` [default: --resume].

        Returns whether all played games are saved.
        """
        if self.kept is None:
            if self._unkept:
                tell(f"{self._unkept}: none of {played:,} games are saved")
            return not self._unkept
        resume = again or f"nimtui tournament --resume {self.kept.id}"
        saved = self.kept.info.played
        if saved < played:
            why = self.kept.fault or "another file replaced the database"
            tell(f"{why}: {saved:,} of {played:,} games are saved; {resume} plays the others, once there is room")
        elif played < asked:
            tell(f"{asked - played:,} of {asked:,} games are left. Resume: {resume}")
        return saved >= played

    def close(self) -> None:
        """Release the tournament and the database."""
        if self.kept is not None:
            self.kept.close()
        if self._database is not None:
            self._database.close()
