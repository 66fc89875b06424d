"""What the tests of the Tournament screen share: standings made by hand, a small tournament, an app at one."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from nimtui.agents import registry
from nimtui.arena.play.plan import ORDERED, ROUND_ROBIN, Plan, plan
from nimtui.arena.rating.ratings import Rating, Score, rate
from nimtui.arena.standings.standings import Cell, PairingScore, Standing, Standings, meetings
from nimtui.jobs.work import State
from nimtui.store.settings import Settings
from nimtui.ui.tournament.setup import TournamentSetup
from nimtui.ui.tournament.work import TournamentWork
from tests.jobs import awkward
from tests.ui.playing import until

CALM = Settings(animation=False)
GAME = "subtraction:21,3:misere"
SMALL = TournamentSetup((GAME,), ("perfect", "random", "mc:playouts=20"), number=20, seed=1)
AGENTS = (
    "perfect", "mc:policy=perfect-opponent", "mcts:simulations=500,c=1.0", "value", "mc", "random",
    "mcts:simulations=10000,c=1.0", "alphabeta:depth=4", "alphabeta:depth=8", "minimax:depth=4", "hard", "easy",
)  # fmt: skip
GAMES = 100  # of a pairing


def standings(number: int = 6, *, pairs: str = ROUND_ROBIN, faults: int = 0, judged: bool = True) -> Standings:
    """So many agents, each of which won 3 of 4 games against those below it; the first one has won all.

    Elo is 400 for the second, 300 for the third and so on, each ±60; the last one committed faults.
    """
    made = plan((GAME,), AGENTS[:number], pairs, GAMES)
    entrants = range(number)
    each = GAMES if pairs == ORDERED else GAMES // 2

    def cell(row: int, column: int) -> Cell | None:
        if row == column:
            return Cell(each // 2, each // 2, 0) if pairs == ORDERED else None
        share = 1.0 if row == 0 else 0.0 if column == 0 else 0.75 if row < column else 0.25
        return Cell(int(each * share), each - int(each * share), 0)

    cells = tuple(tuple(cell(row, column) for column in entrants) for row in entrants)
    scores = [score(made, place, cell) for place in range(len(made.pairings))]
    played = meetings(made, scores)
    rows = []
    for at in entrants:
        others = [other for other in entrants if other != at]
        wins = sum(cells[at][o].first_wins for o in others), sum(cells[o][at].second_wins for o in others)
        losses = sum(cells[at][o].second_wins for o in others), sum(cells[o][at].first_wins for o in others)
        share = sum(wins) / (sum(wins) + sum(losses))
        elo = 500.0 - 100 * at
        rating = Rating(900.0, 412.0, 1388.0, at_least=412.0) if at == 0 else Rating(elo, elo - 60, elo + 60)
        wrong, fault = 40 * at, faults * (at == number - 1)
        points, games = float(sum(wins)), sum(wins) + sum(losses)
        scored = Score(points, games, max(0.0, share - 0.05), min(1.0, share + 0.05))
        agent = made.agents[at]
        rows.append(Standing(at, agent, wins, (0, 0), losses, scored, rating, 1000, 800, wrong, judged, fault))
    return Standings(
        made.agents, tuple(rows), cells, rate(number, played), played, made, by_elo=made.pairs == "gauntlet"
    )


def score(made: Plan, place: int, cell: Callable[[int, int], Cell | None]) -> PairingScore:
    """The results of a pairing, from the crosstable's cells; of pairs as many as possible are even."""
    pairing = made.pairings[place]
    seats = [cell(pairing.first, pairing.second), cell(pairing.second, pairing.first) if made.alternate else None]
    first, second = (Cell(0, 0, 0) if one is None else one for one in seats)
    wins, losses = (first.first_wins, second.second_wins), (first.second_wins, second.first_wins)
    even = min(sum(wins), sum(losses))
    pairs = ((sum(losses) - even) // 2, 0, even, 0, (sum(wins) - even) // 2)
    return PairingScore(pairing, wins, (0, 0), losses, (0, 0), (0, 0), (0, 0), (0, 0), pairs, made.number)


def add_awkward(home: Any, monkeypatch: Any) -> None:
    """An agent that a person has added, and that raises, plays what is not legal, or is slow."""
    (home / "agents").mkdir()
    shutil.copy(awkward.__file__, home / "agents")
    monkeypatch.setattr(registry, "_added", [])
    registry.add(awkward)  # type: ignore[arg-type]


class Gate:
    """Holds back every piece of games that is played in this process until it is opened."""

    def __init__(self, monkeypatch: Any) -> None:
        from nimtui.jobs import tournament

        monkeypatch.setattr(tournament, "TARGET", 0.0)  # game by game: a stop finds games that were not played yet
        self.open = threading.Event()
        play = tournament.play

        def waiting(*given: Any, **more: Any) -> Any:
            assert self.open.wait(30)
            time.sleep(0.02)  # a stop is heard between two games
            return play(*given, **more)

        monkeypatch.setattr(tournament, "play", waiting)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    found = Gate(monkeypatch)
    yield found
    found.open.set()


@asynccontextmanager
async def tournament(
    make_app: Any,
    setup: TournamentSetup | None = SMALL,
    *,
    size: tuple[int, int] = (80, 24),
    settings: Settings = CALM,
    **more: Any,
) -> Any:
    """A pilot at this tournament, as soon as it has begun; without one at the offers."""
    app = make_app(settings, **more)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.begin("tournament", setup)
        await until(pilot, lambda: app.screen_stack[0].is_mounted and app.current_mode == "tournament")
        if setup is not None:
            await until(pilot, lambda: app.tournament.task is not None or "Cannot" in app.tournament.message)
        yield pilot


async def finished(pilot: Any) -> TournamentWork:
    """Let it come to its end, and be drawn."""
    conductor: TournamentWork = pilot.app.tournament
    await until(pilot, lambda: conductor.state is State.FINISHED)
    await until(pilot, lambda: "finished" in panel(pilot, "progress") and "%" in panel(pilot, "words"))
    view = conductor.view
    assert view is not None
    await until(pilot, lambda: conductor.rating.up_to_date(view))
    return conductor


def panel(pilot: Any, name: str) -> str:
    """What a panel of the shown screen shows."""
    return str(pilot.app.screen.query_one(f"#{name}").text())


def lines(pilot: Any, name: str) -> list[str]:
    return panel(pilot, name).splitlines()
