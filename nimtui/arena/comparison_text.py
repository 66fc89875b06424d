"""The words and numbers of a comparison, for commands and screens alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.arena.comparison import NODES, Cell, Column, Comparison
from nimtui.engine.windows import DECIDED, WIN
from nimtui.report.values import UNKNOWN, Share
from nimtui.theory.verdict import Outcome

if TYPE_CHECKING:
    from nimtui.arena.effort_curve import Curve, Step
    from nimtui.theory.answers import MoveValue

VERBS = {Outcome.WIN: "wins", Outcome.LOSS: "loses", Outcome.DRAW: "draws"}
BOUNDS = {"upper": "≤ ", "lower": "≥ "}


def value_text(cell: Cell) -> str:
    """Return the agent's number for a move: 'wins in 5', '≤ −2', '+0.125'; '' if it has none."""
    if cell.score is not None and cell.bound is not None:
        sign, score = BOUNDS.get(cell.bound, ""), cell.score
        if abs(score) > DECIDED:
            return f"{sign}{'wins' if score > 0 else 'loses'} in {WIN - int(abs(score))}"
        return sign + number_text(score)
    if cell.value is not None:
        return signed(cell.value)
    return "" if cell.score is None else number_text(cell.score)


def signed(value: float) -> str:
    """Return a value from −1 to 1 with its sign: '+0.125', '0.000'."""
    text = f"{abs(value):.3f}"
    return text if float(text) == 0 else f"{'−' if value < 0 else '+'}{text}"


def number_text(score: float) -> str:
    """Return a score with its sign: '+34,976', '−3', '0', '+0.125'."""
    size = f"{abs(score):,.0f}" if float(score).is_integer() else f"{abs(score):.3f}"
    return f"{'−' if score < 0 else '+' if score else ''}{size}"


def share_text(cell: Cell) -> str:
    """Return the share of a move: '43.1 %'; '' if the agent has none."""
    return "" if cell.share is None else Share(cell.share).text


def truth_text(found: MoveValue | None) -> str:
    """Return the exact value of a move: 'wins in 7', 'draws'; '–' if it is unknown."""
    if found is None:
        return UNKNOWN
    verb = VERBS[found.outcome]
    return verb if found.remoteness is None else f"{verb} in {found.remoteness}"


def effort_text(column: Column) -> str:
    """Return what a column cost: '10,000 simulations, 9,800 nodes, 12 ms'."""
    return effort_texts(column)[0]


def effort_texts(column: Column) -> tuple[str, ...]:
    """Return what a column cost, in ever fewer words."""
    seconds = seconds_text(column.seconds)
    if column.effort is None:
        return (seconds,)
    effort = f"{column.effort:,} {unit_text(column.effort, column.unit)}"
    both = f"{effort}, {seconds}"
    if column.nodes is None or column.unit == NODES:
        return both, effort
    return f"{effort}, {column.nodes:,} nodes, {seconds}", both, effort


def unit_text(number: int, unit: str) -> str:
    """Return the unit in the singular for 1."""
    return unit[:-1] if number == 1 else unit


def seconds_text(seconds: float) -> str:
    """Return a duration: '0.2 ms', '83 ms', '1.25 s'."""
    if seconds >= 1:
        return f"{seconds:,.2f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def verdict_text(compared: Comparison, column: Column) -> str:
    """Return the verdict on an agent's move: 'right', 'mistake: loses in 6', 'every move loses'; '' if unknown."""
    if column.move is None or compared.truths is None:
        return ""
    found = compared.truths[column.move]
    if not compared.decides:
        return f"every move {VERBS[found.outcome]}"
    return "right" if found.optimal else f"mistake: {truth_text(found)}"


def best_text(compared: Comparison) -> str:
    """Return the best moves in a sentence; '' if they are unknown."""
    best = compared.best_moves
    if best is None or compared.truths is None:
        return ""
    names = [compared.game.move_name(move, compared.state) for move in compared.moves if move in best]
    outcome = compared.truths[next(iter(best))].outcome
    if not compared.decides:
        return f"Every move {VERBS[outcome]}: no mistake is possible."
    verb = outcome.value if len(names) > 1 else f"{outcome.value}s" if outcome is not Outcome.LOSS else "loses"
    return f"Best: {', '.join(names)} ({verb})." if len(names) > 1 else f"Only {names[0]} {verb}."


def agreement_text(compared: Comparison) -> str:
    """Return in a sentence whether the agents play the same move; '' for fewer than two answers."""
    answered = [place for place, column in enumerate(compared.columns) if column.move is not None]
    if len(answered) < 2:
        return ""
    if not compared.apart:
        [move] = compared.played
        all_ = "All" if len(answered) == len(compared.columns) else "All with an answer"
        return f"{all_} play {compared.game.move_name(move, compared.state)}."
    told = []
    for played in dict.fromkeys(column.move for column in compared.columns if column.move is not None):
        *others, last = (str(place + 1) for place in compared.players(played))
        who = f"{', '.join(others)} and {last} play" if others else f"{last} plays"
        told.append(f"{who} {compared.game.move_name(played, compared.state)}")
    return f"They disagree: {', '.join(told)}."


def depth_text(depth: int | None) -> str:
    """Return the depth of a step: '4', 'end' for a search to the end of the game."""
    return "" if depth is None else "end" if depth < 0 else str(depth)


def step_value_text(step: Step) -> str:
    """Return the number of a step: a proven or estimated value, else the heuristic's or the learner's score."""
    if step.score is not None and step.depth is not None and abs(step.score) > DECIDED:
        return f"{'wins' if step.score > 0 else 'loses'} in {WIN - int(abs(step.score))}"
    if step.value is not None:
        return signed(step.value)
    return "" if step.score is None else number_text(step.score)


def settled_text(found: Comparison, curve: Curve) -> str:
    """Return from which effort on the agent keeps its last move, and whether that move is right."""
    best, last, since = found.right_moves, curve.steps[-1], curve.settled_from
    name = found.game.move_name(last.move, found.state)
    late = since == last.effort and len(curve.steps) > 1  # one step does not show that it stays
    effort = f"{since:,} {unit_text(since or 0, curve.unit)}"
    told = f"Plays {name} after {effort}, the last step" if late else f"Plays {name} from {effort} on"
    if best is None:
        return f"{told}."
    if last.move not in best:
        return f"{told}: a mistake."
    right = curve.right_from(best)
    return f"{told}." if right == since else f"{told}. Right from {right:,} {unit_text(right or 0, curve.unit)} on."
