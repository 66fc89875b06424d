"""A configured game: what it answers for a file that says little, or says it wrong; a record; places and lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from nimtui.games import Game, Record, base, parse_game, registry
from nimtui.games.base import State
from nimtui.games.game import are_verbs, is_board
from nimtui.games.offer import Offer, of_boards, of_rows
from nimtui.games.registry import Preset
from nimtui.games.rule_text import Place, both, doing, verbed
from tests.games import crosses, domineering, takeaway, wythoff
from tests.games.refusal import refusal
from tests.games.test_rules import check_casual
from tests.ui.drawn import as_written

FILE = f"the game file {takeaway.__file__}: "


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A person's own game, to which a test gives more words."""
    monkeypatch.setattr(registry, "_added", [takeaway])
    forget_rules()
    yield takeaway
    forget_rules()


def forget_rules() -> None:
    for cached in (base.rule, base._checked):
        cached.cache_clear()


def game_with(patch: pytest.MonkeyPatch, **words: Any) -> Game:
    for word, value in words.items():
        patch.setattr(takeaway, word, value, raising=False)
    forget_rules()
    return parse_game("takeaway:9")


# A record.


def test_a_record_undoes_and_redoes_and_drops_what_was_taken_back_when_another_move_is_played() -> None:
    game = parse_game("nim:1,3,5,7")
    record = Record(game, moves=[game.parse_move(text, game.start) for text in ("a1", "d7", "c5")])
    assert (record.transcript(), record.ply, record.turn, record.over, record.winner) == ("a1 d7 c5", 3, 1, False, None)
    record.goto(1)
    assert (game.position_name(record.state), record.ply) == ("0,3,5,7", 1)
    assert [record.redo(), record.undo(), record.redo(), record.redo()] == [15, 15, 15, 8]
    assert record.transcript() == "a1 d7 c5" and record.undone == []
    for fault in (record.redo, lambda: record.goto(4)):
        with pytest.raises(IndexError):
            fault()
    record.undo()
    record.push(game.parse_move("b1", record.state))
    assert record.undone == []
    for text in ("c5", "b2"):
        record.push(game.parse_move(text, record.state))
    assert (record.over, record.winner, record.outcome) == (True, 0, base.WON)
    assert refusal(record.push, 0) == "nim:1,3,5,7 does not allow the move with code 0 here"
    assert [game.move_name(move) for move in (0, 15)] == ["a1", "d7"]
    assert game.position_name(record.state_at(2)) == "0,3,5,0" and record.state_at(0).board.tolist()[:4] == [1, 3, 5, 7]
    assert Record(game, "0,0,0,2").transcript() == ""
    four = Record(parse_game("connect4"), "1212121")
    assert four.over and "code 6 here" in refusal(four.push, 6), "a column is free, but the game is over"
    for move in (-1, 0, game.size):
        assert refusal(Record(game, "0,0,0,2").push, move).endswith(f"the move with code {move} here")


def test_the_winner_is_a_seat_or_nobody() -> None:
    ends = {"nim:1": 0, "nim:1,1": 1, "nim:1:misere": 1, "connect:1x3x3": None}
    winners = {}
    for name in ends:
        record = Record(parse_game(name))
        while not record.over:
            record.push(base.nth(record.state, 0))
        winners[name] = record.winner
    assert winners == ends


# What a file may leave out, and what it may say wrong.


def test_a_file_of_five_rules_has_a_plain_game(own: ModuleType) -> None:
    game = parse_game("takeaway:9")
    state = game.new()
    assert (game.name, game.title, game.rules, game.verbs, game.impartial) == ("takeaway:9",) * 2 + ("", None, True)
    assert (game.board_kind, game.cells(state), game.touched(state, 0), game.square(state, 0)) == (
        "list",
        None,
        [],
        None,
    )
    assert (game.move_name(1, state), game.position_name(state), game.size) == ("1", "9", 2)
    assert [game.parse_move(text, state) for text in ("0", " 1 ")] == [0, 1]
    for text in ("2", "-1", "x", "¹", "1" * 10):
        assert refusal(game.parse_move, text, state) == f"illegal move '{text}'. Legal moves: 0, 1"
    assert game.parse_position("9").tolist() == [9] and game.parse_position("9") is not game.start.board
    assert refusal(game.parse_position, "8") == "positions of takeaway:9 have no names: only its start is allowed"
    assert both(game) == "takeaway:9. You move in turn. Its file does not tell its rules."
    late = game.beginning(None)
    assert late == game and late.first.board is not game.start.board and late.first.board.tolist() == [9]
    assert game.first is game.start and game.line_names([0, 1], state) == ["0", "1"] and state.board.tolist() == [9]


def test_words_that_a_file_leaves_out_are_made_of_the_five() -> None:
    state = crosses.parse("crosses", [])
    for move, moves in ((4, list(range(9))), (0, [0, 1, 2, 3, 5, 6, 7, 8]), (8, [1, 2, 3, 5, 6, 7, 8])):
        assert [base.following(state, at) for at in (-1, 3, 8)] == [moves[0], 4 if 4 in moves else 5, -1]
        assert base.count(state) == len(moves) and [base.nth(state, at) for at in range(len(moves))] == moves
        check_casual(state, moves)
        base.play(state, move)
    assert [base.positions(state), base.index(state), base.key(state), base.evaluate(state)] == [0, -1, -1, 0]
    assert base.row(state, 5) == 0 and base.key(takeaway.parse("takeaway", ["9"])) == 9
    copied = base.copy(state)
    base.restore(copied, np.arange(10))
    assert copied.board.tolist() == list(range(10)) and state.board[9] == 3


def test_what_a_file_draws_decides_the_cells_of_a_move(own: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def row(state: State) -> list[list[int]]:
        return [[0], [1] * int(state.board[0]) + [0] * (9 - int(state.board[0]))]

    game = game_with(monkeypatch, cells=row, BOARD="grid", VERBS=("push", "pushed"), RULES="Who  takes\n9 wins. Take.")
    assert game.board_kind == "grid" and game.touched(game.start, 1) == [(1, 7), (1, 8)]
    assert game.square(game.start, 1) == (1, 7), "the first cell that the move changes"
    assert game.rules == "Who takes 9 wins. Take." and doing(game, game.start, 1) == "push 1"
    assert [verbed(game, form) for form in ("take", "takes", "took")] == ["push", "pushes", "pushed"]
    assert both(game) == "Who takes 9 wins. Take. Type 1 to push 1."
    game = game_with(monkeypatch, cells=lambda state: [[0], [int(state.board[0])]], VERBS=("mow", "mowed"))
    assert game.square(game.start, 1) == (1, 0) and verbed(game, "takes") == "mows", "as many moves as cells"
    game = game_with(
        monkeypatch, cells=lambda state: [[0], [1, 2]], BOARD="pie", VERBS="push", square=lambda s, m: (4, m)
    )
    assert (game.board_kind, game.verbs, game.square(game.start, 1)) == ("list", None, (4, 1))
    assert game_with(monkeypatch, cells=None, BOARD="grid").impartial
    monkeypatch.delattr(takeaway, "cells")
    assert game.board_kind == "list" and not Game(crosses, crosses.parse("crosses", [])).impartial
    assert doing(game, game.start, 1) == "play 1"


@pytest.mark.parametrize(
    ("words", "ask", "line"),
    [
        ({"cells": lambda state: 7}, lambda game: game.cells(game.start), "cells gives no rows of cells"),
        ({"cells": lambda state: [7]}, lambda game: game.cells(game.start), "cells gives no rows of cells"),
        ({"touched": lambda state, move: 7}, lambda game: game.touched(game.start, 0), "touched gives no cells"),
        ({"touched": lambda state, move: [(1,)]}, lambda game: game.touched(game.start, 0), "touched gives no cells"),
        ({"square": lambda state, move: (1,)}, lambda game: game.square(game.start, 0), "square gives no cell"),
        ({"square": lambda state, move: 1 // 0}, lambda game: game.square(game.start, 0), "square raises ZeroDivision"),
        ({"title": lambda state: 1 // 0}, lambda game: game.title, "title raises ZeroDivisionError"),
        (
            {"parse_position": lambda state, text: np.zeros(2, np.int64)},
            lambda game: game.parse_position("x"),
            "parse_position gives no board of 1 numbers for 'x'",
        ),
        ({"parse_position": lambda state, text: [1]}, lambda game: game.new("x"), "parse_position gives no board of 1"),
        ({"legal": lambda state, move: 1 // 0}, lambda game: base.legal(game.start, 0), "legal raises ZeroDivision"),
        ({"legal": lambda state, move: "yes"}, lambda game: base.legal(game.start, 0), "legal gives yes, not a whole"),
        ({"outcome": lambda state: 3}, lambda game: base.outcome(game.start), "outcome gives 3, not 0, 1, -1 or 2"),
        ({"parse": lambda word, fields: 7}, lambda game: game, "parse gives no Takeaway for 'takeaway:9'"),
        ({"parse": lambda word, fields: takeaway.Takeaway([9])}, lambda game: game, "parse gives no Takeaway for"),
        ({"parse": lambda word, fields: next(iter(()))}, lambda game: game, "parse raises StopIteration"),
    ],
)
def test_a_wrong_answer_of_a_file_is_one_line(
    own: ModuleType, monkeypatch: pytest.MonkeyPatch, words: dict[str, Any], ask: Any, line: str
) -> None:
    assert refusal(lambda: ask(game_with(monkeypatch, **words))).startswith(FILE + line)


def test_what_is_a_board_and_what_are_verbs() -> None:
    boards = (np.zeros(2, np.int64), np.zeros(2), np.zeros((1, 2), np.int64), [0, 0])
    assert list(map(is_board, boards)) == [True, False, False, False]
    verbs = (("eat", "ate"), ["eat", "ate"], ("eat",), ("eat", "Ate"), None)
    assert list(map(are_verbs, verbs)) == [True, False, False, False, False]


# Games from outside the package, and lists of games.


def test_what_a_file_lacks_or_takes_from_another_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    where = f"the game {wythoff.__file__}"
    wrong = {
        "NAMES": ("Wythoff", ": NAMES must be lowercase words, for example ('euclid',)"),
        "FORMS": ((7,), ": FORMS must be names of games, for example ('euclid:3,5',)"),
        "IMPARTIAL": (1, ": IMPARTIAL must be True or False"),
        "OFFERS": (7, ": OFFERS must hold values of nimtui.games.offer.Offer, each with a size"),
        "Wythoff": (None, None),
    }
    for word, (value, line) in wrong.items():
        with monkeypatch.context() as patch:
            patch.setattr(wythoff, word, value, raising=False)
            lacks = f"{wythoff.__name__} must define one NamedTuple whose first field is 'board'"
            assert refusal(registry.add, wythoff) == (where + line if line else lacks)
    with monkeypatch.context() as patch:
        patch.setattr(wythoff, "NAMES", ())
        assert "NAMES must be" in refusal(registry.add, wythoff)
        patch.setattr(wythoff, "NAMES", ("nim", "chomp"))
        assert refusal(registry.add, wythoff) == f"{where}: the name 'chomp' is taken by nimtui.games.chomp"
    registry.add(wythoff)  # once more changes nothing
    assert registry.families()[-1] is wythoff and registry._added == [wythoff]
    assert registry.forms()[-1] == "wythoff:3,5" and registry.forms_of(takeaway) == ("takeaway",)


def test_each_wrong_file_of_a_folder_is_refused_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [wythoff])
    source = Path(wythoff.__file__).read_text()
    wrong = {
        "lame": ("NAMES = ('lame',)\ndef size(state): return 1\n", "lacks: legal, play, undo, outcome, parse, name"),
        "broken": ("import nothing_of_this_name\n", "nothing_of_this_name"),
        "twice": (source.replace('"wythoff"', '"twice"'), "class name Wythoff is taken"),
        "taken": (source.replace("Wythoff", "Other").replace('"wythoff"', '"nim"'), "name 'nim' is taken"),
    }
    for name, (text, _) in wrong.items():
        (tmp_path / f"{name}.py").write_text(text)
    faults = registry.add_folder(tmp_path)
    assert len(faults) == len(wrong)
    for name, (_, line) in wrong.items():
        [mine] = [fault for fault in faults if f"{name}.py" in fault]
        assert line in mine and "\n" not in mine
    assert "lame.py cannot be used: lacks: legal" in refusal(parse_game, "lame")


def test_what_a_game_offers_is_read_when_it_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", [])
    offer = Offer("wythoff", "Wythoff", "take", {"3 and 5": "wythoff:3,5"}, ("wythoff:1,2",), "wythoff:2,2", 0)
    for changes, line in (
        ({"sizes": {"3": "wythoff:3"}}, "OFFERS has wythoff:3, which parse refuses: "),
        ({"presets": ("wythoff:3",)}, "OFFERS has wythoff:3, which parse refuses: "),
        ({"usual": "wythoff:0,1"}, "OFFERS has wythoff:0,1, which parse refuses: a heap must be from 1 to 100, not 0"),
        ({"sizes": {}}, "OFFERS must hold values of"),
    ):
        monkeypatch.setattr(wythoff, "OFFERS", [offer._replace(**changes)], raising=False)
        assert line in refusal(registry.add, wythoff)
    monkeypatch.setattr(wythoff, "OFFERS", (offer,))
    registry.add(wythoff)
    labels = "Tower, Wythoff, Nim, Neighbours, Kayles, Subtraction (21 matches), Connect Four, Noughts and crosses, "
    labels += "Chomp, Octal games, Grundy's game, Red-blue Nim, Game tree"
    assert ", ".join(each.label for each in registry.offers()) == labels
    assert registry.presets()[4] == Preset("wythoff:1,2", "wythoff:1,2")


def test_the_games_of_short_lists_have_their_titles_without_the_goal() -> None:
    shown = {preset.game: preset.title for preset in registry.presets()}
    assert (shown["tower:16"], shown["tower:16:misere"]) == ("Tower of 16", "Tower of 16, misère")
    assert shown["subtraction:21,3:misere"] == "21 matches, take 1 to 3, misère"
    for offer in registry.offers():
        assert all(parse_game(game) for game in (*offer.sizes.values(), *offer.presets))
        assert {game.split(":")[0] for game in offer.sizes.values()} == {offer.word}
    sizes = [f"{name}: {size}" for each in registry.offers() for size, name in each.sizes.items()]
    as_written("games", "sizes", "\n".join(sizes))
    as_written("games", "short lists", "\n".join(f"{each.game}: {each.title}" for each in registry.presets()))
    assert of_rows("nim", "12", "3") == {"rows 1, 2": "nim:1,2", "rows 3": "nim:3"}
    assert of_boards("chomp", (4, 5)) == {"4 × 5": "chomp:4x5"}


@pytest.mark.parametrize(
    ("name", "typed", "title", "text", "line", "position"),
    [
        ("tower:16", None, "Tower of 16 · the last match wins  (nim:1,3,5,7)", "1,3,5,7", "1,3,5,7", "1,3,5,7"),
        ("connect:3x3x3", None, None, "the start", "the start", ""),
        ("connect:3x3x3", "1 2", None, "1 2  (= 12)", "1 2 (= 12)", "1 2"),
        ("connect:3x3x3", " ", None, "   (= the start)", "  (= the start)", " "),
        ("connect:3x3x3", "12", None, "12", "12", "12"),
        ("wythoff:3,5", None, "wythoff:3,5", "3,5", "3,5", "3,5"),
    ],
)
def test_a_place_is_told_as_it_was_typed_and_by_its_name(
    name: str, typed: str | None, title: str | None, text: str, line: str, position: str
) -> None:
    registry.add(wythoff)
    game = parse_game(name)
    place = Place(game, game.new(typed), typed)
    assert title in (place.title, None) and (place.text, place.line) == (text, f"position {line}")
    assert place.keys == {"game": game.name, "position": position, "canonical": place.canonical}
    assert place.named(0) == (f"column {place.move(0)}" if name.startswith("connect") else place.move(0))


def test_an_illegal_move_is_answered_with_twelve_examples_at_most() -> None:
    registry.add(domineering)
    for size, examples in (("3x4", ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]), ("4x5", None)):
        game = parse_game(f"domineering:{size}")
        names = examples or [f"{row}{column}" for row in "abc" for column in range(1, 5)]
        more = "" if examples else ", …"
        last = "d1" if examples else "e1"
        assert (
            refusal(game.parse_move, last, game.start)
            == f"illegal move '{last}'. Legal moves: {', '.join(names)}{more}"
        )
