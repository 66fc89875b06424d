"""A laboratory in the terminal for how machines learn and search small games.

In a notebook or a script, `import nimtui` offers the functions in `__all__`; docs/api.md shows each. They load when
they are first used: the import itself loads nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.api.agents import agent, match, review, tournament
    from nimtui.api.games import game
    from nimtui.api.solving import search, solve, solve_many
    from nimtui.api.training import load, train
    from nimtui.errors import InputError

__all__ = [
    "InputError",
    "__version__",
    "agent",
    "game",
    "load",
    "match",
    "review",
    "search",
    "solve",
    "solve_many",
    "tournament",
    "train",
]

_HOMES = {
    "InputError": "nimtui.errors",
    "agent": "nimtui.api.agents",
    "game": "nimtui.api.games",
    "load": "nimtui.api.training",
    "match": "nimtui.api.agents",
    "review": "nimtui.api.agents",
    "search": "nimtui.api.solving",
    "solve": "nimtui.api.solving",
    "solve_many": "nimtui.api.solving",
    "tournament": "nimtui.api.agents",
    "train": "nimtui.api.training",
}  # the modules of the names that load when they are used


if not TYPE_CHECKING:  # which would let a type checker accept any name

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'nimtui' has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return found


def __dir__() -> list[str]:
    return __all__
