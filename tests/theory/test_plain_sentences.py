"""Every plain sentence is true: taken apart by patterns, each part compared with brute force."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product

import pytest

from nimtui import theory
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.theory import connect, explanation, plain
from nimtui.theory.claims import OPPONENT, YOU, Claim, Mirrored, Multiples, Paired, Series, Singles, Solved, listed
from nimtui.theory.verdict import Outcome
from tests.examples import few
from tests.games.literal import Split
from tests.theory.force import Force, are_odd_ones, grundy, is_even, is_true, signs
from tests.theory.oracles import Columns, runs_taken, takes
from tests.theory.test_matches import heap_grundy

# Plain words, in games that have no formula, and how a connect game ends.

WHO, LIST = r"(you|the opponent)", r"([\w]+(?:, \w+)*(?: (?:and|or) \w+)?)"


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
SMALL = [("chomp:2x3", 4, 99), ("noughts:3x2x3", 4, 99), ("noughts:3x2x2", 4, 99), ("noughts:3x3x3", 3, 5)]
SMALL += [("connect:3x2x2", 4, 99), ("connect:3x2x3", 4, 99), ("connect:4x3x3", 10, 7), ("connect:3x4x3", 8, 8)]


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


# Claims about games of matches, compared with games played out by rules written here.


Sizes = tuple[int, ...]  # of rows, or of runs of neighbours, ascending, without zeros


class Rules:
    """Games of matches, solved by trying every move."""

    def __init__(self, limit: int, misere: bool, split: bool) -> None:
        self.limit, self.misere, self.split = limit, misere, split
        self.plies = cache(self._plies)

    def pieces(self, size: int) -> Iterator[Sizes]:
        """All that a move can leave of a row or run."""
        for taken in range(1, min(self.limit, size) + 1):
            rest = size - taken
            for left in range(rest + 1) if self.split else (rest,):
                yield tuple(sorted(filter(None, (left, rest - left))))

    def options(self, sizes: Sizes) -> Iterator[Sizes]:
        for at, size in enumerate(sizes):
            for pieces in self.pieces(size):
                yield tuple(sorted((*sizes[:at], *sizes[at + 1 :], *pieces)))

    def _plies(self, sizes: Sizes) -> int:
        """Plies to the end with best play: positive if the player to move wins, negative if they lose.

        A finished game counts as ±1, so that zero is no number of plies; every other number is one too high.
        """
        after = [self.plies(option) for option in set(self.options(sizes))]
        if not after:
            return 1 if self.misere else -1
        lost = [plies for plies in after if plies < 0]
        return 1 - max(lost) if lost else -1 - max(after)

    def lost(self, sizes: Sizes) -> bool:
        return self.plies(sizes) < 0

    def value(self, size: int) -> int:
        """The Grundy value of one row or run."""
        return grundy(size, self.limit, self.split)


class Splits(Rules):
    """Heaps that may split, by the literal rules."""

    def __init__(self, code: str, misere: bool) -> None:
        super().__init__(99, misere, split=False)
        self.code = code

    def pieces(self, size: int) -> Iterator[Sizes]:
        yield from (tuple(sorted(after)) for after in Split(self.code, size).moves((size,)).values())

    def value(self, size: int) -> int:
        return heap_grundy(self.code, size)


def sizes_of(position: str, split: bool) -> Sizes:
    found = [len(run) if split else int(run) for run in re.findall("1+" if split else r"\d+", position)]
    return tuple(sorted(size for size in found if size))


def every_position(game: Game, split: bool) -> Iterator[str]:
    rows = [len(row) for row in game.cells(game.start) or ()]
    if split:
        for patterns in product(*(product("01", repeat=row) for row in rows)):
            yield "/".join(map("".join, patterns))
    else:
        for matches in product(*(range(row + 1) for row in rows)):
            yield ",".join(map(str, matches))


def played(deed: str, position: str, rules: Rules) -> Sizes:
    """The position after a move that is told in words."""
    after: Iterable[object]
    if isinstance(rules, Splits):
        after = Split(rules.code).moves(sizes_of(position, False)[::-1])[deed.removeprefix("Play ")]
    elif rules.split:
        patterns = tuple(position.split("/"))
        after = dict(runs_taken(patterns, rules.limit))[deed.removeprefix("Take ")]
    else:
        told = re.fullmatch(r"Take (\d+)(?: from ([A-Z]))?", deed)
        assert told, deed
        rows = tuple(map(int, position.split(",")))
        after = dict(takes(rows, rules.limit))[(told[2] or "A").lower() + told[1]]
    return sizes_of(("/" if rules.split else ",").join(map(str, after)), rules.split)


def counted(claim: Paired | Singles, sizes: Sizes) -> list[int]:
    """What the rows or runs count, as the sentence tells it."""
    counts = dict(claim.counts) if isinstance(claim, Paired) else {}
    return [counts.get(size, size) % (claim.modulus or size + 1) for size in sizes]


def check_claim(claim: Claim, sizes: Sizes, rules: Rules) -> None:
    """Check that the claim is true of this position, and that the other player can do what it says."""
    assert rules.lost(sizes)
    said = f"{claim.fact(OPPONENT, YOU)}. {claim.plan(OPPONENT, YOU)}"
    numbers = [int(number) for number in re.findall(r"\d+", said)]
    if isinstance(claim, Paired):
        values = counted(claim, sizes)
        groups = {1 << bit for value in values for bit in range(value.bit_length()) if value >> bit & 1}
        assert sorted(groups, reverse=True) == list(claim.sizes) and is_even(values)
        assert not claim.sizes or f"every group of {listed(claim.sizes)} has a partner in another {claim.unit}" in said
        assert all(rules.value(length) == value for length, value in claim.counts)
        assert re.findall(r"of (\d+)(?: counts)? as (\d+)", said) == [
            (str(size), str(value)) for size, value in claim.counts
        ]
        assert claim.modulus is None or f"counts as its remainder by {claim.modulus}." in said
        if not rules.misere:
            assert values == [rules.value(size) for size in sizes]
        assert not rules.misere or max(values) > 1
        ones = (
            "remainder 1 in an odd number of rows and 0 elsewhere"
            if claim.modulus
            else "an odd number of single matches"
        )
        assert said.endswith("the opponent does, you can restore that" + f", or leave {ones}" * rules.misere + ".")
        for option in set(rules.options(sizes)):
            replies = [[rules_value(claim, rules, size) for size in reply] for reply in rules.options(option)]
            again = any(is_even(reply) and (not rules.misere or max(reply, default=0) > 1) for reply in replies)
            assert again or (rules.misere and any(map(are_odd_ones, replies)))
    elif isinstance(claim, Singles):
        values = counted(claim, sizes)
        assert are_odd_ones(values) and sum(values) == claim.number and rules.misere
        assert claim.number in numbers or "one match is left" in said
        assert said.endswith(
            "you can restore that." if claim.modulus else "So the opponent takes the last match and loses."
        )
        if claim.modulus is None:
            assert set(sizes) == {1}, "so each move takes one, and the player to move takes the last"
        for option in set(rules.options(sizes)) - {()}:
            assert any(are_odd_ones(counted(claim, reply)) for reply in rules.options(option))
    elif isinstance(claim, Mirrored):
        assert all(number % 2 == 0 for number in Counter(sizes).values()) and not rules.misere
        assert [size for size in claim.sizes for _ in "12"] == list(sizes)[::-1]
        two = len(sizes) == 2
        assert ("two equal" in said) == two and said.endswith(
            "takes from one, you take the same from the other."
        ) == two
        for size in set(claim.sizes):
            rest = Counter(sizes) - Counter({size: 2})
            for pieces in rules.pieces(size):
                mirrored = rest + Counter(pieces) + Counter(pieces)
                assert rules.lost(tuple(sorted(mirrored.elements())))
    elif isinstance(claim, Multiples):
        assert all(size % claim.number == 0 for size in sizes) and set(numbers) == {claim.number}
        assert said.endswith(f"the opponent takes from a row, you take as many as make {claim.number} together.")
        assert rules.limit == claim.number - 1, "as many as make that number can always be taken"
    elif isinstance(claim, Series):
        check_series(claim, sizes, rules, said)
    elif isinstance(claim, Solved):
        assert rules.misere and (rules.split or isinstance(rules, Splits)), "else a formula decides"
        own = (abs(rules.plies(sizes)) - 1) // 2
        assert claim.moves in (None, own)
        assert claim.moves in (None, 0, 1) or claim.moves in numbers
    else:
        pytest.fail(f"a claim that nothing checks: {claim}")


def rules_value(claim: Paired, rules: Rules, size: int) -> int:
    return size % claim.modulus if claim.modulus else rules.value(size) if not rules.misere else size


def check_series(claim: Series, sizes: Sizes, rules: Rules, said: str) -> None:
    [left] = sizes
    assert left == claim.matches and (left - claim.first) % claim.step == 0
    if left == claim.first:
        assert left == 1 and rules.misere and "one match is left. So the opponent takes the last match" in said
        return
    assert claim.numbers == tuple(range(claim.first, claim.first + 3 * claim.step, claim.step))
    assert f"{left} are left" in said and f"one of {', '.join(map(str, claim.numbers))} and so on" in said
    assert f"the opponent takes, you take as many as make {rules.limit + 1} together" in said
    assert claim.step == rules.limit + 1 and claim.first == rules.misere, "a reply makes a whole step"


def check_position(game: Game, position: str, rules: Rules) -> None:
    sizes = sizes_of(position, rules.split)
    found = plain.explained(game, game.new(position))
    assert (found.outcome is Outcome.LOSS) == rules.lost(sizes)
    text = " ".join(found.sentences())
    after = played(found.deed, position, rules)
    if found.plies is not None:
        assert abs(rules.plies(sizes)) - 1 == found.plies
    if found.outcome is Outcome.LOSS:
        assert text.startswith("Every move loses.") and found.claim is not None
        check_claim(found.claim, sizes, rules)
        assert ("to hold out longest" in text or "to leave the most matches" in text) == found.distinct
        if found.plies is not None:
            delays = {abs(rules.plies(option)) for option in rules.options(sizes)}
            assert abs(rules.plies(after)) == max(delays) and found.distinct == (len(delays) > 1)
        return
    assert text.startswith(found.deed) and rules.lost(after)
    if found.claim is None:
        assert not [*rules.options(after)] and not rules.misere
        end = "ends the game" if isinstance(rules, Splits) else "is the last match"
        assert text == f"{found.deed}: that {end}, and you win."
    else:
        check_claim(found.claim, after, rules)
        assert f": then {found.claim.fact(OPPONENT, YOU)}. {found.claim.plan(OPPONENT, YOU)}".strip() in text


GAMES = [("nim:2,3,4", 9, False), ("nim:1,2,3,2", 9, False), ("nim:9,5:max=3", 3, False), ("nim:4,3,2:max=1", 1, False)]
GAMES += [("subtraction:21,3", 3, False), ("adjacent:7", 9, True), ("kayles:1,3,4", 2, True)]
GAMES += [("adjacent:4,4:max=3", 3, True)]


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misère"])
@pytest.mark.parametrize(("name", "limit", "split"), GAMES, ids=[name for name, *_ in GAMES])
def test_every_sentence_about_every_position_is_true(name: str, limit: int, split: bool, misere: bool) -> None:
    game, rules = parse_game(name + ":misere" * misere), Rules(limit, misere, split)
    for position in every_position(game, split):
        if sizes_of(position, split):
            check_position(game, position, rules)


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misère"])
@pytest.mark.parametrize(("code", "heaps"), [("0.77", (6, 3)), ("0.137", (9, 2)), ("4.3", (6,)), ("grundy", (8, 3))])
def test_every_sentence_about_heaps_that_may_split_is_true(code: str, heaps: Sizes, misere: bool) -> None:
    word = "grundy" if code == "grundy" else f"octal:{code}"
    game, rules = parse_game(f"{word}:{','.join(map(str, heaps))}{':misere' * misere}"), Splits(code, misere)
    positions = [heaps]
    for at in positions:  # it grows as it goes
        if after := Split(code).moves(at):
            check_position(game, ",".join(map(str, at)), rules)
            positions += sorted(set(after.values()) - set(positions))
