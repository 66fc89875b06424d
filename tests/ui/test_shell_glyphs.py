"""The signs, and what becomes of a text that they cannot say."""

from __future__ import annotations

from dataclasses import fields

import pytest
from rich.cells import cell_len
from textual.keys import Keys, format_key

from nimtui.ui.app.keymap import every
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_every_sign_is_one_cell_wide(signs: Glyphs) -> None:
    for field in fields(Glyphs):
        value = getattr(signs, field.name)
        if field.name == "strokes" and signs is UNICODE:
            assert set(value) == {""}  # curves are drawn in dots there
        elif field.name != "name":
            assert all(cell_len(sign) == 1 for sign in value)
            assert signs is UNICODE or "".join(value).isascii()


def test_signs_that_must_differ_do() -> None:
    for signs in (UNICODE, ASCII):
        assert len({signs.match, signs.chosen, *signs.ghosts, " "}) == 5
        assert len({*signs.discs, *signs.ghosts, " "}) >= 4
        assert signs.right != signs.wrong


def test_bars() -> None:
    assert UNICODE.bar(0.5, 8) == "████    "
    assert UNICODE.bar(0.55, 8) == "████▍   "
    assert UNICODE.bar(2, 3) == "███"
    assert ASCII.bar(0.5, 8) == "####    "
    for signs in (UNICODE, ASCII):
        lengths = [len(signs.bar(share / 100, 13)) for share in range(-10, 120)]
        assert set(lengths) == {13}


def test_texts_in_ascii() -> None:
    text = "misère · 4 × 4, −3 … „π“"
    assert UNICODE.plain(text) == text
    assert ASCII.plain(text) == 'misere - 4 x 4, -3 ~ "?"'
    assert ASCII.plain("½, 1½") == "1/2, 1 1/2"  # not eleven halves


def test_no_key_is_shown_as_another_one_in_ascii() -> None:
    shown = {key: ASCII.keys(format_key(key)) for key in (*(key.value for key in Keys), *map(chr, range(33, 127)))}
    ours = {key: sign for key, sign in shown.items() if key in {name for each in every() for name in each.default}}
    assert len(set(ours.values())) == len(ours) and all(sign.isascii() and sign.strip() for sign in ours.values())
    assert ours["up"] == "up" and ours["backspace"] == "backspace" and ours["shift+left"] == "shift+left"
    assert ASCII.keys("↑↓") == "up/down" and ASCII.keys("← →") == "left right" and UNICODE.keys("↑↓ ⌫") == "↑↓ ⌫"
