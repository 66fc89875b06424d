"""What `search` tells of a position: the value of each move, counts and memory, of one search or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from nimtui.engine.windows import INFINITY
from nimtui.games.base import Move
from nimtui.games.place import Place
from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import rows_of
from nimtui.report.values import Bytes, Count, Duration, Keys, Named, Number, Pace, Result, Value, Word, known
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import BOUNDS, Decided, bounded, verdict
from nimtui.trees.effort import Space
from nimtui.trees.move_values import claimed_plies
from nimtui.trees.result import MoveResult
from nimtui.trees.result import Result as Searched
from nimtui.trees.settings import ALPHA_BETA, MCTS, Settings

PROVEN = {1: "wins", 0: "draws", -1: "loses"}
COUNTS = ("nodes", "leaves", "cutoffs", "skipped", "table_hits")
MEMORY = (
    "tree_nodes",
    "tree_bytes",
    "stack_plies",
    "stack_bytes",
    "table_used",
    "table_entries",
    "table_bytes",
    "simulation_bytes",
)
BOUND = "≤ marks a bound: the move is not better than the one that is played, so its own value is not needed."
TIMED = "A search with a time limit depends on the machine: a faster one searches more."
NOT_RECORDED = "The tree of minimax and alpha-beta is what recording it would take; it was not recorded here."


def searched(
    place: Place, results: Sequence[Searched], truths: Mapping[Move, MoveValue] | None, several: bool = False
) -> Report:
    """Return the report of one search, or of `several` side by side; `truths`: None if unknown."""
    names = None if truths is None else {place.move(move): exact.outcome.value for move, exact in truths.items()}
    documents = [keys(place, result, truths) for result in results]
    blocks: list[Block] = [
        Heading(place.title),
        Facts({**place.keys, "truth": names, **({"runs": documents} if several else documents[0])}),
        Figures([Figure("position", Word(place.text))]),
    ]
    if len(results) > 1:
        blocks += [Gap(), _efforts(place, results), Gap(), _memory(results)]
        if not all(result.space.recorded for result in results):
            blocks += [Gap(), Sentence(NOT_RECORDED)]
    elif results[0].best_move is None:
        blocks += [Sentence(results[0].settings.name), Gap(), Sentence("stopped before the first move was searched")]
    else:
        blocks += _one(place, results[0], truths)
    if any(result.settings.time for result in results):
        blocks += [Gap(), Sentence(TIMED)]
    return Report(blocks)


def _one(place: Place, result: Searched, truths: Mapping[Move, MoveValue] | None) -> list[Block]:
    early = "" if result.finished else ", stopped early"
    value = worth(result.settings, result.value)
    blocks: list[Block] = [
        Sentence(f"{result.settings.name} plays {_name(place, result)}  ({Duration(result.seconds)}{early})"),
        Figures(
            [
                Figure("value", Word(value.whole if isinstance(value, Decided) else value.text)),
                Figure("line", Word(" ".join(place.game.line_names(result.principal_variation, place.state)))),
            ]
        ),
        Gap(),
        moves(place, result, truths),
        Gap(),
        Figures(_counts(result), right=True),
    ]
    if any(found.bound in BOUNDS for found in result.moves):
        blocks += [Gap(), Sentence(BOUND)]
    return blocks


def moves(place: Place, result: Searched, truths: Mapping[Move, MoveValue] | None) -> Table:
    """Return a row for each move of the root: the numbers that the search has for it, and its exact value."""

    def exact(found: MoveResult) -> MoveValue | None:
        return None if truths is None else truths[found.move]

    def document(found: MoveResult) -> Keys:
        more = {key: getattr(found, key) for key in ("bound", "visits", "mean", "ucb", "proven")}
        facts = {
            "value": found.value,
            "remoteness": claimed_plies(result.settings, found.value) if found.bound == "exact" else None,
            "optimal": None if truths is None else truths[found.move].optimal,
            "nodes": found.nodes,
        }
        return Keys(facts | {key: value for key, value in more.items() if value is not None})

    if result.settings.algorithm == MCTS:
        mean = partial(known, Result)
        numbers = [number("visits", Count, "visits"), number("mean", mean, "mean"), number("ucb", mean, "ucb")]
        if result.settings.proven:
            numbers.append(Column("proven", lambda found: Word(PROVEN.get(found.proven, ""))))
    else:
        value = Column("value", lambda found: bounded(worth(result.settings, found.value), found.bound))
        numbers = [value, number("nodes", Count, "nodes")]
    columns = [
        Column("move", lambda found: Word(place.move(found.move)), "move", left=True),
        Column("", lambda found: Word("plays" if found.move == result.best_move else ""), left=True),
        Column(None, document, "value"),
        *numbers,
        Column("truth", lambda found: Word(verdict(exact(found), truths)), left=True),
    ]
    return Table("", columns, result.moves, lambda found: found.move)


def worth(settings: Settings, value: float | None) -> Number:
    """Return the value of a search: the mean of playouts, or a score that may be a decided game."""
    return Result(value) if settings.algorithm == MCTS else Decided(value)


class TreeValue(Decided):
    """A value of a search tree, or an end of a window: '−4', '12', 'wins in 7'; short 'win 7'; '+∞' for no bound."""

    SIGNED = False

    @property
    def text(self) -> str:
        if self.value is not None and abs(self.value) >= INFINITY:
            return "+∞" if self.value > 0 else "−∞"
        return super().text

    @property
    def short(self) -> str:
        if self.ending is None:
            return self.text
        return f"{'win' if self.ending.verb == 'wins' else 'loss'} {self.ending.plies}"


def pace(rate: float | None) -> Figure:
    """Return nodes per second as a figure."""
    return Figure("nodes/s", Word(Pace(rate).text.removesuffix("/s")))


def _name(place: Place, result: Searched) -> str:
    return "–" if result.best_move is None else place.move(result.best_move)


def _counts(result: Searched) -> list[Figure]:
    """Return the counts of a search, then its memory with what explains it."""
    space, settings = result.space, result.settings
    rows = [Figure("nodes", Count(result.nodes)), Figure("leaves", Count(result.leaves))]
    if settings.time and result.simulations is None:
        rows.insert(0, Figure("depth", Count(result.depth or 0)))
    elif settings.time:
        rows.insert(0, Figure("simulations", Count(result.simulations)))
    if settings.algorithm == ALPHA_BETA:
        rows += [Figure("cutoffs", Count(result.cutoffs)), Figure("skipped", Count(result.skipped))]
    if settings.table:
        rows.append(Figure("table hits", Count(result.table_hits)))
    tree = f"{Count(space.tree_nodes)} nodes of {space.node_bytes} bytes, {recorded(space)}"
    rows += [
        pace(result.nodes_per_second),
        Figure("tree", Bytes(space.tree_bytes), note=tree),
        Figure("stack", Bytes(space.stack_bytes), note=str(Named(space.stack_plies, "ply", "plies"))),
    ]
    if space.table_entries is not None:
        rows.append(Figure("table", Bytes(space.table_bytes), note=f"{entries(space)} used"))
    if space.simulation_bytes:
        rows.append(Figure("simulations", Bytes(space.simulation_bytes), note="to replay them"))
    return [*rows, Figure("memory", Bytes(space.used_bytes), note="in all")]


def recorded(space: Space) -> str:
    """Return how much of the tree the search kept: 'kept', 'not kept', 'the first 4,000,000 kept, 100 MB'."""
    if not space.recorded:
        return "not kept"
    if space.recorded < space.tree_nodes:
        return f"the first {Count(space.recorded)} kept, {Bytes(space.recorded * space.node_bytes)}"
    return "kept"


def entries(space: Space) -> str:
    """Return how many entries of the transposition table are used: '1,204 of 65,536 entries'."""
    return f"{Count(space.table_used)} of {Count(space.table_entries)} entries"


def number(head: str, kind: Callable[[Any], Value], name: str, rank: int = 0) -> Column:
    """Return the column of a number: an attribute of the row."""
    attribute = attrgetter(name)
    return Column(head, lambda row: kind(attribute(row)), rank=rank)


def _efforts(place: Place, results: Sequence[Searched]) -> Table:
    """Return what several searches found and what it cost, side by side."""
    columns = [
        Column("search", lambda result: Word(result.settings.name), left=True),
        Column("move", lambda result: Word(_name(place, result)), left=True),
        Column("value", lambda result: worth(result.settings, result.value)),
        *(number(name.removeprefix("table_"), Count, name) for name in COUNTS),
        number("time", Duration, "seconds"),
        number("nodes/s", Pace, "nodes_per_second"),
    ]
    return Table("", columns, results)


def _memory(results: Sequence[Searched]) -> Table:
    """Return the memory of several searches, part by part."""
    columns = [
        Column("memory", lambda result: Word(result.settings.name), left=True),
        number("tree nodes", Count, "space.tree_nodes"),
        number("tree", Bytes, "space.tree_bytes"),
        number("stack plies", Count, "space.stack_plies"),
        number("stack", Bytes, "space.stack_bytes"),
        number("entries used", Count, "space.table_used"),
        number("table", table_size, "space.table_bytes"),
        number("in all", Bytes, "space.used_bytes"),
    ]
    return Table("", columns, results)


def table_size(size: int) -> Value:
    """Return the size of a transposition table; unknown without one."""
    return Bytes(size or None)


def keys(place: Place, result: Searched, truths: Mapping[Move, MoveValue] | None) -> dict[str, Any]:
    """Return the document of one search: `peak_bytes` is the sum of what the search used."""
    settings, rate = result.settings, result.nodes_per_second
    grown = settings.algorithm == MCTS
    return {
        "algorithm": settings.algorithm,
        "settings": settings.name,
        "depth": None if grown else result.depth if settings.time else settings.depth,
        "simulations": (result.simulations if settings.time else settings.simulations) if grown else None,
        "time": settings.time or None,
        **{key: getattr(result, key) for key in COUNTS},
        "value": result.value,
        "remoteness": claimed_plies(settings, result.value),
        "exact": result.exact,
        "best_move": None if result.best_move is None else place.move(result.best_move),
        "principal_variation": place.game.line_names(result.principal_variation, place.state),
        "moves": rows_of(moves(place, result, truths)),
        "seconds": result.seconds,
        "nodes_per_second": None if rate is None else round(rate),
        **{key: getattr(result.space, key) for key in MEMORY},
        "tree_recorded": result.space.recorded,
        "peak_bytes": result.peak_bytes,
        "finished": result.finished,
    }
