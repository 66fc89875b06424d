"""The JSON document and the text report of `nimtui ratings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nimtui.arena.pool_statements import kind_text, of_pool
from nimtui.cli import output
from nimtui.cli.tournament_report import show_tables
from nimtui.documents.standings import field_document
from nimtui.errors import InputError
from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.arena.pool import Part, Pool


def document(pool: Pool) -> dict[str, Any]:
    """Return the JSON document. Unknown numbers are null; `superiority` is head to head, [row][column]."""
    anchor = pool.anchor
    return {
        "game_names": list(pool.gathered.games),
        "agents": list(pool.agents),
        "tournaments": [_part(part) for part in pool.gathered.parts],
        "anchor": None if anchor is None else {"agent": pool.agents[anchor.agent], "elo": anchor.elo},
        "games": pool.played,
        **field_document(pool),
        "notes": list(of_pool(pool)),
        "version": __version__,
    }


def _part(part: Part) -> dict[str, Any]:
    plan = part.info.document
    return {
        "id": part.info.id,
        "kind": part.info.kind,
        "name": part.info.name,
        "games": plan.get("games") or [],
        "openings": plan.get("openings"),
        "seed": plan.get("seed"),
        "counted_games": part.games,
        "repeated_games": [{"id": other, "games": games} for other, games in part.repeats],
    }


def show(pool: Pool) -> None:
    """Print the standings, the crosstable, and remarks on them."""
    from nimtui.games import parse_game

    for name in pool.gathered.games:
        try:
            output.heading(parse_game(name))
        except InputError:  # an own game that is missing here
            output.say(name, style="bold")
    output.say(kind_text(pool), "")
    show_tables(pool)
    for line in of_pool(pool):
        output.paragraph(line)
