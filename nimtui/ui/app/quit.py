"""Quit, though something would be lost? Asked only then."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from textual.binding import Binding, BindingType

from nimtui.ui.kit.confirm import Question

Leaving: TypeAlias = Literal["quit", "save"]


class QuitScreen(Question[Leaving]):
    """How to leave; None: stay. The keys that asked answer too, so that pressing one of them twice quits."""

    BINDING_GROUP_TITLE = "Quit?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y,q", "dismiss('quit')", "quit", key_display="⏎"),
        Binding("s", "dismiss('save')", "save and quit"),
        Binding("escape,n,backspace", "dismiss(None)", "stay", key_display="esc"),
    ]

    def __init__(self, why: str, *, saves: bool = False) -> None:
        """`saves`: can what would be lost be saved first?"""
        super().__init__(why, "Quit?", f"⏎ quit    {'s save and quit    ' if saves else ''}esc stay")
        self._saves = saves

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._saves or parameters != ("save",)
