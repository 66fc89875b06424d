"""Paints what an agent believes while it thinks: a row for each move, which grows in place, and the facts below.

The rows keep the order of the moves and the columns their widths, so that only numbers and bars change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from nimtui.agents import Decision, Thinking, Thought
from nimtui.games.base import Move
from nimtui.report.lines import BLANK, Ink, Line, Run, beside, cut, line, paragraphs
from nimtui.report.values import UNKNOWN, Mean, Number, Pace, Result, Share
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import truth
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.play.thoughts import LONGEST_BAR, Opinion, opinions, value_text

LEAST_BAR = 5  # cells
BESIDE = 76  # columns in which two panels fit beside each other
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
    name: Callable[[Move], str]
    moves: Sequence[Move]  # all legal moves, in order
    truths: Mapping[Move, MoveValue] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Column:
    """Numbers of the moves: `order` from left to right; of lower `worth` are left out first where they do not fit."""

    head: str
    cells: Mapping[Move, str]
    least: int  # cells, so that growing numbers move nothing
    worth: int

    def width(self, signs: Glyphs) -> int:
        return max(self.least, len(self.head), *(len(signs.plain(text)) for text in self.cells.values()), 0)


class Steady:
    """Remembers which moves a panel shows where not all fit, so that a move leaves only for a clearly better one."""

    def __init__(self) -> None:
        self._shown: dict[int, tuple[Sequence[Move], tuple[Move, ...]]] = {}

    def choose(self, panel: int, moves: Sequence[Move], ranks: Mapping[Move, float], room: int) -> list[Move]:
        """Return at most `room` moves of the highest rank, in the order of the moves."""
        if len(moves) <= room:
            return list(moves)
        known, before = self._shown.get(panel, ((), ()))
        kept = set(before) if list(known) == list(moves) else set()
        lowest = min(ranks.values(), default=0.0)
        best = sorted(moves, key=lambda move: -((ranks.get(move, lowest) - lowest) * (CALM if move in kept else 1.0)))
        chosen = set(best[: max(0, room)])
        shown = tuple(move for move in moves if move in chosen)
        self._shown[panel] = (tuple(moves), shown)
        return list(shown)


def settled(decision: Decision, last: Thinking | None = None) -> Thinking:
    """Return a decision as the last of the agent's thoughts; `last` was the one before."""
    if last is not None and last.thoughts == decision.thoughts:
        return last
    visits = [thought.visits for thought in decision.thoughts if thought.visits is not None]
    done, unit = (sum(visits), "simulations") if visits else (decision.nodes, "nodes")
    rate = None if visits else decision.nodes_per_second
    return Thinking(decision.thoughts, decision.move, decision.line, done, unit, rate, decision.seconds, *_depth(last))


def _depth(last: Thinking | None) -> tuple[int | None, int | None]:
    return (None, None) if last is None else (last.depth, last.table_hits)


def brief(thinking: Thinking, name: Callable[[Move], str]) -> str:
    """Return a belief in a few words, for screens without room for a panel: '3 +0.12, 1,204,000 simulations'."""
    thought = next((thought for thought in thinking.thoughts if thought.move == thinking.move), None)
    if thinking.move is None or thought is None:
        return ""
    said = _mean(thought) or next(
        (found.said for found in opinions(thinking.thoughts) if found.move == thought.move), ""
    )
    done = f", {thinking.done:,} {thinking.unit}" if thinking.done else ""
    return f"{name(thinking.move)} {said}{done}"


# The panels.


def paint(beliefs: Sequence[Belief], steady: Steady, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return one panel; or two, beside each other or in the order of the seats.

    If both do not fit, the panel of the agent to move, the first of the beliefs, is above and has most of the room.
    """
    if len(beliefs) == 1 or rows < 2 * LEAST + 1:
        return panel(beliefs[0], steady, columns, rows, signs)
    seats = sorted(beliefs, key=lambda belief: belief.seat)
    if columns >= BESIDE:
        half = columns // 2
        return beside([panel(belief, steady, half - 2, rows, signs) for belief in seats], [half, half])
    needed = [len(panel(belief, steady, columns, rows, signs)) for belief in seats]
    half = (rows - 1) // 2
    if max(needed) <= half:  # each has its place, so nothing moves when the turn changes
        upper = panel(seats[0], steady, columns, half, signs)
        return [*upper, *[BLANK] * (half + 1 - len(upper)), *panel(seats[1], steady, columns, half, signs)]
    room = rows - 1 - LEAST
    upper = panel(beliefs[0], steady, columns, room, signs)
    lower = panel(beliefs[1], steady, columns, LEAST, signs)
    return [*upper, *[BLANK] * (room + 1 - len(upper)), *lower]


def panel(belief: Belief, steady: Steady, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return a title, the heads of the columns, a row per move as far as they fit, and the facts."""
    title = cut(line((signs.plain(belief.title), Ink.TITLE)), columns, signs.hidden)
    facts = [cut(line((signs.plain(text), Ink.QUIET)), columns, signs.hidden) for text in facts_of(belief, columns)]
    notes = paragraphs([signs.plain(belief.note)], columns, Ink.QUIET) if belief.note else []
    room = rows - 2
    kept: list[Line] = []
    for part in (facts, notes):  # a few moves matter more than the facts
        if room - len(kept) - len(part) - 1 >= min(4, len(belief.moves)):
            kept += part
    room -= len(kept) + bool(kept)
    table = _table(belief, steady, columns, room, signs)
    if not table:
        return [title, *kept][:rows]
    lines = [title, *table, *([BLANK] if kept else []), *kept]
    deeper = depths_of(belief, signs)
    spare = rows - len(lines) - 1
    if deeper and spare >= 2:
        lines += [BLANK, *(cut(found, columns, signs.hidden) for found in deeper[-spare:])]
    return lines[:rows]


def facts_of(belief: Belief, columns: int) -> list[str]:
    """Return the expected line, the effort, and what a table answered; in more lines where there are few columns."""
    thinking, facts = belief.thinking, []
    if len(thinking.line) > 1:
        whose = "the search expects" if belief.truths else "best line"  # which need not be an exact best line
        facts.append(f"{whose} {' '.join(_names(belief))}")
    told = [f"{thinking.done:,} {thinking.unit}"] if thinking.done is not None else []
    if columns < SPACIOUS:
        facts += told
        told = []
    if thinking.per_second is not None:
        told.append(Pace(thinking.per_second).text)
    if thinking.seconds >= 0.05:
        told.append(f"{thinking.seconds:.1f} s")
    if told:
        facts.append(" · ".join(told))
    told = [f"depth {thinking.depth} searched"] if thinking.depth is not None and thinking.depth > 0 else []
    if thinking.table_hits is not None:
        told.append(f"{thinking.table_hits:,} table hits")
    if told:
        facts.append(" · ".join(told))
    return facts


def _names(belief: Belief) -> list[str]:
    return [belief.name(move) for move in belief.thinking.line]


def depths_of(belief: Belief, signs: Glyphs) -> list[Line]:
    """Return a line for each finished depth of a search that deepens: its nodes, its score, its best move."""
    found = []
    for done in belief.thinking.iterations:
        thought = Thought(done.best_move, score=done.value, bound="exact")
        said = opinions([thought])[0].said
        text = f"depth {done.depth:<2} {belief.name(done.best_move)} {said} · {done.nodes:,} nodes"
        found.append(line((signs.plain(text), Ink.QUIET)))
    return found if len(found) > 1 else []


# The table.


def _table(belief: Belief, steady: Steady, columns: int, room: int, signs: Glyphs) -> list[Line]:
    thoughts = {thought.move: thought for thought in belief.thinking.thoughts}
    found = {opinion.move: opinion for opinion in opinions(belief.thinking.thoughts)}
    if not found and not belief.truths:
        return []
    names = max((len(belief.name(move)) for move in belief.moves), default=0)
    numbers = columns_of(belief, found)
    widths = {column.head: column.width(signs) for column in numbers}
    for worth in range(max(column.worth for column in numbers), 0, -1):
        if 3 + names + sum(1 + widths[column.head] for column in numbers) + LEAST_BAR <= columns:
            break
        numbers = [column for column in numbers if column.worth < worth]
    taken = 2 + names + sum(1 + widths[column.head] for column in numbers)
    bar = min(2 * LONGEST_BAR, columns - taken - 1)
    heads = " " * (2 + names) + "".join(f" {column.head:>{widths[column.head]}}" for column in numbers)
    reach = reach_of(belief.thinking.thoughts)
    bar -= bool(reach) and bar % 2 == 0  # an odd number of cells has a middle
    heads += f" {f'±{reach:g}':^{bar}}" if reach and bar >= LEAST_BAR else ""
    ranks = {move: opinion.rank for move, opinion in found.items()}
    if belief.thinking.move in ranks:
        ranks[belief.thinking.move] = max(ranks.values()) + 1  # the move that it would play is always visible
    shown = steady.choose(belief.seat, belief.moves, ranks, room)
    if len(shown) < len(belief.moves):
        shown = steady.choose(belief.seat, belief.moves, ranks, room - 1)
    lines = [cut(line((signs.plain(heads), Ink.QUIET)), columns, signs.hidden)]
    for move in shown:
        here = move == belief.thinking.move
        searched = signs.waiting if move == belief.thinking.searching else " "
        text = f"{signs.cursor if here else ' '}{searched}{belief.name(move):<{names}}"
        for column in numbers:
            text += f" {signs.plain(column.cells.get(move, UNKNOWN)):>{widths[column.head]}}"
        lines.append(
            line((text, Ink.STRONG if here else Ink.TEXT), _bar(thoughts.get(move), found.get(move), bar, reach, signs))
        )
    if len(shown) < len(belief.moves):
        lines.append(line((signs.plain(f"  … {len(belief.moves) - len(shown)} more"), Ink.QUIET)))
    return lines


def columns_of(belief: Belief, found: Mapping[Move, Opinion]) -> list[_Column]:
    """Return the columns of numbers, from left to right."""
    thoughts = belief.thinking.thoughts
    columns = [
        _Column("exact", {move: truth(value).text.replace(" in", "") for move, value in belief.truths.items()}, 6, 0)
    ]
    columns = columns if belief.truths else []
    if any(thought.visits is not None for thought in thoughts):
        all_visits = sum(thought.visits or 0 for thought in thoughts) or 1
        tried = [thought for thought in thoughts if thought.visits]
        return [
            *columns,
            _Column("visits", {t.move: f"{t.visits or 0:,}" for t in thoughts}, 9, 0),
            _Column("share", {t.move: Share((t.visits or 0) / all_visits).text for t in tried}, 6, 3),
            _Column("mean", {t.move: _mean(t) for t in tried}, 5, 1),
            _Column("bound", {t.move: Mean(t.ucb).text for t in tried if t.ucb is not None}, 5, 2),
        ]
    if any(thought.wins is not None for thought in thoughts):
        tried = [thought for thought in thoughts if thought.wins is not None]
        kind = Result if reach_of(thoughts) < 0.1 else Mean
        drawn = [_Column("drawn", {t.move: f"{t.draws or 0:,}" for t in tried}, 5, 2)]
        return [
            *columns,
            _Column("won", {t.move: f"{t.wins or 0:,}" for t in tried}, 6, 0),
            *(drawn if any(t.draws for t in tried) else []),
            _Column("lost", {t.move: f"{t.losses or 0:,}" for t in tried}, 6, 0),
            _Column("mean", {t.move: _mean(t, kind) for t in tried}, 6, 1),
            _Column("95 % interval", {t.move: _interval(t, kind) for t in tried}, 15, 3),
        ]
    head = "score" if any(thought.score is not None for thought in thoughts) else "value"
    return [*columns, *([_Column(head, {move: said.said for move, said in found.items()}, 8, 0)] if found else [])]


def _mean(thought: Thought, kind: type[Number] = Mean) -> str:
    """Return the mean result; of a proven move its value: 'wins', 'draws', 'loses'."""
    if thought.score is not None or thought.value is None:
        return ""
    if thought.mean is not None and thought.mean != thought.value:
        return value_text(thought.value)
    return kind(thought.value).text


def _interval(thought: Thought, kind: type[Number]) -> str:
    if thought.low is None or thought.high is None:
        return UNKNOWN
    return f"{kind(thought.low)} … {kind(thought.high)}"


def reach_of(thoughts: Sequence[Thought]) -> float:
    """Return how far the bars of intervals reach from 0; 0 if there are no intervals. Few steps, so few jumps."""
    ends = [abs(end) for thought in thoughts for end in (thought.low, thought.high) if end is not None]
    return min((step for step in REACHES if step >= max(ends)), default=1.0) if ends else 0.0


def _bar(thought: Thought | None, opinion: Opinion | None, cells: int, reach: float, signs: Glyphs) -> Run:
    if thought is None or opinion is None or cells < 2:
        return Run("")
    if thought.low is not None and thought.high is not None:
        return Run(" " + interval(thought.low, thought.high, thought.value, cells, signs, reach), Ink.BAR)
    return Run(" " + signs.signed_bar(opinion.share, cells).rstrip(), Ink.QUIET if opinion.share < 0 else Ink.BAR)


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
