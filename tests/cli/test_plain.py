"""`--plain`: dialogues through a pipe, line by line, with facts that are known from elsewhere."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from nimtui.api import board_text
from nimtui.cli.plain import commands, prompt, telling
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, parse_game
from nimtui.games.base import legal_moves
from nimtui.games.registry import presets
from nimtui.learning.training import Training
from nimtui.report.values import Share
from nimtui.ui.play.keys import PLAYING
from tests.cli.conftest import Nimtui
from tests.test_docs import TEXTS

Dialogue = Callable[..., list[str]]

TYPED = ("hint", "why", "search", "search mcts", "moves", "rules", "train 20", "review", "help", "words", "again")
GAMES = ("nim:3,4,5", "nim:1,2:misere", "subtraction:21,3:misere", "kayles:1,3,5", "connect4:5x4", "tower:16")


@pytest.fixture
def talk(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> Dialogue:
    """Run a command with these lines on stdin, and return what it prints: without lines of progress."""
    monkeypatch.setattr(prompt, "PATIENCE", 1e6)

    def run(words: str, *lines: str) -> list[str]:
        typed = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        done = nimtui(*words.split())
        assert (done.status, done.err) == (0, "")
        echoes = tuple(f": {line}" for line in lines if line)  # repeat what was typed
        own = [line for line in done.out.splitlines() if not line.endswith(echoes)]
        assert max(map(len, own)) <= 80
        return done.out.splitlines()

    return run


def after(said: list[str], prompt: str) -> list[str]:
    """The lines between this prompt, with what was typed, and the next one."""
    found = said[said.index(prompt) + 1 :]
    return found[: next((at for at, line in enumerate(found) if re.match(r"Your move:|Command:", line)), len(found))]


def test_the_end_of_the_input_ends_it(talk: Dialogue) -> None:
    assert talk("play nim:3,4,5 --plain --second perfect --seed 1", "a1")[-8:] == [
        "Your move: a1",
        "Move 1: you took 1 from A (a1).",
        "Move 2: Perfect took 1 from A (a1).",  # 2,4,5 is won by the move to 1,4,5 alone
        "A: 1 match",
        "B: 4 matches",
        "C: 5 matches",
        "Your move: ",
        "End of input.",
    ]


def test_nim_1_4_5_is_lost(talk: Dialogue) -> None:
    said = talk("play nim:1,4,5 --plain --second perfect", "why", "hint", "quit")
    assert after(said, "Your move: why") == [
        "Every move loses. Every group of 4 and 1 has a partner in another row.",
        "Whatever you do, the opponent can restore that. Take 1 from A to hold out",
        "longest: 10 plies.",
        "A: 1 match, binary 001.",
        "B: 4 matches, binary 100.",
        "C: 5 matches, binary 101.",
        "Nim-sum: 0, binary 000.",
        "P-position: player to move loses. Every binary column is even. Any move makes",
        "one odd, and the reply evens it. Loses in 10 plies at best.",
    ]
    assert after(said, "Your move: hint")[0].startswith("Every move loses. Every group of 4 and 1")


def test_nim_3_4_5_is_won_by_a2_alone(talk: Dialogue) -> None:
    said = talk("play nim:3,4,5 --plain --second perfect", "why", "hint", "a2", "quit")
    assert "Nim-sum: 2, binary 010. Odd columns: 2." in said
    assert any("a2 makes every binary column even." in line for line in said)
    assert after(said, "Your move: hint")[0].startswith("Take 2 from A: then")
    assert "Move 1: you took 2 from A (a2)." in said


@pytest.mark.slow
def test_perfect_plays_from_a_late_position_of_a_game_too_large_from_its_start(talk: Dialogue) -> None:
    words = "play noughts:4x4x4 -p xoxo/oxox/xo../.... --plain --second perfect"
    said = talk(words, "d1", "quit")  # the one move that draws
    assert any(line.startswith("Move 2: Perfect marked") for line in said)


def test_why_goes_as_deep_as_one_asks(talk: Dialogue) -> None:
    said = talk("play nim:3,4,5 --plain --second perfect", "why plain", "why terms", "why deep", "quit")
    assert after(said, "Your move: why plain") == [
        "Take 2 from A: then every group of 4 and 1 has a partner in another row.",
        "Whatever the opponent does, you can restore that.",
    ]
    terms = after(said, "Your move: why terms")
    assert [name for line in terms for name in ("N-position", "group", "nim-sum") if line.startswith(f"{name}: ")] == [
        *("N-position", "group", "nim-sum")
    ]
    assert any(line.startswith("Error: unknown depth 'deep': expected plain or terms") for line in said)


def test_misere_nim_changes_its_rule_near_the_end(talk: Dialogue) -> None:
    said = talk("play nim:1,2:misere --plain --second perfect", "why", "rules", "b2", "quit")
    assert "N-position: player to move wins. Misère: only one row exceeds 1, so the rule" in said
    assert "Whoever takes the last match loses. In turn," in " ".join(said)
    assert "Perfect took the last match: you win." in said


def test_21_matches_to_take_up_to_3_of(talk: Dialogue) -> None:
    said = talk("play subtraction:21,3 --plain --second perfect", "moves", "hint", "a1", "quit")
    assert after(said, "Your move: moves") == ["Legal moves: a1, a2, a3."]
    assert after(said, "Your move: hint")[0].startswith("Take 1: then 20 are left.")  # 20 is a multiple of 4
    assert "Whoever takes the last match wins. In turn, take 1 to 3 matches." in said
    assert "21 matches" in said


def test_kayles_tells_where_matches_stand(talk: Dialogue) -> None:
    said = talk("play kayles:1,3,5 --plain --second me", "c2-3", "b2")
    assert "Move 1: the first player took c2-3." in said
    assert said[-6:-2] == [
        "Move 2: the second player took b2.",
        "A: 1 match",
        "B: 2 matches, at 1 and 3",
        "C: 3 matches, at 1 and 4 to 5",
    ]


def test_connect_four_says_the_columns_of_each_row_from_the_top(talk: Dialogue) -> None:
    said = talk("play connect4:5x4 --plain --second me", "3", "3", "1", "quit")
    assert "The board is empty." in said
    at = said.index("Move 3: the first player dropped in column 1.")
    assert said[at + 1 : at + 3] == ["Row 2: column 3 O.", "Row 1: column 1 X, column 3 X."]


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("noughts:3x3x3", "xxo/.o./...", ["Row A: columns 1 to 2 X, column 3 O.", "Row B: column 2 O."]),
        (
            "chomp:4x3",
            "4,1,0",
            ["Row A: column 1 a poisoned piece, columns 2 to 4 pieces.", "Row B: column 1 a piece."],
        ),
        ("connect4", "", ["The board is empty."]),
        ("connect4", "4455", ["Row 2: columns 4 to 5 O.", "Row 1: columns 4 to 5 X."]),
    ],
)
def test_a_board_is_said_in_sentences(game: str, position: str, said: list[str]) -> None:
    chosen = parse_game(game)
    assert telling.board(chosen, chosen.new(position)) == said


def test_every_sign_of_a_board_is_said_once_at_its_column() -> None:
    """Takes the sentences apart again, along random games, and compares them with the cells."""
    for name in ("connect4", "noughts:4x4x4", "chomp:4x5"):
        game, stream = parse_game(name), Stream(2)
        state = game.start
        while moves := legal_moves(state):
            state = game.after(state, stream.choose(moves))
            cells = game.cells(state)
            again = [[0 if cell <= 0 else cell for cell in row] for row in cells]
            for line in telling.board(game, state):
                if line == "The board is empty.":
                    continue
                row, runs = re.fullmatch(r"Row (\w): (.*)\.", line).groups()
                at = len(cells) - int(row) if row.isdigit() else ord(row) - ord("A")
                for run in runs.split(", "):
                    first, last, sign = re.fullmatch(r"columns? (\d+)(?: to (\d+))? (.*)", run).groups()
                    for column in range(int(first) - 1, int(last or first)):
                        assert (telling.SEVERAL if last else telling.SIGNS)[again[at][column]] == sign
                        again[at][column] = 0
            assert not any(map(any, again))


def test_a_long_wait_is_named_while_nothing_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prompt, "PATIENCE", 0.01)
    named = Event()
    monkeypatch.setattr(prompt.output, "paragraph", lambda text, to: (print(text, file=to), named.set()))
    assert prompt.work("preparing", lambda _: named.wait(20)) is True
    assert capsys.readouterr().out.startswith("preparing: at work.")


def test_a_wide_board_keeps_its_columns_aligned() -> None:
    record = Record(parse_game("connect:12x3x3"))
    record.push(11)
    row, numbers = board_text.lines(record.game, record.state)[-2:]
    assert numbers.split() == ["Column:", *map(str, range(1, 13))]
    assert len(row) == len(numbers) and row.index("X") == len(row) - 1


def test_a_finished_game_says_who_won_and_what_decided(talk: Dialogue) -> None:
    said = talk("play nim:1,2 --plain --second perfect --seed 3", "b2", "review", "a1", "again", "quit")
    assert "Perfect took the last match and wins." in said
    assert after(said, "Command: review") == [
        "Move 1, you, b2: mistake, win → loss.",
        "Move 2, perfect, a1: keeps the win.",
        "Move 1, b2, was the turning point: you gave the win away (win → loss). Better:",
        "b1. It wins: nim-sum 3 becomes 0, so every binary column is even.",
    ]
    assert after(said, "Command: a1") == [
        "Error: the game is over. 'again' starts another game, 'help' lists the",
        "commands",
    ]
    assert "First: You. Second: Perfect. Seed 4." in said


def test_two_agents_are_watched_to_the_end(talk: Dialogue) -> None:
    said = talk("play tower:16 --plain --first perfect --second random --seed 2")
    moves = [line for line in said if line.startswith("Move ")]
    assert [line.split()[2] for line in moves] == (["Perfect", "Random"] * 8)[: len(moves)]
    winner = "Perfect" if len(moves) % 2 else "Random"
    assert f"{winner} took the last match and wins." in said
    assert talk("play tower:16 --plain --first perfect --second random --seed 2") == said


def test_moves_are_taken_back_and_played_again(talk: Dialogue) -> None:
    said = talk("play nim:3,4 --plain --second perfect", "undo", "a1", "undo", "redo")
    assert after(said, "Your move: undo") == ["Error: no moves have been made: nothing to take back"]
    again = said.index("Back before move 1.")
    assert said[again + 1 : again + 4] == ["A: 3 matches", "B: 4 matches", "Your move: redo"]
    assert said[again + 4] == "Played again up to move 2."
    assert said[again + 5 : again + 7] == ["A: 2 matches", "B: 2 matches"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hlep", "Error: unknown command 'hlep' (did you mean help?). 'help' lists the commands"),
        ("b9", "Error: row B has 4 matches: 9 cannot be taken"),
        ("z1", "Error: unknown row Z: the rows are A to B"),
        ("first hardd", "Error: unknown agent 'hardd' (did you mean hard?). Agents:"),
        ("new nmi:3", "Error: unknown game 'nmi' (did you mean nim?)."),
        ("new nim:3 me me me", "Error: a game has two players: new GAME FIRST SECOND"),
        ("search foo", "Error: unknown algorithm 'foo'. Algorithms: minimax, alphabeta, mcts"),
        ("train foo", "Error: unknown learner 'foo'. Learners:"),
        ("train 1 2", "Error: expected a learner and a number of games, for example:"),
        ("move", "Error: 'move' needs more: move MOVE"),
        ("quit now", "Error: 'quit' stands alone: nothing follows it"),
        ("go", "Error: no agent was stopped"),
        ("review", "Error: no move has been made yet"),
        ("save", "Error: no move has been made yet"),
        ("help hnt", "Error: unknown command 'hnt' (did you mean hint?)."),
        ("1" * 1000, f"Error: invalid move '{'1' * 30}…{'1' * 12} (1,000 characters)'. 'moves' lists the legal moves"),
        ("\x1b[2J", "Error: invalid move '‹1B›[2J'"),
    ],
)
def test_invalid_input_leads_back_to_the_prompt(talk: Dialogue, typed: str, said: str) -> None:
    lines = talk("play nim:3,4 --plain --second me", typed, "a1")
    at = next(at for at, line in enumerate(lines) if line.startswith("The first player's move:"))
    assert " ".join(lines[at + 1 :]).startswith(said)
    assert "Move 1: the first player took 1 from A (a1)." in lines


def test_a_game_is_chosen_step_by_step(talk: Dialogue) -> None:
    said = talk("--plain", "99", "nim:2,2", "", "agents", "perfect", "new", "back", "quit")
    assert f"Error: choose a number from 1 to {len(presets())}, or type a name such as nim:3,4,5" in said
    assert "First player [me]: " in said and "Second player [hard]: agents" in said
    assert any(line.startswith("mc: Flat Monte Carlo") for line in said)
    assert "Nim 2,2: the last match wins." in said
    back = said.index("Game, by number or name [1]: back")
    assert said[back + 1 :] == ["A: 2 matches", "B: 2 matches", "Your move: quit"]


def test_the_training_is_that_of_the_learner(talk: Dialogue) -> None:
    said = talk("play nim:2,3 --plain --second perfect --seed 5", "train quality:margin=50 300", "quit")
    training = Training(parse_game("nim:2,3"), "quality:margin=50", 5)
    training.run(300)
    found = training.standing()
    shares = f"accuracy {Share(found.accuracy).spoken}, against perfect play {Share(found.unbeaten).spoken}"
    assert f"After 300 games: {shares}." in said
    assert any(line.startswith("quality:margin=50, seed 5: 300 games in ") for line in said)
    assert "'second quality:games=300,seed=5,margin=50' lets it play." in said


def test_a_trained_learner_takes_a_seat(talk: Dialogue) -> None:
    said = talk("play nim:2,3 --plain --second perfect --seed 5", "second reward:games=300,seed=5", "b1", "quit")
    assert "Second: Reward learner (300 games, seed 5)." in said
    assert any(line.startswith("Move 2: Reward learner took") for line in said)


def test_a_search_to_the_end_knows_what_wins(talk: Dialogue) -> None:
    said = after(
        talk("play nim:1,2,4 --plain --second perfect", "search minimax:depth=-1", "quit"),
        "Your move: search minimax:depth=-1",
    )
    assert said[0].startswith("minimax:depth=-1 plays c1 (") and said[1].startswith("Value: wins in ")
    moves = {line.partition(":")[0]: line for line in said if re.match(r"[abc]\d:", line)}
    assert [move for move, line in moves.items() if line.endswith(", truth best.")] == ["c1"]  # 1 xor 2 = 3
    assert len(moves) == 1 + 2 + 4 and "loses in" in moves["a1"] and moves["a1"].endswith(", truth mistake.")
    assert said[2].startswith("Line: c1 ")


def test_a_game_is_saved_for_the_other_commands(talk: Dialogue, nimtui: Nimtui) -> None:
    said = talk("play nim:1,2 --plain --second perfect --seed 3", "b1", "save", "quit")
    assert "Saved as game 1. 'nimtui games show 1' shows it." in said
    assert "b1" in nimtui("games", "show", "1").out


def test_help_lists_every_command_and_explains_each(talk: Dialogue) -> None:
    said = "\n".join(talk("play nim:3 --plain", "?", *(f"help {name}" for name in commands.BY_NAME), "quit"))
    for command in commands.COMMANDS:
        assert said.count(f"\n{command.usage}: {command.meaning}\n") == 2


KEYS = {command.key: command.name for command in commands.COMMANDS if command.key}


def test_the_letters_of_commands_are_the_keys_of_the_app() -> None:
    does = {"why": "why", "hint": "hint", "undo": "undo", "redo": "redo", "review": "review", "swap": "swap"}
    bound = {binding.action: binding.key for binding in PLAYING}
    assert {bound[action]: name for action, name in does.items()} | {
        bound["new"]: "new",
        bound["search"]: "search",
    } == {key: name for key, name in KEYS.items() if key not in "?q"}


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


def test_a_key_of_the_app_says_what_its_command_says(talk: Dialogue) -> None:
    game = "play nim:3,4,5 --plain --second perfect --seed 1"
    words = ["hint", "why", "why plain", "a1", "undo", "redo", "search minimax", "swap", "new", "back", "help"]
    letters = ["h", "w", "w plain", "a1", "u", "y", "t minimax", "S", "n", "back", "?"]

    first, second = talk(game, *words, "quit"), talk(game, *letters, "q")
    typed = (*words, *letters, "quit", "q")
    echoes = {f"{prompt}: {line}" for prompt in ("Your move", "Command", "Game") for line in typed}
    own = [[re.sub(r"[\d.,]+ m?s\b", "", line) for line in said if line not in echoes] for said in (first, second)]
    assert own[0] == own[1] and not any("Error" in line for line in own[0])


def test_a_row_with_the_letter_of_a_key_plays(talk: Dialogue) -> None:
    said = talk("play nim:1,1,1,1,1,1,1,2 --plain --second me", "H1", "h", "h 1", "h 1", "quit")
    assert "Move 1: the first player took 1 from H (h1)." in said
    assert "Move 2: the second player took 1 from H (h1)." in said
    assert "Error: row H is empty" in said


def test_a_move_of_an_own_game_goes_before_a_key(talk: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.games import heaps

    ours, names = heaps.parse_move, {"h": "a1", "q": "a2"}
    monkeypatch.setattr(heaps, "parse_move", lambda state, text: ours(state, names.get(text, text)))
    said = talk("play nim:3 --plain --second me", "h", "w", "q", "q")
    assert "Move 1: the first player took 1 (a1)." in said and "Move 2: the second player took 2 (a2)." in said
    assert said[-1] == "Command: q"  # the game is over: no move is legal


def test_another_screen_has_no_dialogue(nimtui: Nimtui) -> None:
    done = nimtui("--plain", "library")
    assert done.status == 2 and done.err.startswith("nimtui: --plain has no library screen; ")


def test_a_report_stays_a_report(nimtui: Nimtui) -> None:
    done = nimtui("--plain", "solve", "nim:1,4,5")
    assert done.status == 0 and "P-position: player to move loses." in done.out


def test_the_documented_dialogue_is_printed(talk: Dialogue) -> None:
    [(typed, words, said)] = re.findall(
        r"^\$ printf '([^\n]*)' \| nimtui ([^\n]*)\n(.*?)^```", TEXTS["docs/command-line.md"], re.MULTILINE | re.DOTALL
    )
    lines = typed.removesuffix("\\n").split("\\n")
    assert [line.rstrip() for line in talk(words, *lines)] == said.splitlines()


def test_the_documented_commands_are_all() -> None:
    table = re.findall(r"^\| `(.*?)` \| (.*) \|$", TEXTS["docs/command-line.md"], re.MULTILINE)
    assert {(command.usage, command.meaning.rstrip(".")) for command in commands.COMMANDS} <= set(table)


# In a process of its own: the bytes.


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_c_locale_gets_ascii_and_no_terminal_is_obeyed(game: str, tmp_path: Path) -> None:
    home = {"NIMTUI_HOME": str(tmp_path), "LC_ALL": "C", "TERM": "xterm-256color"}
    name = parse_game(game)
    move = name.move_name(0, name.start)
    done = subprocess.run(
        [sys.executable, "-m", "nimtui", "play", game, "--plain", "--second", "mc:playouts=20", "--seed", "1"],
        input="".join(f"{line}\n" for line in (*TYPED, move, *TYPED)).encode(),
        env={**os.environ, **home},
        capture_output=True,
        timeout=300,
        check=True,
    )
    assert done.stderr == b""
    assert done.stdout.isascii() and b"?" not in done.stdout.replace(b"help, ?", b"")  # no sign is lost
    assert not {*b"\x1b\r\x08\x07"} & {*done.stdout}
    assert max(map(len, done.stdout.splitlines())) <= 80
