"""Games as text: written so that people can read them, read back as exactly the same games."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.agents.belief import Belief, Kind, packed
from nimtui.arena.play.batch import DRAWN, LOST, MOVES, WON, Played
from nimtui.arena.play.plan import Plan, plan
from nimtui.arena.transcripts import game_import, transcript
from nimtui.arena.transcripts.game_import import read_lines
from nimtui.arena.transcripts.transcript import Transcript, line, parse, parted, write
from nimtui.errors import InputError
from nimtui.games import Game, base, heaps, parse_game
from nimtui.progress import Progress
from nimtui.store.rows import GameId, TournamentInfo
from tests.examples import examples

GAMES = (
    "nim:1,3,5,7", "subtraction:21,3:misere", "adjacent:1,3,5,7:max=3:misere", "connect:12x4x3",
    "connect:3x3x3",  # often a draw
)  # fmt: skip
AGENTS = ("random", "perfect", "mc:playouts=40000", "table:my tables/best: of all.npz")
NUMBERS = st.integers(0, 9_999_999)
SOURCES = st.tuples(
    st.none() | st.builds(GameId, st.integers(1, 99), st.none() | NUMBERS).map(str),
    st.sampled_from(("", "the last evening: 1-0 (really)")),
    *(st.none() | st.integers(least, most) for least, most in ((1, 2**40), (0, 10**4), (0, 2**63 - 1), (0, 2**32))),
)
DAY = 1_780_252_200  # 2026-05-31 18:30:00 UTC

HAND_WRITTEN = """\
Game: nim:2,3
First: perfect
Second: random
Tournament: 3
Pairing: 2
Number: 7
Seed: 5
Date: 2026-05-31 18:30:00 UTC
Seconds: 0.25
Chances: 2 0
Mistakes: 0 0
Result: 0-1

(b1) 1. a1 b1 2. b1 a1 0-1
"""


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    """A game of random moves: to its end, or broken off by a fault or by nobody's."""
    name = draw(st.sampled_from(GAMES))
    game = parse_game(name)
    state, moves = game.new(), []
    most = draw(st.integers(0, 40))
    while len(moves) < most and (legal := base.legal_moves(state)):
        moves.append(draw(st.sampled_from(legal)))
        base.play(state, moves[-1])
    opener = draw(st.integers(0, 1))
    outcome = int(base.outcome(state))
    opening = draw(st.integers(0, max(0, len(moves) - (outcome != base.GOING_ON))))
    last = (opener + len(moves) - opening - 1) % 2  # the player who moved last
    fault = ""
    if outcome == base.GOING_ON:
        fault = draw(st.sampled_from(("", "random raised ValueError: no", "perfect played 7, which is not legal")))
        result = draw(st.sampled_from((LOST, WON))) if fault else DRAWN
    elif outcome == base.DRAW:
        result = DRAWN
    else:
        result = WON if (last == 0) == (outcome == base.WON) else LOST
    by_opener = ((len(moves) - opening + 1) // 2, (len(moves) - opening) // 2)
    own = by_opener[::-1] if opener else by_opener
    chances = tuple(draw(st.integers(0, made)) for made in own)
    mistakes = tuple(draw(st.integers(0, chance)) for chance in chances)
    counted: Any = own, chances, mistakes, fault, draw(st.floats(0, 1e6))
    row = Played(draw(NUMBERS), opener, opening, np.array(moves, MOVES).tobytes(), result, *counted)
    return Transcript(game.name, draw(st.sampled_from(AGENTS)), draw(st.sampled_from(AGENTS)), row, *draw(SOURCES))


@settings(deadline=None, max_examples=examples(25))
@given(st.lists(transcripts(), max_size=4))
def test_what_is_written_is_read_back_as_the_same_games(games: list[Transcript]) -> None:
    text = "".join(write(games))
    assert list(read_lines(text.splitlines())) == games
    assert list(read_lines(text.replace("\n", "\r\n").splitlines(keepends=True))) == games


def test_a_game_written_by_hand() -> None:
    """One match of B is taken for both, then perfect moves first, and random takes the last match."""
    [game] = list(read_lines(HAND_WRITTEN.splitlines()))
    assert (game.game, game.first, game.second) == ("nim:2,3", "perfect", "random")
    assert (game.tournament, game.pairing, game.row.number, game.seed, game.ended) == (3, 1, 6, 5, DAY)
    assert (game.row.opener, game.row.opening, game.row.result) == (0, 1, LOST)
    assert (game.row.own, game.row.chances, game.row.mistakes) == ((2, 2), (2, 0), (0, 0))
    nim = parse_game("nim:2,3")
    state, names = nim.new(), []
    for move in game.row.codes():
        names.append(nim.move_name(move))
        base.play(state, move)
    assert names == ["b1", "a1", "b1", "b1", "a1"] and base.outcome(state) == base.WON
    assert "".join(write([game])) == HAND_WRITTEN


SETTINGS: dict[str, Any] = plan(["nim:2,3"], ["random", "perfect"], number=2).document()
KEYS: dict[str, Any] = {"kind": "tournament", "name": " a  b ", "made": 7.5, "seconds": 0.0, "total": 2}


def test_the_plan_of_a_tournament_is_a_line_that_is_read_back() -> None:
    info = TournamentInfo(1, "tournament", "a b", SETTINGS, "done", 7.5, 8.0, 0.0, 2, 2, False)
    assert line(info._replace(sound=False)) is line(info._replace(document={"games": []})) is None
    for name, read in (("a b", "a b"), (" ", ""), ("é\u202e", "é\u202e")):
        text = line(info._replace(name=name)) or ""
        keys, found = parse(text)
        assert text.isascii() and found == Plan.from_document(SETTINGS)
        assert (keys["name"], keys["kind"], keys["made"], keys["seconds"], keys["total"]) == (
            read, "tournament", 7.5, 0.0, 2,
        )  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [{"kind": "war"}, {"total": 3}, {"total": -1}, {"total": 1.0}, {"name": 7}, {"made": 1e300}, {"made": "x"},
     {"seconds": -0.1}, {"seconds": "inf"}, {"settings": {**SETTINGS, "number": "2"}}, {"settings": []},
     {"settings": {**SETTINGS, "seed": 0.5}}, {"settings": {**SETTINGS, "agents": ["random", 1]}}],
)  # fmt: skip
def test_a_plan_with_a_wrong_value_is_refused_in_a_line(change: dict[str, Any]) -> None:
    assert parse(json.dumps({**KEYS, "settings": SETTINGS}))[0]["name"] == "a b"
    with pytest.raises(InputError) as fault:
        parse(json.dumps({**KEYS, "settings": SETTINGS, **change}))
    assert "\n" not in str(fault.value)


def test_swapped_seats_name_the_one_who_moves_first_first() -> None:
    swapped = HAND_WRITTEN.replace("Second: random\n", "Second: random\nSeats: swapped\n")
    [game] = list(read_lines(swapped.splitlines()))
    assert (game.first, game.second, game.row.opener) == ("random", "perfect", 1)
    assert (game.row.result, game.row.chances) == (WON, (0, 2))
    assert "".join(write([game])) == swapped


def test_lines_are_filled_and_beliefs_stand_behind_their_moves() -> None:
    beliefs = packed([None, None, Belief(Kind.ESTIMATE, 0.25, 500), None, Belief(Kind.EXACT, -1.0), *[None] * 25])
    codes = np.zeros(30, MOVES)  # one match of one row after the other
    row = Played(0, 0, 2, codes.tobytes(), DRAWN, (14, 14), (0, 0), (0, 0), "", 0.0, beliefs)
    text = "".join(write([Transcript("nim:40", "a", "b", row)]))
    lines = text.split("\n\n")[1].splitlines()
    words = " ".join(lines).split()
    assert words[:9] == ["(a1", "a1)", "1.", "a1", "{+0.25/500}", "a1", "2.", "a1", "{=-1}"] and words[-1] == "*"
    assert words.count("a1") + 2 == 30
    ends = [len(line) + 1 + len(following.split()[0]) for line, following in pairwise(lines)]
    assert len(lines) > 1 and max(map(len, lines)) <= 78 and all(end > 78 for end in ends)
    assert next(read_lines(text.splitlines())).row.beliefs == beliefs
    full = ["x" * 39, "y" * 38]  # fill a line to its last column
    assert transcript._filled([*full, "z"]) == f"{' '.join(full)}\nz"


def test_games_that_nobody_can_replay_are_written_by_their_codes_with_their_result() -> None:
    for result, opener, fault, word in (
        (WON, 0, "", "1-0"), (WON, 1, "", "0-1"), (LOST, 0, "", "0-1"), (LOST, 1, "", "1-0"), (DRAWN, 0, "", "1/2-1/2"),
    ):  # fmt: skip
        row = Played(4, opener, 1, np.array([7, 8], MOVES).tobytes(), result, (1, 0), (0, 0), (0, 0), fault, 0.0)
        seats = "Seats: swapped\n" if opener else ""
        assert "".join(write([Transcript("martian:3", "ann", "bob", row, name=" a  b ")])) == (
            f"Game: martian:3\nFirst: {'bob' if opener else 'ann'}\nSecond: {'ann' if opener else 'bob'}\n{seats}"
            f"Name: a b\nNumber: 5\nResult: {word}\n\n(#7) 1. #8 {word}\n"
        )
    row = Played(0, 0, 0, np.zeros(1, MOVES).tobytes(), DRAWN, (1, 0), (0, 0), (0, 0), "both broke", 0.0)
    text = "".join(write([Transcript("nim:2,3", "a", "b", row)] * 2))
    assert text.endswith("1. a1 1/2-1/2\n") and text.count("\n\nGame:") == 1, "a fault that no rule gives to a player"
    assert transcript._filled(["x" * 90, "y"]) == f"{'x' * 90}\ny"
    bare = "Game: nim:2,3\nFirst: a\nSecond: b\n\n1. a1 *"
    assert next(read_lines(bare.splitlines())).row.number == 0


def test_games_are_parted_into_single_ones_and_tournaments_with_all_that_their_plans_say() -> None:
    text = json.dumps({**KEYS, "settings": {**SETTINGS, "version": "v" * 50}})
    games = parse(text)[1]

    def game(number: int, **more: Any) -> Transcript:
        row = Played(number, games.opener(number), 0, b"", DRAWN, (0, 0), (0, 0), (0, 0), "", 0.0)
        of = Transcript("nim:2,3", "random", "perfect", row, tournament=3, pairing=0, ended=DAY)
        return replace(of, row=row._replace(**{key: more.pop(key) for key in {*more} & {"opener", "number"}}), **more)

    head, other = game(0, plan=text), game(5, tournament=4)
    read = next(read_lines("".join(write([head])).splitlines()))
    assert read.plan == text and parted([other]) == ([other], [])
    single, [whole] = parted([head, other, game(1)])
    names = {"tournament 4, pairing 1, game 6": other, "pairing 1, game 6": replace(other, tournament=None),
             "x": replace(other, name="x"), "": replace(other, tournament=None, pairing=None)}  # fmt: skip
    for name, one in names.items():
        assert game_import.imported_game(one) == ("nim:2,3", "random", "perfect", other.row, name, DAY)
    assert single == [other] and whole.games == [(0, head.row, DAY), (0, game(1).row, DAY)]
    assert (whole.kind, whole.name, whole.made, whole.seconds, whole.total) == ("tournament", "a b", 7.5, 0.0, 2)
    assert whole.document == {**games.document(), "version": "v" * 40}
    assert whole.pairings == [("nim:2,3", "random", "perfect")]
    unfit = "does not fit the plan of its tournament"
    for wrong, said in (
        ([head, game(0)], "tournament 3, pairing 1, game 1 is there twice"),
        ([head, game(2)], f"tournament 3, pairing 1, game 3 {unfit}"),
        ([head, game(1, opener=1 - games.opener(1))], f"tournament 3, pairing 1, game 2 {unfit}"),
        ([head, game(1, pairing=1)], f"tournament 3, pairing 2, game 2 {unfit}"),
        ([head, game(1, pairing=None)], f"tournament 3, game 2 {unfit}"),
        ([head, game(1, first="perfect", second="random")], f"tournament 3, pairing 1, game 2 {unfit}"),
        ([head, game(1, game="nim:2,4")], f"tournament 3, pairing 1, game 2 {unfit}"),
        ([head, game(1, plan=text)], "'Plan' must be given once for each tournament, with its number"),
        ([game(0, plan=text, tournament=None)], "'Plan' must be given once for each tournament, with its number"),
    ):
        with pytest.raises(InputError) as fault:
            parted(wrong)
        assert str(fault.value) == said


def test_an_import_says_how_far_it_is_and_what_it_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = list[tuple[float, float, str]]()

    class Listening(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            heard.append((done, total, what))

    found = game_import.read(HAND_WRITTEN.splitlines() * 2, Listening())
    assert found.games == len(found.single) == 2 and heard == [(1, 0, "reading"), (2, 0, "reading")]

    def keep_all(database: Any, new: list[Any], whole: list[Any], progress: Any) -> Any:
        progress(1)
        return [None, 70_000_000], [2, None]

    monkeypatch.setattr(game_import, "keep_all", keep_all)
    kinds: Any = [SimpleNamespace(kind=kind, games=range(10)) for kind in ("tournament", "match")]
    saved = game_import.save(None, found._replace(whole=kinds), Listening())  # type: ignore[arg-type]
    assert heard[2:] == [(1, 2, "saving")] and (saved.games, saved.already, saved.ids) == (11, 11, ["7"])
    assert saved.text == "11 games imported, tournament 2 with 10 of them, 11 were saved already"
    for games, already, text in (
        (1, 0, "1 game imported"), (0, 1, "0 games imported, 1 was saved already"),
        (1200, 1500, "1,200 games imported, 1,500 were saved already"),
    ):  # fmt: skip
        assert game_import.Imported(games, already, [], []).text == text


def test_moves_whose_names_mean_something_else_are_written_as_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("take it", "(1)", "3.", "1-0", "#9", "First:", "a7", "a2")
    monkeypatch.setattr(heaps, "move_name", lambda state, move: names[move])
    moves = np.arange(8, dtype=MOVES).tobytes()
    game = Transcript("nim:42", "a", "b", Played(0, 0, 1, moves, DRAWN, (4, 3), (0, 0), (0, 0), "", 0.0))
    text = "".join(write([game]))
    assert text.endswith("\n(#0) 1. #1 #2 2. #3 #4 3. #5 a7 4. #7 *\n")  # 6 of 42 are left
    assert list(read_lines(text.splitlines())) == [game]
    monkeypatch.setattr(Game, "parse_move", lambda game, text, state: names.index(text))  # a game reads them all
    assert "".join(write([game])).endswith("\n(#0) 1. #1 #2 2. #3 #4 3. #5 a7 4. a2 *\n")


WRONG = [
    ("1. a1 1-0", "line 1: expected 'Game: NAME'"), ("1: a1", "line 1: expected 'Game: NAME', not '1: a1'"),
    ("Gme: nim:2,3", "line 1: unknown key 'gme' (did you mean game?)"),
    ("Game: nym:2,3\nFirst: a\nSecond: b\n\n1. a1 1-0", "line 1: unknown game 'nym'"),
    ("Game: nim:2\nGame: nim:3", "line 2: 'Game' is given twice"),
    ("Game: nim:2\nFirst: a\n\n1. a2 1-0", "line 1: this game has no line 'Second'"),
    ("Game: nim:2\nFirst: a\nSecond: b", "line 3: the moves of the last game are missing"),
    ("{head}\n1. a1 a9 0-1", "line 5: row A has 1 match: 9 cannot be taken"),
    ("{head}\n1. a1\na1 2. b3", "line 6: the moves must end with the result"),
    ("{head}\n1. a1 2. a1 b3 1-0", "line 5: the move number 2. is out of place"),
    ("{head}\n(a1 b1 1-0", "line 5: the bracket of the opening is not closed"),
    ("{head}\n1. a1 a1 2. b3 0-1", "line 5: the result is 0-1 here, but 1-0 by the moves"),
    ("{head}\n1. a1 a1 1-0", "line 5: the result is 1-0 here, but the game is not over"),
    ("{head}Fault: b raised\n\n1. a1 1/2-1/2", "line 6: the result is 1/2-1/2 here, but after a fault it must"),
    ("{head}Fault: b raised\n\n1. a2 b3 0-1", "line 6: a fault ends a game early"),
    ("{head}Result: 1-0\n\n1. a2 b3 0-1", "line 4: the result is 1-0 here, but 0-1 after the moves"),
    ("{head}Result: won\n\n1. a2 b3 0-1", "line 4: Result must be 1-0 or 0-1"),
    ("{head}Date: yesterday\n\n1. a2 b3 0-1", "line 4: Date must be a date"),
    ("{head}Seconds: nan\n\n1. a2 b3 0-1", "line 4: Seconds must be a number of seconds"),
    ("{head}Chances: 1\n\n1. a2 b3 0-1", "line 4: Chances need two numbers"),
    ("{head}Chances: 2 0\n\n1. a2 b3 0-1", "line 4: Chances 2 0 exceed the moves, 1 1"),
    ("{head}Mistakes: 1 0\n\n1. a2 b3 0-1", "line 4: Mistakes 1 0 exceed the chances"),
    ("{head}Seats: left\n\n1. a2 b3 0-1", "line 4: Seats must be swapped"),
    ("{head}Number: 0\n\n1. a2 b3 0-1", "line 4: Number must be from 1"),
    ("{head}\n1. a2 {{+0.5}} {{+0.5}} b3 0-1", "line 5: '{+0.5}' is a second belief about one move"),
    ("{head}\n{{+0.5}} 1. a2 b3 0-1", "line 5: a belief must follow a move of a player"),
    ("{head}\n1. a2 b3 0-1 {{+0.5}}", "line 5: a belief must follow a move of a player"),
    ("{head}\n1. a2 {{2}} b3 0-1", "line 5: invalid belief"),
    ("{head}\n1. #5 b3 0-1", "line 5: the code of a move must be from 0 to 4, not 5"),
    ("{head}\n2. a2 b3 0-1", "line 5: the move number 2. is out of place"),
    ("{head}\n1. a1\na1 1-0", "line 6: the result is 1-0 here, but the game is not over after these moves"),
    ("{head}\npass", "line 5: the moves must end with the result, 1-0, 0-1, 1/2-1/2, *, not 'pass'"),
    ("{head}\n1. a2 b3 a1 0-1", "line 5: the game is over"),
    ("Game: connect:3x3x3\nFirst: a\nSecond: b\n\n1. 1 2 2. 1 2 3. 1 #2 1-0", "line 5: the move #2 is not legal here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_cannot_be_read_is_named_with_its_line(text: str, says: str) -> None:
    with pytest.raises(InputError) as fault:
        list(read_lines((text.format(head="Game: nim:2,3\nFirst: a\nSecond: b\n")).splitlines()))
    assert str(fault.value).startswith(says)
    assert "\n" not in str(fault.value)
