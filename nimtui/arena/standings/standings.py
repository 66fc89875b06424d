"""The results of a tournament: sums by pairing and by entrant, standings, crosstable, and the remarks of theory."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.agents.program import is_program
from nimtui.agents.searching import depends_on_the_machine
from nimtui.arena.play import judge
from nimtui.arena.play.plan import BALANCED, GAUNTLET, START, Pairing, Plan
from nimtui.arena.play.steps import MeanPayoff
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import UNKNOWN, Rating, Ratings, Score, Seat, head_to_head, rate
from nimtui.games import parse_game
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome
from nimtui.theory.explanation import worth

FaultCounts: TypeAlias = tuple[tuple[str, int], ...]  # kinds of faults, and the games that each lost
Results = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class PairingScore:
    """The results of one pairing. Of two numbers the first is its first entrant's."""

    pairing: Pairing
    wins: tuple[int, int]  # of the first entrant: in games that it started, in games that the second started
    draws: tuple[int, int]
    losses: tuple[int, int]
    own: tuple[int, int]  # moves
    chances: tuple[int, int]  # moves in positions that are not lost
    mistakes: tuple[int, int]  # moves that made them worse
    faults: tuple[int, int]  # games lost by an illegal move or an error
    pentanomial: tuple[int, ...]  # games 2k and 2k + 1, by the first entrant's points: 0, ½, 1, 1½, 2
    wanted: int  # games there will be: fewer than planned if a sequential test ended it
    llr: float | None = None  # of the sequential test, if there is one
    verdict: str = ""  # 'H0' or 'H1' once it is decided
    firsts: tuple[tuple[int, int, int], ...] = ()  # first move, result for the player who made it, games
    kinds: tuple[FaultCounts, FaultCounts] = ((), ())  # of both entrants' faults
    payoff: MeanPayoff | None = None  # of the first entrant; None in games without payoffs, or if unknown

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)

    @property
    def pairs(self) -> int:
        """Return the whole pairs of games, which a sequential test counts."""
        return self.played // 2


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one entrant. Games against itself do not count."""

    entrant: int  # its place in the plan
    agent: str
    wins: tuple[int, int]  # moving first, moving second
    draws: tuple[int, int]
    losses: tuple[int, int]
    scored: Score  # its points and games, as the ratings count them, with their interval
    rating: Rating
    own: int  # moves
    chances: int
    mistakes: int
    judged: bool  # whether the exact values are known in all its games; else there is no mistake rate
    faults: int
    kinds: FaultCounts | None = None  # of its faults; None: unknown
    payoff: MeanPayoff | None = None  # where all games end with a number: then there is no Elo

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)

    @property
    def points(self) -> float:
        """Return the points: a win counts 1, a draw 1/2."""
        return sum(self.wins) + sum(self.draws) / 2

    @property
    def score(self) -> float | None:
        """Return points per game, 0 to 1; None before the first game."""
        return self.points / self.played if self.played else None

    @property
    def mistake_rate(self) -> float | None:
        """Return the share of mistakes among moves in won or drawn positions, 0 to 1; None if unknown.

        Not of all moves: an agent that is always lost makes no mistake, and would look perfect.
        """
        return self.mistakes / self.chances if self.judged and self.chances else None

    @property
    def keys(self) -> dict[str, Any]:
        """Return the row of a document; unknown numbers are null."""
        counts = {"wins": self.wins, "losses": self.losses, "draws": self.draws}
        elo = self.rating.keys if self.payoff is None else {**UNKNOWN.keys, **self.payoff.keys}
        return {
            "agent": self.agent,
            "points": self.points,
            "played": self.played,
            **{name: sum(seats) for name, seats in counts.items()},
            **elo,
            **self.scored.keys,
            "mistake_rate": self.mistake_rate,
            "mistakes": self.mistakes,
            "chances": self.chances,
            "moves": self.own,
            "faults": self.faults,
            "fault_counts": None if self.kinds is None and self.faults else dict(self.kinds or ()),
            "first": {name: seats[0] for name, seats in counts.items()},
            "second": {name: seats[1] for name, seats in counts.items()},
        }


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the crosstable: the row's entrant moved first, the column's second."""

    first_wins: int
    second_wins: int
    draws: int

    @property
    def played(self) -> int:
        return self.first_wins + self.second_wins + self.draws


Cells: TypeAlias = tuple[tuple[Cell | None, ...], ...]  # [entrants][entrants]; None: never meet


@dataclass(frozen=True, eq=False)
class Field:
    """The results of a field of agents: of one tournament, or of several as a pool. Never changes."""

    agents: tuple[str, ...]  # full names; an entrant is a place among them
    rows: tuple[Standing, ...]  # best first
    cells: Cells
    ratings: Ratings
    meetings: tuple[Meeting, ...]  # as rated, in the order of the pairings
    by_elo: bool = field(default=True, kw_only=True)  # order of the rows: unlike opponents share no other scale

    @property
    def paid(self) -> bool:
        """Are the rows in order of the mean payoff?"""
        return any(row.payoff is not None for row in self.rows)

    @property
    def seat(self) -> Seat:
        """Return what moving first is worth, estimated with the rest."""
        return self.ratings.seat

    def place(self, at: int) -> str:
        """Return the place of a row, '1' for the first; '–' if its rating is a bound that leaves the place open.

        Any other bound than of all won or lost games is the anchor's.
        """
        if self.paid:
            return str(at + 1)
        rating, decided = self.rows[at].rating, self.by_elo and self.rows[at].score in (0, 1)
        rest = [row.rating.elo for row in self.rows if row.rating is not rating and not math.isnan(row.rating.elo)]
        above = rating.at_least is not None and not all(elo < rating.at_least for elo in rest)
        below = rating.at_most is not None and not all(elo > rating.at_most for elo in rest)
        return "–" if decided and not rating.by_seat and (above or below) else str(at + 1)

    def between(self, row: int, column: int) -> list[Meeting]:
        """Return the finished games of two different entrants, as the row's."""
        met = [meeting for meeting in self.meetings if meeting.played and {*meeting[:2]} == {row, column}]
        return [meeting if meeting.first == row else meeting.turned() for meeting in met]

    @cached_property
    def superiority(self) -> tuple[tuple[float | None, ...], ...]:
        """Return the LOS of each row's entrant over each column's by their own games; None if these do not tell.

        [entrants][entrants]. The likelihood by all games is that of `ratings`.
        """
        count = len(self.agents)
        met: defaultdict[tuple[int, int], list[Meeting]] = defaultdict(list)
        for meeting in self.meetings:
            if meeting.played and meeting.first != meeting.second:
                one = meeting.turned() if meeting.first > meeting.second else meeting
                met[one.first, one.second].append(one)
        matrix: list[list[float | None]] = [[None] * count for _ in range(count)]
        for (row, column), meetings in met.items():
            matrix[row][column] = los = head_to_head(meetings).los
            matrix[column][row] = None if los is None else 1 - los
        return tuple(map(tuple, matrix))


@dataclass(frozen=True, eq=False)
class Standings(Field):
    """A tournament at one moment. Its rows are in order of points per game, then Elo; those of a gauntlet of Elo."""

    plan: Plan


def crosstable(agents: int, meetings: Sequence[Meeting]) -> Cells:
    """Return the results by first and second player over all games."""
    sums: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for one in meetings:
        seats = [(one.first, one.second, one.wins[0], one.losses[0], one.draws[0])]
        if one.alternate:
            seats.append((one.second, one.first, one.losses[1], one.wins[1], one.draws[1]))
        for row, column, *counts in seats:
            cell = sums[row, column]
            cell[:] = map(sum, zip(cell, counts, strict=True))
    entrants = range(agents)
    return tuple(
        tuple(Cell(*sums[row, column]) if (row, column) in sums else None for column in entrants) for row in entrants
    )


def sums_of(agents: int, parts: Iterable[tuple[int, int, Sequence[Sequence[int]]]]) -> list[list[int]]:
    """Return each entrant's sums of what is counted for both entrants of a part. Games against itself do not count."""
    sums = [[0, 0, 0, 0] for _ in range(agents)]  # moves, chances, mistakes, faults
    for first, second, counts in parts:
        for side, entrant in enumerate((first, second) if first != second else ()):
            sums[entrant] = [before + count[side] for before, count in zip(sums[entrant], counts, strict=True)]
    return sums


def entrants(
    agents: Sequence[str], cells: Cells, ratings: Ratings, sums: Sequence[Sequence[int]], judged: bool
) -> list[Standing]:
    """Return each entrant's results, in the order of the agents; `sums`: its moves, chances, mistakes and faults."""
    rows = []
    for at, (own, chances, mistakes, faults) in enumerate(sums):
        others = [other for other in range(len(agents)) if other != at]
        opened = [cell for other in others if (cell := cells[at][other]) is not None]
        answered = [cell for other in others if (cell := cells[other][at]) is not None]
        wins = sum(cell.first_wins for cell in opened), sum(cell.second_wins for cell in answered)
        draws = sum(cell.draws for cell in opened), sum(cell.draws for cell in answered)
        losses = sum(cell.second_wins for cell in opened), sum(cell.first_wins for cell in answered)
        results = at, agents[at], wins, draws, losses, ratings.scores[at], ratings.ratings[at]
        rows.append(Standing(*results, own, chances, mistakes, judged, faults))
    return rows


def standings(plan: Plan, scores: Sequence[PairingScore], results: Sequence[Results] = ()) -> Standings:
    """Return the standings for these scores of the plan's pairings. The ratings use all games jointly.

    `results`: of each pairing by number of the game, if pairings share openings. Without them games of one opening
    count as independent between pairings, and the seat seems better known than it is.
    """
    count = len(plan.agents)
    played = meetings(plan, scores, results)
    ratings = rate(count, played)
    judged = all(_judged(name) for name in plan.games)
    sums = sums_of(count, ((*one.pairing[1:], (one.own, one.chances, one.mistakes, one.faults)) for one in scores))
    cells = crosstable(count, played)
    kinds: list[Counter[str]] = [Counter() for _ in plan.agents]
    for one in scores:
        for side, entrant in enumerate(one.pairing[1:] if one.pairing.first != one.pairing.second else ()):
            kinds[entrant].update(dict(one.kinds[side]))
    rows = [
        replace(row, kinds=tuple(sorted(kinds[row.entrant].items())))
        for row in entrants(plan.agents, cells, ratings, sums, judged)
    ]
    rows.sort(key=lambda row: rank(row.score, row.rating, row.entrant, by_elo=plan.pairs == GAUNTLET))
    if plan.pays:
        rows = by_payoff(rows, [(*score.pairing[1:], score.payoff or MeanPayoff()) for score in scores])
    return Standings(plan.agents, tuple(rows), cells, ratings, played, plan, by_elo=plan.pairs == GAUNTLET)


def by_payoff(rows: Sequence[Standing], paid: Iterable[tuple[int, int, MeanPayoff]]) -> list[Standing]:
    """Return the rows with their mean payoffs, the highest first. Games against itself do not count.

    `paid`: both entrants of a part, and what its games paid the first.
    """
    sums = defaultdict[int, MeanPayoff](MeanPayoff)
    for first, second, payoff in paid:
        if first != second:
            sums[first] += payoff
            sums[second] += payoff.turned
    paid_rows = [replace(row, payoff=sums[row.entrant]) for row in rows]
    return sorted(paid_rows, key=lambda row: -(sums[row.entrant].mean or 0.0))


def meetings(plan: Plan, scores: Sequence[PairingScore], results: Sequence[Results] = ()) -> tuple[Meeting, ...]:
    """Return the scores as the ratings take them."""
    shared, rows = plan.openings.kind != START, []
    for place, score in enumerate(scores):
        counts = score.wins, score.draws, score.losses, score.pentanomial
        openings, result = score.pairing.game if shared else None, results[place] if shared and results else None
        _, first, second = score.pairing
        rows.append(Meeting(first, second, *counts, openings, result, plan.alternate))
    return tuple(rows)


def rank(score: float | None, rating: Rating, entrant: int, *, by_elo: bool) -> tuple[float, ...]:
    """Return the sort key of standings: points per game, then Elo, then the place in the plan.

    `by_elo`: agents that met different opponents, as in a gauntlet, have no other scale than Elo.
    """
    points = 1.0 if score is None else -score
    elo = math.inf if math.isnan(rating.elo) else -rating.elo
    return (elo, points, entrant) if by_elo and not rating.by_seat else (points, elo, entrant)


@cache
def _judged(name: str) -> bool:
    """Return whether mistakes are known in this game."""
    return judge.is_judged(parse_game(name))


WHOSE = {Outcome.WIN: "won for the player to move", Outcome.LOSS: "lost for the player to move", Outcome.DRAW: "a draw"}


def remark(plan: Plan, progress: Progress = SILENT) -> list[str]:
    """Return what theory says about the starting positions, and what follows: a sentence or two per line.

    May take seconds for a large connect board. Raises Cancelled as the progress does.
    """
    lines, game = [_of_start(plan, name, progress) for name in plan.games], parse_game(plan.games[0])
    ours = [name for name in plan.agents if not is_program(name)]  # a program may be gone
    timed = [name for name in ours if depends_on_the_machine(parse_agent(name, game))]
    if timed:
        plays = "play" if len(timed) > 1 else "plays"
        lines.append(f"{' and '.join(timed)} {plays} by the clock: another machine plays other games.")
    if plan.openings.kind != START:
        sentence = f"Games start {plan.openings.title}."
        if plan.openings.kind == BALANCED:
            sentence = "Every other opening is won for the player to move, the rest are lost."
        last = ", the last one once" * (plan.number % 2)
        swapped = f" Each is played twice, with the seats swapped{last}." if plan.alternate and plan.number > 1 else ""
        lines.append(sentence + swapped)
    return lines


def _of_start(plan: Plan, name: str, progress: Progress) -> str:
    game = parse_game(name)
    of = "" if len(plan.games) == 1 else f" of {game.name}"
    if (reason := theory.why_unsolvable(game, game.start)) is not None:
        return f"The outcome of the start{of} is unknown: {reason}."
    verdict = theory.solve(game, game.start, progress)
    if verdict.payoff is not None:
        text = worth(game, game.start, verdict.payoff)
        return f"The start{of}: {text.replace('Worth', 'worth')}."
    outcome = verdict.outcome
    sentence = f"The start{of} is {WHOSE[outcome]}"
    if plan.openings.kind != START:
        return f"{sentence}."
    if outcome is Outcome.DRAW:
        return f"{sentence}: perfect players draw every game. --openings random:2 avoids this."
    return f"{sentence}: between perfect players the seat decides. --openings balanced:2 avoids this."
