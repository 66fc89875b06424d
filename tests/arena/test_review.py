"""Games judged move by move, against the rules; the turning point, against a plain minimax; the history of values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.agents import parse_agent
from nimtui.agents.belief import Belief, Kind, belief_of
from nimtui.arena.review.history import (
    LEAST,
    Believed,
    Moment,
    Story,
    cells,
    column,
    estimates,
    history,
    legend,
    place,
    sides,
)
from nimtui.arena.review.review import (
    Judgement,
    Reviewed,
    _earlier,
    better,
    review,
    seat_names,
    story,
)
from nimtui.engine.rng import Stream
from nimtui.games import Game, Record, base, parse_game, registry
from nimtui.games.base import State
from nimtui.theory import Outcome
from tests.agents.subtraction import lost
from tests.examples import examples
from tests.games import wythoff

WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
OUTCOMES = {1: WIN, 0: DRAW, -1: LOSS}


def played(name: str, moves: str) -> Record:
    record = Record(parse_game(name))
    for move in moves.split():
        record.push(record.game.parse_move(move, record.state))
    return record


def test_what_is_too_large_to_solve_is_left_open() -> None:
    judged = review(played("connect4:8x6", "4 4 3"))
    assert len(judged) == 3
    for judgement in judged:
        assert (judgement.before, judgement.after, judgement.best_moves) == (None, None, ())
        assert not judgement.mistake and not judgement.known and not judgement.gave_away


def test_only_what_was_played_is_judged() -> None:
    record = played("nim:1,3,5,7", "a1 b3 c5")
    record.undo()
    assert [judgement.ply for judgement in review(record)] == [0, 1]
    assert record.ply == 2
    assert review(Record(parse_game("nim:1,2"))) == []


def test_a_game_from_another_position_is_judged_from_there() -> None:
    record = Record(parse_game("nim:1,3,5,7"), "0,1,1,0")
    record.push(record.game.parse_move("b1", record.state))
    (judgement,) = review(record)
    assert (judgement.before, judgement.after) == (LOSS, LOSS)


# The turning point, against a plain minimax over the rules of random games, and its story in exact words.


SMALL = ("nim:1,3,5", "nim:2,2,3:misere", "nim:5,4:max=2", "kayles:2,4", "adjacent:2,3:misere", "connect:4x2x3")
NAMES = ("you", "hard")


@cache
def searched(name: str) -> Callable[[bytes], tuple[int, int]]:
    """Return a function of a board: its value for the player to move, and the plies to its end under best play."""
    game = parse_game(name)

    @cache
    def of(board: bytes) -> tuple[int, int]:
        state = game.new()
        state.board[:] = np.frombuffer(board, state.board.dtype)
        outcome = int(base.outcome(state))
        if outcome != base.GOING_ON:  # for the player who moved last
            return {base.WON: -1, base.LOST: 1}.get(outcome, 0), 0
        found = []
        for move in base.legal_moves(state):
            base.play(state, move)
            value, plies = of(state.board.tobytes())
            base.undo(state, move)
            found.append((-value, plies + 1))
        best = max(value for value, _ in found)
        plies = [plies for value, plies in found if value == best]
        return best, min(plies) if best > 0 else max(plies)

    return of


def after(game: Game, state: State, move: int) -> State:
    played = game.at(state.board)
    base.play(played, move)
    return played


@st.composite
def games(draw: st.DrawFn) -> tuple[Record, int]:
    """A random game, finished or not, of which the first moves may belong to an opening."""
    record = Record(parse_game(draw(st.sampled_from(SMALL))))
    most = draw(st.one_of(st.just(99), st.integers(1, 9)))
    while not record.over and record.ply < most:
        record.push(draw(st.sampled_from(base.legal_moves(record.state))))
    return record, draw(st.integers(0, min(2, record.ply - 1)))


def withheld(judgements: list[Judgement], hidden: set[int]) -> list[Judgement]:
    """The judgements as if these positions, by the moves before them, could not be solved."""
    before: dict[str, Any] = {"before": None, "best_moves": (), "payoff_before": None}
    after: dict[str, Any] = {"after": None, "payoff_after": None}
    found = [replace(one, **before) if one.ply in hidden else one for one in judgements]
    return [replace(one, **after) if one.ply + 1 in hidden else one for one in found]


@settings(max_examples=examples(80), deadline=None)
@given(games(), st.sets(st.integers(0, 12), max_size=6))
def test_mistakes_and_gaps_of_a_random_game_are_those_of_a_minimax(drawn: tuple[Record, int], hidden: set[int]) -> None:
    """As if the positions after these numbers of moves could not be solved."""
    record, opening = drawn
    states = [record.state_at(ply) for ply in range(record.ply + 1)]
    of = searched(record.game.name)
    values = [of(state.board.tobytes())[0] * (-1) ** ply for ply, state in enumerate(states)]
    known = [ply for ply in range(opening, record.ply + 1) if ply not in hidden]
    changes = [ply for ply in known if ply + 1 in known and values[ply] != values[ply + 1]]
    gaps = []
    for one, other in pairwise([None, *known, None]):
        first, last = opening if one is None else one, (record.ply if other is None else other) - 1
        if last > first or (last == first and None in (one, other)):
            gaps.append((first, last, *(None if at is None else OUTCOMES[values[at]] for at in (one, other))))
    game = Reviewed(record, withheld(review(record), hidden), lambda ply: NAMES, opening)
    found = game.decision
    assert [(gap.first, gap.last, gap.before, gap.after) for gap in found.gaps] == gaps
    later = [gap for gap in gaps if gap[0] > max(changes, default=-1)]
    changed = [gap for gap in later if None not in gap and gap[2] != gap[3]]
    assert (None if found.hidden is None else (found.hidden.first, found.hidden.last)) == (
        changed[-1][:2] if changed else None
    )
    assert found.certain is (not later) and [one.ply for one in found.earlier] == changes[: len(found.earlier)]
    assert (found.point is not None) is bool(changes and not changed)
    assert len(found.earlier) == len(changes) - (found.point is not None)
    if found.point is not None:
        assert found.point.ply == changes[-1]
        state = states[found.point.ply]
        best = {move for move in base.legal_moves(state)
                if -of(after(record.game, state, move).board.tobytes())[0] == of(state.board.tobytes())[0]}  # fmt: skip
        assert set(better(record, found.point).moves) == {record.game.move_name(move, state) for move in best}
    if not hidden:
        assert any("turning point" in text for text in story(game)) == bool(changes)


def told(record: Record, opening: int = 0, fault: str = "", hidden: str = "") -> str:
    """Return the story, as if the positions before these plies could not be solved."""
    judged = withheld(review(record), set(map(int, hidden.split())))
    return " ".join(story(Reviewed(record, judged, lambda ply: NAMES, opening, fault)))


STORIES = [  # game, its moves, plies of the opening, positions that could not be solved; verified by a full minimax
    ("nim:2,2,3:misere", "c2 a2 b1 c1", 0, "0 4",
     "Move 3, b1, was the last known turning point so far: you gave the win away (win → loss). Better: b2. It wins:"
     " it leaves an odd number of ones, so the opponent takes the last match. Move 4 cannot be judged: the "
     "positions are too large to solve. Earlier mistake: move 2 (hard, win → loss). Move 1 cannot be judged. The "
     "outcome is unknown now."),
    ("connect:3x3x3", "3 3 3 2", 0, "1",
     "Move 4, column 2, was the turning point so far: hard gave the draw away (draw → loss). Better: column 1. It "
     "holds the draw. No move wins. Earlier mistake: move 3 (you, win → draw). Moves 1 to 2 cannot be judged. With "
     "perfect play, you win from here."),
    ("connect:3x3x3", "1 2 3", 0, "",
     "Move 3, column 3, was the turning point so far: you gave the win away (win → draw). Better: column 1 or 2. "
     "Column 1 wins with disc 9 of 9. Earlier mistake: move 2 (hard, draw → loss). With perfect play, the game ends"
     " in a draw from here."),
    ("connect:3x4x3", "3 1 3 2 1 2 1 2", 0, "",
     "Move 7, column 1, was the turning point: you gave the win away (win → loss). Better: column 3. It wins at "
     "once. Earlier mistakes: move 3 (you, draw → loss), move 4 (hard, win → loss)."),
    ("connect:3x3x3", "2 2 2 3 3 3 1 1 1", 0, "",
     "Both played perfectly: perfect play ends in a draw."),
    ("nim:1,3,5", "c5 b1", 0, "1",
     "The board is too large to solve, so no move can be judged."),
    ("nim:2,2,3:misere", "a1 c3 b2 a1", 0, "",
     "hard was losing from the first move: you made no mistake."),
    ("nim:2,2,3:misere", "a1 c3 b2 a1", 1, "",
     "hard was losing from the end of the opening: you made no mistake."),
    ("nim:1,3,5", "c3 b1 a1 b1", 0, "",
     "Neither player has made a mistake. With perfect play, you win from here."),
    ("nim:2,2,3:misere", "a1 c3 b2 a1", 0, "0",
     "After move 1 you were winning, and no later move is known to have changed that. Move 1 cannot be judged: the "
     "positions are too large to solve."),
    ("connect:2x1x2", "2 1", 0, "0",
     "After move 1 the game was drawn, and no later move is known to have changed that. Move 1 cannot be judged: "
     "the positions are too large to solve."),
    ("nim:1,3,5", "c2 b1 b2 c1 c1 c1 a1", 1, "4",
     "The turning point lies in moves 4 to 5: before, hard was winning; after, you were winning. Moves 4 to 5 "
     "cannot be judged: the positions are too large to solve."),
    ("connect:4x2x3", "3 3 2 4 1", 0, "",
     "Move 2, column 3, was the turning point: hard gave the draw away (draw → loss). Better: column 1, 2 or 4. "
     "Column 1 holds the draw. No move wins."),
    ("connect:3x4x3", "2 3 3 1", 1, "1 4",
     "Move 3, column 3, was the last known turning point so far: you gave the win away (win → draw). Better: column"
     " 2. It wins with disc 11 of 12. Move 4 cannot be judged: the positions are too large to solve. Move 2 cannot "
     "be judged. The outcome is unknown now."),
    ("connect:3x4x3", "1 3 2 3", 0, "2 4",
     "The last known change of the outcome lies in moves 2 to 3: before, the game was drawn; after, hard was "
     "winning. Moves 2 to 3 cannot be judged: the positions are too large to solve. Move 4 cannot be judged: the "
     "positions are too large to solve. The outcome is unknown now."),
    ("connect:3x3x3", "1 3 3", 0, "2",
     "Moves 2 to 3 cannot be judged: the positions are too large to solve. The outcome may have changed there and "
     "back. With perfect play, the game ends in a draw from here."),
    ("nim:2,2,2,2,2,2", "f2 b1 e1 b1 a2 d1 e1 d1 c1 c1", 0, "",
     "Move 9, c1, was the turning point: you gave the win away (win → loss). Better: c2. It wins at once. Earlier "
     "mistakes: 7, the latest: move 3 (you, win → loss), move 4 (hard, win → loss), move 5 (you, win → loss), move "
     "6 (hard, win → loss), move 7 (you, win → loss), move 8 (hard, win → loss)."),
    ("tree:((3,5),(6,9,7),(0,1))", "1 2", 0, "",
     "Move 1, 1, was the largest mistake: you gave 3 points away (+6 → +3). Better: 2. Other mistake: move 2 (hard, "
     "−3 → −5)."),
    ("tree:((3,5),(6,9,7),(0,1))", "1", 0, "",
     "Move 1, 1, was the largest mistake: you gave 3 points away (+6 → +3). Better: 2. With perfect play, you get 3 "
     "points from here."),
    ("tree:((3,5),(6,9,7),(0,1))", "2 1", 0, "", "Both played perfectly."),
    ("tree:((3,5),(6,9,7),(0,1))", "2", 0, "",
     "Neither player has made a mistake. With perfect play, you get 6 points from here."),
    ("tree:((3,5),(6,9,7),(0,1))", "1 2", 1, "",
     "Move 2, 2, was the largest mistake: hard gave 2 points away (−3 → −5). Better: 1."),
    ("tree:((3,5),(6,9,7),(0,1))", "3 2", 0, "0",
     "Move 2, 2, was the largest mistake: hard gave 1 point away (0 → −1). Better: 1. Move 1 cannot be judged."),
    ("tree:((-1,5),-2)", "1", 0, "",
     "Neither player has made a mistake. With perfect play, hard gets 1 point from here."),
    ("tree:((0,5),-2)", "1", 0, "", "Neither player has made a mistake. With perfect play, nobody pays from here."),
    ("tree:((1,2),(2,3))", "1 2", 0, "",
     "Move 1, 1, was the largest mistake: you gave 1 point away (+2 → +1). Better: 2. Other mistake: move 2 (hard, "
     "−1 → −2)."),
    ("tree:(((3,8),5),(6,9,7),(0,1))", "1 1", 0, "",
     "Move 2, 1, was the largest mistake: hard gave 3 points away (−5 → −8). Better: 2. Other mistake: move 1 (you, "
     "+6 → +5). With perfect play, you get 8 points from here."),
    ("tree:(((3,8),5),(6,9,7),(0,1))", "1 1 1", 0, "3",
     "Move 2, 1, was the largest mistake: hard gave 3 points away (−5 → −8). Better: 2. Other mistake: move 1 (you, "
     "+6 → +5). Move 3 cannot be judged."),
]  # fmt: skip


@pytest.mark.parametrize("name, moves, opening, hidden, text", STORIES)
def test_the_story_of_a_game(name: str, moves: str, opening: int, hidden: str, text: str) -> None:
    assert told(played(name, moves), opening, hidden=hidden) == text


def test_mistakes_of_the_opening_and_faults_decide_nothing() -> None:
    record = played("nim:1,2", "a1 b2")  # the opening's a1 gives the win away
    assert told(record, opening=1) == "You were losing from the end of the opening: hard made no mistake."
    assert told(played("nim:1,2", "a1"), opening=1) == "No player has made a move."
    assert "fault" not in told(played("nim:1,1", "a1 b1"), fault="a late answer")
    assert told(played("nim:1,2", "b1"), fault="illegal move") == (
        "The game ended by a fault, not on the board. Neither player has made a mistake. "
        "With perfect play, you win from here."
    )


@pytest.mark.parametrize(("name", "moves", "opening", "text"), [
    ("nim:1,1,1:misere", "b1 c1 a1", 0,
     "The first seat was losing from the first move, and its opponent made no mistake."),
    ("nim:1,1,1,1", "a1 b1 c1", 1, "Neither player has made a mistake."),
    *((f"nim:{','.join('1' * rows)}", " ".join(f"{row}1" for row in "abcd"[:rows]), opening,
       f"The {seat} seat was losing from the end of the opening, and its opponent made no mistake.")
      for rows, opening, seat in ((3, 1, "first"), (4, 1, "second"), (4, 2, "first"))),
])  # fmt: skip
def test_where_players_change_seats_are_named(name: str, moves: str, opening: int, text: str) -> None:
    record = played(name, moves)
    game = Reviewed(record, review(record), lambda ply: ("guest", "hard") if ply % 2 else NAMES, opening)
    assert text in story(game)


def test_players_of_a_saved_game_are_called_by_their_seats_where_names_are_alike() -> None:
    assert seat_names(("mc", "hard"), 0) == ("mc", "hard")
    assert seat_names(("mc", "hard"), 1) == ("hard", "mc")  # an odd opening swaps the seats
    assert seat_names(("me", "hard"), 2) == ("you", "hard")
    assert seat_names(("mc", "mc"), 1) == ("the second mc", "the first mc")
    assert seat_names(("me", "me"), 0) == ("the first player", "the second player")


# The value history against a full search of every position, and as a row of cells.


registry.add(wythoff)  # a game from elsewhere, of which nothing here knows
GAMES = (
    *("nim:1,3,5", "nim:2,3,4:misere", "subtraction:15,3", "adjacent:7", "connect:3x4x3"),
    pytest.param("wythoff:3,5", marks=pytest.mark.slow),
)


def random_game(name: str, seed: int) -> Record:
    record, chance = Record(parse_game(name)), Random(seed)
    while not record.over:
        record.push(chance.choice(base.legal_moves(record.state)))
    return record


@pytest.mark.parametrize("name", GAMES)
def test_outcome_distance_and_mistakes_are_those_of_a_full_search(name: str) -> None:
    of = searched(name)
    for seed in range(6):
        record = random_game(name, seed)
        for opening in (0, 1):
            moments = history(record.ply, review(record, plies=True), opening=opening)
            before, _ = of(record.state_at(0).board.tobytes())
            for ply, moment in enumerate(moments):
                value, plies = of(record.state_at(ply + 1).board.tobytes())
                sign = 1 if ply % 2 else -1  # after an even ply the second player is to move
                sign *= -1 if opening else 1
                assert moment.outcome is OUTCOMES[value * sign]
                drawn = value == 0 and ply + 1 < record.ply  # a draw has no distance before its end
                assert moment.remoteness == (None if drawn else plies)
                assert bool(moment.gave_away) is (-value < before)
                assert moment.place is not None and (moment.place > 0) is (value * sign > 0)
                before = value


def test_the_sooner_the_end_the_farther_out_and_no_win_is_in_the_middle() -> None:
    record = random_game("subtraction:15,3", 1)
    known = [one for one in history(record.ply, review(record, plies=True)) if one.remoteness is not None]
    outward = sorted(known, key=lambda one: one.remoteness or 0)
    away = [abs(one.place or 0) for one in outward]
    assert away == sorted(away, reverse=True) and away[0] == 1 and away[-1] >= LEAST
    for width in (9, 11, 41):
        assert [column(place, width) for place in (-1.0, 0.0, 1.0)] == [0, width // 2, width - 1]
        assert column(0.001, width) == width // 2 + 1 and column(-0.001, width) == width // 2 - 1
    assert column(1.0, 1) == column(-0.5, 2) == 0 and cells(Moment(0, 0, WIN, 3, "", 0.5, 0.5), 0) == ""
    places = {(WIN, 0, 10): 1.0, (WIN, 10, 10): 0.2, (LOSS, 5, 10): -0.6, (WIN, None, 9): 0.5, (DRAW, None, 9): 0.0}
    assert {key: place(*key) for key in places} == pytest.approx(places) and place(None, 3, 9) is None


def test_exact_values_mistakes_and_beliefs_are_drawn_each_where_it_is() -> None:
    def drawn(width: int, *of: Any, belief: float | None = None, estimate: float | None = None) -> str:
        said = (None if value is None else Belief(Kind.ESTIMATE, value) for value in (belief, estimate))
        return cells(Moment(*of, **dict(zip(("belief", "estimate"), said, strict=True))), width)

    lost, drew = (Outcome.LOSS, 3, "win → loss", 0.5, -1.0), (Outcome.DRAW, None, "win → draw", -0.5, 0.0)
    assert drawn(21, 4, 0, *lost) == "xLLLLLLLLL|-----     "
    assert (drawn(11, 5, 1, *drew), drawn(11, 5, 1, *drew[:2], "", 0.0, 0.0)) == ("  ---x     ", "     =     ")
    assert drawn(11, 0, 0, belief=0.4) == "     | o   "
    assert drawn(11, 0, 0, None, None, "win → loss", 0.5) == "     |     "  # of an unknown value nothing is drawn
    assert drawn(11, 1, 1, belief=0.4) == "   o |     "  # good for the second player
    assert drawn(11, 0, 0, *lost[:2], "", -1.0, -1.0, belief=0.4) == "LLLLL| o   "
    assert drawn(11, 0, 0, belief=-1.0, estimate=1.0) == "o    |    e"
    assert drawn(11, 4, 0, *lost, belief=-1.0)[:2] == "xo"  # both stay visible
    assert drawn(11, 4, 1, Outcome.WIN, 0, "loss → win", -0.5, 1.0, belief=-1.0)[-2:] == "ox"
    [found] = history(1)
    assert found.blank and history(0) == []
    half = Belief(Kind.ESTIMATE, 0.5)
    for known in (Moment(0, 0, place=0.0), Moment(0, 0, belief=half), Moment(0, 1, estimate=half)):
        assert not known.blank
    assert (Moment(0, 1, belief=half).believed, Moment(0, 0, estimate=half).estimated) == (-0.5, 0.5)
    assert Moment(0, 0, belief=Belief(Kind.SCORE, 37.0)).blank  # has no place


def test_the_sentence_says_what_was_believed_and_what_is_true() -> None:
    estimate, names = Belief(Kind.ESTIMATE, 0.4), ("mcts", "you")
    for moment, said in (
        (Moment(0, 0, belief=Belief(Kind.SCORE, 37.0)), "Move 1: mcts scored the move +37."),
        (Moment(6, 0, Outcome.LOSS, 5, "win → loss", 0.5, -0.6, estimate),
         "Move 7: mcts expected +0.40; exact: it then loses in 5 plies."),
        (Moment(7, 1, Outcome.LOSS, 4), "Move 8: you then win in 4 plies with perfect play."),
        (Moment(8, 0, Outcome.WIN, 0, belief=Belief(Kind.EXACT, 1.0)), "Move 9: mcts was sure to win; it has won."),
        (Moment(9, 1, Outcome.LOSS, 0), "Move 10: you have won."),
        (Moment(9, 1, Outcome.LOSS, 4, belief=Belief(Kind.EXACT, -1.0)),
         "Move 10: you were sure to lose; exact: you then win in 4 plies."),
        (Moment(0, 0, Outcome.WIN, belief=Belief(Kind.EXACT, 0.0), payoff=5),
         "Move 1: mcts was sure of a draw; exact: worth +5."),
        (Moment(1, 1, Outcome.WIN, payoff=5), "Move 2: worth −5 with perfect play."),
        (Moment(9, 1, Outcome.DRAW, 0), "Move 10: a draw."),
        (Moment(2, 0, Outcome.DRAW, estimate=Belief(Kind.ESTIMATE, -0.25)),
         "Move 3: mc estimates −0.25; exact: a draw."),
        (Moment(0, 0), ""),
    ):  # fmt: skip
        assert Story([moment] * (moment.ply + 1), names, "mc").told(moment.ply) == said
    assert sides(names) == ("you win", "mcts wins") and sides(names, paid=True) == ("you gain", "mcts gains")
    assert Story([], names).told(0) == Story([Moment(0, 0, Outcome.DRAW)], names).told(-1) == ""
    alone = Story([Moment(0, 0, Outcome.DRAW, estimate=estimate)], names)
    assert alone.told(0) == "Move 1: a draw with perfect play.", "nobody is named who estimates"
    late = Story([Moment(0, 0, Outcome.DRAW), Moment(1, 1, Outcome.DRAW)], names, by=[("first", "second")])
    assert [late.told(ply) for ply in (0, 1)] == [f"Move {ply}: a draw with perfect play." for ply in (1, 2)]


@pytest.mark.parametrize(
    ("kind", "number", "text", "short"),
    [
        (Kind.EXACT, -1.0, "a loss", "=−1"), (Kind.EXACT, 0.0, "a draw", "=0"), (Kind.EXACT, 1.0, "a win", "=+1"),
        (Kind.ESTIMATE, 0.4, "+0.40", "+0.40"), (Kind.ESTIMATE, 1.0, "+1.00", "+1.00"),
        (Kind.SCORE, 37.0, "+37", "#+37"), (Kind.SCORE, -0.25, "−0.25", "#−0.25"),
    ],
)  # fmt: skip
def test_a_belief_is_a_sign_and_a_number(kind: Kind, number: float, text: str, short: str) -> None:
    shown = Believed(Belief(kind, number, 9))
    assert (shown.text, shown.short, Believed(None).text, Believed(None).short, Believed(None).raw) == (
        text, short, "", "", None,
    )  # fmt: skip
    value, score = (None, number) if kind is Kind.SCORE else (number, None)
    assert shown.raw == {"kind": kind.value, "value": value, "score": score, "work": 9}


def test_an_estimate_is_what_an_agent_believes_of_the_reply_with_the_numbers_of_its_ply() -> None:
    record = played("nim:1,3,5", "c2 b1")
    agent = parse_agent("mc:playouts=3", record.game)
    expected = []
    for ply in (1, 2):
        belief = belief_of(agent.decide(record.state_at(ply), Stream(7, ply)))
        assert belief is not None and belief.value is not None
        expected.append(-belief.value)
    assert [each.value for each in estimates(record, agent, 7)] == pytest.approx(expected, abs=1e-4)


def test_the_legend_explains_the_signs_that_are_shown_and_no_others() -> None:
    assert legend(["  |WW"]) == [("W", "exact, longer: sooner over")]
    assert legend(["xL|WW"], paid=True) == [("LW", "exact, longer: more points"), ("x", "mistake")]
    assert legend(["xL|-o", "=e   "], "mc") == [
        ("L", "exact, longer: sooner over"), ("=", "exact draw"), ("-x", "mistake, from the value before"),
        ("o", "expected by its player"), ("e", "estimated by mc"),
    ]  # fmt: skip


@pytest.mark.parametrize("number", [1, 2, 6, 7])
def test_six_earlier_mistakes_are_named_and_of_more_the_latest_six(number: int) -> None:
    mistakes: Any = [SimpleNamespace(ply=ply, seat=ply % 2, gave_away="win → loss") for ply in range(number)]
    game: Any = SimpleNamespace(names=lambda ply: (f"A{ply}", f"B{ply}"))
    named = ", ".join(f"move {ply + 1} ({'AB'[ply % 2]}{ply}, win → loss)" for ply in range(number)[-6:])
    head = {1: "Earlier mistake: ", 7: "Earlier mistakes: 7, the latest: "}.get(number, "Earlier mistakes: ")
    assert _earlier(game, mistakes) == f"{head}{named}."


@pytest.mark.parametrize("seed", range(5))
def test_a_random_game_agrees_with_the_rule(seed: int) -> None:
    record = Record(parse_game("subtraction:40,3:misere"))
    stream = Stream(seed)
    while not record.over:
        record.push(base.nth(record.state, stream.below(base.count(record.state))))
    left = [40]
    for move in record.moves:
        left.append(left[-1] - move - 1)
    for judgement in review(record):
        before, after = left[judgement.ply], left[judgement.ply + 1]
        assert judgement.before is (LOSS if lost(before) else WIN)
        if after:
            assert judgement.after is (WIN if lost(after) else LOSS)
        assert judgement.mistake == (not lost(before) and (after == 0 or not lost(after)))
        assert judgement.mistake == (judgement.move not in judgement.best_moves)
