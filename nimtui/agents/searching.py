"""Minimax and alpha-beta as agents: search to a depth and play the first of the best moves."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from nimtui.agents.agent import Agent, Decision, Deterministic, Loading, StopsItself, Thinking, Thought, moves_of
from nimtui.agents.registry import AgentPreset
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.learning import saved_tables
from nimtui.learning.saved_tables import LearnedValues
from nimtui.progress import SILENT, Aloud, Progress, TimeUp
from nimtui.report.values import Seconds
from nimtui.trees import Result, Search, Settings, search_of
from nimtui.trees.result import MoveResult, claimed_outcome, pace
from nimtui.trees.settings import ALPHA_BETA, BEST_FIRST, FLAT, KILLER, MINIMAX, ORIGINAL, TO_THE_END
from nimtui.trees.settings import FORMS as SEARCH_FORMS
from nimtui.trees.settings import parse as parse_settings

NAMES = (MINIMAX, ALPHA_BETA)
FORMS = (
    (SEARCH_FORMS[0], "searches every line of play to a depth; depth=-1 searches to the end of the game"),
    (SEARCH_FORMS[1], "the same result with fewer nodes; with time=, searches deeper until it is up"),
)
PRESETS = (
    ("Alpha-beta, 4 moves ahead", "alphabeta:depth=4"),
    ("Alpha-beta, 8 moves ahead", "alphabeta:depth=8"),
    ("Alpha-beta, half a second a move", "alphabeta:time=0.5"),
    ("Minimax, 4 moves ahead", "minimax:depth=4"),
)

MOST_CHOICES = 5  # searches by saved functions in a list


def choices(game: Game) -> list[AgentPreset]:
    """Return searches by the newest saved functions of this game."""
    return [
        AgentPreset(f"Alpha-beta, 4 moves ahead, values of {name}", f"alphabeta:depth=4,value={name}")
        for name in list(saved_tables.saved_functions(game))[:MOST_CHOICES]
    ]


WORDS = {
    KILLER: "killer moves first",
    BEST_FIRST: "best first",
    ORIGINAL: "the document's heuristic",
    FLAT: "wins worth the same",
}


@dataclass
class Searching(Loading, StopsItself):
    """Plays the first best move of a search. With a time limit, its moves depend on the machine."""

    game: Game
    settings: Settings
    values: LearnedValues | None = None  # that `settings.value` names

    @property
    def name(self) -> str:
        return self.settings.name

    @property
    def title(self) -> str:
        settings = self.settings
        parts = []
        if settings.depth != TO_THE_END:
            parts.append(f"depth {settings.depth}")
        elif not settings.time:
            parts.append("to the end")
        if settings.time:
            parts.append(f"{Seconds(settings.time)} a move")
        parts += [WORDS[option] for option in (settings.order, settings.heuristic) if option in WORDS]
        if settings.deepening:
            parts.append("deepening")
        if settings.table:
            parts.append("with a table")
        parts += values_title(settings)
        kind = "Minimax" if settings.algorithm == MINIMAX else "Alpha-beta"
        return f"{kind} ({', '.join(parts)})"

    def _load(self, progress: Progress) -> None:
        """Load the engine, compiled for this game."""
        if base.outcome(self.game.start) == base.GOING_ON:
            from nimtui.engine import alpha_beta  # noqa: F401 - loads before a clock runs

            # One ply is enough to compile the search.
            one_ply = replace(self.settings, depth=1, time=0.0, table=min(self.settings.table, 1))
            self.search(self.game.start, one_ply).run(progress)

    def search(self, state: State, settings: Settings) -> Search:
        """Return a search of this position."""
        return search_of(self.game, state, settings, record=False, values=self.values)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        began = perf_counter()
        moves_of(state)
        self.prepare(progress)
        search, started = self.search(state, self.settings), perf_counter()
        with suppress(TimeUp):  # the moves searched so far decide; without any, all moves are equal
            search.run(Aloud(progress, lambda: thinking_of(search.result, perf_counter() - started)))
        result = search.result
        move = result.moves[0].move if result.best_move is None else result.best_move
        thoughts = tuple(thought_of(rating, result) for rating in result.moves)
        depth = 0 if result.depth is None else result.depth
        note = f"Searched {depth} {'ply' if depth == 1 else 'plies'} deep in that time." if self.settings.time else ""
        took = perf_counter() - began
        line = result.principal_variation
        reached = None if result.depth == TO_THE_END else result.depth
        return Decision(move, thoughts, note, took, result.nodes, result.nodes_per_second, line, reached)


class LookingAhead(Searching, Deterministic):
    """A search to a depth, without random choices."""


def thought_of(rating: MoveResult, result: Result) -> Thought:
    """Return the rating of a move: the search's score, and the value −1, 0 or 1 if it is certain."""
    value, largest = certain(rating, result), result.settings.largest
    return Thought(rating.move, value, score=rating.value, bound=rating.bound, largest=largest)


def thinking_of(result: Result, seconds: float) -> Thinking:
    """Return what a search believes between two chunks."""
    return Thinking(
        tuple(thought_of(rating, result) for rating in result.moves if rating.value is not None),
        result.best_move,
        result.principal_variation,
        result.nodes,
        "nodes",
        pace(result.nodes, seconds),
        seconds,
        result.depth,
        result.table_hits if result.settings.table else None,
        result.searching,
        result.iterations if result.settings.deepens else (),
    )


def certain(rating: MoveResult, result: Result) -> float | None:
    """Return the result under perfect play if the search proved it, else None."""
    outcome = claimed_outcome(result.settings, rating, exact=True)
    return None if outcome is None else float(outcome.worth)


def values_title(settings: Settings) -> list[str]:
    """Return the words that name the function of a search, if it has one."""
    return [f"values of {Path(settings.value).stem}"] if settings.value else []


def read_settings(word: str, text: str, game: Game) -> tuple[Settings, LearnedValues | None]:
    """Return the settings in an agent's name, and the function that they name.

    Raises InputError if they are invalid or impossible in this game.
    """
    settings = parse_settings(f"{word}:{text}")
    if settings.seed or "seed" in text.lower():
        raise InputError(f"the agent {word} has no seed: use the --seed of the command")
    values = saved_tables.find_function(settings.value, game) if settings.value else None
    if values is not None:
        settings = replace(settings, value=values.called)
    if base.outcome(game.start) == base.GOING_ON:
        search_of(game, game.start, settings, record=False, values=values)
    return settings, values


def own_time(agent: Agent) -> float:
    """Return the seconds that the agent takes for a move, as its name says; 0 if it has no time limit of its own."""
    return float(getattr(getattr(agent, "settings", agent), "time", 0.0))


def depends_on_the_machine(agent: Agent) -> bool:
    """Return whether the agent has a time limit of its own, so that its moves depend on the machine."""
    return own_time(agent) > 0


def parse(word: str, text: str, game: Game) -> Searching:
    settings, values = read_settings(word, text, game)
    return (Searching if settings.time else LookingAhead)(game, settings, values)
