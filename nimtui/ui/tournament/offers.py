"""What the Tournament screen offers where no tournament is shown: to go on with a kept one, ready ones, one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nimtui.foreign.values import recently
from nimtui.ui.kit.choices import Choice
from nimtui.ui.library.scan import game_title
from nimtui.ui.tournament.setup import PRESETS, TournamentSetup

if TYPE_CHECKING:
    from nimtui.store.tournaments import TournamentInfo

ABOUT = """Agents play each other, seats swapped, and every game is kept.
Who is stronger, how sure is that, and whose moves throw games away?"""
FORM, KEPT, ENDED, PRESET = "form", "kept", "ended", "preset"
LONGEST_NAME, LONGEST_DETAIL = 26, 36  # letters, so that at 80 columns nothing is cut


def choices(unfinished: Sequence[TournamentInfo], ended: Sequence[TournamentInfo] = ()) -> list[Choice]:
    """Those to go on with first, then the ready ones, then some that are finished."""
    return [
        *(Choice(f"{KEPT} {info.id}", f"Go on: {title(info)}", detail(info)) for info in unfinished),
        *(Choice(f"{PRESET} {at}", preset.title, preset.about) for at, preset in enumerate(PRESETS)),
        Choice(FORM, "Your own …", "any games, agents and openings"),
        *(Choice(f"{ENDED} {info.id}", f"See: {title(info)}", detail(info)) for info in ended),
    ]


def taken(value: str) -> TournamentSetup | int | None:
    """A set-up to begin, the number of a kept tournament, or None: ask."""
    kind, _, number = value.partition(" ")
    if kind == FORM:
        return None
    return PRESETS[int(number)].setup if kind == PRESET else int(number)


def is_finished(value: str) -> bool:
    """Is it one to be looked at only?"""
    return value.partition(" ")[0] == ENDED


def title(info: TournamentInfo) -> str:
    """What a kept tournament is called."""
    if not info.name:
        return f"tournament {info.id}, {len(info.document.get('agents', ()))} agents"
    return info.name if len(info.name) <= LONGEST_NAME else f"{info.name[: LONGEST_NAME - 1]}…"


def detail(info: TournamentInfo) -> str:
    """'41 % · yesterday 14:02 · tower:16', the game only where it is short."""
    share = f"{int(100 * info.played / info.total)} %" if info.total else ""
    said = f"{'finished' if info.state == 'done' else share} · {recently(info.changed)}"
    whole = " · ".join([said, *map(game_title, info.document.get("games", ()))])
    return whole if len(whole) <= LONGEST_DETAIL else said
