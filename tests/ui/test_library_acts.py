"""What the Library does with things, without a screen: deletes, restores, renames, writes, reads, marks, compares."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.arena.play.plan import plan as planned
from nimtui.arena.standings import games_report
from nimtui.arena.transcripts.game_import import read_lines
from nimtui.errors import InputError
from nimtui.jobs.tournament import Tournament
from nimtui.store import claims, files, game_list, paths, saved_games, tournaments, trash
from nimtui.store.database import Database
from nimtui.ui.library import catalogue
from nimtui.ui.library.catalogue import of_item, suggested
from nimtui.ui.library.conductor import LibraryConductor
from nimtui.ui.library.details import wrong
from nimtui.ui.library.shelf import Item, Kind
from tests.ui.at_once import AtOnce, Changes, look_up_at_once
from tests.ui.shelving import AGENTS, NIM, RUN, furnish, keep_table, keep_tournament, row


@pytest.fixture
def db(home: Path) -> Iterator[Database]:
    with closing(Database()) as found:
        yield found


def conductor(db: Database, patch: pytest.MonkeyPatch, at_work: Any = None) -> LibraryConductor:
    """A conductor that has looked, and whose work is done at once."""
    look_up_at_once(patch)
    found = LibraryConductor(AtOnce(), lambda: db, lambda: at_work)
    found.look()
    assert found.looked and found.message == ""
    return found


@pytest.fixture
def library(db: Database, monkeypatch: pytest.MonkeyPatch) -> LibraryConductor:
    return conductor(db, monkeypatch)


def look(found: LibraryConductor) -> LibraryConductor:
    found.look()
    return found


def goto(found: LibraryConductor, kind: str, name: str = "") -> Item:
    """Put the cursor on the first sound item of a kind (and a name)."""
    found.go(
        next(at for at, item in enumerate(found.shown) if item.kind == kind and name in item.name and not item.fault)
    )
    assert found.item is not None
    return found.item


def failing(fault: Exception) -> Any:
    def fails(*_: object) -> None:
        raise fault

    return fails


def names(found: LibraryConductor) -> list[str]:
    return [item.name for item in found.shown]


def test_what_is_deleted_comes_back_as_it_was_the_last_first_in_another_run_too(
    db: Database, library: LibraryConductor, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = furnish()
    contents = {place: place.read_bytes() for place in found.values() if isinstance(place, Path)}
    before, lists, deleted = names(look(library)), list[list[str]](), list[Item]()
    for kind in ("tournament", "table", "game", "run", "sweep"):
        lists.append(names(library))
        deleted.append(goto(library, kind, "trained" if kind == "run" else ""))
        library.mark()
        library.delete()
        assert library.message == f"Deleted {deleted[-1].called}: u restores it" and library.marks == ()
        assert names(library) == [name for name in lists[-1] if name != deleted[-1].name]
        assert names(look(library)) == [name for name in lists[-1] if name != deleted[-1].name]
    assert not any(place.exists() for place in contents)
    assert {one.place for one in trash.trashed_files()} == {*contents}
    for number in range(4, -1, -1):
        if number == 2:
            library = conductor(db, monkeypatch)
        if number == 0:
            library.turn(library.shelf.filtered("nowhere"))
        library.undo()
        hidden = ", but the filter hides it" if number == 0 else ""
        assert library.message == f"Restored {deleted[number].called}{hidden}"
        assert names(library) == ([] if hidden else lists[number])
        assert hidden or (library.item is not None and library.item.key == deleted[number].key)
    library.turn(library.shelf.filtered(""))
    assert names(library) == before and {place: place.read_bytes() for place in contents} == contents
    library.undo()
    assert library.message == "Nothing to restore"


def test_a_file_is_restored_where_the_database_cannot_be_used() -> None:
    broken = failing(files.StoreError("no database"))
    with pytest.raises(files.StoreError, match="no database"):
        catalogue.bring_back(broken)
    path = keep_table(paths.tables(), "kept.npz")
    trash.put(path)
    assert catalogue.bring_back(broken) == (Kind.TABLE, path) and path.exists()


def test_what_is_in_use_or_deleted_elsewhere_is_neither_deleted_nor_renamed(
    library: LibraryConductor, db: Database
) -> None:
    found = furnish()
    claim, playing = claims.claim(found["run"]), tournaments.resume(db, found["tournament"])
    assert claim is not None
    goto(look(library), "run", "trained")
    for act, said in ((library.delete, "Not deleted"), (lambda: library.rename("x"), "Not renamed")):
        act()
        assert library.message.startswith(f"{said}: trained.npz is in use: stop it first")
    goto(library, "tournament")
    library.delete()
    assert "is being played: stop it first" in library.message
    claim.release()
    playing.close()
    library.delete()
    assert "Deleted " in library.message and found["run"].exists()
    library.undo()
    for kind, delete in (
        ("table", trash.put),
        ("tournament", lambda number: tournaments.delete(db, number)),
        ("game", lambda number: saved_games.delete_game(db, number)),
    ):
        goto(library, kind)
        delete(found[kind])
        library.rename("x")
        assert "deleted" in library.message.partition("Not renamed: ")[2]


def test_a_game_of_a_tournament_is_listed_by_its_id_and_not_deleted(library: LibraryConductor, db: Database) -> None:
    number = keep_tournament(db)
    look(library)
    of_tournament = game_list.games(db, kind="tournament")[0]
    library.turn(library.shelf.filtered(of_tournament.short))
    assert names(library) == [f"game {of_tournament.short}"]
    library.delete()
    assert f"is part of tournament {number}: delete the whole tournament" in library.message
    for words, listed in (("99:99", []), ("", [f"tournament {number}"])):
        library.turn(library.shelf.filtered(words))
        assert names(library) == listed


def test_files_and_rows_get_names_never_one_that_is_taken_and_rows_lose_them(
    library: LibraryConductor, db: Database
) -> None:
    found = furnish()
    keep_table(paths.tables(), "two.npz", seed=5)
    goto(look(library), "table", "kept")
    for name, said in (
        ("two", "two.npz exists: choose another name"),
        ("a/b", "invalid file name: no /"),
        ("kept.npz", 'Renamed to "kept.npz"'),
        (" best one ", 'Renamed to "best one.npz"'),
    ):
        library.rename(name)
        assert said in library.message
    assert not found["table"].exists() and library.item is not None and library.item.name == "best one.npz"
    for kind, read in (("tournament", tournaments.info), ("game", game_list.game)):
        goto(library, kind)
        for typed, name, said in (
            (f" my {kind} ", f"my {kind}", f'Renamed to "my {kind}"'),
            ("", "", "The name is removed"),
        ):
            library.read()
            library.rename(typed)
            assert library.details is None, "they are read again"
            assert library.message == said and read(db, found[kind]).name == name  # type: ignore[operator]


def test_a_full_disk_is_said_without_the_long_path_and_nothing_is_lost(
    library: LibraryConductor, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, full = keep_table(paths.tables(), "kept.npz"), failing(OSError(28, "No space left on device"))
    goto(look(library), "table")
    with monkeypatch.context() as patch:
        patch.setattr(files, "replace", full)
        library.delete()
    assert library.message == "Not deleted: tables/kept.npz cannot be deleted: no space left on device"
    monkeypatch.setattr(files, "move", full)
    library.rename("x")
    assert library.message == "Not renamed: cannot rename kept.npz: no space left on device" and path.exists()


def test_without_an_item_nothing_happens_and_one_command_runs_at_a_time(
    library: LibraryConductor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = list[Any]()
    monkeypatch.setattr("nimtui.ui.library.conductor.details", lambda *given: asked.append(given))
    for act in (library.delete, library.mark, library.read, lambda: library.rename("x")):
        act()
    assert not asked
    library.export(tmp_path / "a.csv")
    library.compare_versions("x", lambda found: None)
    assert (library.item, library.details, library.message, library.marks, library.versions) == (None, None, "", (), "")
    monkeypatch.setattr(LibraryConductor, "busy", True)
    library.undo()
    assert library.message == "Wait: the last command is still running"


def test_the_cursor_and_the_view(library: LibraryConductor) -> None:
    furnish()
    look(library)
    changes = Changes(library)
    library.go(2)
    item = library.item
    library.go(99)
    assert library.at == 5
    library.go(-1)
    assert library.at == 0 and changes.number == 3
    library.go(2)
    library.turn(library.shelf.filtered("nim"))
    assert library.item == item, "the cursor stays on its item"
    library.message = "old"
    library.turn(library.shelf.sorted_otherwise())
    assert (library.at, library.message) == (0, "")


def test_details_are_read_once_and_again_when_the_item_has_changed(
    library: LibraryConductor, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_table(paths.tables(), "kept.npz")
    look(library)
    assert library.details is None
    library.read()
    first = library.details
    assert first is not None
    library.read()
    assert library.details is first
    library.shown[0] = replace(library.shown[0], size=1)
    assert library.details is None

    monkeypatch.setattr("nimtui.ui.library.conductor.details", failing(InputError("no such thing")))
    library.read()
    assert library.details is not None and library.details.report.blocks == [wrong("no such thing")]


def test_a_look_purges_first_says_faults_and_knows_the_state_of_the_apps_own_tournament(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    purged = list[object]()
    monkeypatch.setattr(trash, "purge", lambda: purged.append("files"))
    monkeypatch.setattr("nimtui.ui.library.catalogue.purge_rows", purged.append)
    first, second = keep_tournament(db), keep_tournament(db)
    found = look(conductor(db, monkeypatch, (first, "paused", 3)))
    assert {item.place: (item.state, item.size) for item in found.shown} == {first: ("paused", 3), second: ("", 4)}
    assert purged == ["files", db], "what was deleted a month ago goes at the first look"
    monkeypatch.setattr(found._looker, "look", lambda database: found._looker.faults.append("mended") or ())
    assert look(found).message == "mended"
    monkeypatch.setattr(found._looker, "look", failing(InputError("no folder")))
    assert look(found).message == "Cannot read the Library: no folder"


# Marks and comparisons.


def test_two_items_are_compared_and_only_tournaments_are_marked_together(
    library: LibraryConductor, db: Database
) -> None:
    furnish()
    keep_table(paths.tables(), "two.npz", "reward", 2, RUN)
    keep_tournament(db, (AGENTS[0], AGENTS[2]), "second")
    keep_tournament(db, AGENTS[1:], "third")
    look(library)
    shown: list[Any] = []

    def marked(kind: str, name: str = "") -> str:
        goto(library, kind, name)
        library.mark()
        return library.message

    library.compare(shown.append)
    assert library.message == "Mark an item with space, then press c on another"
    assert marked("game") == marked("table", "kept") == "Marked. Go to another item and press c to compare"
    assert [kind for kind, _ in library.marks] == [Kind.TABLE]
    library.compare(shown.append)
    assert library.message == "This is the marked item: go to another one"
    library.turn(library.shelf.filtered("nowhere"))
    library.compare(shown.append)
    assert library.message == "Mark an item with space, then press c on another"
    library.turn(library.shelf.filtered(""))
    goto(library, "game")
    library.compare(shown.append)
    assert library.message == "Cannot compare a table with a game" and not shown
    goto(library, "table", "two")
    library.compare(shown.append)
    assert len(shown) == 1 and library.message == "" and shown[-1].pool is None
    said = []
    for number in (1, 2, 3):
        said.append(marked("tournament", f"tournament {number}"))
        if number > 1:
            library.compare(shown.append)
    assert said[0].startswith("Marked.") and said[1:] == [
        "2 tournaments marked. Press c to compare them",
        "3 tournaments marked. Press c to rate them together",
    ]
    assert shown[1].pool is not None and not hasattr(shown[2], "pool"), "three are rated together"
    assert marked("tournament", "tournament 3") == said[1] and len(library.marks) == 2, "space takes a mark away"
    assert marked("table", "kept") and marked("table", "kept") == "" and library.marks == ()


def test_versions_of_a_taught_table_are_compared_by_their_numbers(library: LibraryConductor) -> None:
    keep_table(paths.tables(), "kept.npz")
    look(library)
    assert library.versions == ""
    library.shown[0] = taught = replace(library.shown[0], lessons=3)
    for marks, versions in (((), "0 3"), ((taught.key,), "0 3"), (((Kind.GAME, 1),), "")):
        library.marks = marks
        assert library.versions == versions
    for text in ("0", "0 1 2", "", "0 x"):
        with pytest.raises(InputError, match="a version" if "x" in text else "enter two versions, for example 0 1"):
            library.compare_versions(text, lambda found: None)
    library.compare_versions("0, 1", lambda found: None)
    assert library.message.startswith("Not compared: ")  # it has no versions


# Files.


def test_each_kind_offers_its_files_by_free_names(library: LibraryConductor, tmp_path: Path, monkeypatch: Any) -> None:
    furnish()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept.csv").write_text("")
    items = {item.kind: item for item in look(library).shown if not item.fault}
    assert {kind: list(suggested(item)) for kind, item in items.items()} == {
        Kind.TABLE: ["kept-2.csv", "kept.json"],
        Kind.RUN: ["trained.csv", "trained.json", "trained-curve.csv", "trained-curve.json"],
        Kind.SWEEP: ["swept.csv", "swept.json"],
        Kind.GAME: ["game-2.txt"],
        Kind.TOURNAMENT: [f"tournament-1{end}" for end in games_report.FORMATS],
    }
    assert list(suggested(replace(items[Kind.GAME], name="· ?")))[0] == "game.txt"  # noqa: RUF015
    assert list(suggested(replace(items[Kind.TABLE], name="x" * 99 + ".npz")))[0] == f"{'x' * 80}.csv"  # noqa: RUF015


def test_everything_is_written_for_other_programs(library: LibraryConductor, tmp_path: Path) -> None:
    found = furnish()
    look(library)

    def written(kind: str, name: str) -> str:
        goto(library, kind, "trained" if kind == "run" else "")
        library.export(tmp_path / name)
        assert library.message == f"Written to {tmp_path / name}"
        return (tmp_path / name).read_text("utf-8")

    table = list(csv.DictReader(written("table", "table.csv").splitlines()))
    assert len(table) > 20 and len(json.loads(written("table", "table.json"))["positions"]) == 20
    assert written("run", "a-curve.csv").splitlines()[0].startswith("games,accuracy")
    assert written("run", "a.csv").count("\n") > 20
    lines = list(csv.DictReader(written("tournament", "cup.csv").splitlines()))
    assert [(line["agent"], line["points"], line["played"]) for line in lines] == [
        ("perfect", "3.0", "4"), ("random", "1.0", "4")
    ]  # fmt: skip
    document = json.loads(written("tournament", "cup.json"))
    assert document["seed"] == 7 and [one["wins"] for one in document["results"]] == [3]
    games = list(read_lines(written("tournament", "cup.txt").splitlines()))
    assert sorted(game.row.result for game in games) == [-1, 1, 1, 1]
    assert {game.tournament for game in games} == {found["tournament"]}
    [game] = list(read_lines(written("game", "game.txt").splitlines()))
    assert (game.first, game.second, game.row.moves) == ("me", "perfect", row("a3 b2 c1", 1).moves)
    assert len(json.loads(written("sweep", "sweep.json"))["cells"]) == 4
    assert written("sweep", "sweep.csv").count("\n") == 5


def test_each_item_is_copied_with_its_command(library: LibraryConductor, db: Database) -> None:
    found = furnish()
    items = {item.name: item for item in look(library).shown}
    wanted = {
        "kept.npz": ("table file command", f"nimtui table {found['table']}"),
        "trained.npz": ("table file command", f"nimtui table {found['run']}"),
        "torn.npz": ("file command", f"nimtui table {paths.runs() / 'torn.npz'}"),
        "swept.jsonl": ("cells file command", f"nimtui sweep --resume {found['sweep']}"),
        "tournament 1": ("standings command", "nimtui tournaments show 1"),
        "game 2": ("game command", "nimtui games show 2:1"),
    }
    for name, item in items.items():
        copies, (whats, command) = of_item(item, lambda: db), wanted[name]
        assert [copy.what for copy in copies] == whats.split() and copies[-1].text == command
        assert {copy.text for copy in copies if copy.what == "file"} <= {str(item.place)}
        assert all(bool(copy.lines) is (copy.what not in ("file", "command")) for copy in copies)
    [standings, _] = of_item(items["tournament 1"], lambda: db)
    assert standings.lines is not None and len(standings.lines()) == 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "LARGEST", 50)
        [table, *_] = of_item(items["kept.npz"], lambda: db)
        assert table.lines is not None and 50 < len("\n".join(table.lines())) < 500, "no more than can be copied"


def test_a_whole_tournament_is_exported_and_imported(library: LibraryConductor, db: Database, tmp_path: Path) -> None:
    plan, file = planned(("nim:3,5",), ("perfect", "random"), number=4), tmp_path / "games.txt"
    pairings = list(plan.pairings)
    kept = tournaments.begin(db, plan.document(), plan.games, plan.agents, pairings, plan.total, name="evening")
    Tournament(plan, kept, 1).work()
    kept.close()
    goto(look(library), "tournament")
    library.export(file)
    library.export(tmp_path / "gone" / "games.txt")
    assert library.message == "Not written: the file cannot be written: no such file or directory"
    tournaments.delete(db, kept.id)
    library.import_games(file)
    assert "4 games imported" in library.message and len(library.shown) == 1
    [back] = tournaments.tournaments(db)
    assert back.name == "evening" and back.id != kept.id
    library.import_games(tmp_path / "nowhere.txt")
    assert library.message.startswith("Nothing imported: ")
    assert [one.id for one in tournaments.tournaments(db)] == [back.id]


def test_a_saved_game_is_read_to_be_shown(library: LibraryConductor, db: Database) -> None:
    number = saved_games.save_game(db, NIM, "me", "random", row("a3 b2 c1", 1))
    shown: list[Any] = []
    library.fetch(number, shown.append)
    assert [info.first for info in shown] == ["me"]
    library.fetch(99, shown.append)
    assert library.message.startswith("Cannot show the game: ") and len(shown) == 1
