"""`nimtui keys`: lists the keys of every screen, with those of a person's own file."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

from nimtui.cli import options, output
from nimtui.errors import unknown
from nimtui.report.values import Word
from nimtui.store import paths


@options.examples("""\
nimtui keys
nimtui keys play
nimtui keys --json""")
def keys(
    screen: Annotated[
        str | None,
        options.argument("[SCREEN]", "A screen or widget, for example play, train, list. [default: all of them]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """List the keys of every screen.

    Prints the id of each action, its keys, and what it does. The file keys.toml gives an id other keys; 'nimtui config'
    prints where the file is.
    """
    from nimtui.report.blocks import Block, Facts, Figure, Figures, Gap, Heading, Report
    from nimtui.ui.app import keymap
    from nimtui.ui.app.places import place, places
    from nimtui.ui.kit.contract.keymap import shown

    kind = place(screen) if screen is not None else None
    if screen is not None and kind is None:
        raise unknown("screen", screen, places())
    faults = keymap.use_own()
    bindings = keymap.every() if kind is None else keymap.of_place(kind)
    listed = [
        {
            "id": key.id,
            "screen": key.place,
            "keys": list(map(shown, key.keys)),
            "default": list(map(shown, key.default)),
            "does": key.does,
        }
        for key in bindings
    ]
    blocks: list[Block] = [Facts({"file": str(paths.keys()), "faults": faults, "keys": listed})]
    for of, rows in groupby(bindings, lambda key: key.place):
        figures = [Figure(f"  {key.id}", Word(" ".join(map(shown, key.keys))), note=key.does) for key in rows]
        blocks += [Heading(of), Figures(figures), Gap()]
    output.report(Report(blocks[:-1]), json)
    for fault in faults:
        output.tell(fault)
