"""Plain words and the ends of connect games, taken apart by patterns: a brute force answers for each part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from nimtui import theory
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.theory import connect, explanation, plain
from tests.examples import few
from tests.theory.force import Force, is_true, signs
from tests.theory.oracles import Columns

# Plain words, in games that have no formula, and how a connect game ends.

WHO, NAMES, LIST = r"(you|the opponent)", {"you": 0, "the opponent": 1}, r"([\w]+(?:, \w+)*(?: (?:and|or) \w+)?)"


class Faced:
    """A position, and the one that its sentences speak of: that after the move, or itself if it is lost."""

    def __init__(self, force: Force, state: State) -> None:
        self.force, self.state, self.at = force, state, state
        self.faces, self.keeps = ("you", "the opponent") if force.value(state)[0] < 0 else ("the opponent", "you")

    def play(self, deed: str) -> State:
        """Play what the words say; the sentences behind it speak of the position after it."""
        name = deed.removeprefix("Drop in column ").rpartition(" ")[2]
        left = self.force.after(self.state, self.force.game.parse_move(name, self.state))
        if self.faces == "the opponent":
            self.at = left
        return left

    def completing(self, state: State, passed: bool) -> list[str]:
        """Where the player to move completes a line, or with `passed` the other one."""
        cells = self.force.game.cells(state) or []
        k = int(self.force.game.name.rpartition("x")[2])
        flat = [disc for row in cells for disc in row]
        columns = tuple("".join(" xo"[row[at]] for row in reversed(cells)).strip() for at in range(len(cells[0])))
        board = Columns(len(cells[0]), len(cells), k)
        disc = "xo"[(len(flat) - flat.count(0) + passed) % 2]
        after = {at: (*columns[:at], columns[at] + disc, *columns[at + 1 :]) for at in board.open(columns)}
        return [str(at + 1) for at, played in after.items() if board.wins(played, at)]

    def above(self) -> list[str]:
        """Columns where a disc of the player to move lets the other complete a line right above."""
        found = []
        for move in base.legal_moves(self.at):
            name, left = self.force.game.move_name(move, self.at), self.force.after(self.at, move)
            if int(base.outcome(left)) == base.GOING_ON and name in self.completing(left, passed=False):
                found.append(name)
        return found

    def disc(self) -> int:
        """The winner's number of discs when the line is completed at the latest."""
        flat = [disc for row in self.force.game.cells(self.at) or () for disc in row]
        played = len(flat) - flat.count(0)
        return (played + 1) // 2 + self.force.value(self.at)[1] // 2


def split(text: str) -> list[str]:
    return re.split(", | and | or ", text)


def chosen(faced: Faced, deed: str, blocks: str | None, sign: int) -> None:
    """Check that the move keeps this outcome, and that it blocks a line if the words say so."""
    column = [deed.rpartition(" ")[2]]
    if isinstance(faced.state, Connect):
        assert bool(blocks) == (faced.completing(faced.state, passed=True) == column)
    left = faced.play(deed)
    assert (signs(faced.force, faced.state), signs(faced.force, left)) == (sign, -sign)


def at_once(faced: Faced, deed: str, told: str) -> None:
    left = faced.play(deed)
    assert int(base.outcome(left)) == base.WON
    if isinstance(left, Connect):
        assert told == f"that completes {({2: 'two', 3: 'three', 4: 'four'})[int(left.k)]} in a row"


def blocking(faced: Faced, who: str, column: str) -> None:
    assert who.lower() == faced.faces and faced.completing(faced.at, passed=True) == [column]


def each(faced: Faced, columns: str, who: str) -> None:
    assert who == faced.keeps and split(columns) == faced.completing(faced.at, passed=True) and len(split(columns)) > 1


def forbidden(faced: Faced, whose: str, columns: str, who: str) -> None:
    assert (whose.replace("yours", "you"), who) == (faced.faces, faced.keeps) and split(columns) == faced.above()


def wherever(faced: Faced, who: str, keeps: str) -> None:
    assert (who, keeps) == (faced.faces, faced.keeps) and len(faced.above()) == int(base.count(faced.at))


def right_above(faced: Faced, who: str) -> None:
    [column] = faced.completing(faced.at, passed=True)
    assert who == faced.keeps and column in faced.above()


def with_disc(faced: Faced, who: str, own: str, disc: str) -> None:
    assert who.lower() == faced.keeps and own == ("your" if faced.keeps == "you" else "their")
    assert signs(faced.force, faced.at) == -1 and faced.disc() == int(disc)


def within(faced: Faced, who: str, one: str | None, moves: str | None) -> None:
    assert who.lower() == faced.keeps and signs(faced.force, faced.at) == -1
    assert faced.force.value(faced.at)[1] // 2 == int(moves or bool(one))


def longest(faced: Faced, deed: str, plies: str, unit: str) -> None:
    left = faced.play(deed)
    assert faced.force.value(left) == (1, int(plies) - 1) and faced.force.value(faced.state) == (-1, int(plies))
    after = {faced.force.value(faced.force.after(faced.state, move))[1] for move in base.legal_moves(faced.state)}
    assert len(after) > 1 and (unit == "ply") == (plies == "1")


DEED = r"((?:Drop in column|Eat|Mark) \w+)( to block a line of the opponent)?"
DISC = rf"{WHO} wins? with (your|their) (\d+)(?:st|nd|rd|th) disc at the latest"
PLAIN: dict[str, Callable[..., None]] = {
    "every move loses": lambda p: is_true(signs(p.force, p.state) == -1),
    "no move wins": lambda p: is_true(signs(p.force, p.state) == 0),
    rf"{DEED}(?: and| to) hold the draw": lambda p, deed, blocks: (
        chosen(p, deed, blocks, 0) or is_true(len(p.force.keeping(p.state)) < int(base.count(p.state)))
    ),
    rf"{DEED}: every move holds the draw, and none wins": lambda p, deed, blocks: (
        chosen(p, deed, blocks, 0) or is_true(len(p.force.keeping(p.state)) == int(base.count(p.state)))
    ),
    rf"{DEED}: then": lambda p, deed, blocks: chosen(p, deed, blocks, 1),
    rf"{DEED}: (that completes \w+ in a row|that ends the game, and you win)": lambda p, deed, _, told: at_once(
        p, deed, told
    ),
    rf"{DEED} to hold out longest: (\d+) (ply|plies)": lambda p, deed, _, n, unit: longest(p, deed, n, unit),
    rf"columns {LIST} each complete a line for {WHO}": each,
    rf"{WHO} must block column (\w+)": blocking,
    rf"wherever {WHO} drops?, {WHO} completes? a line right above": wherever,
    rf"a disc of (yours|the opponent) in columns? {LIST} lets {WHO} complete a line right above": forbidden,
    rf"then {WHO} completes? a line right above it": right_above,
    rf"{WHO} can block only one": lambda p, who: is_true(who == p.faces and len(p.completing(p.at, passed=True)) > 1),
    DISC: with_disc,
    rf"{DISC}, whatever (?:you do|the opponent does)": with_disc,
    rf"{WHO} wins?(?: (after one more move)| within (\d+) more moves)?, whatever (?:you do|the opponent does)": within,
}


def last_moves(force: Force, state: State, line: str) -> tuple[State, State]:
    """Play the best line, and check that it is best; return the positions before the last two moves and the last."""
    at, states = base.copy(state), []
    for name in line.split():
        states.append(at)
        sign, plies = force.value(at)
        at = force.after(at, force.game.parse_move(name, at))
        assert force.value(at)[0] == -sign and (not sign or force.value(at)[1] == plies - 1)
    assert int(base.outcome(at)) != base.GOING_ON
    return (states[-2] if len(states) > 1 else state), states[-1]


def check_ending(force: Force, state: State, text: str) -> None:
    """Check each sentence on how a connect game ends with best play."""
    line, _, end = text.rpartition("Best play: ")[2].partition(". ") if "Best play: " in text else ("", "", text)
    before = last_moves(force, state, line)[0] if line else state
    faced, sign = Faced(force, state), signs(force, state)
    faced.at = before
    winner, loser = ("the player to move", "the opponent")[:: 1 if sign > 0 else -1]
    threats, cells = faced.completing(before, passed=True), force.game.cells(before) or []
    heights = {str(at + 1): sum(bool(row[at]) for row in cells) for at in range(len(cells[0]))}
    if found := re.fullmatch(r"Column (\w+) completes a line\.", end):
        assert not line and found[1] in faced.completing(state, passed=False)
    elif found := re.fullmatch(
        r"In the end (.+) threatens to complete a line in columns (.+): only one.+blocked\.", end
    ):
        assert found[1] == winner and split(found[2]) == threats and len(threats) > 1
    elif found := re.fullmatch(
        r"In the end (.+) must block row (\d+) of column (\w+), and (.+) completes a line right above it, "
        r"in row (\d+)\.",
        end,
    ):
        assert (found[1], found[4]) == (loser, winner) and threats == [found[3]] and found[3] in faced.above()
        assert int(found[2]) == heights[found[3]] + 1 == int(found[5]) - 1
    elif found := re.fullmatch(
        r"In the end it is zugzwang: only column (\w+) is open, so (.+) must fill row (\d+), and (.+) completes a line "
        r"right above it, in row (\d+)\.",
        end,
    ):
        assert (found[2], found[4]) == (loser, winner) and faced.above() == [found[1]] and base.count(before) == 1
        assert int(found[3]) == heights[found[1]] + 1 == int(found[5]) - 1 and not threats
    elif found := re.fullmatch(
        r"In the end it is zugzwang: whichever of the columns (.+) (the .+) plays, (.+) completes a line right above\.",
        end,
    ):
        assert (found[2], found[3]) == (loser, winner) and faced.above() == split(found[1]) and not threats
        assert len(faced.above()) == int(base.count(before)) > 1
    else:
        assert end == "Best play fills the board, and nobody completes a line." and sign == 0, f"no pattern: {end}"


def late(force: Force, games: int, empty: int) -> Iterator[State]:
    """Positions of random games that are not over, with at most so many empty cells."""
    for state in force.positions(games):
        cells = [cell for row in force.game.cells(state) or () for cell in row]
        if base.outcome(state) == base.GOING_ON and cells.count(0) <= empty:
            yield state


LARGE = [("chomp:3x4", 25, 99), ("noughts:3x3x3", 40, 99), ("connect:3x5x3", 40, 15), ("connect4", 80, 9)]
LARGE += [("connect:4x4x3", 40, few(12, 16)), ("connect:5x4x4", few(40, 60), 9)]
SMALL = [
    ("chomp:2x3", 4, 99),
    ("noughts:3x2x3", 4, 99),
    ("noughts:3x2x2", 4, 99),
    ("noughts:3x3x3", 3, 5),
    ("connect:3x2x2", 4, 99),
]
SMALL += [("connect:3x2x3", 4, 99), ("connect:4x3x3", 10, 7), ("connect:3x4x3", 8, 8)]


@pytest.mark.parametrize(
    ("name", "games", "empty"), [*SMALL, *(pytest.param(*row, marks=pytest.mark.slow) for row in LARGE)]
)
def test_every_plain_sentence_and_every_ending_of_a_game_without_a_formula_is_true(
    name: str, games: int, empty: int
) -> None:
    force = Force(name)
    for state in late(force, games, empty):
        faced = Faced(force, state)
        if isinstance(state, Connect):
            for passed in (False, True):
                lines = [force.game.move_name(move, state) for move in plain.completing(state, passed)]
                assert lines == faced.completing(state, passed)
            assert [force.game.move_name(move, state) for move in plain.above(state)] == faced.above()
        text = " ".join(plain.explained(force.game, state).sentences())
        for said in re.sub(r": then ", ": then. ", text).removesuffix(".").split(". "):
            said = said if re.match("Drop|Eat|Mark", said) else said[0].lower() + said[1:]
            pattern = next((each for each in PLAIN if re.fullmatch(each, said)), None)
            assert pattern, f"a sentence without a pattern: {said} ({text})"
            PLAIN[pattern](faced, *re.fullmatch(pattern, said).groups())  # type: ignore[union-attr]
        if isinstance(state, Connect) and (end := connect.ending(force.game, state)) is not None:
            outcome = theory.solve(force.game, state).outcome
            check_ending(force, state, " ".join(explanation.ending_lines(end, outcome)))
