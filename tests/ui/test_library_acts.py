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
from nimtui.progress import Progress
from nimtui.store import claims, files, game_list, paths, saved_games, tournaments, trash
from nimtui.store.database import Database
from nimtui.ui.library import catalogue
from nimtui.ui.library.catalogue import of_item, suggested
from nimtui.ui.library.conductor import LibraryConductor
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


def names(found: LibraryConductor) -> list[str]:
    return [item.name for item in found.shown]


@pytest.mark.parametrize("kind", ["table", "run", "sweep", "tournament", "game"])
def test_what_is_deleted_comes_back_as_it_was(library: LibraryConductor, kind: str) -> None:
    place = furnish()[kind]
    content = place.read_bytes() if isinstance(place, Path) else None
    before = names(look(library))
    item = goto(library, kind, "trained" if kind == "run" else "")
    library.mark()
    library.delete()
    assert library.message == f"Deleted {item.called}: u restores it" and library.marks == ()
    assert names(library) == [name for name in before if name != item.name]
    if content is not None:
        assert not place.exists() and trash.trashed_files()[0].place == place
    assert names(look(library)) == [name for name in before if name != item.name]
    library.undo()
    assert names(library) == before and library.item is not None and library.item.name == item.name
    assert library.message == f"Restored {item.called}"
    assert content is None or place.read_bytes() == content
    library.undo()
    assert library.message == "Nothing to restore"


def test_what_comes_back_unseen_is_named_all_the_same(library: LibraryConductor) -> None:
    keep_table(paths.tables(), "kept.npz")
    goto(look(library), "table")
    library.delete()
    library.turn(library.shelf.filtered("nowhere"))
    library.undo()
    assert library.message == "Restored table kept · quality · nim:3,2,1 · 40, but the filter hides it"


def test_what_was_deleted_in_another_run_comes_back_too_the_last_first(library: LibraryConductor, db: Database) -> None:
    found = furnish()
    saved_games.delete_game(db, found["game"])
    trash.put(found["table"])
    tournaments.delete(db, found["tournament"])
    look(library)
    for kind in ("tournament", "table", "game"):
        assert kind not in [item.kind for item in library.shown]
        library.undo()
        assert library.item is not None and library.item.kind == kind
    library.undo()
    assert library.message == "Nothing to restore"


def test_a_file_is_restored_where_the_database_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Database:
        raise files.StoreError("no database")

    with pytest.raises(files.StoreError, match="no database"):
        catalogue.bring_back(broken)
    path = keep_table(paths.tables(), "kept.npz")
    trash.put(path)
    assert catalogue.bring_back(broken) == (Kind.TABLE, path) and path.exists()


def test_what_is_in_use_is_neither_deleted_nor_renamed(library: LibraryConductor, db: Database) -> None:
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


def test_a_game_of_a_tournament_is_listed_by_its_id_and_not_deleted(library: LibraryConductor, db: Database) -> None:
    number = keep_tournament(db)
    look(library)
    of_tournament = game_list.games(db, kind="tournament")[0]
    library.turn(library.shelf.filtered(of_tournament.short))
    assert names(library) == [f"game {of_tournament.short}"]
    library.delete()
    assert f"is part of tournament {number}: delete the whole tournament" in library.message
    library.turn(library.shelf.filtered("99:99"))
    assert names(library) == []
    library.turn(library.shelf.filtered(""))
    assert names(library) == [f"tournament {number}"]


@pytest.mark.parametrize("kind", ["table", "tournament", "game"])
def test_what_was_deleted_elsewhere_is_not_renamed(library: LibraryConductor, db: Database, kind: str) -> None:
    found = furnish()
    goto(look(library), kind)
    if kind == "table":
        trash.put(found[kind])
    else:
        (tournaments.delete if kind == "tournament" else saved_games.delete_game)(db, found[kind])
    library.rename("x")
    assert "deleted" in library.message.partition("Not renamed: ")[2]


def test_a_file_gets_another_name_never_one_that_is_taken(library: LibraryConductor) -> None:
    path = keep_table(paths.tables(), "one.npz")
    keep_table(paths.tables(), "two.npz", seed=5)
    goto(look(library), "table", "one")
    for name, said in (("two", "two.npz exists: choose another name"), ("a/b", "invalid file name: no /")):
        library.rename(name)
        assert said in library.message
    library.rename("one.npz")
    assert library.message == 'Renamed to "one.npz"'
    library.rename(" best one ")
    assert library.message == 'Renamed to "best one.npz"' and not path.exists()
    assert library.item is not None and library.item.name == "best one.npz"


def test_rows_of_the_database_get_names_and_lose_them(library: LibraryConductor, db: Database) -> None:
    found = furnish()
    look(library)
    for kind, read in (("tournament", tournaments.info), ("game", game_list.game)):
        goto(library, kind)
        library.rename(f" my {kind} ")
        assert library.message == f'Renamed to "my {kind}"' and read(db, found[kind]).name == f"my {kind}"  # type: ignore[operator]
        library.rename("")
        assert library.message == "The name is removed" and read(db, found[kind]).name == ""  # type: ignore[operator]


def test_a_full_disk_is_said_without_the_long_path_and_nothing_is_lost(
    library: LibraryConductor, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = furnish()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    goto(look(library), "table")
    with monkeypatch.context() as patch:
        patch.setattr(files, "replace", full)
        library.delete()
    assert library.message == "Not deleted: tables/kept.npz cannot be deleted: no space left on device"
    monkeypatch.setattr(files, "move", full)
    library.rename("x")
    assert library.message == "Not renamed: cannot rename kept.npz: no space left on device"
    assert found["table"].exists()


def test_without_an_item_nothing_happens_and_one_command_runs_at_a_time(
    library: LibraryConductor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for act in (library.delete, library.mark, library.read, lambda: library.rename("x")):
        act()
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

    def broken(*_: object) -> None:
        raise InputError("no such thing")

    monkeypatch.setattr("nimtui.ui.library.conductor.details", broken)
    library.read()
    assert library.details is not None and [block.text for block in library.details.report.blocks] == [
        "! no such thing"
    ]  # type: ignore[attr-defined]


def test_the_app_knows_better_how_far_its_own_tournament_is(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = keep_tournament(db), keep_tournament(db)
    found = conductor(db, monkeypatch, (first, "paused", 3))
    assert {item.place: (item.state, item.size) for item in found.shown} == {first: ("paused", 3), second: ("", 4)}


def test_faults_of_a_look_are_said(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    found = conductor(db, monkeypatch)
    monkeypatch.setattr(found._looker, "look", lambda database: found._looker.faults.append("mended") or ())
    found.look()
    assert found.message == "mended"

    def broken(database: object) -> None:
        raise InputError("no folder")

    monkeypatch.setattr(found._looker, "look", broken)
    found.look()
    assert found.message == "Cannot read the Library: no folder"


# Marks and comparisons.


def test_only_tournaments_are_marked_together(library: LibraryConductor, db: Database) -> None:
    furnish()
    for name in ("second", "third"):
        keep_tournament(db, name=name)
    look(library)
    goto(library, "game")
    library.mark()
    assert library.message == "Marked. Go to another item and press c to compare"
    said = []
    for name in ("tournament 1", "tournament 2", "tournament 3"):
        goto(library, "tournament", name)
        library.mark()
        said.append(library.message)
    assert said[1:] == [
        "2 tournaments marked. Press c to compare them", "3 tournaments marked. Press c to rate them together"
    ]  # fmt: skip
    assert said[0].startswith("Marked.") and [kind for kind, _ in library.marks] == [Kind.TOURNAMENT] * 3
    library.mark()
    assert len(library.marks) == 2 and said[1] == library.message, "space takes a mark away"
    goto(library, "table")
    library.mark()
    assert [kind for kind, _ in library.marks] == [Kind.TABLE]
    library.mark()
    assert (library.marks, library.message) == ((), "")


def test_what_is_compared_is_marked_or_under_the_cursor(library: LibraryConductor, db: Database) -> None:
    furnish()
    keep_table(paths.tables(), "two.npz", "reward", 2, RUN)
    keep_tournament(db, (AGENTS[0], AGENTS[2]), "second")
    keep_tournament(db, AGENTS[1:], "third")
    look(library)
    shown: list[Any] = []
    library.compare(shown.append)
    assert library.message == "Mark an item with space, then press c on another" and not shown
    goto(library, "table", "kept")
    library.mark()
    library.compare(shown.append)
    assert library.message == "This is the marked item: go to another one"
    goto(library, "game")
    library.compare(shown.append)
    assert library.message == "Cannot compare a table with a game" and not shown
    goto(library, "table", "two")
    library.compare(shown.append)
    assert len(shown) == 1 and library.message == "" and shown[-1].pool is None
    for name in ("tournament 1", "tournament 2"):
        goto(library, "tournament", name)
        library.mark()
    library.compare(shown.append)
    assert len(shown) == 2 and shown[-1].pool is not None
    goto(library, "tournament", "tournament 3")
    library.mark()
    library.compare(shown.append)
    assert len(shown) == 3 and not hasattr(shown[-1], "pool"), "three are rated together"


def test_versions_of_a_taught_table_are_compared_by_their_numbers(library: LibraryConductor) -> None:
    keep_table(paths.tables(), "kept.npz")
    look(library)
    assert library.versions == ""
    taught = replace(library.shown[0], lessons=3)
    library.shown[0] = taught
    assert library.versions == "0 3"
    library.marks = (taught.key,)
    assert library.versions == "0 3"
    library.marks = ((Kind.GAME, 1),)
    assert library.versions == ""
    for text in ("0", "0 1 2", ""):
        with pytest.raises(InputError, match="enter two versions, for example 0 1"):
            library.compare_versions(text, lambda found: None)
    with pytest.raises(InputError, match="a version"):
        library.compare_versions("0 x", lambda found: None)
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
    copies = {name: [(copy.what, copy.text if not copy.lines else "") for copy in of_item(item, lambda: db)]
              for name, item in items.items()}  # fmt: skip
    assert copies == {
        "kept.npz": [("table", ""), ("file", str(found["table"])), ("command", f"nimtui table {found['table']}")],
        "trained.npz": [("table", ""), ("file", str(found["run"])), ("command", f"nimtui table {found['run']}")],
        "torn.npz": [
            ("file", str(paths.runs() / "torn.npz")), ("command", f"nimtui table {paths.runs() / 'torn.npz'}")
        ],
        "swept.jsonl": [
            ("cells", ""), ("file", str(found["sweep"])), ("command", f"nimtui sweep --resume {found['sweep']}")
        ],
        "tournament 1": [("standings", ""), ("command", "nimtui tournaments show 1")],
        "game 2": [("game", ""), ("command", "nimtui games show 2:1")],
    }  # fmt: skip
    [standings, _] = of_item(items["tournament 1"], lambda: db)
    assert standings.lines is not None and len(standings.lines()) == 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "LARGEST", 50)
        [table, *_] = of_item(items["kept.npz"], lambda: db)
        assert table.lines is not None and 50 < len("\n".join(table.lines())) < 500, "no more than can be copied"


class Noting(Progress):
    def __init__(self) -> None:
        self.reports: list[tuple[float, float, str]] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        self.reports.append((done, total, what))


def test_a_whole_tournament_is_imported(library: LibraryConductor, db: Database, tmp_path: Path) -> None:
    plan = planned(("nim:3,5",), ("perfect", "random"), number=4)
    kept = tournaments.begin(
        db, plan.document(), plan.games, plan.agents, list(plan.pairings), plan.total, name="evening"
    )
    Tournament(plan, kept, 1).work()
    kept.close()
    file = tmp_path / "games.txt"
    with file.open("w", encoding="utf-8") as out:
        games_report.writer(db, kept.id, ".txt", progress := Noting())(out)
    assert progress.reports == [(0, 4, "games")]
    tournaments.delete(db, kept.id)
    library.import_games(file)
    assert "4 games imported" in library.message and len(library.shown) == 1
    [back] = tournaments.tournaments(db)
    assert back.name == "evening" and back.id != kept.id
    library.import_games(tmp_path / "nowhere.txt")
    assert library.message.startswith("Nothing imported: ") and [one.id for one in tournaments.tournaments(db)] == [
        back.id
    ]


def test_a_saved_game_is_read_to_be_shown(library: LibraryConductor, db: Database) -> None:
    number = saved_games.save_game(db, NIM, "me", "random", row("a3 b2 c1", 1))
    shown: list[Any] = []
    library.fetch(number, shown.append)
    assert [info.first for info in shown] == ["me"]
    library.fetch(99, shown.append)
    assert library.message.startswith("Cannot show the game: ") and len(shown) == 1


def test_the_first_look_purges_what_was_deleted_a_month_ago(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    purged: list[object] = []
    monkeypatch.setattr(trash, "purge", lambda: purged.append("files"))
    monkeypatch.setattr("nimtui.ui.library.catalogue.purge_rows", purged.append)
    look(conductor(db, monkeypatch))
    assert purged == ["files", db]
