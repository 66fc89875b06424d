"""Paints what one move of a game taught a function: the board, and each number of the step."""

from __future__ import annotations

from decimal import Context, Decimal

from nimtui.games import Game
from nimtui.learning.game_steps import GameSteps
from nimtui.report.lines import Ink, Line, cut, fitting, line, paragraphs
from nimtui.report.values import Difference, Mean, Result, Typed
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter

PLACES = Context(prec=2)  # of a step, which may be very small
MEANING = (
    "V: the value of the position after the move, for its player; before the game, and after it. "
    "G: what it should be worth, as the player of the next move sees it: a part from the best reply there was, a part "
    "from the G of the next move. The step is what its weights learned from the error G − V."
)


def shortened(value: float) -> float:
    """Return the nearest number of two digits."""
    return float(Decimal(repr(value)).normalize(PLACES))


@painter
def paint(columns: int, rows: int, signs: Glyphs, game: Game, steps: GameSteps, at: int) -> list[Line]:
    """Paint move `at` of the game, counted from 0."""
    step = steps.moves[at]
    name = signs.plain(game.move_name(step.move, step.state))
    head = line((f"Move {at + 1}: {name}", Ink.STRONG), (" at random" * step.by_chance, Ink.QUIET))
    numbers = [line((signs.plain(text), Ink.TEXT)) for text in numbers_of(steps, at, columns)]
    room = rows - 1 - len(numbers)
    meaning = paragraphs([signs.plain(MEANING)], columns, Ink.QUIET)
    meaning = meaning if room - len(meaning) > 2 * len(game.cells(game.start) or ()) else []
    tall = room - len(meaning)
    board = small_board.drawing(game, step.state, NOBODY, columns, tall, signs, move=step.move)
    return [cut(each, columns, signs.hidden) for each in [head, *board, *numbers, *meaning][:rows]]


def numbers_of(steps: GameSteps, at: int, columns: int) -> list[str]:
    """Return the numbers of move `at` in lines of so many columns: its value, target, error, step and rates."""
    step, pace = steps.moves[at], steps.pace
    value = f"V     {Mean(step.value)} → {Mean(step.later)}"
    if at == len(steps.moves) - 1:
        return [value, f"G     {Mean(step.target)}: it ends the game"]
    factor = " × (1 − V²)" * pace.squares
    size, added = Typed(shortened(steps.size)), Difference(shortened(step.step))
    lines = [
        value,
        fitting(columns, *_targets(steps, at)),
        f"error {Result(step.target)} − {Result(step.value)} = {Result(step.error)}",
        fitting(columns, f"step  {size} × error{factor} = {added}", f"step  {size}{factor}: {added}"),
    ]
    if step.rates is not None:
        lines.append(f"rates {' to '.join(Typed(shortened(rate)).text for rate in step.rates)} of a step")
    return lines


def _targets(steps: GameSteps, at: int) -> list[str]:
    """Return how the target of a move came about, from long to short; the shortest leave out its value."""
    pace, reply, discount = steps.pace, steps.moves[at + 1], Typed(steps.pace.discount)
    if reply.by_chance or not pace.decay:
        return [f"G     −{discount} × {Result(reply.best)} = {Result(steps.moves[at].target)}"]
    best, later = Typed(shortened(1 - pace.decay)), Typed(pace.decay)
    texts = [
        f"G     −{discount} × ({best} × {kind(reply.best)} + {later} × {kind(reply.target)})" for kind in (Result, Mean)
    ]
    shortest = texts[-1].replace(" × ", "×")
    return [*(f"{text} = {Result(steps.moves[at].target)}" for text in (*texts, shortest)), *texts[1:], shortest]
