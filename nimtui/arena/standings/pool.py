"""Several saved tournaments as one pool: the same games counted once, all agents rated together.

Results come from the database, so agents and games that are missing here count too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nimtui.agents import parse_agent
from nimtui.agents.levels import former_agents
from nimtui.agents.searching import depends_on_the_machine
from nimtui.arena.play import judge
from nimtui.arena.play.batch import Batch, Played, batch
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import GAUNTLET, ONE_SIDED, ORDERED, START, Plan
from nimtui.arena.play.steps import MeanPayoff, Payoffs
from nimtui.arena.rating.meetings import NO_PAIRS, Meeting
from nimtui.arena.rating.ratings import Anchor, rate
from nimtui.arena.standings.standings import Field, by_payoff, crosstable, entrants, rank, standings, sums_of
from nimtui.errors import InputError, unknown
from nimtui.games import parse_game
from nimtui.progress import SILENT, Progress
from nimtui.store import game_list as store
from nimtui.store.game_list import Tally
from nimtui.store.rows import TournamentInfo
from nimtui.store.saved_games import columns
from nimtui.store.saved_games import rows as saved_rows

if TYPE_CHECKING:
    from nimtui.store.database import Database


class Source(NamedTuple):
    """A meeting, and where its games come from. Games with equal `terms` have the same openings and random numbers."""

    meeting: Meeting
    tournament: int
    pairing: int  # its number in the tournament
    game: str
    openings: str
    seed: object  # as saved
    limits: tuple[object, object]  # seconds per move, per game
    terms: tuple[object, ...]  # all that a game depends on, except its number
    tallies: tuple[Tally, ...]
    paid: MeanPayoff | None = None  # of the first agent; None in a game without payoffs, or that is missing here

    def among(self, agents: Sequence[str], others: Sequence[str]) -> Source:
        """Return the meeting of these agents with their places among `others`."""
        first, second = (others.index(agents[at]) for at in self.meeting[:2])
        return self._replace(meeting=self.meeting._replace(first=first, second=second))


@dataclass(frozen=True, eq=False)
class SavedMeetings:
    """Agents as entered, and what they scored."""

    agents: tuple[str, ...]
    sources: tuple[Source, ...]

    @cached_property
    def meetings(self) -> tuple[Meeting, ...]:
        """Return the meetings as the ratings take them."""
        return tuple(source.meeting for source in self.sources)

    @property
    def played(self) -> int:
        """Return the number of games."""
        return sum(meeting.played for meeting in self.meetings)

    @property
    def pays(self) -> bool:
        """Do all games end with a number? InputError if only some do: they share no scale."""
        ends = {source.game: source.paid is not None for source in self.sources}
        if len({*ends.values()}) > 1:
            paid, other = (next(name for name, pays in ends.items() if pays is one) for one in (True, False))
            raise InputError(f"{paid} ends with a number and {other} does not: choose one game, they share no scale")
        return any(ends.values())

    @property
    def paid(self) -> list[tuple[int, int, MeanPayoff]]:
        """Return the agents of each meeting, and what its games paid the first."""
        return [(*source.meeting[:2], source.paid or MeanPayoff()) for source in self.sources]


def read(db: Database, tournament: int, document: Mapping[str, Any], game: str | None = None) -> SavedMeetings:
    """Return the results of this tournament, or of one game in it; `document` is its plan.

    StoreError if the database cannot be read.
    """
    former = former_agents(document)
    tallies = [
        one._replace(first=former.get(one.first, one.first), second=former.get(one.second, one.second))
        for one in store.tallies(db, tournament)
    ]
    entered = [former.get(str(name), str(name)) for name in document.get("agents") or []]
    names = tuple(dict.fromkeys([*entered, *(name for one in tallies for name in (one.first, one.second))]))
    kind, seed = str(document.get("openings", START)), document.get("seed")
    alternate = document.get("pairs") not in (ORDERED, ONE_SIDED)
    limits = document.get("move_time"), document.get("game_time", 0.0)
    pairs = store.pairs(db, tournament)
    results = store.results(db, tournament) if kind != START else {}
    sources, payoffs = [], dict[str, Payoffs | None]()
    for number, group in groupby(tallies, lambda one: one.pairing):
        own = tuple(group)
        if game not in (None, own[0].game):
            continue
        counts = [[0, 0], [0, 0], [0, 0]]
        for one in own:
            for sums, value in zip(counts, (one.wins, one.draws, one.losses), strict=True):
                sums[one.opener] += value
        won, drawn, lost = ((row[0], row[1]) for row in counts)
        row = np.frombuffer(results[number], np.int8) if number in results else None
        two = names.index(own[0].first), names.index(own[0].second)
        meeting = Meeting(*two, won, drawn, lost, pairs.get(number, NO_PAIRS), None, row, alternate)
        terms = (own[0].game, own[0].first, own[0].second, kind, seed, number, alternate, *limits)
        paid = _paid(db, tournament, number, payoffs.setdefault(own[0].game, _payoffs(own[0].game)))
        sources.append(Source(meeting, tournament, number, own[0].game, kind, seed, limits, terms, own, paid))
    return _with_openings(names, sources)


def _payoffs(name: str) -> Payoffs | None:
    """Return what reads the payoffs of a game; None if it has none, or is missing here."""
    with suppress(InputError):
        return Payoffs(game) if (game := parse_game(name)).pays else None
    return None


def _paid(db: Database, tournament: int, pairing: int, payoffs: Payoffs | None) -> MeanPayoff | None:
    """Return what the saved games of a pairing paid its first agent: their moves tell it."""
    if payoffs is None:
        return None
    return MeanPayoff.of(payoffs.of(Batch.of([Played(*row) for row in saved_rows(db, tournament, pairing)])))


def pooled(parts: Sequence[SavedMeetings]) -> SavedMeetings:
    """Return several tournaments as one."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.agents))
    return _with_openings(names, [source.among(part.agents, names) for part in parts for source in part.sources])


def _with_openings(agents: tuple[str, ...], sources: Sequence[Source]) -> SavedMeetings:
    """Number the openings: meetings of one game, one kind of openings and one seed share them."""
    numbers: dict[object, int] = {}
    numbered = []
    for source in sources:
        key = source.game, source.openings, source.seed
        openings = numbers.setdefault(key, len(numbers)) if source.openings != START else None
        numbered.append(source._replace(meeting=source.meeting._replace(openings=openings)))
    return SavedMeetings(agents, tuple(numbered))


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
        sources, repeats = [], Counter[int]()
        for source in part.sources:
            if (other := repeated.get((source.tournament, source.pairing))) is None:
                sources.append(source)
            else:
                repeats[other] += source.meeting.played
        there = {at for meeting in part.meetings for at in (meeting.first, meeting.second)}
        agents = tuple(name for at, name in enumerate(part.agents) if game is None or at in there)
        counted.append(SavedMeetings(agents, tuple(source.among(part.agents, agents) for source in sources)))
        parts.append(Part(info, counted[-1].played, tuple(repeats.items())))
    return Gathered(pooled(counted), tuple(parts))


def _repeated(db: Database, parts: Sequence[SavedMeetings]) -> dict[tuple[int, int], int]:
    """Return the pairings whose games are also in a larger one, and that one's tournament.

    Games are the same if everything that they depend on is, and all their moves. An agent that depends on the machine
    plays other games each time.
    """
    alike: defaultdict[tuple[object, ...], list[Source]] = defaultdict(list)
    for part in parts:
        for source in part.sources:
            alike[source.terms].append(source)
    repeated: dict[tuple[int, int], int] = {}
    for sources in alike.values():
        if len(sources) < 2 or _depends_on_the_machine(sources[0]):
            continue
        counted: list[Source] = []
        for source in sorted(sources, key=lambda one: (-one.meeting.played, one.tournament)):
            own = source.tournament, source.pairing
            same = (one for one in counted if store.same_games(db, own, (one.tournament, one.pairing)))
            if (other := next(same, None)) is not None:
                repeated[own] = other.tournament
            else:
                counted.append(source)
    return repeated


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
    if document.get("fault") is not None:  # the games as they were played are not the results
        with suppress(InputError):
            return _ruled(db, tournament, document)
    saved, by_elo = read(db, tournament, document), document.get("pairs") == GAUNTLET
    ratings, cells = rate(len(saved.agents), saved.meetings), crosstable(len(saved.agents), saved.meetings)
    rows = entrants(saved.agents, cells, ratings, _sums(saved), judged=False)
    rows.sort(key=lambda row: rank(row.score, row.rating, row.entrant, by_elo=by_elo))
    if saved.pays:
        rows = by_payoff(rows, saved.paid)
    return Field(saved.agents, tuple(rows), cells, ratings, saved.meetings, by_elo=by_elo)


def _ruled(db: Database, tournament: int, document: Mapping[str, Any]) -> Field:
    """Return the standings by the plan's rule for faults. InputError if an agent or a game is unknown here."""
    from nimtui.arena.standings.ledger import Ledger

    plan = Plan.from_document(document)
    ledgers = [Ledger(plan, place) for place in range(len(plan.pairings))]
    for place, ledger in enumerate(ledgers):
        games = [Played(*row) for row in saved_rows(db, tournament, place)] if plan.pays else None
        ledger.add(batch(columns(db, tournament, place)) if games is None else Batch.of(games))
    return standings(plan, [ledger.score for ledger in ledgers])


def rated(gathered: Gathered, anchor: Anchor | None = None) -> Pool:
    """Return the ratings of a pool. InputError if the anchor is not in the largest group of agents that met."""
    saved = gathered.saved
    count, pays = len(saved.agents), saved.pays
    if pays and anchor is not None:
        raise InputError(f"an anchor is a number of Elo, and {gathered.games[0]} ends with a number: leave it out")
    ratings = rate(count, saved.meetings, anchor)
    if anchor is not None and isnan(ratings.ratings[anchor.agent].elo):
        without = rate(count, saved.meetings).ratings
        names = [name for name, one in zip(saved.agents, without, strict=True) if not isnan(one.elo)]
        wrong = f"the anchor {saved.agents[anchor.agent]} met none of the agents to rate"
        raise InputError(f"{wrong}. Agents: {', '.join(names)}" if names else f"{wrong}: no two agents met")
    cells = crosstable(count, saved.meetings)
    rows = entrants(saved.agents, cells, ratings, _sums(saved), _judged(gathered.games))
    rows.sort(key=lambda row: (isnan(row.rating.elo), -row.rating.elo, -(row.score or 0.0), row.entrant))
    if pays:
        rows = by_payoff(rows, saved.paid)
    return Pool(saved.agents, tuple(rows), cells, ratings, saved.meetings, gathered, anchor)


def _sums(saved: SavedMeetings) -> list[list[int]]:
    """Return the moves, chances, mistakes and faults of each agent. Games against itself do not count."""
    parts = []
    for source in saved.sources:
        for one in source.tallies:
            faults = one.first_faults, one.faults - one.first_faults
            parts.append((*source.meeting[:2], (one.own, one.chances, one.mistakes, faults)))
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
