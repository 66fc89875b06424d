"""Every sentence about a position is taken apart by a pattern, and a brute force answers for its parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import xor

import pytest

from nimtui import theory
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.games.octal import Octal, heaps_of
from nimtui.theory import explanation, octal, plain
from nimtui.theory.sequence import sequence
from nimtui.theory.sequence_report import period_text
from nimtui.trees.report import why_cut
from tests.theory.force import Force, are_odd_ones, grundy, is_even, is_true, limit_of, runs, signs
from tests.theory.test_matches import heap_grundy, product
from tests.trees.helpers import tree as searched_tree


def counts(force: Force, state: State) -> list[list[int]]:
    """What the runs of each row count: their Grundy values; in misère their own game's where the rule holds."""
    if force.game.board_kind == "heaps":
        return [[heap_grundy(octal_code(force), heap)] for heap in heaps_of(state)]
    limit, split = limit_of(force.game), force.game.board_kind == "runs"
    found = runs(force.game, state)
    if split and max((run for row in found for run in row), default=0) <= limit:
        limit = 99
    return [[grundy(run, limit, split) for run in row] for row in found]


def octal_code(force: Force) -> str:
    code = force.game.name.split(":")[1] if force.game.name.startswith("octal") else force.game.name.split(":")[0]
    return "0.3033" if code == "nim" else code


def values(force: Force, state: State) -> list[int]:
    return [count for row in counts(force, state) for count in row]


def large(force: Force, state: State) -> int:
    return sum(count > 1 for count in values(force, state))


def listed(text: str, keeping: set[str]) -> None:
    """Check 'a1, a2 or b1', or 'a1, a2 and 3 more', as moves that keep the outcome."""
    found = re.fullmatch(r"(.+?)(?: and (\d+) more)?", text)
    assert found
    named = set(re.split(", | or ", found[1]))
    assert named <= keeping and len(keeping - named) == int(found[2] or 0), (text, keeping)


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
    r"P-position: player to move loses": lambda f, s: is_true(signs(f, s) == -1),
    r"N-position: player to move wins": lambda f, s: is_true(signs(f, s) == 1),
    r"Drawn position with best play": lambda f, s: is_true(signs(f, s) == 0),
    r"Wins in (\d+) (ply|plies)": lambda f, s, n, unit: in_plies(f, s, 1, n, unit),
    r"Loses in (\d+) (ply|plies) at best": lambda f, s, n, unit: in_plies(f, s, -1, n, unit),
    r"Wins in (\d+) (ply|plies): score \+(\d+)": lambda f, s, n, unit, score: scored(f, s, 1, n, unit, score),
    r"Loses in (\d+) (ply|plies) at best: score −(\d+)": lambda f, s, n, unit, score: scored(f, s, -1, n, unit, score),
    r"The game is over: the player who (.+) (won|lost)": ended,
    r"The game is over: a draw": lambda f, s: is_true(int(base.outcome(s)) == base.DRAW),
    r"Grundy value: (\d+)": lambda f, s, number: is_true(not f.misere and excluded(f, s) == int(number)),
    r"(?:No simple rule: s|S)olved position by position": lambda f, s: is_true(bool(base.count(s))),
    r"Wins: (.+)": lambda f, s, names: is_true(signs(f, s) == 1) or listed(names, f.keeping(s)),
    r"Holds the draw: (.+)": lambda f, s, names: is_true(signs(f, s) == 0) or listed(names, f.keeping(s)),
    r"Every move loses": lambda f, s: is_true(signs(f, s) == -1),
    r"A row counts as its remainder modulo (\d+)": lambda f, s, by: is_true(
        all(grundy(n, limit_of(f.game), False) == n % int(by) for n in range(20))
    ),
    r"Each run counts as its Grundy value": lambda f, s: is_true(not f.misere and f.game.board_kind == "runs"),
    r"Each heap counts as its Grundy value": lambda f, s: is_true(not f.misere and f.game.board_kind == "heaps"),
    r"The misère quotient has the element (?:(.+) = )?(.+)": lambda f, s, heaps, whole: of_quotient(s, heaps, whole),
    r"Lost elements: (.+)": lambda f, s, lost: lost_elements(f, s, lost.split(", ")),
    r"(.+) leaves? a lost element": lambda f, s, names: is_true(signs(f, s) == 1) or listed(names, f.keeping(s)),
    r"No move leaves a lost element": lambda f, s: is_true(signs(f, s) == -1),
    r"Each run counts as its length": lambda f, s: is_true(
        sorted(values(f, s)) == sorted(run for row in runs(f.game, s) for run in row)
    ),
    r"Misère: two (\w+)s or more exceed 1, so play as in normal Nim": lambda f, s, u: phase(f, s, u, range(2, 99)),
    r"Misère: only one (\w+) exceeds 1, so the rule changes now": lambda f, s, u: phase(f, s, u, range(1, 2)),
    r"Misère: no (\w+) exceeds 1, so an odd number of ones loses": lambda f, s, u: phase(f, s, u, range(1)),
    r"The player to move will have to take the last match": lambda f, s: is_true(f.misere and signs(f, s) == -1),
    r"Every binary column is even": lambda f, s: is_true(is_even(values(f, s)) and signs(f, s) == -1),
    r"Any move makes one odd, and the reply evens it": lambda f, s: evens(f, s, ones=False),
    r"Any move makes a column odd; the reply evens it or leaves an odd number of ones": lambda f, s: evens(f, s, True),
    r"(.+) makes? every binary column even": lambda f, s, names: leaving(
        f, s, names, lambda left: is_even(left) and (not f.misere or max(left) > 1)
    ),
    r"(.+) leaves? an odd number of ones": lambda f, s, names: leaving(f, s, names, are_odd_ones),
    r"(\d+) = (\d+) × (\d+) \+ (\d+)\. A player who faces remainder (\d+) loses": remainder,
    r"(\w+) leaves (\d+)": leaves,
}


def of_quotient(state: Octal, heaps: str | None, whole: str) -> None:
    """Check the element of each heap, and that of their sum."""
    quotient = octal.closed(state)
    assert quotient is not None
    for word, heap in zip((heaps or whole).split(" · "), heaps_of(state), strict=True):
        assert product(quotient, word) == quotient.of([heap])
    assert product(quotient, whole) == quotient.of(heaps_of(state))


def lost_elements(force: Force, state: Octal, names: list[str]) -> None:
    """Check that the position is lost if its element is among these, in all positions of the game."""
    quotient = octal.closed(state)
    assert quotient is not None
    for at in force.every():
        assert (quotient.element(heaps_of(at)) in names) == (signs(force, at) == -1)


def excluded(force: Force, state: State) -> int:
    """The Grundy value of a position in normal play: the least number that no move reaches."""
    return force.grundy(state)


def scored(force: Force, state: State, sign: int, plies: str, unit: str, score: str) -> None:
    """Check the plies, and that the winner's discs that are left are one fewer than the score."""
    in_plies(force, state, sign, plies, unit)
    cells = [disc for row in force.game.cells(state) or () for disc in row]
    empty = cells.count(0) - int(plies)  # when the line is completed
    assert int(score) - 1 == empty // 2  # the loser is next


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
    r"holds the draw\. No move wins": lambda f, s, left: is_true((signs(f, s), signs(f, left)) == (0, 0)),
    r"wins at once": lambda f, s, left: is_true(int(base.outcome(left)) == base.WON),
    r"wins with disc (\d+) of (\d+)": by_disc,
    r"wins: solved to the end of the game": lambda f, s, left: is_true(signs(f, left) == -1),
    r"wins: it leaves (\d+)\. Divided by (\d+) the remainder is (\d+), a lost position": divided,
    r"wins: it leaves an odd number of remainders of 1, and the others are 0": lambda f, s, left: is_true(
        are_odd_ones(values(f, left)) and f.misere
    ),
    r"wins: it leaves an odd number of ones, so the opponent takes the last match": lambda f, s, left: is_true(
        are_odd_ones(values(f, left)) and f.misere and {run for row in runs(f.game, left) for run in row if run} == {1}
    ),
    r"wins: nim-sum (\d+) becomes 0, so every binary column is even"
    r"(?:, and (row|run|value)s above 1 are left: as in normal Nim)?": zeroed,
}

GAMES = ["nim:2,2,3", "nim:9", "tower:16", "nim:9,5:max=3", "nim:4,3,2:max=1", "subtraction:21,3", "adjacent:1,3,5"]
GAMES += ["kayles:9", "adjacent:4,4:max=3", "chomp:3x4", "noughts:3x3x3", "connect:4x3x3", "connect:3x4x3"]
SMALL = ["nim:2,2", "nim:1,2,1:misere", "nim:5:max=3", "nim:2,4:max=2:misere", "adjacent:1,3", "adjacent:3,2:misere"]
SMALL += ["kayles:4", "kayles:3,1:misere", "subtraction:7,3", "chomp:2x3", "noughts:3x2x2", "connect:3x2x2"]
SMALL += ["tower:4", "connect:3x2x3", "octal:0.77:5,4", "grundy:9", "nim:8:take=1,3,4", "octal:0.123:5,4:misere"]


def named(name: str, misere: bool) -> list[str]:
    return [f"{name}:misere"] * (not name.startswith(("connect", "noughts", "chomp"))) if misere else [name]


@pytest.mark.parametrize(
    ("name", "games"),
    [
        *((name, 2) for name in SMALL),
        *(
            pytest.param(each, 25, marks=pytest.mark.slow)
            for name in GAMES
            for misere in (False, True)
            for each in named(name, misere)
        ),
    ],
)
def test_every_reason_for_a_position_and_for_its_best_move_is_true(name: str, games: int) -> None:
    force = Force(name)
    for state in force.positions(games):
        why = theory.explain(force.game, state)
        found = theory.remoteness(force.game, state)
        said = explanation.sentences(why if isinstance(state, Connect) else replace(why, remoteness=found))
        check(text := " ".join(said), REASONS, force, state)
        if signs(force, state) == 1 and base.outcome(state) == base.GOING_ON and not isinstance(state, Connect):
            assert any(re.search(rf"\b{name}\b", text) for name in force.keeping(state)), "a best move is named"
        verdict = theory.solve(force.game, state)
        if verdict.best_moves and verdict.outcome is not theory.Outcome.LOSS:
            best = plain.best_explained(verdict)
            text = plain.merit(force.game, state, best, why)
            pattern = next((each for each in MERITS if re.fullmatch(each, text.removesuffix("."))), None)
            assert pattern, f"a sentence without a pattern: {text}"
            groups = re.fullmatch(pattern, text.removesuffix(".")).groups()  # type: ignore[union-attr]
            MERITS[pattern](force, state, force.after(state, best), *groups)


@pytest.mark.parametrize(
    ("name", "position", "what", "condition"),
    [
        ("tower:16", None, "row sizes", ""),
        ("tower:16:misere", None, "row sizes", "While a row exceeds 1, "),
        ("nim:9,5:max=3", None, "remainders of the rows", ""),
        ("nim:9,6:max=3:misere", None, "remainders of the rows", "While a value exceeds 1, "),
        ("kayles:1,3,4", None, "Grundy values of the runs", ""),
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


@pytest.mark.parametrize("name", ["nim:9", "subtraction:9,3", "kayles:9"])
@pytest.mark.parametrize("to", [2, 20])
def test_the_sentence_about_a_period_is_true(name: str, to: int) -> None:
    for misere in (False, True):
        game = parse_game(name + ":misere" * misere)
        said = period_text(sequence(game, to), to)
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


def from_root(force: Force, state: State, ply: int) -> int:
    """The value for the player to move at this ply of a search, wins sooner after the root first."""
    sign, plies = force.value(state)
    return sign * (1000 - plies - ply)


PRUNED = re.compile(
    r"(\d+) moves? pruned: (?:α (\S+(?: \d+)?) ≥ β|β (\S+(?: \d+)?) ≤ α) (\S+(?: \d+)?), "
    r"(?:(\S+) is so good that the opponent plays (\S+) instead|(\S+) is too good here"
    r"|after (\S+) this line (?:cannot beat (\S+)|is not good enough))"
)


@pytest.mark.parametrize("name", ["nim:1,2,3", "kayles:5", "connect:3x2x2"])
def test_the_sentence_on_a_cutoff_names_a_move_that_is_at_least_as_good_elsewhere(name: str) -> None:
    force, cut = Force(name), 0
    tree = searched_tree(name, "alphabeta:depth=-1")
    for node in range(len(tree)):
        if not (said := why_cut(tree, node)):
            continue
        if said == "cutoff at the last move: nothing left to prune":
            assert len(tree.children(node)) == int(base.count(tree.state(node)))
            continue
        found = PRUNED.fullmatch(said)
        assert found, f"a sentence without a pattern: {said}"
        state, cut = tree.state(node), cut + 1
        searched = {tree.move(child) for child in tree.children(node)}
        assert int(found[1]) == int(base.count(state)) - len(searched)
        by, other = found[5] or found[7] or found[8], found[6] or found[9]
        left = force.after(state, force.game.parse_move(by, state))
        assert (found[8] is not None) == bool(int(tree.plies[node]) % 2), (
            "the opponent at the root is the one at odd plies"
        )
        if other:  # an earlier move of the other player, at a position above this one
            worth = []
            for up in tree.path(node)[:-1][::-1][::2]:
                at = tree.state(up)
                if other in {force.game.move_name(move, at) for move in base.legal_moves(at)}:
                    left_there = force.after(at, force.game.parse_move(other, at))
                    worth.append(-from_root(force, left_there, int(tree.plies[up]) + 1))
            assert any(value >= from_root(force, left, int(tree.plies[node]) + 1) for value in worth), said
    assert cut > 0
