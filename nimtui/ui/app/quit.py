"""The question before quitting, asked only if something would be lost."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from textual.binding import Binding, BindingType

from nimtui.ui.kit.dialogs import Question

Leaving: TypeAlias = Literal["quit", "save"]


class QuitScreen(Question[Leaving]):
    """Returns how to quit, or None to stay. q answers too: pressed twice, it saves what can be saved and quits."""

    BINDING_GROUP_TITLE = "Quit?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss('quit')", "quit"),
        Binding("q", "again", "save what can be saved and quit", show=False),
        Binding("s", "dismiss('save')", "save and quit"),
        Binding("escape,n,backspace", "dismiss(None)", "stay"),
    ]

    def __init__(self, why: str, *, saves: bool = False) -> None:
        """`saves`: whether the person can save the work first."""
        super().__init__(why, "Quit?", f"⏎ quit    {'s save and quit    ' if saves else ''}esc stay")
        self._saves = saves

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._saves or parameters != ("save",)

    def action_again(self) -> None:
        self.dismiss("save" if self._saves else "quit")
