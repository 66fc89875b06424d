"""How this process draws: --ascii, --slow and --plain, whether they stand before the command or after it.

A command that prints is restricted to ASCII at once. The app draws its own ASCII, so its start lifts that again.
"""

from __future__ import annotations

from typing import TypedDict

from nimtui.cli import output

SLOW_REDRAWS = 1  # of a progress bar, per second


class Drawing(TypedDict):
    """The two options as `nimtui.ui.run` takes them."""

    ascii: bool
    slow: bool


_asked = Drawing(ascii=False, slow=False)
_plain = False


def forget() -> None:
    """Forget the options of the command before: a process may run several."""
    global _plain
    _plain = False
    _asked.update(Drawing(ascii=False, slow=False))


def use(ascii: bool, slow: bool, plain: bool = False) -> None:
    """Draw like this from now on. An option that was given already stays."""
    global _plain
    _plain = _plain or plain
    _asked.update(Drawing(ascii=_asked["ascii"] or ascii, slow=_asked["slow"] or slow))
    if ascii:
        output.ascii_only()


def of_app() -> Drawing:
    """Return how the app draws, and give stdout and stderr their own encoding back."""
    output.all_characters()
    return _asked.copy()


def is_plain() -> bool:
    """Return whether to print lines instead of opening the app."""
    return _plain


def redraws(usual: int) -> int:
    """Return how often a progress bar is drawn, per second."""
    return min(usual, SLOW_REDRAWS) if _asked["slow"] else usual
