"""A person's own files: what they declare, how they are loaded, and how those that fail are named."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.process import plugins
from nimtui.process.plugins import Chosen, Declared, Facts, OwnFile

FACTS = Facts(("mine",), (("mine:N", "counts"),), (("Mine", "mine:1"),))


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file is loaded before, nor after."""
    for name in ("_sources", "_loaded", "_left_out"):
        monkeypatch.setattr(plugins, name, {})
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "kind", "declared"),
    [
        ("NAMES = ('Euclid', 'gcd')", "game", Declared("game", ("euclid", "gcd"))),
        ("NAMES: tuple = ['a']", "agent", Declared("agent", ("a",))),
        ("NAMES, FORMS = ('a',), ()", "agent", Declared("agent", ("a",))),
        ("NAME = 'Patient'\nNAMES = ('b',)", "learner", Declared("learner", ("patient",))),
        ("NAMES = tuple(range(3))", "game", Declared("game", ())),
        ("NAMES = {1: 2}", "game", Declared("game", ())),
        ("NAMES: tuple", "game", Declared("game", ())),
        ("def size(:", "game", Declared("game", ())),
        ("LEARNER = 1\nNAME = 'p'\ndef size(): pass", "", Declared("learner", ("p",))),
        ("NAMES = ('g',)\ndef legal(): pass", "", Declared("game", ("g",))),
        ("NAMES = ('a',)", "", Declared("agent", ("a",))),
        ("def decide(): pass", "", Declared("", ())),
    ],
)
def test_what_a_file_declares_is_read_without_running_it(
    text: str, kind: str, declared: Declared, tmp_path: Path
) -> None:
    path = written(tmp_path, "Mine.py", text)
    assert plugins.declared(path, kind) == declared
    assert plugins.names_of(path, kind) == (*declared.names, "mine")
    assert plugins.declared(tmp_path / "none.py", kind) == Declared(kind, ())


def test_the_last_of_several_assignments_counts() -> None:
    tree = ast.parse("a = b = 1\na = 2\n(c, d.e) = 3, 4\nx, y = z\nf: int = 5")
    assert {name: ast.unparse(value) for name, value in plugins.assigned(tree).items()} == {
        "a": "2", "b": "1", "c": "3", "f": "5",
    }  # fmt: skip


def test_a_file_is_run_as_it_was_read_and_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "mine.py", "import os\nos.write(1, b'x')\nos.write(2, b'y')\nVALUE = __file__")
    module = plugins.load(path, "game")
    assert (module.__name__, module.VALUE, capfd.readouterr()) == ("nimtui_games_mine", str(path), ("", ""))
    other = plugins.load(tmp_path / "b.py", "agent", b"VALUE = 2")
    assert other.VALUE == 2 and plugins.source_of("nimtui_agents_b") == plugins.text_of(other) == b"VALUE = 2"
    assert plugins.loaded() == [
        OwnFile("game", path, path.read_bytes()),
        OwnFile("agent", tmp_path / "b.py", b"VALUE = 2"),
    ]
    assert plugins.loaded_names() == "agents/b.py, games/mine.py"
    with pytest.raises(ZeroDivisionError):
        plugins.load(tmp_path / "c.py", "game", b"1 / 0")
    assert "nimtui_games_c" not in sys.modules and len(plugins.loaded()) == 2
    with pytest.raises(KeyError):
        plugins.source_of("nimtui_games_c")
    assert plugins.text_of(ModuleType("none")) == b"" and plugins.text_of(plugins).startswith(b'"""A person')
    packed = OwnFile("game", path, b"\0\xff")
    assert OwnFile.unpacked(packed.packed()) == packed and OwnFile("game", path, b"VALUE = 7").load().VALUE == 7


def test_a_folder_is_added_by_name_and_each_fault_is_a_line(tmp_path: Path) -> None:
    added: list[ModuleType] = []

    def add(module: ModuleType) -> None:
        if hasattr(module, "REFUSED"):
            raise InputError(f"the game {module.__file__}: refused")
        added.append(module)

    written(tmp_path, "b.py", "NAMES = ('bee',)")
    written(tmp_path, "a.py", "NAMES = ('ant',)\nraise ValueError('one\\ntwo')")
    written(tmp_path, "c.py", "NAMES = ('cat',)\nREFUSED = 1")
    written(tmp_path, "d.txt", "")
    assert plugins.files(tmp_path) == [tmp_path / name for name in ("a.py", "b.py", "c.py")]
    assert plugins.files(tmp_path / "none") == plugins.files(tmp_path / "d.txt") == []
    assert plugins.add_folder(tmp_path, "game", add) == [
        f"the game file {tmp_path / 'a.py'} cannot be used: ValueError: one two",
        f"the game file {tmp_path / 'c.py'} cannot be used: refused",
    ]
    assert [module.__name__ for module in added] == ["nimtui_games_b"] and "nimtui_games_c" not in sys.modules
    written(tmp_path, "a.py", "")
    written(tmp_path, "c.py", "")
    assert plugins.add_folder(tmp_path, "game", add, {tmp_path / "a.py": Chosen(b"VALUE = 1")}) == []
    assert [module.__name__ for module in added] == ["nimtui_games_b", "nimtui_games_a"] and added[1].VALUE == 1


def test_an_agent_of_another_process_has_its_facts_alone(tmp_path: Path) -> None:
    added: list[Any] = []
    path = tmp_path / "known_by_facts.py"
    assert plugins.add_folder(tmp_path, "agent", added.append, {path: Chosen(b"1 / 0", FACTS)}) == []
    [module] = added
    assert (module.NAMES, module.FORMS, module.PRESETS, module.__file__) == (*FACTS, str(path))
    assert plugins.source_of("nimtui_agents_known_by_facts") == b"1 / 0" and plugins.loaded() == []
    with pytest.raises(RuntimeError, match="the agent mine can only be created in its own process"):
        module.parse("mine", "", None)


def test_an_unknown_name_is_answered_with_why_its_file_is_left_out() -> None:
    assert plugins.left_out("the learner file p.py cannot be used: no", "learner", ["Patient"]).endswith("no")
    assert str(plugins.unknown("agent", " PATIENT ", ["mc"])) == "the learner file p.py cannot be used: no"
    assert str(plugins.unknown("learner", "patient", [])) == "the learner file p.py cannot be used: no"
    assert "unknown game 'patient'" in str(plugins.unknown("game", "patient", ["nim"]))


def test_words_and_texts() -> None:
    words = {"a": True, "a" * 40: True, "a" * 41: False, "A": False, "a b": False, "a:": False, "a,": False, "": False}
    assert {word: plugins.is_word(word) for word in words} == words
    texts = {"A b": True, "x" * 200: True, "x" * 201: False, "a\n": False, "": False}
    assert {text: plugins.is_text(text) for text in texts} == texts and not plugins.is_text(3)
    for given, most, ok in (
        (("a",), 1, True),
        (["a", "b"], 1, False),
        ("a", 1, False),
        ((3,), 1, False),
        ((), 0, True),
    ):
        assert plugins.are(given, plugins.is_word, most) is ok
    assert plugins.fault_text(KeyError()) == "KeyError" and plugins.fault_text(ValueError("a\n b")) == "ValueError: a b"
    assert len(plugins.one_line("x" * 300)) < 250

    class Mute:
        def __str__(self) -> str:
            raise ZeroDivisionError

    assert plugins.one_line(Mute()) == "" and plugins.unusable(Path("a"), "game", "the game a: b") == (
        "the game file a cannot be used: b"
    )


def test_a_long_path_takes_no_room_from_the_reason(tmp_path: Path) -> None:
    why = "why" + " and why" * 20

    def refuse(module: ModuleType) -> None:
        raise InputError(f"the game {module.__file__}: {why}")

    path = written(tmp_path, "a.py", "")
    assert plugins.add_folder(tmp_path, "game", refuse) == [f"the game file {path} cannot be used: {why}"]


def test_installed_packages_add_their_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "none")])
    package = tmp_path / "euclid-1.0.dist-info"
    package.mkdir()
    assert not plugins.any_packaged()
    (package / "entry_points.txt").write_text("[console_scripts]\n")
    assert not plugins.any_packaged()
    (package / "entry_points.txt").write_text("[nimtui.games]\neuclid = euclid\nbroken = no_such_module\n")
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: euclid\nVersion: 1.0\n")
    (tmp_path / "euclid.py").write_text("")
    assert plugins.any_packaged()
    added: list[ModuleType] = []
    assert plugins.add_packaged("game", added.append) == [
        "the game broken of the package euclid 1.0 cannot be used: "
        "ModuleNotFoundError: No module named 'no_such_module'"
    ]  # fmt: skip
    assert [module.__name__ for module in added] == ["euclid"] and plugins.add_packaged("agent", added.append) == []
    assert str(plugins.unknown("game", "broken", [])).startswith("the game broken of the package euclid")


def test_a_closed_stream_stays_closed() -> None:
    number = os.dup(2)
    try:
        os.close(2)
        with plugins.redirected(os.open(os.devnull, os.O_WRONLY)), pytest.raises(OSError):
            os.fstat(2)
    finally:
        os.dup2(number, 2)
        os.close(number)
