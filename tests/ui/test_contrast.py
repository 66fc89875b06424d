"""Every text has 4.5:1 against its ground in every theme, every sign 3:1, as the terminal shows both.

The contrast is measured on the colours that a terminal shows; with NIMTUI_EXAMPLES=4 every screen in every theme.
Formula: WCAG 2.2, "contrast ratio". Palettes: XTerm-col.ad, and the 16 colours of VGA text.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.app import ComposeResult
from textual.color import Color, rgb_to_lab
from textual.command import CommandList
from textual.pilot import Pilot

from nimtui.report.lines import Ink, Run
from nimtui.store.settings import Settings
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.app.themes import (
    DEFAULT,
    LIFTED,
    MEANINGS,
    OFFERED,
    OKABE_ITO,
    TINTED,
    contrast,
    nearest,
    of_sixteen,
    readable,
    readable_variables,
    rounded,
    theme_for,
)
from nimtui.ui.board import position_map_picture as picture
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.widgets.page import Page
from nimtui.ui.kit.widgets.panel import Canvas
from tests.examples import few
from tests.ui.playing import playing

PALETTE = "ctrl+p"
MILLIONS, SOME, FEW = 2**24, 256, 16  # colours of a terminal
SYSTEMS = {MILLIONS: ColorSystem.TRUECOLOR, SOME: ColorSystem.EIGHT_BIT, FEW: ColorSystem.STANDARD}
XTERM = "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"  # black to white, then their bright variants
XTERM += " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
VGA = "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
VGA += " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
DARK, LIGHT = ("aaaaaa", "000000"), ("000000", "ffffff")  # the default text and ground of a terminal
RULES = "─▔▁"  # lines between parts of a dialog: decoration, which the WCAG exempts


class Seen(NamedTuple):
    """A text of one style as a terminal shows it."""

    contrast: float
    text: str
    colors: str  # text on ground
    dim: bool
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


def shown(style: Style, colors: int, terminal: TerminalTheme) -> tuple[str, str]:
    """The colours of text and ground that a terminal of so many colours shows."""
    text, ground = (
        (color or RichColor.default()).downgrade(SYSTEMS[colors]).get_truecolor(terminal, is_text).hex[1:]
        for color, is_text in ((style.color, True), (style.bgcolor, False))
    )
    return (ground, text) if style.reverse else (text, ground)


def rgb(color: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(color)
    return red, green, blue


def terminals(theme: str) -> list[TerminalTheme]:
    """The terminals that a theme is made for: their default colours, and their 16."""
    grounds = {"ansi-dark": [DARK], "ansi-light": [LIGHT]}.get(theme, [DARK, LIGHT])
    return [
        TerminalTheme(rgb(ground), rgb(text), [*map(rgb, palette.split())])
        for text, ground in grounds
        for palette in (XTERM, VGA)
    ]


def seen(app: Any, colors: int) -> Iterator[Seen]:
    """All texts on the screen, with their lowest contrast on any terminal that the theme is made for."""
    strips = app.screen._compositor.render_strips(app.size)
    found = {
        (text.strip(), style)
        for strip in strips
        for text, style, _ in strip
        if text.strip(f" {RULES}") and style is not None
    }
    for text, style in found:
        lowest = min((shown(style, colors, each) for each in terminals(app.theme)), key=lambda pair: ratio(*pair))
        yield Seen(ratio(*lowest), text, " on ".join(lowest), bool(style.dim), app.theme)


def sheet() -> Any:
    """A page that shows each ink: as a word, or as a sign where the ink is for signs only."""
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
            if not plain:
                pairs += [(Ink.AIM, Ink.PIECE), (Ink.HEAT, Ink.PIECE), (Ink.TEXT, Ink.EATEN), (Ink.STRONG, Ink.EATEN)]
                pairs += [(Ink.PAPER, ink) for ink in picture.GROUNDS if ink not in (None, Ink.EATEN)]
                pairs += [(Ink.TEXT, band) for band in bands[:-1]] + [(Ink.PAPER, bands[-1]), (Ink.PAPER, Ink.WHERE)]
            texts = ["●" * number if ink in signs else ink.value for number, (ink, _) in enumerate(pairs, 1)]
            self.query_one(Canvas).show([(Run(text, *pair),) for text, pair in zip(texts, pairs, strict=True)])

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
    return [name for name, theme in sorted(OFFERED.items()) if theme.ansi == (colors == FEW)]


LEAST_TEXT, LEAST_SIGN = 4.5, 3.0
RICH = themes(MILLIONS)
MOUNTED = ["nimtui-dark", "nimtui-light", "textual-light"]
QUICK = ("nimtui-dark", "nimtui-light", "okabe-ito")
BY_THEME = [pytest.param(theme, marks=() if theme in QUICK else pytest.mark.slow) for theme in RICH]
# Machado, Oliveira, Fernandes: "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, on linear RGB.
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


@cache
def colors_of(theme: str, colors: int) -> dict[str, str]:
    """The variables of a theme that are colours, as such a terminal shows them."""
    chosen = OFFERED[theme]
    given = {**chosen.to_color_system().generate(), **chosen.variables}
    found = readable_variables(chosen, given, TerminalInfo(colors=colors))
    return {name: as_shown(color, colors) for name, color in found.items() if color.startswith("#")}


def as_shown(color: str, colors: int) -> str:
    return Color.parse(color).rich_color.downgrade(SYSTEMS[colors]).get_truecolor().hex[1:]


def distance(one: Color, other: Color) -> float:
    """How different two colours look, in Lab."""
    return float(sum((a - b) ** 2 for a, b in zip(rgb_to_lab(one), rgb_to_lab(other), strict=True)) ** 0.5)


@pytest.mark.parametrize("colors", [MILLIONS, SOME])
@pytest.mark.parametrize("theme", BY_THEME)
def test_each_colour_can_be_read_and_each_meaning_has_one_of_its_own(theme: str, colors: int) -> None:
    found = colors_of(theme, colors)
    grounds = [found["background"], found["surface"]]
    texts = [name for name in found if name.startswith("text-")] + ["foreground", "footer-key-foreground"]
    signs = [name for name in found if name.startswith("sign-")] + ["line"]
    for names, least in ((texts, LEAST_TEXT), (signs, LEAST_SIGN)):
        assert [name for name in names if min(ratio(found[name], ground) for ground in grounds) < least] == []
    if colors == MILLIONS:  # the grounds of a marked line and of an input hold some of the foreground

        def on(ground: str, share: float) -> str:
            return Color.parse(f"#{ground}").blend(Color.parse(f"#{found['foreground']}"), share).hex6[1:].lower()

        assert min(ratio(found["foreground"], on(ground, LIFTED)) for ground in grounds) >= LEAST_TEXT
        assert ratio(found["text-muted"], on(found["surface"], TINTED)) >= LEAST_TEXT
    assert ratio(found["foreground"], found["eaten"]) >= LEAST_TEXT
    assert min(ratio(found["eaten"], ground) for ground in grounds) > 1.1  # where a piece was is seen
    for part in ("cursor", "selection"):
        assert ratio(found[f"input-{part}-foreground"], found[f"input-{part}-background"]) >= LEAST_TEXT
    for kind in ("text", "sign"):
        for one, other in combinations([Color.parse(f"#{found[f'{kind}-{meaning}']}") for meaning in MEANINGS], 2):
            assert distance(one, other) >= 15.9, (one, other)  # about 2 can just be seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("colors", "names"), [(MILLIONS, few(MOUNTED, RICH)), (SOME, few(MOUNTED[1:2], RICH)), (FEW, themes(FEW))]
)
async def test_every_screen_can_be_read(make_app: Any, colors: int, names: list[str]) -> None:
    """The style sheets put only colours together that fit."""
    found = await measured(make_app(Settings(animation=False)), colors, names)
    assert {(part.theme, part.is_sign) for part in found} == {
        (theme, sign) for theme in names for sign in (True, False)
    }
    assert [part for part in found if part.contrast < (LEAST_SIGN if part.is_sign else LEAST_TEXT)] == []
    if colors == FEW:
        assert [part for part in found if part.dim] == []  # as dark as the terminal likes


@pytest.mark.slow
async def test_keys_in_frames_follow_the_theme(make_app: Any) -> None:
    async with playing(make_app, "connect4", second="random", size=(200, 60)) as pilot:
        for theme in MOUNTED:
            pilot.app.change_settings(theme=theme)
            await pilot.pause()
            keys = [text for text in seen(pilot.app, MILLIONS) if text.text.strip() == "r"]
            assert keys and all(key.contrast >= LEAST_TEXT for key in keys)


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("colors", [MILLIONS, SOME])
def test_colour_blind_eyes_tell_the_colours_of_okabe_ito_apart(blindness: str, colors: int) -> None:
    def as_seen(name: str) -> Color:
        linear = [(value / 255) ** 2.2 for value in bytes.fromhex(colors_of(OKABE_ITO.name, colors)[name])]
        mixed = (sum(map(float.__mul__, row, linear)) for row in BLINDNESS[blindness])
        return Color(*(round(255 * min(1.0, max(0.0, value)) ** (1 / 2.2)) for value in mixed))

    learners = ("text-curve", "text-other")
    for names in (("text-right", "text-wrong", "text-open"), ("sign-first", "sign-second"), learners):
        for one, other in combinations(names, 2):
            assert distance(as_seen(one), as_seen(other)) > 20, (one, other)


def test_a_contrast_is_that_of_the_wcag_and_a_colour_changes_no_more_than_it_must() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)  # #777, of the WCAG
    assert readable((224, 224, 224), [(18, 18, 18)], LEAST_TEXT) == (224, 224, 224)
    assert readable((255, 166, 43), [(224, 224, 224)], LEAST_TEXT) == (146, 85, 0)  # the hue stays
    assert readable((200, 0, 0), [(119, 119, 119)], 7.0) == (0, 0, 0)  # no lightness suffices


def test_a_dark_blue_ground_is_rounded_to_a_dark_one() -> None:
    nord = (46, 52, 64)
    assert rounded(nord) == (0, 95, 95)  # as Rich does it
    assert rounded(nearest(nord)) == (48, 48, 48)


@pytest.mark.parametrize("ground", ["000000", "ffffff"])
def test_one_of_16_colours_can_be_seen_in_both_palettes_or_is_the_default(ground: str) -> None:
    for number in range(16):
        lowest = [min(ratio(palette.split()[at], ground) for palette in (XTERM, VGA)) for at in (number, number ^ 8)]
        fitting = [at for at, least in zip((number, number ^ 8), lowest, strict=True) if least >= LEAST_SIGN]
        assert of_sixteen(number, [rgb(ground)]) == (fitting or [DEFAULT])[0]


@pytest.mark.parametrize(
    ("chosen", "surroundings", "used"),
    [
        ("nord", TerminalInfo(), "nord"),
        ("nord", TerminalInfo(colors=SOME), "nord"),
        ("nord", TerminalInfo(colors=FEW), "terminal"),
        ("ansi-light", TerminalInfo(colors=FEW), "ansi-light"),
        ("terminal", TerminalInfo(), "terminal"),
        ("terminal", TerminalInfo(colors=FEW, no_color=True), "ansi-dark"),
        ("no such theme", TerminalInfo(), "nimtui-dark"),
    ],
)
def test_the_terminal_limits_the_theme(chosen: str, surroundings: TerminalInfo, used: str) -> None:
    assert theme_for(Settings(theme=chosen), surroundings) == used
