"""Plans: who may play how much, what joins later, what agents are called in short, and how long it takes."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise, product
from math import ceil
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import pytest

from nimtui.agents import levels
from nimtui.agents.random import Random
from nimtui.arena.play import steps
from nimtui.arena.play.entrants import initials, labels
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.pairings import Terms
from nimtui.arena.play.pieces import ASKED, JUDGED, PLY, SIMULATION, WHOLE, Shape, of_a_move, seconds, shape
from nimtui.arena.play.plan import (
    CLASS,
    FROM_THE_START,
    GAUNTLET,
    LOSES_GAME,
    MOST_GAMES,
    ONE_SIDED,
    ORDERED,
    ROUND_ROBIN,
    START,
    VOID,
    Openings,
    Plan,
    parse_openings,
    plan,
)
from nimtui.arena.play.steps import line_to
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from tests.agents.chance import uniform
from tests.arena.test_review import searched
from tests.examples import few

TWO = ("random", "perfect")
MATCHES = parse_game("subtraction:21,3:misere")
TREE = "tree:((3,5),(6,9,7))"
KINDS = "Kinds of pairing: round-robin, gauntlet, ordered"
ALTERNATING = "a sequential test needs alternating seats: round-robin or gauntlet, not ordered"
POOL = "a class of 2 agents has a pool of 1 to 1 of them, not"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"pairs": "round-robbin"}, f"unknown kind of pairing 'round-robbin' (did you mean round-robin?). {KINDS}"),
    ({"games": ()}, "a tournament needs a game, e.g. tower:16"),
    ({"agents": ("random",)}, "a round-robin tournament needs 2 to 100 agents, not 1"),
    ({"agents": [f"mc:playouts={n}" for n in range(101)]}, "a round-robin tournament needs 2 to 100 agents, not 101"),
    ({"agents": (), "pairs": ORDERED}, "a ordered tournament needs 1 to 100 agents, not 0"),
    ({"joined": 1}, "a round-robin tournament of 2 agents starts with 2 or more of them"),
    ({"joined": -1}, "a round-robin tournament of 2 agents starts with 2 or more of them"),
    ({"pairs": CLASS, "pool": 0}, f"{POOL} 0"), ({"pairs": CLASS, "pool": 2}, f"{POOL} 2"),
    ({"pairs": CLASS, "pool": 1, "league": -1}, f"{POOL} 1"),
    ({"number": 0}, "a pairing needs 1 to 10,000,000 games, not 0"),
    ({"number": 10_000_001}, "a pairing needs 1 to 10,000,000 games, not 10,000,001"),
    ({"number": 6_250_001, "pairs": ORDERED, "agents": ("random", "easy", "hard", "medium")},
     "too many games: 100,000,016 in all, at most 100,000,000. Play fewer per pairing"),
    ({"games": ("nim:1,3,5,7", "tower:16")}, "the game nim:1,3,5,7 is given twice"),
    ({"games": (TREE, "nim:2,1")}, f"{TREE} ends with a number and nim:2,1 does not: play them in two tournaments"),
    ({"agents": ("mc", "mc:playouts=1000")}, "the agent mc is entered twice: enter each agent once"),
    ({"agents": ("random", "cmd:/none/such")}, "no program '/none/such'"),
    ({"sprt": "", "pairs": ORDERED}, ALTERNATING), ({"sprt": "", "pairs": ONE_SIDED}, ALTERNATING),
    ({"sprt": "", "number": 19},
     "a sequential test needs 20 games per pairing or more (10 pairs), not 19: give many, it ends by itself"),
    ({"sprt": "", "games": (TREE,)}, f"a sequential test counts won and lost games, and {TREE} ends with a number"),
    ({"sprt": "", "fault": VOID}, "the rule void for faults and a sequential test exclude each other: leave one out"),
    ({"fault": "mtch"}, "unknown outcome of a fault 'mtch' (did you mean match?). Allowed: game, match, void"),
    ({"openings": "random:60"}, "nim:2,1 has no position that is not over after 60 moves, in 2,000 tries"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "says"), WRONG, ids=[says[:50] for _, says in WRONG])
def test_what_cannot_be_played_is_refused_in_a_line(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as fault:
        plan(**{"games": ("nim:2,1",), "agents": TWO, **settings})
    assert str(fault.value) == says


def test_a_plan_has_the_defaults_that_it_names_and_its_document_has_all_others() -> None:
    usual = Plan(("nim:2,1",), TWO, ROUND_ROBIN, 100, Openings(START, 0), 0, None, Limits(), 0, False, LOSES_GAME, 0, 0)
    assert plan(("nim:2,1",), TWO) == Plan(("nim:2,1",), TWO) == usual
    assert FROM_THE_START == Openings() == Openings(START)
    keys: dict[str, Any] = {"games": ["nim:2,1"], "agents": [*TWO], "pairs": "round-robin", "number": 100}
    keys |= {"openings": "start", "seed": 0}
    keys |= {"sprt": None, "move_time": None, "game_time": 0.0}
    assert usual.document() == keys and Plan.from_document(keys) == usual
    agents = ("random", "easy", "mc:playouts=5")
    rare = plan(("nim:3", "nim:2,1"), agents, GAUNTLET, 40, "random:1", 7, "", Limits(2, 60, 1, 500), False, 1, True)
    keys |= {"games": ["nim:3", "nim:2,1"], "agents": [*agents], "pairs": "gauntlet", "number": 40, "seed": 7}
    keys |= {"openings": "random:1", "sprt": "elo0=0,elo1=50,alpha=0.05,beta=0.05", "move_time": 2, "game_time": 60}
    keys |= {"increment": 1, "nodes": 500, "joined": 1, "thoughts": True}
    keys["recipes"] = levels.recipes(rare.games, rare.agents)
    assert rare.document() == keys and Plan.from_document(keys) == rare
    of_class = plan(("nim:2,1",), (*TWO, "mc:playouts=5"), CLASS, fault=VOID, pool=1, league=2)
    assert {"pool": 1, "league": 2, "fault": VOID}.items() <= of_class.document().items()
    assert Plan.from_document(of_class.document()) == of_class
    assert plan((TREE,), TWO).pays and not usual.pays


@pytest.mark.parametrize(
    ("pool", "students", "league"), [(1, 1, 0), (1, 3, 0), (2, 5, 2), (2, 5, 5), (3, 4, 1), (1, 6, 4), (1, 6, 3)]
)
def test_students_of_a_class_meet_its_pool_and_their_league(pool: int, students: int, league: int) -> None:
    made = Plan(("nim:2,1", "nim:3"), tuple(map(str, range(pool + students))), CLASS, pool=pool, league=league)
    leagues, some = ceil(students / league) if league else students, range(pool, pool + students)
    met = [(one, other) for one in some for other in range(pool)]
    met += [(one, other) for one in some for other in some if one < other and one % leagues == other % leagues]
    assert made.pairings == tuple((game, *two) for game in (0, 1) for two in met)
    assert [made.stream(at) for at in range(len(met))] == [min(other, pool) for _, other in met]


def test_who_starts_a_game_and_which_random_numbers_it_has() -> None:
    for pairs, turns in ((ROUND_ROBIN, 1), (GAUNTLET, 1), (CLASS, 1), (ORDERED, 0), (ONE_SIDED, 0)):
        made, terms = Plan(("nim:2,1", "nim:3"), TWO, pairs, pool=1), Terms(MATCHES, 5, 3, bool(turns))
        streams = [made.stream(at) for at in range(len(made.pairings))]
        assert made.alternate is bool(turns) and streams == ([0, 0] if pairs == CLASS else [*range(len(streams))])
        assert [made.opener(at) for at in range(4)] == [terms.opener(at) for at in range(4)] == [0, turns] * 2
        assert [terms.opening_number(at) for at in range(4)] == ([0, 0, 1, 1] if turns else [0, 1, 2, 3])
        first = 2 * (3 * 2**32 + 7)
        assert [stream.bits64() for stream in terms.streams(7)] == [Stream(5, first + at).bits64() for at in (0, 1)]
    assert Terms(MATCHES) == Terms(MATCHES, 0, 0, True, FROM_THE_START, Limits())


def test_what_is_at_its_limits_is_played() -> None:
    assert plan(("nim:2,1",), ("random",), ORDERED, 1).total == 1
    assert plan(("nim:2,1",), TWO, number=20, sprt="").total == 20
    assert plan(("nim:2,1",), ("random", "random"), number=20, saved=True).extended(2).total == 22
    assert plan(("nim:2,1",), TWO, number=2, sprt="", saved=True).total == 2, "its test never reaches a verdict"
    assert plan(("nim:2,1",), ("random", "mc:playouts=1000"), saved=True).agents == ("random", "mc")
    assert (
        plan(("nim:2,1",), [f"mc:playouts={n}" for n in range(1, 101)], GAUNTLET, MOST_GAMES // 10).total == 99 * 10**6
    )
    assert plan(("nim:2,1",), ("random", "easy", "hard", "medium"), ORDERED, 6_250_000).total == 10**8
    assert plan(("nim:2,1",), TWO, number=10_000_000).total == 10_000_000
    three = plan(("nim:2,1", "nim:3"), (*TWO, "mc"), number=2, joined=1)
    assert (three.total, len(three.pairings)) == (12, 6)
    found = [tuple(pairing) for pairing in three.pairings]
    assert found[:2] == [(0, 0, 1), (1, 0, 1)], "those who were there first keep their numbers"
    assert sorted(found) == [(game, *two) for game in (0, 1) for two in ((0, 1), (0, 2), (1, 2))]
    saved = three.document()
    assert Plan.from_document(saved) == three and Plan.from_document({**saved, "thoughts": 1}).thoughts is False


def test_agents_are_called_by_what_tells_them_apart() -> None:
    for agents, short, letters in (
        (TWO, TWO, ("R", "P")),
        (("mc:playouts=50", "mc"), ("mc 50", "mc 1k"), ("M", "M2")),
        (("mc:playouts=5000,policy=perfect-opponent", "mc:playouts=50", "mc:playouts=2000000"),
         ("mc 5k perfect-opponent", "mc 50", "mc 2M"), ("M", "M2", "M3")),
        (("mcts:simulations=500,proven=yes", "mcts:simulations=500"), ("mcts yes", "mcts"), ("M", "M2")),
        (("mcts:simulations=5", "mcts:simulations=5,c=2"), ("mcts c=1.0", "mcts c=2"), ("M", "C")),
        (("table:/a/b.npz", "table:/a/c.npz"), ("table b.npz", "table c.npz"), ("T", "C")),
        (("alphabeta:time=0.5", "alphabeta:depth=2"), ("alphabeta 0.5 depth=4", "alphabeta 2"), ("A", "A2")),
        (("alphabeta:depth=6", "minimax:depth=4"), ("alphabeta 6", "minimax 4"), ("A", "M")),
        (("a:x", "a:x"), ("a:x", "a:x"), ("A", "X")),
        (("mc:playouts=2000000000", "mc:playouts=1500", "mc:playouts=0"), ("mc 2G", "mc 1500", "mc 0"),
         ("M", "M2", "M3")),
        (("mcts:simulations=5,c=-2", "mcts:c=2", "mcts:simulations=1000000,c=0.5"),
         ("mcts 5 c=-2", "mcts 500 c=2", "mcts 1M c=0.5"), ("M", "C", "M2")),
        (("minimax:depth=2,value=/a/f.py", "minimax:depth=2,value=/a/g.py"), ("minimax f.py", "minimax g.py"),
         ("M", "G")),
        (("cmd:./x.py", "text:y.py"), ("x.py", "y.py"), ("X", "Y")),
        (tuple(ascii_lowercase), tuple(ascii_lowercase), tuple(ascii_uppercase)),
        (("east", "earl", "eat"), ("east", "earl", "eat"), ("E", "A", "T")),
        (("a", "a b", "ab", "1", "2"), None, ("A", "B", "A2", "A3", "A4")),
        (tuple(map(str, range(27))), None, tuple(map(str, range(1, 28)))),
    ):  # fmt: skip
        assert (short is None or labels(agents) == short) and initials(short or agents) == letters


def test_a_move_takes_what_its_agent_counts() -> None:
    assert 0 < PLY < SIMULATION < WHOLE < ASKED < JUDGED < 1
    stream, widths = Stream(0), list[int]()
    for _ in range(10):  # random games
        state = MATCHES.new()
        while moves := base.legal_moves(state):
            widths.append(len(moves))
            base.play(state, moves[stream.below(len(moves))])
    assert shape(MATCHES.name) == (len(widths) / 10, sum(widths) / len(widths))
    assert (shape("nim:1"), shape("nim:1,1")) == (Shape(1, 1), Shape(2, 1.5))
    found = [of_a_move(name, "nim:1,1") for name in (*TWO, "mc:playouts=50", "mcts:simulations=100", "mc:time=0.5")]
    assert found == pytest.approx([0, 0, 50 * 1.5 * 2 / 2 * PLY, 100 * (SIMULATION + 2 / 2 * PLY), 0.5])
    assert of_a_move("alphabeta:depth=4", "nim:1,1") is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Random, "memoryless", False)
        assert of_a_move.__wrapped__("random", "nim:1,1") is None, "it may compute"


def test_a_tournament_takes_the_moves_of_its_games_on_so_many_cores() -> None:
    whole = plan(("nim:1,1",), TWO, number=10)
    assert seconds(whole, 1) == pytest.approx(10 * WHOLE) and seconds(whole, 4) == pytest.approx(10 * WHOLE / 4)
    assert seconds(plan(("nim:1,1",), TWO, number=1), 4) == pytest.approx(WHOLE)
    thinking = plan(("nim:1,1",), TWO, number=10, thoughts=True)
    assert seconds(thinking, 1) == pytest.approx(10 * 2 * ASKED)
    timed = plan(("nim:1,1",), ("mc:time=0.5", "random"), number=10)
    assert seconds(timed, 2) == pytest.approx(10 * 2 * (ASKED + 0.25) / 2)
    judged = plan(("connect4",), ("random", "mc:time=1"), number=50)
    plies = shape("connect:7x6x4").plies
    assert seconds(judged, 1) == pytest.approx(50 * plies * (ASKED + 0.5) + 40 * JUDGED)
    assert seconds(plan(("nim:1,1",), ("random", "minimax:depth=3")), 1) is None


@pytest.mark.parametrize(
    ("pairs", "games", "founders", "late"),
    list(product((ROUND_ROBIN, GAUNTLET, ORDERED), (("tower:16",), ("tower:16", "nim:3,5")), (2, 3), (1, 2))),
)
def test_an_extended_plan_keeps_the_numbers_of_all_pairings(
    pairs: str, games: tuple[str, ...], founders: int, late: int
) -> None:
    agents = ("random", "easy", "hard", "perfect", "mc:playouts=5")
    first = plan(games, agents[:founders], pairs, 10)
    added = agents[founders : founders + late]
    extended = first.extended(5, added)
    assert extended.pairings[: len(first.pairings)] == first.pairings
    assert set(extended.pairings) == set(plan(games, (*first.agents, *added), pairs).pairings)
    assert extended.number == 15 and len(set(extended.pairings)) == len(extended.pairings)
    one_by_one = first.extended(2)
    for agent in added:
        one_by_one = one_by_one.extended(0, (agent,))
    assert one_by_one.extended(3) == extended  # the order of the extensions does not matter
    assert Plan.from_document(extended.document()) == extended
    assert plan(games, extended.agents, pairs, 15, joined=late) == extended


def test_where_the_order_of_pairings_allows_it_the_plan_is_that_of_a_new_tournament() -> None:
    for pairs in (ROUND_ROBIN, GAUNTLET):
        two = plan(("tower:16",), ("random", "easy"), pairs)
        assert two.extended(0, ("hard",)) == plan(("tower:16",), ("random", "easy", "hard"), pairs)
        assert "joined" not in two.extended(0, ("hard",)).document()
    four = plan(("tower:16",), ("random", "easy", "hard"), ROUND_ROBIN).extended(0, ("perfect",))
    assert four.joined == 1 and four.document()["joined"] == 1
    assert four.pairings != plan(("tower:16",), four.agents, ROUND_ROBIN).pairings


def test_a_wrong_number_of_joined_agents_is_one_line() -> None:
    keys = plan(("tower:16",), ("random", "easy", "hard"), ROUND_ROBIN).document()
    for joined in (-1, 2, 10**30, "1", None, 1.5):
        with pytest.raises(InputError):
            Plan.from_document({**keys, "joined": joined})
    with pytest.raises(InputError, match="entered twice"):
        plan(("tower:16",), ("random", "easy")).extended(0, ("easy",))


# Openings: the same for the same seed, half of the balanced ones won and half lost, and what cannot be is refused.


def after(game: Game, moves: Iterable[int]) -> State:
    """The position after these moves, all of which must be legal in a game that goes on."""
    state = game.new()
    for move in moves:
        assert base.outcome(state) == base.GOING_ON and base.legal(state, move)
        base.play(state, move)
    return state


@pytest.mark.parametrize("name", ["start", "random:1", "random:5", "balanced:2", "balanced:4"])
def test_openings_are_named_and_the_same_again(name: str) -> None:
    openings = parse_openings(name)
    assert openings.name == name and parse_openings(openings.name) == openings
    made = [openings.opening(MATCHES, 3, number) for number in range(50)]
    assert made == [openings.opening(MATCHES, 3, number) for number in range(50)]
    assert {len(opening) for opening in made} == {openings.plies}
    assert all(base.outcome(after(MATCHES, opening)) == base.GOING_ON for opening in made)
    if openings.plies > 1:
        assert made != [openings.opening(MATCHES, 4, number) for number in range(50)]


@pytest.mark.parametrize("game", ["subtraction:21,3:misere", "nim:1,3,5", "nim:2,3,3:misere", "kayles:7"])
def test_balanced_openings_are_won_and_lost_by_turns(game: str) -> None:
    board, openings = parse_game(game), parse_openings("balanced:2")
    found = [after(board, openings.opening(board, 1, number)) for number in range(few(8, 20))]
    worth = [searched(game)(state.board.tobytes())[0] > 0 for state in found]
    assert worth == [True, False] * (len(worth) // 2)


def test_random_openings_are_any_moves() -> None:
    for number in (0, 1, 9):  # by random numbers beyond those of the games
        assert parse_openings("random:1").opening(MATCHES, 3, number) == (Stream(3, (1 << 63) + number).below(3),)
    first = [parse_openings("random:1").opening(MATCHES, 0, number)[0] for number in range(900)]
    assert uniform([first.count(move) for move in range(3)])


def test_the_two_games_of_a_pair_share_an_opening_and_so_do_all_pairings() -> None:
    openings = parse_openings("random:3")
    terms = [Terms(MATCHES, 5, pairing, True, openings) for pairing in (0, 8)]
    opened = [[each.opening(number) for number in range(20)] for each in terms]
    assert opened[0] == opened[1]
    assert opened[0][::2] == opened[0][1::2]
    assert any(a != b for a, b in pairwise(opened[0][::2]))
    ordered = Terms(MATCHES, 5, 0, False, openings)
    assert [ordered.opening(number) for number in range(10)] == opened[0][::2]


def test_what_is_not_understood_and_what_a_game_cannot_have_is_said_in_a_line() -> None:
    for name, said in (
        ("balenced", "unknown kind of openings 'balenced' (did you mean balanced?)"
         " (one of: start, random:PLIES, balanced:PLIES)"),
        ("random:0", "the random moves must be from 1 to 60, not 0"),
        ("random:61", "the random moves must be from 1 to 60, not 61"),
        ("random:x", "the random moves must be a whole number from 1 to 60, not 'x'"),
        ("start:2", "the openings 'start' take no number (did you mean random:PLIES or balanced:PLIES?)"),
    ):  # fmt: skip
        with pytest.raises(InputError) as fault:
            parse_openings(name)
        assert str(fault.value) == said
    assert (parse_openings(" Balanced"), parse_openings("random:60")) == (
        Openings("balanced", 2),
        Openings("random", 60),
    )
    short = parse_game("nim:1,1")  # both moves of every game are forced, but for their order
    parse_openings("random:1").check(short)
    with pytest.raises(InputError, match=r"not over.* after 2 moves"):
        parse_openings("random:2").check(short)
    with pytest.raises(InputError, match=r"a (win|loss) for the player to move after 1 move,"):
        parse_openings("balanced:1").check(short)
    with pytest.raises(InputError, match="need a solved game; connect:8x6x4"):
        parse_openings("balanced:2").check(parse_game("connect4:8x6"))
    FROM_THE_START.check(parse_game("connect4"))


# Moves from the start: followed with the help of earlier games, and to a position.


@pytest.mark.parametrize("name", ["nim:3,5", "adjacent:1,3,5", "connect:4x4x3"])
@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_names_and_outcomes_are_those_of_a_replay(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST", most)
    game = parse_game(name)
    followed = steps.Steps(game)
    source = random.Random(5)
    for _ in range(20):
        state, moves, names = game.new(), list[int](), list[str]()
        while legal := base.legal_moves(state):
            moves.append(source.choice(legal))
            names.append(game.move_name(moves[-1], state))
            base.play(state, moves[-1])
        assert followed.names(moves) == names
        assert followed.outcome(moves) == base.outcome(state) != base.GOING_ON
        assert all(step.reads for step in (*followed.follow(moves), *steps.Steps(game, reading=True).follow(moves)))
        assert followed.outcome(moves[:-1]) == base.GOING_ON
        with pytest.raises(InputError, match=f"move {len(moves) + 1} of this game"):
            followed.names([*moves, moves[-1]])


@pytest.mark.parametrize(
    "name", ["tower:16", "subtraction:21,3", "kayles:9", "connect:5x4x3", "connect4", "nim:5,4:max=2"]
)
@pytest.mark.parametrize("seed", range(3))
def test_any_position_of_a_game_is_led_to(name: str, seed: int) -> None:
    game, stream = parse_game(name), Stream(seed, 1)
    state = game.new()
    for _ in range(2 + seed):
        move = stream.choose(base.legal_moves(state))
        base.play(state, move)
        if base.outcome(state) != base.GOING_ON:
            base.undo(state, move)
    found = line_to(game, state)
    assert found is not None
    assert after(game, found).board.tolist() == state.board.tolist()
    assert line_to(game, game.new()) == ()
    assert line_to(parse_game("nim:1,1"), parse_game("nim:2,1").new()) is None


@pytest.mark.parametrize(("limit", "least"), [("MOST_MOVES", 2), ("MOST_TRIES", 3)])  # the third move leads there
def test_a_way_is_searched_within_its_limits(limit: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("nim:1,1,1,1")
    target = after(game, base.legal_moves(game.new())[:3])
    for most in (least, least - 1):
        monkeypatch.setattr(steps, limit, most)
        assert (line_to(game, target) is None) is (most < least)


def test_a_way_of_401_moves_is_found_and_no_longer_one() -> None:
    game = parse_game("nim:255,200:max=1")
    for moves, within in ((401, True), (402, False)):
        assert (line_to(game, after(game, [0] * 255 + [1] * (moves - 255))) is not None) is within
