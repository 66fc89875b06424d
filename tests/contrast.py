"""The contrast of all that screens show, in every theme, measured on the codes that reach the terminal.

`python -m tests.contrast` prints the lowest contrast of text and of signs by theme. Formula: WCAG 2.2, "contrast
ratio". Palettes: xterm's 256colres.h and XTerm-col.ad, and the 16 colours of VGA text.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from rich.color import ColorSystem
from textual.app import ComposeResult
from textual.command import CommandList
from textual.pilot import Pilot
from textual.strip import Strip

PALETTE = "ctrl+p"
MILLIONS, SOME, FEW = 2**24, 256, 16  # colours of a terminal
SYSTEMS = {MILLIONS: ColorSystem.TRUECOLOR, SOME: ColorSystem.EIGHT_BIT, FEW: ColorSystem.STANDARD}
XTERM = "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"  # black to white, then their bright variants
XTERM += " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
VGA = "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
VGA += " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
DARK, LIGHT = ("aaaaaa", "000000"), ("000000", "ffffff")  # the default text and ground of a terminal
COLOR = re.compile(
    r"(?<!\d)(?P<layer>[34])8;(?:2;(?P<rgb>\d+;\d+;\d+)|5;(?P<number>\d+))|(?<!\d)(?P<plain>(?:[349]|10)\d)(?!\d)"
)
RULES = "─▔▁"  # lines between parts of a dialog: decoration, which the WCAG exempts


class Seen(NamedTuple):
    """A text of one style as a terminal shows it."""

    contrast: float
    text: str
    colors: str  # text on ground
    codes: str
    theme: str

    @property
    def is_sign(self) -> bool:
        """Whether it is drawn, not read: a piece, a bar, a frame."""
        return not re.search(r"[\w!-/:-@\[-`{-~…±×÷·−→←↑↓⏎]", self.text)


@cache
def luminance(color: str) -> float:
    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = bytes.fromhex(color)
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def ratio(one: str, other: str) -> float:
    light, dark = max(luminance(one), luminance(other)), min(luminance(one), luminance(other))
    return (light + 0.05) / (dark + 0.05)


def of_256(number: int) -> str:
    """A colour of xterm's 256, above the 16: a cube of six levels, then 24 greys."""
    if number >= 232:
        return f"{8 + 10 * (number - 232):02x}" * 3
    cube = number - 16
    return "".join(f"{55 + 40 * level if level else 0:02x}" for level in (cube // 36, cube // 6 % 6, cube % 6))


def shown(codes: str, default: tuple[str, str], sixteen: str) -> tuple[str, str]:
    """The colours of text and ground that a terminal shows for these codes."""
    found, palette = list(default), sixteen.split()
    for match in COLOR.finditer(codes):
        if match["rgb"]:
            found[match["layer"] == "4"] = bytes(map(int, match["rgb"].split(";"))).hex()
        elif match["number"]:
            number = int(match["number"])
            found[match["layer"] == "4"] = palette[number] if number < 16 else of_256(number)
        else:
            code = int(match["plain"])
            ground, bright, number = code // 10 in (4, 10), code >= 90, code % 10
            if number < 8:
                found[ground] = palette[number + 8 * bright]
    return (found[1], found[0]) if "7" in codes.split(";") else (found[0], found[1])


def terminals(theme: str) -> list[tuple[tuple[str, str], str]]:
    """The terminals that a theme is made for: their default colours, and their 16."""
    grounds = {"ansi-dark": [DARK], "ansi-light": [LIGHT]}.get(theme, [DARK, LIGHT])
    return [(ground, palette) for ground in grounds for palette in (XTERM, VGA)]


def seen(app: Any, colors: int) -> Iterator[Seen]:
    """All texts on the screen, with their lowest contrast on any terminal that the theme is made for."""
    found = {}
    for strip in app.screen._compositor.render_strips(app.size):
        for text, style, _ in strip:
            if text.strip(f" {RULES}") and style is not None:
                codes = Strip.render_ansi(style, SYSTEMS[colors])
                found.setdefault((codes, text.strip()), None)
    for codes, text in found:
        pairs = [shown(codes, default, sixteen) for default, sixteen in terminals(app.theme)]
        lowest = min(pairs, key=lambda pair: ratio(*pair))
        yield Seen(ratio(*lowest), text, " on ".join(lowest), codes, app.theme)


def sheet() -> Any:
    """A page that shows each ink: as a word, or as a sign where the ink is for signs only."""
    from nimtui.report.lines import Ink, Run
    from nimtui.ui.board import position_map_picture as picture
    from nimtui.ui.kit.contract.shell import shell
    from nimtui.ui.kit.widgets.page import Page
    from nimtui.ui.kit.widgets.panel import Canvas

    on_board = {Ink.FIRST, Ink.SECOND, Ink.WON, Ink.AIM, Ink.HEAT}
    bands = [ink for ink in Ink if ink.startswith("band")]
    plates = {Ink.BOARD, Ink.EATEN, Ink.PAPER, Ink.SHINE, *bands}  # are seen only as grounds, or on them
    always = on_board | {Ink.HEAD, Ink.FRAME, Ink.PIECE, Ink.WOOD}
    of_sixteen = always | {Ink.BAR, Ink.ONE, Ink.TWO, Ink.RIGHT, Ink.WRONG, Ink.OPEN}

    class Sheet(Page[None]):
        def compose(self) -> ComposeResult:
            canvas = Canvas()
            canvas.styles.height = "1fr"
            yield canvas

        def on_mount(self) -> None:
            self.draw()
            shell(self).settings_changed.subscribe(self, lambda _: self.draw())

        def draw(self) -> None:
            plain = self.app.current_theme.ansi  # has no grounds
            signs = of_sixteen if plain else always
            pairs = [(ink, Ink.BOARD if ink in on_board and not plain else None) for ink in Ink if ink not in plates]
            pairs += (
                []
                if plain
                else [(Ink.AIM, Ink.PIECE), (Ink.HEAT, Ink.PIECE), (Ink.TEXT, Ink.EATEN), (Ink.STRONG, Ink.EATEN)]
            )
            pairs += [] if plain else [(Ink.PAPER, ink) for ink in picture.GROUNDS if ink not in (None, Ink.EATEN)]
            pairs += (
                []
                if plain
                else [*((Ink.TEXT, band) for band in bands[:-1]), (Ink.PAPER, bands[-1]), (Ink.PAPER, Ink.WHERE)]
            )
            self.query_one(Canvas).show(
                [
                    (Run("●" * (number + 1) if ink in signs else ink.value, ink, ground),)
                    for number, (ink, ground) in enumerate(pairs)
                ]
            )

    return Sheet()


async def screens(pilot: Pilot[Any]) -> AsyncIterator[str]:
    """Open the screens whose styles differ, one after another."""
    app: Any = pilot.app
    yield "start"
    app.push_screen(sheet())
    await pilot.pause()
    yield "inks"
    for key in ("f9", "f1"):
        app.close_all()
        await pilot.press(key)
        await pilot.pause()
        yield key
    yield PALETTE
    app.close_all()
    app.action_new_game()
    await pilot.pause()
    yield "form"
    await pilot.press("x", "x", "shift+left")
    yield "form with a wrong field and selected text"
    app.close_all()
    for severity in ("information", "warning", "error"):
        app.notify("The text of a notice.", title="Its title", severity=severity, timeout=600)
    await pilot.pause()
    yield "notices"


async def measured(app: Any, colors: int, names: Sequence[str]) -> list[Seen]:
    """All texts on all these screens in these themes."""
    found: list[Seen] = []
    app.surroundings = replace(app.surroundings, colors=colors)
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        async for screen in screens(pilot):
            for theme in names:
                app.change_settings(theme=theme)
                if screen == PALETTE:  # keeps its colours while it is open
                    app.close_all()
                    await pilot.press(PALETTE)
                    while not app.screen.query_one(CommandList).option_count:
                        await pilot.pause(0.005)
                await pilot.pause()
                assert app.theme == theme
                found += seen(app, colors)
    return found


def themes(colors: int) -> list[str]:
    from nimtui.ui.app.themes import OFFERED

    return [name for name, theme in sorted(OFFERED.items()) if theme.ansi == (colors == FEW)]


def main() -> None:
    from nimtui.store.settings import Settings
    from nimtui.ui.app.app import NimtuiApp
    from nimtui.ui.app.terminal import TerminalInfo

    print(f"{'theme':<22}{'colours':>9}{'text':>7}{'signs':>7}")
    with tempfile.TemporaryDirectory() as home:
        os.environ["NIMTUI_HOME"] = home
        for colors in SYSTEMS:
            found = asyncio.run(measured(NimtuiApp(Settings(animation=False), TerminalInfo()), colors, themes(colors)))
            for theme in themes(colors):
                text, sign = (
                    min(part.contrast for part in found if part.theme == theme and part.is_sign == signs)
                    for signs in (False, True)
                )
                print(f"{theme:<22}{colors:>9}{text:>7.2f}{sign:>7.2f}")


if __name__ == "__main__":
    main()
