"""Two saved things side by side, and several tournaments as one pool: what the Library's comparisons say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.arena.compare.comparison import Kind
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning import opponents
from nimtui.learning.learner import parse_learner
from nimtui.learning.training import Training
from nimtui.progress import SILENT
from nimtui.report.blocks import Report, Sentence, Table
from nimtui.report.cells import cells
from nimtui.store import paths, saved_games
from nimtui.store.database import Database
from nimtui.ui.compare.saved import Compared, pool
from nimtui.ui.library.catalogue import compare, why_not
from nimtui.ui.library.shelf import Item
from nimtui.ui.library.shelf import Kind as Saved
from tests.ui.conftest import screen_text
from tests.ui.drawn import as_drawn
from tests.ui.playing import until
from tests.ui.shelving import NIM, RUN, goto, keep_table, keep_taught, keep_tournament, library, pressed, row


@pytest.fixture
def db(home: Path) -> Iterator[Database]:
    with closing(Database()) as found:
        yield found


def item(kind: Saved, place: Path | int, name: str = "") -> Item:
    return Item(kind, place, "", name, 0.0, 0)


def nowhere() -> Database:
    raise AssertionError("files alone are compared")


def compared(*items: Item, db: Database | None = None) -> Compared:
    found = compare(items, nowhere if db is None else lambda: db, SILENT)
    assert isinstance(found, Compared)
    return found


def lines_of(found: Compared) -> list[str]:
    return [block.text for block in found.report.blocks if isinstance(block, Sentence)]


def rows_of(found: Compared) -> list[tuple[str, ...]]:
    [table] = [block for block in found.report.blocks if isinstance(block, Table)]
    return [tuple(column.value(row).text for column in table.columns) for row in table.rows]


def drawn(name: str, found: Compared | Report, columns: int = 90) -> None:
    as_drawn("library-compared", name, list(cells(found if isinstance(found, Report) else found.report, columns)))


# Tables.


def test_two_tables_of_one_game() -> None:
    paths_ = keep_table(paths.tables(), "one.npz"), keep_table(paths.runs(), "two.npz", "reward", 2, RUN)
    found = compared(*(item(Saved.TABLE, path) for path in paths_))
    drawn("tables", found)
    assert (found.marked, found.pool) == (0, None)


@pytest.mark.parametrize("name", ["noughts:2x3x3", "nim:1"])
def test_tables_of_a_game_with_draws_and_without_a_choice(tmp_path: Path, name: str) -> None:
    files = [tmp_path / f"{name.replace(':', '-')}-{seed}.npz" for seed in (0, 1)]
    for seed, path in enumerate(files):
        learner = parse_learner("quality:margin=50")
        opponents.train_interpreted(parse_game(name), learner, 9 * seed, seed).save(path, None)
    drawn(f"tables of {name}", compared(*(item(Saved.TABLE, path) for path in files)))


def test_tables_of_different_games_have_their_own_measured_accuracy(tmp_path: Path) -> None:
    for at, (name, run) in enumerate((("nim:3,2,1", None), ("nim:3,2", RUN))):
        opponents.train_interpreted(parse_game(name), parse_learner("q"), 30, 1).save(tmp_path / f"{at}.npz", run)
    found = compared(*(item(Saved.TABLE, tmp_path / f"{at}.npz") for at in (0, 1)))
    assert lines_of(found) == ["Tables of different games share no positions."]
    assert rows_of(found) == [
        ("file", "0.npz", "1.npz"),
        ("game", "nim:3,2,1", "nim:3,2"),
        ("learner", "q", "q"),
        ("games", "30", "30"),
        ("seed", "1", "1"),
        ("accuracy", "unknown", "75.0 %"),
    ]


def test_versions_of_a_taught_table_are_named_by_their_numbers() -> None:
    one = item(Saved.TABLE, keep_taught(paths.ensure(paths.tables()) / "mine.npz"))
    rows = rows_of(compared(replace(one, version=0), replace(one, version=1)))
    assert rows[0] == ("file", "mine@0", "mine@1") and rows[3] == ("games", "40", "50")


def test_a_game_too_large_for_a_graph_has_no_games_between_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    paths_ = keep_table(paths.tables(), "one.npz"), keep_table(paths.tables(), "two.npz", "reward")
    monkeypatch.setattr("nimtui.ui.compare.saved.why_untrainable", lambda game: "too large")
    found = compared(*(item(Saved.TABLE, path) for path in paths_))
    assert lines_of(found) == ["The tables cannot play each other: too large."] and len(rows_of(found)) == 5


def test_two_functions_of_a_large_game_have_their_measured_right_moves(tmp_path: Path) -> None:
    run = RUN | {"curve": [[0, None, None, 0.25, None], [9, None, None, 0.75, 0.5, 1.0], [20, None, None, 0.5, None]]}
    for name in ("linear", "net:hidden=2"):
        training = Training(parse_game("tower:100"), name, 1, measured=False)
        training.table.save(tmp_path / f"{name[:3]}.npz", run)
    found = compared(*(item(Saved.TABLE, tmp_path / f"{name}.npz") for name in ("lin", "net")))
    assert rows_of(found)[-1] == ("right moves", "50.0 %", "50.0 %")
    assert [list(series.points) for series in found.curves] == [[(0, 0.25), (9, 0.75), (20, 0.5)]] * 2
    assert lines_of(found) == ["The positions are too many to be listed: games tell which of the two is stronger."]


# Tournaments.


def three(db: Database) -> list[Item]:
    """Tournaments of three pairs of agents; in the last two the second agent wins games, too."""
    pairs = (("perfect", "random"), 3), (("perfect", "mc:playouts=10"), 2), (("mc:playouts=10", "random"), 3)
    numbers = [keep_tournament(db, agents, wins=wins) for agents, wins in pairs]
    return [item(Saved.TOURNAMENT, number, f"tournament {number}") for number in numbers]


def test_two_tournaments_by_those_who_play_in_both(db: Database) -> None:
    one, other, third = three(db)
    found = compared(one, other, db=db)
    drawn("tournaments", found)
    assert found.pool is not None and found.marked == 0
    drawn("pool of two", found.pool)
    assert lines_of(compared(third, other, db=db))[-2:] == [
        "Only in the first: random.",
        "Only in the second: perfect.",
    ]


def test_ratings_that_are_known_have_their_interval(db: Database) -> None:
    games = [
        [row("a3 b2 c1", result, at, at % 2) for at, result in enumerate(results)]
        for results in ((1, 1, -1, -1), (1, -1, -1, 0))
    ]
    numbers = [keep_tournament(db, rows=rows) for rows in games]
    drawn(
        "tournaments with ratings",
        compared(*(item(Saved.TOURNAMENT, one, f"tournament {one}") for one in numbers), db=db),
    )


def test_tournaments_without_a_common_agent_say_so_and_agents_of_one_kind_stay_apart(db: Database) -> None:
    pairs = ("mc:playouts=5", "mc:playouts=50"), ("random", "mc:playouts=7")
    numbers = [keep_tournament(db, agents, rows=()) for agents in pairs]
    found = compared(*(item(Saved.TOURNAMENT, number) for number in numbers), db=db)
    assert found.pool is None
    assert lines_of(found) == [
        "No agent plays in both tournaments.", "Only in the first: mc 5, mc 50.", "Only in the second: random, mc 7."
    ]  # fmt: skip
    assert rows_of(found) == [("games", NIM, NIM), ("openings", "start", "start"), ("played", "0", "0")]
    with pytest.raises(InputError, match="these tournaments have no finished games"):
        pool(db, numbers, SILENT)


def test_a_pool_of_three_has_all_agents_games_and_ratings(db: Database) -> None:
    found = compare(three(db)[::-1], lambda: db, SILENT)
    assert isinstance(found, Report)
    drawn("pool of three", found)


# Games.


@pytest.mark.parametrize(
    ("one", "other", "said", "marked"),
    [
        ("a3 b2 c1", "a3 b1 b1 c1", "Different from move 2: b2 in the first, b1 in the second.", 3),
        ("a3 b2 c1", "a3 b2", "Different from move 3: c1 in the first, no move left in the second.", 4),
        ("b2", "a1", "Different from move 1: b2 in the first, a1 in the second.", 2),
        ("a3 b2", "a3 b2", "The same 2 moves.", 0),
        ("a3", "a3", "The same 1 move.", 0),
    ],
)
def test_two_games_where_they_part(db: Database, one: str, other: str, said: str, marked: int) -> None:
    first = saved_games.save_game(db, NIM, "me", "random", row(one, 1))
    second = saved_games.save_game(db, NIM, "mc", "me", row(other, 1, opener=1))
    found = compared(item(Saved.GAME, first, "game 1"), item(Saved.GAME, second, "game 2"), db=db)
    assert lines_of(found) == [said] and found.marked == marked
    head, answer, *moves = rows_of(found)
    assert (head, answer) == (("first", "me", "me"), ("second", "random", "mc"))
    mine, yours = one.split(), other.split()
    for at, (number, move, another) in enumerate(moves):
        assert number == f"{'→ ' * (bool(marked) and at == marked - 2)}{at + 1}"
        assert (move, another) == ((mine[at : at + 1] or ["–"])[0], (yours[at : at + 1] or ["–"])[0])
    assert len(moves) == max(len(mine), len(yours))
    if marked == 3:
        drawn("games", found)


def test_what_has_nothing_in_common_is_not_compared(db: Database) -> None:
    table, run = item(Saved.TABLE, Path("a")), item(Saved.RUN, Path("b"))
    sweep, game = item(Saved.SWEEP, Path("c")), item(Saved.GAME, 1)
    assert why_not(table, run) == why_not(game, replace(game, place=2)) == ""
    assert why_not(table, replace(table, version=1)) == ""
    assert why_not(table, table) == "This is the marked item: go to another one"
    assert why_not(sweep, replace(sweep, place=Path("d"))) == "Cannot compare sweeps here: export them with e"
    assert why_not(run, game) == "Cannot compare a run with a game"
    assert why_not(sweep, table) == "Cannot compare a sweep with a table"
    ids = [saved_games.save_game(db, name, "me", "mc", row("", 0)) for name in ("nim:3,2,1", "noughts:3x3x3")]
    with pytest.raises(InputError, match="cannot compare different games: nim:3,2,1 and noughts"):
        compared(*(item(Saved.GAME, number) for number in ids), db=db)


@pytest.mark.slow
async def test_two_runs_lie_over_each_other_on_a_map_and_in_one_picture_and_their_differences_have_names(
    make_app: Any,
) -> None:
    """The one who is right on more positions than the other has as many names in its list as signs on the map."""
    for name, learner in (("one.npz", "quality"), ("other.npz", "reward")):
        keep_table(paths.runs(), name, learner, 2, RUN)
    async with library(make_app, (200, 60)) as pilot:
        await goto(pilot, "run", "one")
        await pressed(pilot, "space")
        await goto(pilot, "run", "other")
        await pilot.press("c")
        await until(pilot, lambda: bool(pilot.app.screen.query("#compared")))
        text, screen = screen_text(pilot.app), pilot.app.screen
        both = screen._compared.positions.compared
        assert f"only the first: {both.counts[Kind.FIRST]}" in text
        assert f"only the second: {both.counts[Kind.SECOND]}" in text
        assert all(both.name(node) in text for node in both.nodes(Kind.SECOND).tolist())
        assert "1 ⠒⠒ quality" in text and "2 ⠂⠂ reward" in text and "positions by matches left" in text
        await pilot.resize_terminal(80, 24)
        assert "only the first" not in screen_text(pilot.app) and "learner" in screen_text(pilot.app)
