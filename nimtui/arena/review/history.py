"""The value of a game after each of its moves, and in words: the exact value where it is known, and what was believed.

All values are for the first player: the player of the first move after the opening. A place is a number from −1, lost,
to 1, won, where a draw is 0. An exact value's place also shows the distance to the end: a win far away is near the
middle, and a game that has just been won is at 1. No win is nearer to the middle than `LEAST`, so that a change of the
outcome can be seen.

An agent may estimate every position: in games too large to solve, and beside the exact values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from nimtui.agents.agent import Agent
from nimtui.agents.belief import MARKS, PLACES, Belief, Beliefs, Kind, belief_of
from nimtui.arena.review.review import Judgement, Names, for_first
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, base
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Ending, Mean, Score, Value
from nimtui.theory import Outcome

LEAST = 0.2  # the place of the win farthest from its end
UNKNOWN_DISTANCE = 0.5  # the place of a win whose distance to the end is unknown


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after one move. None: unknown."""

    ply: int  # moves made before it
    seat: int  # of its player: 0 the first, 1 the second
    outcome: Outcome | None = None  # under perfect play, for the first player
    remoteness: int | None = None  # plies to the end under best play; None in a draw
    gave_away: str = ""  # what a mistake changed for its player: 'win → loss'
    before: float | None = None  # the place before the move
    place: float | None = None
    belief: Belief | None = None  # of the player who made the move, for that player
    estimate: Belief | None = None  # of an analysing agent, for the player who made the move
    payoff: int | None = None  # games with payoffs: what perfect play is worth to the first player

    @property
    def believed(self) -> float | None:
        """Return the place of the player's belief; None for a score."""
        return self._place(self.belief)

    @property
    def estimated(self) -> float | None:
        """Return the place of the analysing agent's estimate."""
        return self._place(self.estimate)

    @property
    def blank(self) -> bool:
        """Return whether nothing is known that could be drawn."""
        return self.place is None and self.believed is None and self.estimated is None

    def _place(self, belief: Belief | None) -> float | None:
        value = None if belief is None else belief.value
        return value if value is None or self.seat == 0 else -value


def history(
    plies: int, judgements: Sequence[Judgement] = (), beliefs: Beliefs = (), estimates: Beliefs = (), opening: int = 0
) -> list[Moment]:
    """Return a moment for each of the first `plies` moves. Shorter lists: the rest is unknown.

    Beliefs and estimates are for the players of the moves. Judgements without remoteness have no distances.
    """
    swap = opening % 2
    judged = judgements[:plies]
    longest = max((plies for one in judged for plies in (one.plies_before, one.plies_after) if plies), default=0)
    worths = [abs(worth or 0) for one in judged for worth in (one.payoff_before, one.payoff_after)]
    largest = max([1, *worths])
    moments = []
    for ply, one, belief, estimate in zip_longest(range(plies), judged, beliefs[:plies], estimates[:plies]):
        seat = ply % 2 ^ swap
        if one is None:
            moments.append(Moment(ply, seat, belief=belief, estimate=estimate))
            continue
        before, after = for_first(one.before, seat), for_first(one.after, seat)
        places = (place(before, one.plies_before, longest), place(after, one.plies_after, longest))
        payoff, sign = one.payoff_after, 1 if seat == 0 else -1
        if payoff is not None and one.payoff_before is not None:
            places = (sign * one.payoff_before / largest, sign * payoff / largest)
            payoff *= sign
        moments.append(Moment(ply, seat, after, one.plies_after, one.gave_away, *places, belief, estimate, payoff))
    return moments


def place(outcome: Outcome | None, remoteness: int | None, longest: int) -> float | None:
    """Return the place of an exact value in a game whose largest remoteness is `longest`."""
    if outcome is None:
        return None
    distance = UNKNOWN_DISTANCE
    if remoteness is not None:
        distance = 1.0 if not longest else LEAST + (1 - LEAST) * (longest - remoteness) / longest
    return outcome.worth * distance


class Cell(StrEnum):
    """What a cell of a drawn moment shows. Each sign is one character, so that a row of cells is a text."""

    EMPTY = " "
    MIDDLE = "|"
    DRAWN = "="
    LOST = "L"  # of the bar of an exact value, left of the middle
    WON = "W"
    JUMP = "-"  # from the value before a mistake
    MISTAKE = "x"
    BELIEVED = "o"
    ESTIMATED = "e"


def cells(moment: Moment, width: int) -> str:
    """Return a moment as a row of `width` cells, each a `Cell`. The middle is at (width − 1) // 2."""
    if width < 1:
        return ""
    middle = (width - 1) // 2
    row = [Cell.EMPTY] * width
    row[middle] = Cell.MIDDLE
    end = None if moment.place is None else column(moment.place, width)
    if end is not None:
        bar = range(middle + 1, end + 1) if end > middle else range(end, middle)
        for at in bar:
            row[at] = Cell.WON if end > middle else Cell.LOST
        if end == middle:
            row[middle] = Cell.DRAWN
    if end is not None and moment.gave_away and moment.before is not None:
        start = column(moment.before, width)
        for at in range(min(start, end), max(start, end) + 1):
            row[at] = Cell.JUMP if row[at] is Cell.EMPTY else row[at]
        row[end] = Cell.MISTAKE
    for value, sign in ((moment.estimated, Cell.ESTIMATED), (moment.believed, Cell.BELIEVED)):
        if value is not None:
            at = column(value, width)
            if row[at] is Cell.MISTAKE:  # both stay visible
                at += 1 if at < middle else -1
            row[at] = sign
    return "".join(row)


def column(place: float, width: int) -> int:
    """Return the cell of a place. Only 0 is in the middle, if there is room for more than one cell."""
    middle = (width - 1) // 2
    away = int(abs(place) * middle + 0.5)
    if place and middle:
        away = max(1, away)
    return middle + away if place > 0 else middle - away


ENDS = {-1: "to lose", 0: "of a draw", 1: "to win"}
RESULTS = {-1: "a loss", 0: "a draw", 1: "a win"}


@dataclass(frozen=True, slots=True)
class Believed(Value):
    """What a player believed of its move: '+0.40', '−37,266', 'a win'; None: nothing."""

    belief: Belief | None

    @property
    def text(self) -> str:
        if self.belief is None:
            return ""
        exact = self.belief.kind is Kind.EXACT
        return RESULTS[int(self.belief.number)] if exact else self._number

    @property
    def short(self) -> str:
        """A cell of a table: '+0.40', '=+1' for an exact value, '#37' for a score."""
        if self.belief is None:
            return ""
        return f"{MARKS[self.belief.kind]}{self._number}"

    @property
    def _number(self) -> str:
        assert self.belief is not None
        number = self.belief.number
        whole = self.belief.kind is not Kind.ESTIMATE and float(number).is_integer()
        return (Score if whole else Mean)(number).text

    @property
    def raw(self) -> dict[str, Any] | None:
        """The kind, the value (−1 to 1) or the score, and the work."""
        if (belief := self.belief) is None:
            return None
        score = belief.number if belief.kind is Kind.SCORE else None
        return {"kind": belief.kind.value, "value": belief.value, "score": score, "work": belief.work}


@dataclass(frozen=True, slots=True)
class Story:
    """The moments of a game, and who played it: the first and the second player, after the opening."""

    moments: Sequence[Moment]
    names: Names
    analyst: str = ""  # the agent of the estimates
    by: Sequence[Names] = ()  # the names at each move: players may have swapped their seats later

    @property
    def blank(self) -> bool:
        """Return whether nothing can be drawn."""
        return all(moment.blank for moment in self.moments)

    @property
    def paid(self) -> bool:
        """Is it a game with payoffs?"""
        return any(moment.payoff is not None for moment in self.moments)

    def told(self, ply: int) -> str:
        """Return the move at this ply as a sentence: 'Move 7: mcts expected +0.40; exact: it then loses in 5 plies.'

        '' if neither a belief nor the value is known.
        """
        if not 0 <= ply < len(self.moments):
            return ""
        moment, parts = self.moments[ply], []
        who = (self.by[ply] if ply < len(self.by) else self.names)[moment.seat]
        if moment.belief is not None:
            parts.append(believed(moment.belief, who))
        if moment.estimate is not None and self.analyst:
            parts.append(f"{self.analyst} estimates {Believed(moment.estimate)}")
        if moment.outcome is not None:
            truth = _truth(moment, "it" if moment.belief is not None and who != "you" else who)
            ended = moment.remoteness == 0
            parts.append(truth if ended else f"exact: {truth}" if parts else f"{truth} with perfect play")
        return f"Move {moment.ply + 1}: {'; '.join(parts)}." if parts else ""


def believed(belief: Belief, who: str) -> str:
    """Return what a player believed of its move: 'mcts expected +0.40', 'perfect was sure to win'."""
    if belief.kind is Kind.EXACT:
        return f"{who} {'were' if who == 'you' else 'was'} sure {ENDS[int(belief.number)]}"
    verb = "scored the move" if belief.kind is Kind.SCORE else "expected"
    return f"{who} {verb} {Believed(belief)}"


def sides(names: Names, paid: bool = False) -> tuple[str, str]:
    """Return what the left and the right half mean: ('mcts wins', 'you win'); `paid`: of a game with payoffs."""
    verb = "gain" if paid else "win"
    first, second = (f"{name} {verb}{'' if name == 'you' else 's'}" for name in names)
    return second, first


def legend(rows: Sequence[str], analyst: str = "", paid: bool = False) -> list[tuple[str, str]]:
    """Return the kinds of cells in these rows, each with what it means. `paid`: of a game with payoffs."""
    drawn = set("".join(rows))
    meanings = (
        (Cell.LOST + Cell.WON, f"exact, longer: {'more points' if paid else 'sooner over'}"),
        (Cell.DRAWN, "exact draw"),
        (Cell.JUMP + Cell.MISTAKE, "mistake, from the value before" if Cell.JUMP in drawn else "mistake"),
        (Cell.BELIEVED, "expected by its player"),
        (Cell.ESTIMATED, f"estimated by {analyst}"),
    )
    parts = (("".join(cell for cell in kinds if cell in drawn), meaning) for kinds, meaning in meanings)
    return [(kinds, meaning) for kinds, meaning in parts if kinds]


def _truth(moment: Moment, who: str) -> str:
    """Return the exact value after the move for its player: 'it then loses in 5 plies'."""
    outcome = moment.outcome if moment.seat == 0 or moment.outcome is None else moment.outcome.reply
    if moment.payoff is not None:
        return f"worth {Score(moment.payoff if moment.seat == 0 else -moment.payoff)}"
    you = who == "you"
    if outcome is Outcome.DRAW:
        return "a draw"
    if moment.remoteness == 0:
        return f"{who} {'have' if you else 'has'} {'won' if outcome is Outcome.WIN else 'lost'}"
    verb = "win" if outcome is Outcome.WIN else "lose"
    then = " then" if moment.remoteness else ""  # plies after the move
    return Ending(f"{who}{then} {verb}{'' if you else 's'}", moment.remoteness).spoken


USUAL = "mcts:simulations=2000"
ENDED = {base.WON: 1.0, base.LOST: -1.0, base.DRAW: 0.0}


def estimates(record: Record, agent: Agent, seed: int, progress: Progress = SILENT) -> list[Belief]:
    """Return the agent's belief about the position after each move, for the player who made the move.

    That is the opposite of what the agent believes of its own move there. The same seed gives the same estimates. The
    position after the last move of a finished game is exact. Raise InputError if the agent has no expected results.
    """
    agent.prepare(progress)
    state = record.state_at(0)
    beliefs = []
    for ply, move in enumerate(record.moves):
        progress.report(ply, record.ply, "moves")
        base.play(state, move)
        beliefs.append(_of(agent, state, Stream(seed, ply + 1), progress))
    return beliefs


def _of(agent: Agent, state: State, stream: Stream, progress: Progress) -> Belief:
    outcome = int(base.outcome(state))
    if outcome != base.GOING_ON:
        return Belief(Kind.EXACT, ENDED[outcome])
    belief = belief_of(agent.decide(base.copy(state), stream, progress))
    if belief is None or belief.value is None:
        raise InputError(f"{agent.name} does not expect results: name an agent such as {USUAL} or mc")
    return Belief(belief.kind, round(-belief.value, PLACES) + 0.0, belief.work)
