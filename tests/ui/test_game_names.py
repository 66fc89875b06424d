"""A game has one name in every list, on every screen and in the documentation: that of its own title."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.games.registry import presets
from nimtui.learning import sweep
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.playing.setup import USUAL_NAMES, PlaySetup, usual_name
from nimtui.store import paths
from nimtui.ui.app import modes
from nimtui.ui.play.compare_setup import MOST_AGENTS, beside, of_game
from nimtui.ui.search.screen import SearchDraft
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.train.setup import cut_run, kept_runs
from tests.ui.conftest import screen_text
from tests.ui.playing import CALM, played, until

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


# The usual name.

TOWER = "nim:1,3,5,7"


def test_a_usual_name_is_that_of_the_preset() -> None:
    canonical = {parse_game(preset.game).name: preset.game for preset in presets()}
    assert {name: usual for name, usual in canonical.items() if name != usual} == USUAL_NAMES
    for name, usual in canonical.items():
        assert usual_name(name) == usual == usual_name(usual)
    assert usual_name("nim:4,4") == "nim:4,4" and usual_name("unknown:3") == "unknown:3"


def cut_training(game: str) -> None:
    training = Training(parse_game(game), "reward", 1)
    Run(training).goal(5_000_000, False)
    training.table.games = 1_234_567
    training.save(paths.ensure(paths.runs()) / "cut.npz")


def test_every_place_has_the_same_name() -> None:
    cut_training("tower:16")
    for place in (cut_run(), kept_runs()[0]):
        assert place is not None and place.title == "reward · tower:16 · 1,234,567 of 5,000,000 games"
    assert beside(TOWER, None, "").game == "tower:16"
    compared = of_game(played("tower:16", "a1"))
    assert (compared.game, compared.position, compared.agents[0]) == ("tower:16", "0,3,5,7", "random")
    most = replace(compared, agents=tuple(f"mc:playouts={number}" for number in range(1, MOST_AGENTS + 2)))
    with pytest.raises(InputError, match=f"at most {MOST_AGENTS} agents, not {MOST_AGENTS + 1}"):
        most.parsed(parse_game("tower:16"))
    made = sweep.plan(parse_game("tower:16"), "quality", ["margin=50,90"], 1, 60, 0)
    assert SweepSetup.of(made).game == "tower:16"
    assert SweepSetup.of(made).plan().game.name == TOWER


@pytest.mark.slow
async def test_search_from_a_game_shows_the_usual_name(make_app: Any) -> None:
    async with make_app(CALM).run_test(size=(80, 24)) as pilot:
        app = pilot.app
        app.play(PlaySetup("tower:16", None, ("me", "random"), 1).validate())
        await until(pilot, lambda: app.current_mode == "play")
        assert app.screen.session.setup().game == "tower:16"
        app.search(TOWER, "1,3,5,6")
        await until(pilot, lambda: "tower:16 from 1,3,5,6" in screen_text(app))
        assert TOWER not in screen_text(app)


@pytest.mark.slow
def test_the_start_screen_names_a_cut_training_without_numpy(home: Any) -> None:
    cut_training("tower:25")
    code = (
        "import sys; from nimtui.ui.train.setup import cut_run; print(cut_run().title);"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "reward · tower:25 · 1,234,567 of 5,000,000 games")
