"""The map of positions as a screen shows it that draws more than the map."""

from __future__ import annotations

from collections.abc import Callable

from nimtui.ui.train.position_map import PositionMap


class QuickMap(PositionMap):
    """A map whose steps are told at once, so that map and position are drawn together and not a frame apart."""

    def __init__(self, stepped: Callable[[int], None], said: Callable[[str], None], *, id: str) -> None:
        super().__init__(id=id)
        self._stepped, self._said = stepped, said

    def action_zoom(self) -> None:
        if self.zoomed or not self.whole:
            super().action_zoom()
        else:
            self._said("Every position has a sign of its own already")

    def action_step(self, across: int, down: int) -> None:
        super().action_step(across, down)
        self._stepped(self.node)

    def action_edge(self, last: bool) -> None:
        super().action_edge(last)
        self._stepped(self.node)

    def action_page(self, step: int) -> None:
        super().action_page(step)
        self._stepped(self.node)
