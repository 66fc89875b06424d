"""Names of games, moves and positions, titles and rules; every wrong one is refused; one move is written in one way."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest

from nimtui.arena.play.steps import Steps
from nimtui.arena.review import review_report
from nimtui.cli.plain import lines
from nimtui.errors import InputError
from nimtui.games import Game, adjacent, base, chomp, connect, heaps, octal, parse_game, registry, rule_text
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.games.registry import presets
from nimtui.games.rule_text import doing, named
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import plain_text
from nimtui.ui.board.small_board import replayed
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import value_history, view
from nimtui.ui.search.stage import of_node
from tests.games import leaving
from tests.games.refusal import refusal

CANONICAL = {
    "octal:0.333:9": "octal:0.333:9", "nim:3:take=2,4": "nim:3:take=2", "tree:(_a(1),b(3))": "tree:(_a(1),b(3))",
    "tower:16": "nim:1,3,5,7", "tower:676": "nim:" + ",".join(map(str, range(1, 52, 2))),
    "tower:25:misere": "nim:1,3,5,7,9:misere", "tower:25:max=3:normal": "nim:1,3,5,7,9:max=3",
    "subtraction:21,3:misère": "nim:21:max=3:misere", "nim:9,255:max=255": "nim:9,255",
    "nim:9,9:max=3": "nim:9,9:max=3", "nim:3,4:max=4": "nim:3,4", "NIM: 3 , 4 :Misere": "nim:3,4:misere",
    "nim:3,4:misere:max=2": "nim:3,4:max=2:misere", "kayles:1,3,5,63": "adjacent:1,3,5,63:max=2",
    "adjacent:1,2:max=2": "adjacent:1,2", "connect4": "connect:7x6x4", "connect4:4x4": "connect:4x4x4",
    "connect:9×6×2": "connect:9x6x2", "connect:1x2x2": "connect:1x2x2", "noughts": "noughts:3x3x3",
    "noughts:2X26X26": "noughts:2x26x26", "noughts:9x7x9": "noughts:9x7x9", "noughts:2x1x2": "noughts:2x1x2",
    "chomp:6×6": "chomp:6x6", "chomp:1x26": "chomp:1x26",
}  # fmt: skip


def test_each_game_has_one_canonical_name() -> None:
    games = {name: parse_game(name) for name in CANONICAL}
    assert {name: game.name for name, game in games.items()} == CANONICAL
    assert all(parse_game(game.name) == game and hash(game) == hash(game.name) for game in games.values())
    assert repr(games["noughts"]) == "Game('noughts:3x3x3')" and games["connect4"] != games["noughts"] != "noughts"


ALL = "Games: adjacent, kayles, chomp, connect, connect4, nim, tower, subtraction, noughts, octal, grundy, dawson,"
ALL += " dawsons-kayles, redblue, tree"
NIM, SUBTRACTION = "nim:1,3,5,7[:max=K][:misere]", "subtraction:21,3[:misere]"
LARGE_BAR = "squares is too large: at most 26 rows and 10,000 shapes of a bite, for example chomp:6x6"
OCTAL, CODE = "octal:0.77:10[:misere]", "expected 0 or 4, a point, and digits from 0 to 7, as in 0.137"
PILES, ILL = "expected red and blue marbles, as in 4,4", "no moves from 9 leave so many heaps"
GAMES = {
    "": f"unknown game ''. {ALL}", "nimm:1,2": f"unknown game 'nimm' (did you mean nim?). {ALL}",
    "tic-tac-toe": f"unknown game 'tic-tac-toe' (did you mean noughts?). {ALL}",
    "nim": f"the game's name needs a size; expected {NIM}",
    "nim:": f"invalid option '' in a game's name; expected {NIM}",
    "nim:1,2:3,4": f"invalid option '3,4' in a game's name; expected {NIM}",
    "nim:1,2:miser": f"invalid option 'miser' in a game's name (did you mean misere?); expected {NIM}",
    "nim:1,2:misere:normal": "'normal' repeats or contradicts another option of the game's name",
    "nim:1,2:max=2:max=1": "'max=1' repeats or contradicts another option of the game's name",
    "nim:1,2:max=0": "max must be from 1 to 255, not 0", "nim:1,2:max=256": "max must be from 1 to 255, not 256",
    "nim:1,,2": "a row must be a whole number from 1 to 255, not ''", "nim:0,1": "a row must be from 1 to 255, not 0",
    "nim:256": "a row must be from 1 to 255, not 256", "nim:" + ",".join("1" * 27): "a game has 1 to 26 rows, not 27",
    "tower:3": "a tower has a square number of matches (nearest: 1, 4), not 3",
    "tower:675": "a tower has a square number of matches (nearest: 625, 676), not 675",
    "tower:677": "the tower's number of matches must be from 1 to 676, not 677",
    "subtraction:21": f"invalid size '21': expected matches,largest take, as in {SUBTRACTION}",
    "subtraction:21,3:max=2": f"invalid size '21,3': expected matches,largest take, as in {SUBTRACTION}",
    "subtraction:256,1": "the number of matches must be from 1 to 255, not 256",
    "subtraction:21,0": "the largest take must be from 1 to 255, not 0",
    "adjacent:64": "a row must be from 1 to 63, not 64",
    "kayles:3:max=3": "kayles always takes one or two neighbours; use adjacent for max=K",
    "connect": "a connect game needs its board's size; expected connect:7x6x4",
    "connect:7x6": "invalid board size '7x6': expected connect:7x6x4",
    "connect4:7x6x4": "invalid board size '7x6x4': expected connect4[:7x6]",
    "connect4:axb": "the number of columns must be a whole number from 1 to 63, not 'a'",
    "connect:8x7x4": "a board of 8 columns and 7 rows is too large: columns × (rows + 1) may be at most 63",
    "connect:7x6x1": "1 in a row cannot win on a board of 7 × 6: expected from 2 to 7, as in connect:7x6x7",
    "connect:3x4x5": "5 in a row cannot win on a board of 3 × 4: expected from 2 to 4, as in connect:3x4x4",
    "connect:1x2x3": "3 in a row cannot win on a board of 1 × 2: expected 2, as in connect:1x2x2",
    "connect:1x1x1": "a board of 1 × 1 is too small",
    "noughts:3x3": "invalid size '3x3': expected columns, rows and marks in a row, as in noughts:3x3x3",
    "noughts:3x3x3:x": "invalid size '3x3x3:x': expected columns, rows and marks in a row, as in noughts:3x3x3",
    "noughts:3x4x5": "5 in a row cannot win on a board of 3 × 4: expected 2 to 4, as in noughts:3x4x4",
    "noughts:3x3x1": "1 in a row cannot win on a board of 3 × 3: expected 2 to 3, as in noughts:3x3x3",
    "noughts:8x8x4": "a board of 8 × 8 is too large: at most 63 cells and 26 rows",
    "noughts:1x27x3": "a board of 1 × 27 is too large: at most 63 cells and 26 rows",
    "noughts:1x1x1": "a board of 1 × 1 is too small: expected 2 columns or rows at least",
    "chomp": "'chomp' needs a size: columns and rows, for example chomp:4x5",
    "chomp:4": "invalid size '4': expected columns and rows, as in chomp:4x5",
    "chomp:0x4": "the number of columns must be from 1 to 10,000, not 0", "chomp:7x7": f"a bar of 7 × 7 {LARGE_BAR}",
    "chomp:1x27": f"a bar of 1 × 27 {LARGE_BAR}", "chomp:9999x9999": f"a bar of 9999 × 9999 {LARGE_BAR}",
    "octal:": f"the game's name needs an octal code; expected {OCTAL}",
    "octal:1.3:5": f"invalid octal code '1.3': {CODE}", "octal:0.8:5": f"invalid octal code '0.8': {CODE}",
    "octal:0.00:5": "the octal code 0.00 allows no take: its digits after the point are all 0",
    "octal:0.3": f"the game's name needs a size; expected {OCTAL}",
    "octal:0.3:5:max=2": f"max= does not go with these rules; expected {OCTAL}",
    "octal:0.4:256": "a heap must be from 1 to 255, not 256",
    "octal:0.4:2,1": "no move is legal from 2,1 in 0.4: name larger heaps",
    "octal:0.77:255,1": "all heaps together have at most 255 matches where heaps split, not 256",
    "grundy:2": "no move is legal from 2 in grundy: name larger heaps",
    "dawson:0": "a heap must be from 1 to 255, not 0",
    "nim:9:take=0,1": "a number of take= must be from 1 to 255, not 0",
    "nim:9:take=256": "a number of take= must be from 1 to 255, not 256",
    "nim:9:take=2:take=3": "'take=3' repeats another option of the game's name; expected nim:21:take=1,3,4[:misere]",
    "redblue": "'redblue' needs red and blue marbles, as in redblue:4,4[:misere]",
    "redblue:4,4:misery": "'redblue' needs red and blue marbles, as in redblue:4,4[:misere]",
    "redblue:4,4,4": f"invalid piles '4,4,4': {PILES}", "redblue:0,4": "the red pile must be from 1 to 1,000, not 0",
    "redblue:4,1001": "the blue pile must be from 1 to 1,000, not 1001",
}  # fmt: skip
TOWER, RUNS = "nim:1,3,5,7", "adjacent:1,3,5,7"
CELL = "expected a row's letter and a column's number, as in a1"
MOVES = {
    (TOWER, "1,3,0,7", "c9"): "row C is empty", (TOWER, "1,3,0,7", "c0"): "row C is empty",
    (TOWER, "1,3,2,7", "c3"): "row C has 2 matches: 3 cannot be taken",
    (TOWER, None, "a2"): "row A has 1 match: 2 cannot be taken",
    (TOWER, None, "e1"): "unknown row E: the rows are A to D", ("nim:1", None, "b1"): "unknown row B: the rows are A",
    (TOWER, None, "c"): "invalid move 'c': c3 takes 3 from row C",
    (TOWER, None, "33"): "invalid move '33': c3 takes 3 from row C",
    (TOWER, None, "c0"): "the number of matches to take from row C must be from 1 to 5, not 0",
    ("nim:21", None, "a²"): "the number of matches to take from row A must be a whole number from 1 to 21, not '²'",
    ("nim:21:max=3", "3", "4"): "take at most 3 at once, not 4",
    ("nim:21:max=3", "2", "3"): "row A has 2 matches: 3 cannot be taken",
    ("nim:2,3:max=3", None, "b4"): "row B has 3 matches: 4 cannot be taken",
    (TOWER, "0,0,0,0", "a1"): "the game is over: no moves are left",
    (RUNS, "1/111/0/1111111", "c2-5"): "row C is empty",
    (RUNS, None, "bx"): "invalid move 'bx': c2-4 takes matches 2 to 4 of row C, c2 takes match 2",
    (RUNS, "1/101/11111/1111111", "b1-3"): "match 2 of row B is gone: take only matches that stand side by side",
    (RUNS, "1/100/11111/1111111", "b1-3"): "match 2 of row B is gone: take only matches that stand side by side",
    (RUNS, None, "b3-2"): "invalid run '3-2': row B has the places 1 to 3",
    (RUNS, None, "b2-4"): "invalid run '2-4': row B has the places 1 to 3",
    (RUNS, None, "b0"): "invalid run '0': row B has the places 1 to 3",
    ("kayles:1,3,5,7", None, "c1-3"): "take at most 2 neighbours at once, not 3",
    ("connect4", "444444", "4"): "column 4 is full",
    ("connect4", None, "8"): "a move (a column) must be from 1 to 7, not 8",
    ("connect4", None, "d"): "a move (a column) must be a whole number from 1 to 7, not 'd'",
    ("noughts:4x3x3", "x.../..../....", "a1"): "a1 already has a mark",
    ("noughts:4x3x3", None, "d1"): "unknown row D: the rows are A to C",
    ("noughts:4x3x3", None, "a5"): "the column must be from 1 to 4, not 5",
    ("noughts:4x3x3", None, "a"): f"invalid move 'a': {CELL}", ("chomp:4x5", "4,2,0,0,0", "b3"): "b3 is eaten already",
    ("chomp:4x5", None, "f1"): "unknown row F: the rows are A to E",
    ("chomp:4x5", None, "a5"): "the column must be from 1 to 4, not 5",
    ("dawson:9,4", None, "c1"): "unknown heap C: the heaps are A to B",
    ("dawson:9", None, "b1"): "unknown heap B: the heaps are A",
    ("dawson:9", None, "a"): "invalid move 'a': a3 takes 3 from heap A, a3/2 also leaves 2 apart, a/2 only splits",
    ("dawson:9", None, "a4"): "a4 is not allowed: a heap of 9 has a2, a3, a3/1, a3/2, a3/3",
    ("octal:0.26:20", None, "a9"): "a9 is not allowed: a heap of 20 has a1, a2, a2/1, a2/2, a2/3, a2/4, a2/5, a2/6, …",
    ("octal:4.3:17", None, "a9"): f"a9 is not allowed: a heap of 17 has {', '.join(f'a/{n}' for n in range(1, 9))}, …",
    ("dawsons-kayles:9,1", None, "b1"): "b1 is not allowed: a heap of 1 has no move",
    ("dawson:9", None, "a10"): "heap A has 9 matches: a10 asks for more",
    ("dawson:9", None, "a3/6"): "heap A has 9 matches: a3/6 asks for more",
    ("dawson:9", None, "a3/0"): "heap A has 9 matches: a3/0 asks for more",
    ("dawson:9", "1,2", "b2"): "heap B has 1 match: b2 asks for more",
    ("redblue:3,2", None, "c1"): "invalid move 'c1': expected one of a1, a2, b1, b2: a pile and the marbles to take",
    ("redblue:3,2", "1,2", "a2"): "illegal move 'a2'. Legal moves: a1, b1, b2",
    ("tree:A(B(3,5),C(6,9))", None, "D"): "invalid move 'D': expected one of b, c",
    ("tree:((3,5),(6,9))", None, "3"): "invalid move '3': expected one of 1, 2",
}  # fmt: skip
SHORT = {("dawson:9", "3/2"): "a3/2", ("dawson:9", "A 3 / 4"): "a3/2", ("redblue:3,2", "R2"): "a2"}
BAR = "expected the squares left in 5 rows, none longer than the row above it, as in 4,4,4,4,4"
AHEAD = "x moves first, so it has as many marks as o, or one more"
OVER = "the game was over before the last mark"
GRID = "expected 3 rows of 3 cells, each one of x o ., as in .../.../..."
POSITIONS = {
    (TOWER, "1,3,5"): "invalid position '1,3,5': expected 4 rows, as in 1,3,5,7",
    ("nim:7", "1,2"): "invalid position '1,2': expected 1 row, as in 7",
    (TOWER, "1,3,5,8"): "row D must be from 0 to 7, not 8",
    ("nim:1,3", "1,x"): "row B must be a whole number from 0 to 3, not 'x'",
    ("adjacent:1,3", "1"): "invalid position '1': expected 2 rows separated by slashes, as in 1/111",
    ("adjacent:1,3", "1/12 "): "invalid row B '12': expected 3 digits, 1 (standing) or 0 (gone)",
    ("adjacent:1,3", "1/121"): "invalid row B '121': expected 3 digits, 1 (standing) or 0 (gone)",
    ("adjacent:1,3", "1/1110"): "invalid row B '1110': expected 3 digits, 1 (standing) or 0 (gone)",
    ("connect4", "48"): "invalid position '48', move 2: a move (a column) must be from 1 to 7, not 8",
    ("connect4", "4444444"): "invalid position '4444444', move 7: column 4 is full",
    ("connect4", "11223344"): "invalid position '11223344': the game was over after 7 moves",
    ("connect:10x4x3", "10,11"): "invalid position '10,11', move 2: a move (a column) must be from 1 to 10, not 11",
    ("noughts", "x"): f"invalid position 'x': {GRID}",
    ("noughts", "x../.../..z"): f"invalid position 'x../.../..z': {GRID}",
    ("noughts", "x../.../...x"): f"invalid position 'x../.../...x': {GRID}",
    ("noughts", "xx./.../..."): f"invalid position 'xx./.../...': {AHEAD}",
    ("noughts", "o../.../..."): f"invalid position 'o../.../...': {AHEAD}",
    ("noughts", "xxx/ooo/..."): f"invalid position 'xxx/ooo/...': {OVER}",
    ("noughts", "xxx/oo./o.."): f"invalid position 'xxx/oo./o..': {OVER}",
    ("noughts", "xxx/oo./..."): None,
    ("noughts", "xxx/xoo/xoo"): None,  # two lines with one last mark
    ("noughts:4x4x2", "xx.x/x.../oooo/...."): f"invalid position 'xx.x/x.../oooo/....': {OVER}",
    ("chomp:4x5", "4,4"): f"invalid position '4,4': {BAR}",
    ("chomp:4x5", "1,2,3,4,4"): f"invalid position '1,2,3,4,4': {BAR}",
    ("chomp:4x5", "5,4,4,4,4"): "a row of squares must be from 0 to 4, not 5",
    ("chomp:4x5", "4,4,4,4,x"): "a row of squares must be a whole number from 0 to 4, not 'x'",
    ("dawson:9", "10"): "a heap must be from 0 to 9, not 10",
    ("dawson:9", "6,3"): f"invalid position '6,3': {ILL}",
    ("nim:9:take=1,3", "9,1"): f"invalid position '9,1': {ILL}",
    ("redblue:3,2", "4,2"): "the red pile must be from 0 to 3, not 4",
    ("redblue:3,2", "3"): f"invalid piles '3': {PILES}",
    ("tree:((3,5),(6,9))", "1.1.1"): "invalid position '1.1.1': the game was over before 1",
}


def test_a_wrong_game_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.games.registry._added", [])  # by other tests
    assert {name: refusal(parse_game, name) for name in GAMES} == GAMES
    for columns, rows in ((1, 1), (4, 2), (3, 5), (1, 26)):
        assert len(chomp.new(columns, rows).bites) == chomp.number_of_bites(columns, rows)
    assert [octal.letter(heap) for heap in (0, 25, 26, 27, 51, 52, 701)] == ["a", "z", "aa", "ab", "az", "ba", "zz"]
    assert "from 1 to 255" in refusal(parse_game, "nim:" + "9" * 5000)
    assert refusal(heaps.new, [3], 0) == refusal(adjacent.new, [3], 0) == "the largest take must be at least 1, not 0"
    assert refusal(heaps.new, []) == "a game has 1 to 26 rows, not 0"
    assert refusal(heaps.new, [0]) == "a row has 1 to 255 matches, not 0"
    assert refusal(adjacent.new, [64]) == "a row of neighbours has 1 to 63 matches, not 64"
    assert "0 columns and 1 rows is too large" in refusal(connect.new, 0, 1, 1)
    assert "1 columns and 0 rows is too large" in refusal(connect.new, 1, 0, 1)


def test_a_wrong_move_is_refused_with_the_reason() -> None:
    for (name, position, text), reason in MOVES.items():
        game = parse_game(name)
        assert refusal(game.parse_move, text, game.new(position)) == reason, (name, text)


def test_moves_may_be_written_short() -> None:
    for (name, text), own in SHORT.items():
        game = parse_game(name)
        assert game.move_name(game.parse_move(text, game.start)) == own


def test_a_wrong_position_is_refused_with_the_reason() -> None:
    for (name, position), reason in POSITIONS.items():
        if reason is None:
            assert base.outcome(parse_game(name).new(position)) == base.WON
        else:
            assert refusal(parse_game(name).parse_position, position) == reason


def test_positions_may_be_written_short() -> None:
    kayles, wide, four = (parse_game(name) for name in ("kayles:1,3,5,7", "connect:10x4x3", "connect4"))
    assert kayles.new("1/101/0/0").board.tolist() == kayles.new("1/101/00000/0000000").board.tolist()
    assert wide.new("10, 4,4").board.tolist() == wide.new("10,4,4").board.tolist()
    assert four.new("4 55").board.tolist() == four.new("4,5,5").board.tolist() == four.new(" 455").board.tolist()
    assert (wide.position_name(wide.new("10,4")), four.position_name(four.new("44"))) == ("10,4", "44")
    assert (nine := parse_game("connect:9x3x3")).position_name(nine.new("9,9")) == "99"
    with pytest.raises(ValueError, match="no sequence of moves"):
        four.position_name(four.at(four.new("4").board ^ [four.start.bottom[3], 0, 0]))  # type: ignore[attr-defined]


def test_a_board_that_no_moves_lead_to_is_refused_although_its_discs_could_be_undone_in_very_many_orders() -> None:
    game = parse_game("connect:5x6x4")  # full columns but for the middle one; all lowest discs are the second player's
    first, discs = ((sum(rows << 7 * column for column in (0, 1, 2, 4))) for rows in (0b010110, 0b111111))
    state = game.at(np.array([first, discs, *game.start.board[2:]]))
    assert base.outcome(state) == base.GOING_ON and discs.bit_count() == 2 * first.bit_count() == 24
    with pytest.raises(ValueError, match="no sequence of moves"):
        game.position_name(state)


@pytest.mark.parametrize("name", ["connect4", "connect:5x4x3"])
def test_a_position_is_named_by_moves_that_no_line_ends_too_soon(name: str) -> None:
    game, random = parse_game(name), Random(4)
    for _ in range(12):
        state = game.new()
        while base.outcome(state) == base.GOING_ON:
            base.play(state, random.choice(base.legal_moves(state)))
        assert game.parse_position(game.position_name(state)).tolist() == state.board.tolist()


ANY, ROW, DROP = "In turn, take any number of", "from one row", "In turn, drop a disc into a column."
SIDE = "to take match 2 of row {}, {}1-2 to take matches 1 and 2."
ROW_A, ROW_B = f"Type a2 {SIDE.format('A', 'a')}", f"Type b2 {SIDE.format('B', 'b')}"
DAWSON = "take 1 from a heap and leave nothing, take 2 and leave at most one heap or take 3 and leave up to two heaps."
APART, TWO = (
    "from heap A and leave 1 apart.",
    "take 1 from a heap and leave one heap or take 2 and leave one heap or two.",
)
FIVE, FOUR = (
    "take 1 from a heap and leave nothing or two heaps",
    "split a heap in two, take 1 and leave nothing or take 2",
)
HEAP, UP_TO_TWO = "from one heap", "from a heap and leave up to two heaps."
MARBLES = "In turn, take one or two marbles of one pile: A is red, B is blue."
EAT = "eat a square: all squares right of it and below it go with it. Type c3 to eat c3: row C, column 3."
SPLIT = "split a heap into two heaps of different sizes. Type a/1 to split heap A into 1 and the rest."
TITLES = {  # what the title begins with, and the rules after the goal
    "nim:1,3,5": f"Tower of 9|{ANY} matches {ROW}. Type b2 to take 2 from row B.",
    "tower:4": f"Tower of 4|{ANY} matches {ROW}. Type b2 to take 2 from row B.",
    "nim:7": f"7 matches|{ANY} matches. Type a2 to take 2.",
    "nim:1": f"1 match|{ANY} matches. Type a1 to take 1.",
    "nim:9,5:max=3:misere": f"Nim 9,5, take 1 to 3|In turn, take 1 to 3 matches {ROW}. Type a2 to take 2 from row A.",
    "nim:3,4:max=1": f"Nim 3,4, take 1|In turn, take one match {ROW}. Type a1 to take 1 from row A.",
    "adjacent:5": f"Neighbours 5|{ANY} adjacent matches. {ROW_A}",
    "adjacent:9,2:max=3": f"Neighbours 9,2, at most 3|In turn, take 1 to 3 adjacent matches {ROW}. {ROW_A}",
    "adjacent:1,2:max=1": f"Neighbours 1,2, at most 1|In turn, take one match {ROW}. Type b1 to take match 1 of row B.",
    "adjacent:1,2": f"Kayles 1,2|{ANY} adjacent matches {ROW}. {ROW_B}",
    "kayles:1,3:misere": f"Kayles 1,3|In turn, take 1 or 2 adjacent matches {ROW}. {ROW_B}",
    "connect4": f"Connect Four, 7 × 6|{DROP} Type 4 and Enter to drop a disc into column 4.",
    "connect:4x4x3": f"Connect Three, 4 × 4|{DROP} Type 2 and Enter to drop a disc into column 2.",
    "noughts:4x3x3": "Noughts and crosses, 4 × 3|In turn, mark an empty cell. Type b3 to mark b3: row B, column 3.",
    "octal:0.137:3,5:misere": f"Dawson's chess 5,3|In turn, {DAWSON} Type a3/1 to take 3 {APART}",
    "octal:0.26:2,9": f"Octal 0.26: 9,2|In turn, {TWO} Type a2/1 to take 2 {APART}",
    "octal:0.56:9": f"Octal 0.56: 9|In turn, {FIVE} or take 2 and leave one heap or two. Type a1/1 to take 1 {APART}",
    "octal:4.14:9": f"Octal 4.14: 9|In turn, {FOUR} and leave two heaps. Type a/1 to split heap A into 1 and the rest.",
    "octal:0.1234567:9": "Octal 0.1234567: 9|In turn, take from a heap as the digits of 0.1234567 say. "
    f"Type a4/1 to take 4 {APART}",
    "dawsons-kayles:9": f"Dawson's Kayles 9|In turn, take 2 {UP_TO_TWO} Type a2/1 to take 2 {APART}",
    "nim:9:take=1,3,4": "9, take 1, 3 or 4|In turn, take 1, 3 or 4 from one heap. Type a1 to take 1 from heap A.",
    "nim:9,4:take=2,5:misere": f"Nim 9,4, take 2 or 5|In turn, take 2 or 5 {HEAP}. Type a2 to take 2 from heap A.",
    "redblue:3,4": f"Red-blue Nim 3,4|{MARBLES}",
    "redblue:3,4:misere": f"Red-blue Nim 3,4|{MARBLES}",
    "tree:((3,5),(6,9,7))": "Game tree ((3,5),(6,9,7))|In turn, choose a branch.",
    "tree:((3,5),(6,9,7)):min": "Game tree ((3,5),(6,9,7))|In turn, choose a branch.",
    "connect4:score": f"Connect Four, 7 × 6|{DROP}",
    "octal:0.137:2,1": f"Dawson's chess 2,1|In turn, {DAWSON} Type a2 to take 2 from heap A.",
    "grundy:2,7": f"Grundy's game 7,2|In turn, {SPLIT}",
    "chomp:4x5": f"Chomp, 4 × 5|In turn, {EAT}",
}


def goal(name: str) -> tuple[str, str]:
    """The end of the title, and the first sentence of the rules."""
    if name.startswith("chomp"):
        return "the poisoned square loses", "Whoever eats the poisoned square a1 loses."
    if name.startswith("redblue"):
        end, who = "emptying one gets", "whoever emptied it gets"
        if name.endswith("misere"):
            end = who = "the other player gets"
        points = "2 points for each red and 3 for each blue marble left"
        return f"{end} the marbles left", f"When a pile is empty, {who} {points}."
    if name.startswith("tree"):
        first = "MIN" if name.endswith("min") else "MAX"
        return f"{first} moves first", "MAX gets the number at the leaf where the game ends, and MIN pays it."
    if name.endswith("score"):
        return "for a score", "Whoever has 4 discs in a line gets a point, and one for each own disc that is left."
    if name.startswith(("connect", "noughts")):
        things, k = ("marks" if name.startswith("n") else "discs"), parse_game(name).name[-1]
        rule = f"Whoever first has {k} {things} in a line, in any direction, wins; a full board is a draw."
        return f"{k} in a row wins", rule
    makes, last = (
        ("makes", "move") if name.startswith(("octal", "grundy", "dawson")) or "take" in name else ("takes", "match")
    )
    ends = "loses" if name.endswith("misere") else "wins"
    return f"the last {last} {ends}", f"Whoever {makes} the last {last} {ends}."


def test_titles_and_rules_with_an_example_of_a_move() -> None:
    for name, text in TITLES.items():
        game, (title, rules), (end, first) = parse_game(name), text.split("|"), goal(name)
        assert (game.title, rule_text.both(game)) == (f"{title} · {end}", f"{first} {rules}")
    for k, called in ((2, "Connect"), (3, "Connect Three"), (4, "Connect Four"), (5, "Connect Five"), (6, "Connect")):
        assert parse_game(f"connect:7x6x{k}").title == f"{called}, 7 × 6 · {k} in a row wins"
    rows = [plural(number, "row", "rows") for number in (0, 1, 2, 1_000)]
    assert ", ".join(rows) == "no rows, 1 row, 2 rows, 1,000 rows"


# One move is written in one way: as it is typed wherever it is listed, and in a sentence by what it does.


LISTED = [*(preset.game for preset in presets()), "nim:9,200,3:max=3", "adjacent:5", "connect:9x3x3", "chomp:2x11"]


@pytest.fixture(autouse=True)
def added() -> None:
    registry.add(leaving)


def deed(game: Game, state: State, move: Move) -> str:
    """The words for a move by its name."""
    name = game.move_name(move, state)
    if game.board_kind == "columns":
        return f"drop in column {name}"
    if game.board_kind == "rows":
        return f"take {name[1:]} from {name[0].upper()}" if len(game.cells(state) or ()) > 1 else f"take {name[1:]}"
    verb = {"runs": "take", "list": "play", "heaps": "play"}.get(game.board_kind) or (game.verbs or ("play",))[0]
    return f"{verb} {name}"


def walk(game: Game) -> list[Move]:
    """The moves of a random game, six at most."""
    state, moves, random = game.new(), list[Move](), Random(game.name)
    while len(moves) < 6 and base.outcome(state) == base.GOING_ON:
        moves.append(random.choice(base.legal_moves(state)))
        base.play(state, moves[-1])
    return moves


@pytest.mark.parametrize("name", [*LISTED, "leaving:9"])
def test_a_move_is_written_in_one_way_in_every_list_text_and_sentence_of_a_game(name: str) -> None:
    game, moves = parse_game(name), walk(parse_game(name))
    session = Session(PlaySetup(name, None, ("me", "me"), 0))
    names, deeds = [], []
    for played in moves:
        state = session.state
        for move in {played, *base.legal_moves(state)[:9]}:
            own = game.move_name(move, state)
            assert doing(game, state, move) == deed(game, state, move)
            assert named(game, state, move) == (f"column {own}" if game.board_kind == "columns" else own)
        names.append(game.move_name(played, state))
        deeds.append(deed(game, state, played))
        session.play(played)
    text = " ".join(names)
    assert session.move_names() == names == replayed(game, moves).names == Steps(game).names(moves)
    assert session.record.transcript() == text
    assert [row.move for row in review_report.read(game, moves, 0, ("me", "me")).moves] == names
    copies = {copy.what: copy.text for copy in (*view.copies(session), *of_node(game, game.start, moves))}
    assert copies["moves"] == copies["path"] == text
    listed = "\n".join(map(plain_text, value_history.log(session)(40, 40, UNICODE)))
    across = plain_text(value_history.across(session, 400, UNICODE)[0])
    for ply, own in enumerate(names, 1):
        assert re.search(rf"\b{ply} .*\b{re.escape(own)}\b", listed) and re.search(rf"\b{ply} \S+ {own}\b", across)
    past = words.latest_done(session).partition(" ")[2]
    assert past == deeds[-1].partition(" ")[2], "the same words, in the past"


@pytest.mark.parametrize("name", LISTED)
def test_the_rules_on_the_screen_and_line_by_line_name_the_same_move(name: str) -> None:
    game = parse_game(name)
    for text in filter(None, (rule_text.notation(game), lines.rules(game)[-1])):
        [example] = re.findall(r"(?:Type|typed as) (\w[\w/-]*)", text)
        assert example in {game.move_name(move) for move in base.legal_moves(game.start)}


def test_a_heap_of_octal_games_has_as_many_moves_as_codes_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = octal.read_code("0.77")
    moves = sum(len([*rule.options(heap)]) for heap in range(1, 9))
    monkeypatch.setattr(octal, "MOST_MOVES", moves)
    assert octal.new(rule, [8, 3]).total > 0
    monkeypatch.setattr(octal, "MOST_MOVES", moves - 1)
    with pytest.raises(InputError, match=f"^a heap of 8 has too many different moves here: more than {moves - 1}$"):
        octal.new(rule, [8, 3])
