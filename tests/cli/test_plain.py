"""`--plain`: what the transcripts do not show: its words, its letters, its bytes, and that its sentences are true."""

from __future__ import annotations

import io
import random
import re
import sys
from collections.abc import Callable
from queue import Queue
from typing import Any
from unittest import mock

import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.api import games
from nimtui.cli import output
from nimtui.cli.plain import commands, lines
from nimtui.cli.plain.lines import Dialogue
from nimtui.engine import graph, limits
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, Record, base, parse_game, registry
from nimtui.games.base import State, legal_moves
from nimtui.games.registry import presets
from nimtui.jobs.job import Snapshot
from nimtui.learning import sample, summary
from nimtui.learning.training import Training
from nimtui.playing.setup import PlaySetup
from nimtui.progress import Progress
from nimtui.ui.play.keys import PLAYING
from tests.cli.conftest import Nimtui
from tests.deeds import MATCHES, has_line, inside, is_deed, is_result, names_of
from tests.examples import examples
from tests.games import wythoff
from tests.patterns import Patterns, check, same
from tests.test_docs import TEXTS
from tests.theory.force import Force, is_true

Talk = Callable[..., list[str]]


@pytest.fixture
def talk(nimtui: Nimtui, monkeypatch: pytest.MonkeyPatch) -> Talk:
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
    talk: Talk, monkeypatch: pytest.MonkeyPatch
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


def test_a_move_of_an_own_game_goes_before_a_key(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.games import heaps

    ours, names = heaps.parse_move, {"h": "a1", "q": "a2"}
    monkeypatch.setattr(heaps, "parse_move", lambda state, text: ours(state, names.get(text, text)))
    said = talk("play nim:3 --plain --second me", "h", "w", "q", "q")
    assert "Move 1: the first player took 1 (a1)." in said and "Move 2: the second player took 2 (a2)." in said
    assert said[-1] == "Command: q"  # the game is over: no move is legal


def test_a_command_and_a_move_may_be_long_and_a_line_has_an_end(talk: Talk) -> None:
    said = talk("play nim:3 --plain --second me", "1" * 60, "1" * 61, "x" * 1999, "x" * 2000, "a1")
    errors = " ".join(said).split("Error: ")[1:]
    starts = ("row A has 3 matches: 111", "invalid move '1111111111", "'xxxxxxxxxxxxx", "a line has at most 2,000")
    assert all(error.startswith(start) for error, start in zip(errors, starts, strict=True))
    assert "'moves' lists the legal moves" in errors[1]
    assert "Move 1: the first player took 1 (a1)." in said


def test_the_documented_dialogue_is_printed_and_help_explains_the_documented_commands(talk: Talk) -> None:
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


def test_an_agent_that_fails_or_is_stopped_holds_the_game(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
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
    monkeypatch.setattr(lines, "EVERY", 0.01)
    heard: Queue[str] = Queue()
    monkeypatch.setattr(lines.output, "paragraph", lambda text, to: (print(text, file=to), heard.put(text)))

    def count(progress: Progress, wanted: str, *report: Any) -> str:
        progress.report(*report) if report else None
        while heard.get(timeout=20) != wanted:  # the first line may be older than the report
            pass
        return "done"

    for report, said in (((), "at work"), ((1204, 5000, "games"), "1,204 of 5,000 games")):
        wanted = f"training: {said}."
        assert lines.work("training", lambda progress, given=(wanted, *report): count(progress, *given)) == "done"
        assert f"{wanted}\n" in capsys.readouterr().out
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


def test_in_ascii_no_sign_of_any_command_is_lost(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("hint", "why", "search", "search mcts", "moves", "rules", "train 20", "review", "help", "words", "again")
    said = talk("--ascii play nim:1,2:misere --plain --second mc:playouts=20", *asked, "a1", *asked)
    text = "\n".join(said)
    assert text.isascii() and "?" not in text.replace("help, ?", "") and len(said) > 200
    assert max(map(len, said)) <= output.LINE + 2


# What plain mode says of a game: random dialogues in every kind of game, each printed sentence taken apart.


registry.add(wythoff)
GAMES = ["nim:3,2,2", "nim:2,3,1:misere", "nim:5,4:max=2", "nim:4", "subtraction:11,3:misere", "adjacent:2,4",
         "kayles:1,3,2:misere", "adjacent:2,3:max=1", "chomp:2x4", "noughts:3x3x3", "connect:3x3x3", "connect:3x2x3",
         "wythoff:3,4"]  # fmt: skip
TYPED = ["swap", "first", "second", "rules"]


class Facts:
    """The dialogue after a line, its game, and brute force."""

    def __init__(self, force: Force, dialogue: Dialogue, command: str) -> None:
        self.force, self.dialogue, self.session, self.command = force, dialogue, dialogue.session, command
        self.game: Game = force.game
        first, second = (player.spec for player in self.session.players)
        self.seats = (first, second)
        self.names = names_of(self.seats)
        self.record = self.session.record
        self.states = [self.record.state_at(ply) for ply in range(self.record.ply + 1)]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def cells(self) -> list[list[int]]:
        return [list(row) for row in self.game.cells(self.state) or ()]

    def after(self, name: str) -> State:
        return self.force.after(self.state, self.game.parse_move(name, self.state))


# The board and the rules.


def row_of(facts: Facts, row: str | None, number: str, unit: str, places: str | None = None) -> None:
    cells = facts.cells[ord(row) - ord("A") if row else 0]
    assert bool(row) == (len(facts.cells) > 1) and (unit == "match") == (number == "1")
    assert int(number.lower().replace("no", "0")) == sum(cells)
    if places:
        named = {n for first, last in re.findall(r"(\d+)(?: to (\d+))?", places)
                 for n in range(int(first), int(last or first) + 1)}  # fmt: skip
        assert named == {at for at, cell in enumerate(cells, 1) if cell}
    elif facts.game.board_kind == "runs":
        assert sum(cells) in (0, len(cells))


SIGNS = {"X": 1, "O": 2, "a piece": 3, "pieces": 3, "a poisoned piece": 4, "poisoned pieces": 4}


def row_named(facts: Facts, name: str, signs: str) -> None:
    """Check 'Row 2: column 1 X, columns 2 to 3 pieces.'; columns that are not named are empty."""
    lowest = facts.game.board_kind == "columns"
    cells = facts.cells[len(facts.cells) - int(name) if lowest else ord(name) - ord("A")]
    said = [0] * len(cells)
    for first, last, sign in re.findall(r"columns? (\d+)(?: to (\d+))? ([a-z ]+|X|O)", signs):
        for at in range(int(first), int(last or first) + 1):
            said[at - 1] = SIGNS[sign.strip()]
    assert said == [max(0, cell) for cell in cells]


def title(facts: Facts, head: str, end: str | None) -> None:
    if facts.game.board_kind in MATCHES:
        assert end == ("loses" if facts.force.misere else "wins")
        if found := re.search(r"(\d+) matches", head):
            assert int(found[1]) == sum(map(sum, facts.game.cells(facts.game.start) or ()))


def takes(facts: Facts, end: str, many: str, where: str | None) -> None:
    """Check which numbers of matches a move of the start takes from one row, and that they are neighbours if said."""
    start, cells = facts.game.start, facts.game.cells(facts.game.start) or ()
    taken: dict[int, set[int]] = {}
    for move in base.legal_moves(start):
        touched = sorted(facts.game.touched(start, move))
        assert len({row for row, _ in touched}) == 1
        taken.setdefault(touched[0][0], set()).add(len(touched))
        if "adjacent" in many:
            assert [place for _, place in touched] == list(range(touched[0][1], touched[0][1] + len(touched)))
    found = re.fullmatch(r"any number of .+|1 (?:or|to) (\d+) .+|(one) match", many)
    assert found and bool(where) == (len(cells) > 1)
    most = int(found[1]) if found[1] else 1 if found[2] else 99
    assert taken == {row: set(range(1, min(most, len(line)) + 1)) for row, line in enumerate(cells)}
    assert ("adjacent" in many) == (facts.game.board_kind == "runs" and most > 1)
    assert end == ("loses" if facts.force.misere else "wins")


def in_a_row(facts: Facts, word: str) -> None:
    """A line of k ends the game; nothing else does before the board is full."""
    k = int(word)
    for state in facts.force.positions(3):
        full = all(cell for row in facts.game.cells(state) or () for cell in row)
        line, end = has_line(facts.game, state, k), int(base.outcome(state))
        assert (end == base.WON) == line and (end == base.DRAW) == (full and not line)


def typed(facts: Facts, deed: str, name: str) -> None:
    start = facts.game.start
    after = facts.force.after(start, facts.game.parse_move(name, start))
    is_deed(facts.game, start, after, deed)


def singles(facts: Facts, name: str, place: str, row: str, both: str | None) -> None:
    """Check how one match of a row, and its first two, are named."""
    typed(facts, f"take {row.lower()}{place}", name)
    if both:
        typed(facts, f"take {row.lower()}1-2", both)


def size(facts: Facts, columns: str, rows: str) -> None:
    assert (len(facts.cells[0]), len(facts.cells)) == (int(columns), int(rows))


def marks(facts: Facts, thing: str | None) -> None:
    """The first player sets 1, the second 2, if anybody sets marks."""
    first = facts.force.after(facts.game.start, base.legal_moves(facts.game.start)[-1])
    both = facts.force.after(first, base.legal_moves(first)[-1])
    numbers = [{cell for row in facts.game.cells(state) or () for cell in row} & {1, 2} for state in (first, both)]
    assert numbers == ([{1}, {1, 2}] if thing else [set(), set()])


BOARD: Patterns = {
    r"(?:([A-Z]): )?(\d+|no|No) (match|matches)(?:, at (.+))?": row_of,
    r"Row (\w): (.+)\.": row_named,
    r"The board is empty\.": lambda facts: is_true(not any(cell > 0 for row in facts.cells for cell in row)),
    r"Position: (.+)": lambda facts, name: same(
        name.replace("the start", "3,4"), ",".join(map(str, facts.state.board.tolist()))
    ),
}
RULES: Patterns = {
    r"(?!Move |First|Type |A move|Cells|X is|The board|Who|'|Row)([^.]+?)"
    r"(?:: the last match (wins|loses))?\.": title,
    r"Whoever takes the last match (wins|loses)\. In turn, take (.+?)( from one row)?\.": takes,
    r"Type (\S+) to take (\d+)(?: from row ([A-Z]))?\.": lambda facts, name, count, row: typed(
        facts, f"take {count}" + (f" from {row}" if row else ""), name
    ),
    r"Type (\S+) to take match (\d+) of row ([A-Z])(?:, (\S+) to take matches 1 and 2)?\.": singles,
    r"Type (\d+) and Enter to drop a disc into column (\d+)\.": lambda facts, name, column: typed(
        facts, f"drop in column {column}", name
    ),
    r"A move is typed as (\S+), for example\.": lambda facts, name: typed(facts, f"play {name}", name),
    r"Type (\S+) to (?!take)(.+?)(?:: row ([A-Z]), column (\d+))?\.": lambda facts, name, deed, *place: (
        typed(facts, deed, name) or placed(facts, name, *place)
    ),
    r"The board has (\d+) columns and (\d+) rows\. Row 1 is the lowest\.": size,
    r"Whoever first has (\d+) discs in a line, in any direction, wins; a full board is a draw\. In turn, drop a disc"
    r" into a column\.": in_a_row,
    r"X is the first player's (disc|mark), O the second player's\. Cells that are not named are empty\.": marks,
    r"Cells that are not named are empty\.": lambda facts: marks(facts, None),
    r"'moves' lists the legal moves\.": lambda facts: is_true(facts.game.board_kind not in (*MATCHES, "columns")),
}


def placed(facts: Facts, name: str, row: str | None, column: str | None) -> None:
    if row and column:
        square = facts.game.square(facts.game.start, facts.game.parse_move(name, facts.game.start))
        assert square == (ord(row) - ord("A"), int(column) - 1)


# The game.


def moved(facts: Facts, ply: str, who: str, deed: str, name: str | None, instead: str | None) -> None:
    at = int(ply)
    assert who == inside(facts.names[(at - 1) % 2]) and not instead
    is_deed(facts.game, facts.states[at - 1], facts.states[at], deed)
    if name:
        left = facts.force.after(facts.states[at - 1], facts.game.parse_move(name, facts.states[at - 1]))
        assert left.board.tolist() == facts.states[at].board.tolist()


def seated(facts: Facts, order: str, who: str) -> None:
    assert who == facts.names[order == "Second"]


def both(facts: Facts, first: str, second: str, seed: str | None) -> None:
    for said, spec in zip((first, second), facts.seats, strict=True):
        assert said.partition(" (")[0] == ("You" if spec == "me" else spec.capitalize())
    assert seed is None or int(seed) == facts.session.seed


PLAY: Patterns = {
    r"Move (\d+): (.+?) ((?:took|dropped|ate|marked|played) .+?)(?: \((\S+)\))?( \(you moved for it\))?\.": moved,
    r"'review' judges the moves, 'again' starts another game\.": lambda facts: is_true(facts.session.over),
    r"Legal moves: (.+)\.": lambda facts, names: same(
        names.split(", "), [facts.game.move_name(move, facts.state) for move in base.legal_moves(facts.state)]
    ),
    r"The game is over: no moves are left\.": lambda facts: is_true(facts.session.over),
    r"Back before move (\d+)\.": lambda facts, ply: same(int(ply), facts.record.ply + 1),
    r"Played again up to move (\d+)\.": lambda facts, ply: same(int(ply), facts.record.ply),
    r"(First|Second): (.+)\. 'agents' lists the agents\.": seated,
    r"First: (.+)\. Second: (.+?)\.(?: Seed (\d+)\.)?": both,
    r"(.+) moves\.": lambda facts, who: same(who, facts.names[facts.record.turn]),
}


def verify(facts: Facts, printed: list[str]) -> set[str]:
    told = set[str]()
    patterns = RULES if facts.command == "rules" else {**PLAY, **BOARD, **(RULES if facts.command == "start" else {})}
    for text in printed:
        if facts.session.over and re.fullmatch(r".+ (wins?|draw)\.", text):
            told.add(is_result(facts.game, facts.states, facts.seats, text))
        elif facts.command in ("start", "rules") and text == facts.game.rules:
            told.add("the game's own rules")
        else:
            told.add(check(text, patterns, facts))
    return told


@pytest.mark.slow
def test_every_line_of_a_dialogue_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(output, "paragraph", lambda text, to=None: printed.append(text))
    monkeypatch.setattr(lines, "PATIENCE", 1e6)
    told = set[str]()
    for game in GAMES:
        force = Force(game)
        for seats in (("me", "random"), ("perfect", "me"), ("me", "me")):
            chance, dialogue = random.Random(f"{game} {seats}"), Dialogue(1)
            swapped = False
            printed.clear()
            dialogue.start(PlaySetup(game, None, seats, 1))
            told |= verify(Facts(force, dialogue, "start"), printed)
            for _ in range(24 * examples(1)):
                printed.clear()
                if dialogue.session.waiting_for is not None:
                    commands.obey(dialogue, "board")
                    told |= verify(Facts(force, dialogue, "board"), printed)
                printed.clear()
                dialogue.let_agents_move()
                told |= verify(Facts(force, dialogue, "move"), printed)
                printed.clear()
                session = dialogue.session
                names = [session.game.move_name(move, session.state) for move in base.legal_moves(session.state)]
                moves = [f"move {name}" for name in chance.sample(names, min(len(names), 3))]
                typed = TYPED * (not session.over) + ["redo"] * (not swapped)  # which names who moved then
                command = chance.choice(["board", "moves", "undo", *typed, *moves, *moves])
                swapped |= command == "swap"
                try:
                    commands.obey(dialogue, command)
                except InputError:  # nothing to take back, or to play again
                    continue
                told |= verify(Facts(force, dialogue, command), printed)
    assert told >= {*PLAY, *BOARD, *RULES, "last match", "line"}
