"""One colour for each meaning, the same on every screen, and told apart from all others in every theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from colorsys import hls_to_rgb
from functools import lru_cache
from typing import TypeAlias

from textual.color import Color, Lab, rgb_to_lab

from nimtui.ui.kit.contrast import RGB

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
    found: dict[str, RGB] = {}
    offered: list[tuple[RGB, RGB]] = []  # colours, and how they are shown

    def room(color: RGB) -> float:
        return min((distance(color, shown(other)) for other in found.values()), default=APART)

    for meaning in MEANINGS:
        wished = shift(Color.parse(named.get(meaning) or named.get(THEMED.get(meaning, "")) or OURS[meaning]).rgb)
        if room(shown(wished)) < APART:
            offered = offered or [(color, shown(color)) for color in sorted({shift(color) for color in _wheel()})]
            free = [both for both in offered if room(both[1]) >= APART]
            if free:
                wished = min(free, key=lambda both: distance(both[1], shown(wished)))[0]
            else:
                wished = max(offered, key=lambda both: room(both[1]))[0]
        found[meaning] = wished
    return found


def unchanged(color: RGB) -> RGB:
    """Return the colour: how a terminal of millions shows it."""
    return color


def distance(one: RGB, other: RGB) -> float:
    """Return the distance of two colours in Lab."""
    return float(sum((a - b) ** 2 for a, b in zip(_lab(one), _lab(other), strict=True)) ** 0.5)


def _wheel() -> Iterator[RGB]:
    for hue in range(HUES):
        for light in LIGHTS:
            for saturation in SATURATIONS:
                red, green, blue = hls_to_rgb(hue / HUES, light, saturation)
                yield round(red * 255), round(green * 255), round(blue * 255)


@lru_cache(4096)
def _lab(color: RGB) -> Lab:
    return rgb_to_lab(Color(*color))
