"""Opponents that taught themselves by so many games: easy, medium, hard, and any learner by its name."""

from __future__ import annotations

from nimtui.agents.learned import TableAgent
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.learning import opponents, table_policy
from nimtui.learning.learner import learners
from nimtui.learning.opponents import LEVELS, Opponent, parse_opponent
from nimtui.learning.table import Table
from nimtui.progress import Progress


def names() -> tuple[str, ...]:
    """The levels and all learners, those that were added too."""
    return tuple(opponents.opponent_words())


def forms() -> tuple[tuple[str, str], ...]:
    """How they are named."""
    return (
        *((word, f"the reward learner after {games:,} games") for word, games in LEVELS.items()),
        *(
            (f"{word}[:games=1000000,seed=0,…]", f"the {word} learner after so many games against itself")
            for word in learners()
        ),
    )


PRESETS = (
    *((f"{word.capitalize()} ({games:,} games)", word) for word, games in LEVELS.items()),
    ("Self-taught by 5,000,000 games", "reward:games=5000000,seed=0"),
)


class TrainedAgent(TableAgent):
    """A learner after its training, which is done when first needed, and kept where it was long."""

    def __init__(self, game: Game, opponent: Opponent) -> None:
        """InputError for a game that the learner can have no table for."""
        if (fault := opponent.why_not(game)) is not None:
            raise InputError(f"{opponent.name} cannot play: {fault}; try mc")
        super().__init__(game)
        self.opponent = opponent
        self.name = opponent.name
        self.title = _title(opponent)
        self.memoryless = table_policy.plays_best_scored(opponent.learner)

    @property
    def ready(self) -> bool:
        """Trained, or to be trained or read in a moment."""
        return super().ready or opponents.is_ready(self.game, self.opponent)

    def _make(self, progress: Progress) -> Table:
        return opponents.trained(self.game, self.opponent, progress, self.faults)


def _title(opponent: Opponent) -> str:
    learner, _, parameters = opponent.name.partition(":")
    if opponent.level:
        return f"{opponent.level.capitalize()} ({opponent.games:,} games)"
    others = [part for part in parameters.split(",") if not part.startswith(("games=", "seed=0"))]
    told = ", ".join((f"{opponent.games:,} games", *(part.replace("=", " ") for part in others)))
    return f"{learner.capitalize()} learner ({told})"


def parse(word: str, text: str, game: Game) -> TrainedAgent:
    return TrainedAgent(game, parse_opponent(f"{word}:{text}" if text else word))
