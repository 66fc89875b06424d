"""The levels easy, medium and hard: in every game agents of rising strength, each by its recipe.

A recipe is the name of the agent that plays. In impartial games with a table it is the reward learner after some games
of self-play. It learns little where games are drawn, and nothing without a table: there it is a tree search.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from nimtui.agents import learned, mcts
from nimtui.agents.agent import Agent
from nimtui.engine import limits
from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.learning.graph_table import why_untrainable
from nimtui.learning.opponents import LEVELS, SEED
from nimtui.trees.mcts import most_simulations

SIMULATIONS = {"easy": 10, "medium": 100, "hard": 100_000}  # at most: the tree must fit into the memory

NAMES = tuple(LEVELS)
FORMS = tuple(
    (level, f"the reward learner after {games:,} games; a tree search where that learns little")
    for level, games in LEVELS.items()
)
PRESETS = tuple((level.capitalize(), level) for level in LEVELS)


def recipe(level: str, game: Game) -> str:
    """Return the name of the agent that plays at this level."""
    if game.impartial and why_untrainable(game) is None:
        return _learned(level)
    proven = level == "hard" and not game.pays
    most = most_simulations(game.start, proven, limits.MOST_BYTES, game.pays)
    simulations = min(SIMULATIONS[level], most)
    return f"mcts:simulations={simulations},c=1.0" + ",proven=yes" * proven


def _learned(level: str) -> str:
    return f"reward:games={LEVELS[level]},seed={SEED}"


def recipes(games: tuple[str, ...], agents: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return the recipe of each level among the agents, in each of the games."""
    return {level: {game: recipe(level, parse_game(game)) for game in games} for level in agents if level in LEVELS}


def former_agents(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the levels of a saved tournament that are other agents now, each with the name of the agent that played.

    Version 0.2.0 and older ones saved no recipes: theirs are those of the reward learner.
    """
    games, saved = document.get("games") or (), document.get("recipes") or {}
    former = {}
    for level in LEVELS:
        for game in games:
            played = saved.get(level, {}).get(game, _learned(level))
            now = ""
            with suppress(InputError):  # an own game that is not here
                now = recipe(level, parse_game(game))
            if played != now:
                former[level] = played
    return former


def parse(word: str, text: str, game: Game) -> Agent:
    if text:
        raise InputError(f"{word} takes no parameters; here it is {recipe(word, game)}")
    kind, _, settings = recipe(word, game).partition(":")
    return mcts.parse(kind, settings, game, word) if kind in mcts.NAMES else learned.parse(word, "", game)
