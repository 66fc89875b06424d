"""Paint the moves of a game: in one line, in a column, or each with its judgement."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nimtui.arena.review import Judgement
from nimtui.report.lines import Ink, Line, Run, cut, line, width
from nimtui.theory import Outcome
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.play import value_history, verdicts
from nimtui.ui.play.session import OPENING
from nimtui.ui.play.value_history import Story

MOST = 8  # characters of a player's label
WORDS = 20  # columns of a judgement in words
LEAST_BESIDE = 19  # columns of a bar with words beside it


@dataclass(frozen=True, slots=True)
class Moves:
    """Holds all known moves by name: the first `ply` were played, the others taken back."""

    names: Sequence[str]
    ply: int
    by: Sequence[str]  # the label of each move's player
    marks: Mapping[int, str]  # ply -> the mark after a mistake: '✗ win → loss'


def across(moves: Moves, columns: int, signs: Glyphs) -> list[Line]:
    """Return one line that always shows the latest move: '… 5 you c3  6 hard d2'."""
    runs = [_run(moves, at, f"{at + 1} {moves.by[at]} {name}") for at, name in enumerate(moves.names)]
    room = 0
    first = min(moves.ply, len(runs))
    while first and room + len(runs[first - 1].text) + 3 <= columns - 2:
        first -= 1
        room += len(runs[first].text) + 3
    shown: list[Run | str] = [f"{signs.hidden} "] if first else []
    for run in runs[first:]:
        shown += [run, "   "]
    return [cut(line(*shown), columns, signs.hidden)]


def down(moves: Moves, columns: int, rows: int, signs: Glyphs, cursor: int | None = None) -> list[Line]:
    """Return a title and a line per move; the latest (or the cursor's) is always visible."""
    room = rows - 1
    middle = moves.ply - 1 if cursor is None else cursor
    first = max(0, min(len(moves.names) - room, middle - room // 2))
    lines = [line(("Moves", Ink.TITLE))]
    digits, who = len(str(len(moves.names))), min(MOST, max(map(len, moves.by), default=3))
    for at in range(first, min(first + room, len(moves.names))):
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>{digits}} {moves.by[at]:<{who}.{who}} {moves.names[at]}"
        lines.append(cut(line(_run(moves, at, text)), columns, signs.hidden))
    return lines


def _run(moves: Moves, at: int, text: str) -> Run:
    mark = moves.marks.get(at, "")
    latest, undone = at == moves.ply - 1, at >= moves.ply
    ink = Ink.STRONG if latest else Ink.QUIET if undone else Ink.TEXT
    return Run(f"{text} {mark}" if mark else text, ink)


def judged(
    names: Sequence[str],
    by: Sequence[str],
    judgements: Sequence[Judgement] | None,
    cursor: int,
    go: Callable[[int], None],
    story: Story | None = None,
) -> Rows:
    """Return a line per move with its effect on the outcome, below each player's number of mistakes.

    `by` has the label of each move's player. With a `story` each line has the bar of its value, and the effect in words
    only if there is room for both.
    """
    wide = max(map(len, names), default=2)
    digits, who = len(str(len(names))), min(MOST, max(map(len, by), default=3))
    lead = digits + who + wide + 4
    shown = None if story is None or story.blank else story

    def drawn(columns: int) -> int:
        """Return the width of the bars; the words are left out where both do not fit."""
        if shown is None:
            return 0
        room = columns - lead
        return value_history.width_in(room - WORDS if judgements and room >= WORDS + LEAST_BESIDE else room)

    def move(at: int, columns: int, signs: Glyphs) -> Line:
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>{digits}} {by[at]:<{who}.{who}} {names[at]:<{wide}}"
        runs: list[Run | str] = [Run(text, Ink.STRONG if at == cursor else Ink.TEXT)]
        bar = drawn(columns)
        if shown is not None and bar:
            values = value_history.bar(shown.moments[at], bar, signs)
            runs += [" ", *values, " " * (bar - width(values))]
        if judgements is not None and (not bar or lead + bar + WORDS <= columns):
            found = judgements[at]
            sign = signs.wrong if found.mistake else signs.right if found.known else " "
            said = f" {sign} {signs.plain(verdicts.said(found))}"
            runs.append(Run(said, Ink.BAD if found.mistake else Ink.QUIET))
        return cut(line(*runs), columns, signs.hidden)

    def heads(columns: int, signs: Glyphs) -> list[Line]:
        first, *more = _tallies(by, judgements, columns)
        found = [line((first, Ink.TITLE)), *(line((signs.plain(text), Ink.QUIET)) for text in more)]
        bar = drawn(columns)
        return [*found, line(" " * lead, *value_history.head(shown.names, bar, signs))] if shown and bar else found

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        return [*heads(columns, signs), *(move(at, columns, signs) for at in places)]

    def above(columns: int) -> int:
        return len(_tallies(by, judgements, columns)) + (drawn(columns) > 0)

    return Rows(len(names), cursor, paint, go, heads=above)


def _tallies(by: Sequence[str], judgements: Sequence[Judgement] | None, columns: int) -> list[str]:
    """Return 'Mistakes: missed wins' and 'hard 0 of 4, you 1 of 1', without players who never had one."""
    counts = {who: verdicts.tally(verdicts.made_by(who, by, judgements or ())) for who in dict.fromkeys(by)}
    told = [f"{who} {wrong} of {could}" for who, (could, wrong) in counts.items() if could and who != OPENING]
    if not told:
        return ["Moves"]
    drawn = any(found.before is Outcome.DRAW for found in judgements or ())
    what = "Mistakes: missed wins, draws" if drawn else "Mistakes: missed wins"
    return [what, *textwrap.wrap(", ".join(told), columns)]
