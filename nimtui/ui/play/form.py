"""Which game, from where, who plays: a form of five texts, with what could stand in each below it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from nimtui.ui.kit.form import Form
from nimtui.ui.play.draft import PlayDraft
from nimtui.ui.play.setup import PlaySetup


class NewGame(Form[PlaySetup]):
    """Returns the game to be begun, None where the person would rather not."""

    HELP = """Type into a field or choose with the up and down keys; what is wrong is said below the field.

First moves first. Both seats may be people, or machines that you watch. The seed makes chance repeatable."""
    BINDING_GROUP_TITLE = "New game"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+t", "swap", "Swap", tooltip="The other one begins")]
    _draft: PlayDraft

    def __init__(self, setup: PlaySetup, field: str = "game", last_seed: int | None = None) -> None:
        super().__init__(PlayDraft.of(setup, last_seed), field)

    async def action_swap(self) -> None:
        await self.take(self._draft.swapped())
