"""What a sweep tells: the figures of each cell, of each of its seeds, and which cell is the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from nimtui.games.notation import plural
from nimtui.games.rule_text import Place
from nimtui.learning.learner import has_function, parse_learner
from nimtui.learning.sweep import Cell, Plan, Shares, Spread
from nimtui.report.blocks import Block, Column, Figure, Gap, Heading, Report, Sentence, Table
from nimtui.report.document import rows_of
from nimtui.report.values import UNKNOWN, Count, Duration, Keys, Raw, Share, Value, Word

NEVER = "never"


class Games(Count):
    """The games that a learner needed. None: it never got there."""

    @property
    def text(self) -> str:
        return NEVER if self.value is None else super().text


class Rough(Count):
    """A number of games in a few cells: '933', '12.4k', '1.35M', '5M'."""

    def size(self, value: float) -> str:
        for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
            if value >= size:
                value /= size if sign != "k" else 1e3
                return f"{float(f'{value:.3g}'):g}{sign}"
        return super().size(value)


class Unit(Enum):
    """What cells are compared by."""

    GAMES = "games"  # to perfect play; fewer are better
    SHARE = "share"  # of positions played right, 0 to 1; more is better
    RIGHT = "right moves"  # their share, of a function; more is better

    @classmethod
    def all_of(cls, plan: Plan) -> tuple[Unit, ...]:
        """Return what the cells of a plan can be compared by."""
        return (cls.RIGHT,) if plan.is_large else tuple(cls) if plan.has_function else (cls.GAMES, cls.SHARE)

    @property
    def title(self) -> str:
        return {Unit.GAMES: "games to perfect play", Unit.SHARE: "accuracy"}.get(self, self.value)

    def of(self, cell: Cell) -> float | None:
        """Return the value of a cell: the median of what its seeds needed, or of what they reached."""
        if self is Unit.GAMES:
            return cell.perfect.median
        return cell.accuracy.median if self is Unit.SHARE else cell.right_moves.median

    def text(self, value: float) -> str:
        """Return a value in a few columns: '12.4k', '99.5 %'."""
        return Rough(value).text if self is Unit.GAMES else Share(value).text

    def goodness(self, value: float) -> float:
        """Return the value on a scale where more is better; games count by their logarithm."""
        return -math.log10(max(1.0, value)) if self is Unit.GAMES else value


def swept(plan: Plan, cells: Sequence[Cell], seconds: float = 0.0, pictures: Sequence[Block] = ()) -> Report:
    """Return the report of a sweep that took so many seconds until now; `pictures` show its cells."""
    names, done, total = list(plan.grid.values), sum(len(cell.runs) for cell in cells), len(plan.pieces)
    facts = {**plan.document(), "trainings": done, "of_trainings": total}
    whole = "" if done == total else f" of {Count(total)}"
    perfection = [
        Column("to perfect", lambda cell: Count(cell.perfect.median)),
        Column("range", lambda cell: Word(ends(cell.perfect, len(cell.runs))), joined=True),
        Column("to proof", lambda cell: Count(cell.proof.median), joined=True),
        *_shares("accuracy", lambda cell: cell.accuracy),
    ]
    columns = [
        *(Column(name, lambda cell, name=name: Word(str(cell.setting.params[name])), joined=True) for name in names),  # type: ignore[misc]
        *([] if plan.is_large else perfection),
        *(_shares("right moves", lambda cell: cell.right_moves) if plan.has_function else []),
        Column(None, lambda cell: Keys(keys(cell)), "params"),
    ]
    proof = "Medians and ranges. Proof: no mistake in the favoured seat, whatever the opponent plays."
    right = "Medians and ranges. Right moves: of positions where the moves differ in their result."
    blocks = [
        Heading(Place(plan.game, plan.game.start, None).title),
        Sentence(
            f"{plan.learner}, seed {plan.seed}: {Count(done)}{whole} trainings of at most {Count(plan.games)} games"
            f" in {Duration(seconds)}",
            facts,
        ),
        Gap(),
        *pictures,
        Table("cells", columns, cells),
        Gap(),
        Sentence(right if plan.is_large else proof),
    ]
    if not plan.is_large and any(cell.runs and None in (cell.perfect.median, cell.proof.median) for cell in cells):
        blocks.append(Sentence("Never and –: at least half of a cell's seeds never got there."))
    return Report(blocks)


def _shares(name: str, of: Callable[[Cell], Shares]) -> list[Column]:
    def ends(cell: Cell) -> Word:
        return Word(UNKNOWN if of(cell).median is None else f"{Share(of(cell).low)} – {Share(of(cell).high)}")

    return [Column(name, lambda cell: Share(of(cell).median)), Column("range", ends, joined=True)]


def ends(spread: Spread, seeds: int) -> str:
    """Return the range of games: '24 – 29', '24'; with seeds that never got there, their number out of `seeds`."""
    if not seeds:
        return UNKNOWN
    if spread.never:
        return f"{spread.never} of {plural(seeds, 'seed', 'seeds')} never got there"
    return _range(Count(spread.low), Count(spread.high))


def _range(low: Value, high: Value) -> str:
    return low.text if low == high else f"{low} – {high}"


def measures(cell: Cell) -> list[Figure]:
    """Return the figures of a cell: the median of its seeds, and as a note their range. Needs runs."""
    seeds = len(cell.runs)
    games = [("to perfect", cell.perfect), ("to proof", cell.proof)] if cell.accuracy.median is not None else []
    shares = (("accuracy", cell.accuracy), ("unbeaten", cell.unbeaten), ("right moves", cell.right_moves))
    known = [(name, of) for name, of in shares if of.median is not None]
    return [
        *(Figure(name, Count(spread.median), note=ends(spread, seeds)) for name, spread in games),
        *(Figure(name, Share(of.median), note=_range(Share(of.low), Share(of.high))) for name, of in known),
    ]


def seeds(cell: Cell) -> Table:
    """Return a row for each finished seed of a cell."""
    columns = [
        Column("seed", lambda row: Raw(row[0]), "seed", left=True),
        Column("perfect", lambda row: Games(row[1].perfect), "games_to_perfect"),
        Column("proof", lambda row: Games(row[1].proof), "games_to_proof", rank=1),
        Column(None, lambda row: Count(row[1].games), "games"),
        Column("accuracy", lambda row: Share(row[1].accuracy), "accuracy", rank=1),
        Column("unbeaten", lambda row: Share(row[1].unbeaten), "unbeaten", rank=1),
    ]
    if cell.right_moves.median is not None:
        columns += [
            Column("right moves", lambda row: Share(row[1].right_moves), "right_moves", rank=1),
            Column(None, lambda row: Share(row[1].right_moves_low), "right_moves_low"),
            Column(None, lambda row: Share(row[1].right_moves_high), "right_moves_high"),
        ]
    return Table("runs", columns, cell.runs, gap=2)


def keys(cell: Cell) -> dict[str, Any]:
    """Return the document of a cell; numbers are null while unknown, and for never."""
    document: dict[str, Any] = {"params": cell.setting.params, "learner": cell.setting.learner}
    for name, spread in (("perfect", cell.perfect), ("proof", cell.proof)):
        document |= {f"games_to_{name}": spread.median, f"games_to_{name}_low": spread.low}
        never = None if cell.runs and cell.accuracy.median is None else spread.never
        document |= {f"games_to_{name}_high": spread.high, f"never_{name}": never}
    shares = [("accuracy", cell.accuracy), ("unbeaten", cell.unbeaten)]
    if has_function(parse_learner(cell.setting.learner)):
        shares.append(("right_moves", cell.right_moves))
        document["right_moves_median"] = cell.right_moves.median
    for name, of in shares:
        document |= {f"{name}_mean": of.mean, f"{name}_low": of.low, f"{name}_high": of.high}
    return {**document, "accuracy_median": cell.accuracy.median, "runs": rows_of(seeds(cell))}


def sheet(cells: Sequence[Cell]) -> Table:
    """Return the cells for a CSV file: a column for each parameter, the seeds as their number."""

    def flat(cell: Cell) -> Keys:
        document = keys(cell)
        params, runs = document.pop("params"), document.pop("runs")
        return Keys({**params, "learner": document.pop("learner"), "seeds": len(runs), **document})

    return Table("", [Column(None, flat, "learner")], cells)


# Which cell is the best.


def ranked(cells: Sequence[Cell], unit: Unit) -> list[int]:
    """Return the numbers of the cells, the best first; those that never got there and then those without runs last."""

    def key(number: int) -> tuple[bool, bool, float]:
        value = unit.of(cells[number])
        return not cells[number].runs, value is None, 0.0 if value is None else -unit.goodness(value)

    return sorted(range(len(cells)), key=key)


def best(cells: Sequence[Cell], plan: Plan, unit: Unit, otherwise: str) -> str:
    """Return a sentence about the best cell, with `otherwise` if none became perfect; '' until a cell is finished."""
    done = [cell for cell in cells if len(cell.runs) == plan.repeats]
    candidates = [(value, cell) for cell in done if (value := unit.of(cell)) is not None]
    if not done or len(cells) == 1:
        return ""
    so_far = " so far" * (len(done) < len(cells))
    if not candidates:
        return f"No cell became perfect with most of its seeds{so_far}. {otherwise}"
    best, cell = max(candidates, key=lambda pair: (unit.goodness(pair[0]), -pair[1].perfect.never))
    setting = ", ".join(f"{name} {value}" for name, value in cell.setting.params.items())
    if others := sum((value, one.perfect.never) == (best, cell.perfect.never) for value, one in candidates) - 1:
        setting += f" and {plural(others, 'other cell', 'other cells')}"
    seeds = plural(plan.repeats, "seed", "seeds")
    middle = f" (median of {seeds})" * (plan.repeats > 1)
    if unit is Unit.RIGHT:
        return f"Most right moves{so_far}: {setting}, {Share(best)}{middle}."
    if unit is Unit.SHARE:
        return f"Most accurate{so_far}: {setting}, with {Share(best)}{middle}."
    if not cell.perfect.never:
        return f"Quickest{so_far}: {setting}, perfect after {Count(best)} games{middle}."
    arrivals = plan.repeats - cell.perfect.never
    return f"Quickest median{so_far}: {setting}, {Count(best)} games. Of {seeds}, {arrivals} got there."
