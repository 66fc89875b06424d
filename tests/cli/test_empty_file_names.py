"""A command to which an empty file name is given says what is wrong and what would be right, and does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli.app import app, command_of, run


def files(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every option, also a hidden one, and every argument that is a file; the name of an argument is ''."""
    for name, child in getattr(command, "commands", {}).items():
        yield from files(child, (*words, name))
    for param in command.params:
        if words and param.metavar == "FILE":
            yield words, param.opts[0] if param.param_type_name == "option" else ""


FILES = sorted(set(files(command_of(app))))


def test_there_are_such_names() -> None:
    assert {option for _, option in FILES} >= {"--save", "--resume", "--to", "--file", "--csv", ""}


@pytest.mark.parametrize(("words", "option"), FILES, ids=lambda value: "-".join(value).replace("--", "-") or "FILE")
@pytest.mark.parametrize("name", ["", " ", "\t "])
def test_an_empty_name_is_refused_in_one_line(
    words: tuple[str, ...],
    option: str,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    given = [f"{option}={name}"] if option else [name]
    number = ["1"] if words == ("tournaments", "export") else []
    table = ["some.npz"] if option and words == ("export",) else []
    assert run([*words, *number, *table, *given]) in (1, 2)
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "the file name is empty: name a file, for example folder/name" in error
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == []


@pytest.mark.parametrize("name", ["", " "])
def test_the_library_refuses_it_too(name: str) -> None:
    import nimtui

    with pytest.raises(nimtui.InputError, match="must be the path of a file, not ''"):
        nimtui.load(name)
    training = nimtui.train("nim:3,2", "reward", games=10)
    for force in (False, True):
        with pytest.raises(nimtui.InputError, match="must be the path of a file, not ''"):
            training.save(name, force=force)
