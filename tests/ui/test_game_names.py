"""A game of several sizes has one name in every list and in the documentation: that of its own title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nimtui.games import parse_game
from nimtui.games.registry import presets
from nimtui.ui.app import modes
from nimtui.ui.search.screen import SearchDraft
from nimtui.ui.search.setup import SearchSetup

ROOT = Path(__file__).parents[2]
MENTION = re.compile(r"\b(?:connect|kayles|chomp|noughts|neighbours|tower of|nim (?=\d)|\d+ matches)", re.IGNORECASE)
SIZED = re.compile(r"\b(?:Connect(?: Four)?|Chomp|Noughts and crosses|Kayles|Nim),? \d+(?: ?[×,x] ?\d+)+")


def texts() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every text of a list that offers games, with its games."""
    yield from ((title, (game,)) for title, game in presets())
    draft = SearchDraft.of(SearchSetup())
    yield from ((offer.label, (offer.value,)) for offer in draft.offers("game"))
    for mode in modes.MODES:
        for preset in modes.presets_of(mode):
            games = preset.setup.games if mode.name == "tournament" else (preset.setup.game,)
            yield preset.title, games
            yield preset.about, games


def test_a_list_calls_a_game_by_its_title_wherever_it_names_one() -> None:
    mentions = 0
    for text, games in texts():
        titles = [parse_game(game).title.partition(" · ")[0].casefold() for game in games]
        for found in MENTION.finditer(text):
            rest = text[found.start() :].casefold()
            assert any(rest.startswith(title) for title in titles), (text, titles)
            mentions += 1
    assert mentions > 35


def test_a_game_that_is_offered_has_the_name_of_its_title() -> None:
    for preset in presets():
        game = parse_game(preset.game)
        title, _, end = game.title.partition(" · ")
        assert preset.title == title + ", misère" * end.endswith("loses" if game.board_kind == "rows" else "never")


def test_the_documentation_writes_a_game_and_its_size_as_the_title_does() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    named = [found[0] for page in pages for found in SIZED.finditer(page.read_text("utf-8"))]
    for name in named:
        assert re.fullmatch(
            r"(?:Connect Four|Chomp|Noughts and crosses), \d+ × \d+|(?:Kayles|Nim) \d+(?:,\d+)+", name
        ), name
    assert len(named) > 15
