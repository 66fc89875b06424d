"""Minimax and alpha-beta: look at the moves, the answers to them, and so on, and play the first of the best."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

from nimtui.agents.agent import Agent, Decision, Deterministic, StopsItself, Thought, moves_of
from nimtui.engine.rng import Stream
from nimtui.engine.windows import DECIDED
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress, TimeUp
from nimtui.search import Result, Search, Settings
from nimtui.search.result import MoveResult
from nimtui.search.settings import ALPHA_BETA, BEST_FIRST, DEFAULT, FLAT, KILLER, MINIMAX, ORIGINAL, TO_THE_END
from nimtui.search.settings import FORMS as SEARCH_FORMS
from nimtui.search.settings import parse as parse_settings

NAMES = (MINIMAX, ALPHA_BETA)
FORMS = (
    (SEARCH_FORMS[0], "looks so many moves ahead, at all of them; depth=-1 to the end of the game"),
    (
        SEARCH_FORMS[1],
        "the same, without the moves that cannot matter; with a time deeper until that is up",
    ),
)
PRESETS = (
    ("Alpha-beta, 4 moves ahead", "alphabeta:depth=4"),
    ("Alpha-beta, 8 moves ahead", "alphabeta:depth=8"),
    ("Alpha-beta, half a second a move", "alphabeta:time=0.5"),
    ("Minimax, 4 moves ahead", "minimax:depth=4"),
)

WORDS = {
    KILLER: "killer moves first",
    BEST_FIRST: "best first",
    ORIGINAL: "the original's heuristic",
    FLAT: "wins worth the same",
}


@dataclass
class Searching(StopsItself):
    """The first best move of a search."""

    game: Game
    settings: Settings
    _loaded: bool = field(default=False, repr=False)

    @property
    def name(self) -> str:
        return self.settings.name

    @property
    def title(self) -> str:
        settings = self.settings
        told = ["to the end" if settings.depth == TO_THE_END else f"depth {settings.depth}"]
        if settings.time:
            told = [*([] if settings.depth == TO_THE_END else told), f"{settings.time:g} s a move"]
        told += [WORDS[option] for option in (settings.order, settings.heuristic) if option in WORDS]
        if settings.deepening:
            told.append("deepening")
        if settings.table:
            told.append("with a table")
        kind = "Minimax" if settings.algorithm == MINIMAX else "Alpha-beta"
        return f"{kind} ({', '.join(told)})"

    @property
    def ready(self) -> bool:
        return self._loaded

    def prepare(self, progress: Progress = SILENT) -> None:
        """Load the engine, compiled for this game."""
        if self._loaded:
            return
        if base.outcome(self.game.start) == base.GOING_ON:
            from nimtui.engine import alpha_beta  # noqa: F401 - loaded before a clock runs

            Search(self.game, self.game.start, one_ply(self.settings), record=False).run(progress)
        self._loaded = True

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves_of(state)
        self.prepare(progress)
        search = Search(self.game, state, self.settings, record=False)
        with suppress(TimeUp):  # then with the moves it had time for; with none all moves are alike
            search.run(progress)
        result = search.result
        move = result.moves[0].move if result.best_move is None else result.best_move
        thoughts = tuple(thought_of(found, result) for found in result.moves)
        depth = 0 if result.depth is None else result.depth
        note = f"Searched {depth} move{'s' * (depth != 1)} deep in that time." if self.settings.time else ""
        return Decision(move, thoughts, note, perf_counter() - began)


class LookingAhead(Searching, Deterministic):
    """A search to a depth: nothing is left to chance."""


class InTime(Searching):
    """A search as deep as its time allows: what it plays depends on the machine."""


def one_ply(settings: Settings) -> Settings:
    """The same search one move deep: enough to have it compiled."""
    from dataclasses import replace

    return replace(settings, depth=1, time=0.0, table=min(settings.table, 1))


def thought_of(found: MoveResult, result: Result) -> Thought:
    """What a move is worth: −1, 0, 1 where that is certain; its score, the search's own number, in any case."""
    return Thought(found.move, certain(found, result), score=found.value, bound=found.bound)


def certain(found: MoveResult, result: Result) -> float | None:
    """The result under perfect play, where the search knows it."""
    if found.value is None or result.settings.heuristic != DEFAULT:
        return None
    if found.value > DECIDED and found.bound != "upper":
        return 1.0
    if found.value < -DECIDED and found.bound != "lower":
        return -1.0
    to_the_end = result.settings.depth == TO_THE_END and not result.settings.time
    return 0.0 if found.value == 0 and to_the_end and found.bound in (None, "exact") else None


def read_settings(word: str, text: str, game: Game) -> Settings:
    """The settings of a searching agent's name. InputError where they are wrong, or cannot be in this game."""
    settings = parse_settings(f"{word}:{text}")
    if settings.seed or "seed" in text.lower():
        raise InputError(f"{word} as an agent has no seed of its own: a match and every command have one")
    if base.outcome(game.start) == base.GOING_ON:
        Search(game, game.start, settings, record=False)
    return settings


def depends_on_the_machine(agent: Agent) -> bool:
    """Does this agent play as its time allows, so that another machine plays other moves?"""
    return bool(getattr(getattr(agent, "settings", None), "time", 0.0))


def parse(word: str, text: str, game: Game) -> Searching:
    settings = read_settings(word, text, game)
    return InTime(game, settings) if settings.time else LookingAhead(game, settings)
