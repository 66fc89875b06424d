"""Painters of two agents on all positions: the counts, the shares by distance to the end, the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimtui.arena.position_comparison import NAMES, Kind
from nimtui.arena.position_report import by_distance
from nimtui.games.notation import plural
from nimtui.learning.evaluate import NOTHING, WORDS
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, Run, cut, fit, line, width
from nimtui.report.values import Share
from nimtui.ui.board.position_map_picture import INKS
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.virtual_list import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from nimtui.ui.compare.everywhere import Everywhere

KINDS = {Kind.FIRST: Ink.ONE, Kind.SECOND: Ink.TWO, Kind.NEITHER: Ink.WRONG, Kind.BOTH: Ink.RIGHT}
BAR = 10
LEAST_TABLE = 3  # lines: its head, and two distances
DISTANCE = 6


def waiting(shown: Everywhere) -> Paint:
    """Paint what stands in place of the map while there is none."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        job = shown.job
        if job is None:
            return [fit(line((shown.fault, Ink.QUIET)), columns, signs)]
        done = job.snapshot
        many = f"{done.done:,.0f} of {done.total:,.0f} " if done.total else ""
        return [fit(line((f"{many}{done.what or 'solving the game'}", Ink.QUIET)), columns, signs)]

    return lines


def counts(shown: Everywhere, node: int) -> Paint:
    """Paint how often each agent is right, who is right on the marked position, and the shares by distance."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if shown.found is None:
            return []
        found = shown.found.compared
        told = [
            line((f"{signs.alone[at]} {shown.pair[at] + 1} ", ink), f"right on {Share(found.share(at)).text}  ",
                 (found.agents[at], Ink.QUIET))
            for at, ink in enumerate((Ink.ONE, Ink.TWO))
        ]  # fmt: skip
        names = (*NAMES[: Kind.NOTHING], "lost")
        parts = [Run(f"{names[kind]} {found.counts[kind]:,}  ", KINDS.get(kind, Ink.QUIET)) for kind in Kind]
        told.append(line(*(parts if width(line(*parts)) <= columns else parts[:-1])))  # the map counts the lost ones
        if node >= 0:
            name = shown.found.atlas.name(node) or "the start"
            distance = int(found.distances[node])
            plies = "a draw" if distance < 0 else f"{plural(distance, 'ply', 'plies')} to the end"
            told.append(line((f"{name}: {NAMES[int(found.kinds[node])]}, {plies}", Ink.STRONG)))
        told = [fit(each, columns, signs) for each in told]
        if rows - len(told) >= LEAST_TABLE:
            table = by_distance(found, "plies", lambda share: signs.bar(share, BAR))
            told += table_lines(table, columns, rows - len(told), signs=signs)
        return told[:rows]

    return lines


def rows(shown: Everywhere, at: int, go: Callable[[int], None], take: Callable[[], None]) -> Rows | None:
    """Return the list of all positions: name, distance to the end, who is right, both verdicts."""
    found = shown.found
    if found is None:
        return None
    compared = found.compared

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        names = [signs.plain(found.atlas.name(found.listed[place])) or "the start" for place in places]
        wide = max(9, min(columns - 48, max(map(len, names), default=9)))
        head = f" {'position':<{wide}} {'plies':>{DISTANCE}}  {'right':<19} {shown.pair[0] + 1:<12} {shown.pair[1] + 1}"
        lines = [cut(line((head, Ink.COLUMN)), columns, signs.hidden)]
        for place, name in zip(places, names, strict=True):
            node, here = found.listed[place], place == at
            kind, distance = Kind(int(compared.kinds[node])), int(compared.distances[node])
            text = f"{signs.cursor if here else ' '}{name:<{wide}} {'draw' if distance < 0 else distance:>{DISTANCE}}  "
            runs: list[Run] = [
                Run(text, Ink.STRONG if here else Ink.TEXT),
                Run(f"{NAMES[kind]:<19} ", KINDS.get(kind, Ink.QUIET)),
            ]
            for verdicts in compared.verdicts:
                verdict = int(verdicts[node])
                word = "" if verdict == NOTHING else WORDS[verdict]
                runs.append(Run(f"{signs.verdicts[verdict]} {word:<11}", INKS[verdict]))
            lines.append(cut(line(*runs), columns, signs.hidden))
        return lines

    return Rows(len(found.listed), at, paint, go, take)
