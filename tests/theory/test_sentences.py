"""Every sentence about a position is taken apart by a pattern, and a brute force answers for its parts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, reduce
from operator import xor

import numpy as np
import pytest

from nimtui import theory
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.theory import explanation, merit

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
                if not (moves := base.legal_moves(state)):
                    break
                base.play(state, chance.choice(moves))


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


def grundy_of(force: Force, state: State, told: str) -> None:
    @cache
    def mex(position: bytes) -> int:
        at = force.game.at(np.frombuffer(position, state.board.dtype).copy())
        options = {mex(force.after(at, move).board.tobytes()) for move in base.legal_moves(at)}
        return next(number for number in range(len(options) + 1) if number not in options)

    assert mex(state.board.tobytes()) == int(told)


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
    r"Grundy value: (\d+)": grundy_of,
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
