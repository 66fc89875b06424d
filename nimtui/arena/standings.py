"""The results of a tournament: standings, crosstable, LOS, and what theory says about its games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.agents.searching import depends_on_the_machine
from nimtui.arena import judge
from nimtui.arena.meetings import Meeting
from nimtui.arena.openings import BALANCED, START
from nimtui.arena.plan import GAUNTLET, Plan
from nimtui.arena.ratings import Rating, rate
from nimtui.arena.tally import PairingScore, Standings, crosstable, entrants, sums_of
from nimtui.games import parse_game
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome

Results = npt.NDArray[np.int8]


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
    rows = entrants(plan.agents, cells, ratings, sums, judged)
    rows.sort(key=lambda row: rank(row.score, row.rating, row.entrant, by_elo=plan.pairs == GAUNTLET))
    return Standings(plan.agents, tuple(rows), cells, ratings, played, plan, by_elo=plan.pairs == GAUNTLET)


def meetings(plan: Plan, scores: Sequence[PairingScore], results: Sequence[Results] = ()) -> tuple[Meeting, ...]:
    """Return the scores as the ratings take them."""
    shared = plan.openings.kind != START
    return tuple(
        Meeting(
            score.pairing.first,
            score.pairing.second,
            score.wins,
            score.draws,
            score.losses,
            score.pentanomial,
            score.pairing.game if shared else None,
            results[place] if shared and results else None,
            plan.alternate,
        )
        for place, score in enumerate(scores)
    )


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


WHOSE = {
    Outcome.WIN: "won for the player to move",
    Outcome.LOSS: "lost for the player to move",
    Outcome.DRAW: "a draw",
}


def remark(plan: Plan, progress: Progress = SILENT) -> list[str]:
    """Return what theory says about the starting positions, and what follows: a sentence or two per line.

    May take seconds for a large connect board. Raises Cancelled as the progress does.
    """
    lines, game = [_of_start(plan, name, progress) for name in plan.games], parse_game(plan.games[0])
    timed = [name for name in plan.agents if depends_on_the_machine(parse_agent(name, game))]
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
    outcome = theory.solve(game, game.start, progress).outcome
    sentence = f"The start{of} is {WHOSE[outcome]}"
    if plan.openings.kind != START:
        return f"{sentence}."
    if outcome is Outcome.DRAW:
        return f"{sentence}: perfect players draw every game. --openings random:2 avoids this."
    return f"{sentence}: between perfect players the seat decides. --openings balanced:2 avoids this."
