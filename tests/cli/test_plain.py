"""`--plain`: what the dialogues of the transcripts do not show; its words, its letters, its bytes."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from threading import Event
from typing import Any
from unittest import mock

import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.api import games
from nimtui.cli import output
from nimtui.cli.plain import commands, lines
from nimtui.engine import graph, limits
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, parse_game
from nimtui.games.base import legal_moves
from nimtui.games.registry import presets
from nimtui.jobs.job import Snapshot
from nimtui.learning import sample, summary
from nimtui.learning.training import Training
from nimtui.progress import Progress
from nimtui.ui.play.keys import PLAYING
from tests.cli.conftest import Nimtui
from tests.test_docs import TEXTS

Dialogue = Callable[..., list[str]]


@pytest.fixture
def talk(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> Dialogue:
    """Run a command with these lines on stdin, and return what it prints: without lines of progress."""
    monkeypatch.setattr(lines, "PATIENCE", 1e6)

    def run(words: str, *lines: str) -> list[str]:
        typed = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        done = nimtui(*words.split())
        assert (done.status, done.err) == (0, "")
        return done.out.splitlines()

    return run


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("noughts:3x3x3", "xxo/.o./...", "Row A: columns 1 to 2 X, column 3 O.|Row B: column 2 O."),
        ("chomp:4x3", "4,1,0", "Row A: column 1 a poisoned piece, columns 2 to 4 pieces.|Row B: column 1 a piece."),
        ("connect4", "", "The board is empty."),
        ("connect4", "4455", "Row 2: columns 4 to 5 O.|Row 1: columns 4 to 5 X."),
        ("nim:1,2", "1,0", "A: 1 match|B: no matches"),
        ("kayles:5", "10110", "3 matches, at 1 and 3 to 4"),
    ],
)
def test_a_board_is_said_in_sentences(game: str, position: str, said: str) -> None:
    chosen = parse_game(game)
    assert "|".join(lines.board(chosen, chosen.new(position))) == said


def test_a_wide_board_keeps_its_columns_aligned() -> None:
    record = Record(parse_game("connect:12x3x3"))
    record.push(11)
    row, numbers = games.board_lines(record.game, record.state)[-2:]
    assert numbers.split() == ["Column:", *map(str, range(1, 13))]
    assert len(row) == len(numbers) and row.index("X") == len(row) - 1


def test_a_game_too_large_for_a_table_trains_a_function_and_says_what_it_has_learned(
    talk: Dialogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graph.MOST_BYTES > 100  # loaded before: it takes the limit as a default
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(sample, "of", lambda game, progress: sample.make(game, 60, 1, progress))
    said = " ".join(talk("play connect:3x3x3 --plain --second random --seed 5", "train 200", "quit"))
    training = Training(parse_game("connect:3x3x3"), "ntuple", 5)
    training.run(200)
    sentences = summary.sentences(summary.of(training, training.curve_to(None)))
    assert len(sentences) == 3 and " ".join(sentences) in said and "'second ntuple:games=200,seed=5'" in said


KEYS = {command.key: command.name for command in commands.COMMANDS if command.key}


def test_the_letters_of_commands_are_the_keys_of_the_app() -> None:
    bound = {binding.action: binding.key for binding in PLAYING}
    named = ("why", "hint", "undo", "redo", "review", "swap", "new", "search")
    assert {bound[name]: name for name in named} == {key: name for key, name in KEYS.items() if key not in "?q"}


@pytest.mark.parametrize("name", [*(preset.game for preset in presets()), "nim:" + ",".join("2" * 26)])
def test_no_built_in_game_reads_a_letter_alone_as_a_move(name: str) -> None:
    game, stream = parse_game(name), Stream(3)
    state = game.start
    while moves := legal_moves(state):
        for key in KEYS:
            assert key not in {game.move_name(move, state) for move in moves}
            with pytest.raises(InputError):
                game.parse_move(key, state)
        state = game.after(state, stream.choose(moves))


def test_a_move_of_an_own_game_goes_before_a_key(talk: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.games import heaps

    ours, names = heaps.parse_move, {"h": "a1", "q": "a2"}
    monkeypatch.setattr(heaps, "parse_move", lambda state, text: ours(state, names.get(text, text)))
    said = talk("play nim:3 --plain --second me", "h", "w", "q", "q")
    assert "Move 1: the first player took 1 (a1)." in said and "Move 2: the second player took 2 (a2)." in said
    assert said[-1] == "Command: q"  # the game is over: no move is legal


def test_a_command_and_a_move_may_be_long_and_a_line_has_an_end(talk: Dialogue) -> None:
    said = talk("play nim:3 --plain --second me", "1" * 60, "1" * 61, "x" * 1999, "x" * 2000, "a1")
    errors = " ".join(said).split("Error: ")[1:]
    starts = ("row A has 3 matches: 111", "invalid move '1111111111", "'xxxxxxxxxxxxx", "a line has at most 2,000")
    assert all(error.startswith(start) for error, start in zip(errors, starts, strict=True))
    assert "'moves' lists the legal moves" in errors[1]
    assert "Move 1: the first player took 1 (a1)." in said


def test_the_documented_dialogue_is_printed_and_help_explains_the_documented_commands(talk: Dialogue) -> None:
    [(typed, words, said)] = re.findall(
        r"^\$ printf '([^\n]*)' \| nimtui ([^\n]*)\n(.*?)^```", TEXTS["docs/command-line.md"], re.MULTILINE | re.DOTALL
    )
    lines = typed.removesuffix("\\n").split("\\n")
    assert [line.rstrip() for line in talk(words, *lines)] == said.splitlines()
    table = re.findall(r"^\| `(.*?)` \| (.*) \|$", TEXTS["docs/command-line.md"], re.MULTILINE)
    assert {(command.usage, command.meaning.rstrip(".")) for command in commands.COMMANDS} <= set(table)
    helped = "\n".join(talk("play nim:3 --plain", "?", *(f"help {name}" for name in commands.BY_NAME), "quit"))
    for command in commands.COMMANDS:
        assert helped.count(f"\n{command.usage}: {command.meaning}\n") == 2


def test_an_agent_that_fails_or_is_stopped_holds_the_game(talk: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: list[Any] = [ZeroDivisionError("one\nmatch"), InputError("random is tired"), KeyboardInterrupt(), 999]

    def decide(*_: object) -> Decision:
        if isinstance(outcome := outcomes.pop(0), BaseException):
            raise outcome
        return Decision(outcome, ())

    monkeypatch.setattr(parse_agent("random", parse_game("nim:2")).__class__, "decide", decide)
    said = talk("play nim:3 --plain --first random --second me --seed 1", "go", "go", "go", "a1", "go", "b", "quit")
    again, on = ("'go' lets it try again.", "'go' lets it continue.")
    text = " ".join(said).replace(" You may type a move for it.", "…")
    assert text[text.index("Random failed") :] == (
        f"Random failed: ZeroDivisionError: one match. {again}… Command: go Random failed: is tired. {again}…"
        f" Command: go Random was stopped. {on}… Command: go Random failed: it chose 999, an illegal move. {again}…"
        " Command: a1 Move 1: Random took 1 (a1) (you moved for it). 2 matches"
        " Your move: go Error: no agent was stopped"
        " Your move: b Error: invalid move 'b': c3 takes 3 from row C Your move: quit"
    )


# Long work, and the keyboard.


def test_work_says_how_far_it_is_and_raises_what_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lines, "PATIENCE", 0.01)
    named = Event()
    monkeypatch.setattr(lines.output, "paragraph", lambda text, to: (print(text, file=to), named.set()))

    def count(progress: Progress, *report: Any) -> str:
        progress.report(*report) if report else None
        assert named.wait(20)
        named.clear()
        return "done"

    for report, said in (((), "at work"), ((1204, 5000, "games"), "1,204 of 5,000 games")):
        assert lines.work("training", lambda progress, report=report: count(progress, *report)) == "done"
        assert capsys.readouterr().out.startswith(f"training: {said}.\n")
    said = [lines.counted(Snapshot(*report)) for report in ((0, 0, "compiling"), (7,), (0, 5))]  # type: ignore[assignment]
    assert said == ["compiling", "7", "0 of 5"]
    with pytest.raises(InputError, match="no table"):
        lines.work("training", mock.Mock(side_effect=InputError("no table")))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_line_is_edited_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []
    typed = iter([" a1 ", "x" * 5000, ""])

    def line(prompt: str) -> str:
        prompts.append(prompt)
        if text := next(typed):
            return text
        raise EOFError

    out = Terminal()
    with mock.patch.multiple(sys, stdin=Terminal(), stdout=out), monkeypatch.context() as patch:
        patch.setattr(lines, "has_cursor", lambda: True)
        patch.setattr("builtins.input", line)
        asks = lines.Asking()
        assert asks.ask("Move") == "a1" and len(asks.ask("Move")) == lines.LONGEST - 1
        with pytest.raises(lines.EndOfInput):
            asks.ask("Move")
        patch.setattr(lines, "has_cursor", lambda: False)
        assert not lines.Asking()._edits
    assert prompts == ["Move: "] * 3 and out.getvalue() == "\n"


def test_ctrl_c_at_a_prompt_ends_its_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stopped: Any = mock.Mock(isatty=lambda: False, readline=mock.Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setattr(sys, "stdin", stopped)
    with pytest.raises(KeyboardInterrupt):
        lines.Asking().ask("Move")
    assert capsys.readouterr().out == "Move: \n"
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(lines.EndOfInput):
        lines.Asking().ask("Move")


def test_in_ascii_no_sign_of_any_command_is_lost(talk: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("hint", "why", "search", "search mcts", "moves", "rules", "train 20", "review", "help", "words", "again")
    said = talk("--ascii play nim:1,2:misere --plain --second mc:playouts=20", *asked, "a1", *asked)
    text = "\n".join(said)
    assert text.isascii() and "?" not in text.replace("help, ?", "") and len(said) > 200
    assert max(map(len, said)) <= output.LINE + 2
