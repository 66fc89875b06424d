"""The form of a new game: five fields, with suggestions below the current one."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from nimtui.ui.kit.form import Form
from nimtui.ui.play.draft import PlayDraft
from nimtui.ui.play.setup import PlaySetup


class NewGame(Form[PlaySetup]):
    """Returns the game to start, or None if the person cancels."""

    HELP = """Type into a field, or choose a value with the up and down keys. Errors appear below the fields.

The First player moves first. Seat people, machines, or two machines to watch. The same seed repeats all random choices.

Press Enter to start."""
    BINDING_GROUP_TITLE = "New game"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+t", "swap", "Swap", tooltip="Swap the players")]
    _draft: PlayDraft

    def __init__(self, setup: PlaySetup, field: str = "game", last_seed: int | None = None) -> None:
        super().__init__(PlayDraft.of(setup, last_seed), field)

    async def action_swap(self) -> None:
        await self.take(self._draft.swapped())
