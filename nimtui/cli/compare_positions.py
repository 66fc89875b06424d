"""`nimtui compare --positions`: two agents on all positions of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.cli.files import check_new, format_of, write_text
from nimtui.errors import InputError
from nimtui.report.values import Share

if TYPE_CHECKING:
    from nimtui.arena.position_comparison import PositionComparison

CSV, JSON = ".csv", ".json"
BAR = 12  # columns of a bar that stands for 100 %
SHOWN = 5  # positions named of each kind


def run(name: str, names: list[str], seed: int, workers: int, to: Path | None, force: bool, json: bool) -> None:
    """Compare two agents on all positions, and print or write the result. Raises InputError and Cancelled."""
    from json import dumps

    from nimtui.arena.position_comparison import check, compare_positions
    from nimtui.arena.position_document import positions_csv, positions_document
    from nimtui.cli import output
    from nimtui.cli.bar import Bar
    from nimtui.cli.names import read_agent, read_game

    game = read_game(name)
    agents = [read_agent(each, game) for each in names]
    check(game, agents)
    if to is not None:
        format_of(to, {CSV: None, JSON: None})
        check_new(to, None, force)
    with Bar("compare") as bar:
        found = compare_positions(game, (agents[0], agents[1]), seed, workers, bar)
        whole = json or (to is not None and to.suffix.lower() == JSON)
        keys = positions_document(found, seed, bar) if whole else {}
        text = positions_csv(found, bar) if to is not None and to.suffix.lower() == CSV else None
    if to is not None:
        write_text(to, dumps(keys, ensure_ascii=False, indent=2) + "\n" if text is None else text)
    if json:
        output.document(keys | ({} if to is None else {"saved": str(to)}))
        return
    show(found)
    if to is not None:
        output.say("", f"saved to {to}")


def refuse(**given: object) -> None:
    """Raise InputError for an option that concerns one position."""
    for option, value in given.items():
        if value:
            raise InputError(f"--positions compares on all positions: leave out --{option.replace('_', '-')}")


def show(found: PositionComparison) -> None:
    """Print how often each agent is right, then by distance to the end, then some positions."""
    from nimtui.arena.position_comparison import NAMES, Kind
    from nimtui.cli import output

    output.heading(found.game)
    output.say(
        f"{found.positions:,} positions, {found.counts[Kind.NOTHING]:,} of them lost: nothing to decide there", ""
    )
    rows = [
        [str(at + 1), agent, output.grouped(int((found.verdicts[at] == 1).sum())), Share(found.share(at)).text]
        for at, agent in enumerate(found.agents)
    ]
    output.columns(["", "agent", "right", "share"], rows, left=(0, 1))
    output.say("")
    decided = found.positions - found.counts[Kind.NOTHING]
    output.columns(
        ["right", "positions", "share", ""],
        [
            [
                NAMES[kind],
                output.grouped(found.counts[kind]),
                Share(share := _of(found.counts[kind], decided)).text,
                _bar(share),
            ]
            for kind in list(Kind)[: Kind.NOTHING]
        ],
        left=(0, 3),
    )
    output.say("")
    output.columns(
        ["plies to the end", "not lost", "1", "", "2", ""],
        [
            [
                "draw" if row.distance is None else str(row.distance),
                output.grouped(row.positions),
                Share(row.first).text,
                _bar(row.first),
                Share(row.second).text,
                _bar(row.second),
            ]
            for row in found.by_distance()
        ],
        left=(3, 5),
        gap=2,
    )
    output.say("")
    for kind in (Kind.FIRST, Kind.SECOND, Kind.NEITHER):
        nodes = found.nodes(kind)
        if len(nodes):
            named = ", ".join(found.game.position_name(found.state(node)) or "the start" for node in nodes[:SHOWN])
            more = f" and {len(nodes) - SHOWN:,} more" if len(nodes) > SHOWN else ""
            output.say(f"{NAMES[kind]}: {named}{more}")


def _of(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _bar(share: float) -> str:
    return "█" * round(share * BAR)
