"""Finds the games, every module of this package with NAMES, and what lists offer of them.

A family's module defines the names of its games: `NAMES`, `FORMS` (examples of names, for error messages),
`parse(word, fields)` and `name(state)`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from nimtui.errors import InputError, reading, shortened
from nimtui.games import base
from nimtui.games.game import Game, is_board
from nimtui.games.offer import Offer
from nimtui.process import plugins
from nimtui.process.plugins import RAISED, Chosen, fault_text, one_line

# What people and the screens call games whose names differ: an error suggests the name.
SPOKEN = {
    "neighbours": "adjacent",
    "neighbors": "adjacent",
    "tic-tac-toe": "noughts",
    "connect-four": "connect4",
    "four-in-a-row": "connect4",
}

_added: list[ModuleType] = []


@cache
def _modules() -> tuple[ModuleType, ...]:
    names = sorted(info.name for info in pkgutil.iter_modules(sys.modules[__package__].__path__))
    return tuple(importlib.import_module(f"nimtui.games.{name}") for name in names)


@cache
def _own() -> tuple[ModuleType, ...]:
    return tuple(module for module in _modules() if hasattr(module, "NAMES"))


def _variant(of: ModuleType | None, fields: Sequence[str]) -> ModuleType | None:
    """Return the module of the games of this family whose names end with its SUFFIX, else the family's own."""
    last = fields[-1].strip().lower() if fields else ""
    return next((one for one in _modules() if getattr(one, "OF", one) is of and last == getattr(one, "SUFFIX", "")), of)


def families() -> tuple[ModuleType, ...]:
    """Return the rules modules of all games, the package's own first."""
    return (*_own(), *_added)


def state_class(module: ModuleType) -> type:
    """Return the NamedTuple with the field `board` of a rules module. Raises InputError unless it has exactly one."""
    classes = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, tuple)
        and kind.__module__ == module.__name__
        and getattr(kind, "_fields", ("",))[0] == "board"
    ]
    if len(classes) != 1:
        raise InputError(f"{module.__name__} must define one NamedTuple whose first field is 'board'")
    return classes[0]


def add(module: ModuleType) -> None:
    """Add a rules module from outside the package. Raises InputError if it lacks a rule or a name is taken.

    Numba distinguishes NamedTuples only by name and fields, so each class needs its own name.
    """
    if module in families():
        return
    where = _where(module)
    lacking = [word for word in (*base.REQUIRED, "NAMES", "parse", "name") if not hasattr(module, word)]
    if lacking:
        raise InputError(f"the game {where} lacks: {', '.join(lacking)}")
    if hasattr(module, "payoff") != hasattr(module, "largest_payoff"):
        raise InputError(f"the game {where}: payoff and largest_payoff belong together")
    if not module.NAMES or not plugins.are(module.NAMES, plugins.is_word):
        raise InputError(f"the game {where}: NAMES must be lowercase words, for example ('euclid',)")
    if not plugins.are(getattr(module, "FORMS", ()), plugins.is_text):
        raise InputError(f"the game {where}: FORMS must be names of games, for example ('euclid:3,5',)")
    _check_offers(module, where)
    if not isinstance(getattr(module, "IMPARTIAL", False), bool):
        raise InputError(f"the game {where}: IMPARTIAL must be True or False")
    kind = state_class(module)
    for other in families():
        if state_class(other).__name__ == kind.__name__:
            raise InputError(f"the game {where}: the class name {kind.__name__} is taken by {other.__name__}")
        if taken := set(other.NAMES) & set(module.NAMES):
            raise InputError(f"the game {where}: the name '{min(taken)}' is taken by {other.__name__}")
    _added.append(module)


def _check_offers(module: ModuleType, where: str) -> None:
    """Raise InputError unless every offer is one, with a size, and names games that `parse` reads."""
    offers = vars(module).get("OFFERS", ())
    for offer in offers if isinstance(offers, tuple | list) else [offers]:
        if not isinstance(offer, Offer) or not offer.sizes:
            raise InputError(f"the game {where}: OFFERS must hold values of nimtui.games.offer.Offer, each with a size")
        for name in filter(None, (*offer.sizes.values(), *offer.presets, offer.usual)):
            word, *fields = name.split(":")
            try:
                module.parse(word, fields)
            except RAISED as fault:
                raise InputError(
                    f"the game {where}: OFFERS has {name}, which parse refuses: {one_line(fault)}"
                ) from None


def add_folder(folder: Path, chosen: Mapping[Path, Chosen] | None = None) -> list[str]:
    """Add every game file (*.py) of a folder, or the `chosen` ones. Returns a line for each unusable file."""
    return plugins.add_folder(folder, "game", add, chosen)


def parse_game(text: str) -> Game:
    """Return the game of this name, e.g. 'nim:1,3,5,7'. Raises InputError with what is wrong and what is allowed."""
    word, *fields = text.strip().split(":")
    words = {word: module for module in families() for word in module.NAMES}
    module = _variant(words.get(word.strip().lower()), fields)
    if module is None:
        raise plugins.unknown("game", word, words, SPOKEN)
    try:
        with reading(text, " or ".join(forms_of(module))):
            start: base.State = module.parse(word.strip().lower(), fields)
    except InputError:
        raise
    except RAISED as fault:
        raise InputError(f"the game file {_where(module)}: parse raises {fault_text(fault)}") from fault
    if module.__name__.startswith("nimtui."):  # a name may mean a game of another module: nim:21:take=1,3,4
        module = sys.modules[type(start).__module__]
    if not isinstance(start, state_class(module)) or not is_board(start.board):
        wanted = f"{state_class(module).__name__} for '{shortened(text)}'"
        raise InputError(f"the game file {_where(module)}: parse gives no {wanted}")
    return Game(module, start)


def _where(module: ModuleType) -> str:
    return getattr(module, "__file__", None) or module.__name__


def forms_of(module: ModuleType) -> Sequence[str]:
    """Return examples of names of one rules module's games."""
    forms: Sequence[str] = vars(module).get("FORMS") or module.NAMES
    return forms


def forms() -> list[str]:
    """Return examples of names of all games, for help texts."""
    return [form for module in families() for form in forms_of(module)]


class Preset(NamedTuple):
    title: str
    game: str


def offers() -> tuple[Offer, ...]:
    """Return what lists offer, in their order. A game without `OFFERS` is offered by the examples in its `FORMS`."""
    every = [offer for module in families() for offer in vars(module).get("OFFERS", ())]
    return tuple(sorted(every, key=lambda offer: offer.rank))


def presets() -> tuple[Preset, ...]:
    """Return the games of short lists by their titles: what they are called, without the goal but for misère."""
    return _presets(tuple(game for offer in offers() for game in offer.presets))


@cache
def _presets(names: tuple[str, ...]) -> tuple[Preset, ...]:
    return tuple(Preset(parse_game(name).called, name) for name in names)
