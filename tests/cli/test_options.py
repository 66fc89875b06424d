"""The options of all commands, found by a walk over them: names, numbers, files; and what the shell offers for them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import nimtui as library
from nimtui.cli import completion, options
from nimtui.cli.app import app, command_of, run
from nimtui.errors import InputError, shortened, whole_number
from nimtui.games import parse_game
from nimtui.learning import opponents, saved_tables, taught
from nimtui.store import paths
from tests.cli.conftest import Nimtui
from tests.learning.helpers import random_record

WRONG = ("1,3", "1,2", ",5,", "1,00", "1,0000", "1_0", "1,000_000", "1e3", "nan", "x", "", "9" * 61)
COMPLETED = {"ID", "GAME", "[GAME]", "AGENT", "SPEC", "LEARNER", "[ID]..."}


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


COMMANDS = dict(commands(command_of(app)))
PARAMETERS = [(words, each) for words, command in COMMANDS.items() for each in command.params]
OPTIONS = [(words, each) for words, each in PARAMETERS if words and each.param_type_name == "option"]
NUMBERS = sorted({(words, each.opts[0]) for words, each in OPTIONS if each.metavar == "N"})
FILES = sorted(  # the name of an argument is ''
    {
        (words, each.opts[0] if each.param_type_name == "option" else "")
        for words, each in PARAMETERS
        if words and each.metavar == "FILE"
    }
)


def test_a_short_option_means_the_same_in_every_command() -> None:
    meanings = defaultdict(set)
    for words, param in OPTIONS:
        short = [name for name in param.opts if name[0] == "-" and len(name) == 2]
        long = {name for name in param.opts if name.startswith("--")}
        for name in short * (not getattr(param, "hidden", False)):
            meanings[name] |= long
        assert "--games" not in long or "-n" in short, words
        assert "--agent" not in long or "-a" in short, words
    assert {name: long for name, long in meanings.items() if len(long) != 1} == {}
    assert (meanings["-a"], meanings["-n"], meanings["-g"]) == ({"--agent"}, {"--games"}, {"--game"})


def test_numbers_and_words_that_stand_for_an_option_that_is_left_out() -> None:
    given = {f"{' '.join(words)} {each.opts[0]}": each.default for words, each in OPTIONS}
    assert {name: value for name, value in given.items() if value not in (None, False, ())} == {
        **{"sequence --to": 20, "quotient --to": 10, "quotient --most-elements": 200, "compare --workers": 1},
        **{"match --games": 1, "export --what": "table", "games list --limit": 20, "tournaments list --limit": 20},
        "runs watch --every": 1.0,
    }


def test_every_id_game_and_agent_has_completion_and_what_is_a_number_or_a_file_is_tried_here() -> None:
    completed = [each for _, each in PARAMETERS if each.metavar in COMPLETED and not getattr(each, "hidden", False)]
    assert len(completed) > 20
    assert {option for _, option in NUMBERS} >= {"--games", "--seed", "--workers", "--repeats", "--limit", "--to"}
    assert {option for _, option in FILES} >= {"--save", "--resume", "--to", "--file", "--csv", ""}
    assert not [each.name for each in completed if each._custom_shell_complete is None]


@pytest.mark.parametrize(("words", "option"), NUMBERS, ids=lambda value: "".join(value).replace("-", ""))
def test_a_wrong_number_is_refused_in_one_line_with_its_value_and_the_range(
    words: tuple[str, ...], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in WRONG:
        assert run([*words, "nim:3", f"{option}={wrong}"]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and option.strip("-") in error
        assert "from" in error and "Input should" not in error
        assert shortened(wrong) in error


def test_groups_of_three_are_one_number_and_nothing_else_is() -> None:
    for text in ("0", "12", "1,000", "12,345,678", "1_000", " 7 ", "007"):
        assert whole_number(text, "it", 0, 10**9) == int(text.replace(",", ""))
    for wrong in (*WRONG, "-", "--1", "1,000,", "٣", "²", "1 000"):
        with pytest.raises(InputError, match="must be"):
            whole_number(wrong, "it", 0, 10**9)


@pytest.mark.parametrize("typed", ["1_0", "٣", "nan", "inf", "+5", "0x1", ""])
def test_decimal_numbers_are_read_as_people_write_them(nimtui: Nimtui, typed: str) -> None:
    for words in (
        *("moves nim:3,4 -a mcts:c={}", "moves nim:3,4 -a mc:time={}", "search nim:3,4 --algorithm mcts:c={}"),
        "tournament nim:3,4 -a random -a perfect --no-save --sprt elo0=0,elo1={}",
        "train nim:3,4 -l q:alpha={} --headless",
    ):
        answer = nimtui(*words.format(typed).split())
        assert answer.status == 2 and answer.out == "" and len(answer.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("parse", "low", "high"),
    [
        (options.games_number, 1, 10**12),
        (options.id_number, 1, 2**63 - 1),
        (options.seed_number, 0, 2**63 - 1),
        (options.threads_number, 1, 64),
        (options.workers_number, 1, 1000),
        (options.limit_number, 1, 1_000_000),
        (options.move_seconds, 0, 86_400),
        (options.game_seconds, 0, 86_400),
    ],
)
def test_a_number_is_taken_up_to_its_bounds(parse: Any, low: int, high: int) -> None:
    assert (parse(str(low)), parse(str(high))) == (low, high)
    for wrong in (low - 1, high + 1):
        with pytest.raises(options.typer.BadParameter, match=re.escape(f"not {wrong:,}") + f"|not '?{wrong}'?"):
            parse(str(wrong))


def test_the_size_of_a_table_is_at_most_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1024}
    monkeypatch.setattr(options.os, "sysconf", pages.__getitem__)
    assert options._memory("4M") == 4 << 20
    with pytest.raises(InputError, match="5M is more than this machine has: 4M"):
        options._memory("5M")
    pages.clear()

    def unknown(_: str) -> int:
        raise ValueError

    monkeypatch.setattr(options.os, "sysconf", unknown)
    assert options._memory("5M") == 5 << 20


def test_examples_stand_below_each_other_in_100_columns_at_most() -> None:
    assert options.epilog("a\nb") == "\b\nExamples:\n  a\n  b"
    wide = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    assert options.group("games", "Saved games.").info.context_settings == app.info.context_settings == wide


@pytest.mark.parametrize(("words", "option"), FILES, ids=lambda value: "-".join(value).replace("--", "-") or "FILE")
def test_an_empty_file_name_is_refused_in_one_line(
    words: tuple[str, ...], option: str, nimtui: Nimtui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    number = ["1"] if words == ("tournaments", "export") else []
    table = ["some.npz"] if option and words == ("export",) else []
    for name in ("", " ", "\t "):
        answer = nimtui(*words, *number, *table, *([f"{option}={name}"] if option else [name]))
        assert answer.status in (1, 2) and answer.err.count("\n") == 1
        assert "the file name is empty: name a file, for example folder/name" in answer.err
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == []


def test_the_library_refuses_an_empty_file_name_too() -> None:
    training = library.train("nim:3,2", "reward", games=10)
    for name, save in product(("", " "), (library.load, training.save, partial(training.save, force=True))):
        with pytest.raises(InputError, match="must be the path of a file, not ''"):
            save(name)


# What the shell offers: one's own names without running a file, parameters, saved items.


OWN = {
    "games/euclid.py": 'NAMES = ("euclid",)\nraise SystemExit("run")',
    "learners/patient.py": 'NAME = "patient"\nABOUT = "waits"\nPARAMETERS = {"wait": 1}\nraise SystemExit("run")',
    "agents/greedy.py": 'NAMES = ("greedy",)\nraise SystemExit("run")',
}


def words(offers: completion.Offers) -> list[str]:
    return [word for word, _ in offers]


def test_own_files_are_offered_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    for name, text in OWN.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    assert words(completion.games("eu")) == ["euclid"]
    assert words(completion.learners("pa")) == ["patient"]
    assert words(completion.agents("gr")) == ["greedy"]
    assert words(completion.learners("patient:")) == words(completion.agents("patient:w")) == ["patient:wait="]


def test_parameters_are_offered_once() -> None:
    assert {"mc:playouts=", "mc:policy="} <= set(words(completion.agents("mc:")))
    assert "quality:margin=" in words(completion.learners("quality:"))
    assert words(completion.agents("mc:playouts=50,po")) == ["mc:playouts=50,policy="]
    assert "mc:playouts=50,playouts=" not in words(completion.agents("mc:playouts=50,"))
    assert completion.agents("mc:playouts=5") == completion.agents("nobody:") == []


def test_taught_tables_are_offered_with_their_versions(nimtui: Nimtui) -> None:
    assert completion.tables("") == completion.agents("table:") == []
    game = parse_game("nim:3,5")
    for seed in (1, 2):
        lesson = taught.Lesson.of(random_record(game, seed), None, ("me", "easy"), 0.0)
        taught.keep(
            saved_tables.new_place("mine"), "easy", opponents.train_interpreted(game, "reward", 10, 1), [lesson]
        )
    assert completion.tables("m") == [("mine", "nim:3,5, Taught in 2 lessons (reward, 12 games)")]
    assert words(completion.tables("mine@")) == ["mine@2", "mine@1", "mine@0"]
    assert words(completion.agents("table:mi")) == ["table:mine"]
    assert words(completion.seats("table:mine@1")) == ["table:mine@1"]
    assert completion.tables("x") == completion.tables("mine@3") == []


def test_saved_items_are_offered_by_number_and_of_a_damaged_file_none(nimtui: Nimtui) -> None:
    assert completion.tournaments("") == completion.saved_games("") == []
    nimtui("match nim:3,5 --first random --second perfect -n 2 --save")
    nimtui("tournament nim:3,5 -a random -a perfect -n 1 --name finals")
    assert completion.tournaments("") == [("2", "tournament finals"), ("1", "match")]
    assert completion.saved_games("2") == [("2:1", "random – perfect")]
    found = words(completion.saved_games("1:"))
    assert len(found) == 2 and all(nimtui(f"games show {number}").status == 0 for number in found)
    damaged = b"no database" * 500
    paths.database().write_bytes(damaged)
    assert completion.tournaments("") == completion.saved_games("") == []
    assert paths.database().read_bytes() == damaged


def test_kinds_are_offered_with_their_meaning() -> None:
    assert completion.pairs("g") == [("gauntlet", "the first against all others, alternating seats")]
    assert words(completion.openings("")) == ["start", "random", "balanced"]
    assert ("tower:16", "Tower of 16") in completion.games("tow") and completion.games("zzz") == []
    assert words(completion.agents("p")) == ["proof", "perfect"] and ("mc", "") in completion.agents("")
    assert completion.seats("me") == [("me", "you"), ("medium", "")]
    assert completion.agents("ta") == [("table:", "a saved table: table:FILE")]
    assert completion.learners("Qu") == [("quality", "")]
