"""What the views of a comparison know of its conductor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game
    from nimtui.games.base import State
    from nimtui.jobs import Jobs
    from nimtui.ui.play.compare_setup import CompareSetup


class Host(Protocol):
    """The conductor of a comparison, as the parts that it owns see it."""

    jobs: Jobs
    message: str

    @property
    def setup(self) -> CompareSetup | None: ...

    @property
    def game(self) -> Game | None: ...

    @property
    def state(self) -> State | None:
        """The position that is compared now."""

    @property
    def agents(self) -> Sequence[Agent]: ...

    @property
    def over(self) -> bool:
        """Has the game ended here?"""

    @property
    def changed(self) -> Callable[[], None]:
        """Tell the screen that something is new."""
