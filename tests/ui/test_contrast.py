"""Every text has 4.5:1 against its ground in every theme, every sign 3:1, as the terminal shows both."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest
from textual.color import Color, rgb_to_lab

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
from tests.contrast import FEW, MILLIONS, SOME, SYSTEMS, VGA, XTERM, measured, of_256, ratio, seen, themes
from tests.ui.playing import playing

LEAST_TEXT, LEAST_SIGN = 4.5, 3.0
RICH = themes(MILLIONS)
MOUNTED = ("nimtui-dark", "nimtui-light", "textual-light")
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
    if colors == MILLIONS:
        return color[1:7].lower()
    code = Color.parse(color).rich_color.downgrade(SYSTEMS[colors]).get_ansi_codes()
    return of_256(int(code[-1]))


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
    for part in ("cursor", "selection"):
        assert ratio(found[f"input-{part}-foreground"], found[f"input-{part}-background"]) >= LEAST_TEXT
    for kind in ("text", "sign"):
        for one, other in combinations([Color.parse(f"#{found[f'{kind}-{meaning}']}") for meaning in MEANINGS], 2):
            assert distance(one, other) >= 15.9, (one, other)  # about 2 can just be seen


@pytest.mark.slow
@pytest.mark.parametrize(("colors", "names"), [(MILLIONS, MOUNTED), (SOME, MOUNTED[1:2]), (FEW, themes(FEW))])
async def test_every_screen_can_be_read(make_app: Any, colors: int, names: tuple[str, ...]) -> None:
    """The style sheets put only colours together that fit; `python -m tests.contrast` measures every theme."""
    found = await measured(make_app(Settings(animation=False)), colors, names)
    assert {(part.theme, part.is_sign) for part in found} == {
        (theme, sign) for theme in names for sign in (True, False)
    }
    assert [part for part in found if part.contrast < (LEAST_SIGN if part.is_sign else LEAST_TEXT)] == []
    if colors == FEW:
        assert [part for part in found if "2" in part.codes.split(";")] == []  # dim: as dark as the terminal likes


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
        found = of_sixteen(number, [tuple(bytes.fromhex(ground))])  # type: ignore[list-item]
        assert found == (fitting or [DEFAULT])[0]


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
