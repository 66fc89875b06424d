"""What is found out about a tournament's games and agents while one types, each thing once."""

from __future__ import annotations

from functools import lru_cache

from nimtui.arena.openings import parse_openings
from nimtui.errors import InputError
from nimtui.ui.kit.entries import parse_game


def known(agent: str, game: str) -> tuple[str, str]:
    """An agent's canonical name and its title. InputError where it is none or cannot play this game."""
    found = _known(agent, game)
    if isinstance(found, str):
        raise InputError(found)
    return found


@lru_cache(2048)
def _known(agent: str, game: str) -> tuple[str, str] | str:
    """They, or what is wrong."""
    from nimtui.agents import parse_agent

    try:
        found = parse_agent(agent, parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return found.name, found.title


@lru_cache(64)
def unsolvable(game: str) -> str:
    """Why nobody can tell what is won in this game, '' where that can be told."""
    from nimtui import theory

    found = parse_game(game)
    fault = theory.why_unsolvable(found, found.start)
    return f"balanced openings need the truth about {game}: {fault}" if fault is not None else ""


def look(question: tuple[str, str]) -> str:
    """Are there such openings in this game? What is wrong, or ''. May take seconds."""
    game, openings = question
    try:
        parse_openings(openings).check(parse_game(game))
    except InputError as wrong:
        return str(wrong)
    return ""
