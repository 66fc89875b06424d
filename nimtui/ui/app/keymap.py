"""Finds the places with keys, lists every key, and checks a person's keys against all bindings.

Each class with commands names its own place. Only the modules and screens that are needed are imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import NamedTuple

from textual.binding import Binding

from nimtui.store.paths import KEYS
from nimtui.store.settings import KeyLine, read_keys
from nimtui.ui.app.modes import MODES, UI
from nimtui.ui.kit.contract import START, keymap
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


class Key(NamedTuple):
    """One action that has a key."""

    id: str
    place: str
    default: tuple[str, ...]
    does: str
    fixed: bool  # nobody can change its keys

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that it has now."""
        return tuple(keymap.current(self.id, self.default))


def of_place(kind: type[Commanded]) -> list[Key]:
    """Return the actions that the class of a place binds itself."""
    groups: dict[str, list[Binding]] = {}
    for binding in Binding.make_bindings(kind.BINDINGS):
        groups.setdefault(binding.id or "", []).append(binding)
    keys = []
    for id, bindings in groups.items():
        does = next((each.tooltip for each in bindings if each.tooltip), bindings[0].description)
        pressed = tuple(dict.fromkeys(each.key for each in bindings))
        keys.append(Key(id, id.partition(".")[0], pressed, does, bindings[0].system))
    return keys


def every() -> list[Key]:
    """Return all actions, by place. Imports all screens."""
    return [key for kind in places().values() for key in of_place(kind)]


def use_own() -> list[str]:
    """Let the keys of the file hold; return one line for each fault in it. A wrong line is ignored."""
    lines, faults = read_keys()
    chosen, wrong = checked(lines)
    keymap.choose(chosen)
    return [*faults, *(f"{KEYS}: {line}" for line in wrong)]


def checked(lines: Iterable[KeyLine]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the valid lines, id -> keys by Textual's names, and one line for each invalid one."""
    faults: list[str] = []
    chosen: dict[str, tuple[str, ...]] = {}
    keys: dict[str, Key] = {}
    for line in lines:
        name = line.id.partition(".")[0]
        if (kind := place(name)) is not None:
            keys |= {key.id: key for key in of_place(kind)}
        names = [keymap.key_name(key) for key in line.keys]
        if line.id not in keys:
            near = _near(line.id, [id for id in keys if id.partition(".")[0] == name])
            faults.append(f"unknown action '{line.id}'{f' (did you mean {near[0]}?)' if near else ''}: see nimtui keys")
        elif keys[line.id].fixed:
            faults.append(f"{line.id} always has {' and '.join(keys[line.id].default)}")
        elif None in names:
            bad = line.keys[names.index(None)]
            faults.append(f"{line.id}: unknown key '{bad}': expected a key such as f10, ctrl+y, A, ? or space")
        else:
            chosen[line.id] = tuple(dict.fromkeys(filter(None, names)))
    if chosen:
        _leave_out_clashing(chosen, faults)
    return chosen, faults


def _near(id: str, of_its_place: Sequence[str]) -> list[str]:
    """Return the action that was probably meant; none if its place is misspelt beyond recognition."""
    name, _, action = id.partition(".")
    if not of_its_place:
        return [f"{near}.{action}" for near in get_close_matches(name, places(), 1)]
    return get_close_matches(id, of_its_place, 1)


def _leave_out_clashing(chosen: dict[str, tuple[str, ...]], faults: list[str]) -> None:
    """Remove lines, the last first, until no key has two meanings on a screen. What is removed has its defaults."""
    needed = {name for id in chosen for name in together(id.partition(".")[0])}
    keys = {key.id: key for name in sorted(needed) if (kind := place(name)) for key in of_place(kind)}
    while True:
        wrong = next(filter(None, (_clash(keys[id], chosen, keys) for id in reversed(list(chosen)))), None)
        if wrong is None:
            return
        id, fault = wrong
        del chosen[id]
        faults.append(fault)


def _clash(key: Key, chosen: dict[str, tuple[str, ...]], keys: dict[str, Key]) -> tuple[str, str] | None:
    """Return the id of a line whose key another action has on the same screen, and the fault; None if none has."""
    near = together(key.place)
    typed = "".join(getattr(PLACES[name], "STARTS", "") for name in near if key.place in inside(PLACES[name]))
    for pressed in chosen[key.id]:
        if pressed in key.default:
            continue
        if any(pressed == keymap.key_name(sign) for sign in typed):
            return key.id, f"{key.id}: {keymap.shown(pressed)} starts a typed move or place on the screen {key.place}"
        for other in keys.values():
            apart = other.id == key.id or other.place not in near or set(other.default) & set(key.default)
            if not apart and pressed in chosen.get(other.id, other.default):
                return key.id, f"{key.id}: {keymap.shown(pressed)} is already the key of {other.id}"
    return None
