"""What an agent thought of every move before it made one: sorted, with bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nimtui.agents import Decision, Thought
from nimtui.games.base import Move
from nimtui.ui.glyphs import Glyphs
from nimtui.ui.widgets.ink import BLANK, Ink, Line, line, paragraphs

LONGEST_BAR = 24


@dataclass(frozen=True, slots=True)
class Opinion:
    """One move as it is shown: a number in words, and a bar's length from 0 to 1."""

    move: Move
    rank: float
    said: str
    share: float


def grouped(number: int) -> str:
    """'+37,266', '0', '−3'."""
    return f"{number:+,}".replace("-", "−") if number else "0"


def opinions(thoughts: Sequence[Thought]) -> list[Opinion]:
    """The best first; of equal ones the first stays first. Empty where the agent thinks nothing of its moves."""
    if any(thought.wins is not None for thought in thoughts):
        found = [_tally(thought) for thought in thoughts]
    elif any(thought.visits is not None for thought in thoughts):
        most = max(thought.visits or 0 for thought in thoughts)
        found = [Opinion(t.move, t.visits or 0, f"{t.visits or 0:,}", (t.visits or 0) / max(1, most)) for t in thoughts]
    elif any(thought.score is not None for thought in thoughts):
        most = max(1, *(thought.score or 0 for thought in thoughts))
        found = [Opinion(t.move, t.score or 0, grouped(t.score or 0), (t.score or 0) / most) for t in thoughts]
    elif any(thought.value is not None for thought in thoughts):
        found = [_value(thought) for thought in thoughts]
    else:
        return []
    return sorted(found, key=lambda opinion: -opinion.rank)


def _tally(thought: Thought) -> Opinion:
    """Of playouts: 'wins – losses', and 'draws' between them where there were any."""
    wins, losses, draws = thought.wins or 0, thought.losses or 0, thought.draws or 0
    counts = [wins, draws, losses] if draws else [wins, losses]
    share = (wins + draws / 2) / max(1, wins + losses + draws)
    return Opinion(thought.move, share, " – ".join(f"{count:,}" for count in counts), share)


def _value(thought: Thought) -> Opinion:
    value = thought.value or 0.0
    exact = {1.0: "wins", 0.0: "draws", -1.0: "loses"}
    said = exact.get(value) or f"{value:+.2f}".replace("-", "−")
    return Opinion(thought.move, value, said, (value + 1) / 2)


def paint(
    title: str,
    decision: Decision | None,
    name: Callable[[Move], str],
    none: Sequence[str],
    columns: int,
    rows: int,
    signs: Glyphs,
) -> list[Line]:
    """The panel: a title, a line a move as far as there is room, how many more there are, what the method cannot see.

    `none` is said where there is nothing to show.
    """
    head = [line((signs.plain(title), Ink.TITLE))]
    found = opinions(decision.thoughts) if decision is not None else []
    if decision is None or not found:
        return [*head, *paragraphs([signs.plain(text) for text in none], columns, Ink.QUIET)]
    note = paragraphs([signs.plain(decision.note)], columns, Ink.QUIET) if decision.note else []
    room = rows - 1 - (len(note) and len(note) + 1)
    if room < 2:
        note, room = [], rows - 1
    found.sort(key=lambda opinion: (-opinion.rank, opinion.move != decision.move))
    shown = found if len(found) <= room else found[: room - 1]
    if all(opinion.move != decision.move for opinion in shown):  # what was played is seen, however badly it stood
        shown = [*shown[:-1], next(opinion for opinion in found if opinion.move == decision.move)]
    names = max(len(name(opinion.move)) for opinion in found)
    said = max(len(signs.plain(opinion.said)) for opinion in found)
    wide = min(LONGEST_BAR, columns - names - said - 5)
    lines = [_line(opinion, decision.move, name, names, said, wide, signs) for opinion in shown]
    if len(shown) < len(found):
        lines.append(line((signs.plain(f"  … {len(found) - len(shown)} more"), Ink.QUIET)))
    return [*head, *lines, *([BLANK, *note] if note else [])][:rows]


def _line(
    opinion: Opinion, chosen: Move, name: Callable[[Move], str], names: int, said: int, wide: int, signs: Glyphs
) -> Line:
    here = opinion.move == chosen
    text = f"{signs.cursor if here else ' '} {name(opinion.move):<{names}} {signs.plain(opinion.said):>{said}}"
    bar = signs.bar(opinion.share, wide).rstrip() if wide > 2 else ""
    return line((text, Ink.STRONG if here else Ink.TEXT), (f" {bar}" if bar else "", Ink.BAR))
