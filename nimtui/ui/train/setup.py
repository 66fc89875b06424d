"""The set-up of a training, and the files of trainings: their names, and the list of saved ones."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from nimtui.errors import InputError, invalid, reading, valid, whole_number
from nimtui.foreign.values import recently
from nimtui.learning.goal import Headed, reached
from nimtui.playing.setup import parse_game, parse_seed, usual_name
from nimtui.report.copies import Copy, command
from nimtui.report.values import Count
from nimtui.store import arrays, claims, paths
from nimtui.ui.kit.contract import Preset
from nimtui.ui.kit.forms.kept import KeptWork, free, newest

MOST_GAMES = 2_000_000_000
PERFECT, ENDLESS = "perfect", "endless"
NOBODY = "nobody"  # typed as second learner: none
MOST_COPIES = 10  # tables saved to play against


class Goal(NamedTuple):
    """When a training ends: after this many games in all (None: no limit), or when every position is right."""

    games: int | None = None
    perfect: bool = False

    @property
    def text(self) -> str:
        """The goal as a person types it."""
        if self.perfect:
            return PERFECT
        return ENDLESS if self.games is None else Count(self.games).text


def parse_goal(text: str) -> Goal:
    """Read a goal: '5,000,000', 'perfect' or 'endless'. Raises InputError for anything else."""
    word = text.strip().lower()
    if word in (PERFECT, "until perfect"):
        return Goal(None, True)
    if word in (ENDLESS, ""):
        return Goal()
    if not word[:1].isdigit():
        raise invalid("goal", text, "expected a number of games, perfect or endless")
    return Goal(whole_number(word, "the number of games", 1, MOST_GAMES))


@dataclass(frozen=True, slots=True)
class TrainSetup:
    """One training, or two side by side, as texts. `validate` checks them."""

    game: str = "tower:16"
    learner: str = "reward"
    rival: str = ""  # a second learner on the same game and seed; '': none
    seed: int = 0
    goal: str = "5,000,000"

    def validate(self) -> TrainSetup:
        """Return the set-up in canonical form. Raises InputError with one line if a text is wrong."""
        from nimtui.learning import sample
        from nimtui.learning.graph_table import why_untrainable
        from nimtui.learning.learner import check_games, has_function, is_student, parse_learner, spec, student_file

        game = parse_game(self.game)
        learners = [parse_learner(text) for text in self.learners]
        goal = parse_goal(self.goal)
        if (fault := why_untrainable(game)) is not None:
            if not all(map(has_function, learners)):
                raise InputError(f"{fault}; the learner ntuple needs no table")
            if (reason := sample.why_none(game)) is not None:
                raise InputError(
                    f"{game.name} has no exact sample to show, because {reason}; it is learned without a screen: "
                    f"nimtui train {game.name} --learner {self.learner}"
                )
            if goal.perfect:
                raise InputError(
                    f"{game.name} has too many positions to tell whether every one is played right: "
                    "give a number of games, or endless"
                )
        for learner in learners:
            if is_student(learner):
                student_file().check(learner, game)
            check_games(learner, goal.games or 1)
        names = [spec(learner) for learner in learners]
        seed = parse_seed(str(self.seed))
        return TrainSetup(self.game.strip(), names[0], names[1] if names[1:] else "", seed, goal.text)

    @property
    def command(self) -> Copy:
        """The command that trains the first learner."""
        return self.command_of(0)

    def command_of(self, lane: int) -> Copy:
        """Return the command that trains the learner of this lane; an endless training gets the default goal."""
        goal = valid(lambda: parse_goal(self.goal)) or Goal()
        learner, until = self.learners[min(lane, len(self.learners) - 1)], goal.perfect or None
        return command("train", self.game, learner=learner, games=goal.games, until_perfect=until, seed=self.seed)

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of the learners, one or two."""
        alone = self.rival.strip().lower() in ("", NOBODY)
        return (self.learner,) if alone else (self.learner, self.rival)


PRESETS = (
    Preset("Tower of 16: reward, 5,000,000 games", "the tower of 16: gets stuck", TrainSetup()),
    Preset(
        "Nim 7,5,3: quality, margin 90",
        "the quality learner: 99.9 %",
        TrainSetup("nim:7,5,3", "quality:margin=90", goal="15,000"),
    ),
    Preset(
        "Nim 7,5,3: quality, margin 50",
        "gets stuck at 98.2 ± 1.1 %",
        TrainSetup("nim:7,5,3", "quality:margin=50", goal="15,000"),
    ),
    Preset(
        "Nim 7,5,3: margin 50 and margin 90",
        "why one gets stuck",
        TrainSetup("nim:7,5,3", "quality:margin=50", "quality:margin=90", goal="15,000"),
    ),
    Preset("Tower of 16: reward and proof", "one freezes, one is perfect", TrainSetup(rival="proof", goal="100,000")),
    Preset("Tower of 16: proof, until perfect", "about 1,300 games", TrainSetup(learner="proof", goal=PERFECT)),
    Preset(
        "21 matches, take 1 to 3, misère: quality",
        "one row: easy to follow",
        TrainSetup("subtraction:21,3:misere", "quality", goal="1,000"),
    ),
    Preset("Connect Four, 4 × 4: proof", "134,289 positions", TrainSetup("connect4:4x4", "proof", goal="10,000,000")),
    Preset("Neighbours 1,3,5,7: reward", "rows that split", TrainSetup("adjacent:1,3,5,7")),
    Preset(
        "Connect Four, 7 × 6, from nothing: ntuple",
        "7 × 6; no table holds it",
        TrainSetup("connect4", "ntuple:tuples=70", goal="2,000,000"),
    ),
    Preset(
        "Connect Four, 4 × 4: ntuple",
        "learns positions it never met",
        TrainSetup("connect4:4x4", "ntuple:tuples=70", goal="100,000"),
    ),
    Preset("Nim 1,2,3,4,5,6,7: net", "what it cannot learn", TrainSetup("nim:1,2,3,4,5,6,7", "net", goal="200,000")),
    Preset("Tower of 49: ntuple", "645,119 positions: at chance", TrainSetup("tower:49", "ntuple", goal="200,000")),
)


def new_path(learner: str, taken: Sequence[Path | None] = ()) -> Path:
    """Return a file for a run that starts now, none of `taken`. Raises StoreError if the folder cannot be made.

    Its name has the number of this process: another app may start a run in the same second.
    """
    stamp, word = datetime.now().strftime("%Y-%m-%d-%H%M%S"), learner.partition(":")[0]
    return free(paths.ensure(paths.runs()) / f"{stamp}-{word}-{os.getpid()}", ".npz", taken)


def further_path(path: Path | None, learner: str, taken: Sequence[Path | None] = ()) -> Path:
    """Return a file for a run that trains past its goal, named after the old file. Raises StoreError as `new_path`."""
    if path is None:
        return new_path(learner, taken)
    return free(path.with_name(f"{path.stem.partition('-further')[0]}-further"), ".npz", taken)


def kept_runs() -> list[KeptWork]:
    """Return the saved trainings, newest first."""
    return newest(paths.runs(), "*.npz", _kept)


def _kept(path: Path) -> KeptWork:
    from nimtui.learning.run import Run

    Run.load(path)  # the whole file, which may be damaged
    return _headed(path)


def cut_run() -> KeptWork | None:
    """Return the newest training that lacks games and that no process trains, or None if there is none.

    Reads the headers of the files alone: the start screen loads no table, and no NumPy.
    """
    runs = newest(paths.runs(), "*.npz", _headed)
    return next((run for run in runs if not run.finished and not claims.is_claimed(run.path)), None)


def _headed(path: Path) -> KeptWork:
    header = arrays.head(path)
    with reading(path.name, "a training"):
        run, goal = header["run"], header["run"]["more"].get("goal") or {}
        training, last = Headed(header["games"], run["more"], run["curve"]), goal.get("games")
        done = reached(training, last, bool(goal.get("perfect")))
        wanted = "" if done or last is None else f" of {last:,}"
        many = "game" if training.games == 1 and not wanted else "games"
        title = f"{header['learner']} · {usual_name(header['game'])} · {training.games:,}{wanted} {many}"
        return KeptWork(path, title, recently(path.stat().st_mtime), done)


def copy_path(learner: str, games: int) -> Path:
    """Return the file for a copy of a table to play against, named after its learner: 'quality-margin-50-5000.npz'.

    Deletes the oldest of too many copies.
    """
    folder = paths.ensure(paths.home() / "copies")
    copies = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for old in copies[: -MOST_COPIES + 1]:
        old.unlink(missing_ok=True)
    return folder / f"{re.sub(r'[^A-Za-z0-9.]+', '-', learner)[-60:]}-{games}.npz"
