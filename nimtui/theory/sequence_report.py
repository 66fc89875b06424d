"""What `sequence` tells: the outcomes and Grundy values of one heap of 0, 1, 2, … matches, and their period.

And what `quotient` tells: the elements of a misère quotient, its relations, and the element of each heap.
"""

from __future__ import annotations

from collections.abc import Sequence as Numbers
from dataclasses import dataclass
from typing import Any

from nimtui.games.notation import plural
from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.values import Count, Raw, Score, Word
from nimtui.theory.quotient import Quotient
from nimtui.theory.sequence import Period, Proof, Sequence

OUTCOMES = {1: "N", 0: "D", -1: "P", None: "–"}  # the field's letters; D: drawn
PROOFS = {
    Proof.WINDOW: "proven: as many values in a row repeat as a move can take",
    Proof.GUY_SMITH: "proven by the bound of Guy and Smith",
    Proof.PLAMBECK: "proven by the bound of Guy and Smith for the elements of the misère quotient",
    Proof.ANY: "proven: a move may take all matches but one",
}
MOST_ROWS = 40  # of a picture as text, and of a table
MOST_LOST = 40  # numbers of lost heaps
WIDTH = 66  # columns of a picture's values as text


@dataclass(frozen=True, slots=True)
class Row:
    """A sequence with its title, and what its numbers count: of a game, or of a set of numbers that a move takes."""

    sequence: Sequence
    title: str
    counted: str
    game: str | None = None
    takes: list[int] | None = None


def signs(sequence: Sequence) -> list[str]:
    """Return the Grundy values as text, or the letters of the outcomes where those are unknown."""
    if sequence.grundy is None:
        return [OUTCOMES[value] for value in sequence.values]
    return ["–" if value is None else str(value) for value in sequence.grundy]


def across(sequence: Sequence, room: int, cell: int) -> int:
    """Return how many values stand in a row of so many columns, each `cell` wide: the period, if it fits.

    A longer period is cut at one of its divisors, if that fills a third of the room; else rows have a round number.
    """
    fit = max(1, room // cell)
    if sequence.period is not None and sequence.period.length > 1:
        length = sequence.period.length
        best = max(part for part in range(1, fit + 1) if length % part == 0)
        if length <= fit or 3 * best >= fit:
            return best
    return max(fit // 10 * 10, min(fit, 5))


def exceptions(sequence: Sequence) -> list[int] | None:
    """Return the heaps before the period whose values differ from it; None without a period."""
    if sequence.period is None or None in (first := list(sequence.values[: sequence.period.preperiod])):
        return None if sequence.period is None else [n for n, value in enumerate(first) if value is not None]
    return sequence.period.exceptions(sequence.values if sequence.grundy is None else sequence.grundy)


def largest(sequence: Sequence) -> tuple[int, int] | None:
    """Return the largest Grundy value, and the first heap that has it; None if the values are unknown."""
    if sequence.grundy is None:
        return None
    values = [-1 if value is None else value for value in sequence.grundy]
    return max(values), values.index(max(values))


def facts(row: Row, to: int, summary: bool = False) -> dict[str, Any]:
    """Return the keys of a sequence for a document; without the arrays if only the summary is wanted."""
    sequence = row.sequence
    values, grundy, period = sequence.values, sequence.grundy, sequence.period
    arrays = {
        "values": values,
        "outcomes": [OUTCOMES[value] for value in values] if not summary else [],
        "grundy": grundy,
    }
    differ, most, rare = exceptions(sequence), largest(sequence), sequence.rare
    return {
        "game": row.game,
        "set": row.takes,
        "to": to,
        **({} if summary else arrays),
        "period": None
        if period is None
        else {
            "preperiod": period.preperiod,
            "length": period.length,
            "proven": period.proven,
            "proof": None if period.proof is None else period.proof.value,
            "checked_to": period.checked_to,
        },
        "exceptions": None if differ is None else {"count": len(differ), "last": differ[-1] if differ else None},
        "rare": None
        if rare is None
        else {"mask": rare.mask, "values": list(rare.values), "heaps": rare.heaps, "last": rare.last},
        "largest": None if most is None else {"value": most[0], "heap": most[1]},
    }


def listed(row: Row, to: int, summary: bool = False) -> Report:
    """Return the report of a sequence up to this number; `summary` leaves the values out."""
    sequence = row.sequence
    blocks: list[Block] = [Heading(row.title), Facts(facts(row, to, summary))]
    if not summary:
        blocks += [_table(row) if to < MOST_ROWS else _rows(sequence), Gap()]
        lost = [str(number) for number, value in enumerate(sequence.values) if value == -1]
        more = f" and {len(lost) - MOST_LOST:,} more" if len(lost) > MOST_LOST else ""
        blocks.append(Sentence(f"lost for the player to move: {', '.join(lost[:MOST_LOST]) or 'none'}{more}"))
    return Report([*blocks, *map(Sentence, sentences(sequence, to))])


def _table(row: Row) -> Table:
    """Return each number with its value, outcome and Grundy value."""
    values, grundy = row.sequence.values, row.sequence.grundy
    columns = [
        Column(row.counted, lambda number: Raw(number)),
        Column("value", lambda number: Score(values[number])),
        Column("outcome", lambda number: Word(OUTCOMES[values[number]])),
        Column("Grundy", lambda number: Count(None if grundy is None else grundy[number])),
    ]
    return Table("", columns, [number for number, value in enumerate(values) if value is not None])


def _rows(sequence: Sequence) -> Table:
    """Return rows of values as long as the period, so that equal columns show it; the first ones of many."""
    texts = signs(sequence)
    cell = max(map(len, texts)) + 1
    wide = across(sequence, WIDTH, cell)
    starts = range(0, len(texts), wide)
    columns = [
        Column("from", lambda at: Raw(at)),
        Column(
            "values" if sequence.grundy is None else "Grundy values",
            lambda at: Word("".join(f"{text:>{cell}}" for text in texts[at : at + wide])[1:]),
            left=True,
        ),
    ]
    return Table("", columns, list(starts[:MOST_ROWS]))


def one_line(sequence: Sequence) -> str:
    """Return the Grundy values on one line, or the outcomes where those are unknown."""
    return " ".join(signs(sequence))


def sentences(sequence: Sequence, to: int) -> list[str]:
    """Return what is known of the period, of its exceptions, of the largest value and of the sparse space."""
    lines, differ = [period_text(sequence, to)], exceptions(sequence)
    if differ:
        lines.append(f"{plural(len(differ), 'heap differs', 'heaps differ')} from it before, the last {differ[-1]:,}.")
    if (most := largest(sequence)) is not None:
        lines.append(f"The largest Grundy value is {most[0]:,}, first of {most[1]:,}.")
    if (rare := sequence.rare) is not None and rare.last is not None:
        heaps = plural(rare.heaps, "heap has", "heaps have")
        lines.append(
            f"Sparse space: {heaps} a value with an even number of ones under the mask {rare.mask:b}, "
            f"the last {rare.last:,}."
        )
    return lines


def period_text(sequence: Sequence, to: int) -> str:
    """Return what is known of the period: 'The Grundy values have period 4 from 0 on (proven: …).'"""
    what, period = "outcomes" if sequence.grundy is None else "Grundy values", sequence.period
    if period is None:
        return f"The values up to {to:,} prove no period of the {what}."
    return f"The {what} have period {period.length:,} from {period.preperiod:,} on ({why(period, to)})."


def why(period: Period, to: int) -> str:
    """Return the proof of a period, or how far it was seen."""
    return f"seen up to {to:,}, not proven" if period.proof is None else PROOFS[period.proof]


def quotient_facts(game: str, to: int, quotient: Quotient, heaps: Numbers[int] | None = None) -> dict[str, Any]:
    """Return the keys of a quotient for a document, with those of a sum of heaps if there is one."""
    closed = quotient.closed
    letters = [quotient.name(quotient.heaps[heap]) for heap in quotient.generators]
    keys: dict[str, Any] = {
        "game": game,
        "to": to,
        "closed": closed,
        "bound": None if closed else quotient.bound,
        "order": quotient.order if closed else None,
        "elements": [quotient.name(element) for element in range(quotient.order)] if closed else None,
        "p_portion": list(quotient.p_portion) if closed else None,
        "generators": dict(zip(letters, quotient.generators, strict=True)) if closed else None,
        "presentation": list(quotient.presentation) if closed else None,
        "heaps": [quotient.name(element) for element in quotient.heaps] if closed else None,
        "tame": quotient.tame if closed else None,
    }
    if heaps is not None:
        keys["sum"] = list(heaps)
        keys["element"] = quotient.element(heaps) if closed else None
        keys["outcome"] = ("loss" if quotient.lost(heaps) else "win") if closed else None
    return keys


def quotient_report(title: str, game: str, to: int, quotient: Quotient, heaps: Numbers[int] | None = None) -> Report:
    """Return the report of the quotient of all sums of heaps up to `to`, and of one such sum."""
    blocks: list[Block] = [Heading(title), Facts(quotient_facts(game, to, quotient, heaps))]
    if not quotient.closed:
        return Report([*blocks, Sentence(not_closed(quotient))])
    generators = ", ".join(f"{quotient.name(quotient.heaps[heap])} by heap {heap}" for heap in quotient.generators)
    figures = [
        Figure("order", Count(quotient.order)),
        Figure("lost", Word(", ".join(quotient.p_portion) or "none")),
        Figure("generators", Word(generators or "none")),
        Figure("relations", Word(", ".join(quotient.presentation) or "none")),
        Figure("kind", Word(kind(quotient))),
    ]
    columns = [
        Column("heap", lambda heap: Raw(heap)),
        Column("element", lambda heap: Word(quotient.name(quotient.heaps[heap])), left=True),
        Column("outcome", lambda heap: Word("P" if quotient.lost([heap]) else "N")),
    ]
    blocks += [Figures(figures), Gap(), Table("", columns, list(range(to + 1)))]
    if heaps is not None:
        blocks += [Gap(), Sentence(of_sum(quotient, heaps))]
    return Report([*blocks, Gap(), Sentence("Verified for all sums of these heaps.")])


def kind(quotient: Quotient) -> str:
    """Return whether the quotient is one of Nim."""
    return "tame: a quotient of sums of Nim" if quotient.tame else "wild: no quotient of sums of Nim"


def not_closed(quotient: Quotient) -> str:
    """Return where a quotient that does not close stopped, and why."""
    return f"Not closed: with heap {quotient.to} no quotient was verified ({quotient.bound})."


def of_sum(quotient: Quotient, heaps: Numbers[int]) -> str:
    """Return the element of a sum of heaps and who wins it: 'The sum 8,5,3 is ab^2: the player to move loses.'"""
    verb = "loses" if quotient.lost(heaps) else "wins"
    return f"The sum {','.join(map(str, heaps)) or '0'} is {quotient.element(heaps)}: the player to move {verb}."
