"""The set-up of a training: game, learners, seed and goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nimtui.errors import InputError, invalid, whole_number
from nimtui.ui.kit.entries import parse_game, parse_seed
from nimtui.ui.kit.mode import Preset

MOST_GAMES = 2_000_000_000
PERFECT, ENDLESS = "perfect", "endless"
NOBODY = "nobody"  # typed as second learner: none


class Goal(NamedTuple):
    """When a training ends: after this many games in all (None: no limit), or when every position is right."""

    games: int | None = None
    perfect: bool = False


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
        from nimtui.learning.graph_table import why_untrainable
        from nimtui.learning.learner import check_games, parse_learner, spec

        game = parse_game(self.game)
        if (fault := why_untrainable(game)) is not None:
            raise InputError(fault)
        goal = parse_goal(self.goal)
        learners = [parse_learner(text) for text in self.learners]
        for learner in learners:
            check_games(learner, goal.games or 1)
        names = [spec(learner) for learner in learners]
        seed = parse_seed(str(self.seed))
        return TrainSetup(self.game.strip(), names[0], names[1] if names[1:] else "", seed, told(goal))

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of the learners, one or two."""
        alone = self.rival.strip().lower() in ("", NOBODY)
        return (self.learner,) if alone else (self.learner, self.rival)


def told(goal: Goal) -> str:
    """Return a goal as a person types it."""
    if goal.perfect:
        return PERFECT
    return ENDLESS if goal.games is None else f"{goal.games:,}"


PRESETS = (
    Preset(
        "Tower of 16: reward, 5,000,000 games",
        "the tower of 16: gets stuck",
        TrainSetup("tower:16", "reward", "", 0, "5,000,000"),
    ),
    Preset(
        "7, 5, 3: quality, margin 90",
        "the quality learner: 99.9 %",
        TrainSetup("nim:7,5,3", "quality:margin=90", "", 0, "15,000"),
    ),
    Preset(
        "7, 5, 3: quality, margin 50",
        "gets stuck at 98.2 ± 1.1 %",
        TrainSetup("nim:7,5,3", "quality:margin=50", "", 0, "15,000"),
    ),
    Preset(
        "7, 5, 3: margin 50 and margin 90",
        "why one gets stuck",
        TrainSetup("nim:7,5,3", "quality:margin=50", "quality:margin=90", 0, "15,000"),
    ),
    Preset(
        "Tower of 16: reward and proof",
        "one freezes, one is perfect",
        TrainSetup("tower:16", "reward", "proof", 0, "100,000"),
    ),
    Preset(
        "Tower of 16: proof, until perfect",
        "about 1,300 games",
        TrainSetup("tower:16", "proof", "", 0, PERFECT),
    ),
    Preset(
        "21 matches, take 1 to 3, misère: quality",
        "one row: easy to follow",
        TrainSetup("subtraction:21,3:misere", "quality", "", 0, "1,000"),
    ),
    Preset(
        "Connect Four, 4 × 4: proof",
        "134,289 positions",
        TrainSetup("connect4:4x4", "proof", "", 0, "10,000,000"),
    ),
    Preset(
        "Tower of 16, neighbours only: reward",
        "rows that split",
        TrainSetup("adjacent:1,3,5,7", "reward", "", 0, "5,000,000"),
    ),
)
