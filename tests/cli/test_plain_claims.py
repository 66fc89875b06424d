"""What plain mode says of a game: random dialogues in every kind of game, each printed sentence taken apart.

The lines of its commands `why` and `search` are those of `nimtui solve` and `nimtui search`, spoken.
"""

from __future__ import annotations

import random
import re

import pytest

from nimtui.cli import output
from nimtui.cli.plain import commands, lines
from nimtui.cli.plain.lines import Dialogue
from nimtui.errors import InputError
from nimtui.games import Game, base, registry
from nimtui.games.base import State
from nimtui.playing.setup import PlaySetup
from tests.deeds import MATCHES, has_line, inside, is_deed, is_result, names_of
from tests.examples import examples
from tests.games import wythoff
from tests.patterns import Patterns, check, same
from tests.theory.force import Force, is_true

pytestmark = pytest.mark.slow

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
