"""The levels of Play now: four opponents, each stronger than the one before. A win opens the next level."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.playing.setup import ME, PlaySetup, fresh_seed
from nimtui.store.settings import LEVELS

if TYPE_CHECKING:
    from nimtui.playing.session import Player, Session

# The player who starts loses the classic tower against perfect play, and these levels make few mistakes in it or none.
STARTING = ("hard", "perfect")
CLASSIC = "nim:1,3,5,7"  # the canonical name of tower:16
AGENTS = {"perfect": "perfect:lost=longest"}  # gives no lost game away at once
DONE = "No level is higher."


def play_now(level: str) -> PlaySetup:
    """Return a game of the classic tower against this level, which a person can win."""
    setup = PlaySetup(seats=(ME, AGENTS.get(level, level)), seed=fresh_seed())
    return setup.swapped() if level in STARTING else setup


def level_of(spec: str) -> str:
    """Return the level that this agent's name stands for; '' if it is none."""
    word = spec.partition(":")[0]
    return word if spec in (word, AGENTS.get(word)) and word in LEVELS else ""


def title_of(player: Player) -> str:
    """Return a player's title against a person: 'Easy, level 1 of 4'."""
    level = level_of(player.spec)
    return f"{level.capitalize()}, level {LEVELS.index(level) + 1} of {len(LEVELS)}" if level else player.title


def beaten(session: Session) -> str:
    """Return the level that the person has just beaten at the classic tower from its start; '' if none."""
    winner = session.record.winner
    if winner is None or session.position is not None or session.game.name != CLASSIC:
        return ""
    won = session.players[winner].is_person and not session.players[1 - winner].is_person
    return level_of(session.players[1 - winner].spec) if won else ""


def after(level: str) -> str:
    """Return the level above this one; the highest stays."""
    return LEVELS[min(LEVELS.index(level) + 1, len(LEVELS) - 1)]


def higher(session: Session, level: str) -> str:
    """Return the level of the next Play now, after this game at `level`."""
    won = beaten(session)
    return max(level, after(won), key=LEVELS.index) if won else level


def again(session: Session, setup: PlaySetup) -> PlaySetup:
    """Return the setup of the next game: against the next level after a win, else the given one."""
    won = beaten(session)
    return replace(play_now(after(won)), seed=setup.seed) if won and after(won) != won else setup


def news(session: Session) -> str:
    """Return what a win against a level opens, in a sentence; '' if it opens nothing."""
    won = beaten(session)
    if not won:
        return ""
    if after(won) == won:
        return DONE
    return f"Next level: {after(won).capitalize()}" + (", which moves first." if after(won) in STARTING else ".")
