"""What `solve` tells of a position: who wins, by which moves, and why; and everything exact that an oracle answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nimtui.engine.windows import DECIDED, INFINITY, WIN
from nimtui.games import Game, base
from nimtui.games.base import Move
from nimtui.games.connect import Connect
from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import document
from nimtui.report.lines import Ink
from nimtui.report.values import NOTHING, Count, Score, Value, Word
from nimtui.report.values import Ending as EndsIn
from nimtui.theory import connect, explain, explanation, plain
from nimtui.theory.answers import NONE, Answer, MoveValue, Values, answer, best_line, move_values
from nimtui.theory.claims import Ending
from nimtui.theory.explanation import Explanation, Kind, Row
from nimtui.theory.verdict import Outcome, Patience, Verdict

WIDTH = 78  # columns of an explanation
LEAST_HOLDING = 5  # columns of what a row holds
VERBS = {Outcome.WIN: "wins", Outcome.LOSS: "loses", Outcome.DRAW: "draws"}
BOUNDS = {"upper": "≤ ", "lower": "≥ "}
FLIPPED = {"exact": "exact", "upper": "lower", "lower": "upper"}  # bounds for the other player
STONES = "+n: wins with n − 1 discs to spare. −n: loses, the opponent having n − 1 to spare. 0: draw."


def solved(place: Place, answer: Answer, end: Ending | None, words: str) -> Report:
    """Return the report of a solved position; `words` is its reason in plain words.

    Connect games also have scores, and `end`, how they end under best play (None at the end).
    """
    verdict, best = answer.verdict, [place.move(move) for move in answer.verdict.best_moves]
    grundy = "" if verdict.grundy is None else f", Grundy value {verdict.grundy}"
    rows = [
        Figure("position", Word(place.text)),
        Figure("outcome", Word(f"{verdict.outcome.value} for the player to move{grundy}")),
    ]
    if verdict.payoff is not None:
        rows[1] = Figure("payoff", Word(f"{Score(verdict.payoff)} for the player to move"))
    elif best and verdict.outcome is not Outcome.DRAW:
        plies = "unknown" if answer.remoteness is None else plural(answer.remoteness, "ply", "plies")
        rows.append(Figure("remoteness", Word(plies)))
    rows.append(Figure("best moves", Word(_best(verdict, best))))
    facts = {
        **place.keys,
        "outcome": verdict.outcome.value,
        **({} if verdict.payoff is None else {"payoff": verdict.payoff}),
        "remoteness": answer.remoteness,
        "grundy": verdict.grundy,
        "best_moves": best,
    }
    blocks: list[Block] = [Heading(place.title), Facts(facts), Figures(rows), Gap()]
    blocks += [Sentence(words, {"plain": words}), Gap()] if words else [Facts({"plain": words})]
    names = {place.move(move): score for move, score in (verdict.scores or {}).items()}
    if names and verdict.payoff is not None:
        blocks += [scores(names), Gap(), *map(Sentence, explanation.sentences(explain(place.game, place.state)))]
    elif names:
        blocks += [scores(names), Gap(), Sentence(STONES)]
        if end is not None:
            blocks += [Gap(), Sentence(" ".join(explanation.ending_lines(end, verdict.outcome)))]
    else:
        why = explain(place.game, place.state)
        blocks += [*reason(why), *map(Sentence, explanation.sentences(why))]
    if verdict.scores is None:
        return Report(blocks)
    line, last = (None, None) if end is None else (end.line, end.last.value)
    return Report([*blocks, Facts({"score": verdict.score, "scores": names, "line": line, "ending": last})])


def listed(game: Game, positions: Sequence[str], values: Values) -> Report:
    """Return the report of many positions: a table of who wins each, and how soon."""
    columns = [
        Column("position", lambda at: Word(positions[at] or "the start"), left=True),
        Column("outcome", lambda at: Word(Outcome.of(int(values.worth[at])).value), left=True),
        Column("plies", lambda at: Count(None if values.remoteness[at] == NONE else int(values.remoteness[at]))),
    ]
    if values.score is not None:
        score = values.score
        columns.append(Column("score", lambda at: Score(int(score[at]))))
    elif (values.grundy != NONE).any():
        columns.append(
            Column("Grundy", lambda at: Count(None if values.grundy[at] == NONE else int(values.grundy[at])))
        )
    return Report([Heading(Place(game, game.start, None).title), Table("", columns, range(len(positions)))])


def scores(names: dict[str, int]) -> Table:
    """Return the exact score of every column, side by side: connect games have no other theory."""
    columns = [Column(name, lambda row, name=name: Score(row[name])) for name in names]  # type: ignore[misc]
    return Table("", [Column("column", lambda _: Word("score"), left=True), *columns], [names])


class Sign(Word):
    """What is only seen: the digit of a column, the head above it, the mark below."""

    @property
    def spoken(self) -> str:
        return ""


def reason(why: Explanation) -> list[Block]:
    """Return each row with its runs, its value and the value in binary. Heads say what a column is worth.

    Odd columns stand out and have a mark below. Without such values it only lists the runs. A game of one row needs no
    table.
    """
    if why.over or not why.rows or (why.kind is Kind.REMAINDERS and len(why.rows) == 1):
        return []
    powers = tuple(1 << bit for bit in range(len(why.digits) - 1, -1, -1))
    heads, total, marks = (Row(label, 0, (), None, powers) for label in ("", "sum", "odd"))
    rows = why.rows if why.nim_sum is None else (heads, *why.rows, total, *[marks][: any(why.digits)])
    counted = why.nim_sum is not None and any(row.runs not in ((), (row.grundy,)) for row in why.rows)

    def label(row: Row) -> Word:
        if row is total:
            return Word(row.label, said="Nim-sum")
        return Sign(row.label) if row in (heads, marks) or why.nim_sum is None else Word(row.label)

    def held(row: Row, cells: int) -> str:
        """Return '5', or the runs of a split row: '2+2', shortened to the room: '1+1+1+…'."""
        text = ("+".join(map(str, row.runs)) or "0") if row in why.rows else ""
        return text if len(text) <= cells else text[: cells - 1].rpartition("+")[0] + "+…"

    def holding(row: Row) -> Word:
        if row in (heads, marks):
            return Sign("")
        return Word(held(row, LEAST_HOLDING), said=_sum(why) if row is total else _row(row))

    def ink(row: Row) -> Ink:
        return Ink.STRONG if row is total else Ink.QUIET if row in (heads, marks) else Ink.TEXT

    def digit(place: int, odd: int) -> Column:
        def sign(row: Row) -> Sign:
            return Sign("▲" * odd if row is marks else str(odd if row is total else row.digits[place]))

        return Column("", sign, ink=Ink.WRONG if odd else None)

    elements = dict(zip(why.rows, why.elements, strict=False))  # none in normal play

    def value(row: Row) -> Sign:
        return Sign(f"→ {elements.get(row, row.grundy)}" if row in elements or (counted and row in why.rows) else "")

    columns = [
        Column("", label, left=True, width=3),
        Column("", holding, left=why.nim_sum is None, draw=held, most=max(len(held(row, WIDTH)) for row in rows)),
        Column("", value, left=True),
        Column("", lambda _: NOTHING),  # two blanks before the digits
        *(digit(place, odd) for place, odd in enumerate(why.digits)),
    ]
    return [Table("", columns, rows, gap=1, wide=WIDTH, ink=ink)]


def _row(row: Row) -> str:
    """Return what a row of the board holds, what that counts as, and that in binary."""
    runs = f" in runs of {', '.join(map(str, row.runs))}" if len(row.runs) > 1 else ""
    value = f", value {row.grundy}" if row.grundy != row.matches else ""
    return f"{plural(row.matches, 'match', 'matches')}{runs}{value}, binary {''.join(map(str, row.digits))}"


def _sum(why: Explanation) -> str:
    odd = [str(1 << bit) for bit, digit in enumerate(reversed(why.digits)) if digit]
    columns = f". Odd columns: {', '.join(reversed(odd))}" if odd else ""
    return f"{why.nim_sum}, binary {''.join(map(str, why.digits))}{columns}"


def _best(verdict: Verdict, best: list[str]) -> str:
    if not best:
        return "none, the game is over"
    if verdict.outcome is Outcome.LOSS and verdict.payoff is None:
        return "none: every move loses against perfect play"
    return " ".join(best)


# The exact value of a move and that of a search, wherever moves are listed.


@dataclass(frozen=True)
class Decided(Score):
    """A value of minimax or alpha-beta: 'wins in 5' or 'loses in 4' if the game is decided, else the score, '−2'."""

    pays: bool = False  # in a game with payoffs: no value is a decided game

    @property
    def ending(self) -> EndsIn | None:
        """How the game ends; None for an estimate."""
        if self.pays or self.value is None or not DECIDED < abs(self.value) < INFINITY:
            return None
        return EndsIn("wins" if self.value > 0 else "loses", WIN - int(abs(self.value)))

    @property
    def text(self) -> str:
        return super().text if self.ending is None else self.ending.text

    @property
    def whole(self) -> str:
        """The text with its unit: 'wins in 5 plies'."""
        return self.text if self.ending is None else self.ending.spoken


def bounded(value: Value, bound: str | None) -> Value:
    """Return a value as the bound that it is: '≤ −2'."""
    sign = BOUNDS.get(bound or "", "")
    return Word(sign + value.text, sign + value.short) if sign else value


def truth(move: MoveValue | None) -> EndsIn | Score:
    """Return how a move ends the game under best play: 'wins in 7', or its payoff: '+6'."""
    if move is not None and move.payoff is not None:
        return Score(move.payoff)
    return EndsIn(None) if move is None else EndsIn(VERBS[move.outcome], move.remoteness)


def truth_keys(move: MoveValue | None) -> dict[str, object]:
    """Return the exact value of a move for a document; nulls if it is unknown."""
    if move is None:
        return {"optimal": None, "outcome": None, "remoteness": None}
    facts: dict[str, object] = {"optimal": move.optimal, "outcome": move.outcome.value, "remoteness": move.remoteness}
    return facts if move.payoff is None else {**facts, "payoff": move.payoff}


def verdict(move: MoveValue | None, truths: Mapping[Move, MoveValue] | None) -> str:
    """Return 'best' or 'mistake', 'all equal' where no move is a mistake, 'unknown'."""
    if move is None or truths is None:
        return "unknown"
    if all(other.optimal for other in truths.values()):
        return "all equal"
    return "best" if move.optimal else "mistake"


class Solution(NamedTuple):
    """The exact value of a position, and why it has it."""

    place: Place
    answer: Answer
    end: Ending | None  # connect games: how the game ends; None if it is over, or takes more than some seconds
    words: str  # what to play and why, in plain words; '' if the game is over

    @property
    def report(self) -> Report:
        """The report of `nimtui solve`."""
        return solved(self.place, self.answer, self.end, self.words)

    @property
    def why(self) -> str:
        """The explanation of theory, in sentences; '' for a game without theory."""
        game, state, *_ = self.place
        if not isinstance(state, Connect):
            lines = explanation.sentences(explain(game, state))
        else:
            lines = [] if self.end is None else explanation.ending_lines(self.end, self.answer.outcome)
        return " ".join(filter(None, lines))


def solution(place: Place, progress: Progress = SILENT, patience: Patience | None = None) -> Solution:
    """Solve a position. It may take minutes. Raises Unsolvable if it is too large."""
    game, state, *_ = place
    solved = answer(game, state, progress, patience=patience or Patience())
    end = connect.ending(game, state, progress) if isinstance(state, Connect) else None
    return Solution(place, solved, end, plain.text(game, state, progress, solved))


def everything(place: Place, progress: Progress = SILENT) -> dict[str, Any]:
    """Return all that is exact about a position: the document of `nimtui solve`, and more keys.

    `moves` are all legal moves, each with its outcome and remoteness, in connect games with its score. `line` is the
    best play of both to the end, or None if that takes too long to find. `why` is the explanation of theory.
    Raises Unsolvable if the position is too large.
    """
    game, state, *_ = place
    solved = solution(place, progress)
    keys = document(solved.report)
    values = [] if base.outcome(state) != base.GOING_ON else move_values(game, state, progress)
    moves = [{"move": place.move(value.move), **truth_keys(value)} for value in values]
    for row in moves if isinstance(state, Connect) else ():
        row["score"] = keys["scores"][row["move"]]
    line = keys.get("line")  # of connect games, found together with how they end
    if not isinstance(state, Connect) and (best := best_line(game, state, solved.answer, progress)) is not None:
        line = game.line_names(best, state)
    return {**keys, "moves": moves, "line": line if moves else [], "why": solved.why}
