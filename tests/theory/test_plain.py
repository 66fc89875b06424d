"""Every plain sentence is true: each claim is compared with games played out by rules written here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from nimtui.games import Game, parse_game
from nimtui.theory import plain
from nimtui.theory.claims import (
    OPPONENT,
    YOU,
    Claim,
    Mirrored,
    Multiples,
    Paired,
    Player,
    Series,
    Singles,
    Solved,
    listed,
    ordinal,
)
from nimtui.theory.verdict import Outcome
from tests.theory.force import are_odd_ones, grundy, is_even

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
        if not sizes:
            return 1 if self.misere else -1
        after = [self.plies(option) for option in set(self.options(sizes))]
        lost = [plies for plies in after if plies < 0]
        return 1 - max(lost) if lost else -1 - max(after)

    def lost(self, sizes: Sizes) -> bool:
        return self.plies(sizes) < 0

    def value(self, size: int) -> int:
        """The Grundy value of one row or run."""
        return grundy(size, self.limit, self.split)


def sizes_of(position: str, split: bool) -> Sizes:
    runs = re.findall("1+", position) if split else position.split(",")
    found = [len(run) if split else int(run) for run in runs]
    return tuple(sorted(size for size in found if size))


def every_position(game: Game, split: bool) -> Iterator[str]:
    rows = [len(row) for row in game.cells(game.start) or ()]
    if split:
        for patterns in product(*(product("01", repeat=row) for row in rows)):
            yield "/".join(map("".join, patterns))
    else:
        for matches in product(*(range(row + 1) for row in rows)):
            yield ",".join(map(str, matches))


def played(deed: str, position: str, split: bool) -> Sizes:
    """The position after a move that is told in words."""
    if not split:
        rows = [int(row) for row in position.split(",")]
        told = re.fullmatch(r"Take (\d+)(?: from ([A-Z]))?", deed)
        assert told, deed
        at = ord(told[2]) - ord("A") if told[2] else 0
        assert 0 < int(told[1]) <= rows[at]
        rows[at] -= int(told[1])
        return tuple(sorted(row for row in rows if row))
    told = re.fullmatch(r"Take ([a-z])(\d+)(?:-(\d+))?", deed)
    assert told, deed
    patterns = [list(row) for row in position.split("/")]
    row = patterns[ord(told[1]) - ord("a")]
    for place in range(int(told[2]), int(told[3] or told[2]) + 1):
        assert row[place - 1] == "1"
        row[place - 1] = "0"
    return sizes_of("/".join(map("".join, patterns)), split=True)


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
        for option in set(rules.options(sizes)):
            replies = [[rules_value(claim, rules, size) for size in reply] for reply in rules.options(option)]
            again = any(is_even(reply) and (not rules.misere or max(reply, default=0) > 1) for reply in replies)
            assert again or (rules.misere and any(map(are_odd_ones, replies)))
    elif isinstance(claim, Singles):
        values = counted(claim, sizes)
        assert are_odd_ones(values) and sum(values) == claim.number and rules.misere
        assert claim.number in numbers or "one match is left" in said
        if claim.modulus is None:
            assert set(sizes) == {1}, "so each move takes one, and the player to move takes the last"
        for option in set(rules.options(sizes)) - {()}:
            assert any(are_odd_ones(counted(claim, reply)) for reply in rules.options(option))
    elif isinstance(claim, Mirrored):
        assert all(number % 2 == 0 for number in Counter(sizes).values()) and not rules.misere
        assert sorted(claim.sizes * 2) == list(sizes)
        for size in set(claim.sizes):
            rest = Counter(sizes) - Counter({size: 2})
            for pieces in rules.pieces(size):
                mirrored = rest + Counter(pieces) + Counter(pieces)
                assert rules.lost(tuple(sorted(mirrored.elements())))
    elif isinstance(claim, Multiples):
        assert all(size % claim.number == 0 for size in sizes) and set(numbers) == {claim.number}
        assert rules.limit == claim.number - 1, "as many as make that number can always be taken"
    elif isinstance(claim, Series):
        check_series(claim, sizes, rules, said)
    elif isinstance(claim, Solved):
        own = (abs(rules.plies(sizes)) - 1) // 2
        assert claim.moves in (None, own)
        assert claim.moves in (None, 1) or claim.moves in numbers
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
    assert claim.step == rules.limit + 1 and claim.first == rules.misere, "a reply makes a whole step"


def check_position(game: Game, position: str, rules: Rules) -> None:
    sizes = sizes_of(position, rules.split)
    found = plain.explained(game, game.new(position))
    assert (found.outcome is Outcome.LOSS) == rules.lost(sizes)
    text = " ".join(found.sentences())
    after = played(found.deed, position, rules.split)
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
        assert not after and not rules.misere and text == f"{found.deed}: that is the last match, and you win."
    else:
        check_claim(found.claim, after, rules)
        assert f": then {found.claim.fact(OPPONENT, YOU)}. {found.claim.plan(OPPONENT, YOU)}".strip() in text


GAMES = [
    ("nim:2,3,4", 9, False),
    ("nim:1,2,3,2", 9, False),
    ("nim:9,5:max=3", 3, False),
    ("nim:4,3,2:max=1", 1, False),
    ("subtraction:21,3", 3, False),
    ("adjacent:7", 9, True),
    ("kayles:1,3,4", 2, True),
    ("adjacent:4,4:max=3", 3, True),
]


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misère"])
@pytest.mark.parametrize(("name", "limit", "split"), GAMES, ids=[name for name, *_ in GAMES])
def test_every_sentence_about_every_position_is_true(name: str, limit: int, split: bool, misere: bool) -> None:
    game, rules = parse_game(name + ":misere" * misere), Rules(limit, misere, split)
    for position in every_position(game, split):
        if sizes_of(position, split):
            check_position(game, position, rules)


def test_sentences_name_the_players() -> None:
    game = parse_game("nim:1,3,5,6")
    found = plain.explained(game, game.new())
    assert found.sentences(Player("Hard"), YOU)[1] == "Whatever you do, Hard can restore that."
    assert found.sentences(Player("Hard"), Player("Easy"))[1] == "Whatever Easy does, Hard can restore that."


def test_sentences_have_at_most_20_words() -> None:
    for name in (
        "nim:60,60,61,61:misere",
        "kayles:1,3,5,7",
        "nim:9,5:max=3:misere",
        "connect4",
        "subtraction:200,7:misere",
    ):
        game = parse_game(name)
        for sentence in re.split(r"(?<=[.]) ", " ".join(plain.explained(game, game.new()).sentences())):
            assert len(sentence.split()) <= 20, sentence


def test_ordinals() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd")
    ]
