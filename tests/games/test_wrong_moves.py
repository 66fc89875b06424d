"""What the message of an invalid move states is true: which rows are empty, what a row has, which columns are full."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.errors import InputError
from nimtui.games import base, parse_game

HEAPS = ("nim:1,3,5,7", "nim:9,9:max=3", "subtraction:21,3:misere", "nim:12,2")
RUNS = ("kayles:1,3,5,7", "adjacent:1,3,5,7", "adjacent:6,9:max=4:misere")
BOARDS = ("connect4", "connect:3x3x3", "connect:10x2x4")
TEXTS = st.one_of(
    st.from_regex(r"[a-e]\d{1,3}", fullmatch=True),
    st.from_regex(r"[a-d]\d{1,2}-\d{1,2}", fullmatch=True),
    st.from_regex(r"-?\d{1,3}", fullmatch=True),
    st.text("abcdz0123456789-– ", max_size=5),
)


@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(HEAPS + RUNS + BOARDS), st.lists(st.integers(0, 10**6), max_size=30), TEXTS)
def test_what_a_refusal_states_is_true(name: str, choices: list[int], text: str) -> None:
    game = parse_game(name)
    state = game.new()
    for choice in choices:
        moves = list(base.legal_moves(state))
        if not moves:
            break
        base.play(state, moves[choice % len(moves)])
    legal = {game.move_name(move, state) for move in base.legal_moves(state)}
    try:
        move = game.parse_move(text, state)
    except InputError as fault:
        said = str(fault)
    else:
        assert base.outcome(state) != base.GOING_ON or game.move_name(move, state) in legal
        return
    cells = game.cells(state) if name not in BOARDS else []
    standing = {chr(65 + row): sum(map(bool, at)) for row, at in enumerate(cells)}
    for row, number in standing.items():
        if row in re.findall(r"row ([A-Z]) is empty", said):
            assert number == 0
        if found := re.search(rf"row {row} has (\d+|no) match", said):
            assert number == int(found[1].replace("no", "0")) > 0
        if found := re.search(rf"to take from row {row} must be .*from 1 to (\d+)", said):
            assert {int(name[1:]) for name in legal if name[0] == row.lower()} == set(range(1, int(found[1]) + 1))
        if found := re.search(rf"row {row} has the places 1 to (\d+)", said):
            assert len(cells[ord(row) - 65]) == int(found[1]) and number > 0
        if found := re.search(rf"match (\d+) of row {row} is gone", said):
            assert not cells[ord(row) - 65][int(found[1]) - 1]
    if found := re.search(r"the rows are A(?: to ([A-Z]))?", said):
        assert list(standing)[-1] == (found[1] or "A")
    if found := re.search(r"take at most (\d+)", said):
        limit = re.search(r"max=(\d+)|subtraction:\d+,(\d+)|(kayles)", name)
        assert limit and int(found[1]) == int(limit[1] or limit[2] or 2)
        row = re.match(r"\s*([a-z])", text.lower())
        assert standing[row[1].upper() if row else "A"] >= (int(found[1]) if name in HEAPS else 1)
    if found := re.search(r"column (\d+) is full", said):
        assert found[1] not in legal or base.outcome(state) != base.GOING_ON
        assert not base.legal(state, int(found[1]) - 1)
    if name in BOARDS and (found := re.search(r"from 1 to (\d+)", said)):
        assert int(found[1]) == {"connect4": 7, "connect:3x3x3": 3, "connect:10x2x4": 10}[name]


def test_an_empty_row_is_said_to_be_empty() -> None:
    for name, position, text in (
        ("nim:1,3,5,7", "1,3,0,7", "c9"),
        ("nim:1,3,5,7", "1,3,0,7", "c300"),
        ("nim:1,3,5,7", "1,3,0,7", "c0"),
        ("nim:9,9,9:max=3", "9,9,0", "c9"),
        ("kayles:1,3,5,7", "1/111/0/1111111", "c2-5"),
        ("adjacent:1,3,5,7", "1/111/0/1111111", "c9"),
    ):
        game = parse_game(name)
        try:
            game.parse_move(text, game.new(position))
        except InputError as fault:
            assert str(fault) == "row C is empty"
        else:
            raise AssertionError(text)
