"""Tell a moment of a game in words: what its player believed of the move, and the exact value beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nimtui.agents.belief import Belief, Kind
from nimtui.arena.beliefs import MARKS
from nimtui.arena.history import Cell, Moment
from nimtui.arena.review_text import Names
from nimtui.report.values import Ending, Mean, Score, Value
from nimtui.theory import Outcome

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

    def told(self, ply: int) -> str:
        """Return what is known of the move at this ply, as a sentence; '' if nothing is."""
        names = self.by[ply] if ply < len(self.by) else self.names
        return told(self.moments[ply], names, self.analyst) if 0 <= ply < len(self.moments) else ""


def told(moment: Moment, names: Names, analyst: str = "") -> str:
    """Return a moment as a sentence: 'Move 7: mcts expected +0.40; exact: it loses in 5 plies.'

    `names` are the players on both seats as they stand inside a sentence; `analyst` names the analysing agent. ''
    if neither a belief nor the value is known.
    """
    who = names[moment.seat]
    said = []
    if moment.belief is not None:
        said.append(believed(moment.belief, who))
    if moment.estimate is not None and analyst:
        said.append(f"{analyst} estimates {Believed(moment.estimate)}")
    if moment.outcome is not None:
        truth = _truth(moment, "it" if moment.belief is not None and who != "you" else who)
        ended = moment.remoteness == 0
        said.append(truth if ended else f"exact: {truth}" if said else f"{truth} with perfect play")
    return f"Move {moment.ply + 1}: {'; '.join(said)}." if said else ""


def believed(belief: Belief, who: str) -> str:
    """Return what a player believed of its move: 'mcts expected +0.40', 'perfect was sure to win'."""
    if belief.kind is Kind.EXACT:
        return f"{who} {'were' if who == 'you' else 'was'} sure {ENDS[int(belief.number)]}"
    verb = "scored the move" if belief.kind is Kind.SCORE else "expected"
    return f"{who} {verb} {Believed(belief)}"


def sides(names: Names) -> tuple[str, str]:
    """Return what the left and the right half mean: ('mcts wins', 'you win')."""
    first, second = (f"{name} {'win' if name == 'you' else 'wins'}" for name in names)
    return second, first


def legend(rows: Sequence[str], signs: dict[str, str], analyst: str = "", players: str = "its player") -> str:
    """Return what the signs in these rows of cells mean; `signs` has the sign of each `Cell`."""
    shown = set("".join(rows))
    bars = "".join(signs[cell] for cell in (Cell.LOST, Cell.WON) if cell in shown)
    said = [f"{bars} exact, longer: sooner over"] if bars else []
    said += [f"{signs[Cell.DRAWN]} exact draw"] if Cell.DRAWN in shown else []
    jump = f"{2 * signs[Cell.JUMP]}{signs[Cell.MISTAKE]} mistake, from the value before"
    said += [jump if Cell.JUMP in shown else f"{signs[Cell.MISTAKE]} mistake"] if Cell.MISTAKE in shown else []
    said += [f"{signs[Cell.BELIEVED]} expected by {players}"] if Cell.BELIEVED in shown else []
    said += [f"{signs[Cell.ESTIMATED]} estimated by {analyst}"] if Cell.ESTIMATED in shown else []
    return " · ".join(said)


def _truth(moment: Moment, who: str) -> str:
    """Return the exact value after the move for its player: 'it loses in 5 plies'."""
    outcome = moment.outcome if moment.seat == 0 or moment.outcome is None else moment.outcome.reply
    you = who == "you"
    if outcome is Outcome.DRAW:
        return "a draw"
    if moment.remoteness == 0:
        return f"{who} {'have' if you else 'has'} {'won' if outcome is Outcome.WIN else 'lost'}"
    verb = "win" if outcome is Outcome.WIN else "lose"
    return Ending(f"{who} {verb}{'' if you else 's'}", moment.remoteness).spoken
