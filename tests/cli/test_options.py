"""The options of all commands: a short form has one meaning, and a file's format follows from its extension."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from nimtui.cli.app import app
from tests.cli.conftest import Nimtui


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for word, inner in getattr(command, "commands", {}).items():
        yield from commands(f"{name} {word}".strip(), inner)


COMMANDS = dict(commands("", typer.main.get_command(app)))


def test_a_short_option_means_the_same_in_every_command() -> None:
    found = defaultdict(set)
    for command in COMMANDS.values():
        for param in command.params:
            short = [name for name in param.opts if name[0] == "-" and len(name) == 2]
            long = [name for name in param.opts if name.startswith("--")]
            if not param.hidden if hasattr(param, "hidden") else True:
                for name in short:
                    found[name] |= set(long) - {"--c"}
    assert {name: long for name, long in found.items() if len(long) != 1} == {}
    assert found["-a"] == {"--agent"} and found["-n"] == {"--games"} and found["-g"] <= {"--game"}


def test_every_number_of_games_is_short_n_and_every_agent_short_a() -> None:
    for name, command in COMMANDS.items():
        for param in command.params:
            if "--games" in param.opts:
                assert "-n" in param.opts, name
            if "--agent" in param.opts:
                assert "-a" in param.opts, name


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("search nim:1,2,3 -a mcts", "-a is an agent; use --algorithm"),
        ("sweep nim:1,2,3 -l quality -g margin=50", "-g is a game; use --grid"),
    ],
)
def test_a_short_option_with_another_meaning_is_refused(nimtui: Nimtui, words: str, says: str) -> None:
    answer = nimtui(words)
    assert (answer.status, answer.out, answer.err) == (2, "", f"nimtui: {says}\n")


WRITERS = {
    "search nim:1,2,3 --depth 2": [".json", ".dot", ".csv"],
    "sweep nim:1,2 -l quality --grid margin=50,90 -n 100 --repeats 1": [".csv"],
    "compare nim:3,5 -a random -a perfect": [".csv", ".json", ".svg"],
    "tournament nim:3,5 -a random -a perfect -n 2 --headless": [".csv"],
    "games export": [".txt", ".csv", ".json"],
    "tournaments export 1": [".txt", ".csv", ".json"],
}


@pytest.mark.parametrize("words", WRITERS)
@pytest.mark.slow
def test_a_file_is_written_by_its_extension_and_never_replaced(nimtui: Nimtui, tmp_path: Path, words: str) -> None:
    nimtui("match nim:3,5 --first random --second random --save")
    for end in WRITERS[words]:
        file = tmp_path / f"result{end}"
        assert nimtui(f"{words} --to {file}").status == 0
        before = file.read_bytes()
        assert before
        answer = nimtui(f"{words} --to {file}")
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1) and "--force" in answer.err
        assert file.read_bytes() == before
        assert nimtui(f"{words} --to {file} --force").status == 0
    for name in ("result.xyz", "result"):
        answer = nimtui(f"{words} --to {tmp_path / name}")
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert all(end in answer.err for end in WRITERS[words]) and not (tmp_path / name).exists()


def test_every_writer_is_tried_here() -> None:
    """Of the commands with --to only export is tried elsewhere: it needs a table."""
    writers = {name for name, command in COMMANDS.items() for param in command.params if "--to" in param.opts}
    writers -= {"sequence"}  # there it is a number of matches
    tried = {" ".join(words.split()[: 2 if " export" in words else 1]) for words in WRITERS}
    assert writers == tried | {"export"}
