"""The themes: Textual's and two of our own, each with its colours shifted until they can be read."""

from __future__ import annotations

from functools import partial

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from nimtui.store.settings import Settings
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.contrast import (
    BLACK,
    BODY,
    DEFAULT,
    SIGN,
    TEXT,
    WHITE,
    blended,
    nearest,
    of_sixteen,
    quieted,
    readable,
)

COLORLESS = ("ansi-dark", "ansi-light")  # the themes that send no colour under NO_COLOR
LIGHT = "textual-light"  # the default on a light ground
COLORS = ("primary", "secondary", "error", "success", "warning", "accent")
TOLD_APART = ("error", "success", "warning")  # a picture shows all three: wrong, right, undecided
LIFTED = 0.12  # share of the foreground in the ground of a marked line
TINTED = 0.05  # and in that of an input with the focus
QUIET = 0.7  # least share of the foreground in quiet text

# The palette of Masataka Okabe and Kei Ito, "Color Universal Design" (2008), https://jfly.uni-koeln.de/color/
OKABE_ITO = Theme(
    name="okabe-ito",
    primary="#0072B2",  # blue
    secondary="#009E73",  # bluish green
    warning="#F0E442",  # yellow
    error="#D55E00",  # vermillion
    success="#56B4E9",  # sky blue
    accent="#E69F00",  # orange
    foreground="#E0E0E0",
    background="#000000",
    surface="#121212",
    panel="#1E1E1E",
)
# The terminal's own colours on its own ground, whatever that is: only those that can be read on black and on white.
TERMINAL = Theme(
    name="terminal",
    ansi=True,
    primary="ansi_bright_blue",
    secondary="ansi_bright_blue",
    warning="ansi_magenta",
    error="ansi_bright_red",
    success="ansi_bright_blue",
    accent="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
)
OWN = (OKABE_ITO, TERMINAL)
OFFERED = {**BUILTIN_THEMES, **{theme.name: theme for theme in OWN}}


def theme_for(settings: Settings, surroundings: TerminalInfo) -> str:
    """Return the chosen theme, unless it is unknown or has colours that the terminal cannot show."""
    chosen = settings.theme if settings.theme in OFFERED else Settings().theme
    if surroundings.no_color:
        return chosen if chosen in COLORLESS else COLORLESS[0]
    return TERMINAL.name if surroundings.colors == 16 and not OFFERED[chosen].ansi else chosen


def readable_variables(theme: Theme, given: dict[str, str], surroundings: TerminalInfo) -> dict[str, str]:
    """Return the theme's variables with colours of text, signs and lines that this terminal shows readable.

    `$text-NAME` is for text, `$sign-NAME` for signs, `$line` for lines and bars. `$quiet-style` is dim where quiet text
    has no colour of its own. Themes of 16 colours have the terminal's own text.
    """
    if theme.ansi:
        return given | _of_sixteen(theme, dim=surroundings.no_color)
    return given | _of_all(given, rounds=surroundings.colors == 256)


def _of_all(given: dict[str, str], *, rounds: bool) -> dict[str, str]:
    background, surface, foreground = (Color.parse(given[name]).rgb for name in ("background", "surface", "foreground"))
    if rounds:
        background, surface = nearest(background), nearest(surface)
    plain = (background, surface)
    shift = partial(readable, rounds=rounds)
    foreground = shift(shift(foreground, (background,), BODY), plain, TEXT)
    for _ in range(2):  # the ground of a marked line holds some of the foreground
        foreground = shift(foreground, [blended(ground, foreground, LIFTED) for ground in plain], TEXT)
    tinted = blended(surface, foreground, TINTED)
    quiet = quieted(foreground, (*plain, tinted), QUIET, TEXT, rounds=rounds)
    shown = {"background": background, "surface": surface, "foreground": foreground, "text": foreground}
    shown |= {"text-muted": quiet, "text-disabled": quiet}
    for kind, ratio in (("text", TEXT), ("sign", SIGN)):
        for name in COLORS:
            taken = [shown[f"{kind}-{other}"] for other in TOLD_APART if f"{kind}-{other}" in shown]
            color = Color.parse(given[name]).rgb
            shown[f"{kind}-{name}"] = shift(color, plain, ratio, taken=taken if name in TOLD_APART else ())
    shown |= {
        "line": shown["sign-primary"],
        "footer-key-foreground": shown["text-accent"],
        "input-cursor-foreground": background,
        "input-cursor-background": foreground,
        "input-selection-foreground": background,
        "input-selection-background": quiet,
    }
    return {"quiet-style": "none"} | {name: Color(*color).hex for name, color in shown.items()}


def _of_sixteen(theme: Theme, *, dim: bool) -> dict[str, str]:
    ground = (BLACK, WHITE) if theme is TERMINAL else (BLACK,) if theme.dark else (WHITE,)
    shown = {"quiet-style": "dim" if dim else "none", "text-muted": "ansi_default", "text-disabled": "ansi_default"}
    for name in COLORS:
        number = Color.parse(getattr(theme, name)).ansi
        best = DEFAULT if number is None else of_sixteen(number, ground)
        shown[f"text-{name}"] = "ansi_default"
        shown[f"sign-{name}"] = Color(0, 0, 0, ansi=best).hex
    return shown | {
        "line": shown["sign-primary"],
        "footer-key-foreground": "ansi_default",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-background": "ansi_white",
        "input-selection-foreground": "ansi_black",
        "input-selection-background": "ansi_white",
    }
