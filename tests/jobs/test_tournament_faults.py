"""What goes wrong in a tournament: agents, processes, the disk, and this process itself. Nothing is lost by it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nimtui.jobs import tournament
from nimtui.jobs.tournament import Tournament
from nimtui.progress import Progress
from nimtui.store import StoreError
from nimtui.store import tournaments as store
from nimtui.store.database import Database
from tests.jobs.playing import Looking, begin, literal, rows, some_plan, timeless
from tests.jobs.test_processes import ROOT, alive

TESTED = some_plan("elo0=0,elo1=200", 60)


def test_an_agent_that_raises_or_cheats_loses_that_game_alone(db: Database) -> None:
    plan = some_plan(agents=["random", "awkward:raises", "awkward:cheats"])
    with begin(db, plan) as kept:
        view = Tournament(plan, kept, 1).work()
        assert view.finished and view.done == plan.total and kept.info.state == "done"
        games = [(plan.pairings[place], row) for place, found in enumerate(rows(kept)) for row in found]
    said = {
        "random": "",
        "awkward:raises": "awkward:raises raised ValueError: three is too many",
        "awkward:cheats": "awkward:cheats played 1000, which is not legal",
    }
    losers = [plan.agents[two.first if row.result < 0 else two.second] for two, row in games if row.fault]
    assert len(games) == plan.total and [row.fault for _, row in games if row.fault] == [
        said[loser] for loser in losers
    ]
    by_agent = {agent: losers.count(agent) for agent in plan.agents}
    assert by_agent["random"] == 0 < min(by_agent["awkward:raises"], by_agent["awkward:cheats"])
    assert {row.agent: row.faults for row in view.standings.rows} == by_agent
    assert "nim:" in view.latest_fault and "\n" not in view.latest_fault
    assert said["awkward:cheats"] in [kind.text for kind in view.kinds]


class Killing(Progress):
    """Kills one of the processes at work, as soon as there is one."""

    killed = 0

    def report(self, done: float, total: float, what: str = "") -> None:
        if not self.killed and (children := multiprocessing.active_children()):
            self.killed = children[0].pid or 0
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.slow
def test_a_process_that_dies_costs_nothing(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two processes, a sequential test and the database all at once."""
    wanted = timeless(Tournament(TESTED, workers=1).work())
    monkeypatch.setattr(tournament, "WORTH", 0.0)
    monkeypatch.setattr(tournament, "SURE", 0.0)
    monkeypatch.setattr(tournament, "ASIDE", -1.0)
    killing = Killing()
    with begin(db, TESTED) as kept:
        assert timeless(Tournament(TESTED, kept, 2).work(killing)) == wanted
        assert killing.killed
        found = rows(kept)
    assert [len(games) for games in found] == [score.wanted for score in wanted.scores]
    for place, games in enumerate(found):
        assert [game.number for game in games] == list(range(len(games)))
        assert literal(TESTED, place, 5) == (games[5].result, list(memoryview(games[5].moves).cast("h")))


PARENT = """
import sys
from nimtui.check.quarantine import add_own_files
from nimtui.jobs import tournament
from nimtui.progress import Progress
from nimtui.store.database import Database
from tests.jobs import playing
add_own_files()
tournament.WORTH = tournament.SURE = 0.0
plan = playing.some_plan(agents=["awkward:slow", "random"])
class Telling(Progress):
    def report(self, done, total, what=""):
        print(int(done), flush=True)
if __name__ == "__main__":
    tournament.Tournament(plan, playing.begin(Database(), plan), 2).work(Telling())
"""


@pytest.mark.slow
def test_a_killed_tournament_leaves_nobody_behind_and_loses_nothing(db: Database, home: Path) -> None:
    script = home / "parent.py"
    script.write_text(PARENT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        told = 0
        while told < 4 or len(workers(home) - {parent.pid}) < 2:
            told = int(parent.stdout.readline())  # its end is no number
        children = workers(home) - {parent.pid}
        parent.kill()
    until = time.monotonic() + 60
    while any(alive(child) for child in children) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(alive(child) for child in children)
    with store.resume(db) as kept:
        assert told <= kept.info.played < kept.info.total and kept.info.seconds > 0


def workers(home: Path) -> set[int]:
    """The processes in which the slow agent has moved."""
    return {int(path.name.partition(" ")[2]) for path in (home / "agents").glob("pid *")}


@contextmanager
def full(*_: object) -> Iterator[None]:
    raise StoreError("the disk is full")
    yield


@pytest.mark.slow
def test_games_that_cannot_be_kept_now_are_kept_later(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = some_plan()
    monkeypatch.setattr(tournament, "BEAT", 0.0)
    writing = db.writing
    with begin(db, plan) as kept:
        played = Tournament(plan, kept, 1)

        class Filling(Looking):
            def report(self, done: float, total: float, what: str = "") -> None:
                db.writing = full if 20 <= done < 100 else writing  # type: ignore[method-assign, assignment]
                super().report(done, total, what)

        looking = Filling(played)
        view = played.work(looking)
        assert view.finished and view.fault == "" and kept.info.state == "done"
        seen = {view.fault for view in looking.views if 40 <= view.done < 90}
        assert seen == {"the disk is full"} and looking.views[0].fault == ""
        assert [len(games) for games in rows(kept)] == [plan.number] * len(plan.pairings)
        assert timeless(view) == timeless(Tournament(plan, workers=1).work())


def test_games_of_another_plan_are_refused(db: Database) -> None:
    plan = some_plan(number=4)
    with begin(db, plan) as kept:
        Tournament(plan, kept, 1).work()
        with pytest.raises(StoreError, match=rf"^tournament {kept.id} is damaged: it holds games outside its plan$"):
            Tournament(some_plan(number=2), kept)
        assert kept.info.played == plan.total
