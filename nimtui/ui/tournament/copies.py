"""What Ctrl+Y copies on the Tournament screen."""

from __future__ import annotations

from nimtui.report.lines import plain_text
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.tournament import crosstable
from nimtui.ui.tournament.crosstable import Table
from nimtui.ui.tournament.setup import TournamentSetup

WIDEST = 200  # columns of a copied table


def of_table(table: Table, signs: Glyphs) -> Copy:
    """Return the crosstable as text, all of its rows."""
    painted = crosstable.paint(table, WIDEST, len(table.order) + 1, signs)
    return Copy("table", "\n".join(plain_text(row).rstrip() for row in painted))


def of_setup(setup: TournamentSetup, number: int | None) -> list[Copy]:
    """Return the command that plays this tournament again, and the one that reports it if it is saved."""
    parted = len(setup.agents) - setup.joined
    again = command(
        "tournament",
        *setup.games,
        agent=setup.agents[:parted],
        join=setup.agents[parted:],
        games=setup.number,
        pairs=setup.pairs,
        openings=setup.openings,
        sprt=setup.sprt,
        seed=setup.seed,
        move_time=setup.move_time,
        game_time=setup.game_time or None,
        save_thoughts=setup.thoughts or None,
    )
    return [again, *([Copy("report", command("tournaments", "show", number).text)] if number is not None else [])]
