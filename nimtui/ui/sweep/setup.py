"""The settings of a new sweep: game, learner, varied constants, repeats and workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.kit.mode import Preset

if TYPE_CHECKING:
    from nimtui.learning.sweep import Plan

MOST_GAMES = 2_000_000_000
MOST_REPEATS = 10_000


@dataclass(frozen=True, slots=True)
class SweepSetup:
    """One sweep. `plan` checks it."""

    game: str = "nim:7,5,3"
    learner: str = "quality"  # with the constants that are the same in all cells
    grid: tuple[str, ...] = ("margin=50,70,90,100",)  # a parameter and its values each
    repeats: int = 5
    games: int = 30_000  # at most, per training
    seed: int = 0
    workers: int | None = None  # processes; None: one per core

    def plan(self) -> Plan:
        """Return the plan. InputError, one line, if something is wrong."""
        from nimtui.learning.sweep import plan

        if not self.learner.strip():
            raise InputError("name a learner, for example quality")
        return plan(parse_game(self.game), self.learner, self.grid, self.repeats, self.games, self.seed)

    @classmethod
    def of(cls, plan: Plan, workers: int | None = None) -> SweepSetup:
        """Return the setup of a plan."""
        from nimtui.learning.sweep_grid import as_typed

        grid = tuple(f"{name}={','.join(map(as_typed, values))}" for name, values in plan.grid.values.items())
        return cls(plan.game.name, plan.learner, grid, plan.repeats, plan.games, plan.seed, workers)


PRESETS = (
    Preset(
        "Three constants of quality",
        "margin, win, loss: 36 cells",
        SweepSetup(grid=("margin=50,70,90,100", "win=19,29,39", "loss=5,11,17")),
    ),
    Preset(
        "Margin alone, 50 to 100",
        "quality on 7, 5, 3",
        SweepSetup(grid=("margin=50..100:10",), repeats=20),
    ),
    Preset(
        "Learning rate and exploration",
        "q on 7, 5, 3: alpha × epsilon",
        SweepSetup(learner="q", grid=("alpha=0.05,0.1,0.3,1", "epsilon=0.05,0.1,0.3,1"), games=100_000),
    ),
    Preset(
        "Memory and aim of proof learning",
        "proof on the tower of 16",
        SweepSetup("tower:16", "proof", ("memory=successors,played", "aim=start,all"), 20, 100_000),
    ),
)
