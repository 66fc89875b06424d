"""The moves of a game in lines, each with its judgement and its value: lost and won beside a middle line."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

from nimtui.arena.review.history import Cell, Moment, Story, believed, cells, sides
from nimtui.arena.review.history import legend as story_legend
from nimtui.arena.review.review import Judgement, Names, review
from nimtui.arena.standings.games_report import Part
from nimtui.games import Record, base
from nimtui.jobs.conductor import Conductor, ignore
from nimtui.playing.sentences import story_of
from nimtui.playing.session import OPENING, Session
from nimtui.report.lines import (
    BLANK,
    Ink,
    Line,
    Run,
    beside,
    centred,
    cut,
    fit,
    inked,
    justified,
    line,
    paragraphs,
    width,
    wrapped,
)
from nimtui.theory import Outcome
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import of_nothing, painter
from nimtui.ui.kit.widgets.virtual_list import Rows

LEAST, MOST = 9, 41  # columns of a bar
JUDGING = "values"  # the errand
LONGEST_LABEL = 8  # characters of a player's label
WORDS = 20  # columns of a judgement in words
WORDY = 40  # columns of a list of moves with words behind each
LEAST_BESIDE = 19  # columns of a bar with words beside it
LOST = (None, Outcome.LOSS)  # before a move that cannot be a mistake
EMPTY = (
    "No player expected a result so far. People, random agents and agents that only score their moves expect none. "
    "Exact values follow after the game, if it can be solved."
)
ORDER = tuple(map(str, Cell))
INKS = {
    Cell.EMPTY: Ink.TEXT,
    Cell.MIDDLE: Ink.QUIET,
    Cell.DRAWN: Ink.STRONG,
    Cell.LOST: Ink.BAR,
    Cell.WON: Ink.BAR,
    Cell.JUMP: Ink.BAD,
    Cell.MISTAKE: Ink.BAD,
    Cell.BELIEVED: Ink.STRONG,
    Cell.ESTIMATED: Ink.OPEN,
}
KINDS = tuple(INKS.values())
AXIS = 19  # columns of the names beside upright bars
DIAGRAM = (36, 15)  # least columns and lines of a diagram, where there are several
FEWEST = 8  # moves for which upright bars have room
HELP = (
    "V draws the value history, a row per move: who wins to the left, who wins to the right, a draw in the middle. "
    "A bar is the exact value under perfect play: the longer, the sooner the game is over. A mistake jumps to its new "
    "value. The sign beside or on the bar is what the player expected of its move, from a sure loss at one end to a "
    "sure win at the other. On huge screens the bars stand upright below the board: the first player wins upwards."
)


def bar(moment: Moment, width: int, signs: Glyphs) -> Line:
    """Return the row of a moment in `width` columns."""
    if moment.blank:
        return ()
    row = cells(moment, width)
    kinds = [ORDER.index(cell) for cell in row]
    return inked("".join(signs.history[kind] for kind in kinds), kinds, KINDS)


def width_in(columns: int) -> int:
    """Return the odd width of a bar in so many columns; 0 if there is no room."""
    return 0 if columns < LEAST else min(MOST, columns - (1 - columns % 2))


def head(names: Names, width: int, signs: Glyphs, paid: bool = False) -> Line:
    """Return the line above the bars: who wins to the left and to the right of the middle."""
    half = width // 2 - 1
    brief = (name.removeprefix("the ").partition(" ")[0] for name in names)
    shorter = sides((next(brief), next(brief)), paid)
    first, second = (
        signs.plain(next((text for text in texts if len(text) <= room), texts[-1].partition(" ")[0][:room]))
        for room, texts in zip((half, half - 1), zip(sides(names, paid), shorter, strict=True), strict=True)
    )
    return line((f"{first:<{half}} {signs.more_left}{signs.more_right} {second:>{half - 1}}", Ink.QUIET))


def legend(story: Story, columns: int, signs: Glyphs, drawn: str) -> list[Line]:
    """Return what the signs mean; `drawn` has that of each `Cell`."""
    rows = [cells(moment, MOST) for moment in story.moments if not moment.blank]
    samples = {cell: Run(sign, ink) for (cell, ink), sign in zip(INKS.items(), drawn, strict=True)}
    parts = [
        line(*(samples[Cell(kind)] for kind in kinds), (f" {signs.plain(meaning)}", Ink.QUIET))
        for kinds, meaning in story_legend(rows, story.analyst, story.paid)
    ]
    return wrapped(parts, columns, signs.plain(" · "), signs.hidden)


# When it is shown.


class Storytelling:
    """The value history is shown on request, and by itself after a game on wide screens, always on large ones.

    Exact values would give the truth away: a game is judged only when it is over, or while the person has the positions
    explained.
    """

    def __init__(self, conductor: Conductor, has: Callable[[str], bool]) -> None:
        """The conductor has games judged. `has` tells whether the screen has a class of its size."""
        self._conductor, self._has = conductor, has
        self._wanted = False  # the person asked for it
        self._hidden: Session | None = None  # the finished game whose history the person does not want
        self._judged: tuple[Session, tuple[int, ...]] | None = None  # the latest judged game, and its moves

    def toggle(self, session: Session) -> None:
        """Show the history, or hide it."""
        self._wanted = not self.is_shown(session)
        self._hidden = session if (session.over or self.boxed) and not self._wanted else None

    @property
    def boxed(self) -> bool:
        """Whether the screen has a box for the history, so that it covers nothing."""
        return self._has("-large")

    def is_shown(self, session: Session) -> bool:
        by_itself = (self.boxed or (session.over and self._has("-wide"))) and session is not self._hidden
        return (self.boxed or bool(session.authors)) and (self._wanted or by_itself)

    def covers(self, session: Session) -> bool:
        """Return whether the history is shown in the place of something else."""
        return self.is_shown(session) and not self.boxed

    def follow(self, session: Session, explaining: bool) -> bool:
        """Return whether the history is shown; judge the game if its exact values may be shown."""
        if not self.is_shown(session):
            self._conductor.drop(JUDGING)
            return False
        moves = tuple(session.record.moves)
        judged_already = len(session.judged()) >= len(moves) or self._judged == (session, moves)  # at work, or failed
        if judged_already or not (session.over or explaining):
            return True
        self._judged = session, moves
        record = Record(session.game, session.position, moves)

        def judged(judgements: list[Judgement]) -> None:
            if tuple(session.record.moves) == moves:
                session.judgements = judgements

        self._conductor.errand(JUDGING, lambda progress: review(record, progress, plies=True), judged)
        return True


# The moves, in a line or in a column, each with its judgement and its value.


def mistakes(session: Session, signs: Glyphs) -> dict[int, str]:
    """Return the mark of each judged mistake, by ply: '✗ win → loss'."""
    judged = (move for move in session.judged().values() if move.mistake)
    return {move.ply: signs.plain(f"{signs.wrong} {move.gave_away}") for move in judged}


def across(session: Session, columns: int, signs: Glyphs) -> list[Line]:
    """Return one line that always shows the latest move: '… 5 you c3  6 hard d2'."""
    ply, marks, by = session.record.ply, mistakes(session, signs), session.labels
    texts = [f"{at + 1} {by[at]} {name} {marks.get(at, '')}".rstrip() for at, name in enumerate(session.move_names())]
    runs = [Run(text, move_ink(at, ply - 1, ply)) for at, text in enumerate(texts)]
    room = 0
    first = min(ply, len(runs))
    while first and room + len(runs[first - 1].text) + 3 <= columns - 2:
        first -= 1
        room += len(runs[first].text) + 3
    visible = [part for run in runs[first:] for part in (run, "   ")]
    return [cut(line(f"{signs.hidden} " if first else "", *visible), columns, signs.hidden)]


@painter
def log(columns: int, rows: int, signs: Glyphs, session: Session) -> list[Line]:
    """Return a title and a line per move with its mark, in a wide panel with what its player expected.

    The latest move is always visible.
    """
    names, ply, notes, room = session.move_names(), session.record.ply, mistakes(session, signs), rows - 1
    if columns >= WORDY:
        expected = {at: believed(each, "").strip() for at, each in enumerate(session.beliefs()) if each is not None}
        notes = {at: signs.plain(text) for at, text in expected.items()} | notes
    texts = [notes.get(at, "") for at in range(len(names))]
    first = max(0, min(len(names) - room, ply - 1 - room // 2))
    first += first % 2  # a move and its answer leave at once, so that the list is drawn again half as often
    listed = judged(names, session.labels, None, ply - 1, ply=ply, sentences=texts)
    return [*listed.paint(range(first, min(first + room, len(names))), columns, signs)]


def move_ink(at: int, latest: int, ply: int | None) -> Ink:
    """Return the ink of a move: those beyond `ply` were taken back."""
    return Ink.STRONG if at == latest else Ink.QUIET if ply is not None and at >= ply else Ink.TEXT


def judged(
    names: Sequence[str],
    by: Sequence[str],
    judgements: Sequence[Judgement] | None,
    cursor: int,
    go: Callable[[int], None] = ignore,
    story: Story | None = None,
    ply: int | None = None,
    sentences: Sequence[str] = (),
) -> Rows:
    """Return a line per move with its effect on the outcome, below each player's number of mistakes.

    `by` has the label of each move's player. With a `story` each line has the bar of its value, and the effect in words
    only if there is room for both. With a `ply` the moves beyond it were taken back. `sentences`: one beside each move.
    """
    wide = max(map(len, names), default=2)
    digits, who = len(str(len(names))), min(LONGEST_LABEL, max(map(len, by), default=3))
    lead = digits + who + wide + 4
    drawn = None if story is None or story.blank else story

    def bar_width(columns: int) -> int:
        """Return the width of the bars; the words are left out where both do not fit."""
        if drawn is None:
            return 0
        room = columns - lead
        return width_in(room - WORDS if judgements and room >= WORDS + LEAST_BESIDE else room)

    def move(at: int, columns: int, signs: Glyphs) -> Line:
        here = signs.cursor if at == cursor else " "
        text = f"{here}{at + 1:>{digits}} {by[at]:<{who}.{who}} {names[at]:<{wide}}"
        runs: list[Run | str] = [Run(text, move_ink(at, cursor, ply))]
        room = bar_width(columns)
        if drawn is not None and room:
            values = bar(drawn.moments[at], room, signs)
            runs += [" ", *values, " " * (room - width(values))]
        if judgements is not None and (not room or lead + room + WORDS <= columns):
            judgement = judgements[at]
            sign = signs.wrong if judgement.mistake else signs.right if judgement.known else " "
            runs.append(Run(f" {sign} {signs.plain(judgement.effect)}", Ink.BAD if judgement.mistake else Ink.QUIET))
        if sentences and sentences[at]:
            start = lead + WORDS * (judgements is not None)
            runs += [" " * (start - width(line(*runs))), Run(signs.plain(sentences[at]), Ink.TEXT)]
        return cut(line(*runs), columns, signs.hidden)

    def paint(places: Sequence[int], columns: int, signs: Glyphs) -> list[Line]:
        first, *more = _tallies(by, judgements, columns)
        heads = [line((first, Ink.TITLE)), *(line((signs.plain(text), Ink.QUIET)) for text in more)]
        if drawn is not None and (room := bar_width(columns)):
            heads.append(line(" " * lead, *head(drawn.names, room, signs, drawn.paid)))
        return [*heads, *(move(at, columns, signs) for at in places)]

    def above(columns: int) -> int:
        return len(_tallies(by, judgements, columns)) + (bar_width(columns) > 0)

    def texts(places: Sequence[int]) -> list[str]:
        effects = [""] * len(names) if judgements is None else [each.effect for each in judgements]
        return [f"{at + 1} {by[at]} {names[at]} {effects[at]}" for at in places]

    return Rows(len(names), cursor, paint, go, heads=above, texts=texts)


def _tallies(by: Sequence[str], judgements: Sequence[Judgement] | None, columns: int) -> list[str]:
    """Return 'Mistakes: missed wins' and 'hard 0 of 4, you 1 of 1', without players who never had one."""
    chances: dict[str, list[bool]] = {}  # player -> whether each move that could be a mistake was one
    for each in judgements or ():
        may_cost = each.payoff_before is not None or each.before not in LOST
        if may_cost and by[each.ply] != OPENING:
            chances.setdefault(by[each.ply], []).append(each.mistake)
    if not chances:
        return ["Moves"]
    tallies = [f"{who} {Part(sum(chances[who]), len(chances[who]))}" for who in dict.fromkeys(by) if who in chances]
    draws = any(each.before is Outcome.DRAW for each in judgements or ())
    what = "Mistakes: missed wins, draws" if draws else "Mistakes: missed wins"
    if any(each.payoff_before is not None for each in judgements or ()):
        what = "Mistakes: points given away"
    return [what, *textwrap.wrap(", ".join(tallies), columns)]


@painter
def story_paint(columns: int, rows: int, signs: Glyphs, session: Session) -> list[Line]:
    """Paint the value history: a line per move around the latest, what is known of it, and what the signs mean."""
    story, labels, moves, ply = story_of(session), session.labels, session.move_names(), session.record.ply
    title = line(("Value history", Ink.TITLE))
    latest = paragraphs([signs.plain(story.told(ply - 1))], columns) if story.told(ply - 1) else []
    if story.blank:
        return [title, *latest, *paragraphs([EMPTY], columns, Ink.QUIET)][:rows]
    below = [*latest, *legend(story, columns, signs, signs.history)]
    if rows - len(below) < len(moves) + 2 and rows < 16:
        below = latest
    room = max(1, rows - 2 - len(below))
    first = max(0, min(len(moves) - room, ply - 1 - room // 2))
    listed = judged(moves, labels, None, ply - 1, story=story, ply=ply)
    head, *bars = listed.paint(range(first, min(len(moves), first + room)), columns, signs)[1:]
    return [title, head, *bars, *below][:rows]


@painter
def judged_paint(columns: int, rows: int, signs: Glyphs, session: Session) -> list[Line]:
    """Paint every move of a finished game with its effect on the outcome, the last ones if not all fit."""
    names, judgements = session.move_names(), [*session.judged().values()]
    every = judgements if len(judgements) == len(names) else None
    listed = judged(names, session.labels, every, session.record.ply - 1)
    room = max(1, rows - listed.heads(columns))
    lines = [*listed.paint(range(max(0, len(names) - room), len(names)), columns, signs)]
    if len(names) * 3 // 2 <= room:  # each move with its answer apart
        for at in range(len(lines) - len(names) + (len(names) - 1) // 2 * 2, len(lines) - len(names), -2):
            lines = [*lines[:at], BLANK, *lines[at:]]
    return lines[:rows]


@painter
def curve(columns: int, rows: int, signs: Glyphs, session: Session, ply: int) -> list[Line]:
    """Paint the value history upright: a bar per move up to `ply` and after it, the first player's wins at the top.

    Below stand the names of the moves, what is known of the latest one, and what the signs mean.
    """
    story, names = story_of(session), session.move_names()
    if story.blank:
        return [*of_nothing("Value history", EMPTY)(columns, rows, signs)]
    latest, (means, *more) = line(signs.plain(story.told(ply - 1))), legend(story, columns, signs, signs.upright)
    fits = width(latest) + width(means) + 2 <= columns and not more
    below = [justified(latest, means, columns)] if fits else [cut(latest, columns, signs.hidden), means, *more]
    high = rows - 2 - len(below)
    high -= 1 - high % 2
    plies = -(-max(FEWEST, len(names)) // 4) * 4  # in steps, so that most moves leave the bars where they are
    pitch = max(2, (columns - AXIS - 1) // plies)
    room = (columns - AXIS - 1) // pitch
    first = max(0, min(len(names) - room, ply - 1 - room // 2))
    places = range(first, min(len(names), first + room))
    moments = [story.moments[at] for at in places]
    grounds = [cells(replace(each, belief=None, estimate=None, gave_away=""), high)[::-1] for each in moments]
    drawn = [cells(each, high)[::-1] for each in moments]
    winners = (text if len(text) <= AXIS else text.partition(" ")[0][:AXIS] for text in sides(story.names, story.paid))
    bottom, top = map(signs.plain, winners)
    lines = []
    for y in range(high):
        label = top if y == 0 else bottom if y == high - 1 else ""
        row = [Run(f"{label:>{AXIS}} ", Ink.QUIET)]
        for cell, ground in ((Cell(each[y]), Cell(bar[y])) for each, bar in zip(drawn, grounds, strict=True)):
            sign, fill = (signs.upright[ORDER.index(kind)] for kind in (cell, ground))
            before, after = fill * ((pitch - 2) // 2), fill * ((pitch - 1) // 2)
            gap = fill if ground is Cell.MIDDLE else " "
            row += [Run(before, INKS[ground]), Run(sign, INKS[cell]), Run(after + gap, INKS[ground])]
        lines.append(line(*row))
    labels = [Run(" " * (AXIS + 1))]
    for at in places:
        texts = (f"{at + 1} {names[at]}", str(at + 1), signs.up if at == ply - 1 else "")
        text = next((text for text in texts if len(text) < pitch), "").center(pitch - 1)
        labels.append(Run(f"{text} ", move_ink(at, ply - 1, ply)))
    coming = range(places.stop, 0 if session.over or session.record.undone else first + min(room, plies))
    labels.extend(Run(f"{at + 1!s:^{pitch - 1}} ", Ink.QUIET) for at in coming)
    return [line(("Value history", Ink.TITLE)), *lines, line(*labels), *below][:rows]


@painter
def diagrams(columns: int, rows: int, signs: Glyphs, session: Session, ply: int) -> list[Line]:
    """Return the positions around the one after `ply` moves, each below the move that led to it, then empty boards.

    Neighbours are alike, and boards wait where positions will stand, so a move draws few cells; so they keep the
    colours of a board.
    """
    game, moves, names = session.game, session.known_moves, ["start", *session.move_names()]
    across, room = max(1, columns // DIAGRAM[0]), rows - 1
    count = across * max(1, room // DIAGRAM[1])
    first = max(0, min(len(names) - count, ply - count // 2))
    wide, high = columns // across, room // (count // across)
    state, marks, drawn = base.copy(session.record.state_at(0)), NOBODY, list[Sequence[Line]]()
    for number, name in enumerate(names[: first + count]):
        if number:
            last = small_board.after(game, state, moves[number - 1], session.authors[number - 1].side)
            marks = replace(last, by={**marks.by, **last.by})
            base.play(state, moves[number - 1])
        if number >= first:
            text = f"{number} {session.labels[number - 1]} {name}" if number else name
            head = line((f"{signs.cursor} {text}", Ink.STRONG)) if number == ply else line((text, Ink.QUIET))
            picture = small_board.drawing(game, state, marks, wide - 2, high - 2, signs, DIAGRAM[1] - 1)
            diagram = [centred(fit(head, wide, signs), wide), *picture]
            drawn.append([*diagram, *[BLANK] * (high - len(diagram))])
    if len(drawn) < count:
        picture = small_board.drawing(game, game.start, NOBODY, wide - 2, high - 2, signs, DIAGRAM[1] - 1)
        head = centred(line(("not played yet", Ink.QUIET)), wide)
        empty = [head, *picture, *[BLANK] * (high - 1 - len(picture))]
        drawn += [empty] * (count - len(drawn))
    lines = [drawn[at : at + across] for at in range(0, len(drawn), across)]
    return [line(("Positions", Ink.TITLE)), *(each for row in lines for each in beside(row, [wide] * len(row)))]
