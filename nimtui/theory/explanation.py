"""Why a position is won or lost, as data; and its plain rendering, narrow enough for a side panel."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from nimtui.games.base import Move
from nimtui.theory import nim
from nimtui.theory.verdict import Outcome

SIDE_PANEL = 34  # columns that a side panel has at 80 × 24


class Kind(Enum):
    """The theory behind an answer."""

    BOUTON = "Bouton's rule"  # the rows' nim-sum, normal play
    MISERE_NIM = "misère Nim"  # the same, turned round once no row or run is larger than 1
    REMAINDERS = "remainders"  # at most K may be taken: a row counts as its remainder by K + 1
    GRUNDY = "Grundy values"  # each run of neighbours has a value; their nim-sum decides
    EXACT = "exact search"  # no simple rule: every position was worked out
    SCORE = "exact score"  # connect games: who wins, and how soon


class Phase(Enum):
    """How near misère Nim is to the point where its rule turns round. Values are of rows or runs."""

    OPEN = "open"  # two or more values above 1: play as in normal Nim
    SWITCH = "switch"  # one value above 1: now the number of ones left decides
    ENDGAME = "endgame"  # no value above 1: an odd number of ones is lost

    @staticmethod
    def of(values: Iterable[int]) -> Phase:
        return (Phase.ENDGAME, Phase.SWITCH, Phase.OPEN)[min(nim.large(values), 2)]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the board and what it counts."""

    label: str
    matches: int
    runs: tuple[int, ...]  # lengths of its runs of neighbours, from the left; of a heap the heap
    grundy: int | None  # what the row counts in the nim-sum; None where no such value decides
    digits: tuple[int, ...] = ()  # the same in binary, as many digits as the nim-sum has


@dataclass(frozen=True, slots=True)
class Balance:
    """A move that leaves a lost position, and how the row's value changes by it."""

    row: int
    before: int
    after: int
    move: Move
    name: str
    leaves_ones: bool = False  # misère: no value above 1 is left, and an odd number of ones


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything there is to say about one position; `lines` says it in plain text."""

    kind: Kind
    outcome: Outcome  # for the player to move
    over: bool
    misere: bool = False
    limit: int | None = None  # the most that may be taken at once, where that matters
    rows: tuple[Row, ...] = ()
    nim_sum: int | None = None
    digits: tuple[int, ...] = ()  # of the nim-sum
    phase: Phase | None = None  # misère Nim only
    balancing: tuple[Balance, ...] = ()
    best: tuple[str, ...] = ()  # names of all moves that keep the outcome; every legal move where lost
    score: int | None = None  # connect games, see Verdict
    scores: tuple[tuple[str, int], ...] = ()  # connect games: of every legal move by its name

    @property
    def p_position(self) -> bool | None:
        """P-position (the previous player wins) or N-position (the next one does); None in a draw."""
        return None if self.outcome is Outcome.DRAW else self.outcome is Outcome.LOSS


def binary(value: int, width: int) -> tuple[int, ...]:
    """The binary digits of a value, the highest first."""
    return tuple(value >> bit & 1 for bit in range(width - 1, -1, -1))


def with_digits(rows: Iterable[Row], highest: int) -> tuple[tuple[Row, ...], int, tuple[int, ...]]:
    """Rows with equally many binary digits each, as `highest` needs; their nim-sum; its digits."""
    rows = list(rows)
    values = [row.grundy or 0 for row in rows]
    total = nim.nim_sum(values)
    width = max(1, *(value.bit_length() for value in (highest, *values)))
    filled = tuple(
        Row(row.label, row.matches, row.runs, value, binary(value, width))
        for row, value in zip(rows, values, strict=True)
    )
    return filled, total, binary(total, width)


def lines(explanation: Explanation, width: int = SIDE_PANEL, ascii: bool = False) -> list[str]:
    """Short sentences under the rows in binary, each line at most `width` columns wide where a word allows it."""
    said = [] if explanation.over else [*_table(explanation, width), *_score_table(explanation, width)]
    for sentence in (_verdict(explanation), *_reasons(explanation)):
        said += textwrap.wrap(sentence, width, break_on_hyphens=False) or [""]
    if ascii:
        said = [line.translate(_ASCII) for line in said]
    return said


_ASCII = str.maketrans({"→": "->", "…": "...", "−": "-", "×": "x", "è": "e", "–": "-"})


def _table(explanation: Explanation, width: int) -> list[str]:
    """The rows, what they hold, what they count, and that in binary; the nim-sum below."""
    if not explanation.rows or (explanation.kind is Kind.REMAINDERS and len(explanation.rows) == 1):
        return []
    if explanation.nim_sum is None:
        return [f"{row.label:<3} {_holding(row, width - 4)}" for row in explanation.rows]
    names = [*(row.label for row in explanation.rows), "sum"]
    if any(row.runs not in ((), (row.grundy,)) for row in explanation.rows):
        counts = [*(f"→ {row.grundy}" for row in explanation.rows), ""]
    else:
        counts = [""] * len(names)
    digits = [*(row.digits for row in explanation.rows), explanation.digits]
    count_width = max(map(len, counts))
    room = width - (4 + 1 + count_width + 2 + 2 * len(explanation.digits) - 1)
    holds = [*(_holding(row, room) for row in explanation.rows), ""]
    held_width = max(map(len, holds))
    table = []
    for name, held, count, places in zip(names, holds, counts, digits, strict=True):
        left = f"{name:<3} {held:>{held_width}} {count:<{count_width}}".rstrip()
        fill = 4 + held_width + 1 + count_width
        table.append(f"{left:<{fill}}  {' '.join(map(str, places))}")
    return table


def _score_table(explanation: Explanation, width: int) -> list[str]:
    """Columns and their scores in two lines, or as many pairs of lines as it takes."""
    cells = [(name, signed(score)) for name, score in explanation.scores]
    wide = max((len(text) for cell in cells for text in cell), default=0) + 1
    together = max(1, (width - 6) // wide)
    table = []
    for first in range(0, len(cells), together):
        for what, texts in zip(("column", "score"), zip(*cells[first : first + together], strict=True), strict=True):
            table.append(f"{what:<6}" + "".join(f"{text:>{wide}}" for text in texts))
    return table


def _holding(row: Row, room: int) -> str:
    """'5', or the runs of a split row, '2+2'; where there is no room the first of them: '1+1+1+…'."""
    text = "+".join(map(str, row.runs)) or "0"
    return text if len(text) <= max(room, 5) else text[: max(room, 5) - 1].rpartition("+")[0] + "+…"


def _verdict(explanation: Explanation) -> str:
    if explanation.over:
        return _ending(explanation)
    if explanation.outcome is Outcome.DRAW:
        return "With best play it is a draw."
    if explanation.kind is Kind.SCORE:
        return f"Score {signed(explanation.score or 0)}: {_spare(explanation)}."
    if explanation.p_position:
        return "P-position: who moves next loses."
    return "N-position: who moves next wins."


def _ending(explanation: Explanation) -> str:
    """Who has won, seen from the last move; there is always one but on a board that was set up as finished."""
    if explanation.outcome is Outcome.DRAW:
        return "The game is over: a draw."
    ending = "won" if explanation.outcome is Outcome.LOSS else "lost"
    if explanation.kind is Kind.SCORE:
        return f"The game is over: who dropped the last disc has {ending}."
    if explanation.rows:
        return f"The game is over: who took the last match has {ending}."
    return f"The game is over: who made the last move has {ending}."


def _spare(explanation: Explanation) -> str:
    """Who wins, and with how many discs to spare."""
    spare = abs(explanation.score or 0) - 1
    discs = f"{spare} disc{'s' if spare != 1 else ''} to spare" if spare else "the very last disc"
    if explanation.outcome is Outcome.WIN:
        return f"who moves next wins with {discs}"
    return f"who moves next loses, the other wins with {discs}"


def _reasons(explanation: Explanation) -> list[str]:
    if explanation.over:
        return []
    if explanation.kind is Kind.SCORE:
        return []
    if explanation.kind is Kind.EXACT:
        kept = {Outcome.WIN: "Wins", Outcome.DRAW: "Holds the draw"}.get(explanation.outcome)
        worked_out = "orked out position by position."
        said = [f"No simple rule is known here: w{worked_out}" if explanation.rows else f"W{worked_out}"]
        if explanation.nim_sum is not None:
            said.append(f"Its Grundy value is {explanation.nim_sum}.")
        return [*said, f"{kept}: {several(explanation.best)}."] if kept else [*said, "Every move loses."]
    if explanation.kind is Kind.REMAINDERS and len(explanation.rows) == 1:
        return _single_row_reasons(explanation)
    return [*_rule(explanation), *_phase_reasons(explanation), *_balance_reasons(explanation)]


def _rule(explanation: Explanation) -> list[str]:
    if explanation.kind is Kind.REMAINDERS and explanation.limit is not None:
        return [f"A row counts as its remainder by {explanation.limit + 1}."]
    if explanation.kind is Kind.GRUNDY:
        return [f"Every run counts as its {'Grundy value' if explanation.limit else 'length'}."]
    return []


def _phase_reasons(explanation: Explanation) -> list[str]:
    what = "row" if all(len(row.runs) < 2 for row in explanation.rows) else "run"
    if explanation.kind is Kind.REMAINDERS:
        what = "value"
    if explanation.phase is Phase.OPEN:
        return [f"Misère, but two {what}s or more are above 1: as in normal Nim."]
    if explanation.phase is Phase.SWITCH:
        return [f"Misère, and only one {what} is above 1: the rule turns now."]
    if explanation.phase is Phase.ENDGAME:
        return [f"Misère, and no {what} is above 1: an odd number of ones loses."]
    return []


def _balance_reasons(explanation: Explanation) -> list[str]:
    if explanation.outcome is Outcome.LOSS:
        if explanation.phase is Phase.ENDGAME:
            return ["The last match will be left to the player to move."]
        return ["Every binary column is even: any move makes one odd, the reply evens it."]
    said = []
    for ones, effect in ((False, "every binary column even"), (True, "an odd number of ones")):
        moves = [balance.name for balance in explanation.balancing if balance.leaves_ones is ones]
        if moves:
            verb = ("leave" if len(moves) > 1 else "leaves") if ones else "make" + "s" * (len(moves) == 1)
            said.append(f"{several(moves)} {verb} {effect}.")
    return said


def _single_row_reasons(explanation: Explanation) -> list[str]:
    """The subtraction game: what remains when the matches are divided by K + 1."""
    assert explanation.limit is not None
    matches, by = explanation.rows[0].matches, explanation.limit + 1
    bad = 1 if explanation.misere else 0
    said = [f"{matches} = {matches // by} × {by} + {matches % by}. Whoever faces a remainder of {bad} loses."]
    if explanation.outcome is Outcome.WIN:
        return [*said, f"{several(explanation.best)} leaves {_left_over(explanation)}."]
    return said


def _left_over(explanation: Explanation) -> str:
    [balance] = explanation.balancing
    assert explanation.limit is not None
    taken = (balance.before - balance.after) % (explanation.limit + 1)
    return str(explanation.rows[0].matches - taken)


def signed(score: int) -> str:
    """'+3', '0', '−2'."""
    return f"+{score}" if score > 0 else str(score).replace("-", "−")


def several(names: Sequence[str], most: int = 6) -> str:
    """'b2', 'b2 or c2', 'b2, c2 or e6', and of very many the first few."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
