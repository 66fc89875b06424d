"""The items of the Library as data and as pictures: what is found, how it is named, sorted, filtered and told."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.compare.comparison import verdicts_on
from nimtui.engine.graph import node_at
from nimtui.games import parse_game
from nimtui.learning.evaluate import UNDECIDED, WORDS, WRONG
from nimtui.learning.training import Training
from nimtui.report.cells import cells
from nimtui.report.lines import plain_text
from nimtui.store import game_list, paths, saved_games, tournaments
from nimtui.store.database import Database
from nimtui.theory.truth import truth
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE, Glyphs
from nimtui.ui.library import catalogue, view
from nimtui.ui.library.catalogue import Scanner, game_of, kept_game, kind_of
from nimtui.ui.library.details import Details, _of_run, curve, details
from nimtui.ui.library.shelf import Item, Kind, Shelf, day, place_of
from tests.ui.drawn import as_drawn
from tests.ui.shelving import AGENTS, NIM, RUN, furnish, keep_table, keep_taught, keep_tournament, row

NOW = datetime(2026, 3, 4, 12, 0)


def ago(**how: float) -> float:
    return (NOW - timedelta(**how)).timestamp()


TABLE = Item(Kind.TABLE, Path("/t/kept.npz"), "kept · quality · nim:3,2,1 · 40", "kept.npz", ago(hours=1), 2_900)
TORN = Item(Kind.RUN, Path("/r/torn.npz"), "torn", "torn.npz", ago(days=1), 3_000, "it is damaged")
SWEEP = Item(Kind.SWEEP, Path("/s/a.jsonl"), "Swept · q · nim:3,2,1 · alpha", "a.jsonl", ago(days=90), 176)
CUP = Item(
    Kind.TOURNAMENT, 3, "cup · 2 agents · nim:3,2,1", "tournament 3", ago(days=2), 4, state="running", given="cup"
)
MATCH = Item(Kind.TOURNAMENT, 12, "me – mc · nim:3,2,1", "match 12", ago(days=400), 1_200)
GAME = Item(Kind.GAME, 20_000_000, "me 1–0 mc · nim:3,2,1", "game 2", ago(days=3), 13)
ITEMS = (TABLE, TORN, SWEEP, CUP, MATCH, GAME)


# The shelf.


def test_an_item_says_how_large_it_is_and_what_it_is_called() -> None:
    sizes = ["2.9 kB", "3 kB", "176 bytes", "4 games", "1,200 games", "13 moves"]
    assert [item.measure.text for item in ITEMS] == sizes
    assert [item.label for item in ITEMS] == ["table", "run", "sweep", "tourn.", "match", "game"]
    assert TABLE.called == "table kept · quality · nim:3,2,1 · 40"
    assert CUP.called == "tournament 3, cup · 2 agents · nim:3,2,1"
    assert len(replace(CUP, title="x " * 50).called) <= 46
    assert CUP.text == "tournament cup · 2 agents · nim:3,2,1 tournament 3 running"


def test_items_are_sorted_filtered_and_counted_by_kind() -> None:
    shelf = Shelf(ITEMS, unlisted=7)
    assert shelf.shown == [TABLE, TORN, CUP, GAME, SWEEP, MATCH]
    by_name = shelf.sorted_otherwise()
    assert (by_name.sort, by_name.shown) == ("name", [CUP, TABLE, GAME, MATCH, SWEEP, TORN])
    by_size = by_name.sorted_otherwise()
    assert (by_size.sort, by_size.shown) == ("size", [TABLE, TORN, GAME, MATCH, CUP, SWEEP])
    assert by_size.sorted_otherwise() == shelf
    three = ((1, "B", 1), (2, "a", 2), (3, "a", 3))
    twins = [replace(GAME, place=at, title=title, when=when) for at, title, when in three]
    assert [item.place for item in Shelf(tuple(twins), sort="name").shown] == [3, 2, 1]
    assert [item.place for item in Shelf(tuple(twins), sort="size").shown] == [3, 2, 1]
    assert [shelf.count(kind) for kind in (None, *Kind)] == [13, 1, 1, 8, 2, 1]
    assert shelf.of_kind(4).shown == [CUP, MATCH] and shelf.of_kind(6).kind is None
    assert (shelf.turned(1).kind, shelf.turned(-1).kind) == (Kind.TABLE, Kind.SWEEP)
    assert shelf.of_kind(2).turned(2).kind is Kind.TOURNAMENT
    assert shelf.filtered("CUP running").shown == [CUP] and shelf.filtered("cup torn").shown == []
    assert shelf.with_items([GAME]).unlisted == 7 and shelf.with_items([GAME], 0).unlisted == 0


def test_a_game_that_is_named_by_its_id_is_listed_once_among_games() -> None:
    named = replace(GAME, place=5)
    shelf = Shelf((GAME, TABLE), words="3:30", named=named)
    assert shelf.shown == [named] and replace(shelf, kind=Kind.GAME).shown == [named]
    assert replace(shelf, kind=Kind.TABLE).shown == []
    assert replace(shelf, words="", named=GAME).shown == [TABLE, GAME]
    assert shelf.filtered("3:30").named is None
    ids = [Shelf(words=words).game_id for words in ("3:30", " Game 3:30 ", "game 3", "3:30 x", "x3:30", "")]
    assert ids == ["3:30", "3:30", "", "", "", ""]


def test_the_cursor_stays_on_its_item_or_at_its_place() -> None:
    assert place_of(ITEMS, CUP.key, 0) == 3 and place_of(ITEMS, None, 2) == 2
    assert place_of(ITEMS, (Kind.GAME, 1), 9) == 5 and place_of((), None, 3) == 0 and place_of(ITEMS, None, -1) == 0


def test_dates_are_short() -> None:
    days = [day(ago(**how), NOW) for how in ({"hours": 1}, {"hours": 13}, {"days": 2}, {"days": 299}, {"days": 300})]
    assert days == ["11:00", "yest.", "02 Mar", "09 May", "2025-05"]
    assert [day(ago(days=-1), NOW), day(ago(days=63), NOW), day(1e30, NOW)] == ["05 Mar", "31 Dec", "?"]
    assert day(datetime(2026, 1, 2).timestamp(), datetime(2026, 12, 30)) == "02 Jan"


# What is found.


def test_everything_saved_is_found_once_and_what_is_damaged_has_its_fault() -> None:
    found = furnish()
    keep_table(paths.runs(), "2026-01-02-030405-quality.npz", "quality:margin=50", run=RUN)
    keep_table(paths.tables(), "nim-3-2-1-reward-40-0-1234abcd.npz", "reward")
    (paths.tables() / "other.npz").write_bytes((paths.runs() / "trained.npz").read_bytes()[:10])
    (paths.ensure(paths.home() / "sweeps") / "odd.jsonl").write_text("{}\n")
    with Database() as db:
        scanner = Scanner()
        items = scanner.look(lambda: db)
        told = {(item.kind.value, item.title, item.fault, item.size * isinstance(item.place, int)) for item in items}
        assert told == {
            ("table", "quality:margin=90 · kept · nim:3,2,1 · 40", "", 0), ("table", "reward · nim:3,2,1 · 40", "", 0),
            ("table", "other", "it is damaged or not a file of nimtui: File is not a zip file", 0),
            ("run", "trained · reward · nim:3,2,1 · 40", "", 0), ("run", "quality:margin=50 · nim:3,2,1 · 40", "", 0),
            ("run", "torn", "it is damaged or not a file of nimtui: File is not a zip file", 0),
            ("sweep", "quality:margin=90 · swept · nim:3,2,1 · margin × win", "", 0),
            ("sweep", "odd", "it is not a sweep of nimtui", 0), ("tournament", "cup · 2 agents · nim:3,2,1", "", 4),
            ("game", "me 1–0 perfect · nim:3,2,1", "", 3),
        }  # fmt: skip
        table = next(item for item in items if item.place == found["table"])
        assert (table.game, table.size, table.lessons) == (NIM, found["table"].stat().st_size, 0)
        assert scanner.look(lambda: db) == items and scanner.faults == [] and scanner.unlisted == 0
    assert [kind_of(path) for path in (found["run"], found["sweep"], found["table"], Path("/x/y.npz"))] == [
        Kind.RUN, Kind.SWEEP, Kind.TABLE, Kind.TABLE
    ]  # fmt: skip


def test_without_the_database_the_files_are_found_and_a_fault_is_told_once() -> None:
    keep_table(paths.tables(), "kept.npz")
    paths.database().mkdir()
    scanner = Scanner()
    assert [item.name for item in scanner.look(Database)] == ["kept.npz"]
    [fault] = scanner.faults
    assert fault.startswith("the database cannot be used: it is a folder. Move it away")
    opened: Any = SimpleNamespace(faults=["mended"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "_rows", lambda database: ([], 3))
        for faults in (["mended"], []):
            assert len(scanner.look(lambda: opened)) == 1 and (scanner.faults, scanner.unlisted) == (faults, 3)


def test_games_and_tournaments_have_titles_of_what_was_played() -> None:
    with Database() as db:
        named = saved_games.save_game(db, NIM, "mc:playouts=9", "me", row("a3 b1 b1 c1", -1, opening=1), "seed 7652656")
        saved_games.save_game(db, NIM, "me", "mc", row("a3", 0), "oldest")
        saved_games.save_game(db, "noughts:3x3x3", "random", "random", row("", 0, fault="it slept"))
        number = keep_tournament(db, AGENTS)
        plan = {"games": [NIM, "nim:2,1"], "agents": ["me", "mc"], "pairs": "ordered", "number": 1, "openings": "start"}
        for kind in ("match", "tournament"):
            tournaments.begin(db, plan, plan["games"], ["me", "mc"], [(0, 0, 1)], 2, kind=kind).close()  # type: ignore[arg-type]
        items = {item.name: item for item in Scanner().look(lambda: db)}
        assert {name: (item.title, item.size, item.state, item.given) for name, item in items.items()} == {
            "game 1": ("mc 0–1 me · nim:3,2,1", 3, "", ""),
            "game 2": ("oldest · me – mc · nim:3,2,1", 1, "", "oldest"),
            "game 3": ("random ½–½ random · noughts:3x3x3", 0, "", ""),
            f"tournament {number}": ("3 agents · nim:3,2,1", 4, "", ""),
            "match 2": ("me – mc · nim:3,2,1", 0, "stopped", ""),
            "tournament 3": ("2 agents · 2 games", 0, "stopped", ""),
        }
        assert game_of("1", lambda: db) == items["game 1"]
        info = game_list.game(db, named)
        kept = kept_game(info, "title")
        found = (kept.first, kept.second, kept.opening, kept.title, kept.fault)
        assert found == ("mc:playouts=9", "me", 1, "title", "")


def test_only_the_newest_single_games_are_listed_and_the_others_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    with Database() as db:
        for _ in range(4):
            saved_games.save_game(db, NIM, "me", "perfect", row("a3 b2 c1", 1))
        for most, listed, unlisted in ((3, 3, 1), (4, 4, 0), (5, 4, 0)):
            monkeypatch.setattr(catalogue, "MOST_GAMES", most)
            scanner = Scanner()
            assert len(scanner.look(lambda: db)) == listed and scanner.unlisted == unlisted


# What is told of each.


def told(found: Details, columns: int = 90) -> list[str]:
    return [plain_text(shown) for shown in cells(found.report, columns)]


CURVE, SHARES = "Accuracy by games", "Share of the points"
MAPPED = ["Positions by matches left, end of the game first; nim-sum 0 on top", "Not right"]
LATEST = ["Latest games, pairing:number", *(f"Game 1:{number}: two plies before the end" for number in (4, 3))]
MORE = {"trained.npz": MAPPED, "kept.npz": MAPPED, "tournament 1": LATEST}
DRAWN = {"trained.npz": CURVE, "tournament 1": SHARES, "game 2": "Two plies before the end"}


def test_the_details_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.theory.answers.BRIEFLY", 1e6)  # on a busy machine, too
    found = furnish()
    with Database() as db:
        for item in Scanner().look(lambda: db):
            rows = isinstance(item.place, int)
            contents = details(replace(item, when=ago(days=1), size=item.size if rows else 2_900), lambda: db)
            lines = cells(contents.report, 90)
            if rows:  # the database has dated them
                lines = [shown for shown in lines if not plain_text(shown).startswith(("changed", "game 2, play"))]
            as_drawn("library", f"details: {item.name}", lines)
            first = [DRAWN[item.name]] if item.name in DRAWN else []
            assert [title for title, _ in contents.pictures] == [*first, *MORE.get(item.name, [])]
            assert bool(first) == (item.name in ("trained.npz", "game 2", "tournament 1"))
            if first:
                as_drawn("library", f"picture: {item.name}", contents.pictures[0][1](40, 8, UNICODE))
        stopped = Item(Kind.TOURNAMENT, found["tournament"], "", "", 0.0, 3, state="stopped")
        texts = [" ".join(text.split()) for text in told(details(stopped, lambda: db))]
        assert {"played 3 of 4", "state stopped"} <= {*texts}


MEASURED = "right: 20.0 % of the moves in the exact sample"
RUNS: list[tuple[Any, list[str]]] = [
    (None, ["run: none: only the table"]),
    ({}, []),
    ([[9, 0.5, 0.0], [40, 0.875, 1.0]], ["accuracy: 87.5 %, over positions not lost", "unbeaten: 100 %"]),
    ([[30, 0.875, 0.5]], ["accuracy: 87.5 % after 30, over positions not lost", "unbeaten: 50.0 % after 30"]),
    ([[40, 0.5, 0.0, 0.25, 9.0]], ["accuracy: 50.0 %, over positions not lost", "unbeaten: 0 %"]),
    ([[40, None, None, 0.2]], [MEASURED]),
    (
        [[20, None, None, 0.1, 0.75, 1.0], [40, None, None, 0.2, None, 1.0]],
        [MEASURED, "points: 75.0 % after 20 against perfect play, moving first"],
    ),
    ({"perfect": 1_200}, ["perfect: after 1,200 games"]),
    ({"goal": {"games": 41}}, ["goal: 41 games"]),
    ({"goal": {"games": 40}}, []),
    ({"goal": {"games": None}}, []),
]


@pytest.mark.parametrize(("run", "figures"), RUNS)
def test_a_run_says_what_it_measured_and_whether_it_reached_its_goal(run: Any, figures: list[str]) -> None:
    known = run and {"curve" if isinstance(run, list) else "more": run}
    found = _of_run(known, parse_game(NIM), 40)
    assert [f"{label}: {value}" for part in found for label, value in part] == figures


def test_the_curve_of_a_function_has_the_points_that_were_measured() -> None:
    points = [[1, 0.5, 0.0, 0.2, None], [10, None, None, 0.3, 1.0], [40, 1.0, 1.0, 0.4, 2.0]]
    drawn, plain = curve(points, 40), curve([[1, 0.5, 0.0], [40, 1.0, 1.0]], 40)
    assert drawn is not None and plain is not None and list(drawn(60, 12, UNICODE)) == list(plain(60, 12, UNICODE))
    large = curve([[1, None, None, 0.2, None], [10, None, None, 0.3, None], [40, None, None, 0.25, 0.5]], 40)
    text = "".join(map(plain_text, large(60, 12, UNICODE))) if large else ""
    assert "right 25.0 %" in text and "points 50.0 %" in text and curve([[3, None, None]], 40) is None


def test_a_function_says_how_many_weights_it_has_and_draws_its_right_moves() -> None:
    path = paths.ensure(paths.tables()) / "linear.npz"
    training = Training(parse_game("tower:100"), "linear", 1, measured=False)
    training.table.save(path, RUN | {"curve": [[0, None, None, 0.25, None], [40, None, None, 0.5, None]]})
    found = details(replace(TABLE, place=path), Database)
    lines = [text.split() for text in told(found)]
    assert [title for title, _ in found.pictures] == ["Right moves by games"]
    assert training.estimator is not None and ["weights", f"{training.table.function.weights:,}"] in lines
    assert not any(words[:1] == ["positions"] for words in lines)


def test_a_taught_table_lists_its_versions_the_newest_first() -> None:
    keep_taught(paths.ensure(paths.tables()) / "mine.npz", ago(days=2))
    [item] = Scanner().look(Database)
    assert (item.title, item.lessons) == ("mine · q · nim:3,2,1 · 1 lesson", 1)
    found = details(replace(item, when=ago(days=1), size=2_900), Database)
    assert not found.pictures
    as_drawn("library", "details: a taught table", list(cells(found.report, 110)))


def test_a_tournament_says_its_limits_its_test_and_games_it_cannot_count() -> None:
    with Database() as db:
        plan = {"games": [NIM], "agents": ["random", "perfect"], "pairs": "ordered", "openings": "start", "seed": 3}
        more = {"sprt": "elo0=0,elo1=30", "move_time": 2.0, "game_time": 60.0, "number": 9}
        for document in (plan | more, plan | {"move_time": "x"}):
            kept = tournaments.begin(db, document, [NIM], ["random", "perfect"], [(0, 0, 1)], 9)
            kept.close()
            lines = told(details(Item(Kind.TOURNAMENT, kept.id, "", "", 0.0, 0), lambda: db))
            lines = [" ".join(line.split()) for line in lines]
            counts = "pairs ordered × 9 games" if "number" in document else "pairs ordered × ? games"
            limits = "time 2 s a move, 60 s a game" if "number" in document else "time ?"
            assert {counts, limits, "played 0 of 9", "state done"} <= {*lines}
            assert ("test elo0=0, elo1=30" in lines) == ("sprt" in document)


def test_a_fault_is_named_with_its_loser_and_what_is_gone_with_where_it_was() -> None:
    with Database() as db:
        id = saved_games.save_game(db, NIM, "random", "perfect", row("", 1, opener=1, fault="it slept"))
        found = told(details(Item(Kind.GAME, id, "", "", 0.0, 0), lambda: db))
        first, number, kept = told(details(replace(GAME, place=77, when=ago(days=1)), lambda: db))
    assert found[:2] == ["! it slept", "random won, moving second: it slept"]
    assert first.startswith("! ") and number.split() == ["number", "77"]
    assert kept.split()[0] == "kept" and "2026-03-03" in kept
    gone = replace(TABLE, place=Path("/nowhere/kept.npz"))
    assert told(details(gone, Database))[0].startswith("! there is no file it")


# The painters.


def conductor(shelf: Shelf, at: int = 0, **more: Any) -> Any:
    shown = shelf.shown
    usual = {"marks": (), "looked": True, "message": "", "details": None, "turned": []}
    found = SimpleNamespace(shelf=shelf, shown=shown, at=at, item=shown[at] if shown else None, **{**usual, **more})
    found.go, found.turn = found.turned.append, found.turned.append
    return found


def listed(shelf: Shelf, **more: Any) -> Any:
    rows = view.listing(conductor(shelf, **more), NOW, lambda: None)
    return lambda columns, lines, signs: rows.paint(range(rows.count), columns, signs)


def below(shelf: Shelf, **more: Any) -> Any:
    return view.message(conductor(shelf, **more))


KINDS = {"all": view.tabs(Shelf(ITEMS, 1_000)), "game": view.tabs(Shelf(ITEMS, 1_000, Kind.GAME))}


@pytest.mark.parametrize(
    ("name", "paint", "columns", "signs"),
    [
        *(
            (f"kinds: {kind}, {columns} columns", paint, columns, ASCII if columns == 30 else UNICODE)
            for kind, paint in KINDS.items()
            for columns in (30, 78, 118)
        ),
        ("list: narrow", listed(Shelf(ITEMS), at=1), 58, UNICODE),
        ("list: roomy, ASCII", listed(Shelf(ITEMS), at=2, marks=(CUP.key, MATCH.key)), 78, ASCII),
        ("list: wide, by name", listed(Shelf(ITEMS, sort="name"), marks=(GAME.key,)), 118, UNICODE),
        ("list: narrow, by size", listed(Shelf(ITEMS, sort="size"), at=5), 58, UNICODE),
        ("list: before it has looked", listed(Shelf(), looked=False), 58, UNICODE),
        ("list: nothing saved", listed(Shelf()), 58, UNICODE),
        ("list: no single games", listed(Shelf(kind=Kind.GAME)), 58, UNICODE),
        ("list: none of a kind", listed(Shelf(kind=Kind.SWEEP)), 58, UNICODE),
        ("list: nothing with these words", listed(Shelf(ITEMS, words="nowhere")), 58, UNICODE),
        ("below: the place", below(Shelf(ITEMS), at=2), 70, UNICODE),
        ("below: older games", below(Shelf(ITEMS, 5_150)), 70, UNICODE),
        ("below: a filter", below(Shelf(ITEMS, words="nim")), 70, UNICODE),
        ("below: a message", below(Shelf(ITEMS), message="Deleted"), 70, UNICODE),
        ("below: nothing listed", below(Shelf()), 70, UNICODE),
    ],
)
def test_the_kinds_the_list_and_the_line_below(name: str, paint: Any, columns: int, signs: Glyphs) -> None:
    as_drawn("library", name, paint(columns, 1, signs))


def test_a_long_file_name_is_whole_where_there_is_room() -> None:
    name = "nim-1,3,5,7-reward-1000000-1-ea4c8aff.npz"
    for columns in (90, 110):
        lines = listed(Shelf([replace(TABLE, name=name)]))(columns, 1, UNICODE)
        assert (name in " ".join(map(plain_text, lines))) is (columns == 110)


def test_pictures_beside_each_other_and_the_map_of_a_table_with_what_it_plays_wrong() -> None:
    furnish()
    with Database() as db:
        items = {item.name: item for item in Scanner().look(lambda: db)}
        for name in ("trained.npz", "kept.npz", "tournament 1"):
            known = conductor(Shelf((items[name],)), details=details(items[name], lambda: db))
            assert known.details is not None
            as_drawn("library", f"pictures: {name}", view.picture(known)(120, 24, UNICODE))
            first, *_ = view.picture(known, whole=False)(120, 24, UNICODE)
            assert plain_text(first) == known.details.pictures[0][0] == (DRAWN.get(name) or MAPPED[0])
    game, place = parse_game(NIM), items["trained.npz"].place
    solution = truth(game)
    verdicts = verdicts_on(parse_agent(f"table:{place}", game), game, solution)
    rows = [plain_text(each) for each in details(items["trained.npz"], Database).pictures[2][1](60, 99, UNICODE)[1:]]
    assert len(rows) == int(np.isin(verdicts, (WRONG, UNDECIDED)).sum()) > 0
    for listed in rows:
        position, *_, word = listed.split()
        node = node_at(solution.graph, game.at(game.parse_position(position)))
        assert WORDS[int(verdicts[node])] == word


def test_the_details_beside_or_below_the_list() -> None:
    furnish()
    db = Database()
    items = {item.name: item for item in Scanner().look(lambda: db)}
    run = replace(items["trained.npz"], when=ago(days=1), size=2_900)
    known = conductor(Shelf((run,)), details=details(run, lambda: db))
    for name, columns, rows, pictured in (
        ("in two columns", 50, 13, False), ("in one column, narrow", 49, 13, False),
        ("in one column, high", 50, 14, False), ("cut", 60, 4, False), ("with a picture", 60, 22, True),
        ("a line too low for a picture", 60, 21, True),
    ):  # fmt: skip
        as_drawn("library", f"panel: {name}", view.details(known, pictured)(columns, rows, UNICODE))
    as_drawn("library", "panel: not read yet", view.details(conductor(Shelf((run,))))(40, 9, UNICODE))
    assert view.details(conductor(Shelf()))(40, 9, UNICODE) == []
    db.close()
