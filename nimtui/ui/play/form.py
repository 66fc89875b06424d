"""Which game, from where, who plays: a form of five texts, with what could stand in each below it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from nimtui.ui.kit.form import Form
from nimtui.ui.play.draft import Draft
from nimtui.ui.play.setup import PlaySetup


class NewGame(Form[PlaySetup]):
    """Returns the game to be begun, None where the person would rather not."""

    HELP = """Type into a field or choose with the up and down keys; what is wrong is said below the field.

First moves first. Both seats may be people, or machines that you watch. The seed makes chance repeatable."""
    BINDING_GROUP_TITLE = "New game"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+t", "swap", "Swap", tooltip="The other one begins")]
    LABELS: ClassVar = {
        "game": ("Game", "for instance tower:16 or nim:3,5,4,2,6"),
        "position": ("Position", "the usual start"),
        "first": ("First", "me, or an agent"),
        "second": ("Second", "me, or an agent"),
        "seed": ("Seed", "a whole number"),
    }
    _draft: Draft

    def __init__(self, setup: PlaySetup, field: str = "game", last_seed: int | None = None) -> None:
        super().__init__(Draft.of(setup, last_seed), field)

    def offered(self, name: str) -> str:
        return self._draft.offered(name)

    async def chosen(self, name: str, value: str) -> None:
        """A game of the list comes with players who can play it."""
        await (self.take(self._draft.with_game(value)) if name == "game" else super().chosen(name, value))

    async def action_swap(self) -> None:
        await self.take(self._draft.swapped())
