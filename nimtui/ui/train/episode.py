"""Paints a self-play game move by move, with the scores of its moves before and after the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimtui.agents.belief import Belief, Kind
from nimtui.arena.history import Cell, Moment, place
from nimtui.arena.turning_point import for_first
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.report.lines import Ink, Line, Run, cut, line, paragraphs
from nimtui.report.lines import width as ink_width
from nimtui.theory import Outcome
from nimtui.ui.board import small_board
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.play import value_history
from nimtui.ui.train.position_panel import ShortScore

BOARD = 18  # columns of the board
LEAST_BAR = 13  # columns of the value history
SEATS = ("First", "Second")


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of the game: its position, and its score before and after the game."""

    state: State
    position: str
    move: Move
    name: str
    before: float
    after: float
    exact: int | None = None  # of the move for its player: 1 wins, 0 draws, −1 loses; None: unknown
    was: int | None = None  # of the position before, for the same player


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game."""

    game: Game
    number: int  # counted from 1, over all games of the table
    plies: Sequence[Ply]
    outcome: int  # for the player who moved last
    sure: int | None = None  # the score of a proven win, and with − of a proven loss; None: nothing is proven

    @property
    def frames(self) -> int:
        """The number of pictures: one per move, then one with the changed scores."""
        return len(self.plies) + 1

    @property
    def winner(self) -> int | None:
        """The winner: 0 the first player, 1 the second; None in a draw."""
        last = (len(self.plies) - 1) % 2
        return None if self.outcome == base.DRAW else last if self.outcome == base.WON else 1 - last


def paint(played: Played | None, frame: int, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the game after `frame` moves with the next move marked; the last frame shows what changed."""
    if played is None or not played.plies:
        return paragraphs(["The next game appears here, move by move."], columns, Ink.QUIET)[:rows]
    frame = max(0, min(frame, played.frames - 1))
    taught = frame == len(played.plies)
    at = min(frame, len(played.plies) - 1)
    ply = played.plies[at]
    room = rows - 2
    high = small_board.height(played.game, room)
    beside = high > 0 and columns >= BOARD + 36
    board = small_board.paint(played.game, ply.state, ply.move, BOARD, high, signs) if beside else []
    width = columns - BOARD - 1 if beside else columns
    table, bars = _table(played, at, taught, width, room, signs)
    lines = [cut(_head(played, taught, bars, signs), columns, signs.hidden)]
    for y in range(max(len(board), len(table))):
        left = board[y] if y < len(board) else ()
        right = table[y] if y < len(table) else ()
        if beside:
            pad = BOARD + 1 - sum(len(run.text) for run in left)
            lines.append(line(*left, " " * pad, *right))
        else:
            lines.append(right)
    lines += [()] * (rows - 1 - len(lines))
    return [*lines[: rows - 1], cut(_result(played, taught, columns, signs), columns, signs.hidden)]


def _head(played: Played, taught: bool, bars: bool, signs: Glyphs) -> Line:
    """Paint the number of the game, and what the signs of its value history mean."""
    said = "what changed" if taught else "in play"
    before, after = (signs.history[value_history.ORDER.index(cell)] for cell in (Cell.BELIEVED, Cell.ESTIMATED))
    meaning = f"   right: first player ahead   {before} score before" + (f"   {after} after" if taught else "")
    return line((f"Game {played.number:,}", Ink.STRONG), (f"  {said}{meaning if bars else ''}", Ink.QUIET))


def moments(played: Played, taught: bool) -> list[Moment]:
    """Return the value history of the game: each score before it, and if it is `taught` after it, as a share of the
    largest score; beside the exact value, whose distance to the end is unknown.
    """
    scores = [abs(score) for ply in played.plies for score in (ply.before, ply.after)]
    most = played.sure or max(1.0, *scores)

    def share(score: float) -> Belief:
        return Belief(Kind.ESTIMATE, max(-1.0, min(1.0, score / most)))

    found = []
    for at, ply in enumerate(played.plies):
        exact, was = (None if value is None else Outcome.of(value) for value in (ply.exact, ply.was))
        gave_away = exact is not None and was is not None and exact is not was
        found.append(
            Moment(
                at,
                at % 2,
                for_first(exact, at % 2),
                gave_away=f"{was.value} → {exact.value}" if gave_away and was and exact else "",
                before=place(for_first(was, at % 2), None, 0),
                place=place(for_first(exact, at % 2), None, 0),
                belief=share(ply.before),
                estimate=share(ply.after) if taught else None,
            )
        )
    return found


def _table(played: Played, at: int, taught: bool, columns: int, rows: int, signs: Glyphs) -> tuple[list[Line], bool]:
    """Paint one line per move so far: position, move, score before, and at the end score after.

    Also return whether there is room for the value history beside them.
    """
    plies = played.plies
    names = max(len(ply.position) for ply in plies)
    names = min(names, max(4, columns - 24))
    first = max(0, at + 1 - max(1, rows))
    lines = []
    for number, ply in enumerate(plies[first : at + 1], first):
        here = number == at and not taught
        before, after = signs.plain(ShortScore(ply.before).text), signs.plain(ShortScore(ply.after).text)
        name = ply.position if len(ply.position) <= names else ply.position[: names - 1] + signs.hidden
        parts = [
            Run(
                f"{number + 1:>2} {signs.plain(name):<{names}} {ply.name:<4} {before:>6}",
                Ink.STRONG if here else Ink.TEXT,
            )
        ]
        if taught and ply.after == ply.before:
            parts.append(Run(" unchanged", Ink.QUIET))
        elif taught:
            gain = ply.after - ply.before
            parts.append(Run(f" {signs.to} {after:<6}", Ink.TEXT))
            parts.append(Run(f" {signs.plain(ShortScore(gain).text)}", Ink.GOOD if gain > 0 else Ink.BAD))
        lines.append(cut(line(*parts), columns, signs.hidden))
    used = max(map(ink_width, lines)) + 2
    bar = value_history.width_in(columns - used)
    if bar < LEAST_BAR:
        return lines, False
    history = moments(played, taught)[first : at + 1]
    return [
        line(*shown, " " * (used - ink_width(shown)), *value_history.bar(moment, bar, signs))
        for shown, moment in zip(lines, history, strict=True)
    ], True


def _result(played: Played, taught: bool, columns: int, signs: Glyphs) -> Line:
    """Paint the last line: a hint while the game is in play, then the winner and the changed scores."""
    if not taught:
        return line((signs.plain("Scores change when the game is over."), Ink.QUIET))
    winner = played.winner
    if played.sure is not None:
        return line((signs.plain(f"{_ended(winner)}. {_proven(played, played.sure)}"), Ink.STRONG))
    changes = [ply.after - ply.before for ply in played.plies]
    if not any(changes):
        return line((f"{_ended(winner)}: no score changed", Ink.STRONG))
    forms = ((_each, "its moves ", "the others"), (_range, "its moves ", "the others"), (_range, "", "others"))
    for said, its, others in forms:
        if winner is None:
            told = f"{_ended(winner)}: its moves {said(changes)}"
        else:
            told = f"{_ended(winner)}: {its}{said(changes[winner::2])}"
            told += f", {others} {said(changes[1 - winner :: 2])}" if len(changes) > 1 else ""
        if len(told) <= columns:
            break
    return line((signs.plain(told), Ink.STRONG))


def _ended(winner: int | None) -> str:
    return "A draw" if winner is None else f"{SEATS[winner]} wins"


def _proven(played: Played, sure: int) -> str:
    """Return what this game proved."""
    found: list[str] = []
    for score, what in ((sure, "won"), (-sure, "lost")):
        fresh = sum(ply.after == score != ply.before for ply in played.plies)
        if fresh:
            found.append(f"{fresh} {what}")
    if found:
        return f"Proven: {', '.join(found)}"
    changed = any(ply.after != ply.before for ply in played.plies)
    return "Nothing new is proven" if changed else "No score changed"


def _each(changes: Sequence[float]) -> str:
    """Return every change that some move got, the largest first: '+29 +11 0'."""
    return " ".join(ShortScore(change).text for change in sorted(set(changes), reverse=True))


def _range(changes: Sequence[float]) -> str:
    """Return the lowest and the highest change: '0 to +29'."""
    low, high = min(changes), max(changes)
    return ShortScore(low).text if low == high else f"{ShortScore(low).text} to {ShortScore(high).text}"
