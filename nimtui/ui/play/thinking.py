"""Paints what an agent believes while it thinks: a row for each move, which grows in place, and the facts below.

What the agent thought before its latest move stands in the same panel, the best move first.

While it thinks, rows keep the order of the moves and columns their widths, so that only numbers and bars change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import copysign
from typing import NamedTuple, TypeAlias

from nimtui.agents import Agent, Decision, Thinking, Thought
from nimtui.agents.report import score_of
from nimtui.arena.review.history import place
from nimtui.engine.windows import DECIDED
from nimtui.games.base import Move
from nimtui.learning import parse_learner
from nimtui.learning.learner import module_of
from nimtui.learning.table import Table as ScoreTable
from nimtui.report.blocks import Column, Inked, Table
from nimtui.report.cells import list_lines
from nimtui.report.lines import BLANK, Ink, Line, cut, line, paragraphs
from nimtui.report.values import UNKNOWN, Count, Mean, Number, Pace, Result, Score, Share, Value, Word
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import Decided, truth
from nimtui.theory.verdict import Outcome
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter

PROVEN = {1.0: "wins", 0.0: "draws", -1.0: "loses"}
LONGEST_BAR = 12
PLAYED = {"perfect-opponent": "games against a perfect opponent", "perfect-both": "games of perfect players"}
BOUNDS = {"upper": "; ≤ means at most", "lower": "; ≥ means at least"}
LEAST_BAR = 5  # cells
Namer: TypeAlias = Callable[[Move], str]
NO_NUMBER = Word(UNKNOWN)  # of a move that has not been tried
SPACIOUS = 42  # columns in which one line says all of the effort
LEAST = 5  # rows of the panel of an agent that waits: a title, the heads, three moves
CALM = 1.1  # how much higher another move must rank to take the place of a move that is shown
REACHES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # of the bars of intervals, from 0


@dataclass(frozen=True, slots=True)
class Belief:
    """What a panel shows: who believes what, the names of the moves, and their exact values, where known."""

    seat: int  # of the agent; panels keep the order of the seats
    title: str
    thinking: Thinking
    name: Namer
    moves: Sequence[Move]  # all legal moves, in order
    truths: Mapping[Move, MoveValue] = field(default_factory=dict)
    note: str = ""


class Steady:
    """Remembers which moves a panel shows where not all fit, so that a move leaves only for a clearly better one."""

    def __init__(self) -> None:
        self._chosen: dict[int, tuple[list[Move], list[Move]]] = {}  # panel -> the legal moves, those it shows

    def choose(self, panel: int, moves: Sequence[Move], ranks: Mapping[Move, float], room: int) -> list[Move]:
        """Return at most `room` moves of the highest rank, in the order of the moves."""
        if len(moves) <= room:
            return list(moves)
        legal, before = self._chosen.get(panel, ([], []))
        steady = set(before) if legal == list(moves) else set()
        lowest = min(ranks.values(), default=0.0)
        best = sorted(moves, key=lambda move: -((ranks.get(move, lowest) - lowest) * (CALM if move in steady else 1.0)))
        highest = set(best[: max(0, room)])
        chosen = [move for move in moves if move in highest]
        self._chosen[panel] = (list(moves), chosen)
        return chosen


def settled(decision: Decision, last: Thinking | None = None) -> Thinking:
    """Return a decision as the last of the agent's thoughts; `last` was the one before."""
    if last is not None and last.thoughts == decision.thoughts:
        return last
    visits = [thought.visits for thought in decision.thoughts if thought.visits is not None]
    done, unit = (sum(visits), "simulations") if visits else (decision.nodes, "nodes")
    rate = None if visits else decision.nodes_per_second
    depth = (decision.depth, None) if last is None else (last.depth, last.table_hits)
    return Thinking(decision.thoughts, decision.move, decision.line, done, unit, rate, decision.seconds, *depth)


def brief(thinking: Thinking, name: Namer) -> str:
    """Return a belief in a few words, for screens without room for a panel: '3 +0.12, 1,204,000 simulations'."""
    thought = next((thought for thought in thinking.thoughts if thought.move == thinking.move), None)
    if thought is None:
        return ""
    rating = _mean(thought) if thought.score is None else score_of(thought)
    done = f", {thinking.done:,} {thinking.unit}" if thinking.done else ""
    return f"{name(thought.move)} {rating}{done}"


# The panels.


@painter
def paint(columns: int, rows: int, signs: Glyphs, beliefs: Sequence[Belief], steady: Steady) -> list[Line]:
    """Return one panel; or two, one above the other in the order of the seats.

    If both do not fit, the panel of the agent to move, the first of the beliefs, is above and has most of the room.
    """
    if len(beliefs) == 1 or rows < 2 * LEAST + 1:
        return panel(beliefs[0], steady, columns, rows, signs)
    seats = sorted(beliefs, key=lambda belief: belief.seat)
    half = (rows - 1) // 2
    order, heights = beliefs, (rows - 1 - LEAST, LEAST)
    if all(len(panel(belief, steady, columns, rows, signs)) <= half for belief in seats):
        order, heights = seats, (half, half)  # each has its place, so nothing moves when the turn changes
    upper, lower = (panel(each, steady, columns, room, signs) for each, room in zip(order, heights, strict=True))
    return [*upper, *[BLANK] * (heights[0] + 1 - len(upper)), *lower]


def panel(belief: Belief, steady: Steady | None, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return a title, heads, a row per move as far as they fit, and facts. `steady`: of an agent that still thinks."""
    title = cut(line((signs.plain(belief.title), Ink.TITLE)), columns, signs.hidden)
    texts = map(signs.plain, facts_of(belief, columns, growing=steady is not None))
    facts = [cut(line((text, Ink.QUIET)), columns, signs.hidden) for text in texts]
    notes = paragraphs(map(signs.plain, belief.note.splitlines()), columns, Ink.QUIET)
    room = rows - 2
    below: list[Line] = []
    for part in (facts, notes):  # a few moves matter more than the facts
        if room - len(below) - len(part) - 1 >= min(4, len(belief.moves)):
            below += part
    room -= len(below)
    gap = len(below) > 0 and len(belief.moves) < room  # rather one more move
    table = _table(belief, steady, columns, room - gap, signs)
    lines = [title, *table, *([BLANK] if table and gap else []), *below]
    depths, spare = depths_of(belief, signs) if table else [], rows - len(lines) - 1
    if depths and spare >= 2:
        lines += [BLANK, *(cut(depth, columns, signs.hidden) for depth in depths[-spare:])]
    return lines[:rows]


def facts_of(belief: Belief, columns: int, growing: bool = True) -> list[str]:
    """Return the expected line, the effort, and what a table answered; what is `growing` keeps its number of lines."""
    thinking = belief.thinking
    done = [] if thinking.done is None else [f"{Count(thinking.done)} {thinking.unit}"]
    pace = [] if thinking.per_second is None else [Pace(thinking.per_second).text]
    pace += [f"{thinking.seconds:.1f} s"] if thinking.seconds >= 0.05 else []
    deep = [f"depth {thinking.depth} searched"] if thinking.depth else []
    deep += [] if thinking.table_hits is None else [f"{Count(thinking.table_hits)} table hits"]
    whose = "the search expects" if belief.truths else "best line"  # which need not be an exact best line
    names = [whose, *map(belief.name, thinking.line)] if len(thinking.line) > 1 else []
    room = SPACIOUS if growing else len(" · ".join([*done, *pace]))
    rows = [done, pace, deep] if columns < room else [[*done, *pace], deep]
    return [*filter(None, [" ".join(names), *map(" · ".join, rows)])]


def depths_of(belief: Belief, signs: Glyphs) -> list[Line]:
    """Return a line for each finished depth of a search that deepens: its nodes, its score, its best move."""
    pays = any(thought.largest for thought in belief.thinking.thoughts)
    texts = [
        f"depth {done.depth:<2} {belief.name(done.best_move)} {Decided(done.value, pays)} · {Count(done.nodes)} nodes"
        for done in belief.thinking.iterations
    ]
    return [line((signs.plain(text), Ink.QUIET)) for text in texts] if len(texts) > 1 else []


# The table.


def _table(belief: Belief, steady: Steady | None, columns: int, room: int, signs: Glyphs) -> list[Line]:
    thinking = belief.thinking
    opinions = opinions_of(thinking.thoughts)
    if not opinions and not belief.truths:
        return []
    best, reach = thinking.move, reach_of(thinking.thoughts)
    longest = max((each.remoteness or 0 for each in belief.truths.values()), default=0)

    def name(move: Move) -> Word:
        searched = signs.waiting if move == thinking.searching else " "
        return Word(f"{signs.cursor if move == best else ' '}{searched}{belief.name(move)}")

    def bar(move: Move, cells: int) -> Line:
        opinion, exact = opinions.get(move), belief.truths.get(move)
        if not opinions and exact is not None:
            share = place(exact.outcome, exact.remoteness, longest) or 0.0
            return line((signs.signed_bar(share, cells).ljust(cells), Ink.QUIET if share < 0 else Ink.BAR))
        if opinion is None:
            return BLANK
        thought = opinion.thought
        if thought.low is None or thought.high is None:
            drawn = signs.signed_bar(opinion.share, cells)
        else:
            odd = cells - (cells % 2 == 0)  # which has a middle
            drawn = interval(thought.low, thought.high, thought.value, odd, signs, reach)
        return line((drawn.ljust(cells), Ink.QUIET if opinion.share < 0 else Ink.BAR))

    head = f"±{reach:g}" if reach else ""
    bars = Column(head, lambda move: Inked(*bar(move, LEAST_BAR)), rank=1, draw=bar, most=LONGEST_BAR)
    numbers = [Column("", name, left=True), *columns_of(belief, rated=bool(opinions))]
    listed = partial(Table, "", gap=1, ink=lambda move: Ink.STRONG if move == best else Ink.TEXT)
    moves, below = list(belief.moves), list[Line]()
    if len(moves) > room:
        ranks = {move: opinion.rank for move, opinion in opinions.items()}
        if best in moves:
            ranks[best] = max(ranks.values(), default=0.0) + 1  # the move that it would play is always visible
        moves = (steady or Steady()).choose(belief.seat, moves, ranks, max(1, room - 1))
        below = [line((signs.plain(f"  … {len(belief.moves) - len(moves)} more"), Ink.QUIET))]
    return [*(list_lines(listed([*numbers, bars], moves), columns, signs=signs) if moves else []), *below]


def by_value(moves: Sequence[Move], truths: Mapping[Move, MoveValue]) -> list[Move]:
    """Return the moves by their exact values, the best first; equals and unknown ones in the order of the moves."""
    longest = max((each.remoteness or 0 for each in truths.values()), default=0)
    values = {move: place(each.outcome, each.remoteness, longest) or 0.0 for move, each in truths.items()}
    return sorted(moves, key=lambda move: -values.get(move, 0.0))


def columns_of(belief: Belief, rated: bool) -> list[Column]:
    """Return the columns of numbers, from left to right. Their widths hold growing numbers, so that nothing moves."""
    thoughts = {thought.move: thought for thought in belief.thinking.thoughts}

    def column(head: str, value: Callable[[Thought], Value], width: int, rank: int) -> Column:
        return Column(
            head, lambda move: value(thoughts[move]) if move in thoughts else NO_NUMBER, width=width, rank=rank
        )

    def exact(move: Move) -> Value:
        ending, value = truth(belief.truths.get(move)), belief.truths.get(move)
        text = ending.text.replace(" in", "")
        stands_out = not rated and value is not None and value.outcome is Outcome.WIN
        return Inked((text, Ink.GOOD)) if stands_out else Word(text, ending.short)

    columns = [Column("exact", exact, width=6)] if belief.truths else []
    every = thoughts.values()
    if any(thought.visits is not None for thought in every):
        visits = sum(thought.visits or 0 for thought in every) or 1
        columns += [
            column("visits", lambda thought: Count(thought.visits or 0), 9, 0),
            column("share", lambda thought: Share((thought.visits or 0) / visits if thought.visits else None), 6, 4),
            column("mean", lambda thought: _mean(thought) if thought.visits else NO_NUMBER, 5, 2),
            column("bound", lambda thought: Mean(thought.ucb if thought.visits else None), 5, 3),
        ]
    elif any(thought.wins is not None for thought in every):
        kind = Result if reach_of(belief.thinking.thoughts) < 0.1 else Mean
        columns += [
            column("won", lambda thought: Count(thought.wins), 6, 0),
            *([column("drawn", lambda t: Count(t.draws), 5, 2)] if any(t.draws for t in every) else []),
            column("lost", lambda thought: Count(thought.losses), 6, 0),
            column("mean", lambda thought: _mean(thought, kind), 6, 3),
            column("95 % interval", lambda thought: _interval(thought, kind), 15, 4),
        ]
    elif any(thought.score is not None for thought in every):
        columns.append(column("score", lambda thought: NO_NUMBER if thought.score is None else score_of(thought), 8, 0))
    elif rated:
        columns.append(column("value", _value, 8, 0))
    return columns


def _value(thought: Thought) -> Value:
    """Return the expected result: 'wins', '+0.25'; in a game with payoffs the payoff."""
    return Word(value_text(thought.value or 0.0)) if thought.payoff is None else Score(round(thought.payoff, 2))


def _mean(thought: Thought, kind: type[Number] = Mean) -> Value:
    """Return the mean result; of a proven move its value: 'wins', 'draws', 'loses'."""
    if thought.payoff is not None:
        return kind(thought.payoff)
    if thought.value is None or thought.mean in (None, thought.value):
        return kind(thought.value)
    return Word(value_text(thought.value))


def _interval(thought: Thought, kind: type[Number]) -> Word:
    if thought.low is None or thought.high is None:
        return NO_NUMBER
    return Word(f"{kind(thought.low)} … {kind(thought.high)}")


def reach_of(thoughts: Sequence[Thought]) -> float:
    """Return how far the bars of intervals reach from 0; 0 if there are no intervals. Few steps, so few jumps."""
    ends = [abs(end) for thought in thoughts for end in (thought.low, thought.high) if end is not None]
    return min((step for step in REACHES if step >= max(ends)), default=1.0) if ends else 0.0


def interval(low: float, high: float, value: float | None, cells: int, signs: Glyphs, reach: float = 1.0) -> str:
    """Draw an interval on a line from −`reach` to `reach`, with a mark at 0; the value crosses the interval."""

    def place(number: float) -> int:
        return round((min(1.0, max(-1.0, number / reach)) + 1) / 2 * (cells - 1))

    drawn = [" "] * cells
    drawn[place(0.0)] = signs.stem
    first, last = place(low), place(high)
    drawn[first : last + 1] = signs.rule * (last - first + 1)
    drawn[first], drawn[last] = signs.ends
    if value is not None:
        drawn[place(value)] = signs.cross
    return "".join(drawn).rstrip()


# What an agent thought before its latest move: sorted, with bars.


SHOWN = {  # on the pieces, by what an agent knows of a move, the most telling first
    "wins": "results of playouts",
    "visits": "visits",
    "bound": "scores",
    "score": "scores",
    "value": "values",
}


def rating_of(thoughts: Sequence[Thought]) -> str:
    """Return the most telling rating that an agent has; '' if it does not rate its moves."""
    return next((kind for kind in SHOWN if any(getattr(each, kind) is not None for each in thoughts)), "")


class Opinion(NamedTuple):
    """The place of a rated move among the others, and the length of its bar, from −1 to 1."""

    thought: Thought
    rank: float
    share: float


def opinions_of(thoughts: Sequence[Thought]) -> dict[Move, Opinion]:
    """Return the rated moves. Empty if the agent does not rate its moves."""
    rating = rating_of(thoughts)
    bounded = rating == "bound"
    rated = [thought for thought in thoughts if rating and (thought.score is not None or not bounded)]
    sizes = [each.visits if rating == "visits" else each.score for each in rated if not (bounded and decided(each))]
    most = max((abs(size or 0) for size in sizes), default=0) or 1
    return {thought.move: Opinion(thought, *_rated(thought, rating, most)) for thought in rated}


def _rated(thought: Thought, rating: str, most: float) -> tuple[float, float]:
    """Return the rank of a move, and the length of its bar; `most` has a bar of full length."""
    visits, score, value = thought.visits or 0, thought.score or 0, thought.value or 0
    match rating:
        case "wins":  # the result of playouts
            wins, losses, draws = thought.wins or 0, thought.losses or 0, thought.draws or 0
            share = (wins + draws / 2) / max(1, wins + losses + draws)
            return share, share
        case "visits":
            return visits, visits / most
        case "bound":
            return score, copysign(1, score) if decided(thought) else 0.9 * score / most
        case "score":
            return score, score / most
    return value, value


def decided(thought: Thought) -> bool:
    """Return whether a search has found the end of the game after this move."""
    return not thought.largest and abs(thought.score or 0) > DECIDED


def value_text(value: float) -> str:
    """Return the value of a move: 'wins', '+0.25'."""
    return PROVEN.get(value) or Mean(value).text


def head(who: str, move: str, columns: int) -> str:
    """Return 'What Hard thought before d4', or fewer words if that is too long."""
    full = f"What {'the learner' if who.endswith(' learner') else who} thought before {move}"
    return full if len(full) <= columns else f"{who}, before {move}"


def legend(decision: Decision, agent: Agent | None) -> str:
    """Return what the numbers mean, in one line; '' if they need no explanation."""
    thoughts = decision.thoughts
    if any(thought.wins is not None for thought in thoughts):
        games = PLAYED.get(getattr(getattr(agent, "policy", None), "value", ""), "random games")
        return f"{games} won – {'drawn – ' * any(thought.draws for thought in thoughts)}lost"
    if any(thought.visits is not None for thought in thoughts):
        return "visits in the search tree"
    if any(thought.bound is not None for thought in thoughts):
        bounds = {thought.bound for thought in thoughts}
        return "search score" + "".join(meaning for bound, meaning in BOUNDS.items() if bound in bounds)
    if any(thought.score is not None for thought in thoughts):
        table = getattr(agent, "table", None)
        return "" if table is None else _of_table(table)
    if any(thought.payoff is not None for thought in thoughts):
        return "expected payoff"
    if any(thought.value not in (None, -1.0, 0.0, 1.0) for thought in thoughts):
        return "expected result: win +1, loss −1"
    return ""


def _of_table(table: ScoreTable) -> str:
    learner = parse_learner(table.learner)
    sure = getattr(module_of(learner), "SURE", None)
    trained = f"Trained on {Count(table.games)} games"
    if isinstance(sure, int):
        return f"{trained}: {Score(sure)} is a proven win"
    win, loss = getattr(learner, "win", None), getattr(learner, "loss", None)
    if win is None or loss is None:
        return trained
    adds, takes = (str(Score(reward)).removeprefix("+") for reward in (win, loss))
    return f"{trained}: a win adds {adds}, a loss takes {takes}"


def reflection(
    title: str, decision: Decision, name: Namer, none: str, columns: int, rows: int, signs: Glyphs, unit: str = ""
) -> list[Line]:
    """Return the panel of a decision: the moves, the best first and the played one before its equals; then the effort,
    what the numbers mean (`unit`), and the method's limits. `none` stands in place of the moves if none is rated.
    """
    opinions = opinions_of(decision.thoughts)
    moves = sorted(opinions, key=lambda move: (-opinions[move].rank, move != decision.move))
    note = "\n".join(filter(None, (unit, decision.note))) if moves else none
    return panel(Belief(0, title, settled(decision), name, moves, note=note), None, columns, rows, signs)
