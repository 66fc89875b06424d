"""Several saved tournaments as one pool: the same games counted once, all agents rated together.

Results come from the database, so agents and games that are missing here count too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.agents import parse_agent
from nimtui.agents.searching import depends_on_the_machine
from nimtui.arena import judge
from nimtui.arena.entrants import labels
from nimtui.arena.meetings import Meeting
from nimtui.arena.plan import GAUNTLET
from nimtui.arena.ratings import Anchor, Ratings, rate
from nimtui.arena.saved_meetings import SavedMeetings, Source, pooled, read
from nimtui.arena.standings import rank
from nimtui.arena.tally import Field, crosstable, entrants, sums_of
from nimtui.errors import InputError, unknown
from nimtui.games import parse_game
from nimtui.progress import SILENT, Progress
from nimtui.store import tallies as store

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import TournamentInfo


class Part(NamedTuple):
    """A tournament of a pool."""

    info: TournamentInfo
    games: int  # that count
    repeats: tuple[tuple[int, int], ...] = ()  # games that count in another tournament: that tournament, how many


@dataclass(frozen=True, eq=False)
class Gathered:
    """The results of some tournaments, the same games once."""

    saved: SavedMeetings
    parts: tuple[Part, ...]

    @property
    def games(self) -> tuple[str, ...]:
        """Return the names of the games."""
        return tuple(dict.fromkeys(source.game for source in self.saved.sources))


@dataclass(frozen=True, eq=False)
class Pool(Field):
    """The ratings of a pool. Its rows are in order of Elo: agents that met different opponents share no other scale."""

    gathered: Gathered
    anchor: Anchor | None

    @property
    def played(self) -> int:
        """Return the number of games."""
        return self.gathered.saved.played


def gather(
    db: Database, infos: Iterable[TournamentInfo], game: str | None = None, progress: Progress = SILENT
) -> Gathered:
    """Return the results of these tournaments, or of one game in them. StoreError if the database cannot be read."""
    chosen, read_parts = list(infos), list[SavedMeetings]()
    for number, info in enumerate(chosen):
        progress.report(number, len(chosen), "tournaments")
        read_parts.append(read(db, info.id, info.document, game))
    progress.report(len(chosen), len(chosen), "tournaments")
    repeated = _repeated(db, read_parts)
    counted, parts = [], []
    for info, part in zip(chosen, read_parts, strict=True):
        kept: list[tuple[Meeting, Source]] = []
        repeats: defaultdict[int, int] = defaultdict(int)
        for meeting, source in zip(part.meetings, part.sources, strict=True):
            if (other := repeated.get((source.tournament, source.pairing))) is None:
                kept.append((meeting, source))
            else:
                repeats[other] += meeting.played
        agents = part.agents if game is None else _who_played(part)
        meetings = tuple(
            one._replace(first=agents.index(part.agents[one.first]), second=agents.index(part.agents[one.second]))
            for one, _ in kept
        )
        counted.append(SavedMeetings(agents, meetings, tuple(source for _, source in kept)))
        parts.append(Part(info, counted[-1].played, tuple(repeats.items())))
    return Gathered(pooled(counted), tuple(parts))


def _who_played(part: SavedMeetings) -> tuple[str, ...]:
    there = {at for meeting in part.meetings for at in (meeting.first, meeting.second)}
    return tuple(name for at, name in enumerate(part.agents) if at in there)


def _repeated(db: Database, parts: Sequence[SavedMeetings]) -> dict[tuple[int, int], int]:
    """Return the pairings whose games are also in a larger one, and that one's tournament.

    Games are the same if everything that they depend on is, and all their moves. An agent that depends on the machine
    plays other games each time.
    """
    alike: defaultdict[tuple[object, ...], list[tuple[int, Source]]] = defaultdict(list)
    for part in parts:
        for meeting, source in zip(part.meetings, part.sources, strict=True):
            alike[source.terms].append((meeting.played, source))
    found: dict[tuple[int, int], int] = {}
    for sources in alike.values():
        if len(sources) < 2 or _depends_on_the_machine(sources[0][1]):
            continue
        sources.sort(key=lambda one: (-one[0], one[1].tournament))
        counted: list[Source] = []
        for _, source in sources:
            own = source.tournament, source.pairing
            for other in counted:
                if store.same_games(db, own, (other.tournament, other.pairing)):
                    found[own] = other.tournament
                    break
            else:
                counted.append(source)
    return found


def _depends_on_the_machine(source: Source) -> bool:
    """Return whether an agent of this pairing has a time limit of its own. An agent missing here counts as without."""
    first = source.tallies[0]
    for name in (first.first, first.second):
        with suppress(InputError):
            if depends_on_the_machine(parse_agent(name, parse_game(source.game))):
                return True
    return False


# Ratings.


def saved_standings(db: Database, tournament: int, document: Mapping[str, Any]) -> Field:
    """Return the standings of a saved tournament; `document` is its plan, whose agents may be missing here.

    StoreError if the database cannot be read.
    """
    saved, by_elo = read(db, tournament, document), document.get("pairs") == GAUNTLET
    ratings, cells = rate(len(saved.agents), saved.meetings), crosstable(len(saved.agents), saved.meetings)
    rows = entrants(saved.agents, cells, ratings, _sums(saved), judged=False)
    rows.sort(key=lambda row: rank(row.score, row.rating, row.entrant, by_elo=by_elo))
    return Field(saved.agents, tuple(rows), cells, ratings, saved.meetings, by_elo=by_elo)


def rated(gathered: Gathered, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a pool. InputError if the anchor is not in the largest group of agents that met."""
    saved = gathered.saved
    count = len(saved.agents)
    ratings = rate(count, saved.meetings, anchor)
    if anchor is not None and isnan(ratings.ratings[anchor.agent].elo):
        raise _outside(saved.agents, anchor, rate(count, saved.meetings))
    cells = crosstable(count, saved.meetings)
    rows = entrants(saved.agents, cells, ratings, _sums(saved), _judged(gathered.games))
    rows.sort(key=lambda row: (isnan(row.rating.elo), -row.rating.elo, -(row.score or 0.0), row.entrant))
    return Pool(saved.agents, tuple(rows), cells, ratings, saved.meetings, gathered, anchor)


def _outside(agents: tuple[str, ...], anchor: Anchor, without: Ratings) -> InputError:
    names = [name for name, one in zip(agents, without.ratings, strict=True) if not isnan(one.elo)]
    wrong = f"the anchor {agents[anchor.agent]} met none of the agents to rate"
    return InputError(f"{wrong}. Agents: {', '.join(names)}" if names else f"{wrong}: no two agents met")


def _sums(saved: SavedMeetings) -> list[list[int]]:
    """Return the moves, chances, mistakes and faults of each agent. Games against itself do not count."""
    parts = []
    for meeting, source in zip(saved.meetings, saved.sources, strict=True):
        for one in source.tallies:
            faults = one.first_faults, one.faults - one.first_faults
            parts.append((meeting.first, meeting.second, (one.own, one.chances, one.mistakes, faults)))
    return sums_of(len(saved.agents), parts)


def _judged(games: Iterable[str]) -> bool:
    """Return whether mistakes are known in all these games; not in a game that is missing here."""
    with suppress(InputError):
        return all(judge.is_judged(parse_game(name)) for name in games)
    return False


def find_agent(text: str, gathered: Gathered) -> int:
    """Return the agent with this name: full, short as in the tables, or as people type it. InputError if unknown."""
    agents = gathered.saved.agents
    short = labels(agents)
    for names in (agents, short):
        if text in names:
            return names.index(text)
    for game in gathered.games:
        with suppress(InputError):
            name = parse_agent(text, parse_game(game)).name
            if name in agents:
                return agents.index(name)
    of_kind = [at for at, name in enumerate(agents) if name.partition(":")[0] == text]
    if len(of_kind) == 1:
        return of_kind[0]
    raise unknown("agent", text, short)
