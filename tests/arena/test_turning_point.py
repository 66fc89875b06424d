"""The turning point and the sentences about it, against a plain minimax over the rules of random games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.arena.review.review import Judgement, decide, review
from nimtui.arena.review.review_text import Reviewed, better, seat_names, story
from nimtui.games import Game, Record, base, parse_game
from nimtui.games.base import State
from nimtui.theory import Outcome
from tests.theory import noughts

GAMES = (
    "nim:1,3,5",
    "nim:2,2,3:misere",
    "nim:1,1,1:misere",
    "nim:5,4:max=2",
    "nim:5,4,2:max=3:misere",
    "subtraction:12,3",
    "subtraction:13,3:misere",
    "kayles:7",
    "kayles:2,4",
    "kayles:2,3:misere",
    "adjacent:2,3:misere",
    "connect:3x3x3",
    "connect:4x2x3",
    "connect:3x4x3",
    "connect:2x1x2",
)
NAMES = ("you", "hard")
WORDS = {1: "win", 0: "draw", -1: "loss"}
VALUES = {word: value for value, word in WORDS.items()}

_values: dict[tuple[str, bytes], int] = {}
_scores: dict[tuple[str, bytes], int] = {}


def value(game: Game, state: State) -> int:
    """1, 0 or −1: what the player to move gets under perfect play."""
    place = (game.name, state.board.tobytes())
    if place not in _values:
        ended = int(base.outcome(state))
        if ended != base.GOING_ON:
            _values[place] = {base.WON: -1, base.LOST: 1, base.DRAW: 0}[ended]
        else:
            _values[place] = max(-value(game, after(game, state, move)) for move in base.legal_moves(state))
    return _values[place]


def after(game: Game, state: State, move: int) -> State:
    played = game.at(state.board)
    base.play(played, move)
    return played


def score(game: Game, state: State) -> int:
    """A connect board's value in discs: the winner's discs that are left before the winning move; negative if lost."""
    place = (game.name, state.board.tobytes())
    if place not in _scores:
        empty = sum(disc == 0 for row in game.cells(state) or () for disc in row)
        best = None
        for move in base.legal_moves(state):
            left = after(game, state, move)
            ended = int(base.outcome(left))
            one = (empty + 1) // 2 if ended == base.WON else 0 if ended == base.DRAW else -score(game, left)
            best = one if best is None else max(best, one)
        assert best is not None
        _scores[place] = best
    return _scores[place]


class Oracle:
    """A game's value for the first player before each move and at the end, by minimax."""

    def __init__(self, record: Record, opening: int) -> None:
        self.record, self.game, self.opening = record, record.game, opening
        self.states = [record.state_at(ply) for ply in range(record.ply + 1)]
        self.values = [value(self.game, state) * (-1) ** ply for ply, state in enumerate(self.states)]

    @property
    def changes(self) -> list[int]:
        plies = range(self.opening, self.record.ply)
        return [ply for ply in plies if self.values[ply] != self.values[ply + 1]]

    def change(self, ply: int) -> tuple[str, str]:
        """What the move changed for its own player."""
        sign = (-1) ** ply
        return WORDS[self.values[ply] * sign], WORDS[self.values[ply + 1] * sign]

    def keeping(self, ply: int) -> set[str]:
        """The moves that would have kept the value."""
        state = self.states[ply]
        moves = base.legal_moves(state)
        kept = [move for move in moves if -value(self.game, after(self.game, state, move)) == value(self.game, state)]
        return {self.game.move_name(move, state) for move in kept}

    def standing(self, text: str, ply: int) -> None:
        """Check 'you were winning' or 'the game was drawn' before this move."""
        wins = {1: NAMES[0], -1: NAMES[1]}.get(self.values[ply])
        verb = "were" if wins == "you" else "was"
        assert text == (f"{wins} {verb} winning" if wins else "the game was drawn")


@st.composite
def games(draw: st.DrawFn, names: Sequence[str] = GAMES) -> tuple[Record, int]:
    """A random game, finished or not, of which the first moves may belong to an opening."""
    name = draw(st.sampled_from(names))
    record = Record(Game(noughts, noughts.parse("noughts", [])) if name == "noughts" else parse_game(name))
    most = draw(st.one_of(st.just(99), st.integers(1, 9)))
    while not record.over and record.ply < most:
        record.push(draw(st.sampled_from(base.legal_moves(record.state))))
    return record, draw(st.integers(0, min(2, record.ply - 1)))


MOVE = r"(?:column )?([\w-]+)"
TURN = re.compile(
    rf"Move (\d+), {MOVE}, was the( last known)? turning point( so far)?: (\w+) gave the (\w+) away \((.+)\)"
)
WHY = re.compile(r"(?:Column )?([\w-]+) ((?:wins|holds).*)")
LOST = re.compile(r"(\w+) (?:were|was) losing from the (?:first move|end of the opening): (\w+) made no mistake")
HIDDEN = re.compile(
    r"The (turning point|last known change of the outcome) lies in moves? (\d+)(?: to (\d+))?: "
    r"before, (.+); after, (.+)"
)
SINCE = re.compile(r"After move (\d+) (.+), and no later move is known to have changed that")
UNJUDGED = re.compile(r"Moves? (\d+)(?: to (\d+))? cannot be judged(?:: the positions are too large to solve)?")
EARLIER = re.compile(r"Earlier mistakes?: (?:(\d+), the latest: )?(.+)")


def check(story: list[str], oracle: Oracle, hidden: frozenset[int] = frozenset()) -> None:
    """Check every sentence; `hidden` are the plies whose positions were withheld."""
    point: int | None = None
    own, end = range(oracle.opening, oracle.record.ply), oracle.record.ply
    whole = " ".join(story).replace(". Divided", "; divided").replace("draw. No", "draw; no")
    for said in whole.rstrip(".").split(". "):
        if turn := TURN.fullmatch(said):
            number, move, unsure, so_far, who, what, change = turn.groups()
            point = int(number) - 1
            assert point in own and tuple(change.split(" → ")) == oracle.change(point) and what == change.split(" ")[0]
            assert oracle.game.move_name(oracle.record.moves[point], oracle.states[point]) == move
            assert who == NAMES[point % 2] and bool(so_far) is not oracle.record.over
            assert VALUES[oracle.change(point)[0]] > VALUES[oracle.change(point)[1]]
            if not unsure:
                assert oracle.changes[-1] == point and oracle.values[point + 1] == oracle.values[-1]
            else:
                assert hidden
        elif found := re.fullmatch(r"Better: (?:column )?(.+)", said):
            assert point is not None
            listed, _, rest = found[1].partition(" and ")
            named = set(listed.replace(" or ", ", ").split(", "))
            keeping = oracle.keeping(point)
            assert named == keeping if not rest else named < keeping and rest == f"{len(keeping - named)} more"
        elif found := WHY.fullmatch(said):
            assert point is not None
            name = next(iter(oracle.keeping(point))) if found[1] == "It" else found[1]
            assert name in oracle.keeping(point)
            check_why(found[2], name, oracle, point)
        elif found := EARLIER.fullmatch(said):
            mistakes = re.findall(r"move (\d+) \((\w+), (\w+) → (\w+)\)", found[2])
            count = found[1]
            assert 1 <= len(mistakes) <= 6 and len(mistakes) == found[2].count("move ")
            for number, who, *change in mistakes:
                ply = int(number) - 1
                assert oracle.change(ply) == tuple(change) and who == NAMES[ply % 2] and (point is None or ply < point)
            if not hidden:
                assert [int(number) - 1 for number, *_ in mistakes] == oracle.changes[:-1][-6:]
                assert int(count or len(mistakes)) == len(oracle.changes) - 1
        elif found := LOST.fullmatch(said):
            assert oracle.changes == [] and oracle.values[-1] != 0 and oracle.record.over
            winner = NAMES[oracle.values[-1] < 0]
            assert found[2] == winner and found[1].lower() == NAMES[1 - NAMES.index(winner)]
        elif said == "Both played perfectly: perfect play ends in a draw":
            assert oracle.record.over and not oracle.changes and oracle.values[-1] == 0
        elif said == "Neither player has made a mistake":
            assert not oracle.record.over and not oracle.changes
        elif found := re.fullmatch(r"With perfect play, (\w+) wins? from here", said):
            assert not oracle.record.over and found[1] == {1: NAMES[0], -1: NAMES[1]}.get(oracle.values[-1])
        elif said == "With perfect play, the game ends in a draw from here":
            assert not oracle.record.over and oracle.values[-1] == 0
        elif found := HIDDEN.fullmatch(said):
            first, last = int(found[2]) - 1, int(found[3] or found[2]) - 1
            assert oracle.values[first] != oracle.values[last + 1] and point is None
            oracle.standing(found[4], first)
            oracle.standing(found[5], last + 1)
            assert found[1] != "turning point" or first <= oracle.changes[-1] <= last
        elif found := SINCE.fullmatch(said):
            oracle.standing(found[2], int(found[1]))
            known = [ply for ply in own if ply >= int(found[1]) and not {ply, ply + 1} & hidden]
            assert not set(known) & set(oracle.changes)
        elif found := UNJUDGED.fullmatch(said):
            plies = range(int(found[1]) - 1, int(found[2] or found[1]))
            assert all({ply, ply + 1} & hidden for ply in plies)
        elif said == "The outcome may have changed there and back":
            assert hidden
        elif said == "The outcome is unknown now":
            assert end in hidden
        elif said == "The board is too large to solve, so no move can be judged":
            assert all({ply, ply + 1} & hidden for ply in own)
        else:
            raise AssertionError(f"an unchecked sentence: {said}")


def check_why(why: str, name: str, oracle: Oracle, point: int) -> None:
    """Check the reason for a better move by what it leaves."""
    game, state = oracle.game, oracle.states[point]
    move = game.parse_move(name, state)
    left = after(game, state, move)
    was = oracle.change(point)[0]
    if was == "draw":
        assert why == "holds the draw; no move wins"
        return
    assert was == "win" and why.startswith("wins") and value(game, left) == -1
    matches = [sum(row) for row in game.cells(left) or ()]
    if why == "wins at once":
        assert base.outcome(left) == base.WON
    elif found := re.fullmatch(r"wins with disc (\d+) of (\d+)", why):
        cells = sum(map(len, game.cells(state) or ()))
        own = (cells + (point % 2 == 0)) // 2 - score(game, state) + 1  # the winner's number of this disc
        assert (int(found[1]), int(found[2])) == (2 * own - (point % 2 == 0), cells)
        assert score(game, left) == -score(game, state)
    elif found := re.fullmatch(r"wins: it leaves (\d+); divided by (\d+) the remainder is (\d+), a lost position", why):
        assert matches == [int(found[1])] and int(found[1]) % int(found[2]) == int(found[3]) and found[2] == "4"
    elif why == "wins: it leaves an odd number of ones, so the opponent takes the last match":
        ones = [len(run) for row in game.cells(left) or () for run in re.findall("1+", "".join(map(str, row)))]
        assert set(ones) == {1} and len(ones) % 2 == 1
    elif why == "wins: it leaves an odd number of remainders of 1, and the others are 0":
        modulus = int(re.findall(r"max=(\d)", game.name)[0]) + 1
        assert {count % modulus for count in matches} <= {0, 1} and sum(count % modulus for count in matches) % 2 == 1
    elif found := re.fullmatch(
        r"wins: nim-sum (\d+) becomes 0, so every binary column is even(, and \w+s above 1 are left.*)?", why
    ):
        assert bool(found[2]) == game.name.endswith(":misere")
        values = [grundy(game, state, row) for row in rows(game, state)]
        assert reduce(xor, values, 0) == int(found[1]) > 0
        assert reduce(xor, [grundy(game, left, row) for row in rows(game, left)], 0) == 0
    else:
        assert why == "wins: solved to the end of the game" and game.name in ("adjacent:2,3:max=2:misere", "noughts")


def rows(game: Game, state: State) -> list[str]:
    return ["".join(map(str, row)) for row in game.cells(state) or ()]


_grundy: dict[tuple[int, bool, str], int] = {}


def grundy(game: Game, state: State, row: str) -> int:
    """The Grundy value of a row of matches ('1101') in normal play: heaps close their gaps, runs do not."""
    heap = game.board_kind == "rows"
    row = row.replace("0", "") if heap else row
    found = re.search(r"max=(\d+)", game.name)
    limit = int(found[1]) if found else 99
    place = (limit, heap, row)
    if place not in _grundy:
        options = {
            grundy(game, state, row[:begin] + "0" * take + row[begin + take :])
            for begin in range(len(row))
            for take in range(1, min(limit, len(row) - begin) + 1)
            if "0" not in row[begin : begin + take]
        }
        _grundy[place] = next(number for number in range(99) if number not in options)
    return _grundy[place]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(games())
def test_every_sentence_about_a_random_game_holds_by_minimax(drawn: tuple[Record, int]) -> None:
    judge(*drawn)


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(games(("noughts",)))
def test_every_sentence_about_a_game_solved_position_by_position_holds(drawn: tuple[Record, int]) -> None:
    judge(*drawn)


def judge(record: Record, opening: int) -> None:
    """Check the decision and the story of a game whose positions are all solved."""
    oracle = Oracle(record, opening)
    game = Reviewed(record, review(record), lambda ply: NAMES, opening)
    found = game.decision
    assert found.certain and found.gaps == () and found.hidden is None
    plies = [one.ply for one in (*found.earlier, *([found.point] if found.point else []))]
    assert plies == oracle.changes
    if found.point is not None:
        assert set(better(record, found.point).moves) == oracle.keeping(found.point.ply)
    told = story(game)
    assert any("turning point" in said for said in told) == bool(oracle.changes)
    check(told, oracle)


def withheld(judgements: list[Judgement], hidden: frozenset[int]) -> list[Judgement]:
    """The judgements as if these positions, by the moves before them, could not be solved."""
    return [
        replace(
            one,
            before=None if one.ply in hidden else one.before,
            best_moves=() if one.ply in hidden else one.best_moves,
            after=None if one.ply + 1 in hidden else one.after,
        )
        for one in judgements
    ]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(games(), st.data())
def test_no_sentence_claims_what_is_unknown(drawn: tuple[Record, int], data: st.DataObject) -> None:
    record, opening = drawn
    plies = range(record.ply + (not record.over))  # the end of a finished game is always known
    hidden = frozenset(data.draw(st.sets(st.sampled_from(plies)))) if plies else frozenset()
    game = Reviewed(record, withheld(review(record), hidden), lambda ply: NAMES, opening)
    check(story(game), Oracle(record, opening), hidden)


def played(name: str, moves: str) -> Record:
    record = Record(parse_game(name))
    for move in moves.split():
        record.push(record.game.parse_move(move, record.state))
    return record


def told(record: Record, opening: int = 0, fault: str = "") -> str:
    return " ".join(story(Reviewed(record, review(record), lambda ply: NAMES, opening, fault)))


def test_the_last_mistake_is_named_not_the_first() -> None:
    assert told(played("nim:1,3,5,7", "b1 c2 c3 d7")) == (
        "Move 4, d7, was the turning point so far: hard gave the win away (win → loss). Better: d4. "
        "It wins: nim-sum 4 becomes 0, so every binary column is even. "
        "Earlier mistakes: move 2 (hard, win → loss), move 3 (you, win → loss). With perfect play, you win from here."
    )


def test_mistakes_of_the_opening_decide_nothing() -> None:
    record = played("nim:1,2", "a1 b2")  # the opening's a1 gives the win away
    assert told(record, opening=1) == "You were losing from the end of the opening: hard made no mistake."
    assert told(played("nim:1,2", "a1"), opening=1) == "No player has made a move."


def test_a_fault_is_not_the_boards_decision() -> None:
    assert told(played("nim:1,2", "b1"), fault="illegal move") == (
        "The game ended by a fault, not on the board. Neither player has made a mistake. "
        "With perfect play, you win from here."
    )


@pytest.mark.parametrize(
    ("outcomes", "point", "earlier", "certain", "hidden"),
    [
        # before move 1, before move 2 …, at the end: W, L, D for the first player; ? unknown
        ("WWW", None, [], True, None),
        ("WLW", 1, [0], True, None),
        ("WD?D", 0, [], False, None),
        ("WWD?D", None, [], False, None),
        ("WW?L", None, [], False, (1, 2)),
        ("WLL?W", None, [0], False, (2, 3)),
        ("???LL", None, [], False, None),
        ("??WLL", 2, [], True, None),
        ("W?L?L", None, [], False, (0, 1)),
    ],
)
def test_gaps(
    outcomes: str, point: int | None, earlier: list[int], certain: bool, hidden: tuple[int, int] | None
) -> None:
    of = {"W": Outcome.WIN, "L": Outcome.LOSS, "D": Outcome.DRAW, "?": None}
    seen = [[of[sign] if at % 2 == 0 or of[sign] is None else of[sign].reply for sign in outcomes] for at in range(2)]
    judged = [
        Judgement(ply, ply % 2, 0, seen[ply % 2][ply], seen[ply % 2][ply + 1], ()) for ply in range(len(outcomes) - 1)
    ]
    found = decide(judged)
    assert (None if found.point is None else found.point.ply) == point
    assert [one.ply for one in found.earlier] == earlier and found.certain is certain
    assert (None if found.hidden is None else (found.hidden.first, found.hidden.last)) == hidden


def test_players_of_a_saved_game_are_called_by_their_seats_where_names_are_alike() -> None:
    assert seat_names(("mc", "hard"), 0) == ("mc", "hard")
    assert seat_names(("mc", "hard"), 1) == ("hard", "mc")  # an odd opening swaps the seats
    assert seat_names(("me", "hard"), 2) == ("you", "hard")
    assert seat_names(("mc", "mc"), 1) == ("the second mc", "the first mc")
    assert seat_names(("me", "me"), 0) == ("the first player", "the second player")
