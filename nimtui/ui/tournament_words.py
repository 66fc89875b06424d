"""What the Tournament screen says in sentences: of a cell of the crosstable, of a pairing, of a plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nimtui.arena.plan import GAUNTLET, ORDERED
from nimtui.games.notation import plural
from nimtui.ui.widgets.crosstable import tenths

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Cell, PairingScore, Standings


def played(plan: Plan) -> str:
    """'15 pairs × 100 games, seats swapped'."""
    pairs = len(plan.pairings) // len(plan.games)
    games = f"{plural(plan.number, 'game', 'games')}"
    if plan.pairs == ORDERED:
        return f"{pairs} ordered {'pair' if pairs == 1 else 'pairs'} × {games}"
    kind = "gauntlet of " * (plan.pairs == GAUNTLET)
    return f"{kind}{plural(pairs, 'pair', 'pairs')} × {games}, seats swapped"


def games(plan: Plan) -> str:
    """What is played: the game's title, or how many games."""
    from nimtui.games import parse_game

    titles = [parse_game(name).title for name in plan.games]
    if len(titles) == 1:
        return titles[0]
    return f"{len(titles)} games: " + ", ".join(title.partition(" · ")[0] for title in titles)


def size(plan: Plan) -> str:
    """'6 agents, 36 pairings, 3,600 games'."""
    agents, pairings = plural(len(plan.agents), "agent", "agents"), plural(len(plan.pairings), "pairing", "pairings")
    return f"{agents}, {pairings}, {plural(plan.total, 'game', 'games')}"


def of_cell(standings: Standings, labels: Sequence[str], row: int, column: int) -> list[str]:
    """The marked cell in words."""
    opened, answered = standings.cells[row][column], standings.cells[column][row]
    name, other = labels[row], labels[column]
    if row == column:
        return [_with_itself(name, opened)]
    if opened is None and answered is None:
        first = labels[0]
        return [f"{name} and {other} never meet: in a gauntlet {first} meets each of the others."]
    if not (opened is not None and opened.played) and not (answered is not None and answered.played):
        return [f"No game of {name} and {other} is over yet."]
    lines = [f"{name} against {other}: " + ", ".join(_by_seat(opened, answered)) + "."]
    return [*lines, _stronger(standings, labels, row, column)]


def _with_itself(name: str, cell: Cell | None) -> str:
    if cell is None:
        return f"{name} does not play itself: only in a tournament of ordered pairs."
    if not cell.played:
        return f"No game of {name} against itself is over yet."
    draws = f", {plural(cell.draws, 'draw', 'draws')}" if cell.draws else ""
    return f"{name} against itself: who moves first won {cell.first_wins:,} of {cell.played:,}{draws}."


def _by_seat(opened: Cell | None, answered: Cell | None) -> list[str]:
    """'won 97 of 100', 'moving first 50 of 50', 'second 47 of 50, 1 draw'."""
    parts = []
    won = drawn = total = 0
    for cell, seat in ((opened, "first"), (answered, "second")):
        if cell is None or not cell.played:
            continue
        wins = cell.first_wins if seat == "first" else cell.second_wins
        won, drawn, total = won + wins, drawn + cell.draws, total + cell.played
        draws = f" and {plural(cell.draws, 'draw', 'draws')}" if cell.draws else ""
        parts.append(f"{wins:,} of {cell.played:,}{draws} moving {seat}")
    if len(parts) == 1:
        return [f"won {parts[0]}"]
    return [f"won {won:,} of {total:,}", *parts]


def _stronger(standings: Standings, labels: Sequence[str], row: int, column: int) -> str:
    found = standings.superiority[row][column]
    if math.isnan(found):
        return "Which of them is stronger is not known yet."
    better, worse, sure = (row, column, found) if found >= 0.5 else (column, row, 1 - found)
    if sure == 0.5:
        return "Neither seems the stronger one."
    return f"{labels[better]} is stronger than {labels[worse]} with a likelihood of {likelihood(sure)}."


def likelihood(value: float) -> str:
    """'97.5 %'; '> 99.9 %' for what is nearly certain."""
    return "> 99.9 %" if value > 0.999 else f"{tenths(value)} %"


def of_test(score: PairingScore, plan: Plan, labels: Sequence[str]) -> str:
    """Where the sequential test of a pairing stands; '' where there is none."""
    if plan.sprt is None or score.llr is None:
        return ""
    first, second = labels[score.pairing.first], labels[score.pairing.second]
    low, high = plan.sprt.bounds
    if score.verdict:
        by = plan.sprt.elo1 if score.verdict == "H1" else plan.sprt.elo0
        said = f"about {by:+g} Elo stronger than" if by else "no stronger than"
        if score.verdict == "H1":
            return f"Test ended after {score.played:,} games, H1: {first} is {said} {second}, or more."
        return f"Test ended after {score.played:,} games, H0: {first} is {said} {second}, or less."
    return f"Test goes on: LLR {score.llr:+.2f} between {low:.2f} (H0) and {high:.2f} (H1)."


def of_advantage(standings: Standings) -> str:
    """What moving first is worth; '' while that is not known."""
    elo = standings.advantage
    if math.isnan(elo):
        return ""
    if math.isinf(elo):
        return f"Who moves {'first' if elo > 0 else 'second'} has always won."
    if round(elo) == 0:
        return "Moving first is worth nothing here."
    return f"Moving {'first' if elo > 0 else 'second'} is worth {abs(round(elo))} Elo."


def on_screen(remark: str) -> str:
    """A remark of theory, its advice in the words of the form."""
    said, option, _ = remark.partition(" --openings ")
    return f"{said} Balanced openings take that away." if option and "balanced" in remark else said
