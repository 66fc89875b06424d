"""What `compare --positions` tells: where each of two agents is right, by the distance to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from nimtui.arena.position_comparison import NAMES, AtDistance, Kind, PositionComparison
from nimtui.games.place import Place
from nimtui.learning.evaluate import RIGHT, WORDS
from nimtui.report.blocks import Block, Column, Facts, Gap, Heading, Report, Sentence, Table
from nimtui.report.lines import Ink
from nimtui.report.tables import sheet
from nimtui.report.values import Count, Share, Word
from nimtui.theory import Outcome

if TYPE_CHECKING:
    from nimtui.progress import Progress

COLUMNS = "position,outcome,remoteness,first,second,right"
STEP = 1_000  # positions between two reports
BAR = 12  # columns of a bar that stands for 100 %
NAMED = 5  # positions of each kind


def compared(comparison: PositionComparison, seed: int) -> Report:
    """Return the report of two agents on all positions: how often each is right, where, and some positions."""
    counts = comparison.counts
    lost = counts[Kind.NOTHING]
    decided = max(1, comparison.positions - lost)
    facts = {
        "game": comparison.game.name,
        "seed": seed,
        "agents": list(comparison.agents),
        "right": [comparison.share(0), comparison.share(1)],
        "counts": {name.replace(" ", "_"): count for name, count in zip(NAMES, counts, strict=True)},
        "by_distance": [row._asdict() for row in comparison.by_distance()],
    }
    agents = [
        Column("", lambda at: Word(str(at + 1)), left=True),
        Column("agent", lambda at: Word(comparison.agents[at]), left=True),
        Column("right", lambda at: Count((comparison.verdicts[at] == RIGHT).sum())),
        Column("share", lambda at: Share(comparison.share(at))),
    ]
    kinds = [
        Column("right", lambda kind: Word(NAMES[kind]), left=True),
        Column("positions", lambda kind: Count(counts[kind])),
        Column("share", lambda kind: Share(counts[kind] / decided)),
        Column("", lambda kind: Word(_bar(counts[kind] / decided)), left=True),
    ]
    blocks: list[Block] = [
        Heading(Place(comparison.game, comparison.game.start, None).title),
        Facts(facts),
        Sentence(f"{Count(comparison.positions)} positions, {Count(lost)} of them lost: nothing to decide there"),
        Gap(),
        Table("", agents, range(2)),
        Gap(),
        Table("", kinds, list(Kind)[: Kind.NOTHING]),
        Gap(),
        by_distance(comparison, "plies to the end", _bar),
        Gap(),
    ]
    for kind in (Kind.FIRST, Kind.SECOND, Kind.NEITHER):
        nodes = comparison.nodes(kind)
        if len(nodes):
            named = ", ".join(comparison.name(node) or "the start" for node in nodes[:NAMED])
            more = f" and {Count(len(nodes) - NAMED)} more" if len(nodes) > NAMED else ""
            blocks.append(Sentence(f"{NAMES[kind]}: {named}{more}"))
    return Report(blocks)


def by_distance(comparison: PositionComparison, head: str, bar: Callable[[float], str]) -> Table:
    """Return the shares of both agents by the distance to the end, each with its bar."""

    def distance(row: AtDistance) -> Word:
        return Word("draw" if row.distance is None else str(row.distance))

    def shares(agent: int, ink: Ink) -> list[Column]:
        return [
            Column(str(agent), lambda row: Share(row[agent + 1]), ink=ink),
            Column("", lambda row: Word(bar(row[agent + 1])), rank=1, left=True, ink=ink),
        ]

    columns = [Column(head, distance), Column("not lost", lambda row: Count(row.positions))]
    columns += shares(1, Ink.ONE) + shares(2, Ink.TWO)
    return Table("", columns, comparison.by_distance(), gap=2)


def _bar(share: float) -> str:
    return "█" * round(share * BAR)


def rows(comparison: PositionComparison, progress: Progress) -> Iterator[dict[str, Any]]:
    """Yield the keys of each position: its exact value, both verdicts and who is right. Raises Cancelled."""
    first, second = comparison.verdicts
    for node in range(comparison.positions):
        if node % STEP == 0:
            progress.report(node, comparison.positions, "naming positions")
        distance = int(comparison.distances[node])
        yield {
            "position": comparison.name(node),
            "outcome": Outcome.of(int(comparison.known.values[node])).value,
            "remoteness": None if distance < 0 else distance,
            "first": WORDS[int(first[node])],
            "second": WORDS[int(second[node])],
            "right": NAMES[int(comparison.kinds[node])],
        }


def positions_csv(comparison: PositionComparison, progress: Progress) -> str:
    """Return a row for each position as CSV, with a header."""
    return sheet(rows(comparison, progress), COLUMNS.split(","))
