"""What the Tournament screen offers where no tournament is shown: to go on with a kept one, ready ones, one's own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from nimtui.ui.tournament_setup import PRESETS, TournamentSetup
from nimtui.ui.widgets.choices import Choice

if TYPE_CHECKING:
    from nimtui.store.tournaments import TournamentInfo

ABOUT = """Agents play each other, seats swapped, and every game is kept.
Who is stronger, how sure is that, and whose moves throw games away?"""
FORM, KEPT, PRESET = "form", "kept", "preset"


def choices(unfinished: Sequence[TournamentInfo]) -> list[Choice]:
    """Those to go on with first, then the ready ones."""
    return [
        *(Choice(f"{KEPT} {info.id}", f"Go on: {title(info)}", detail(info)) for info in unfinished),
        *(Choice(f"{PRESET} {at}", preset.title, preset.about) for at, preset in enumerate(PRESETS)),
        Choice(FORM, "Your own …", "any games and agents, openings, a test"),
    ]


def taken(value: str) -> TournamentSetup | int | None:
    """A set-up to begin, the number of a kept tournament, or None: ask."""
    kind, _, number = value.partition(" ")
    if kind == FORM:
        return None
    return PRESETS[int(number)].setup if kind == PRESET else int(number)


def title(info: TournamentInfo) -> str:
    """What a kept tournament is called."""
    agents, games = info.document.get("agents", ()), info.document.get("games", ())
    return info.name or f"tournament {info.id}, {len(agents)} agents, {', '.join(games)}"


def detail(info: TournamentInfo) -> str:
    """'41 % · yesterday 14:02'."""
    when = datetime.fromtimestamp(info.changed)
    days = (datetime.now().date() - when.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{when:%d %b}")
    share = f"{int(100 * info.played / info.total)} %" if info.total else ""
    return f"{share} · {day} {when:%H:%M}"
