"""Finds the places with keys: each class with commands names its own. Imports only the modules that are needed."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from nimtui.ui.app.modes import MODES, UI
from nimtui.ui.kit.contract import START
from nimtui.ui.kit.contract.command import PLACES, Commanded
from nimtui.ui.kit.terminal.textual_parts import inherits_bindings

EVERYWHERE = "everywhere"  # the place of the app


def place(name: str) -> type[Commanded] | None:
    """Return the class of a place, or None. Imports the app, the screen of the mode with this name, or all rooms."""
    modules = {EVERYWHERE: f"{UI}.app.app", **{mode.name: mode.screen.partition(":")[0] for mode in MODES}}
    if name in modules:
        import_module(modules[name])
    return PLACES.get(name) or places().get(name)


@cache
def places() -> dict[str, type[Commanded]]:
    """Return all places, the screens first. Imports all rooms."""
    for module in walk_packages(import_module(UI).__path__, f"{UI}."):
        with suppress(ImportError):  # of a module for another system, such as a driver
            import_module(module.name)
    first = (EVERYWHERE, START, *(mode.name for mode in MODES))
    return {name: PLACES[name] for name in (*first, *sorted(PLACES.keys() - set(first)))}


def together(name: str) -> set[str]:
    """Return the places whose keys may work at the same time as those of this place."""
    if name == EVERYWHERE:
        return set(places())
    names = {EVERYWHERE, *inside(PLACES[name])}
    if all(name != mode.name for mode in MODES):  # the screen of a mode is in no other place
        names |= {other for other, kind in places().items() if name in inside(kind)}
    return names


def inside(kind: type) -> set[str]:
    """Return the places of a class, of its widgets, and of the classes whose keys they inherit."""
    names: set[str] = set()
    inherits = True
    for base in kind.__mro__:
        if inherits:
            names.add(vars(base).get("PLACE", ""))
        inherits = inherits and inherits_bindings(base)
        names = names.union(*map(inside, vars(base).get("BESIDE", ())))
    return names - {""}
