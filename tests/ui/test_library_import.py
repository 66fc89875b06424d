from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimtui.arena.play.plan import plan as planned
from nimtui.arena.standings import tournament_files
from nimtui.jobs.tournament import Tournament
from nimtui.progress import SILENT
from nimtui.store import tournaments
from nimtui.store.database import Database
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.shelving import library, pressed


@pytest.mark.slow
async def test_i_imports_a_whole_tournament(make_app: Any, tmp_path: Path) -> None:
    db = Database()
    plan = planned(("nim:3,5",), ("perfect", "random"), number=4)
    pairings = list(plan.pairings)
    kept = tournaments.begin(db, plan.document(), plan.games, plan.agents, pairings, plan.total, name="evening")
    Tournament(plan, kept, 1).work()
    kept.close()
    number = kept.id
    file = tmp_path / "games.txt"
    with file.open("w", encoding="utf-8") as out:
        tournament_files.writer(db, number, ".txt", SILENT)(out)
    tournaments.delete(db, number)
    async with library(make_app) as pilot:
        await pressed(pilot, "i", *str(file), "enter")
        await until(pilot, lambda: "imported" in screen_text(pilot.app))
        assert "4 games imported" in screen_text(pilot.app), screen_text(pilot.app)
        [back] = tournaments.tournaments(db)
        assert back.name == "evening" and back.id != number
        await pressed(pilot, "i", *"nowhere.txt", "enter")
        await until(pilot, lambda: "Nothing imported" in screen_text(pilot.app))
        assert [one.id for one in tournaments.tournaments(db)] == [back.id]
    db.close()
