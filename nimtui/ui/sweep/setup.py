"""The set-up of a sweep, and sweeps as files: the list of saved ones, and their exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nimtui.errors import InputError
from nimtui.foreign.values import recently
from nimtui.playing.setup import parse_game, usual_name
from nimtui.report.copies import Copy, command
from nimtui.report.document import csv, document, text
from nimtui.store import sweeps
from nimtui.ui.kit.contract import Preset
from nimtui.ui.kit.forms.kept import KeptWork, names, newest

if TYPE_CHECKING:
    from nimtui.learning.sweep import Cell, Plan


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

    @property
    def command(self) -> Copy:
        """The command that runs this sweep."""
        more = {"repeats": self.repeats, "games": self.games, "seed": self.seed, "workers": self.workers}
        return command("sweep", self.game, learner=self.learner, grid=self.grid, **more)

    @classmethod
    def of(cls, plan: Plan, workers: int | None = None) -> SweepSetup:
        """Return the setup of a plan."""
        from nimtui.learning.parameter import as_typed

        grid = tuple(f"{name}={','.join(map(as_typed, values))}" for name, values in plan.grid.values.items())
        return cls(usual_name(plan.game.name), plan.learner, grid, plan.repeats, plan.games, plan.seed, workers)


PRESETS = (
    Preset(
        "Three constants of quality",
        "margin, win, loss: 36 cells",
        SweepSetup(grid=("margin=50,70,90,100", "win=19,29,39", "loss=5,11,17")),
    ),
    Preset("Margin alone, 50 to 100", "quality on Nim 7,5,3", SweepSetup(grid=("margin=50..100:10",), repeats=20)),
    Preset(
        "Learning rate and exploration",
        "q on Nim 7,5,3: alpha × epsilon",
        SweepSetup(learner="q", grid=("alpha=0.05,0.1,0.3,1", "epsilon=0.05,0.1,0.3,1"), games=100_000),
    ),
    Preset(
        "Memory and aim of proof learning",
        "proof on the tower of 16",
        SweepSetup("tower:16", "proof", ("memory=successors,played", "aim=start,all"), 20, 100_000),
    ),
)


FORMATS = {".csv": "CSV: one line per cell, for a spreadsheet", ".json": "JSON: every cell with each of its seeds"}


def saved_sweeps() -> list[KeptWork]:
    """Return the saved sweeps, newest first."""
    return newest(sweeps.folder(), "*.jsonl", _kept)


def _kept(path: Path) -> KeptWork:
    from nimtui.jobs.sweep import plan_of

    with sweeps.Log(path) as log:
        plan, done = plan_of(log), len(log.entries)
    when = recently(path.stat().st_mtime)
    total = plan.grid.cells * plan.repeats
    title = f"{usual_name(plan.game.name)} · {plan.learner} · {' × '.join(plan.grid.values) or 'one cell'}"
    rest = "finished" if done >= total else f"{total - done:,} of {total:,} left"
    return KeptWork(path, title, f"{rest} · {when}", done >= total)


# Export.


def suggested(plan: Plan) -> dict[str, str]:
    """Return free names in the current folder, each with what is written there."""
    return names(f"sweep-{usual_name(plan.game.name)}-{plan.learner.partition(':')[0]}", FORMATS)


def contents(end: str, plan: Plan, cells: Sequence[Cell]) -> str:
    """Return the text of a file with this extension: for CSV a line per cell, with empty unknown numbers and 'never';
    for JSON the plan, and every cell with each of its seeds.
    """
    from nimtui.learning.sweep_report import sheet, swept

    return text(document(swept(plan, cells)), 2) + "\n" if end == ".json" else csv(sheet(cells))
