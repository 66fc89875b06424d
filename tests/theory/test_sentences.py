"""Every sentence about a position is taken apart by a pattern, and a brute force answers for its parts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

from nimtui import theory
from nimtui.cli.sequence import _told
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.theory import connect, explanation, merit, plain
from nimtui.theory.sequence import sequence
from nimtui.ui.search.keys import HELP
from tests.theory.oracles import Columns

Value = tuple[int, int]  # +1, 0 or −1 for the player to move, and the plies to the end with best play


class Force:
    """The values of a game's positions, by trying every move; it knows no theory."""

    def __init__(self, name: str) -> None:
        self.game = parse_game(name)
        self.misere = name.endswith(":misere")
        self.known: dict[bytes, Value] = {}

    def after(self, state: State, move: int) -> State:
        played = base.copy(state)
        base.play(played, move)
        return played

    def value(self, state: State) -> Value:
        place = state.board.tobytes()
        if place not in self.known:
            if (end := int(base.outcome(state))) != base.GOING_ON:
                self.known[place] = {base.WON: -1, base.LOST: 1, base.DRAW: 0}[end], 0
            else:
                moves = [self.value(self.after(state, move)) for move in base.legal_moves(state)]
                best = max(-sign for sign, _ in moves)
                plies = [plies for sign, plies in moves if -sign == best]
                self.known[place] = best, 1 + (min(plies) if best > 0 else max(plies))
        return self.known[place]

    def keeping(self, state: State) -> set[str]:
        sign = self.value(state)[0]
        moves = [move for move in base.legal_moves(state) if -self.value(self.after(state, move))[0] == sign]
        return {self.game.move_name(move, state) for move in moves}

    def positions(self, games: int) -> Iterator[State]:
        """All positions of random games, the finished ones too, each once."""
        chance, seen = random.Random(self.game.name), set()
        for _ in range(games):
            state = self.game.new()
            while True:
                if state.board.tobytes() not in seen:
                    seen.add(state.board.tobytes())
                    yield base.copy(state)
                if base.outcome(state) != base.GOING_ON:
                    break
                base.play(state, chance.choice(base.legal_moves(state)))


def limit_of(game: Game) -> int:
    return int(getattr(game.start, "limit", 99))


@cache
def grundy(size: int, limit: int, split: bool) -> int:
    """The Grundy value of one row, or of one run of neighbours."""
    options = set()
    for taken in range(1, min(limit, size) + 1):
        rest = size - taken
        for left in range(rest + 1) if split else (0,):
            options.add(grundy(left, limit, split) ^ grundy(rest - left, limit, split))
    return next(number for number in range(size + 1) if number not in options)


def runs(game: Game, state: State) -> list[list[int]]:
    """The lengths of the runs of each row; a row of a heap game is one run."""
    rows = ["".join("1" if cell else "0" for cell in row) for row in game.cells(state) or ()]
    split = game.board_kind == "runs"
    return [list(map(len, re.findall("1+", row))) if split else [row.count("1")] for row in rows]


def counts(force: Force, state: State) -> list[list[int]]:
    """What the runs of each row count: their Grundy values; in misère their own game's where the rule holds."""
    limit, split = limit_of(force.game), force.game.board_kind == "runs"
    found = runs(force.game, state)
    if split and max((run for row in found for run in row), default=0) <= limit:
        limit = 99
    return [[grundy(run, limit, split) for run in row] for row in found]


def values(force: Force, state: State) -> list[int]:
    return [count for row in counts(force, state) for count in row]


def large(force: Force, state: State) -> int:
    return sum(count > 1 for count in values(force, state))


def are_odd_ones(numbers: list[int]) -> bool:
    return max(numbers, default=0) < 2 and sum(numbers) % 2 == 1


def listed(text: str, keeping: set[str]) -> None:
    """Check 'a1, a2 or b1', or 'a1, a2 and 3 more', as moves that keep the outcome."""
    found = re.fullmatch(r"(.+?)(?: and (\d+) more)?", text)
    assert found
    named = set(re.split(", | or ", found[1]))
    assert named <= keeping and len(keeping - named) == int(found[2] or 0), (text, keeping)


def signs(force: Force, state: State) -> int:
    return force.value(state)[0]


def in_plies(force: Force, state: State, sign: int, plies: str, unit: str) -> None:
    assert force.value(state) == (sign, int(plies)) and (unit == "ply") == (plies == "1")


def ended(force: Force, state: State, kind: str, how: str) -> None:
    sign = {"won": -1, "lost": 1}[how]
    kinds = {"rows": "took the last match", "runs": "took the last match", "columns": "dropped the last disc"}
    assert int(base.outcome(state)) != base.GOING_ON and signs(force, state) == sign
    assert kind == kinds.get(force.game.board_kind, "made the last move")


def leaving(force: Force, state: State, names: str, good: Callable[[list[int]], bool]) -> None:
    """Check that each of these moves wins and leaves such values."""
    whole = re.split(", | or ", re.sub(r" and \d+ more$", "", names))
    assert set(whole) <= force.keeping(state) and signs(force, state) == 1
    for name in whole:
        assert good(values(force, force.after(state, force.game.parse_move(name, state))))


def is_even(numbers: list[int]) -> bool:
    return reduce(xor, numbers, 0) == 0


def evens(force: Force, state: State, ones: bool) -> None:
    """Check that whatever the player to move does, some reply evens every column (or, with `ones`, leaves odd ones)."""
    assert is_even(values(force, state)) and force.misere == ones
    for move in base.legal_moves(state):
        after = force.after(state, move)
        assert not is_even(values(force, after))
        replies = [values(force, force.after(after, reply)) for reply in base.legal_moves(after)]
        good = [is_even(reply) and (not ones or max(reply, default=0) > 1) for reply in replies]
        assert any(good) or (ones and any(map(are_odd_ones, replies)))


def phase(force: Force, state: State, unit: str, number: range) -> None:
    assert force.misere and large(force, state) in number
    longest = max(map(len, force.game.cells(force.game.start) or []))
    limited = force.game.board_kind == "rows" and limit_of(force.game) < longest
    split = any(len(row) > 1 for row in runs(force.game, state))
    assert unit == ("value" if limited else "run" if split else "row")


def remainder(force: Force, state: State, left: str, whole: str, by: str, rest: str, bad: str) -> None:
    [[matches]] = runs(force.game, state)
    assert (matches, limit_of(force.game) + 1) == (int(left), int(by)) and int(whole) * int(by) + int(rest) == matches
    assert (signs(force, state) == -1) == (matches % int(by) == int(bad))


def leaves(force: Force, state: State, name: str, left: str) -> None:
    after = force.after(state, force.game.parse_move(name, state))
    assert force.value(after)[0] == -1 and runs(force.game, after) == [[int(left)]]


REASONS: dict[str, Callable[..., None]] = {
    r"P-position: player to move loses": lambda f, s: _is(signs(f, s) == -1),
    r"N-position: player to move wins": lambda f, s: _is(signs(f, s) == 1),
    r"Drawn position with best play": lambda f, s: _is(signs(f, s) == 0),
    r"Wins in (\d+) (ply|plies)": lambda f, s, n, unit: in_plies(f, s, 1, n, unit),
    r"Loses in (\d+) (ply|plies) at best": lambda f, s, n, unit: in_plies(f, s, -1, n, unit),
    r"Wins in (\d+) (ply|plies): score \+(\d+)": lambda f, s, n, unit, score: scored(f, s, 1, n, unit, score),
    r"Loses in (\d+) (ply|plies) at best: score −(\d+)": lambda f, s, n, unit, score: scored(f, s, -1, n, unit, score),
    r"The game is over: the player who (.+) (won|lost)": ended,
    r"The game is over: a draw": lambda f, s: _is(int(base.outcome(s)) == base.DRAW),
    r"(?:No simple rule: s|S)olved position by position": lambda f, s: _is(bool(base.count(s))),
    r"Wins: (.+)": lambda f, s, names: _is(signs(f, s) == 1) or listed(names, f.keeping(s)),
    r"Holds the draw: (.+)": lambda f, s, names: _is(signs(f, s) == 0) or listed(names, f.keeping(s)),
    r"Every move loses": lambda f, s: _is(signs(f, s) == -1),
    r"A row counts as its remainder modulo (\d+)": lambda f, s, by: _is(
        all(grundy(n, limit_of(f.game), False) == n % int(by) for n in range(20))
    ),
    r"Each run counts as its Grundy value": lambda f, s: _is(not f.misere),
    r"Each run counts as its length": lambda f, s: _is(all(sum(map(sum, runs(f.game, s))) >= n for n in values(f, s))),
    r"Misère: two (\w+)s or more exceed 1, so play as in normal Nim": lambda f, s, u: phase(f, s, u, range(2, 99)),
    r"Misère: only one (\w+) exceeds 1, so the rule changes now": lambda f, s, u: phase(f, s, u, range(1, 2)),
    r"Misère: no (\w+) exceeds 1, so an odd number of ones loses": lambda f, s, u: phase(f, s, u, range(1)),
    r"The player to move will have to take the last match": lambda f, s: _is(f.misere and signs(f, s) == -1),
    r"Every binary column is even": lambda f, s: _is(is_even(values(f, s)) and signs(f, s) == -1),
    r"Any move makes one odd, and the reply evens it": lambda f, s: evens(f, s, ones=False),
    r"Any move makes one odd, and the reply evens it, or leaves an odd number of ones": lambda f, s: evens(f, s, True),
    r"(.+) makes? every binary column even": lambda f, s, names: leaving(
        f, s, names, lambda left: is_even(left) and (not f.misere or max(left) > 1)
    ),
    r"(.+) leaves? an odd number of ones": lambda f, s, names: leaving(f, s, names, are_odd_ones),
    r"(\d+) = (\d+) × (\d+) \+ (\d+)\. A player who faces remainder (\d+) loses": remainder,
    r"(\w+) leaves (\d+)": leaves,
}


def _is(true: bool) -> None:
    assert true


def scored(force: Force, state: State, sign: int, plies: str, unit: str, score: str) -> None:
    """Check the plies, and that the winner's discs that are left are one fewer than the score."""
    in_plies(force, state, sign, plies, unit)
    cells = [disc for row in force.game.cells(state) or () for disc in row]
    empty = cells.count(0) - int(plies)  # when the line is completed
    discs = len(cells) - empty
    first = discs % 2  # the first player made the last move
    assert int(score) - 1 == (empty // 2 if first else (empty + 1) // 2)


def apart(text: str) -> list[str]:
    """The sentences of a text; numbers of the division belong together with what they prove."""
    whole = text.replace(". A player", "; a player")
    return [said.replace("; a player", ". A player") for said in whole.removesuffix(".").split(". ")]


def check(text: str, patterns: dict[str, Callable[..., None]], force: Force, state: State, *more: object) -> set[str]:
    told = set()
    for said in apart(text):
        fitting = [(pattern, found) for pattern in patterns if (found := re.fullmatch(pattern, said))]
        assert fitting, f"a sentence without a pattern: {said}"
        pattern, found = max(fitting, key=lambda pair: len(pair[0]))
        patterns[pattern](force, state, *more, *found.groups())
        told.add(pattern)
    return told


# The reason for a best move, as reviews give it.


def zeroed(force: Force, state: State, left: State, total: str, unit: str | None) -> None:
    assert reduce(xor, values(force, state), 0) == int(total) > 0 and is_even(values(force, left))
    assert bool(unit) == force.misere and (not force.misere or large(force, left) > 1), "misère: else the ones decide"
    assert unit != "row" or force.game.board_kind == "rows", "a row may hold two runs"


def by_disc(force: Force, state: State, left: State, disc: str, of: str) -> None:
    cells = [disc for row in force.game.cells(state) or () for disc in row]
    assert len(cells) == int(of) and len(cells) - cells.count(0) + force.value(state)[1] == int(disc)


def divided(force: Force, state: State, left: State, matches: str, by: str, rest: str) -> None:
    assert runs(force.game, left) == [[int(matches)]] and int(by) == limit_of(force.game) + 1
    assert int(matches) % int(by) == int(rest) == force.misere


MERITS: dict[str, Callable[..., None]] = {
    r"holds the draw\. No move wins": lambda f, s, left: _is((signs(f, s), signs(f, left)) == (0, 0)),
    r"wins at once": lambda f, s, left: _is(int(base.outcome(left)) == base.WON),
    r"wins with disc (\d+) of (\d+)": by_disc,
    r"wins: solved to the end of the game": lambda f, s, left: _is(signs(f, left) == -1),
    r"wins: it leaves (\d+)\. Divided by (\d+) the remainder is (\d+), a lost position": divided,
    r"wins: it leaves an odd number of remainders of 1, and the others are 0": lambda f, s, left: _is(
        are_odd_ones(values(f, left)) and f.misere
    ),
    r"wins: it leaves an odd number of ones, so the opponent takes the last match": lambda f, s, left: _is(
        are_odd_ones(values(f, left)) and f.misere and {run for row in runs(f.game, left) for run in row if run} == {1}
    ),
    r"wins: nim-sum (\d+) becomes 0, so every binary column is even"
    r"(?:, and (row|run|value)s above 1 are left: as in normal Nim)?": zeroed,
}

GAMES = [
    "nim:3,4,5",
    "nim:2,2,3",
    "nim:9",
    "tower:16",
    "nim:5,4,3:max=2",
    "nim:9,5:max=3",
    "nim:4,3,2:max=1",
    "subtraction:21,3",
    "adjacent:1,3,5",
    "adjacent:7",
    "kayles:1,3,5",
    "kayles:9",
    "adjacent:4,4:max=3",
    "chomp:3x4",
    "noughts:3x3x3",
    "connect:4x4x3",
    "connect:4x3x3",
    "connect:3x4x3",
]


def named(name: str, misere: bool) -> list[str]:
    return [f"{name}:misere"] * (not name.startswith(("connect", "noughts", "chomp"))) if misere else [name]


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for name in GAMES for misere in (False, True) for each in named(name, misere)])
def test_every_reason_for_a_position_and_for_its_best_move_is_true(name: str) -> None:
    force = Force(name)
    for state in force.positions(60):
        why = theory.explain(force.game, state)
        found = theory.remoteness(force.game, state)
        said = explanation.sentences(why if isinstance(state, Connect) else replace(why, remoteness=found))
        check(" ".join(said), REASONS, force, state)
        verdict = theory.solve(force.game, state)
        if verdict.best_moves and verdict.outcome is not theory.Outcome.LOSS:
            best = merit.best_explained(verdict)
            text = merit.merit(force.game, state, best, why)
            pattern = next((each for each in MERITS if re.fullmatch(each, text.removesuffix("."))), None)
            assert pattern, f"a sentence without a pattern: {text}"
            groups = re.fullmatch(pattern, text.removesuffix(".")).groups()  # type: ignore[union-attr]
            MERITS[pattern](force, state, force.after(state, best), *groups)


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
        assert told == f"that completes {({3: 'three', 4: 'four'})[int(left.k)]} in a row"


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
    "every move loses": lambda p: _is(signs(p.force, p.state) == -1),
    "no move wins": lambda p: _is(signs(p.force, p.state) == 0),
    rf"{DEED}(?: and| to) hold the draw": lambda p, deed, blocks: chosen(p, deed, blocks, 0),
    rf"{DEED}: every move holds the draw, and none wins": lambda p, deed, blocks: (
        chosen(p, deed, blocks, 0) or _is(len(p.force.keeping(p.state)) == int(base.count(p.state)))
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
    rf"{WHO} can block only one": lambda p, who: _is(who == p.faces and len(p.completing(p.at, passed=True)) > 1),
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games", "empty"),
    [
        ("chomp:3x4", 60, 99),
        ("noughts:3x3x3", 100, 99),
        ("connect:4x4x3", 100, 16),
        ("connect:4x3x3", 100, 12),
        ("connect:3x5x3", 100, 15),
        ("connect:5x4x4", 100, 9),
        ("connect4", 150, 9),
    ],
)
def test_every_plain_sentence_and_every_ending_of_a_game_without_a_formula_is_true(
    name: str, games: int, empty: int
) -> None:
    force = Force(name)
    for state in late(force, games, empty):
        faced = Faced(force, state)
        text = " ".join(plain.explained(force.game, state).sentences())
        for said in re.sub(r": then ", ": then. ", text).removesuffix(".").split(". "):
            said = said if re.match("Drop|Eat|Mark", said) else said[0].lower() + said[1:]
            pattern = next((each for each in PLAIN if re.fullmatch(each, said)), None)
            assert pattern, f"a sentence without a pattern: {said} ({text})"
            PLAIN[pattern](faced, *re.fullmatch(pattern, said).groups())  # type: ignore[union-attr]
        if isinstance(state, Connect) and (end := connect.ending(force.game, state)) is not None:
            outcome = theory.solve(force.game, state).outcome
            check_ending(force, state, " ".join(explanation.ending_lines(end, outcome)))


@pytest.mark.parametrize(
    ("name", "position", "what", "condition"),
    [
        ("tower:16", None, "row sizes", ""),
        ("tower:16:misere", None, "row sizes", "While a row exceeds 1, "),
        ("nim:9,5:max=3", None, "remainders of the rows", ""),
        ("nim:9,6:max=3:misere", None, "remainders of the rows", "While a value exceeds 1, "),
        ("kayles:1,3,5,7", None, "Grundy values of the runs", ""),
        ("adjacent:1,3,5", "1/101/11011", "lengths of the runs", ""),
    ],
)
def test_the_terms_mean_what_decides_this_game(name: str, position: str | None, what: str, condition: str) -> None:
    force = Force(name)
    state = force.game.new(position)
    why = theory.explain(force.game, state)
    meaning = why.meaning("nim-sum")
    assert f"The {what} added in binary" in meaning and f". {condition}0 means" in meaning
    added = {
        "row sizes": list(map(sum, runs(force.game, state))),
        "lengths of the runs": [run for row in runs(force.game, state) for run in row],
        "remainders of the rows": [sum(row) % (limit_of(force.game) + 1) for row in runs(force.game, state)],
        "Grundy values of the runs": values(force, state),
    }[what]
    assert reduce(xor, added) == why.nim_sum
    assert f"one of the {what}" in why.meaning("group")
    if not condition or max(added) > 1:
        assert (why.nim_sum == 0) == (signs(force, state) == -1)


@pytest.mark.parametrize("misere", [False, True])
def test_flat_monte_carlo_cannot_tell_moves_of_nim_apart_while_two_rows_of_two_are_left(misere: bool) -> None:
    @cache
    def wins(rows: tuple[int, ...]) -> Fraction:
        """How often the player to move wins if both play at random."""
        left = [(*rows[:at], rest, *rows[at + 1 :]) for at, row in enumerate(rows) for rest in range(row)]
        return sum((1 - wins(after) for after in left), Fraction()) / len(left) if left else Fraction(misere)

    assert "a move that leaves two rows of two or more matches wins half of its games" in HELP
    halves = {sum(size > 1 for size in rows) > 1: set[bool]() for rows in ((2, 2), (1, 1))}
    for rows in product(range(5), repeat=3):
        halves[sum(size > 1 for size in rows) > 1].add(wins(rows) == Fraction(1, 2))
    assert halves == {True: {True}, False: {True, False}}


@pytest.mark.parametrize("name", ["nim:9", "subtraction:9,3", "subtraction:30,12", "kayles:9", "adjacent:9"])
@pytest.mark.parametrize("to", [2, 13, 20])
def test_the_sentence_about_a_period_is_true(name: str, to: int) -> None:
    for misere in (False, True):
        game = parse_game(name + ":misere" * misere)
        said = _told(sequence(game, to), to)
        if found := re.fullmatch(r"The (.+) have period (\d+) from (\d+) on \((.+)\)\.", said):
            shown = sequence(game, to)
            row = shown.values if shown.grundy is None else shown.grundy
            assert (found[1] == "outcomes") == (shown.grundy is None)
            length, start = int(found[2]), int(found[3])
            assert all(row[n] == row[n + length] for n in range(start, to + 1 - length))
            if found[4].startswith("proven"):
                more = sequence(game, 200)
                later = more.values if more.grundy is None else more.grundy
                assert all(later[n] == later[n + length] for n in range(start, len(later) - length))
            else:
                assert found[4] == f"seen up to {to}, not proven"
        else:
            assert re.fullmatch(rf"The values up to {to} prove no period of the (outcomes|Grundy values)\.", said)
