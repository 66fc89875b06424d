"""Paint what an agent thought of every move: sorted, with bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import copysign

from nimtui.agents import Agent, Decision, Thought
from nimtui.agents.report import score_of
from nimtui.engine.windows import DECIDED
from nimtui.games.base import Move
from nimtui.learning import parse_learner
from nimtui.learning.learner import module_of
from nimtui.learning.table import Table
from nimtui.report.lines import BLANK, Ink, Line, Run, cut, line, paragraphs
from nimtui.report.values import Count, Mean, Score
from nimtui.ui.kit.glyphs import Glyphs

RATINGS = ("wins", "visits", "bound", "score", "value")  # what an agent may know of a move, the most telling first
PROVEN = {1.0: "wins", 0.0: "draws", -1.0: "loses"}
LONGEST_BAR = 24
GAP = 2  # columns between moves that share a line
PLAYED = {"perfect-opponent": "games against a perfect opponent", "perfect-both": "games of perfect players"}
BOUNDS = {"upper": "; ≤ means at most", "lower": "; ≥ means at least"}


@dataclass(frozen=True, slots=True)
class Opinion:
    """One line of the panel: the rating as text, and a bar's length from −1 to 1."""

    move: Move
    rank: float
    said: str
    share: float


def opinions(thoughts: Sequence[Thought]) -> list[Opinion]:
    """Return the rated moves, best first; ties keep their order. Empty if the agent does not rate its moves."""
    rating = next((kind for kind in RATINGS if any(getattr(each, kind) is not None for each in thoughts)), "")
    bounded = rating == "bound"
    thoughts = [thought for thought in thoughts if thought.score is not None or not bounded]
    sizes = [each.visits if rating == "visits" else each.score for each in thoughts if not (bounded and decided(each))]
    most = max((abs(size or 0) for size in sizes), default=0) or 1
    found = [Opinion(thought.move, *_rated(thought, rating, most)) for thought in thoughts if rating]
    return sorted(found, key=lambda opinion: -opinion.rank)


def _rated(thought: Thought, rating: str, most: float) -> tuple[float, str, float]:
    """Return the rank of a move, its rating as text, and the length of its bar; `most` has a bar of full length."""
    visits, score, value = thought.visits or 0, thought.score or 0, thought.value or 0
    match rating:
        case "wins":  # the result of playouts: 'wins – losses', or 'wins – draws – losses' if there were draws
            wins, losses, draws = thought.wins or 0, thought.losses or 0, thought.draws or 0
            counts = [wins, draws, losses] if draws else [wins, losses]
            share = (wins + draws / 2) / max(1, wins + losses + draws)
            return share, " – ".join(str(Count(count)) for count in counts), share
        case "visits":
            return visits, str(Count(visits)), visits / most
        case "bound":
            return score, str(score_of(thought)), copysign(1, score) if decided(thought) else 0.9 * score / most
        case "score":
            return score, str(Score(score)), score / most
    return value, value_text(value), value


def decided(thought: Thought) -> bool:
    """Return whether a search has found the end of the game after this move."""
    return abs(thought.score or 0) > DECIDED


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
    if any(thought.value not in (None, -1.0, 0.0, 1.0) for thought in thoughts):
        return "expected result: win +1, loss −1"
    return ""


def _of_table(table: Table) -> str:
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


def paint(
    title: str,
    decision: Decision,
    name: Callable[[Move], str],
    none: Sequence[str],
    columns: int,
    rows: int,
    signs: Glyphs,
    unit: str = "",
) -> list[Line]:
    """Return the panel: a title, the moves, the number of others, the method's limits.

    Each move has a line with a bar. Where there are too few lines, the lower moves share lines, without bars.

    `none` is shown if the agent rates no moves; `unit` says what the numbers mean.
    """
    top = [cut(line((signs.plain(title), Ink.TITLE)), columns, signs.hidden)]
    found = opinions(decision.thoughts)
    if not found:
        return [*top, *paragraphs([signs.plain(text) for text in none], columns, Ink.QUIET)]
    said = [signs.plain(text) for text in (unit, decision.note) if text]
    note = paragraphs(said, columns, Ink.QUIET)
    gap = [BLANK] if decision.note else []
    room = rows - 1 - len(gap) - len(note)
    if room < 4 and decision.note:  # a few moves matter more than the note
        note, gap = paragraphs(said[:-1], columns, Ink.QUIET), []
        room = rows - 1 - len(note)
    if room < 2:
        note, gap, room = [], [], rows - 1
    found.sort(key=lambda opinion: (-opinion.rank, opinion.move != decision.move))
    names = max(len(name(opinion.move)) for opinion in found)
    numbers = max(len(signs.plain(opinion.said)) for opinion in found)
    across = max(1, (columns + GAP) // (names + numbers + 3 + GAP))
    barred, visible = _divided(len(found), room, across)
    shown = found[:visible]
    if all(opinion.move != decision.move for opinion in shown):  # the played move is always visible
        shown = [*shown[:-1], next(opinion for opinion in found if opinion.move == decision.move)]
    wide = min(LONGEST_BAR, columns - names - numbers - 5)
    lines = [_line(opinion, decision.move, name, names, numbers, wide, signs) for opinion in shown[:barred]]
    for at in range(barred, len(shown), across):
        cells = [_line(each, decision.move, name, names, numbers, 0, signs) for each in shown[at : at + across]]
        lines.append(line(*(run for cell in cells for run in (*cell, Run(" " * GAP)))))
    if len(shown) < len(found):
        lines.append(line((signs.plain(f"  … {len(found) - len(shown)} more"), Ink.QUIET)))
    return [*top, *lines, *gap, *note][:rows]


def _divided(moves: int, room: int, across: int) -> tuple[int, int]:
    """Return how many of the moves get a line of their own, and how many are shown, in `room` lines."""
    if moves <= room:
        return moves, moves
    if across == 1:
        return max(0, room - 1), max(0, room - 1)
    for barred in range(room - 1, -1, -1):
        if barred - (barred - moves) // across <= room:
            return barred, moves
    return 0, max(1, room - 1) * across


def _line(
    opinion: Opinion, chosen: Move, name: Callable[[Move], str], names: int, said: int, wide: int, signs: Glyphs
) -> Line:
    here = opinion.move == chosen
    text = f"{signs.cursor if here else ' '} {name(opinion.move):<{names}} {signs.plain(opinion.said):>{said}}"
    bar = f" {signs.signed_bar(opinion.share, wide)}".rstrip() if wide > 2 else ""
    ink = Ink.QUIET if opinion.share < 0 else Ink.BAR
    return line((text, Ink.STRONG if here else Ink.TEXT), (bar, ink))
