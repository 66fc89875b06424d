"""Outcomes, best moves, Grundy values and plies to the end, in every family, against trying every move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from types import ModuleType

import numpy as np
import pytest

import nimtui
from nimtui import theory
from nimtui.engine import graph, limits
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.solver import NUMBERS, Solver, score_many
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.games.octal import read_code
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome, Unsolvable, adjacent, exact, is_instant, nim, octal, plain, solve, why_unsolvable
from nimtui.theory.answers import Until, answer, known_answer, known_moves, move_values, timely_moves, values_of
from nimtui.theory.exact import Recent
from nimtui.theory.explanation import Kind, sentences
from nimtui.theory.truth import truth
from tests.engine import astray, crowded
from tests.examples import few, with_slow
from tests.games import crosses, wythoff
from tests.stops import Noted, StopAfter
from tests.theory.force import Force
from tests.theory.oracles import Columns


def own(module: ModuleType, *fields: str) -> Game:
    """A person's own game, which is not added."""
    return Game(module, module.parse(module.NAMES[0], list(fields)))


HEAPS = ["nim:1,3,5", "nim:2,1,2,1", "nim:7,8", "nim:13:max=5", "nim:5,4,3:max=2", "nim:3,3,3:max=1", "nim:9,5:max=3"]
RUNS = ["adjacent:8", "adjacent:1,3,4", "adjacent:2,2,2", "kayles:1,5", "kayles:9", "adjacent:6,1:max=3"]
RUNS += ["adjacent:3,4:max=1"]
SPLITS = ["octal:0.77:8", "octal:0.137:5,4", "octal:0.123:9,3", "octal:4.3:6", "octal:0.26:11", "grundy:11"]
SPLITS += ["nim:12:take=1,3,4", "nim:9,4:take=2,5"]
BOARDS = ["connect:3x2x2", "connect:3x3x3", "connect:1x3x3", "connect:5x2x3", "noughts:3x2x2", "chomp:4x3", "chomp:2x5"]
BOARDS += ["connect4:4x3", "chomp:5x5"]
OWN = {"wythoff": own(wythoff, "4,6"), "crowded": own(crowded, "2,3", "heaps")}
LARGER = ("kayles:9", "kayles:9:misere", "adjacent:8:misere", "adjacent:1,3,4", "connect4:4x3")  # others are like them
GAMES = [*(f"{name}{play}" for name in HEAPS + RUNS + SPLITS for play in ("", ":misere")), *BOARDS, *OWN]


def positions(force: Force) -> Iterator[State]:
    """All positions, or some of the many."""
    states = list(force.every())
    yield from states[:: 1 + len(states) // few(80, 250)]
    yield from [state for state in states if base.outcome(state) != base.GOING_ON][:3]
    if force.game.module is crowded:  # and those that cannot come up from the start
        yield from (force.game.at(np.array(heaps, np.int64)) for heaps in ([2, 4], [0, 9], [1, 6]))


def check(force: Force, state: State) -> None:
    game, before = force.game, state.board.tolist()
    value, plies = force.value(state)
    verdict, found = solve(game, state), answer(game, state)
    assert verdict.outcome is found.outcome is Outcome.of(value)
    assert verdict.best_moves == tuple(force.best(state)), state.board
    nimbers = game.impartial and not force.misere and not game.name.startswith("chomp")
    assert verdict.grundy == (force.grundy(state) if nimbers else None)
    assert found.remoteness == (0 if base.outcome(state) else plies if value else None)
    if base.outcome(state) == base.GOING_ON:
        moves = {move.move: (move.outcome, move.remoteness, move.optimal) for move in move_values(game, state)}
        assert moves == {
            move: (Outcome.of(sign), left if sign else None, sign == value)
            for move, (sign, left) in force.worth(state).items()
        }
        best = [move for move in force.best(state) if not value or force.worth(state)[move][1] == plies]
        assert list(timely_moves(game, state, won=True, lost=True)) == best
        for won, lost in ((False, False), (value < 0, value > 0)):
            assert list(timely_moves(game, state, won, lost)) == force.best(state)
        assert {move: truth.outcome for move, truth in (known_moves(game, state) or {}).items()} == {
            move: outcome for move, (outcome, _, _) in moves.items()
        }
    assert why_unsolvable(game, state) is None and state.board.tolist() == before


@pytest.mark.parametrize("name", with_slow(GAMES, *LARGER))
def test_every_answer_about_every_position_is_that_of_brute_force(name: str) -> None:
    force = Force(OWN.get(name, name))
    for state in positions(force):
        check(force, state)


@pytest.mark.parametrize("heaps", ["1,2", "2,2", "3,5"])
def test_a_small_game_without_numbers_is_searched(heaps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "positions", lambda state: 0)
    monkeypatch.setattr(exact, "_recent_in_python", Recent())
    force = Force(own(wythoff, heaps))
    for state in force.every():
        check(force, state)
    last = exact._recent_in_python.get(force.game.name)
    solve(force.game, force.game.at(np.array([1, 0], np.int64)))
    assert exact._recent_in_python.get(force.game.name) is last, "it is a position of a game that was solved"
    other = own(crosses)
    solve(other, other.new("121212000"))
    assert is_instant(force.game, force.game.new()), "the last games stay"


@pytest.mark.parametrize("cells", ["121212000", "121122000", "121100212"])
def test_the_end_of_a_game_with_draws_without_numbers_is_searched(cells: str) -> None:
    force = Force(own(crosses))
    check(force, force.game.new(cells))


def test_recent_results_are_kept_as_far_as_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_BYTES", 10)
    recent = Recent[str]()
    steps = ("a", 4, "a"), ("b", 6, "ab"), ("b", 3, "ab"), ("c", 4, "ac"), ("d", 2, "cad"), ("e", 11, "e")
    for name, size, kept in steps:
        recent.put(name, name, size)
        assert [*recent._results] == [*kept] and recent.get(kept[0]) == kept[0], "what is asked for stays longer"
    assert recent.get("a") is None


def test_a_whole_game_with_draws_without_numbers_is_searched() -> None:
    force = Force(own(crosses))
    for state in list(force.positions(8))[::6]:
        check(force, state)
    assert solve(force.game, force.game.new("100000000")).best_moves == (4,), "against a corner only the middle holds"


def test_a_search_of_a_game_without_numbers_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.theory.exact._recent_in_python", Recent())  # of other tests
    game, counts = own(crosses), list[tuple[float, float, str]]()

    class Counting(StopAfter):
        def report(self, done: float, total: float, what: str = "") -> None:
            counts.append((done, total, what))

    solve(game, game.new("121201002"), Counting(9))
    assert counts == [(0, 4, "positions")], "at the first position, and only then: three moves follow"


# Source: the literature on Chomp, and theory.json.
def test_known_values() -> None:
    moves = {"chomp:4x5": "c3", "chomp:5x4": "c3", "chomp:5x5": "b2", "chomp:6x2": "b6", "chomp:2x1": "a2"}
    moves |= dict.fromkeys(("nim:3,5,4,2,6", "nim:3,5,4,2,6:misere"), "b2 c2 e6")
    for name, best in moves.items():
        game = parse_game(name)
        assert " ".join(map(game.move_name, solve(game, game.new()).best_moves)) == best
    for name, outcome in {"noughts:3x3x3": "draw", "noughts:3x3x2": "win", "noughts:4x3x3": "win"}.items():
        game = parse_game(name)
        assert solve(game, game.new()).outcome.value == outcome
    # sources: W. A. Wythoff 1907: the pairs (⌊nφ⌋, ⌊nφ²⌋) are lost; OEIS A004481, the second row of his game's values
    game, golden = own(wythoff, "8,13"), (1 + 5**0.5) / 2
    boards = list(product(range(9), range(14)))
    grundy = {board: solve(game, game.at(np.array(board, np.int64))).grundy for board in boards}
    pairs = {(int(n * golden), int(n * golden**2)) for n in range(6)}
    assert {board for board in boards if grundy[board] == 0} == {
        board for board in boards if tuple(sorted(board)) in pairs
    }
    assert [grundy[1, second] for second in range(11)] == [1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11]


@pytest.mark.slow
def test_late_positions_of_a_game_that_is_too_large_from_its_start_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    force = Force("noughts:4x4x4")
    game = force.game
    for position in ("xoxo/oxox/xo../....", "xxoo/oxx./.o.x/o...", "xo../ox../..xo/..x.", "oxox/xxo./..../oxo."):
        state = game.new(position)
        verdict = solve(game, state)
        assert (verdict.outcome, verdict.best_moves) == (Outcome.of(force.value(state)[0]), tuple(force.best(state)))
    with pytest.raises(Unsolvable, match="43,046,721 positions"):
        solve(game, game.start)
    state = game.new("xoxo/oxo./x.../....")
    monkeypatch.setattr(graph, "room_from", lambda state, most: 1000)
    for _ in range(2):  # the second time without counting
        with pytest.raises(Unsolvable, match="more than 1,000 positions follow"):
            solve(game, state)


def test_misere_heaps_without_a_quotient_are_solved_position_by_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(octal, "MOST_MISERE", 0)
    for name in ("_recent", "_recent_in_python"):
        monkeypatch.setattr(exact, name, Recent())
    force, large = Force("octal:0.77:3,2:misere"), parse_game("octal:0.77:99,99:misere")
    assert not is_instant(force.game, force.game.start) and why_unsolvable(large, large.start) is not None
    for state in force.every():
        check(force, state)
    assert is_instant(force.game, force.game.start) and theory.explain(force.game, force.game.start).kind is Kind.EXACT
    monkeypatch.setattr(limits, "why_no_graph", lambda state: "it is large")
    small = Force("noughts:3x2x2")
    assert why_unsolvable(small.game, small.game.start) == "this game cannot be solved exactly: it is large"
    for state in [*positions(small)][1:]:  # each is solved from those that follow
        check(small, state)


def test_many_values_are_told_as_they_come_and_a_wrong_position_by_its_place() -> None:
    told, heard = list[tuple[float, float, str]](), Progress()
    heard.report = lambda *report: told.append(report)
    game = parse_game("nim:3,4,5")
    values_of(game, ["3,4,5", "1,4,5"], heard)
    Until(heard, 60).report(3, 4, "more")
    assert told == [(1, 2, "positions"), (2, 2, "positions"), (3, 4, "more")]
    lists = (["12\u00a0", "11", "22", "33"], ["12", "11", "22", "33"])
    assert len({str(values_of(parse_game("connect:4x4x3"), names)) for names in lists}) == 1, "each is read alone"
    for name, positions in (("nim:3,4,5", ["3,4,5", "9"]), ("connect:10x4x4", ["1", "11"])):
        with pytest.raises(InputError, match=r"^position 2: "):
            values_of(parse_game(name), positions)


def test_what_cannot_be_solved_is_refused_in_one_line_and_unknown_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_recent_in_python", Recent())
    monkeypatch.setattr(exact, "MOST_POSITIONS", 1000)
    nine = parse_game("adjacent:" + ",".join(["9"] * 12) + ":max=3:misere")
    for game, text in (
        (own(astray, "3,circling"), "can repeat"),
        (own(crosses), "1,000 positions"),
        (parse_game("connect4:8x6"), "too large to solve exactly"),
        (parse_game("connect:20x2x4"), "too large to solve exactly"),
        (nine, "too many"),
    ):
        for ask in (solve, answer):
            with pytest.raises(Unsolvable) as fault:
                ask(game, game.new())
            assert text in str(fault.value) and "\n" not in str(fault.value)
        assert known_answer(game, game.new()) is None and known_moves(game, game.new()) is None
        assert not is_instant(game, game.new())
        if game.module.__name__.startswith("nimtui"):
            assert why_unsolvable(game, game.new()) == str(fault.value)
        else:
            assert why_unsolvable(game, game.new()) is None, "that takes the search to find out"
    late = nine.new("/".join(["000000000"] * 10 + ["111111111", "111110111"]))
    assert why_unsolvable(nine, late) is None
    monkeypatch.setattr(base, "positions", lambda state: 1 << 50)
    assert "GB" in (why_unsolvable(own(wythoff, "8,13"), own(wythoff, "8,13").new()) or "")


def test_a_game_that_pays_has_no_grundy_values(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("tree:((3,9),(2,7))")
    monkeypatch.setattr(game.module, "IMPARTIAL", True, raising=False)
    states = [game.new(), game.after(game.new(), 0)]
    states.append(game.after(states[1], 1))
    assert not game.impartial and [solve(game, state).grundy for state in states] == [None] * 3
    assert [solve(game, state).payoff for state in states] == [3, -3, 9]  # the least of each pair, then MIN takes the 9


def test_time_that_is_up_leaves_a_position_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_recent_in_python", Recent())
    game = own(crosses)
    assert known_answer(game, game.new(), seconds=1e-9) is None
    assert known_answer(game, game.new("121212000")) is not None


def test_whether_a_remoteness_is_known_does_not_depend_on_earlier_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    game, large = parse_game("nim:20,21,22"), parse_game("nim:60,61,62,63")
    assert theory.remoteness(game, game.new(), quick=True) is None
    assert theory.remoteness(game, game.new()) is not None
    assert theory.remoteness(game, game.new(), quick=True) is None
    solved = answer(game, game.new())
    both = [plain.explained(game, game.new(), solution=each).plies for each in (None, solved)]
    assert both == [None, theory.remoteness(game, game.new())], "a sentence waits for no plies"
    found = answer(large, large.new(), quick=True)
    assert (found.outcome, found.remoteness) == (Outcome.LOSS, None)
    monkeypatch.setattr(nim, "MOST_COST", 100)
    assert answer(large, large.new()).remoteness is None
    monkeypatch.setattr(nim, "CHUNK", 2)
    monkeypatch.setattr(nim, "_distances", lambda rules: {})  # nothing is known from other tests
    rules, lost, heard = nim.Rules(7, False, False), partial(nim.lost, misere=False), Noted()
    assert nim.remoteness((1, 2), rules, lost, progress=heard) == 3
    most = nim.cost((1, 2), rules)
    assert [nim.remoteness((1, 2), rules, lost, limit) for limit in (most, most - 1)] == [3, None]
    assert heard.lines == [(2, 0, "positions"), (4, 0, "positions")], "the best line has 1,2 and 1,1 and 1 and none"
    monkeypatch.setattr(nim, "QUICK_COST", 0)
    few = parse_game("nim:1,3")
    assert [value.remoteness for value in move_values(few, few.new())] == [2, 4, 3, 2]
    monkeypatch.setattr("nimtui.theory.answers.move_values", None)
    assert timely_moves(few, few.new(), True, True) == solve(few, few.new()).best_moves, "one needs no time"


def many(parts: tuple[int, ...], room: int) -> int:
    """How many multisets of these parts sum up to at most so much."""
    if not parts:
        return 1
    return sum(many(parts[1:], room - used) for used in range(0, room + 1, parts[0]))


def test_the_cost_of_a_position_bounds_its_moves_or_counts_them_before_they_are_visited() -> None:
    kayles, dawson, chess = (read_code(code) for code in ("0.77", "4.7", "0.137"))
    for rules in (
        *(nim.Rules(limit, False, split) for limit in (1, 2, 99) for split in (False, True)),
        *(nim.Rules(99, False, True, rule) for rule in (kayles, dawson, chess)),
    ):
        for position in ((1,), (9,), (1, 3, 5), (3, 4, 4)):
            queue, moves = [position], 0
            for at in queue:  # it grows as it goes
                after = list(nim.options(at, rules))
                moves += len(after)
                queue += set(after) - set(queue)
            assert moves <= nim.cost(position, rules)
            own = [min(size, rules.limit) * (size if rules.split else 1) for size in position]
            if rules.octal is not None:
                own = [len(list(rules.octal.options(size))) for size in position]
            if rules.split:  # a split takes at least so many matches
                apart = {None: 1, kayles: 1, dawson: 0, chess: 3}[rules.octal]
                parts = tuple(range(1 + apart, max(position) + 1 + apart))
                assert nim.cost(position, rules) == many(parts, sum(position) + apart * len(position)) * sum(own)
            else:
                assert nim.cost(position, rules) == len(queue) * sum(own)
    for lengths in ((2,), (1, 2, 2), (1, 4, 5)):
        parts = (3, *range(5, max(lengths) + 2))
        assert adjacent.how_many(lengths, 3) == 2 * many(parts, sum(lengths) + len(lengths))
    assert adjacent.how_many((), 3) == adjacent.how_many((1,), 1) == 2
    assert adjacent.simplified((5, 3, 1, 0, 2, 3), 3) == (1, 2, 2, 2, 5), "a 3 is a 2 and a 1"


def test_misere_neighbours_are_solved_as_far_as_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("adjacent:9,8:max=3:misere")
    number, told, heard = adjacent.how_many((8, 9), 3), list[tuple[float, float, str]](), Progress()
    said = "too many positions to solve exactly: over {:,} (misère with at most 3 taken at once has no simple rule)"
    large = parse_game(f"adjacent:{','.join(['63'] * 9)}:max=3:misere")
    assert why_unsolvable(large, large.start) == said.format(400_000)
    for most in (number, number - 1):
        monkeypatch.setattr(adjacent, "INSTANT_POSITIONS", most)
        monkeypatch.setattr(adjacent, "MOST_POSITIONS", most)
        assert is_instant(game, game.start) == (most == number)
        assert why_unsolvable(game, game.start) == (None if most == number else said.format(most))
    heard.report = lambda *report: told.append(report)
    monkeypatch.setattr(adjacent, "_table", cache(lambda limit: {(): False}))
    monkeypatch.setattr(adjacent, "CHUNK", 10)
    adjacent.lost((9, 8), 3, heard)
    assert [adjacent.lost((1,), 2) for _ in range(2)] == [True, True], "the second time it is known"
    known = [int(done) for done, _, _ in told]
    assert known == sorted(known) and 0 < known[0] < known[-1] <= len(adjacent._table(3))
    assert {report[1:] for report in told} == {(number, "positions")}


def test_once_solved_a_game_is_answered_at_once_and_explained_by_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    game = own(wythoff, "3,4")
    explanation = theory.explain(game, game.new())
    assert (explanation.kind, explanation.outcome, explanation.p_position) == (Kind.EXACT, Outcome.WIN, False)
    assert (explanation.best, explanation.terms) == (("9",), ("N-position", "Grundy value")), "leaves 1 and 2"
    value = Force(game).grundy(game.new())
    assert sentences(explanation) == [
        "N-position: player to move wins.",
        "Solved position by position.",
        f"Grundy value: {value}.",
        "Wins: 9.",
    ]
    assert is_instant(game, game.at(np.array([2, 2], np.int64)))
    known = exact._recent.get(game.name)
    assert known is not None and known.truth is truth(game), "an agent shares it"
    small = parse_game("noughts:3x2x2")
    assert exact._analysed(small, small.start, SILENT).truth is truth(small), "also from the start, node 0"
    large = parse_game("noughts:4x4x4")  # and few positions follow a late one
    states = (game.start, large.start, large.new("oxox/xxo./..../oxo."), own(crosses).start)
    assert [exact._in_python(state) for state in states] == [False, False, False, True]
    monkeypatch.setattr(exact, "_refused", {large.name: (states[2].board.tobytes(), "too many follow")})
    refused = [why_unsolvable(large, state) for state in (states[2], large.new("oxox/xxo./..../ox.o"))]
    assert refused == ["too many follow", None], "it is not counted again"


# The values of many positions at once are those of each alone, and of brute force.


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 2, 3), (2, 5, 3)])
def test_all_positions_of_a_small_board_agree_with_brute_force(size: tuple[int, int, int]) -> None:
    oracle, name = Columns(*size), "connect:" + "x".join(map(str, size))
    boards, positions = zip(*oracle.positions(), strict=True)
    values = values_of(parse_game(name), positions)
    assert values.score is not None and values.score.tolist() == [oracle.score(board) for board in boards]
    assert values.worth.tolist() == np.sign(values.score).tolist()


def random_positions(name: str, least: int, most: int, number: int) -> list[str]:
    """The moves of random games, the finished ones too."""
    chance, positions = random.Random(name), []
    for _ in range(number):
        state, line = parse_game(name).new(), []
        for _ in range(chance.randint(least, most)):
            if base.outcome(state) == base.GOING_ON:
                line.append(chance.choice(base.legal_moves(state)))
                base.play(state, line[-1])
        positions.append(("," if len(state.top) > 9 else "").join(str(move + 1) for move in line))
    return positions


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("connect4", [*random_positions("connect4", 26, 42, 40), "", "4", "4,4", " 4 4", "44444442"[:6]]),
        ("connect:10x4x4", random_positions("connect:10x4x4", 24, 40, 20)),
        ("nim:3,4,5", ["3,4,5", "1,4,5", "0,0,0", "2,0,2"]),
        ("nim:1,3:misere", ["1,3", "0,1", "1,1"]),
        ("noughts:3x3x3", [".../.../...", "xx./oo./...", "xxx/oo./..."]),
    ],
)
def test_each_array_has_what_solve_says_of_each_position(name: str, positions: list[str]) -> None:
    solutions = nimtui.solve_many(name, positions)
    assert len(solutions) == len(positions)
    for place, position in enumerate(positions):
        alone = nimtui.solve(name, position)
        assert solutions[place].to_dict() == alone.to_dict()
        assert solutions.outcome[place] == alone.outcome
        assert solutions.remoteness[place] == (-1 if alone.remoteness is None else alone.remoteness)
        assert solutions.grundy[place] == (-1 if alone.grundy is None else alone.grundy)
        if solutions.score is not None:
            assert solutions.score[place] == alone.to_dict()["score"]
    assert [one.outcome for one in solutions] == solutions.outcome.tolist()
    assert len(nimtui.solve_many(name, [])) == 0
    assert nimtui.solve_many(name, np.array(positions)).outcome.tolist() == solutions.outcome.tolist()


@pytest.mark.parametrize(
    ("positions", "fault"),
    [
        (["44", "1111111"], "position 2: invalid position '1111111', move 7: column 1 is full"),
        (["12121212"], "position 1: invalid position '12121212': the game was over after 7 moves"),
        (["é4"], "position 1: invalid position 'é4', move 1: a move (a column) must be a whole number from 1 to 7"),
        (["8"], "position 1: invalid position '8', move 1: a move (a column) must be from 1 to 7, not 8"),
        ("44", "positions must be a list, not '44'"),
        ([4], "each of positions must be a text, not int"),
    ],
)
def test_a_wrong_position_is_named(positions: list[str], fault: str) -> None:
    with pytest.raises(InputError) as refused:
        nimtui.solve_many("connect4", positions)
    assert str(refused.value).startswith(fault)


def test_a_position_that_is_too_large_is_named() -> None:
    late = "".join(random_positions("connect:9x5x4", 40, 40, 1))
    with pytest.raises(InputError, match="position 2: a 9 × 5 board with 45 empty cells is too large"):
        nimtui.solve_many("connect:9x5x4", [late, ""])


def test_scoring_pauses_anywhere_without_another_result() -> None:
    game = parse_game("connect4")
    states = [game.new(position) for position in random_positions("connect4", 20, 24, 12)]
    states = [state for state in states if base.outcome(state) == base.GOING_ON]
    assert isinstance(states[0], Connect)
    solver = Solver(states[0])
    mine, discs = (np.array([state.board[part] for state in states]) for part in (0, 1))
    whole = solver.score_many(mine, discs)
    solver.forget()
    scores, at = np.zeros(len(states), np.int64), np.zeros(NUMBERS, np.int64)
    stack, calls = solver._stack, 0
    done = False
    while not done:
        until = int(stack.at[kernel.NODES]) + 7
        done = score_many(solver.board, solver.table, solver.history, stack, mine, discs, scores, at, until)
        calls += 1
    assert calls > len(states) and scores.tolist() == whole.tolist() == [solver.score(state) for state in states]
