"""What a match shows: each agent's score and Elo lead with their intervals, and what they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from math import nan
from typing import Any, NamedTuple

from nimtui.agents.program import called
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.match import MatchResult, Score
from nimtui.arena.play.plan import LOSES_GAME
from nimtui.arena.play.steps import MeanPayoff
from nimtui.arena.rating.ratings import UNKNOWN, Rating, Seat
from nimtui.arena.rating.ratings import Score as Points
from nimtui.arena.standings import ledger, statements
from nimtui.arena.standings.games_report import won
from nimtui.arena.standings.standings_report import PAYOFF
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.report.blocks import Block, Column, Facts, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import rows_of
from nimtui.report.values import Count, Duration, Keys, Likelihood, Share, Word

MOST_FAULTS = 6  # different faults that are named
AHEAD = "Elo ahead: the difference of the two agents. A tournament rates each against the mean, here half of it."


class Row(NamedTuple):
    """One agent of a match."""

    counts: Score
    score: Points
    ahead: Rating  # its Elo lead over the other
    fault_counts: dict[str, int]  # of the games that it lost by a fault, by kind
    payoff: MeanPayoff | None = None  # in a game with payoffs: then it has no Elo

    @property
    def keys(self) -> dict[str, Any]:
        """Return the row of a document."""
        ahead = self.ahead.keys if self.payoff is None else {**UNKNOWN.keys, **self.payoff.keys}
        return {**asdict(self.counts), **self.score.keys, **ahead, "fault_counts": self.fault_counts}


def match(result: MatchResult, asked: int, limits: Limits, rule: str = LOSES_GAME, sandbox: str = "") -> Report:
    """Return the report of a match of `asked` games: of a single game its moves and its winner.

    `score`, its bounds and `los` are the first agent's against the second. `sandbox` says what closes programs in.
    """
    pair, table = result.head_to_head, agents(result)
    facts = {
        "game": result.game.name,
        "games": result.games,
        "first_wins": result.first_wins,
        "second_wins": result.second_wins,
        "draws": result.draws,
        **pair.score.keys,
        "los": None if result.agents[0] == result.agents[1] or result.payoff else pair.los,
        **(Seat(nan, nan) if result.payoff else pair.seat).keys,
        "pentanomial": result.sums.pentanomial.tolist(),
        "faults": [
            {"game": game + 1, "agent": result.agents[loser], **fault.document()}
            for game, loser, fault in result.sums.faults
        ],
        "seconds": result.seconds,
        "plies": result.plies,
        **limits.facts,
        "fault_rule": rule,
        "sandbox": sandbox or None,
    }
    head = [sandbox, *(statements.rules(limits, rule) if asked > 1 else ())]
    blocks: list[Block] = [Heading(Place(result.game, result.game.start, None).title), Facts(facts)]
    blocks += map(Sentence, filter(None, head))
    if asked == 1:
        opening = int(result.batch.opening[0]) if result.games else 0
        moves = {"agents": rows_of(table), "opening": opening, "transcript": list(result.transcript)}
        return Report([*blocks, Facts(moves), Sentence(winner(result))])
    summary = (
        f"{plural(result.games, 'game', 'games')} in {Duration(result.seconds)}: "
        f"the first to move won {result.first_wins:,}, the second {result.second_wins:,}"
    )
    equal = ledger.joined((), (ledger.EqualFaults(text, 1, "") for text in result.faults))
    return Report([*blocks, table, Gap(), *map(Sentence, (summary, *notes(result), *ledger.lines(equal, MOST_FAULTS)))])


def agents(result: MatchResult) -> Table:
    """Return a row for each agent: its counts, its score, its Elo lead over the other."""
    pair = result.head_to_head
    first, second = result.by_agent
    names = dict(zip(result.agents, _names(result), strict=True))
    ahead = replace(pair.ahead, by_seat=True) if first.agent == second.agent else pair.ahead  # of equals: the seat
    kinds = [Counter(fault.kind for _, loser, fault in result.sums.faults if loser == player) for player in (0, 1)]
    paid = (None, None) if result.payoff is None else (result.payoff, result.payoff.turned)
    rows = [
        Row(first, pair.score, ahead, dict(kinds[0]), paid[0]),
        Row(second, pair.score.turned(), ahead.turned(), dict(kinds[1]), paid[1]),
    ]
    strength = (
        Column("Elo ahead", lambda row: row.ahead.value),
        Column("95 %", lambda row: row.ahead.range, left=True, joined=True),
    )
    columns = [
        Column("agent", lambda row: Word(names[row.counts.agent]), left=True),
        Column(None, lambda row: Keys(row.keys), "agent"),
        Column("wins", lambda row: Count(row.counts.wins)),
        Column("losses", lambda row: Count(row.counts.losses)),
        Column("draws", lambda row: Count(row.counts.draws)),
        Column("score", lambda row: Share(row.score.share)),
        Column("95 %", lambda row: row.score.interval, left=True, joined=True),
        *(strength if result.payoff is None else PAYOFF),
    ]
    return Table("agents", columns, rows)


def _names(result: MatchResult) -> tuple[str, str]:
    """Return what the agents are called: by their whole names where the files of two programs have one name."""
    first, second = map(called, result.agents)
    return result.agents if first == second and result.agents[0] != result.agents[1] else (first, second)


def notes(result: MatchResult) -> Iterator[str]:
    """Give what the result shows, a sentence or two each."""
    pair, same, (first, second) = result.head_to_head, result.agents[0] == result.agents[1], _names(result)
    if not result.games:
        return
    if result.payoff is None:
        if not same and pair.los is not None:
            yield f"LOS (the probability that {first} is stronger than {second}): {Likelihood(pair.los).text}."
            yield AHEAD
            yield from filter(None, [statements.of_pair(pair)])
        if same:
            yield "The agents are the same: there is no Elo lead."
        seat = statements.of_seat(pair.seat, pair.meetings)
        if seat and not (same and seat.startswith(statements.UNSWAPPED)):
            yield seat
    if not result.alternate and not same:
        yield f"{first} moved first in every game: --alternate swaps seats."


def winner(result: MatchResult) -> str:
    """Return who won the only game, in which seat, and by which fault of the other; '' if it was not finished."""
    if not result.sums.games:
        return ""
    played = result.batch.game(0)
    if not result.games:
        return f"the game does not count: {played.fault}"
    if result.payoff is not None:
        total = result.payoff.total
        gains = f"{called(result.agents[total < 0])} gets {plural(abs(total), 'point', 'points')}"
        return gains if total else "the game pays 0"
    if played.winner is None:
        return "a draw"
    return won(result.agents[played.winner], played.winner ^ played.opener, played.fault)
