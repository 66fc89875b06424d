"""What every form says beside its fields: whole words and clauses in 80 columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.widgets import Static

from nimtui.playing.setup import PlaySetup
from nimtui.ui.kit.forms.form import FieldLine
from nimtui.ui.play.form import NewGame
from nimtui.ui.search.screen import SearchForm
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.sweep.screen import SweepForm
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.tournament.form import TournamentForm
from nimtui.ui.tournament.setup import PRESETS as TOURNAMENTS
from nimtui.ui.train.form import TrainForm
from nimtui.ui.train.setup import TrainSetup
from tests.ui.playing import until

LEARNERS = ("reward", "quality", "q", "average", "proof")
SEARCHES = ("alphabeta:depth=4", "minimax:depth=4", "mcts:simulations=100", "mc")
FORMS: dict[str, Callable[[], Any]] = {
    "play": lambda: NewGame(PlaySetup()),
    **{f"train {name}": lambda name=name: TrainForm(TrainSetup(learner=name)) for name in LEARNERS},
    **{f"search {name}": lambda name=name: SearchForm(SearchSetup(search=name)) for name in SEARCHES},
    "sweep": lambda: SweepForm(SweepSetup()),
    **{preset.title: lambda setup=preset.setup: TournamentForm(setup) for preset in TOURNAMENTS},
}


@pytest.mark.slow
async def test_no_meaning_is_cut_off(pilot: Any) -> None:
    for form, made in FORMS.items():
        screen = made()
        await pilot.app.push_screen(screen)
        await until(
            pilot,
            lambda screen=screen: all(field.query_one(".said").size.width for field in screen.query(FieldLine)),
        )
        await pilot.pause()
        for field in screen.query(FieldLine):
            for name in ("label", "said"):
                part = field.query_one(f".{name}", Static)
                text = str(part.content)
                assert len(text) <= part.content_size.width, f"{form}, {field.id}: {text}"
        await pilot.app.pop_screen()
