"""What `sequence` tells: the outcomes and Grundy values of one row of 0, 1, 2, … matches, and their period."""

from __future__ import annotations

from dataclasses import dataclass

from nimtui.report.blocks import Column, Facts, Gap, Heading, Report, Sentence, Table
from nimtui.report.values import Count, Raw, Score, Word
from nimtui.theory.periods import Proof
from nimtui.theory.sequence import Sequence

OUTCOMES = {1: "N", 0: "D", -1: "P", None: "–"}  # the field's letters; D: drawn
PROOFS = {
    Proof.WINDOW: "proven: as many values in a row repeat as a move can take",
    Proof.GUY_SMITH: "proven by the bound of Guy and Smith",
    Proof.ANY: "proven: a move may take all matches but one",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A sequence with its title, and what its numbers count: of a game, or of a set of numbers that a move takes."""

    sequence: Sequence
    title: str
    counted: str
    game: str | None = None
    takes: list[int] | None = None


def listed(row: Row, to: int) -> Report:
    """Return the report of a sequence up to this number."""
    values, grundy, period = row.sequence.values, row.sequence.grundy, row.sequence.period
    facts = {
        "game": row.game,
        "set": row.takes,
        "to": to,
        "values": values,
        "outcomes": [None if value is None else OUTCOMES[value] for value in values],
        "grundy": grundy,
        "period": None
        if period is None
        else {
            "preperiod": period.preperiod,
            "length": period.length,
            "proven": period.proven,
            "proof": None if period.proof is None else period.proof.value,
        },
    }
    columns = [
        Column(row.counted, lambda number: Raw(number)),
        Column("value", lambda number: Score(values[number])),
        Column("outcome", lambda number: Word(OUTCOMES[values[number]])),
        Column("Grundy", lambda number: Count(None if grundy is None else grundy[number])),
    ]
    lost = [str(number) for number, value in enumerate(values) if value == -1]
    return Report(
        [
            Heading(row.title),
            Facts(facts),
            Table("", columns, [number for number, value in enumerate(values) if value is not None]),
            Gap(),
            Sentence(f"lost for the player to move: {', '.join(lost) or 'none'}"),
            Sentence(period_text(row.sequence, to)),
        ]
    )


def one_line(sequence: Sequence) -> str:
    """Return the Grundy values on one line, or the outcomes where those are unknown."""
    if sequence.grundy is None:
        return " ".join(OUTCOMES[value] for value in sequence.values)
    return " ".join("–" if value is None else str(value) for value in sequence.grundy)


def period_text(sequence: Sequence, to: int) -> str:
    """Return what is known of the period: 'The Grundy values have period 4 from 0 on (proven: …).'"""
    what, period = "outcomes" if sequence.grundy is None else "Grundy values", sequence.period
    if period is None:
        return f"The values up to {to:,} prove no period of the {what}."
    why = f"seen up to {to:,}, not proven" if period.proof is None else PROOFS[period.proof]
    return f"The {what} have period {period.length} from {period.preperiod} on ({why})."
