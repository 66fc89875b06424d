"""The cursor models: every key keeps them on a legal move, and what they mark is what the move would change."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from nimtui.games import Game, base, parse_game, registry
from nimtui.games.base import State
from nimtui.ui.board.board import BOARDS, ListBoard
from nimtui.ui.board.cursor import Cell, Cursor, GridCursor, Step
from nimtui.ui.board.heaps_cursor import HeapsCursor, Piece
from tests.games import domineering, wythoff

HEAPS = ("octal:0.77:12", "octal:0.137:9,5:misere", "grundy:13", "nim:21:take=1,3,4", "octal:4.3:7", "octal:0.26:9,9")
GAMES = ("tower:16", "subtraction:21,3", "nim:9,9:max=4:misere", "adjacent:1,3,5", "kayles:9", "connect:4x4x4",
         "noughts:3x3x3", "noughts:7x6x4", "chomp:4x5", "domineering:4x3", *HEAPS)  # fmt: skip
ARROWS = (Step.UP, Step.DOWN, Step.LEFT, Step.RIGHT)
KEYS = {"u": Step.UP, "d": Step.DOWN, "l": Step.LEFT, "r": Step.RIGHT, "+": Step.MORE, "-": Step.LESS, "f": Step.FIRST,
        "e": Step.LAST}  # fmt: skip


@pytest.fixture(autouse=True)
def own() -> Iterator[None]:
    registry.add(domineering)
    yield
    registry._added.remove(domineering)


def new_cursor(game: Game, state: State) -> Cursor:
    return BOARDS.get(game.board_kind, ListBoard).CURSOR(game, state)


def at(game: str, *moves: str) -> Cursor:
    found = parse_game(game)
    state = found.new()
    for name in moves:
        base.play(state, found.parse_move(name, state))
    return new_cursor(found, state)


def meant(cursor: Cursor) -> str | None:
    return None if cursor.move is None else cursor.game.move_name(cursor.move, cursor.state)


def reached(cursor: Cursor, steps: tuple[Step, ...]) -> set[int]:
    """The moves that keys lead to from where the cursor is."""
    found, todo = set[int](), [cursor.move]
    while todo:
        move = todo.pop()
        if move is None or move in found:
            continue
        found.add(move)
        for step in steps:
            cursor.go_to(move)
            assert cursor.move == move
            assert cursor.press(step) == (cursor.move != move)
            todo.append(cursor.move)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_keys_reach_every_legal_move_and_no_other_to_the_end_of_a_game(name: str) -> None:
    game, chance = parse_game(name), random.Random(3)
    state = game.new()
    cursor = new_cursor(game, state)
    steps = ARROWS if isinstance(cursor, GridCursor) else tuple(Step)
    while base.outcome(state) == base.GOING_ON:
        assert reached(cursor, steps) == set(base.legal_moves(state))
        for _ in range(20):
            before, step = cursor.move, chance.choice(list(Step))
            assert cursor.press(step) == (cursor.move != before)
            assert cursor.move is not None and base.legal(state, cursor.move)
            after = game.after(state, cursor.move)
            assert isinstance(cursor, HeapsCursor) or cursor.marked == changed(game, state, after)
        if isinstance(cursor, HeapsCursor):
            follows(cursor, after)
        cursor.look(state := after)
    assert cursor.move is None and cursor.marked == frozenset()
    assert not any(cursor.press(step) for step in Step)
    assert not isinstance(cursor, GridCursor) or not cursor.aim(cursor.at or (0, 0))


def changed(game: Game, *states: State) -> set[Cell]:
    before, after = (game.cells(state) or [] for state in states)
    return {(row, at) for row, cells in enumerate(before) for at, cell in enumerate(cells) if cell != after[row][at]}


def follows(cursor: HeapsCursor, after: State) -> None:
    """Check what is marked of a heap, and that a move leaves the heaps of the other rows where they are."""
    piece, rows, move = cursor.pieces[cursor.at], [sum(row) for row in cursor.cells], cursor.move
    take = int(cursor.state.take_of[move])
    assert {row for row, _ in cursor.marked} == {piece.row}
    assert len(cursor.marked) == (take or int(cursor.state.left_of[move]))
    cursor.look(after)
    rows[piece.row] -= take
    assert [sum(row) for row in cursor.cells] == rows
    heaps = sorted((piece.matches for piece in cursor.pieces), reverse=True)
    assert (",".join(map(str, heaps)) or "0") == cursor.game.position_name(after)
    for each in cursor.pieces:
        assert all(cursor.cells[each.row][each.first : each.first + each.matches])
    names = [cursor.name_of(at) for at in range(len(cursor.pieces))]
    assert sorted(names, key=lambda name: (len(name), name)) == sorted(set(names), key=lambda n: (len(n), n))


def test_a_click_chooses_where_a_heap_splits_and_a_position_from_elsewhere_is_laid_out() -> None:
    game = parse_game("octal:0.77:9")
    cursor = HeapsCursor(game, game.new())
    assert cursor.aim((0, 3)) and game.move_name(cursor.move or 0, game.start) == "a1/3"
    assert cursor.marked == {(0, 3)} and not cursor.aim((0, 20))
    cursor.look(game.new("4,2,1"))
    assert [(piece.first, piece.matches) for piece in cursor.pieces] == [(0, 4), (5, 2), (8, 1)]


@pytest.mark.parametrize(
    ("game", "moves", "keys", "meanings"),
    [
        ("tower:16", "", "dlr", "b1 b2 b1"),  # left takes more from the right end of the row
        ("tower:16", "", "dfud", "b1 b3 a1 b3"),  # the count is remembered through a shorter row
        ("tower:16", "", "dfde", "b1 b3 c3 c1"),
        ("tower:16", "", "u+-", "a1 a1 a1"),  # at the edge nothing happens
        ("subtraction:21,3", "", "llllrrrr", "a2 a3 a3 a3 a2 a1 a1 a1"),  # the largest take, the least
        ("tower:16", "b3", "du", "c1 a1"),  # an empty row is stepped over
        ("adjacent:7", "a4", "f+++e+--", "a1 a1-2 a1-3 a1-3 a7 a6-7 a6 a6"),  # right, then left, never over a gap
        ("adjacent:7", "a3", "f+rrrl", "a1 a1-2 a2 a4-5 a5-6 a4-5"),  # it keeps its length where it fits
        ("adjacent:3,7", "", "rrdu", "a2 a3 b6 a3"),  # from row to row, the share of the way along them stays
        ("connect:4x4x4", "2 2 2 2", "frrl", "1 3 4 3"),  # a full column is stepped over
        ("connect:4x4x4", "", "fe+-ud", "1 4 4 3 3 3"),
        ("noughts:3x3x3", "b2", "frdlur", "a1 a2 c2 c1 b1 b3"),  # the nearest free cell in this direction
        ("noughts:3x3x3", "a1 a2 a3", "u", "b2"),
        ("chomp:2x3", "", "fe-+", "a1 c2 c1 c2"),
    ],
)
def test_what_keys_do(game: str, moves: str, keys: str, meanings: str) -> None:
    cursor, found = at(game, *moves.split()), list[str | None]()
    for key in keys:
        cursor.press(KEYS[key])
        found.append(meant(cursor))
    assert found == meanings.split()


@pytest.mark.parametrize(
    ("game", "moves", "clicks", "meanings"),
    [
        ("tower:16", "", [(3, 4), (3, 4), (3, 5)], "d3 d3! d2"),  # up to there; the second click confirms
        ("tower:16", "", [(0, 0), (0, 0)], "a1 a1!"),  # what a key has marked is not taken yet
        ("tower:16", "", [(3, 4), (1, 1), (3, 4), (3, 4)], "d3 b2 d3 d3!"),
        ("tower:16", "d2", [(3, 6)], "a1"),  # where a match has gone a click means nothing
        ("adjacent:7", "a7", [(0, 1), (0, 4), (0, 3)], "a2 a2-5 a2-5!"),  # two clicks span a run
        ("adjacent:7", "a4", [(0, 3), (0, 3)], "a1 a1"),
        ("adjacent:3,7", "", [(0, 1), (1, 4), (1, 2)], "a2 b5 b3-5"),  # in another row a run starts again
        ("kayles:7", "", [(0, 0), (0, 5)], "a1 a6"),  # longer than may be taken: it starts again there
        ("connect:4x4x4", "2 2 2 2", [(0, 2), (0, 1), (3, 2)], "3 3 3!"),  # a full column means nothing
        ("noughts:3x3x3", "b2", [(0, 0), (1, 1), (0, 0), (2, 1)], "a1 a1 a1! c2"),
        ("chomp:4x5", "c1 b3", [(0, 2), (0, 2), (1, 3)], "a3 a3! a3"),
    ],
)
def test_what_clicks_do(game: str, moves: str, clicks: list[tuple[int, int]], meanings: str) -> None:
    cursor, found = at(game, *moves.split()), list[str]()
    for cell in clicks:
        taken = cursor.point(cell)
        found.append(f"{meant(cursor)}{'!' * taken}")
    assert found == meanings.split()


def test_what_is_marked_and_where_a_new_position_puts_the_cursor() -> None:
    cursor = at("tower:16")
    for key in "dl":
        cursor.press(KEYS[key])
    assert cursor.marked == {(1, 1), (1, 2)}
    cursor.look(cursor.game.new("1,0,5,7"))
    assert meant(cursor) == "a1"
    cursor.go_to(cursor.game.parse_move("d7", cursor.state))
    cursor.look(cursor.game.new("1,3,5,0"))
    assert meant(cursor) == "c1"
    cursor = at("adjacent:7")
    cursor.point((0, 2))
    cursor.press(Step.RIGHT)
    assert meant(cursor) == "a4"  # a click marks one match, and a key after it one too
    cursor = at("connect:4x4x4", "1", "1")
    cursor.press(Step.FIRST)
    assert cursor.marked == {(1, 0)}  # the disc would land on the stack
    assert cursor.column == 0  # type: ignore[attr-defined]
    cursor = at("noughts:3x3x3")
    assert meant(cursor) == "b2" and cursor.preview[1][1] == 1  # type: ignore[attr-defined]


def test_a_list_of_moves_in_lines_of_three() -> None:
    game = Game(wythoff, wythoff.parse("wythoff", ["2,3"]))  # it has no picture
    cursor: Any = new_cursor(game, game.new())
    assert (cursor.across, cursor.at, len(cursor.moves)) == (1, 0, 7)
    cursor.across = 3
    found = []
    for key in "rdduull+fed":
        cursor.press(KEYS[key])
        found.append(cursor.at)
    assert found == [1, 4, 4, 1, 1, 0, 0, 0, 0, 6, 6]
    assert cursor.marked == {(2, 0)} and cursor.move == cursor.moves[6] and cursor.place_of(cursor.moves[5]) == (1, 2)
    assert cursor.aim((0, 0)) and cursor.at == 0 and cursor.aim((1, 1)) and cursor.at == 4
    assert not cursor.aim((2, 1)) and not cursor.aim((-1, 0)) and cursor.at == 4
    cursor.go_to(cursor.moves[6])
    state = game.new()
    while cursor.moves:
        base.play(state, cursor.moves[0])
        before = cursor.at
        cursor.look(state)
        assert cursor.at == max(0, min(before, len(cursor.moves) - 1))
    assert cursor.move is None and cursor.marked == frozenset()


def split(pieces: Sequence[Piece], at: int, take: int, small: int) -> list[Piece]:
    """Where the heaps stand after a move of the heap `at`: what stays keeps its place; a mere split needs a gap."""
    row, first, heap = pieces[at]
    gap, further = (take, 0) if take else (1, 1)
    parts = [Piece(row, first, small), Piece(row, first + small + gap, heap - take - small)]
    moved = [Piece(r, f + further * (r == row and f > first), n) for r, f, n in pieces]
    return [part for part in [*moved[:at], *parts, *moved[at + 1 :]] if part.matches]


@pytest.mark.parametrize(
    "name", ["octal:0.77:7,4", "octal:0.137:9,5", "octal:0.777:5", "grundy:13", "grundy:6,6,4", *HEAPS[-2:]]
)
def test_keys_and_clicks_on_heaps_that_split(name: str) -> None:
    game, chance = parse_game(name), random.Random(5)
    cursor = HeapsCursor(game, game.new())
    assert (cursor.at, cursor.move_at) == (0, 0)
    while not cursor.none:
        state, pieces = cursor.state, cursor.pieces

        def movable(at: int, state: Any = state, pieces: Any = pieces) -> list[tuple[int, int, int]]:
            moves = (move for move in base.legal_moves(state) if state.heap_of[move] == pieces[at].matches)
            return sorted((int(state.take_of[move]), int(state.left_of[move]), move) for move in moves)

        def near(at: int, take: int, small: int, movable: Any = movable) -> int:
            return int(min((abs(left - small), left, move) for t, left, move in movable(at) if t == take)[2])

        for at, nth in [(each, nth) for each in range(len(pieces)) for nth in range(len(movable(each)))]:
            options, piece = movable(at), pieces[at]
            take, small, move = options[nth]
            touched = range(small, small + take) if take else range(small)
            same, takes = [each for each in options if each[0] == take], sorted({each[0] for each in options})
            here, there = takes.index(take), same.index(options[nth])
            wanted = {
                Step.MORE: (at, same[(there + 1) % len(same)][2]),
                Step.LESS: (at, same[there - 1][2]),
                Step.LEFT: (at, near(at, takes[min(here + 1, len(takes) - 1)], small)),
                Step.RIGHT: (at, near(at, takes[max(here - 1, 0)], small)),
                Step.FIRST: (at, near(at, takes[0], small)),
                Step.LAST: (at, near(at, takes[-1], small)),
            }
            for step, others in ((Step.UP, range(at - 1, -1, -1)), (Step.DOWN, range(at + 1, len(pieces)))):
                other = next((each for each in others if movable(each)), at)
                wanted[step] = (other, movable(other)[min(nth, len(movable(other)) - 1)][2])
            clicks = {(row, x): (at, move, False) for row, cells in enumerate(cursor.cells) for x in range(len(cells))}
            for other, (row, first, heap) in enumerate(pieces):
                if movable(other):
                    old = movable(other)[min(nth, len(movable(other)) - 1)][0] if other != at else take
                    for x in range(heap):
                        kept = other == at and x in touched
                        goal = move if kept else near(other, old, min(x, heap - old - x))
                        clicks[row, first + x] = other, goal, True
            for what, expected in [*wanted.items(), *clicks.items()]:
                cursor.at = at
                cursor.go_to(move)
                assert cursor.marked == {(piece.row, piece.first + x) for x in touched}
                meant = cursor.step(what) if isinstance(what, Step) else cursor.aim(what)
                assert (cursor.at, cursor.move, *([meant] if isinstance(what, tuple) else [])) == expected, (
                    what,
                    pieces,
                )
        cursor.at = chance.choice([at for at in range(len(pieces)) if movable(at)])
        take, small, move = chance.choice(movable(cursor.at))
        cursor.go_to(move)
        lengths, at = list(map(len, cursor.cells)), cursor.at
        assert cursor.place_of(move) == next(each[:2] for each in pieces if each.matches == pieces[at].matches)
        cursor.look(game.after(state, move))
        if any(first + heap > lengths[row] for row, first, heap in split(pieces, at, take, small)):
            assert cursor.cells == game.cells(cursor.state), "without room in its row as the game draws it"
        else:
            assert list(cursor.pieces) == split(pieces, at, take, small)
        filled = {(row, x) for row, first, heap in cursor.pieces for x in range(first, first + heap)}
        assert filled == {(row, x) for row, cells in enumerate(cursor.cells) for x, cell in enumerate(cells) if cell}
        assert list(map(len, cursor.cells)) == lengths
        able = [each for each in range(len(cursor.pieces)) if cursor.state.many[cursor.pieces[each].matches]]
        assert not able or cursor.at == min(able, key=lambda each: (abs(each - at), each))
