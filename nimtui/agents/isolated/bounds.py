"""What an own file may read and write in its sandbox."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from nimtui.sandbox.closing import STORE, Bounds, holds_home
from nimtui.store import paths
from nimtui.store.errors import StoreError


def own_bounds(file: str) -> Bounds:
    """Return the bounds of an own file: it writes in its folder, unless that is the home folder, or one above."""
    folder = str(Path(file).absolute().parent)
    return Bounds(
        reads=(file, *(place for place in (folder, str(paths.home())) if not holds_home(place))),
        writes=(*(() if holds_home(folder) else (folder,)), str(paths.kernels())),
    )


def own_kernels() -> dict[str, str]:
    """Return the environment in which own code stores kernels apart: nimtui's own processes never load them."""
    with suppress(StoreError):  # then each sandbox compiles for itself
        paths.ensure(paths.kernels())
    return {STORE: str(paths.kernels())}
