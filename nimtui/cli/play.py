"""`nimtui play`, and `nimtui` without a command: opens the app; `nimtui tour` opens it on the tour."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from nimtui.cli import completion, options, output
from nimtui.cli.names import own_files, read_game
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.playing.setup import PlaySetup

PLAY = "play"  # the name of the mode
USUAL_GAME = "tower:16"


@options.examples("""\
nimtui play tower:16
nimtui play connect4 --first mc:playouts=2000 --second me
nimtui play nim:7,5,3 -p 7,0,3 --second perfect
nimtui play adjacent:1,3,5,7 --first random --second mc     watch agents
nimtui play nim:3,4,5 --plain                               line by line""")
def play(
    game: Annotated[
        str | None,
        options.argument(
            "GAME",
            "A game, e.g. tower:16, nim:7,5,3:misere, kayles:1,3,5,7, connect4."
            " Without arguments, the app lets you choose.",
            complete=completion.games,
        ),
    ] = None,
    position: options.Position = None,
    first: Annotated[
        str | None, options.option("", "SPEC", "First player: me or an agent. [default: me]", complete=completion.seats)
    ] = None,
    second: Annotated[
        str | None,
        options.option(
            "",
            "SPEC",
            "Second player: me or an agent. [default: hard; me if an agent moves first]",
            complete=completion.seats,
        ),
    ] = None,
    seed: Annotated[int | None, options.seed_option("Fixes the opponent's random choices. [default: random]")] = None,
    plain: options.Plain = False,
    ascii: options.Ascii = False,
    slow: options.Slow = False,
) -> None:
    """Play or watch a game in the app, or line by line."""
    output.draw_as(ascii, slow, plain)
    if (game, position, first, second) == (None,) * 4 and (seed is None or by_lines()):
        open_app(seed=seed)
        return
    from nimtui.playing.setup import PlaySetup, default_seats

    read_game(game or USUAL_GAME)
    setup = PlaySetup(
        game=game or USUAL_GAME,
        position=position,
        seats=default_seats(first, second),
        seed=int.from_bytes(os.urandom(4), "big") if seed is None else seed,
    )
    if by_lines():
        _talk(setup.validate(), None if seed is None else seed + 1)
        return
    from nimtui import ui

    ui.run(setup.validate(), **output.drawing_of_app())


def open_app(mode: str = "", seed: int | None = None) -> None:
    """Open the app on its first screen, or in this mode; where it cannot be shown, talk line by line."""
    if mode in ("", PLAY) and by_lines():
        own_files()
        _talk(None, seed)
        return
    from nimtui import ui
    from nimtui.ui.app import terminal

    if output.is_plain():
        raise InputError(f"--plain has no {mode} screen; {terminal.WITHOUT}")
    own_files()
    ui.run(mode=mode, **output.drawing_of_app())


def by_lines() -> bool:
    """Return whether to talk line by line: for --plain, and on a terminal that cannot place its cursor."""
    from nimtui.ui.app import terminal

    return output.is_plain() or (terminal.talks() and not terminal.has_cursor())


def _talk(setup: PlaySetup | None, seed: int | None) -> None:
    """Play line by line. `seed` is that of the next game that has none."""
    from nimtui.cli.plain.commands import talk
    from nimtui.ui.app import terminal

    if not terminal.reads_unicode(sys.stdout):
        output.ascii_only()
    talk(setup, seed)


def at_a_terminal() -> bool:
    """Return whether the app is shown: not for --plain, in a pipe, or on a terminal that cannot move its cursor."""
    from nimtui.ui.app import terminal

    if output.is_plain():
        return False
    try:
        terminal.check()
    except InputError:
        return False
    return True


@options.examples("""\
nimtui tour
nimtui tour --ascii""")
def tour(
    ascii: options.Ascii = False,
    slow: options.Slow = False,
    plain: Annotated[bool, typer.Option("--plain", hidden=True)] = False,  # one line says why not
) -> None:
    """Show in one minute how a table learns, errs and is beaten.

    Opens the app on a guided tour of the real screens: each step has one sentence and one key.
    """
    output.draw_as(ascii, slow, plain)
    open_app("tour")
