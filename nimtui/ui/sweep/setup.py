"""What a sweep needs before it can begin: the game, who learns, what is varied, how often, by how many workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.kit.preset import Preset

if TYPE_CHECKING:
    from nimtui.learning.sweep import Plan

MOST_GAMES = 2_000_000_000
MOST_REPEATS = 10_000


@dataclass(frozen=True, slots=True)
class SweepSetup:
    """One sweep. `plan` says whether it makes sense."""

    game: str = "nim:7,5,3"
    learner: str = "quality"  # with what is the same in all cells
    grid: tuple[str, ...] = ("margin=50,70,90,100",)  # a parameter and its values each
    repeats: int = 5
    games: int = 30_000  # the most that one training may take
    seed: int = 0
    workers: int | None = None  # processes; None: one a core

    def plan(self) -> Plan:
        """What is to be done. InputError, one line, where something is wrong."""
        from nimtui.learning.sweep import plan

        if not self.learner.strip():
            raise InputError("name who learns, for instance quality")
        return plan(parse_game(self.game), self.learner, self.grid, self.repeats, self.games, self.seed)

    @classmethod
    def of(cls, plan: Plan, workers: int | None = None) -> SweepSetup:
        """The setup of a plan that is known already."""
        from nimtui.learning.sweep_grid import as_typed

        grid = tuple(f"{name}={','.join(map(as_typed, values))}" for name, values in plan.grid.values.items())
        return cls(plan.game.name, plan.learner, grid, plan.repeats, plan.games, plan.seed, workers)


PRESETS = (
    Preset(
        "The original's exercise: 3 constants",
        "margin, win, loss: 36 cells",
        SweepSetup(grid=("margin=50,70,90,100", "win=19,29,39", "loss=5,11,17")),
    ),
    Preset(
        "Margin alone, 50 to 100",
        "quality on 7, 5, 3",
        SweepSetup(grid=("margin=50..100:10",), repeats=20),
    ),
    Preset(
        "How far it learns, how often it explores",
        "q on 7, 5, 3: alpha × epsilon",
        SweepSetup(learner="q", grid=("alpha=0.05,0.1,0.3,1", "epsilon=0.05,0.1,0.3,1"), games=100_000),
    ),
    Preset(
        "What is remembered, and what it aims at",
        "proof on the tower of 16",
        SweepSetup("tower:16", "proof", ("memory=successors,played", "aim=start,all"), 20, 100_000),
    ),
)
