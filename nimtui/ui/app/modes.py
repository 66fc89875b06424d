"""The modes of the app, found in their rooms: every one that has a file `mode` with its MODE is one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nimtui.ui.kit.mode import Mode

if TYPE_CHECKING:
    from textual.screen import Screen

ROOMS = Path(__file__).parents[1]


def found() -> tuple[Mode, ...]:
    """All modes in the order of their keys; those without one before the last of these, by their names."""
    names = sorted(path.parent.name for path in ROOMS.glob("*/mode.py"))
    modules = [import_module(f"nimtui.ui.{name}.mode") for name in names]
    modes = [module.MODE for module in modules if hasattr(module, "MODE")]
    keyed = sorted((mode for mode in modes if mode.key), key=lambda mode: mode.key)
    return (*keyed[:-1], *(mode for mode in modes if not mode.key), *keyed[-1:])


MODES = found()
HEADER = tuple(mode for mode in MODES if mode.key)


def screen_of(place: str) -> Callable[[], Screen[Any]]:
    """Makes the screen found at 'module:class', importing it only then."""

    def make() -> Screen[Any]:
        module, name = place.split(":")
        return cast("Callable[[], Screen[Any]]", getattr(import_module(module), name))()

    return make
