"""Names of games, moves and positions: every round trip, and every wrong one refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.errors import InputError
from nimtui.games import Record, base, parse_game
from tests.examples import examples
from tests.games.test_rules import GAMES

CANONICAL = {
    "tower:16": "nim:1,3,5,7",
    "tower:25:misere": "nim:1,3,5,7,9:misere",
    "subtraction:21,3:misere": "nim:21:max=3:misere",
    "nim:9,9:max=3": "nim:9,9:max=3",
    "nim:3,4:max=4": "nim:3,4",
    "nim:3,4:misere:max=2": "nim:3,4:max=2:misere",
    "NIM: 3 , 4 :Misere": "nim:3,4:misere",
    "kayles:1,3,5,7": "adjacent:1,3,5,7:max=2",
    "adjacent:1,2:max=2": "adjacent:1,2",
    "connect4": "connect:7x6x4",
    "connect4:4x4": "connect:4x4x4",
    "connect:4×4×3": "connect:4x4x3",
}


@pytest.mark.parametrize(("given_name", "canonical"), CANONICAL.items())
def test_each_game_has_one_canonical_name(given_name: str, canonical: str) -> None:
    game = parse_game(given_name)
    assert game.name == canonical
    assert parse_game(game.name) == game


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "unknown game ''"),
        ("nimm:1,2", "did you mean nim"),
        ("chess", "Games: "),
        ("nim", "needs a size"),
        ("nim:", "invalid option ''"),
        ("nim:1,,2", "whole number"),
        ("nim:0,1", "from 1 to 255"),
        ("nim:256", "from 1 to 255"),
        ("nim:1e3", "whole number"),
        ("nim:¹", "whole number"),
        ("nim:1,2:max=0", "max must be from 1"),
        ("nim:1,2:maximum=3", "invalid option 'maximum=3'"),
        ("nim:1,2:3,4", "invalid option '3,4'"),
        ("nim:1,2:miser", "did you mean misere"),
        ("nim:1,2:misere:normal", "repeats or contradicts"),
        ("kayles:1,2:misere:misere", "repeats or contradicts"),
        ("nim:1,2:max=2:max=1", "repeats or contradicts"),
        ("nim:" + ",".join("1" * 27), "1 to 26 rows"),
        ("nim:" + "9" * 5000, "from 1 to 255"),
        ("tower:15", "square number"),
        ("tower:-4", "invalid option '-4'"),
        ("tower:729", "from 1 to 676"),
        ("subtraction:21", "matches,largest take"),
        ("subtraction:21,0", "from 1 to 255"),
        ("subtraction:21,3:max=2", "matches,largest take"),
        ("adjacent:64", "from 1 to 63"),
        ("kayles:3:max=3", "use adjacent"),
        ("connect", "needs its board's size"),
        ("connect:9x7x4", "too large"),
        ("connect:7x6", "expected connect:7x6x4"),
        ("connect:7x6x1", "from 2 to 7"),
        ("connect:3x3x4", "from 2 to 3"),
        ("connect4:7x6x4", "expected connect4"),
        ("connect4:axb", "whole number"),
    ],
)
def test_a_wrong_game_is_refused_in_one_line_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_game(name)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.slow
@given(name=st.sampled_from(GAMES), data=st.data())
@settings(max_examples=examples(40), deadline=None)
def test_moves_and_positions_survive_the_round_trip(name: str, data: st.DataObject) -> None:
    record = Record(parse_game(name))
    game = record.game
    for _ in range(data.draw(st.integers(0, 30))):
        if record.over:
            break
        move = data.draw(st.sampled_from(base.legal_moves(record.state)))
        text = game.move_name(move, record.state)
        assert game.parse_move(text, record.state) == move
        assert game.parse_move(f" {text.upper()} ", record.state) == move
        touched = game.touched(record.state, move)
        before = game.cells(record.state)
        record.push(move)
        after = game.cells(record.state)
        assert before is not None and after is not None
        assert sorted(touched) == [
            (y, x) for y, row in enumerate(before) for x, cell in enumerate(row) if cell != after[y][x]
        ]
    position = game.position_name(record.state)
    assert game.parse_position(position).tolist() == record.state.board.tolist()


@pytest.mark.parametrize(
    ("name", "position", "text", "reason"),
    [
        ("nim:1,3,5,7", "1,3,0,7", "c1", "row C is empty"),
        ("nim:1,3,5,7", "1,3,2,7", "c3", "row C has 2 matches"),
        ("nim:1,3,5,7", None, "e1", "unknown row E"),
        ("nim:1,3,5,7", None, "c", "invalid move 'c'"),
        ("nim:1,3,5,7", None, "33", "invalid move '33'"),
        ("nim:1,3,5,7", None, "c0", "must be from 1"),
        ("nim:21:max=3", None, "4", "at most 3"),
        ("nim:1,3,5,7", "0,0,0,0", "a1", "game is over"),
        ("adjacent:1,3,5,7", "1/101/11111/1111111", "b1-2", "match 2 of row B is gone"),
        ("adjacent:1,3,5,7", None, "b3-2", "invalid run"),
        ("adjacent:1,3,5,7", None, "b2-4", "invalid run"),
        ("kayles:1,3,5,7", None, "c1-3", "at most 2"),
        ("connect4", "444444", "4", "column 4 is full"),
        ("connect4", None, "8", "from 1 to 7"),
        ("connect4", None, "d", "whole number"),
    ],
)
def test_a_wrong_move_is_refused_with_the_reason(name: str, position: str | None, text: str, reason: str) -> None:
    game = parse_game(name)
    with pytest.raises(InputError, match=reason):
        game.parse_move(text, game.new(position))


@pytest.mark.parametrize(
    ("name", "position", "reason"),
    [
        ("nim:1,3,5,7", "1,3,5", "4 rows"),
        ("nim:1,3,5,7", "1,3,5,8", "row D must be from 0 to 7"),
        ("nim:1,3,5,7", "1,3,5,x", "whole number"),
        ("adjacent:1,3", "1", "2 rows"),
        ("adjacent:1,3", "1/12 ", "3 digits"),
        ("connect4", "48", "move 2: .* from 1 to 7"),
        ("connect4", "4444444", "move 7: column 4 is full"),
        ("connect4", "11223344", "over after 7 moves"),
    ],
)
def test_a_wrong_position_is_refused_with_the_reason(name: str, position: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_game(name).parse_position(position)


def test_a_record_undoes_and_redoes_and_forgets_what_was_taken_back_when_another_move_is_played() -> None:
    record = Record(parse_game("nim:1,3,5,7"))
    for text in ("a1", "d7", "c5"):
        record.push(record.game.parse_move(text, record.state))
    assert record.transcript() == "a1 d7 c5"
    assert record.turn == 1
    record.goto(1)
    assert record.game.position_name(record.state) == "0,3,5,7"
    record.redo()
    record.redo()
    assert record.transcript() == "a1 d7 c5"
    record.undo()
    record.push(record.game.parse_move("b1", record.state))
    assert record.undone == []
    record.push(record.game.parse_move("c5", record.state))
    record.push(record.game.parse_move("b2", record.state))
    assert record.over and record.winner == 0
    with pytest.raises(ValueError, match="does not allow the move"):
        record.push(0)
    assert record.game.position_name(record.state_at(2)) == "0,3,5,0"


def test_an_empty_row_of_neighbours_may_be_written_short() -> None:
    game = parse_game("kayles:1,3,5,7")
    short, full = game.parse_position("1/101/0/0"), game.parse_position("1/101/00000/0000000")
    assert short.tolist() == full.tolist()
