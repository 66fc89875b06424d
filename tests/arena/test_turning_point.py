"""The turning point, against a plain minimax over the rules of random games, and its story in exact words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.arena.review.review import Judgement, Reviewed, better, decide, review, seat_names, story
from nimtui.games import Game, Record, base, parse_game
from nimtui.games.base import State
from nimtui.theory import Outcome
from tests.arena.test_review import played
from tests.examples import examples

GAMES = ("nim:1,3,5", "nim:2,2,3:misere", "nim:5,4:max=2", "kayles:2,4", "adjacent:2,3:misere", "connect:4x2x3")
NAMES = ("you", "hard")

_values: dict[tuple[str, bytes], int] = {}


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


@st.composite
def games(draw: st.DrawFn) -> tuple[Record, int]:
    """A random game, finished or not, of which the first moves may belong to an opening."""
    record = Record(parse_game(draw(st.sampled_from(GAMES))))
    most = draw(st.one_of(st.just(99), st.integers(1, 9)))
    while not record.over and record.ply < most:
        record.push(draw(st.sampled_from(base.legal_moves(record.state))))
    return record, draw(st.integers(0, min(2, record.ply - 1)))


@settings(max_examples=examples(60), deadline=None)
@given(games())
def test_the_mistakes_of_a_random_game_are_those_of_a_minimax(drawn: tuple[Record, int]) -> None:
    record, opening = drawn
    states = [record.state_at(ply) for ply in range(record.ply + 1)]
    values = [value(record.game, state) * (-1) ** ply for ply, state in enumerate(states)]
    changes = [ply for ply in range(opening, record.ply) if values[ply] != values[ply + 1]]
    game = Reviewed(record, review(record), lambda ply: NAMES, opening)
    found = game.decision
    assert found.certain and found.gaps == () and found.hidden is None
    assert [one.ply for one in (*found.earlier, *([found.point] if found.point else []))] == changes
    if found.point is not None:
        state = states[found.point.ply]
        best = {move for move in base.legal_moves(state)
                if -value(record.game, after(record.game, state, move)) == value(record.game, state)}  # fmt: skip
        assert set(better(record, found.point).moves) == {record.game.move_name(move, state) for move in best}
    assert any("turning point" in text for text in story(game)) == bool(changes)


def withheld(judgements: list[Judgement], hidden: set[int]) -> list[Judgement]:
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


def told(record: Record, opening: int = 0, fault: str = "", hidden: str = "") -> str:
    """Return the story, as if the positions before these plies could not be solved."""
    judged = withheld(review(record), set(map(int, hidden.split())))
    return " ".join(story(Reviewed(record, judged, lambda ply: NAMES, opening, fault)))


STORIES = [  # game, its moves, plies of the opening, positions that could not be solved; verified by a full minimax
    (
        ("nim:2,2,3:misere", "c2 a2 b1 c1", 0, "0 4"),
        "Move 3, b1, was the last known turning point so far: you gave the win away (win → loss). Better: b2. It "
        "wins: it leaves an odd number of ones, so the opponent takes the last match. Move 4 cannot be judged: "
        "the positions are too large to solve. Earlier mistake: move 2 (hard, win → loss). Move 1 cannot be "
        "judged. The outcome is unknown now.",
    ),
    (
        ("connect:3x3x3", "3 3 3 2", 0, "1"),
        "Move 4, column 2, was the turning point so far: hard gave the draw away (draw → loss). Better: column 1. "
        "It holds the draw. No move wins. Earlier mistake: move 3 (you, win → draw). Moves 1 to 2 cannot be "
        "judged. With perfect play, you win from here.",
    ),
    (
        ("connect:3x3x3", "1 2 3", 0, ""),
        "Move 3, column 3, was the turning point so far: you gave the win away (win → draw). Better: column 1 or "
        "2. Column 1 wins with disc 9 of 9. Earlier mistake: move 2 (hard, draw → loss). With perfect play, the "
        "game ends in a draw from here.",
    ),
    (
        ("kayles:2,3:misere", "b2-3 a2 b1", 0, "2 3"),
        "Move 1, b2-3, was the last known turning point so far: you gave the win away (win → loss). Better: b1 or "
        "b3. b1 wins: solved to the end of the game. Moves 2 to 3 cannot be judged: the positions are too large "
        "to solve. The outcome is unknown now.",
    ),
    (
        ("connect:3x4x3", "3 1 3 2 1 2 1 2", 0, ""),
        "Move 7, column 1, was the turning point: you gave the win away (win → loss). Better: column 3. It wins "
        "at once. Earlier mistakes: move 3 (you, draw → loss), move 4 (hard, win → loss).",
    ),
    (
        ("nim:2,2,3:misere", "b2 c1 c1 a2 c1", 0, ""),
        "Move 1, b2, was the turning point: you gave the win away (win → loss). Better: a1, b1 or c3. a1 wins: "
        "nim-sum 3 becomes 0, so every binary column is even, and rows above 1 are left: as in normal Nim.",
    ),
    (
        ("subtraction:12,3", "a1 a1 a1 a2 a2 a1 a3 a1", 0, ""),
        "Move 5, a2, was the turning point: you gave the win away (win → loss). Better: a3. It wins: it leaves 4. "
        "Divided by 4 the remainder is 0, a lost position. Earlier mistakes: move 2 (hard, win → loss), move 3 "
        "(you, win → loss), move 4 (hard, win → loss).",
    ),
    (
        ("nim:5,4,2:max=3:misere", "b3 a1 a2 c2 b1 a1 a1", 0, ""),
        "Move 5, b1, was the turning point: you gave the win away (win → loss). Better: a2. It wins: it leaves an "
        "odd number of remainders of 1, and the others are 0. Earlier mistakes: move 1 (you, win → loss), move 2 "
        "(hard, win → loss), move 3 (you, win → loss), move 4 (hard, win → loss).",
    ),
    (
        ("connect:3x3x3", "2 2 2 3 3 3 1 1 1", 0, ""),
        "Both played perfectly: perfect play ends in a draw.",
    ),
    (
        ("nim:1,3,5", "c5 b1", 0, "1"),
        "The board is too large to solve, so no move can be judged.",
    ),
    (
        ("nim:2,2,3:misere", "a1 c3 b2 a1", 0, ""),
        "hard was losing from the first move: you made no mistake.",
    ),
    (
        ("nim:2,2,3:misere", "a1 c3 b2 a1", 1, ""),
        "hard was losing from the end of the opening: you made no mistake.",
    ),
    (
        ("nim:1,3,5", "c3 b1 a1 b1", 0, ""),
        "Neither player has made a mistake. With perfect play, you win from here.",
    ),
    (
        ("nim:2,2,3:misere", "a1 c3 b2 a1", 0, "0"),
        "After move 1 you were winning, and no later move is known to have changed that. Move 1 cannot be judged: "
        "the positions are too large to solve.",
    ),
    (
        ("connect:2x1x2", "2 1", 0, "0"),
        "After move 1 the game was drawn, and no later move is known to have changed that. Move 1 cannot be "
        "judged: the positions are too large to solve.",
    ),
    (
        ("nim:1,3,5", "c2 b1 b2 c1 c1 c1 a1", 1, "4"),
        "The turning point lies in moves 4 to 5: before, hard was winning; after, you were winning. Moves 4 to 5 "
        "cannot be judged: the positions are too large to solve.",
    ),
    (
        ("connect:4x2x3", "4 2 2 1 1 3", 1, "5"),
        "The turning point lies in moves 5 to 6: before, the game was drawn; after, hard was winning. Moves 5 to "
        "6 cannot be judged: the positions are too large to solve.",
    ),
    (
        ("connect:4x2x3", "3 3 2 4 1", 0, ""),
        "Move 2, column 3, was the turning point: hard gave the draw away (draw → loss). Better: column 1, 2 or "
        "4. Column 1 holds the draw. No move wins.",
    ),
    (
        ("connect:3x4x3", "2 3 3 1", 1, "1 4"),
        "Move 3, column 3, was the last known turning point so far: you gave the win away (win → draw). Better: "
        "column 2. It wins with disc 11 of 12. Move 4 cannot be judged: the positions are too large to solve. "
        "Move 2 cannot be judged. The outcome is unknown now.",
    ),
    (
        ("connect:3x4x3", "1 3 2 3", 0, "2 4"),
        "The last known change of the outcome lies in moves 2 to 3: before, the game was drawn; after, hard was "
        "winning. Moves 2 to 3 cannot be judged: the positions are too large to solve. Move 4 cannot be judged: "
        "the positions are too large to solve. The outcome is unknown now.",
    ),
]


@pytest.mark.parametrize(("asked", "text"), STORIES, ids=[f"{asked[0]} {asked[1]}" for asked, _ in STORIES])
def test_the_story_of_a_game(asked: tuple[str, str, int, str], text: str) -> None:
    name, moves, opening, hidden = asked
    assert told(played(name, moves), opening, hidden=hidden) == text


def test_mistakes_of_the_opening_decide_nothing() -> None:
    record = played("nim:1,2", "a1 b2")  # the opening's a1 gives the win away
    assert told(record, opening=1) == "You were losing from the end of the opening: hard made no mistake."
    assert told(played("nim:1,2", "a1"), opening=1) == "No player has made a move."


def test_a_fault_is_not_the_boards_decision() -> None:
    assert told(played("nim:1,2", "b1"), fault="illegal move") == (
        "The game ended by a fault, not on the board. Neither player has made a mistake. "
        "With perfect play, you win from here."
    )


@pytest.mark.parametrize(("moves", "opening", "text"), [
    ("b1 c1 a1", 0, "The first seat was losing from the first move, and its opponent made no mistake."),
    ("a1 b1 c1", 1, "Neither player has made a mistake."),
])  # fmt: skip
def test_where_players_change_seats_are_named(moves: str, opening: int, text: str) -> None:
    record = played("nim:1,1,1:misere" if opening == 0 else "nim:1,1,1,1", moves)
    game = Reviewed(record, review(record), lambda ply: NAMES if ply < 2 else ("guest", "hard"), opening)
    assert text in story(game)


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
