"""Paints one position of a table or a function: board, and for every move its score, plays, verdict and history.

In its place while a game is shown move by move: the game, and what each move taught a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from math import copysign, log1p

from nimtui.agents.belief import Belief, Kind
from nimtui.arena.review.history import Cell, Moment, place
from nimtui.arena.review.review import for_first
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning.compiled import GameSteps
from nimtui.learning.evaluate import NOTHING, UNDECIDED, WORDS
from nimtui.learning.sweep_report import Rough
from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.cells import list_lines, table_lines
from nimtui.report.lines import Ink, Line, Run, beside, centred, cut, fitting, line, paragraphs, width
from nimtui.report.values import NOTHING as BLANK
from nimtui.report.values import Count, Difference, Mean, Result, Score, Typed, Word, nearest
from nimtui.theory import Outcome
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.board.discs import ENDS, SHORT, Discs, result_words
from nimtui.ui.board.preview import INKS
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter
from nimtui.ui.play import value_history

LEVELS = {"unicode": "▁▂▃▄▅▆▇█", "ascii": "_.-~+*%#"}
PITCH = 5  # columns of the terminal for each of the board, at least: those of a value and a blank
LEAST_HIGH, MOST_HIGH = 2, 6  # lines
BELOW = 2  # lines: columns and results, values
MEANINGS = (
    "left: the function, right: exact; full is won",
    "left: the function, right: exact",
    "left learned, right exact",
)
CELLS = 7  # columns of the history of a score
LONGEST_BAR, SHORTEST_BAR = 20, 4
START = "start"  # of a game whose first position has no name
BROAD = 39  # columns with room for "right?", beside all else
SOME_RIGHT = "only some of its best moves are right"
BOARD = 18  # columns of the board
LEAST_BAR = 13  # columns of the value history
SEATS = ("First", "Second")
PLACES = Context(prec=2)  # of a step, which may be very small
MEANING = (
    "V: the value of the position after the move, for its player; before the game, and after it. "
    "G: what it should be worth, as the player of the next move sees it: a part from the best reply there was, a part "
    "from the G of the next move. The step is what its weights learned from the error G − V."
)


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move of the position as the table rates it."""

    move: Move
    name: str
    score: float
    visits: int
    keeps: bool  # does the move keep the exact value of the position?
    history: Sequence[float]  # of the score; the last one is the current score
    exact: Outcome | None = None  # for the player who makes it, where the score is an expected result
    plies: int | None = None  # to the end of the game, by perfect play; None: unknown, or a draw


def columned(shown: ShownPosition, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return a board with columns and, above each, the value of a move beside the exact one, as two bars.

    There is none without room, where the board has no columns, or scores are no expected results.
    """
    game, cells = shown.game, shown.game.cells(shown.state)
    moves = {scored.move: scored for scored in shown.moves if scored.exact is not None}
    if game.board_kind != "columns" or not cells or not moves:
        return []
    wide, high = len(cells[0]), len(cells)
    if rows < LEAST_HIGH + high + BELOW or wide * PITCH > columns:
        return []
    marked = shown.moves[shown.marked].move
    landing = frozenset(game.touched(shown.state, marked))
    picture = Discs(wide, high, columns, rows - LEAST_HIGH - BELOW, signs, bare=True, least=PITCH)
    pitch, margin = picture.pitch, picture.left
    board = picture.paint(cells, landing, NOBODY, None)[picture.first :][: picture.deep]
    bars = min(MOST_HIGH, (rows - len(board) - BELOW) // 2 * 2)
    places = [moves.get(move) for move in range(wide)]

    def across(texts: list[tuple[str, Ink]]) -> Line:
        return line(Run(" " * margin), *(Run(text.center(pitch), ink) for text, ink in texts))

    lines = [_bars(places, at, bars, pitch, margin, signs) for at in range(bars - 1, -1, -1)] + board
    lines.append(across([_ending(scored, at, at == marked, pitch, signs) for at, scored in enumerate(places)]))
    lines.append(
        across([(_value(scored), Ink.STRONG if at == marked else Ink.TEXT) for at, scored in enumerate(places)])
    )
    return [*lines, centred(line((signs.plain(fitting(columns, *MEANINGS)), Ink.QUIET)), columns)][:rows]


def _bars(places: list[ScoredMove | None], at: int, bars: int, pitch: int, margin: int, signs: Glyphs) -> Line:
    """Return line `at` of the bars, counted from below."""
    half = (pitch - 1) // 2
    runs = [Run(" " * margin)]
    for scored in places:
        if scored is None or scored.exact is None:
            runs.append(Run(" " * pitch))
            continue
        levels = LEVELS[signs.name]
        height = round((scored.score + 1) / 2 * bars * len(levels)) - at * len(levels)
        level = min(len(levels), max(height, at == 0))
        own = levels[level - 1] if level > 0 else " "
        exact = signs.less if (scored.exact.worth + 1) / 2 * bars > at else " "
        runs += [Run(own * half, Ink.BAR), Run(exact * half, ENDS[scored.exact]), Run(" " * (pitch - 2 * half))]
    return line(*runs)


def _ending(scored: ScoredMove | None, at: int, marked: bool, pitch: int, signs: Glyphs) -> tuple[str, Ink]:
    """Return the name of a column and the exact result of its move."""
    if scored is None or scored.exact is None:
        return "", Ink.QUIET
    plain = f"{scored.name} {SHORT[scored.exact]}"
    text = f"{plain}{scored.plies or ''}"
    text = text if len(text) < pitch else plain
    return (f"{signs.cursor}{text}" if marked and len(text) < pitch else text), ENDS[scored.exact]


def _value(scored: ScoredMove | None) -> str:
    """Return a value in four columns: '+.12'."""
    text = "" if scored is None else Mean(scored.score).text.replace("0.", ".", 1)
    return text.removesuffix("0") if len(text) == PITCH else text


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A position and its moves, best first."""

    game: Game
    state: State
    name: str
    verdict: int  # see `learning.evaluate`: lost, right, wrong, undecided
    worth: int  # exact, for the player to move: 1 won, 0 drawn, −1 lost
    moves: Sequence[ScoredMove]
    marked: int  # the index of the marked move
    drawn: bool | None = False  # see `learning.graph_table.draws`
    player: str = "the table"

    @property
    def claims(self) -> Sequence[str]:
        """What the table does here when it plays, from long to short."""
        if self.verdict == NOTHING:
            return "lost: every move loses", "lost"
        word, some = WORDS[self.verdict], self.verdict == UNDECIDED
        if self.drawn is False or all(scored.keeps for scored in self.moves):
            return (f"undecided: {SOME_RIGHT}", word) if some else (f"{self.player} plays it {word}", word)
        long, short = (SOME_RIGHT, word) if some else (f"its best move is {word}", f"best {word}")
        if self.drawn is None:
            return long, short
        picks = "picks at random"
        return (
            f"{long}; no score is above 0, so it {picks}",
            f"{long}; it {picks}",
            f"{short}; {picks}",
            f"{short}; random",
        )


class ShortScore(Score):
    """A score in a narrow panel: '+37,266', '0', '−3'; '+0.53' for a fraction."""

    def size(self, value: float) -> str:
        return super().size(value) if float(value).is_integer() else f"{nearest(value, 2):,.2f}"


def sign_of(verdict: int, signs: Glyphs) -> Run:
    return Run(signs.verdicts[verdict], INKS[verdict])


def called(position: str, signs: Glyphs) -> Run:
    """Return the name of a marked position."""
    start, end = signs.mark
    return Run(f"{start}{signs.plain(position) or START}{end}", Ink.STRONG)


def spark(values: Sequence[float], signs: Glyphs, cells: int = CELLS) -> str:
    """Return the history of a score, one sign per value, scaled from the lowest to the highest; a line if all equal."""
    levels = LEVELS[signs.name]
    low, high = min(values), max(values)
    if high == low:
        return (signs.rule * len(values)).rjust(cells)
    return "".join(levels[round((value - low) / (high - low) * (len(levels) - 1))] for value in values).rjust(cells)


@painter
def paint(columns: int, rows: int, signs: Glyphs, shown: ShownPosition | None) -> list[Line]:
    """Paint the name and verdict, the board if there is room, then one line per move around the marked one."""
    if shown is None:
        return []
    head = line(called(shown.name, signs), " ", sign_of(shown.verdict, signs), " ")
    claim = next((text for text in shown.claims if width(head) + len(text) <= columns), shown.claims[-1])
    head = (*head, Run(claim, Ink.QUIET))
    if board := columned(shown, columns, rows - 1, signs):
        return [cut(each, columns, signs.hidden) for each in (head, *board)]
    least = min(5, 1 + len(shown.moves))
    high = small_board.height(shown.game, rows - 1 - least)
    if rows >= 20 and high:
        high += 2  # a little air
    move = shown.moves[shown.marked].move if shown.moves else None
    board = small_board.drawing(shown.game, shown.state, NOBODY, columns, high, signs, move=move)
    return [cut(head, columns, signs.hidden), *board, *_moves(shown, columns, rows - 1 - len(board), signs)]


def _moves(shown: ShownPosition, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Paint the heads of the columns and as many moves as fit, the marked one among them."""
    if rows < 2 or not shown.moves:
        return []
    marked = shown.moves[shown.marked]
    most, valued = max(abs(scored.score) for scored in shown.moves) or 1, marked.exact is not None

    def bar(scored: ScoredMove, cells: int) -> Line:
        share = copysign(log1p(abs(scored.score)) / log1p(most), scored.score)
        share = scored.score if valued else share
        return line((signs.signed_bar(share, cells), Ink.QUIET if scored.score < 0 else Ink.BAR))

    def right(scored: ScoredMove) -> Inked:
        return Inked((signs.right, Ink.RIGHT) if scored.keeps else (signs.verdicts[0], Ink.QUIET))

    def exact(scored: ScoredMove) -> Word:
        return Word(" ".join(result_words(scored.exact, scored.plies))) if scored.exact is not None else Word("")

    heads = [
        Column("move", lambda scored: Word(scored.name), left=True),
        Column("score", lambda scored: ShortScore(scored.score), width=6),
        Column("", lambda _: BLANK, left=True, draw=bar, most=LONGEST_BAR, width=SHORTEST_BAR - 1),
        *([Column("exact", exact, left=True)] if valued else []),
        Column("played", lambda scored: Rough(scored.visits), rank=2 * valued),
        Column("right?" if columns >= BROAD else signs.right, right, left=True),
        Column("history", lambda scored: Word(spark(scored.history, signs)), rank=1, ink=Ink.QUIET),
    ]
    table = Table("", heads, shown.moves, lambda scored: scored.move, gap=1)
    lines = table_lines(table, columns, rows, View(marked.move, sign=signs.cursor), signs)[:rows]
    return [cut(each, columns, signs.hidden) for each in lines]


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of the game: its position, and its score before and after the game."""

    state: State
    position: str
    move: Move
    name: str
    before: float
    after: float
    exact: int | None = None  # of the move for its player: 1 wins, 0 draws, −1 loses; None: unknown
    was: int | None = None  # of the position before, for the same player


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game."""

    game: Game
    number: int  # counted from 1, over all games of the table
    plies: Sequence[Ply]
    outcome: int  # for the player who moved last
    sure: int | None = None  # the score of a proven win, and with − of a proven loss; None: nothing is proven

    @property
    def frames(self) -> int:
        """The number of pictures: one per move, then one with the changed scores."""
        return len(self.plies) + 1

    @property
    def winner(self) -> int | None:
        """The winner: 0 the first player, 1 the second; None in a draw."""
        last = (len(self.plies) - 1) % 2
        return None if self.outcome == base.DRAW else last if self.outcome == base.WON else 1 - last


@painter
def paint_game(columns: int, rows: int, signs: Glyphs, played: Played | None, frame: int) -> list[Line]:
    """Paint the game after `frame` moves with the next move marked; the last frame shows what changed."""
    if played is None or not played.plies:
        return paragraphs(["The next game appears here, move by move."], columns, Ink.QUIET)[:rows]
    frame = max(0, min(frame, played.frames - 1))
    taught = frame == len(played.plies)
    at = min(frame, len(played.plies) - 1)
    ply = played.plies[at]
    room = rows - 2
    high = small_board.height(played.game, room)
    wide = high > 0 and columns >= BOARD + 36
    board = small_board.drawing(played.game, ply.state, NOBODY, BOARD, high, signs, move=ply.move) if wide else []
    table, bars = _table(played, at, taught, columns - (BOARD + 1) * bool(board), room, signs)
    lines = [_head(played, taught, bars, columns, signs), *beside([board, table], [(BOARD + 1) * bool(board), columns])]
    lines += [()] * (rows - 1 - len(lines))
    return [cut(each, columns, signs.hidden) for each in (*lines[: rows - 1], _result(played, taught, columns, signs))]


def _head(played: Played, taught: bool, bars: bool, columns: int, signs: Glyphs) -> Line:
    """Paint the number of the game, and what the signs of its value history mean."""
    state = "what changed" if taught else "in play"
    before, after = (signs.history[value_history.ORDER.index(cell)] for cell in (Cell.BELIEVED, Cell.ESTIMATED))
    side, score = "   right: first player ahead", f"   {before} score before" + (f"   {after} after" if taught else "")
    texts = (f"  {state}{side}{score}", f"{side}{score}", score) if bars else ()
    name = f"Game {played.number:,}"
    text = next((text for text in texts if len(name) + len(text) <= columns), f"  {state}")
    return line((name, Ink.STRONG), (text, Ink.QUIET))


def moments(played: Played, taught: bool) -> list[Moment]:
    """Return the value history of the game: each score before it, and if it is `taught` after it, as a share of the
    largest score; beside the exact value, whose distance to the end is unknown.
    """
    scores = [abs(score) for ply in played.plies for score in (ply.before, ply.after)]
    most = played.sure or max(1.0, *scores)

    def share(score: float) -> Belief:
        return Belief(Kind.ESTIMATE, max(-1.0, min(1.0, score / most)))

    def moment(at: int, ply: Ply) -> Moment:
        exact, was = (None if value is None else Outcome.of(value) for value in (ply.exact, ply.was))
        return Moment(
            at,
            at % 2,
            for_first(exact, at % 2),
            gave_away=f"{was.value} → {exact.value}" if exact and was and exact is not was else "",
            before=place(for_first(was, at % 2), None, 0),
            place=place(for_first(exact, at % 2), None, 0),
            belief=share(ply.before),
            estimate=share(ply.after) if taught else None,
        )

    return [moment(at, ply) for at, ply in enumerate(played.plies)]


def _table(played: Played, at: int, taught: bool, columns: int, rows: int, signs: Glyphs) -> tuple[list[Line], bool]:
    """Paint one line per move so far: position, move, score before, and at the end score after.

    Also return whether there is room for the value history beside them.
    """
    plies = played.plies
    last = range(max(0, at + 1 - max(1, rows)), at + 1)

    def now(number: int) -> Ink:
        return Ink.STRONG if number == at and not taught else Ink.TEXT

    def gain(number: int) -> float:
        return plies[number].after - plies[number].before

    def after(number: int) -> Inked:
        return Inked((f"→ {ShortScore(plies[number].after)}", Ink.TEXT) if gain(number) else ("unchanged", Ink.QUIET))

    def change(number: int) -> Inked:
        ink = Ink.GOOD if gain(number) > 0 else Ink.BAD
        return Inked((str(ShortScore(gain(number))) if gain(number) else "", ink))

    names = min(max(len(ply.position) for ply in plies), max(4, columns - 24))
    heads = [
        Column("", lambda number: Count(number + 1), width=2),
        Column("", lambda number: Word(plies[number].position), left=True, width=names),
        Column("", lambda number: Word(plies[number].name), left=True, width=4),
        Column("", lambda number: ShortScore(plies[number].before), width=6),
    ]
    if taught:
        heads += [Column("", after, left=True), Column("", change)]
    lines = list_lines(Table("", heads, last, gap=1, ink=now), columns, signs=signs)
    used = max(map(width, lines)) + 2
    bar = value_history.width_in(columns - used)
    if bar < LEAST_BAR:
        return lines, False
    history = [value_history.bar(moment, bar, signs) for moment in moments(played, taught)[last.start : last.stop]]
    return beside([lines, history], [used, bar]), True


def _result(played: Played, taught: bool, columns: int, signs: Glyphs) -> Line:
    """Paint the last line: a hint while the game is in play, then the winner and the changed scores."""
    if not taught:
        return line((signs.plain("Scores change when the game is over."), Ink.QUIET))
    winner = played.winner
    if played.sure is not None:
        return line((signs.plain(f"{_ended(winner)}. {_proven(played, played.sure)}"), Ink.STRONG))
    changes = [ply.after - ply.before for ply in played.plies]
    if not any(changes):
        return line((f"{_ended(winner)}: no score changed", Ink.STRONG))
    if winner is None:
        texts = [f"{_ended(winner)}: its moves {words(changes)}" for words in (_each, _range)]
    else:
        its, others = changes[winner::2], changes[1 - winner :: 2]
        forms = ((_each, "its moves ", "the others"), (_range, "its moves ", "the others"), (_range, "", "others"))
        texts = [
            f"{_ended(winner)}: {mine}{words(its)}" + (f", {theirs} {words(others)}" if others else "")
            for words, mine, theirs in forms
        ]
        texts += [f"{_ended(winner)}: {mine}{_range(its)}" for mine in ("its moves ", "")]
    return line((signs.plain(fitting(columns, *texts)), Ink.STRONG))


def _ended(winner: int | None) -> str:
    return "A draw" if winner is None else f"{SEATS[winner]} wins"


def _proven(played: Played, sure: int) -> str:
    """Return what this game proved."""
    counts = {
        what: sum(ply.after == score != ply.before for ply in played.plies)
        for score, what in ((sure, "won"), (-sure, "lost"))
    }
    if any(counts.values()):
        return f"Proven: {', '.join(f'{number} {what}' for what, number in counts.items() if number)}"
    changed = any(ply.after != ply.before for ply in played.plies)
    return "Nothing new is proven" if changed else "No score changed"


def _each(changes: Sequence[float]) -> str:
    """Return every change that some move got, the largest first: '+29 +11 0'."""
    return " ".join(ShortScore(change).text for change in sorted(set(changes), reverse=True))


def _range(changes: Sequence[float]) -> str:
    """Return the lowest and the highest change: '0 to +29'."""
    low, high = min(changes), max(changes)
    return ShortScore(low).text if low == high else f"{ShortScore(low).text} to {ShortScore(high).text}"


def shortened(value: float) -> float:
    """Return the nearest number of two digits."""
    return float(Decimal(repr(value)).normalize(PLACES))


@painter
def paint_step(columns: int, rows: int, signs: Glyphs, game: Game, steps: GameSteps, at: int) -> list[Line]:
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
