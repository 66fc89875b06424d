"""What `search` tells of a position: the value of each move, counts and memory, of one search or several; and what the
nodes of its tree tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from operator import attrgetter
from typing import Any

from nimtui.engine.windows import CUT, DECIDED, INFINITY, LEAF, OPEN, TABLE, TERMINAL, WIN
from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.games.rule_text import Place
from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import rows_of
from nimtui.report.values import Bytes, Count, Duration, Keys, Named, Number, Pace, Result, Value, Word, known
from nimtui.theory import Outcome, explanation
from nimtui.theory.answers import MoveValue
from nimtui.theory.report import BOUNDS, FLIPPED, Decided, bounded, verdict
from nimtui.trees.result import MoveResult, Space, Standing, claimed_outcome
from nimtui.trees.result import Result as Searched
from nimtui.trees.settings import ALPHA_BETA, MCTS, Settings
from nimtui.trees.tree import Tree

PROVEN: dict[int | None, str] = {1: "wins", 0: "draws", -1: "loses"}
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
NOTHING_FOUND = "stopped before the first move was searched"
NOT_RECORDED = "The tree of minimax and alpha-beta is what recording it would take; it was not recorded here."


def searched(
    place: Place, results: Sequence[Searched], truths: Mapping[Move, MoveValue] | None, several: bool = False
) -> Report:
    """Return the report of one search, or of `several` side by side; `truths`: None if unknown."""
    names = None if truths is None else {place.move(move): _true_value(exact) for move, exact in truths.items()}
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
        blocks += [Sentence(results[0].settings.name), Gap(), Sentence(NOTHING_FOUND)]
    else:
        blocks += [*findings(place, results[0], truths), Gap(), Figures(_counts(results[0]), right=True)]
        if any(move.bound in BOUNDS for move in results[0].moves):
            blocks += [Gap(), Sentence(BOUND)]
    if any(result.settings.time for result in results):
        blocks += [Gap(), Sentence(TIMED)]
    return Report(blocks)


def _true_value(exact: MoveValue) -> str | int:
    return exact.outcome.value if exact.payoff is None else exact.payoff


def findings(place: Place, result: Searched, truths: Mapping[Move, MoveValue] | None) -> list[Block]:
    """Return what a search plays, its value and its best line, and a row for each move."""
    early = "" if result.finished else ", stopped early"
    plays = best_move(place.game, place.state, result)
    value = worth(result.settings, result.value)
    both = ""  # what the game pays, where MIN gets the negative of it
    if place.game.pays and place.game.players and result.exact:  # so a tree search, which proves no payoff, has none
        assert result.value is not None
        both = explanation.worth(place.game, place.state, int(result.value))
    figures = [
        Figure("value", Word(value.whole if isinstance(value, Decided) else value.text), note=both),
        Figure("line", Word(" ".join(place.game.line_names(result.principal_variation, place.state)))),
    ]
    return [
        Sentence(f"{result.settings.name} plays {plays}  ({Duration(result.seconds)}{early})"),
        Figures(figures),
        Gap(),
        moves(place, result, truths),
    ]


def moves(place: Place, result: Searched, truths: Mapping[Move, MoveValue] | None) -> Table:
    """Return a row for each move of the root: the numbers that the search has for it, and its exact value."""

    def exact(rating: MoveResult) -> MoveValue | None:
        return None if truths is None else truths[rating.move]

    def document(rating: MoveResult) -> Keys:
        more = {key: getattr(rating, key) for key in ("bound", "visits", "mean", "ucb", "proven")}
        facts = {
            "value": rating.value,
            "remoteness": claimed_plies(result.settings, rating.value) if rating.bound == "exact" else None,
            "optimal": None if truths is None else truths[rating.move].optimal,
            "nodes": rating.nodes,
        }
        return Keys(facts | {key: value for key, value in more.items() if value is not None})

    if result.settings.algorithm == MCTS:
        mean = partial(known, Result)
        numbers = [number("visits", Count, "visits"), number("mean", mean, "mean"), number("ucb", mean, "ucb")]
        if result.settings.proven:
            numbers.append(Column("proven", lambda rating: Word(PROVEN.get(rating.proven, ""))))
    else:
        value = Column("value", lambda rating: bounded(worth(result.settings, rating.value), rating.bound))
        numbers = [value, number("nodes", Count, "nodes")]
    columns = [
        Column("move", lambda rating: Word(place.move(rating.move), said=place.named(rating.move)), "move", left=True),
        Column("", lambda rating: Word("plays" if rating.move == result.best_move else ""), left=True),
        Column(None, document, "value"),
        *numbers,
        Column("truth", lambda rating: Word(verdict(exact(rating), truths)), left=True),
    ]
    return Table("", columns, result.moves, lambda rating: rating.move)


def worth(settings: Settings, value: float | None) -> Number:
    """Return the value of a search: the mean of playouts, or a score that may be a decided game."""
    return Result(value) if settings.algorithm == MCTS else Decided(value, settings.pays)


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


def best_move(game: Game, state: State, result: Searched | Standing, none: str = "–") -> str:
    """Return the move that a search plays, or `none` before it has one."""
    return none if result.best_move is None else game.move_name(result.best_move, state)


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
    """Return how much of the tree is stored: 'stored', 'not stored', 'the first 4,000,000 stored, 100 MB'."""
    if not space.recorded:
        return "not stored"
    if space.recorded < space.tree_nodes:
        return f"the first {Count(space.recorded)} stored, {Bytes(space.recorded * space.node_bytes)}"
    return "stored"


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
        Column("move", lambda result: Word(best_move(place.game, place.state, result)), left=True),
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
        *parts_of_memory(),
        number("in all", Bytes, "space.used_bytes"),
    ]
    return Table("", columns, results)


def parts_of_memory(tree: str = "tree", plies: str = "stack plies", used: str = "entries used") -> list[Column]:
    """Return the columns of the tree, the stack and the transposition table of a search; a size of 0 is unknown."""
    return [
        number(tree, Bytes, "space.tree_bytes"),
        number(plies, Count, "space.stack_plies"),
        number("stack", Bytes, "space.stack_bytes"),
        number(used, Count, "space.table_used"),
        number("table", lambda size: Bytes(size or None), "space.table_bytes"),
    ]


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
        "peak_bytes": result.space.used_bytes,
        "finished": result.finished,
    }


# A search against the exact values.


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """The result of a search for one move, with the exact value."""

    truth: MoveValue
    believed: MoveResult
    claim: Outcome | None  # the outcome that the search has proven; None if it only estimates
    preferred: bool  # does the search play this move?

    @property
    def wrong(self) -> bool:
        """Does the search claim a false outcome, or play a mistake?"""
        return (self.claim is not None and self.claim is not self.truth.outcome) or (
            self.preferred and not self.truth.optimal
        )


def judged_moves(truths: list[MoveValue], result: Searched | Standing) -> list[JudgedMove]:
    """Return every move's exact value with the result of a search of the same position."""
    believed = {rating.move: rating for rating in result.moves}
    judged = []
    for truth in truths:
        claim = claimed_outcome(result.settings, believed[truth.move], result.exact)
        judged.append(JudgedMove(truth, believed[truth.move], claim, truth.move == result.best_move))
    return judged


def claimed_plies(settings: Settings, value: float | None) -> int | None:
    """Return in how many plies the game ends, by a value of minimax or alpha-beta; None if it does not say."""
    if settings.algorithm == MCTS or settings.pays or value is None or abs(value) <= DECIDED:
        return None
    return WIN - int(abs(value))


# The nodes of a tree, on a screen. All numbers are those of the player to move at the root. That player wants them high
# and raises α; the opponent wants them low and lowers β.

KINDS = {OPEN: "being searched", LEAF: "depth limit", TERMINAL: "game over", TABLE: "from the table"}


def for_root(value: int, ply: int) -> int:
    """Convert a value of the player to move at this ply to one of the player at the root."""
    return -value if ply % 2 else value


def window_for_root(alpha: int, beta: int, ply: int) -> tuple[int, int]:
    """Convert a window of the player to move at this ply to one of the player at the root."""
    return (-beta, -alpha) if ply % 2 else (alpha, beta)


def window(tree: Tree, node: int) -> tuple[int, int]:
    """Return α and β at the entry of the node, for the player at the root."""
    return window_for_root(*tree.window(node), int(tree.plies[node]))


def value(tree: Tree, node: int, brief: bool = False) -> str:
    """Return the value of a node for the player at the root: '≤ −4', '≤ loses in 6', `brief` '≤ loss 6'; or '…'."""
    score = tree.value(node)
    if score is None:
        return "…"
    ply = int(tree.plies[node])
    bound = tree.bound(node)
    converted = bounded(TreeValue(for_root(score, ply), tree.game.pays), FLIPPED[bound] if ply % 2 else bound)
    return converted.short if brief else converted.text


def interval(low: int, high: int, pays: bool = False) -> str:
    return f"({TreeValue(low, pays).short}, {TreeValue(high, pays).short})"


def why_cut(tree: Tree, node: int) -> str:
    """Return a sentence on which moves of a node were not searched, and why; '' if all were."""
    skipped = tree.skipped(node)
    if skipped is None:
        return "cutoff at the last move: nothing left to prune" if tree.kind(node) == CUT else ""
    count = len(skipped.moves)
    moves = f"{count} move{'s' * (count > 1)}"
    if skipped.why == "limit" and tree.kind(node) == OPEN:
        return f"{moves} not recorded, or not searched yet"
    if skipped.why == "limit":
        return f"{moves} beyond the recorded nodes"
    if skipped.why == "open":
        return f"{moves} not searched yet"
    by = _called(tree, node, skipped.by) if skipped.by is not None else ""
    other, pays = _preferred(tree, node), tree.game.pays
    if int(tree.plies[node]) % 2:
        why = f"β {TreeValue(-skipped.alpha, pays).short} ≤ α {TreeValue(-skipped.beta, pays).short}"
        then = f"after {by} this line cannot beat {other}" if other else f"after {by} this line is not good enough"
    else:
        why = f"α {TreeValue(skipped.alpha, pays).short} ≥ β {TreeValue(skipped.beta, pays).short}"
        then = f"{by} is so good that the opponent plays {other} instead" if other else f"{by} is too good here"
    kind = f" ({'deep' if deep(tree, node) else 'shallow'} cutoff)" if pays else ""
    return f"{moves} pruned{kind}: {why}, {then}"


def deep(tree: Tree, node: int) -> bool:
    """Return whether a cutoff is deep: its bound was already known when the search entered the node above.

    A shallow cutoff uses the value of an earlier move at the node above. Source: Knuth and Moore, 1975.
    """
    alpha, _ = tree.window(int(tree.parent[node]))
    return alpha >= -tree.window(node)[1]


def _preferred(tree: Tree, node: int) -> str:
    """Return the nearest earlier move whose value is the bound that caused the cutoff; '' if there is none."""
    bound = int(tree.beta[node])  # of the player to move; the other player has it as α
    path = tree.path(node)
    for up, (above, below) in enumerate(reversed(list(pairwise(path)))):
        if up % 2:
            continue
        for sibling in tree.children(above):
            if sibling >= below:
                break
            proven = tree.bound(sibling) != "lower"  # pruned itself, or being searched: it may be worse
            if proven and int(tree.values[sibling]) == bound:
                return _called(tree, above, tree.move(sibling))
    return ""


def _called(tree: Tree, node: int, move: Move) -> str:
    """Return the name of a move at a node; in a textbook tree the path, since each node has a move 1."""
    game, state = tree.game, tree.state(node)
    return game.move_name(move, state) if game.players is None else game.position_name(game.after(state, move))


def count(nodes: int) -> str:
    """Return a count in at most seven columns: '2,978', '131.1 M'."""
    if nodes < 100_000:
        return f"{nodes:,}"
    return f"{nodes / 1000:.0f} k" if nodes < 1_000_000 else f"{nodes / 1e6:.1f} M"
