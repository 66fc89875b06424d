"""Trained opponents: any learner by its name."""

from __future__ import annotations

from nimtui.agents.learned import TableAgent
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.learning import opponents, table_policy
from nimtui.learning.learner import learners
from nimtui.learning.opponents import Opponent, parse_opponent
from nimtui.learning.table import Table
from nimtui.progress import Progress


def names() -> tuple[str, ...]:
    """Return the names of all learners, added ones included."""
    return tuple(learners())


def forms() -> tuple[tuple[str, str], ...]:
    """Return the forms of the names, with descriptions."""
    return tuple(
        (f"{word}[:games=1000000,seed=0,…]", f"the {word} learner after this many games of self-play")
        for word in learners()
    )


PRESETS = (("Self-taught by 5,000,000 games", "reward:games=5000000,seed=0"),)


class TrainedAgent(TableAgent):
    """A learner after its training, which runs when first needed. Long trainings are saved."""

    def __init__(self, game: Game, opponent: Opponent) -> None:
        """Raise InputError for a game without a table of this learner."""
        if (fault := opponent.why_not(game)) is not None:
            raise InputError(f"{opponent.name} cannot play: {fault}; try mc")
        super().__init__(game)
        self.opponent = opponent
        self.name = opponent.name
        self.title = _title(opponent)
        self.memoryless = table_policy.plays_best_scored(opponent.learner)

    @property
    def ready(self) -> bool:
        """Return whether the table exists, or takes only a moment to train or read."""
        return super().ready or opponents.is_ready(self.game, self.opponent)

    def _make(self, progress: Progress) -> Table:
        return opponents.trained(self.game, self.opponent, progress, self.faults)


def _title(opponent: Opponent) -> str:
    learner, _, parameters = opponent.name.partition(":")
    if opponent.level:
        return f"{opponent.level.capitalize()} ({plural(opponent.games, 'game', 'games')})"
    others = [part for part in parameters.split(",") if not part.startswith(("games=", "seed=0"))]
    settings = ", ".join((f"{plural(opponent.games, 'game', 'games')}", *(part.replace("=", " ") for part in others)))
    return f"{learner.capitalize()} learner ({settings})"


def parse(word: str, text: str, game: Game) -> TrainedAgent:
    return TrainedAgent(game, parse_opponent(f"{word}:{text}" if text else word))
