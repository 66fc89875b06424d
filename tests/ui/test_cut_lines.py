"""What a panel cuts ends with a clause or a word, and F1 shows the whole."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from nimtui.games.registry import presets
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import cut, gathering, line, mended, paragraphs, plain_text
from nimtui.ui.app import modes
from nimtui.ui.app.help import CUT, HelpScreen
from nimtui.ui.kit.forms.choices import Choices
from nimtui.ui.kit.widgets.canvas import fitted
from nimtui.ui.kit.widgets.panel import Panel
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from tests.ui.conftest import screen_text
from tests.ui.playing import settled

WORDS = ["moves", "wins,", "never", "17.5", "rows.", "a", "position;", "·"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join)
SENTENCE = "In turn, take one match. Whoever takes the last one, wins; the other loses."
WITH_PRESETS = pytest.mark.parametrize(
    "mode", [mode for mode in modes.MODES if mode.presets], ids=lambda mode: mode.name
)
STOPS = (" ", ",", ":", ".", ";")


def whole(text: str, at: int, room: int) -> bool:
    """Whether a text that is cut at this place is cut after a word, or within one that is wider than half the room."""
    begin = max(text.rfind(sign, 0, at) for sign in " \t") + 1
    word = text[begin:].split(None, 1)[0] if text[begin:].strip() else ""
    within_number = bool(re.fullmatch(r"[\d.,]\d|\d[.,]", text[at - 1 : at + 1]))
    if text[at - 1 : at].isspace() or (text[at : at + 1] in ("", *STOPS) and not within_number):
        return True
    return cell_len(word) > room / 2 and not within_number


@given(TEXTS, st.integers(3, 40))
def test_a_cut_line_never_ends_within_a_word_if_it_has_two(text: str, columns: int) -> None:
    shown = plain_text(cut(line(text), columns))
    assert cell_len(shown) <= columns
    if shown != text:
        kept = shown.removesuffix("…")
        assert text.startswith(kept)
        whole = kept.endswith(" ") or text[len(kept) :].startswith(STOPS)
        assert whole or not re.search(r"\s", text[columns // 2 : columns])


@given(TEXTS, st.integers(0, 60))
def test_a_fitted_text_fills_its_cells_and_keeps_whole_words_and_numbers(text: str, columns: int) -> None:
    shown = fitted(text, columns, "…")
    assert cell_len(shown) == columns
    if cell_len(text) > columns > 0:
        kept = shown.rstrip().removesuffix("…")
        assert text.startswith(kept) and whole(text, len(kept), columns - 1)
    else:
        assert shown.rstrip() == text.rstrip()[:columns]


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("quality:margin=50 · my own name · nim:7,5,3 · 15k", 49, "quality:margin=50 · my own name · nim:7,5,3 · 15k"),
        ("quality:margin=50 · my own name · nim:7,5,3 · 15k", 36, "quality:margin=50 · my own name · …"),
        ("quality:margin=50 · my own name · nim:7,5,3 · 15k", 22, "quality:margin=50 · …"),
        ("reward · tower:25 · 1,234,567 of 5,000,000 games", 28, "reward · tower:25 · …"),
        ("reward · tower:25 · 1,234,567 of 5,000,000 games", 35, "reward · tower:25 · 1,234,567 of …"),
        ("1,234,567 of 5,000,000 games", 6, "…"),
        ("mcts:simulations=1000000,c=1.5", 22, "mcts:simulations=…"),
        ("2026-11-25-143022-reward-1234.npz", 16, "2026-11-25-…"),
    ],
)
def test_a_name_is_cut_after_a_word_and_never_within_a_number(text: str, columns: int, shown: str) -> None:
    assert fitted(text, columns, "…").rstrip() == shown


@pytest.mark.parametrize(
    ("columns", "kept"),
    [
        (70, "In turn, take one match. Whoever takes the last one, wins; …"),
        (46, "In turn, take one match. Whoever takes the …"),
    ],
)
def test_a_line_is_cut_at_its_last_clause(columns: int, kept: str) -> None:
    assert plain_text(cut(line(SENTENCE), columns)) == kept


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (4, SENTENCE),
        (3, "In turn, take one match. Whoever takes the last one, wins …"),
        (2, "In turn, take one match. …"),
        (1, "In turn …"),
    ],
)
def test_a_text_of_several_lines_ends_with_a_clause(rows: int, kept: str) -> None:
    wholes: list[str] = []
    with gathering(wholes):
        shown = mended(paragraphs([SENTENCE], 24), rows)
    assert " ".join(map(plain_text, shown)) == kept and len(shown) <= rows
    assert wholes == [SENTENCE] * (kept != SENTENCE)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(14, 40), st.integers(1, 8))
def test_texts_in_too_few_lines_keep_whole_words(texts: list[str], columns: int, rows: int) -> None:
    wholes: list[str] = []
    with gathering(wholes):
        shown = mended(paragraphs(texts, columns), rows)
    assert len(shown) <= rows and all(len(plain_text(each)) <= columns for each in shown)
    said, whole = (" ".join(text.split()) for text in (" ".join(map(plain_text, shown)), " ".join(texts)))
    kept = said.removesuffix("…").split()
    assert said == whole or wholes
    assert [word.strip(".,;") for word in kept] == [word.strip(".,;") for word in whole.split()[: len(kept)]]


def broken(panel: Panel) -> list[str]:
    """The lines of a panel that are cut within a word although they have several."""
    wholes, found = panel.cut_off(), []
    for shown in panel.text().split("\n"):
        kept, sign, _ = (part.strip() for part in shown.partition("…"))
        text = next((whole for whole in wholes if kept and kept in whole), "")
        if sign and text and len(kept.split()) > 2 and not f"{text[text.index(kept) + len(kept) :]} ".startswith(STOPS):
            found.append(shown)
    return found


async def all_is_whole(pilot: Any) -> None:
    """Nothing on this screen is cut within a word, and F1 shows whatever is cut."""
    app = pilot.app
    panels = [panel for panel in app.screen.query(Panel) if panel.display and panel.size.area]
    assert [each for panel in panels if not isinstance(panel, VirtualList) for each in broken(panel)] == []
    wholes = [text for panel in panels for text in panel.cut_off()]
    await pilot.press("f1")
    assert isinstance(app.screen, HelpScreen)
    told = str(app.screen.query_one("#words").render())
    assert all(" ".join(text.split()) in " ".join(told.split()) for text in wholes)
    assert (CUT in told) == bool(wholes)
    await pilot.press("escape")


@pytest.mark.slow
@WITH_PRESETS
async def test_every_preset_of_a_screen(make_app: Any, mode: Any) -> None:
    for preset in modes.presets_of(mode):
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            app.begin(mode.name, preset.setup)
            await pilot.pause(0.3)
            await all_is_whole(pilot)


@pytest.mark.slow
async def test_every_offered_game_with_its_rules_and_reasons(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        for preset in presets():
            app.play(PlaySetup(preset.game, None, ("me", "random"), 1).validate())
            for key in ("w", "w"):
                await pilot.press(key)
                await settled(pilot)
                await all_is_whole(pilot)


@pytest.mark.slow
@WITH_PRESETS
async def test_what_is_offered_is_never_cut(make_app: Any, mode: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.action_mode(mode.name)
        await pilot.pause(0.3)
        text = screen_text(app).replace("settings …", "").replace("tournament …", "")
        assert app.screen.query(Choices) and "…" not in text
