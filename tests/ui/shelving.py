"""What the tests of the Library share: a home with something of every kind in it, and the screen that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from nimtui.games import Game, Record, base, parse_game
from nimtui.jobs.sweep import begin
from nimtui.learning import opponents, taught
from nimtui.learning.learner import parse_learner
from nimtui.learning.sweep import plan
from nimtui.store import paths, saved_games, sweeps, tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameRow
from tests.ui.playing import CALM, until
from tests.ui.playing import panel as panel

NIM = "nim:3,2,1"
AGENTS = ("perfect", "random", "mc:playouts=10")
RUN = {"rng": 0, "plies": 9, "seconds": 0.1, "curve": [[40, 0.75, 0.5]], "more": {"goal": {"games": 90}}}


def codes(game: Game, moves: str) -> list[int]:
    """The codes of moves from the start, as people type them."""
    state, found = game.new(), []
    for name in moves.split():
        found.append(game.parse_move(name, state))
        base.play(state, found[-1])
    return found


def row(moves: str, result: int, number: int = 0, opener: int = 0, opening: int = 0, fault: str = "") -> GameRow:
    """A game of NIM as it is kept."""
    data = b"".join(code.to_bytes(2, "little") for code in codes(parse_game(NIM), moves))
    return GameRow(number, opener, opening, data, result, (2, 1), (1, 1), (1, 0), fault, 0.0)


def keep_table(folder: Path, name: str, learner: str = "quality", seed: int = 1, run: Any = None) -> Path:
    """A table of NIM, in a file."""
    table = opponents.train_interpreted(parse_game(NIM), parse_learner(learner), 40, seed)
    path = paths.ensure(folder) / name
    table.save(path, run)
    return path


def keep_sweep(name: str = "swept.jsonl") -> Path:
    """A sweep of four cells of which nothing is known yet."""
    path = paths.ensure(sweeps.folder()) / name
    begin(plan(parse_game(NIM), "quality", ["margin=50,90", "win=19,29"], 1, 60, 0), path).close()
    return path


def keep_taught(path: Path, when: float = 0.0) -> Path:
    """A table of NIM with one lesson."""
    record = Record(parse_game(NIM), moves=codes(parse_game(NIM), "a3 b2 c1"))
    table = opponents.train_interpreted(record.game, parse_learner("q"), 40, 1)
    taught.keep(path, "easy", table, [taught.Lesson.of(record, None, ("me", "perfect"), when, 10)])
    return path


def keep_tournament(
    db: Database,
    agents: Sequence[str] = AGENTS[:2],
    name: str = "",
    wins: int = 3,
    rows: Sequence[GameRow] | None = None,
    **more: Any,
) -> int:
    """A tournament of two agents, of four games or these; the first one wins so many, always moving first."""
    plan = {"games": [NIM], "pairs": "round-robin", "number": 4, "openings": "start", "seed": 7}
    kept = tournaments.begin(db, plan | {"agents": list(agents)}, [NIM], agents, [(0, 0, 1)], 4, name=name, **more)
    won, lost = ("a3 b2 c1", 1), ("a3 b1 b1 c1", -1)
    games = [row(*(won if at < wins else lost), at) for at in range(4)] if rows is None else rows
    if games:
        kept.append(0, games)
    kept.ended("done", 1.0)
    kept.close()
    return kept.id


def furnish() -> dict[str, Any]:
    """Something of every kind, and one that is damaged."""
    db = Database()
    found: dict[str, Any] = {
        "table": keep_table(paths.tables(), "kept.npz"),
        "run": keep_table(paths.runs(), "trained.npz", "reward", 2, RUN),
        "sweep": keep_sweep(),
        "tournament": keep_tournament(db, name="cup"),
        "game": saved_games.save_game(db, NIM, "me", "perfect", row("a3 b2 c1", 1)),
    }
    (paths.runs() / "torn.npz").write_bytes(found["run"].read_bytes()[:3000])
    db.close()
    return found


@asynccontextmanager
async def library(make_app: Any, size: tuple[int, int] = (80, 24), **more: Any) -> Any:
    """A pilot at the Library, once it has looked; what is marked is read, and shown whole, at once."""
    app = make_app(CALM, **more)
    with pytest.MonkeyPatch.context() as patch:
        for wait in ("REST", "LONG_REST"):
            patch.setattr(f"nimtui.ui.library.screen.{wait}", 0.001)
        async with app.run_test(size=size) as pilot:
            await pilot.press("f6")
            await until(pilot, lambda: app.current_mode == "library" and app.screen.is_mounted and looked(pilot))
            yield pilot


def looked(pilot: Pilot[Any]) -> bool:
    """Has it looked, read what there is to say, and done what was asked?"""
    screen = pilot.app.screen_stack[0]
    conductor = getattr(screen, "conductor", None)
    if conductor is None or not conductor.looked or conductor.busy or conductor._looking.running:
        return False
    if conductor.item is None or not screen.has_class("-huge"):
        return conductor.item is None or conductor.details is not None
    return screen._whole == conductor.item.key


async def pressed(pilot: Pilot[Any], *keys: str) -> None:
    """Press these, and wait until all that follows is done."""
    await pilot.press(*keys)
    await pilot.pause()
    await until(pilot, lambda: pilot.app.current_mode != "library" or looked(pilot))


def titles(pilot: Pilot[Any]) -> list[str]:
    """What is listed: the kinds and names."""
    return [f"{item.kind}: {item.name}" for item in pilot.app.screen_stack[0].conductor.shown]


async def goto(pilot: Pilot[Any], kind: str, name: str = "") -> None:
    """Put the cursor on the first thing of a kind (and a name)."""
    conductor = pilot.app.screen_stack[0].conductor
    at = next(
        at for at, item in enumerate(conductor.shown) if item.kind == kind and name in item.name and not item.fault
    )
    conductor.go(at)
    await until(pilot, lambda: looked(pilot))
