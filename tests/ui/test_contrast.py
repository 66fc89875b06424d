"""Every text has 4.5:1 against its ground in every theme, every sign 3:1, as the terminal shows both."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from textual.color import Color, rgb_to_lab

from nimtui.store.settings import Settings
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.app.themes import OFFERED, OKABE_ITO, readable_variables, theme_for
from nimtui.ui.kit.terminal import contrast
from nimtui.ui.kit.terminal.contrast import MEANINGS
from tests.contrast import FEW, MILLIONS, SOME, SYSTEMS, VGA, XTERM, measured, of_256, ratio

LEAST_TEXT, LEAST_SIGN = 4.5, 3.0
RICH = [name for name, theme in OFFERED.items() if not theme.ansi]
# Machado, Oliveira, Fernandes: "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, on linear RGB.
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def variables(theme: str, colors: int) -> dict[str, str]:
    chosen = OFFERED[theme]
    given = {**chosen.to_color_system().generate(), **chosen.variables}
    return readable_variables(chosen, given, TerminalInfo(colors=colors))


@pytest.mark.parametrize("colors", [MILLIONS, SOME])
@pytest.mark.parametrize("theme", RICH)
def test_each_colour_for_text_and_signs_can_be_read_on_both_grounds(theme: str, colors: int) -> None:
    found = variables(theme, colors)

    def lowest(name: str) -> float:
        grounds = ("background", "surface")
        return min(ratio(as_shown(found[name], colors), as_shown(found[ground], colors)) for ground in grounds)

    for name in found:
        if name.startswith("text-") or name in ("foreground", "footer-key-foreground"):
            assert lowest(name) >= LEAST_TEXT, name
        elif name.startswith("sign-") or name == "line":
            assert lowest(name) >= LEAST_SIGN, name


def as_shown(color: str, colors: int) -> str:
    """The colour as such a terminal shows it."""
    if colors == MILLIONS:
        return color[1:7].lower()
    code = Color.parse(color).rich_color.downgrade(SYSTEMS[colors]).get_ansi_codes()
    return of_256(int(code[-1]))


@pytest.mark.slow
@pytest.mark.parametrize("colors", SYSTEMS)
async def test_every_screen_can_be_read_in_every_theme(make_app: Any, colors: int) -> None:
    found = await measured(make_app(Settings(animation=False)), colors)
    assert len({seen.theme for seen in found}) == (3 if colors == FEW else len(RICH))
    assert {seen.is_sign for seen in found} == {True, False}
    assert [seen for seen in found if seen.contrast < (LEAST_SIGN if seen.is_sign else LEAST_TEXT)] == []
    if colors == FEW:
        assert [seen for seen in found if "2" in seen.codes.split(";")] == []  # dim: as dark as the terminal likes


@pytest.mark.parametrize("colors", [MILLIONS, SOME])
@pytest.mark.parametrize("theme", RICH)
def test_each_meaning_has_a_colour_of_its_own(theme: str, colors: int) -> None:
    found = variables(theme, colors)
    for kind in ("text", "sign"):
        colours = {meaning: as_shown(found[f"{kind}-{meaning}"], colors) for meaning in MEANINGS}
        shown = {meaning: rgb_to_lab(Color.parse(f"#{colour}")) for meaning, colour in colours.items()}
        for one, other in combinations(MEANINGS, 2):
            difference = sum((a - b) ** 2 for a, b in zip(shown[one], shown[other], strict=True)) ** 0.5
            assert difference >= 15.9, (one, other)  # about 2 can just be seen


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("colors", [MILLIONS, SOME])
def test_colour_blind_eyes_tell_the_colours_of_okabe_ito_apart(blindness: str, colors: int) -> None:
    def as_seen(name: str) -> Any:
        linear = [(value / 255) ** 2.2 for value in bytes.fromhex(as_shown(found[name], colors))]
        mixed = (sum(map(float.__mul__, row, linear)) for row in BLINDNESS[blindness])
        red, green, blue = (round(255 * min(1.0, max(0.0, value)) ** (1 / 2.2)) for value in mixed)
        return rgb_to_lab(Color(red, green, blue))

    found = variables(OKABE_ITO.name, colors)
    for names in (("text-right", "text-wrong", "text-open"), ("sign-first", "sign-second"), COMPARED):
        for one, other in combinations(names, 2):
            difference = sum((a - b) ** 2 for a, b in zip(as_seen(one), as_seen(other), strict=True)) ** 0.5
            assert difference > 20, (one, other)  # about 2 can just be seen


COMPARED = ("text-curve", "text-other")  # the two learners


def test_black_on_white_has_a_contrast_of_21() -> None:
    assert contrast.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)  # #777, of the WCAG


def test_a_colour_that_can_be_read_stays_as_it_is() -> None:
    assert contrast.readable((224, 224, 224), [(18, 18, 18)], LEAST_TEXT) == (224, 224, 224)


def test_a_colour_keeps_its_hue() -> None:
    red, green, blue = contrast.readable((255, 166, 43), [(224, 224, 224)], LEAST_TEXT)
    assert red > green > blue


def test_where_no_lightness_suffices_the_better_extreme_is_taken() -> None:
    assert contrast.readable((200, 0, 0), [(119, 119, 119)], 7.0) == (0, 0, 0)


def test_a_dark_blue_ground_is_rounded_to_a_dark_one() -> None:
    nord = (46, 52, 64)
    assert contrast.rounded(nord) == (0, 95, 95)  # as Rich does it
    assert contrast.rounded(contrast.nearest(nord)) == (48, 48, 48)


@pytest.mark.parametrize("number", range(16))
@pytest.mark.parametrize("ground", ["000000", "ffffff"])
def test_one_of_16_colours_can_be_seen_in_both_palettes_or_is_the_default(number: int, ground: str) -> None:
    found = contrast.of_sixteen(number, [tuple(bytes.fromhex(ground))])  # type: ignore[list-item]
    lowest = [min(ratio(palette.split()[at], ground) for palette in (XTERM, VGA)) for at in (number, number ^ 8)]
    assert found in (number, number ^ 8, contrast.DEFAULT)
    if found == contrast.DEFAULT:
        assert max(lowest) < LEAST_SIGN
    else:
        assert lowest[found != number] >= LEAST_SIGN


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
