"""The games of the New game form by name: each with its rule in one line, the sizes offered, and its goals."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

from nimtui.errors import InputError
from nimtui.games import parse_game, registry
from nimtui.games.notation import OPTIONS

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


def _family(word: str, label: str, rule: str, sizes: dict[str, str], usual: str = "") -> Family:
    offered = tuple(Size(label, game) for label, game in sizes.items())
    return Family(word, label, rule, offered, usual or next(iter(sizes.values()), ""))


def _rows(word: str, *sizes: str) -> dict[str, str]:
    """Return games of rows: '345' is 'rows 3, 4, 5'."""
    return {f"rows {', '.join(rows)}": f"{word}:{','.join(rows)}" for rows in sizes}


def _boards(word: str, *sizes: tuple[int, int]) -> dict[str, str]:
    """Return games on boards of so many columns and rows: '4 × 5'."""
    return {f"{columns} × {rows}": f"{word}:{columns}x{rows}" for columns, rows in sizes}


TOWERS = {f"{matches} matches": f"tower:{matches}" for matches in (16, 25, 36)}
KAYLES = {"rows 1, 3, 5, 7": "kayles:1,3,5,7", "one row of 13": "kayles:13"}
HEAPS = {
    f"{heap} matches, take 1 to {most}": f"subtraction:{heap},{most}" for heap, most in ((21, 3), (15, 3), (31, 5))
}
CONNECT = {"7 × 6": "connect4", **_boards("connect4", (6, 5), (5, 4), (4, 4))}
LINES = {
    f"{side} × {side}, {line} in a row": f"noughts:{side}x{side}x{line}"
    for side, line in ((3, 3), (4, 3), (4, 4), (5, 4))
}
FAMILIES = (
    _family("tower", "Tower", "take any number from one row", TOWERS),
    _family("nim", "Nim", "take any number from one row", _rows("nim", "753", "345", "35426")),
    _family("adjacent", "Neighbours", "take neighbours from one row", _rows("adjacent", "1357", "345")),
    _family("kayles", "Kayles", "take one or two neighbours", KAYLES),
    _family(
        "subtraction", "Subtraction (21 matches)", "take a few from one heap", HEAPS, usual="subtraction:21,3:misere"
    ),
    _family("connect4", "Connect Four", "four discs in a line win", CONNECT),
    _family("noughts", "Noughts and crosses", "marks in a line win", LINES),
    _family("chomp", "Chomp", "leave the poisoned square", _boards("chomp", (4, 5), (3, 3), (5, 4), (6, 4))),
)


def families() -> tuple[Family, ...]:
    """Return the families of nimtui, and those of the person's own games whose file names an example."""
    return _with_own(registry.families())


@lru_cache(1)
def _with_own(modules: tuple[ModuleType, ...]) -> tuple[Family, ...]:
    listed = {module for family in FAMILIES for module in modules if family.word in module.NAMES}
    return (*FAMILIES, *(own for module in modules if module not in listed and (own := _own(module)).sizes))


def _own(module: ModuleType) -> Family:
    """Return the family of an own game: its sizes are the examples of names in its file."""
    word, rule, sizes = module.NAMES[0], "", {}
    for form in registry.forms_of(module):
        with contextlib.suppress(InputError):
            game = parse_game(example := form.partition("[")[0])
            sizes[example.partition(":")[2] or example] = example
            rule = rule or game.rules.partition(". ")[0]
    return _family(word, word.capitalize(), rule or "a game of your own", sizes)


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
    for family in _with_own(modules):
        for size in family.sizes:
            with contextlib.suppress(InputError):
                places |= {parse_game(goal.game).name: (family, size) for goal in goals(size.game)}
    return places
