"""Which file a name means, what lists say of the files of the data folder, and who finds no function."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning import saved_tables
from nimtui.learning.saved_tables import HeadedFile, SavedTable
from nimtui.learning.table import Table
from nimtui.store import StoreError, arrays, paths
from tests.games.refusal import refusal

GAME = parse_game("nim:1,2")


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """The folders of tables and of runs, and the one in which the person is; all empty."""
    there = saved_tables.folder(), paths.runs(), tmp_path / "here"
    for folder in there:
        folder.mkdir(parents=True)
    monkeypatch.chdir(there[2])
    return there


def put(path: Path, time: int, lessons: int | None = None, learner: str = "reward", game: str = "nim:1,2") -> None:
    """Write a file with a header, last changed at this time."""
    about = {} if lessons is None else {"taught": {"lessons": [{}] * lessons}}
    arrays.save(path, {"game": game, "learner": learner, "games": 10 * time, **about}, {})
    os.utime(path, (time, time))


def test_lists_have_the_newest_first_and_leave_out_what_is_no_table(folders: tuple[Path, Path, Path]) -> None:
    tables, runs, _ = folders
    for name, time, lessons in (("b", 3, 0), ("a", 3, 1), ("new", 1_000, 2), ("untaught", 4, None)):
        put(tables / f"{name}.npz", time, lessons)
    put(tables / "other.npz", 5, 7, "q:alpha=0.25", "nim:2,2")
    put(tables / "odd.npz", 7, 1, learner="ntuple")
    put(runs / "run.npz", 6, 3)
    arrays.save(tables / "lacking.npz", {"game": "nim:1,2", "learner": "ntuple"}, {})
    for name in ("broken.npz", "notes.txt"):
        (tables / name).write_bytes(b"no table")
    known = (("new", "reward", 10_000, 2), ("odd", "ntuple", 70, 1), ("a", "reward", 30, 1), ("b", "reward", 30, 0))
    new, odd, a, b = (HeadedFile(name, "nim:1,2", *about) for name, *about in known)
    other = HeadedFile("other", "nim:2,2", "q:alpha=0.25", 50, 7)
    assert saved_tables.taught_tables() == [new, odd, other, a, b]
    assert saved_tables.taught_tables(GAME) == [new, odd, a, b]
    titles = ["Taught in 2 lessons (reward, 10,000 games)", "Taught in 7 lessons (q, 50 games)"]
    assert [new.title, other.title, a._replace(games=1).title] == [*titles, "Taught in 1 lesson (reward, 1 game)"]
    put(tables / "a.npz", 8, 4)  # it is read again
    assert saved_tables.taught_tables(GAME)[1] == HeadedFile("a", "nim:1,2", "reward", 80, 4)
    for name, time, learner, game in (  # functions: of tables and runs, each name once
        ("odd", 2, "linear", "nim:1,2"), ("late", 900, "net:hidden=3", "nim:1,2"), ("a,b", 901, "net", "nim:1,2"),
        ("else", 902, "linear", "nim:2,2"), ("gone", 903, "no-such-learner", "nim:1,2"),
    ):  # fmt: skip
        put(runs / f"{name}.npz", time, learner=learner, game=game)
    own = [("late", "net:hidden=3, 9,000 games"), ("odd", "ntuple, 70 games")]
    assert [*saved_tables.saved_functions(GAME).items()] == own
    assert [*saved_tables.saved_functions().items()] == [("else", "linear, 9,020 games"), *own]


def test_a_name_means_a_table_then_a_run_then_a_file_here_and_a_file_name_the_file_here_first(
    folders: tuple[Path, Path, Path],
) -> None:
    tables, runs, here = folders
    (here / "one").write_text("")
    assert saved_tables.find(" one ") == (here / "one", None)
    for folder in (runs, tables):  # each is found before the ones that were there
        put(folder / "one.npz", 1)
        assert saved_tables.find("one") == saved_tables.find("one.npz") == (folder / "one.npz", None)
    put(here / "one.npz", 1)
    run, table, file, away = runs / "one.npz", tables / "one.npz", here / "one.npz", here / "sub" / "one"
    for text, *found in (
        ("one.npz", file, None), ("one.npz@12", file, 12), ("one@2", table, 2), (str(run), run, None),
        (f"{run}@3", run, 3), ("sub/one", away, None), ("sub/one@4", away, None), ("no.npz@1", here / "no.npz", None),
    ):  # fmt: skip
        assert saved_tables.find(text) == tuple(found), text
    for text in ("two", "two@2"):
        assert refusal(saved_tables.find, text) == "there is no file two, and no table that you taught"
    for at in range(22):
        put(tables / f"t{at:02}.npz", 100 + at, 1)
        put(runs / f"r{at:02}.npz", 100 + at, learner="linear")
    named = {of: ", ".join(f"{of}{at:02}" for at in range(21, 1, -1)) for of in "tr"}  # the newest twenty
    assert refusal(saved_tables.find, "two@2") == f"unknown table 'two'. Tables: {named['t']}"
    assert refusal(saved_tables.find_function, "z", GAME) == f"value: unknown run 'z'. Allowed: {named['r']}"
    right = "value: there is no run 'z', and none of nim:2,2: nimtui train nim:2,2 --learner ntuple --save FILE"
    assert refusal(saved_tables.find_function, "z", parse_game("nim:2,2")) == right


def test_files_are_named_by_their_versions_and_free_names_by_the_first_free_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables, away, taken = saved_tables.folder(), paths.runs() / "x.npz", set[str]()
    table = tables / "x.npz"
    assert saved_tables.new_place("x.npz") == saved_tables.new_place("x") == table
    assert refusal(saved_tables.new_place, "x@2") == "invalid name: @ and a number stand for a version"
    for name in ("", "a/b", ".x"):
        assert "invalid" in refusal(saved_tables.new_place, name)
    assert (saved_tables.called(table, 2), saved_tables.called(away, 0)) == ("x@2", f"{away}@0")
    for path, texts, right in (
        (table, ("x@7", "x", f"{table}", f"{table}@1"), True), (table, ("y@7", "x@", f"{away}", "x.npz"), False),
        (away, ("x", "x@1"), False), (away, (f"{away}@1",), True), (tables / "x@1.npz", (f"{tables}/x@1.npz",), True),
    ):  # fmt: skip
        assert {saved_tables.names(text, path) for text in texts} == {right}, (path, texts)
    monkeypatch.setattr(saved_tables, "is_there", lambda path: path.parent == tables and path.stem in taken)
    hundreds = {"x", *(f"x-{at}" for at in range(2, 999))}
    for more, free in ((set(), "x"), ({"x"}, "x-2"), (hundreds, "x-999"), ({"x-999"}, "x")):
        taken |= more
        assert saved_tables.free_name("x") == free


class Lessons(list[int]):
    """Three lessons, whose versions are told by their numbers."""

    def version(self, number: int) -> object:
        if number in (1, 2):
            raise (InputError, StoreError)[number - 1]("none")
        return "version", number


def test_a_saved_table_has_its_version_and_the_name_that_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table, path, taught = Table.empty(GAME, "reward"), saved_tables.folder() / "x.npz", Lessons(range(3))
    names = [(None, 0, False, str(path)), (taught, 2, False, "x@2"), (taught, 3, True, "x@3")]
    for lessons, version, newest, called in names:
        saved = SavedTable(path, table, lessons, version)
        assert (saved.newest, saved.called) == (newest, called)
    found = list[tuple[object, ...]]()
    for lessons, version in ((taught, None), (taught, 0), (None, None)):
        monkeypatch.setattr(saved_tables, "read", lambda path, lessons=lessons: (table, lessons, None))
        saved = saved_tables.load_file(path, version)
        found.append((saved.path, saved.table, saved.taught, saved.version))
    assert found == [(path, ("version", at), taught, at) for at in (3, 0)] + [(path, table, None, 0)]
    assert refusal(saved_tables.load_file, path, 0) == "x has no versions: it is not a table that you taught"
    monkeypatch.setattr(saved_tables, "read", lambda path: (table, taught, None))
    for version, kind in ((1, InputError), (2, StoreError)):
        with pytest.raises(InputError, match="x: none") as fault:
            saved_tables.load_file(path, version)
        assert type(fault.value) is kind
