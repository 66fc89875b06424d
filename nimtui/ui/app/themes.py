"""The style sheets, and the themes: Textual's and four of our own, with colours shifted until they can be read.

There is one colour for each meaning, the same on every screen, that can be told from all others in every theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import TypeAlias

from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.color_triplet import ColorTriplet
from textual.color import Color, Lab, rgb_to_lab
from textual.theme import BUILTIN_THEMES, Theme

from nimtui.store.settings import Settings
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.terminal.textual_parts import EIGHT_BIT_PALETTE, STANDARD_PALETTE

RGB: TypeAlias = tuple[int, int, int]

# Least contrast, WCAG 2.2: of body text (1.4.6), of other text (1.4.3), of large signs, filled cells, lines (1.4.11).
BODY, TEXT, SIGN = 7.0, 4.5, 3.0
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
STEPS = 100  # of lightness, from black to white
DEFAULT = -1  # the number of the terminal's own foreground

# The 16 colours as xterm (its resource file XTerm-col.ad) and as VGA (the Linux console) show them.
_XTERM = bytes.fromhex(
    "000000cd000000cd00cdcd000000eecd00cd00cdcde5e5e5"  # black to white
    "7f7f7fff000000ff00ffff005c5cffff00ff00ffffffffff"  # their bright variants
)
SIXTEEN: tuple[Sequence[RGB], ...] = (
    [(_XTERM[at], _XTERM[at + 1], _XTERM[at + 2]) for at in range(0, len(_XTERM), 3)],
    [STANDARD_PALETTE[number] for number in range(16)],
)


@lru_cache(4096)
def luminance(color: RGB) -> float:
    """Return the relative luminance of a colour: 0 for black, 1 for white."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (n / 255 for n in color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast of two colours: 1 for the same luminance, 21 for black and white."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(4096)
def rounded(color: RGB) -> RGB:
    """Return the colour of the 256 that a terminal shows instead, as Rich picks it."""
    number = RichColor.from_triplet(ColorTriplet(*color)).downgrade(ColorSystem.EIGHT_BIT).number
    return EIGHT_BIT_PALETTE[number or 0]


@lru_cache(1)
def _sources() -> tuple[tuple[RGB, RGB], ...]:
    """Return the colours of the 256 that Rich can round to, each with a colour that it rounds there."""
    cube: list[RGB] = [EIGHT_BIT_PALETTE[number] for number in range(16, 232)]
    grey: list[RGB] = [(level, level, level) for level in (round(step * 255 / 25) for step in range(26))]
    return tuple({rounded(source): source for source in (*cube, *grey)}.items())


@lru_cache(4096)
def nearest(color: RGB) -> RGB:
    """Return a colour that Rich rounds to the nearest of the 256. It would turn many dark greys to teal or black."""
    return min(_sources(), key=lambda both: distance(color, both[0]))[1]


def least(color: RGB, grounds: Iterable[RGB], *, rounds: bool = False) -> float:
    """Return the lowest contrast against the grounds, on a terminal that `rounds` to 256 colours or does not."""
    if rounds:
        return min(contrast(rounded(color), rounded(ground)) for ground in grounds)
    return min(contrast(color, ground) for ground in grounds)


def readable(color: RGB, grounds: Sequence[RGB], ratio: float, *, rounds: bool = False) -> RGB:
    """Return the colour with its lightness shifted as little as needed to have this contrast on all grounds.

    Hue and saturation stay. Return black or white, whichever has more contrast, if no lightness suffices.
    """
    if least(color, grounds, rounds=rounds) >= ratio:
        return color
    end = max((BLACK, WHITE), key=lambda extreme: least(extreme, grounds, rounds=rounds))
    hue, light, saturation = rgb_to_hls(*(n / 255 for n in color))
    goal = float(end == WHITE)
    for step in range(1, STEPS):
        shifted = hls_to_rgb(hue, light + (goal - light) * step / STEPS, saturation)
        found = (round(shifted[0] * 255), round(shifted[1] * 255), round(shifted[2] * 255))
        if least(found, grounds, rounds=rounds) >= ratio:
            return found
    return end


def blended(ground: RGB, color: RGB, share: float) -> RGB:
    """Return the ground with this share of a colour on it, from 0 to 1, as Textual blends them."""
    red, green, blue = (int(below + (above - below) * share) for below, above in zip(ground, color, strict=True))
    return red, green, blue


def quieted(color: RGB, grounds: Sequence[RGB], share: float, ratio: float, *, rounds: bool = False) -> RGB:
    """Return the colour mixed into the first ground, at least this share of it and as much as the contrast needs."""
    for step in range(round(share * STEPS), STEPS):
        found = blended(grounds[0], color, step / STEPS)
        if least(found, grounds, rounds=rounds) >= ratio:
            return found
    return color


def of_sixteen(number: int, grounds: Iterable[RGB]) -> int:
    """Return one of the 16 colours that has a sign's contrast on all grounds, in xterm's palette and in VGA's.

    The same hue: the colour itself, or else its darker or brighter variant; DEFAULT if neither has it.
    """
    grounds = tuple(grounds)
    for candidate in (number, number ^ 8):
        if all(contrast(palette[candidate], ground) >= SIGN for palette in SIXTEEN for ground in grounds):
            return candidate
    return DEFAULT


Shift: TypeAlias = Callable[[RGB], RGB]  # a colour -> the nearest one that can be read

# The meanings, the most important first, each with the colour of Textual's themes that stands for it.
THEMED = {
    "right": "success",
    "wrong": "error",
    "where": "primary",  # where I am: the cursor, the frame of the box that takes the keys, the current screen
    "enter": "accent",  # what Enter would do, and the keys
    "open": "warning",  # undecided
    "job": "secondary",  # work in the background
}
# Meanings for which these themes have no colour, each with ours. A theme of our own names all.
OURS = {
    "first": "#f2d55c",  # the first player
    "second": "#ff7eb6",
    "curve": "#5cc8ff",  # a measured curve or amount
    "other": "#c3b3a0",  # the second curve
    "match": "#d08b5b",  # a piece that belongs to nobody
}
MEANINGS = (*THEMED, *OURS)
APART = 16.0  # least distance in Lab (CIE 1976); a difference of about 2 can just be seen
HUES, LIGHTS, SATURATIONS = 24, (0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85), (0.9, 0.5)


def colors(named: Mapping[str, str], shift: Shift, shown: Shift) -> dict[str, RGB]:
    """Return a colour for each meaning that can be read and is shown at least APART from all others, if one is left.

    `named`: the theme's colours by name; those of a meaning count before those of `THEMED` and `OURS`. `shown`: the
    colour that the terminal shows instead.
    """
    nearest: dict[str, RGB] = {}
    offered: list[tuple[RGB, RGB]] = []  # colours, and how they are shown

    def room(color: RGB) -> float:
        return min((distance(color, shown(other)) for other in nearest.values()), default=APART)

    for meaning in MEANINGS:
        wished = shift(Color.parse(named.get(meaning) or named.get(THEMED.get(meaning, "")) or OURS[meaning]).rgb)
        if room(shown(wished)) < APART:
            offered = offered or [(color, shown(color)) for color in sorted({shift(color) for color in _wheel()})]
            free = [both for both in offered if room(both[1]) >= APART]
            if free:
                wished = min(free, key=lambda both: distance(both[1], shown(wished)))[0]
            else:
                wished = max(offered, key=lambda both: room(both[1]))[0]
        nearest[meaning] = wished
    return nearest


def distance(one: RGB, other: RGB) -> float:
    """Return the distance of two colours in Lab."""
    return float(sum((a - b) ** 2 for a, b in zip(_lab(one), _lab(other), strict=True)) ** 0.5)


def _wheel() -> Iterator[RGB]:
    for hue, light, saturation in product(range(HUES), LIGHTS, SATURATIONS):
        red, green, blue = hls_to_rgb(hue / HUES, light, saturation)
        yield round(red * 255), round(green * 255), round(blue * 255)


@lru_cache(4096)
def _lab(color: RGB) -> Lab:
    return rgb_to_lab(Color(*color))


SHARED = ("app", "form")
_PACKAGE = Path(__file__).resolve().parents[2]


def folder() -> Path:
    """Return the folder of the style sheets."""
    inside = _PACKAGE / "styles"
    return inside if inside.is_dir() else _PACKAGE.parent / "styles"


def sheets() -> list[Path]:
    """Return all style sheets, the general ones first. Each other file's rules are nested under its screen's type."""
    return sorted(folder().glob("*.tcss"), key=lambda path: (path.stem not in SHARED, path.stem))


COLORLESS = ("ansi-dark", "ansi-light")  # the themes that send no colour under NO_COLOR
COLORS = ("primary", "secondary", "error", "success", "warning", "accent")
LIFTED = 0.12  # share of the foreground in the ground of a marked line
TINTED = 0.05  # and in that of an input with the focus
QUIET = 0.7  # least share of the foreground in quiet text
LINE = 0.3  # and in the line of a frame


# The colours of each meaning: dark, light, and of the palette of Masataka Okabe and Kei Ito, "Color Universal Design"
# (2008), https://jfly.uni-koeln.de/color/, with its names. That has eight colours: our last four meanings have greys
# and browns, which no eye takes for one of these.
PALETTES = {
    "right": ("#5fd38d", "#1a7f37", "#56B4E9"),  # sky blue
    "wrong": ("#ff6b6b", "#c9252d", "#D55E00"),  # vermillion
    "where": ("#7d9bff", "#2f55d4", "#009E73"),  # bluish green
    "enter": ("#ffb454", "#af5f00", "#E69F00"),  # orange
    "open": ("#c99bf0", "#8250df", "#F0E442"),  # yellow
    "job": ("#3fd0c0", "#0f7b7b", "#CC79A7"),  # reddish purple
    "first": ("#f4e04d", "#5f5f00", "#F8F8F8"),
    "second": ("#ff7eb6", "#bf3989", "#0072B2"),  # blue
    "curve": ("#5cc8ff", "#0b76b8", "#C8C8F0"),
    "other": ("#c3b3a0", "#626262", "#8C7A55"),
    "match": ("#d08b5b", "#875f00", "#B89880"),
}
# Of pictures by area: the ground of a board and of a gap in it, pieces of nobody and the light on their edges, matches.
# On a board's own ground all themes have the bright colours of the dark one.
PLATES = {
    "board": ("#24459b", "#24459b", "#3A3A3A"),
    "piece": ("#8f5c3c", "#7a4a2b", "#8C7A55"),
    "shine": ("#b98258", "#a9744f", "#B8A57C"),
    "head": ("#cf5a3e", "#a8432a", "#B89880"),
    "wood": ("#dcb98a", "#9a6f3c", "#D0C8B0"),
}
ON_BOARD = ("first", "second", "right", "enter", "curve")
# Shares of a curve's colour in the grounds of a heat map; the last ground is that colour.
BANDS = (0.08, 0.2, 0.35, 0.55)
EATEN = 0.1  # share of the foreground in the ground where a piece was
SEEN = 1.2  # contrast of a plate that no sign depends on


def _own(name: str, palette: int, *, dark: bool, ground: tuple[str, str, str, str]) -> Theme:
    """Return a theme with a colour for each meaning. `ground`: foreground, background, surface, panel."""
    foreground, background, surface, panel = ground
    return Theme(
        name=name,
        dark=dark,
        foreground=foreground,
        background=background,
        surface=surface,
        panel=panel,
        variables={name: colors[palette] for name, colors in (PALETTES | PLATES).items()}
        | {f"board-{name}": PALETTES[name][0 if palette < 2 else palette] for name in ON_BOARD},
        **{of: PALETTES[meaning][palette] for meaning, of in THEMED.items()},  # type: ignore[arg-type]
    )


DARK = _own("nimtui-dark", 0, dark=True, ground=("#d8dee6", "#0f1216", "#171b21", "#1d222a"))
LIGHT = _own("nimtui-light", 1, dark=False, ground=("#1c2128", "#fcfcfa", "#f1f1ee", "#e8e8e4"))
OKABE_ITO = _own("okabe-ito", 2, dark=True, ground=("#E0E0E0", "#000000", "#121212", "#1E1E1E"))
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
FEW = {"first": "warning", "second": "error", "curve": "accent", "other": "success", "match": "error"}  # of 16 colours
OWN = (DARK, LIGHT, OKABE_ITO, TERMINAL)
OFFERED = {**{theme.name: theme for theme in OWN}, **BUILTIN_THEMES}


def theme_for(settings: Settings, surroundings: TerminalInfo) -> str:
    """Return the chosen theme, unless it is unknown or has colours that the terminal cannot show."""
    chosen = settings.theme if settings.theme in OFFERED else Settings().theme
    if surroundings.no_color:
        return chosen if chosen in COLORLESS else COLORLESS[0]
    return TERMINAL.name if surroundings.colors == 16 and not OFFERED[chosen].ansi else chosen


def readable_variables(theme: Theme, given: dict[str, str], surroundings: TerminalInfo) -> dict[str, str]:
    """Return the theme's variables with colours of text, signs and lines that this terminal shows readable.

    `$text-NAME` is for text, `$sign-NAME` for signs: of a colour or a meaning. `$line` is for frames. `$quiet-style` is
    dim where quiet text has no colour of its own. Themes of 16 colours have the terminal's own text.
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
    quiet = quieted(foreground, (*plain, blended(surface, foreground, TINTED)), QUIET, TEXT, rounds=rounds)
    variables = {"background": background, "surface": surface, "foreground": foreground, "text": foreground}
    variables |= {"text-muted": quiet, "text-disabled": quiet}
    for kind, ratio in (("text", TEXT), ("sign", SIGN)):
        enough = partial(shift, grounds=plain, ratio=ratio)
        variables |= {f"{kind}-{name}": enough(Color.parse(given[name]).rgb) for name in COLORS}
        shades = colors(given, enough, rounded if rounds else lambda color: color)  # how the terminal shows it
        variables |= {f"{kind}-{meaning}": color for meaning, color in shades.items()}
    board = shift(_plate(given, "board", rounds=rounds), plain, SEEN)
    piece = shift(_plate(given, "piece", rounds=rounds), plain, SIGN)
    for band, share in enumerate(BANDS):  # which hold text
        ground = blended(background, variables["text-curve"], share)
        variables[f"band-{band}"] = shift(nearest(ground) if rounds else ground, (foreground,), TEXT)
    variables |= {
        f"band-{len(BANDS)}": variables["text-curve"],
        "board": board,
        "piece": piece,
        "shine": shift(_plate(given, "shine", rounds=rounds), (piece,), SEEN),
        **{name: shift(_plate(given, name, rounds=rounds), plain, SIGN) for name in ("head", "wood")},
        "eaten": shift(quieted(foreground, plain, EATEN, SEEN, rounds=rounds), (foreground,), TEXT),
        **{
            f"board-{name}": shift(Color.parse(given.get(f"board-{name}", PALETTES[name][0])).rgb, (board, piece), SIGN)
            for name in ON_BOARD
        },
        "line": quieted(foreground, plain, LINE, SIGN, rounds=rounds),
        "footer-key-foreground": variables["text-enter"],
        "input-cursor-foreground": background,
        "input-cursor-background": foreground,
        "input-selection-foreground": background,
        "input-selection-background": quiet,
    }
    return {"quiet-style": "none"} | {name: Color(*color).hex for name, color in variables.items()}


def _plate(given: dict[str, str], name: str, *, rounds: bool) -> RGB:
    color = Color.parse(given.get(name, PLATES[name][0])).rgb
    return nearest(color) if rounds else color


def _of_sixteen(theme: Theme, *, dim: bool) -> dict[str, str]:
    ground = (BLACK, WHITE) if theme is TERMINAL else (BLACK,) if theme.dark else (WHITE,)
    plain = {"quiet-style": "dim" if dim else "none", "text-muted": "ansi_default", "text-disabled": "ansi_default"}
    for name in COLORS:
        number = Color.parse(getattr(theme, name)).ansi
        best = DEFAULT if number is None else of_sixteen(number, ground)
        plain[f"text-{name}"] = "ansi_default"
        plain[f"sign-{name}"] = Color(0, 0, 0, ansi=best).hex
    for meaning in MEANINGS:  # 16 colours are too few: there signs and words tell
        plain[f"text-{meaning}"] = "ansi_default"
        plain[f"sign-{meaning}"] = plain[f"sign-{(THEMED | FEW)[meaning]}"]
    plain |= {f"board-{name}": plain[f"sign-{name}"] for name in ON_BOARD}
    return plain | {
        **dict.fromkeys(("board", "eaten", "wood", *(f"band-{at}" for at in range(len(BANDS) + 1))), "ansi_default"),
        **dict.fromkeys(("piece", "shine", "head"), plain["sign-match"]),
        "line": plain["sign-primary"],
        "footer-key-foreground": "ansi_default",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-background": "ansi_white",
        "input-selection-foreground": "ansi_black",
        "input-selection-background": "ansi_white",
    }
