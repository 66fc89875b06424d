"""Where a tournament comes from: begun anew, gone on with, or only shown. Takes a while: not for the event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.jobs.stopped_tournament import StoppedTournament
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.database import Database
    from nimtui.store.tournaments import TournamentInfo, TournamentWriter
    from nimtui.ui.library.scan import Open
    from nimtui.ui.tournament.setup import TournamentSetup

    Shown: TypeAlias = "Tournament | StoppedTournament"

MOST_LISTED, MOST_LOOKED_AT = 3, 100  # unfinished tournaments that are listed, of the latest so many,
MOST_ENDED = 3  # and such as are finished


class Opened(NamedTuple):
    """A tournament, and what its screen has to know of it."""

    tournament: Shown
    name: str  # what the person called it
    workers: int | None  # asked for; None: one a core
    unkept: str = ""  # why they are not, in a line


def begin(database: Open, setup: TournamentSetup) -> Opened:
    """A new one. Without a place for its games it goes on in memory. InputError where it cannot be played."""
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import begin

    plan = setup.plan()
    try:
        kept = begin(database(), plan.document(), plan.games, plan.agents, plan.pairings, plan.total, name=setup.name)
    except (InputError, OSError) as fault:
        unkept = f"Its games are not kept: {fault}"
        return Opened(Tournament(plan, None, setup.workers), setup.name, setup.workers, unkept)
    try:
        return Opened(Tournament(plan, kept, setup.workers), setup.name, setup.workers)
    except BaseException:
        kept.close()
        raise


def go_on(database: Database, number: int | None, workers: int | None) -> Opened:
    """A kept one, the latest unfinished if none is named, ready to go on. InputError where it cannot."""
    from nimtui.arena.plan import Plan
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.tournaments import resume

    kept = resume(database, number)
    try:
        tournament = Tournament(Plan.from_document(kept.info.document), kept, workers)
    except BaseException:
        kept.close()
        raise
    return Opened(tournament, kept.info.name, workers)


def show(database: Database, number: int, workers: int | None) -> Opened:
    """A kept one as it stands, whoever plays it. InputError where it cannot be read."""
    from nimtui.jobs.stopped_tournament import StoppedTournament

    held = StoppedTournament(database, number)
    return Opened(held, held.info.name, workers)


def kept_of(tournament: Shown | None) -> TournamentWriter | None:
    """Where its games are written; None where they are not."""
    from nimtui.jobs.tournament import Tournament

    return tournament.kept if isinstance(tournament, Tournament) else None


def number_of(tournament: Shown | None) -> int | None:
    """In the database; None where it is not there."""
    from nimtui.jobs.stopped_tournament import StoppedTournament

    if isinstance(tournament, StoppedTournament):
        return tournament.info.id
    kept = kept_of(tournament)
    return None if kept is None else kept.id


def as_it_is(tournament: Shown, now: Shown | None) -> Shown:
    """What is shown now where that is the same tournament: gone on with, it is another object."""
    if now is None or now.plan != tournament.plan or number_of(now) != number_of(tournament):
        return tournament
    return now


def listed(database: Database) -> tuple[TournamentInfo, ...]:
    """The kept ones that were not ended, then the latest that were. StoreError where they cannot be read."""
    from nimtui.store.tournaments import tournaments

    found = tournaments(database, kind="tournament", limit=MOST_LOOKED_AT)
    ended = [each for each in found if each.state == "done"]
    return (*[each for each in found if each.state != "done"][:MOST_LISTED], *ended[:MOST_ENDED])
