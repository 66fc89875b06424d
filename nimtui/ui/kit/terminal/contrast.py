"""One colour for each meaning, the same on every screen, that can be read and told from all others in every theme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet
from textual.color import Color as TextualColor
from textual.color import Lab, rgb_to_lab

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
    number = Color.from_triplet(ColorTriplet(*color)).downgrade(ColorSystem.EIGHT_BIT).number
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
        wished = shift(
            TextualColor.parse(named.get(meaning) or named.get(THEMED.get(meaning, "")) or OURS[meaning]).rgb
        )
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
    return rgb_to_lab(TextualColor(*color))
