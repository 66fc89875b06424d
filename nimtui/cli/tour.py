"""`nimtui tour`: opens the app on the tour."""

from __future__ import annotations

from typing import Annotated

import typer

from nimtui.cli import look, options, play


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
    look.use(ascii, slow, plain)
    play.open_app("tour")
