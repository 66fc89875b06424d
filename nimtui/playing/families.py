"""The games of the New game form by name: each with its rule in one line, the sizes offered, and its goals."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

from nimtui.errors import InputError
from nimtui.games import parse_game, registry
from nimtui.games.notation import OPTIONS
from nimtui.games.offer import Offer

MISERE = ":misere"
OTHER = "other"  # the label of a size or a machine that the form does not list


class Size(NamedTuple):
    label: str
    game: str  # its name in normal play


class Goal(NamedTuple):
    label: str  # 'the last match wins'
    game: str
    misere: bool


class Family(NamedTuple):
    """Games that differ only in their size and goal. `usual`: the game chosen with the family."""

    word: str
    label: str
    rule: str
    sizes: tuple[Size, ...]
    usual: str


def families() -> tuple[Family, ...]:
    """Return the families that games offer, then the games without `OFFERS` whose file names an example."""
    return _families(registry.families())


@lru_cache(1)
def _families(modules: tuple[ModuleType, ...]) -> tuple[Family, ...]:
    unlisted = [_own(module) for module in modules if "OFFERS" not in vars(module)]
    return (*map(_family, registry.offers()), *(own for own in unlisted if own.sizes))


def _family(offer: Offer) -> Family:
    sizes = tuple(Size(label, game) for label, game in offer.sizes.items())
    return Family(offer.word, offer.label, offer.rule, sizes, offer.usual or sizes[0].game)


def _own(module: ModuleType) -> Family:
    """Return the family of an own game: its sizes are the examples of names in its file."""
    word, rule, sizes = module.NAMES[0], "", []
    for form in registry.forms_of(module):
        with contextlib.suppress(InputError):
            game = parse_game(example := form.partition("[")[0])
            sizes.append(Size(example.partition(":")[2] or example, example))
            rule = rule or game.rules.partition(". ")[0]
    return Family(word, word.capitalize(), rule or "a game of your own", tuple(sizes), sizes[0].game if sizes else "")


def goals(game: str) -> list[Goal]:
    """Return the goals that a valid game can have, normal play first; one, if its rules know no misère play."""
    plain = ":".join(field for field in game.strip().split(":") if field.strip().lower() not in OPTIONS)
    by_name: dict[str, Goal] = {}
    for name in (plain, plain + MISERE):
        with contextlib.suppress(InputError):
            rules = parse_game(name)
            label = rules.title.rpartition(" · ")[2] if " · " in rules.title else "as its rules say"
            by_name.setdefault(rules.name, Goal(label, name, name != plain))
    return list(by_name.values())


def goal_of(game: str) -> Goal:
    """Return the goal of a valid game."""
    name = parse_game(game).name
    return next(goal for goal in goals(game) if parse_game(goal.game).name == name)


def sized(game: str, size: str) -> str:
    """Return the game of this name in normal play with the goal of another game, if it can have that goal."""
    return next((goal.game for goal in goals(size) if goal.misere == goal_of(game).misere), size)


def place(game: str) -> tuple[Family, Size | None]:
    """Return the family of a valid game, and its size if the form lists it."""
    if (listed := _named(registry.families()).get(parse_game(game).name)) is not None:
        return listed
    word = game.strip().partition(":")[0].strip().lower()
    module = parse_game(game).module
    of_module = [family for family in families() if family.word in module.NAMES] or [_own(module)]
    return next((family for family in of_module if family.word == word), of_module[0]), None


@lru_cache(1)
def _named(modules: tuple[ModuleType, ...]) -> dict[str, tuple[Family, Size]]:
    """Return the family and the size of every listed game by its canonical name."""
    places: dict[str, tuple[Family, Size]] = {}
    for family in _families(modules):
        for size in family.sizes:
            with contextlib.suppress(InputError):
                places |= {parse_game(goal.game).name: (family, size) for goal in goals(size.game)}
    return places
