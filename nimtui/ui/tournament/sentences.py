"""The sentences of the Tournament screen: about a cell of the crosstable, a pairing, a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nimtui.arena.head_to_head import head_to_head
from nimtui.arena.plan import GAUNTLET, ORDERED
from nimtui.arena.statements import NOTHING, of_pair, of_ratings, of_seat
from nimtui.games.notation import plural
from nimtui.report.values import Likelihood, Share
from nimtui.ui.kit.entries import usual_name

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Cell, Standings


def played(plan: Plan) -> str:
    """Return '15 pairs × 100 games, seats swapped'."""
    pairs = len(plan.pairings) // len(plan.games)
    games = plural(plan.number, "game", "games")
    if plan.pairs == ORDERED:
        return f"{pairs} ordered {'pair' if pairs == 1 else 'pairs'} × {games}"
    kind = "gauntlet of " * (plan.pairs == GAUNTLET)
    return f"{kind}{plural(pairs, 'pair', 'pairs')} × {games}{', seats swapped' * (plan.number > 1)}"


def games(plan: Plan) -> str:
    """Return what is played: the game's title, or the number of games."""
    from nimtui.games import parse_game

    titles = [parse_game(name).title for name in plan.games]
    if len(titles) == 1:
        return titles[0]
    return f"{len(titles)} games: " + "; ".join(title.partition(" · ")[0] for title in titles)


def of_cell(standings: Standings, labels: Sequence[str], row: int, column: int) -> list[str]:
    """Return the marked cell in words: who against whom, then at most three short lines."""
    opened, answered = standings.cells[row][column], standings.cells[column][row]
    name, other = labels[row], labels[column]
    if row == column:
        return [f"{name} against itself", *_with_itself(opened)]
    head = f"{name} against {other}"
    if opened is None and answered is None:
        return [head, f"no games: in a gauntlet only {labels[0]} plays the others"]
    if not any(cell.played for cell in (opened, answered) if cell is not None):
        return [head, "no finished game yet"]
    return [head, *_results(opened, answered), _stronger(standings, row, column)]


def _with_itself(cell: Cell | None) -> list[str]:
    if cell is None:
        return ["played only with ordered pairs"]
    if not cell.played:
        return ["no finished game yet"]
    draws = f", {plural(cell.draws, 'draw', 'draws')}" if cell.draws else ""
    return [f"the first player won {cell.first_wins:,} of {cell.played:,}{draws}"]


def _results(opened: Cell | None, answered: Cell | None) -> list[str]:
    """Return 'won 97 of 100', '50 of 50 moving first, 47 of 50 second'; or 'won 31, drew 66, lost 3 of 100' …"""
    seats: list[tuple[str, int, int, int]] = []
    for cell, seat in ((opened, "moving first"), (answered, "moving second")):
        if cell is not None and cell.played:
            won, lost = (cell.first_wins, cell.second_wins) if cell is opened else (cell.second_wins, cell.first_wins)
            seats.append((seat, won, cell.draws, lost))
    won, drawn, lost = (sum(counts) for counts in zip(*(seat[1:] for seat in seats), strict=True))
    games = won + drawn + lost
    if drawn:
        whole = f"won {won:,}, drew {drawn:,}, lost {lost:,} of {games:,}"
        parts = [f"{seat} {own:,}, {even:,}, {other:,}" for seat, own, even, other in seats]
    else:
        whole = f"won {won:,} of {games:,}"
        parts = [f"{own:,} of {own + other:,} {seat}" for seat, own, _, other in seats]
    if len(parts) == 1:
        return [f"{whole}, {seats[0][0]}"]
    return [whole, (", " if not drawn else "; ").join(parts)]


def _stronger(standings: Standings, row: int, column: int) -> str:
    pair = head_to_head(standings.between(row, column))
    if pair.los is None:
        return NOTHING if pair.score.games else "LOS unknown so far"
    return f"LOS {Likelihood(pair.los).text} by these games" + "; too few games to say" * of_pair(pair).startswith(
        "Too few"
    )


def of_mistakes(standings: Standings, labels: Sequence[str], entrants: Sequence[int]) -> str:
    """Return 'mistakes: mc 600 31.0 %, value 0 %'; '' if unknown."""
    known = {row.entrant: row.mistake_rate for row in standings.rows if row.mistake_rate is not None}
    told = [f"{labels[at]} {Share(known[at]).text}" for at in dict.fromkeys(entrants) if at in known]
    return f"mistakes: {', '.join(told)}" if told else ""


def of_standings(standings: Standings, labels: Sequence[str], *, running: bool) -> list[str]:
    """Return what the standings show: while games run the seat alone, as the rest changes with every game."""
    if running:
        return list(filter(None, [of_seat(standings.seat, standings.meetings)]))
    return list(of_ratings(standings.ratings, standings.meetings, labels))


def on_screen(remark: str, plan: Plan) -> str:
    """Return a remark of theory with the form's words for its advice and short names for its games."""
    for game in plan.games:
        remark = remark.replace(f" {game} ", f" {usual_name(game)} ")
    said, option, _ = remark.partition(" --openings ")
    return f"{said} Balanced openings avoid this." if option and "balanced" in remark else said
