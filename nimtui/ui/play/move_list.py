"""Paint the moves of a game: in one line, in a column, or each with its judgement."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nimtui.arena.games_report import Part
from nimtui.arena.history import Story
from nimtui.arena.review import Judgement
from nimtui.report.lines import Ink, Line, Run, cut, line, paragraphs, width
from nimtui.theory import Outcome
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import painter
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.play import value_history
from nimtui.ui.play.sentences import story_of
from nimtui.ui.play.session import OPENING, Session

MOST = 8  # characters of a player's label
WORDS = 20  # columns of a judgement in words
LEAST_BESIDE = 19  # columns of a bar with words beside it
LOST = (None, Outcome.LOSS)  # before a move that cannot be a mistake
EMPTY = (
    "No player expected a result so far. People, random agents and agents that only score their moves expect none. "
    "Exact values follow after the game, if it can be solved."
)


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
    visible = [part for run in runs[first:] for part in (run, "   ")]
    return [cut(line(f"{signs.hidden} " if first else "", *visible), columns, signs.hidden)]


def down(moves: Moves, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return a title and a line per move; the latest is always visible."""
    room = rows - 1
    first = max(0, min(len(moves.names) - room, moves.ply - 1 - room // 2))
    lines = [line(("Moves", Ink.TITLE))]
    digits, who = len(str(len(moves.names))), min(MOST, max(map(len, moves.by), default=3))
    for at in range(first, min(first + room, len(moves.names))):
        text = f" {at + 1:>{digits}} {moves.by[at]:<{who}.{who}} {moves.names[at]}"
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
    ply: int | None = None,
) -> Rows:
    """Return a line per move with its effect on the outcome, below each player's number of mistakes.

    `by` has the label of each move's player. With a `story` each line has the bar of its value, and the effect in words
    only if there is room for both. With a `ply` the moves beyond it were taken back.
    """
    wide = max(map(len, names), default=2)
    digits, who = len(str(len(names))), min(MOST, max(map(len, by), default=3))
    lead = digits + who + wide + 4
    drawn = None if story is None or story.blank else story

    def bar_width(columns: int) -> int:
        """Return the width of the bars; the words are left out where both do not fit."""
        if drawn is None:
            return 0
        room = columns - lead
        return value_history.width_in(room - WORDS if judgements and room >= WORDS + LEAST_BESIDE else room)

    def move(at: int, columns: int, signs: Glyphs) -> Line:
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>{digits}} {by[at]:<{who}.{who}} {names[at]:<{wide}}"
        undone = ply is not None and at >= ply
        runs: list[Run | str] = [Run(text, Ink.STRONG if at == cursor else Ink.QUIET if undone else Ink.TEXT)]
        bar = bar_width(columns)
        if drawn is not None and bar:
            values = value_history.bar(drawn.moments[at], bar, signs)
            runs += [" ", *values, " " * (bar - width(values))]
        if judgements is not None and (not bar or lead + bar + WORDS <= columns):
            judgement = judgements[at]
            sign = signs.wrong if judgement.mistake else signs.right if judgement.known else " "
            runs.append(Run(f" {sign} {signs.plain(judgement.effect)}", Ink.BAD if judgement.mistake else Ink.QUIET))
        return cut(line(*runs), columns, signs.hidden)

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        first, *more = _tallies(by, judgements, columns)
        heads = [line((first, Ink.TITLE)), *(line((signs.plain(text), Ink.QUIET)) for text in more)]
        if drawn is not None and (bar := bar_width(columns)):
            heads.append(line(" " * lead, *value_history.head(drawn.names, bar, signs)))
        return [*heads, *(move(at, columns, signs) for at in places)]

    def above(columns: int) -> int:
        return len(_tallies(by, judgements, columns)) + (bar_width(columns) > 0)

    return Rows(len(names), cursor, paint, go, heads=above)


def _tallies(by: Sequence[str], judgements: Sequence[Judgement] | None, columns: int) -> list[str]:
    """Return 'Mistakes: missed wins' and 'hard 0 of 4, you 1 of 1', without players who never had one."""
    chances: dict[str, list[bool]] = {}  # player -> whether each move that could be a mistake was one
    for each in judgements or ():
        if each.before not in LOST and by[each.ply] != OPENING:
            chances.setdefault(by[each.ply], []).append(each.mistake)
    if not chances:
        return ["Moves"]
    tallies = [f"{who} {Part(sum(chances[who]), len(chances[who]))}" for who in dict.fromkeys(by) if who in chances]
    draws = any(each.before is Outcome.DRAW for each in judgements or ())
    what = "Mistakes: missed wins, draws" if draws else "Mistakes: missed wins"
    return [what, *textwrap.wrap(", ".join(tallies), columns)]


@painter
def history(columns: int, rows: int, signs: Glyphs, session: Session) -> list[Line]:
    """Paint the value history: a line per move around the latest, what is known of it, and what the signs mean."""
    story, labels, moves, ply = story_of(session), session.labels, session.move_names(), session.record.ply
    title = line(("Value history", Ink.TITLE))
    latest = paragraphs([signs.plain(story.told(ply - 1))], columns) if story.told(ply - 1) else []
    if story.blank:
        return [title, *latest, *paragraphs([EMPTY], columns, Ink.QUIET)][:rows]
    below = [*latest, *value_history.legend(story, columns, signs)]
    if rows - len(below) < len(moves) + 2 and rows < 16:
        below = latest
    room = max(1, rows - 2 - len(below))
    first = max(0, min(len(moves) - room, ply - 1 - room // 2))
    listed = judged(moves, labels, None, ply - 1, lambda at: None, story, ply)
    lines = listed.paint(range(first, min(len(moves), first + room)), columns, signs)
    return [title, *lines[1:], *below][:rows]
