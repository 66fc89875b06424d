"""The fields for how a tournament's games are played: the agents' time, and whether their thoughts are saved."""

from __future__ import annotations

from nimtui.agents.agent import USUAL_SECONDS
from nimtui.errors import InputError, shortened
from nimtui.ui.kit.draft import Entry, Offer

OFF, NO_LIMIT = "off", "no limit"
SAVED = "saved"

LIMITS = Entry(
    "limits",
    "Time",
    lambda draft, text: draft.limits.title or NO_LIMIT,
    "in seconds: move=2,game=60; or off. An agent that is late loses the game; a search plays its best move so "
    f"far. Your own agents have {USUAL_SECONDS:g} s per move [default]",
    (
        Offer(OFF, OFF, NO_LIMIT),
        Offer("move=2", "2 s per move", "a late agent loses, a search moves"),
        Offer("game=60", "60 s per game", "for all moves of one agent"),
    ),
    OFF,
)


def parse_thoughts(text: str) -> bool:
    """Return whether the thoughts of the agents are saved. InputError if the text is invalid."""
    said = text.strip().lower()
    if said not in (OFF, SAVED, ""):
        raise InputError(f"thoughts are {SAVED} or {OFF}, not '{shortened(said)}'")
    return said == SAVED


THOUGHTS = Entry(
    "thoughts",
    "Thoughts",
    lambda draft, text: "saved: same games, slower" if parse_thoughts(text) else "not saved",
    "saved: each game keeps what the agents expected of their moves, for its value history; whole games then do not "
    "run in the engine",
    (
        Offer(OFF, OFF, "only the moves: fastest"),
        Offer(SAVED, SAVED, "what the agents expected of their moves, too"),
    ),
    OFF,
)
