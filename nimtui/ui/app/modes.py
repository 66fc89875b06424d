"""Finds the modes of the app: every room that defines MODE is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, cast

from nimtui.ui.kit.contract import Mode, Preset

if TYPE_CHECKING:
    from textual.screen import Screen


UI = "nimtui.ui"  # the package of the rooms


def found() -> tuple[Mode, ...]:
    """Return all modes in the order of their keys; modes without a key come before the last one, by name."""
    names = sorted(room.name for room in iter_modules(import_module(UI).__path__, f"{UI}.") if room.ispkg)
    modes = [room.MODE for room in map(import_module, names) if hasattr(room, "MODE")]
    keyed = sorted((mode for mode in modes if mode.key), key=lambda mode: (len(mode.key), mode.key))
    return (*keyed[:-1], *(mode for mode in modes if not mode.key), *keyed[-1:])


MODES = found()
HEADER = tuple(mode for mode in MODES if mode.key)


def screen_of(where: str) -> Callable[[], Screen[Any]]:
    """Return a function that imports and makes the screen at 'module:class'."""
    module, name = where.split(":")
    return lambda: cast("Screen[Any]", getattr(import_module(module), name)())


def presets_of(mode: Mode) -> Sequence[Preset[Any]]:
    """Return the presets of a mode, which start by name."""
    return cast("Sequence[Preset[Any]]", import_module(mode.presets).PRESETS) if mode.presets else ()
