"""What `compare` tells of agents: what they think of each move of a position, what they play, how their choice settles;
and on all positions where each of two is right, by the distance to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from nimtui.agents.program import called
from nimtui.arena.compare.comparison import NAMES, NODES, AtDistance, Cell, Column, Comparison, Kind, PositionComparison
from nimtui.arena.compare.effort_curve import Curve, Step, crossings, picture
from nimtui.games.base import Move
from nimtui.games.rule_text import Place
from nimtui.learning import evaluate
from nimtui.progress import Progress
from nimtui.report import blocks
from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import document, file_text, sheet
from nimtui.report.lines import Ink
from nimtui.report.values import NOTHING, Count, Duration, Named, Result, Score, Share, Value, Word, known
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import VERBS, Decided, bounded, truth, truth_keys
from nimtui.theory.verdict import Outcome

MISTAKE, RIGHT = "✗", "✓"
BAR = 20  # columns of a bar that stands for a certain win
POSITIONS = "position,outcome,remoteness,first,second,right"
STEP = 1_000  # positions between two reports
SHARE_BAR = 12  # columns of a bar that stands for 100 %
NAMED = 5  # positions of each kind
CURVES = "agent,unit,effort,move,value,score,depth,right"


def compared(place: Place, comparison: Comparison, seed: int, curves: Sequence[Curve] | None = None) -> Report:
    """Return the report of agents on one position; with `curves`, also of their choices by effort."""
    agents = [_agent_keys(comparison, column) for column in comparison.columns]
    for keys, curve in zip(agents, curves or (), strict=False):
        keys["curve"] = _curve_keys(comparison, curve)
    facts = {
        **place.keys,
        "seed": seed,
        "moves": [{"move": place.move(move), **truth_keys(exact(comparison, move))} for move in comparison.moves],
        "decides": comparison.decides,
        "apart": comparison.apart,
        "agents": agents,
    }
    parts: list[Block] = [Heading(place.title), Facts(facts), Figures([Figure("position", Word(place.text))])]
    parts += [Gap(), _moves(comparison), Gap()]
    for number, column in enumerate(comparison.columns, 1):
        parts += _agent(comparison, number, column)
    parts += [Sentence(text) for text in (best_text(comparison), agreement_text(comparison)) if text]
    for number, curve in enumerate(curves or (), 1):
        parts += _curve(comparison, number, curve)
    for (one, first), (other, second) in combinations(enumerate(curves or (), 1), 2):
        if met := crossings(first, second):
            at = ", ".join(map(str, map(Count, met)))
            parts += [Gap(), Sentence(f"The values of {one} and {other} cross at {at} {first.unit}.")]
    return Report(parts)


def _moves(comparison: Comparison) -> Table:
    """Return a row for each move: its exact value, then the rank, the value and the share that each agent gives it."""
    columns = [
        blocks.Column("move", lambda move: Word(name(comparison, move)), left=True),
        blocks.Column("truth", lambda move: truth(exact(comparison, move)), left=True, joined=True),
    ]
    for number, column in enumerate(comparison.columns, 1):
        columns.append(
            _column(str(number), lambda cell, column=column: _rank(comparison, column, cell), column, left=True)
        )
        for head, value in (("value", value_of), ("share", share_of)):
            if any(value(cell).text for cell in column.cells):
                columns.append(_column(head, value, column, joined=True))
    return Table("", columns, comparison.moves)


def _column(head: str, value: Any, column: Column, left: bool = False, joined: bool = False) -> blocks.Column:
    return blocks.Column(head, lambda move: value(column.cell(move)), left=left, joined=joined)


def _rank(comparison: Comparison, column: Column, cell: Cell) -> Value:
    """Return the rank of a move, and a sign beside the move that the agent plays: right, a mistake, or neither."""
    right = comparison.right(column) if comparison.decides else None
    sign = " " if column.move != cell.move else "*" if right is None else RIGHT if right else MISTAKE
    return Word(f"{sign} {'' if cell.rank is None else cell.rank}".rstrip())


def _agent(comparison: Comparison, number: int, column: Column) -> list[Block]:
    if column.move is None:
        return [Figures([Figure(str(number), Word(f"{called(column.agent)}: {column.fault}"))])]
    verdict = verdict_text(comparison, column)
    plays = f"plays {name(comparison, column.move)}" + (f": {verdict}" if verdict else "")
    rows = [Figure(str(number), Word(called(column.agent))), Figure("", Word(f"{plays}  ({effort_texts(column)[0]})"))]
    if len(column.line) > 1:
        rows.append(Figure("", Word(f"line  {' '.join(comparison.game.line_names(column.line, comparison.state))}")))
    return [Figures(rows), *([Sentence(column.note)] if column.note else [])]


def _curve(comparison: Comparison, number: int, curve: Curve) -> list[Block]:
    """Return a row for each step: effort, move, value, a bar of the value, whether the move is right."""
    who = called(curve.agent) + (f": {curve.why_none}" if curve.why_none else "")
    title = Figures([Figure(str(number), Word(who))])
    if not curve.steps:
        return [Gap(), title]
    columns = [
        *steps(comparison, curve),
        blocks.Column(
            "", lambda step: Word("" if step.value is None else "█" * round((1 + step.value) / 2 * BAR)), left=True
        ),
    ]
    if comparison.right_moves is not None:
        columns.append(blocks.Column("truth", lambda step: Word(step_verdict(comparison, step)), left=True))
    return [Gap(), title, Table("", columns, curve.steps, gap=2), Sentence(settled_text(comparison, curve))]


def steps(comparison: Comparison, curve: Curve) -> list[blocks.Column]:
    """Return the columns of a curve's steps: effort, depth if it has one, move, value."""
    columns = [
        blocks.Column(curve.unit, lambda step: Count(step.effort)),
        blocks.Column("depth", lambda step: Word("end" if (step.depth or 0) < 0 else f"{step.depth or ''}")),
        blocks.Column("move", lambda step: Word(name(comparison, step.move))),
        blocks.Column("value", step_value),
    ]
    return columns if any(step.depth is not None for step in curve.steps) else [columns[0], *columns[2:]]


def step_verdict(comparison: Comparison, step: Step) -> str:
    """Return whether the move of a step is right; '' where nothing decides, or if that is unknown."""
    return "" if comparison.right_moves is None else "right" if step.move in comparison.right_moves else "mistake"


# Documents.


def _agent_keys(comparison: Comparison, column: Column) -> dict[str, Any]:
    return {
        "agent": column.agent,
        "best_move": None if column.move is None else name(comparison, column.move),
        "right": comparison.right(column),
        "line": comparison.game.line_names(column.line, comparison.state),
        "effort": column.effort,
        "unit": column.unit or None,
        "nodes": column.nodes,
        "seconds": column.seconds,
        "share_of": column.share_of or None,
        "moves": [_cell_keys(comparison, cell) for cell in column.cells],
        "note": column.note,
        "fault": column.fault or None,
    }


def _cell_keys(comparison: Comparison, cell: Cell) -> dict[str, Any]:
    numbers = {key: getattr(cell, key) for key in ("rank", "value", "score", "bound", "share")}
    numbers["value"] = _scaled(cell)
    return {"move": name(comparison, cell.move), **numbers}


def _scaled(of: Cell | Step) -> float | None:
    """Return the value for a document: −1 to 1, or a payoff."""
    return of.value * of.largest if of.largest and of.value is not None else of.value


def _curve_keys(comparison: Comparison, curve: Curve) -> dict[str, Any]:
    return {
        "unit": curve.unit or None,
        "right_from": None if comparison.best_moves is None else curve.right_from(comparison.best_moves),
        "settled_from": curve.settled_from,
        "steps": [_step_keys(comparison, step) for step in curve.steps],
        "why_none": curve.why_none or None,
    }


def _step_keys(comparison: Comparison, step: Step) -> dict[str, Any]:
    right = None if comparison.best_moves is None else step.move in comparison.best_moves
    numbers = {key: getattr(step, key) for key in ("effort", "value", "score", "depth")}
    numbers["value"] = _scaled(step)
    return {"move": name(comparison, step.move), **numbers, "right": right}


def file_of(kind: str, place: Place, comparison: Comparison, seed: int, curves: Sequence[Curve] | None = None) -> str:
    """Return the text of a file: everything as .json, the table or the `curves` as .csv, the curves as .svg."""
    if kind == ".json":
        return file_text(document(compared(place, comparison, seed, curves)))
    return picture(comparison, curves or ()) if kind == ".svg" else csv(comparison, curves)


def csv(comparison: Comparison, curves: Sequence[Curve] | None = None) -> str:
    """Return a row for each agent and move as CSV, with a header; with `curves` for each agent and step."""
    if curves is not None:
        steps = [(curve, step) for curve in curves for step in curve.steps]
        of_steps = ({"agent": curve.agent, "unit": curve.unit, **_step_keys(comparison, step)} for curve, step in steps)
        return sheet(of_steps, CURVES.split(","))
    rows = [
        {"agent": column.agent, "move": name(comparison, move), "plays": column.move == move}
        | _cell_keys(comparison, column.cell(move))
        | truth_keys(exact(comparison, move))
        for column in comparison.columns
        for move in comparison.moves
    ]
    return sheet(rows, list(rows[0]))


# Values and sentences, for screens too.


def name(comparison: Comparison, move: Move) -> str:
    """Return the name of a move."""
    return comparison.game.move_name(move, comparison.state)


def exact(comparison: Comparison, move: Move) -> MoveValue | None:
    """Return the exact value of a move; None if it is unknown."""
    return None if comparison.truths is None else comparison.truths[move]


def value_of(cell: Cell) -> Value:
    """Return the agent's number for a move: 'wins in 5', '≤ −2', '+0.125'; nothing if it has none."""
    if cell.score is not None and cell.bound is not None:
        return bounded(Decided(cell.score, cell.largest > 0), cell.bound)
    return _amount(cell)


def _amount(of: Cell | Step) -> Value:
    """Return the value, in a game with payoffs as a payoff; without one the score."""
    if of.value is None:
        return known(Score, of.score)
    return (Score if of.largest else Result)(_scaled(of))


def share_of(cell: Cell) -> Value:
    """Return the share of a move; nothing if the agent has none."""
    return NOTHING if cell.share is None else Share(cell.share)


def step_value(step: Step) -> Value:
    """Return the number of a step: a proven or estimated value, else the heuristic's or the learner's score."""
    if step.depth is not None and (ending := Decided(step.score, step.largest > 0).ending) is not None:
        return ending
    return _amount(step)


def effort_texts(column: Column) -> tuple[str, ...]:
    """Return what a column cost, in ever fewer words: '10,000 simulations, 9,800 nodes, 12 ms'."""
    seconds = Duration(column.seconds).text
    if column.effort is None:
        return (seconds,)
    effort = _work(column.effort, column.unit)
    both = f"{effort}, {seconds}"
    if column.nodes is None or column.unit == NODES:
        return both, effort
    return f"{effort}, {Count(column.nodes)} nodes, {seconds}", both, effort


def _work(effort: int | None, unit: str) -> str:
    return Named(effort or 0, unit[:-1], unit).text


def verdict_text(comparison: Comparison, column: Column) -> str:
    """Return the verdict on an agent's move: 'right', 'mistake: loses in 6', 'every move loses'; '' if unknown."""
    if column.move is None or comparison.truths is None:
        return ""
    played = comparison.truths[column.move]
    if not comparison.decides:
        worth = f"is worth {truth(played)}" if played.payoff is not None else VERBS[played.outcome]
        return f"every move {worth}"
    return "right" if played.optimal else f"mistake: {truth(played)}"


def best_text(comparison: Comparison) -> str:
    """Return the best moves in a sentence; '' if they are unknown."""
    best = comparison.best_moves
    if best is None or comparison.truths is None:
        return ""
    names = [name(comparison, move) for move in comparison.moves if move in best]
    first = comparison.truths[next(iter(best))]
    outcome = first.outcome
    if first.payoff is not None:
        each = ", each" if len(names) > 1 else ","
        which = f"Best: {', '.join(names)}{each}" if comparison.decides else "Every move is"
        return f"{which} worth {Score(first.payoff)}."
    if not comparison.decides:
        return f"Every move {VERBS[outcome]}: no mistake is possible."
    verb = outcome.value if len(names) > 1 else f"{outcome.value}s" if outcome is not Outcome.LOSS else "loses"
    return f"Best: {', '.join(names)} ({verb})." if len(names) > 1 else f"Only {names[0]} {verb}."


def agreement_text(comparison: Comparison) -> str:
    """Return in a sentence whether the agents play the same move; '' for fewer than two answers."""
    answered = [place for place, column in enumerate(comparison.columns) if column.move is not None]
    if len(answered) < 2:
        return ""
    if not comparison.apart:
        [move] = comparison.played
        all_ = "All" if len(answered) == len(comparison.columns) else "All with an answer"
        return f"{all_} play {name(comparison, move)}."
    parts = []
    for move in dict.fromkeys(column.move for column in comparison.columns if column.move is not None):
        *others, last = (str(place + 1) for place in answered if comparison.columns[place].move == move)
        who = f"{', '.join(others)} and {last} play" if others else f"{last} plays"
        parts.append(f"{who} {name(comparison, move)}")
    return f"They disagree: {', '.join(parts)}."


def settled_text(comparison: Comparison, curve: Curve) -> str:
    """Return from which effort on the agent keeps its last move, and whether that move is right."""
    best, last, since = comparison.right_moves, curve.steps[-1], curve.settled_from
    late = since == last.effort and len(curve.steps) > 1  # one step does not show that it stays
    effort = _work(since, curve.unit)
    plays = f"Plays {name(comparison, last.move)}"
    settled = f"{plays} after {effort}, the last step" if late else f"{plays} from {effort} on"
    if best is None:
        return f"{settled}."
    if last.move not in best:
        return f"{settled}: a mistake."
    right = curve.right_from(best)
    return f"{settled}." if right == since else f"{settled}. Right from {_work(right, curve.unit)} on."


# All positions.


def compared_everywhere(comparison: PositionComparison, seed: int) -> Report:
    """Return the report of two agents on all positions: how often each is right, where, and some positions."""
    counts = comparison.counts
    lost = counts[Kind.NOTHING]
    decided = max(1, comparison.positions - lost)
    facts = {
        "game": comparison.game.name,
        "seed": seed,
        "agents": list(comparison.agents),
        "right": [comparison.share(0), comparison.share(1)],
        "counts": {name.replace(" ", "_"): count for name, count in zip(NAMES, counts, strict=True)},
        "by_distance": [row._asdict() for row in comparison.by_distance()],
    }
    agents = [
        blocks.Column("", lambda at: Word(str(at + 1)), left=True),
        blocks.Column("agent", lambda at: Word(called(comparison.agents[at])), left=True),
        blocks.Column("right", lambda at: Count((comparison.verdicts[at] == evaluate.RIGHT).sum())),
        blocks.Column("share", lambda at: Share(comparison.share(at))),
    ]
    kinds = [
        blocks.Column("right", lambda kind: Word(NAMES[kind]), left=True),
        blocks.Column("positions", lambda kind: Count(counts[kind])),
        blocks.Column("share", lambda kind: Share(counts[kind] / decided)),
        blocks.Column("", lambda kind: Word(_bar(counts[kind] / decided)), left=True),
    ]
    without = "" if comparison.game.pays else f", {Count(lost)} of them lost: nothing to decide there"
    summary = Sentence(f"{Count(comparison.positions)} positions{without}")
    title = Heading(Place(comparison.game, comparison.game.start, None).title)
    parts: list[Block] = [title, Facts(facts), summary, Gap(), Table("", agents, range(2)), Gap()]
    parts += [Table("", kinds, list(Kind)[: Kind.NOTHING]), Gap()]
    if comparison.by_distance():
        parts += [by_distance(comparison, "plies to the end", _bar), Gap()]
    for kind in (Kind.FIRST, Kind.SECOND, Kind.NEITHER):
        nodes = comparison.nodes(kind)
        if len(nodes):
            named = ", ".join(comparison.name(node) or "the start" for node in nodes[:NAMED])
            more = f" and {Count(len(nodes) - NAMED)} more" if len(nodes) > NAMED else ""
            parts.append(Sentence(f"{NAMES[kind]}: {named}{more}"))
    return Report(parts)


def by_distance(comparison: PositionComparison, head: str, bar: Callable[[float], str]) -> Table:
    """Return the shares of both agents by the distance to the end, each with its bar."""

    def distance(row: AtDistance) -> Word:
        return Word("draw" if row.distance is None else str(row.distance))

    def shares(agent: int, ink: Ink) -> list[blocks.Column]:
        return [
            blocks.Column(str(agent), lambda row: Share(row[agent + 1]), ink=ink),
            blocks.Column("", lambda row: Word(bar(row[agent + 1])), rank=1, left=True, ink=ink),
        ]

    columns = [blocks.Column(head, distance), blocks.Column("not lost", lambda row: Count(row.positions))]
    columns += shares(1, Ink.ONE) + shares(2, Ink.TWO)
    return Table("", columns, comparison.by_distance(), gap=2)


def _bar(share: float) -> str:
    return "█" * round(share * SHARE_BAR)


def rows(comparison: PositionComparison, progress: Progress) -> Iterator[dict[str, Any]]:
    """Yield the keys of each position: its exact value, both verdicts and who is right. Raises Cancelled."""
    first, second = comparison.verdicts
    for node in range(comparison.positions):
        if node % STEP == 0:
            progress.report(node, comparison.positions, "naming positions")
        distance = int(comparison.distances[node])
        yield {
            "position": comparison.name(node),
            "outcome": Outcome.of(int(comparison.solution.values[node])).value,
            "remoteness": None if distance < 0 else distance,
            "first": evaluate.WORDS[int(first[node])],
            "second": evaluate.WORDS[int(second[node])],
            "right": NAMES[int(comparison.kinds[node])],
        }


def positions_csv(comparison: PositionComparison, progress: Progress) -> str:
    """Return a row for each position as CSV, with a header."""
    return sheet(rows(comparison, progress), POSITIONS.split(","))
