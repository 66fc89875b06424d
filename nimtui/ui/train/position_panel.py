"""Paints one position of a table: board, and for every move its score, plays, verdict and history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, log1p

from nimtui.agents.belief import Belief, Kind
from nimtui.arena.review.history import Cell, Moment, place
from nimtui.arena.review.review import for_first
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning.evaluate import NOTHING, UNDECIDED, WORDS
from nimtui.learning.sweep_report import Rough
from nimtui.report.blocks import Column, Inked, Table, View
from nimtui.report.cells import list_lines, table_lines
from nimtui.report.lines import Ink, Line, Run, beside, cut, fitting, line, paragraphs, width
from nimtui.report.values import NOTHING as BLANK
from nimtui.report.values import Count, Score, Word, nearest
from nimtui.theory import Outcome
from nimtui.ui.board import small_board
from nimtui.ui.board.cursor import NOBODY
from nimtui.ui.board.discs import result_words
from nimtui.ui.board.preview import INKS
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import painter
from nimtui.ui.play import value_history
from nimtui.ui.train import move_board
from nimtui.ui.train.move_board import LEVELS, ScoredMove

CELLS = 7  # columns of the history of a score
LONGEST_BAR, SHORTEST_BAR = 20, 4
START = "start"  # of a game whose first position has no name
BROAD = 39  # columns with room for "right?", beside all else
SOME_RIGHT = "only some of its best moves are right"


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
    drawn: bool | None = False  # see `learning.table_policy.draws`
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
    if board := move_board.paint(shown.game, shown.state, shown.moves, shown.marked, columns, rows - 1, signs):
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


BOARD = 18  # columns of the board
LEAST_BAR = 13  # columns of the value history
SEATS = ("First", "Second")


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
