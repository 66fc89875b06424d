"""What `quotient` tells: the elements of a misère quotient, its relations, and the element of each heap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.values import Count, Raw, Word
from nimtui.theory.quotient import Quotient

OUTCOMES = ("win", "loss")


def facts(game: str, to: int, quotient: Quotient, heaps: Sequence[int] | None = None) -> dict[str, Any]:
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
        keys["outcome"] = OUTCOMES[quotient.lost(heaps)] if closed else None
    return keys


def listed(title: str, game: str, to: int, quotient: Quotient, heaps: Sequence[int] | None = None) -> Report:
    """Return the report of the quotient of all sums of heaps up to `to`, and of one such sum."""
    blocks: list[Block] = [Heading(title), Facts(facts(game, to, quotient, heaps))]
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


def of_sum(quotient: Quotient, heaps: Sequence[int]) -> str:
    """Return the element of a sum of heaps and who wins it: 'The sum 8,5,3 is ab^2: the player to move loses.'"""
    verb = "loses" if quotient.lost(heaps) else "wins"
    return f"The sum {','.join(map(str, heaps)) or '0'} is {quotient.element(heaps)}: the player to move {verb}."
