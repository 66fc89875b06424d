"""Pieces of a tournament: the same games however they are cut, agents that fail, players that remember."""

from __future__ import annotations

import subprocess
import sys
from array import array
from collections import OrderedDict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents import Decision, parse_agent, registry
from nimtui.agents.agent import AgentFault, AlwaysReady, Deterministic, LimitedMemoryless, Memoryless, moves_of
from nimtui.arena.play import pairings
from nimtui.arena.play import pieces as play
from nimtui.arena.play.batch import PAIRS, UNPLAYED, Batch, Played
from nimtui.arena.play.batch import batch as read_batch
from nimtui.arena.play.pairings import CachingPlayer, CompiledPairing, Player, PolicyPlayer, player, policy_of
from nimtui.arena.play.pieces import Piece
from nimtui.arena.play.plan import Plan, plan
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, Record, base, parse_game
from nimtui.games.base import State
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.store.rows import Columns
from nimtui.theory.truth import truth
from tests.stops import StopAt
from tests.theory.force import Force

MATCHES = "subtraction:21,3:misere"


class Unsayable(Exception):
    """Raises whatever it is asked."""

    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__

    def __index__(self) -> int:
        raise ZeroDivisionError


RAISED: dict[str, BaseException] = {
    "raiser": ZeroDivisionError("it\ndivided   by zero " + "x" * 1000),
    "painter": ValueError("\x1b[31mred\udcff"),
    **{"quitter": Cancelled(), "glutton": MemoryError(), "leaver": SystemExit("enough"), "riddler": Unsayable()},
}
PLAYED: dict[str, object] = {"cheat": 77, "mute": None, "half": 0.5, "many": np.array([0, 1])}
PLAYED |= {"boaster": 10**5000, "breaker": Unsayable()}


class Odd(AlwaysReady):
    """Plays the first move, and in one position fails in its own way."""

    def __init__(self, name: str) -> None:
        self.name = self.title = name

    def prepare(self, progress: Progress = SILENT) -> None:
        if self.name == "lazy":
            raise ValueError("not\ntoday")

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        move: object = moves_of(state)[0]
        stream.below(2)
        if self.name == "vandal":
            state.board[:] = 0  # its own copy
        if stream.below(4) == 0:
            if self.name in RAISED:
                raise RAISED[self.name]
            move = PLAYED.get(self.name, move)
        return Decision(move, ())  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Odd agents take part, and nothing of them stays."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    module = ModuleType("odd_agents")
    parts = {"NAMES": (*RAISED, *PLAYED, "vandal", "lazy"), "FORMS": (), "parse": lambda word, text, game: Odd(word)}
    module.__dict__.update(parts)
    monkeypatch.setattr(registry, "_added", [module])
    monkeypatch.setattr(play, "_boards", OrderedDict())
    yield


def timeless(batch: Batch) -> list[Played]:
    return [game._replace(seconds=0.0) for game in batch.rows()]


def test_a_batch_is_its_games_alone_joined_and_saved() -> None:
    games = [
        Played(0, 0, 1, b"\2\0\1\0", 1, (1, 2), (3, 4), (5, 6), "", 0.25),
        Played(3, 1, 0, b"", 0, (7, 8), (9, 10), (11, 12), "a fell", 0.5, b"thought"),
        Played(4, 0, 2, b"\0\1\0\0\3\0", -1, (13, 14), (15, 16), (17, 18), "b fell", 1.5),
        Played(9, 1, 0, b"\4\0", 1, (19, 20), (21, 22), (23, 24), "", 2.0, b"more"),
    ]
    batch = Batch.of(games)
    assert (
        batch.rows() == games == [batch.game(at) for at in range(len(batch))] and batch.rows(range(1, 3)) == games[1:3]
    )
    assert [game.winner for game in games] == [0, None, 1, 0] and games[2].codes() == [256, 0, 3]
    assert batch.first.tolist() == [2, -1, 256, 4] and batch.first.dtype == batch.moves.dtype == np.int16
    for cuts in ((0, 4), (0, 1, 1, 3, 4), (0, 2, 4)):
        joined = Batch.joined([Batch.of(games[a:b]) for a, b in pairwise(cuts)])
        assert joined.rows() == games and joined.ptr.tolist() == batch.ptr.tolist() == [0, 2, 2, 5, 6]
    assert Batch.joined([]).rows() == Batch.of([]).rows() == []
    two = [tuple(array("q", (getattr(game, name)[side] for game in games)) for side in (0, 1)) for name in PAIRS]
    columns = [
        array("q", (getattr(game, name) for game in games)) for name in ("number", "opener", "opening", "result")
    ]
    first = array("b", batch.first.tobytes())
    seconds, faults = array("d", (game.seconds for game in games)), {3: "a fell", 4: "b fell"}
    saved = read_batch(Columns(*columns, *two, first, seconds, faults))
    firsts = [game._replace(moves=game.moves[:2], beliefs=b"") for game in games]
    assert saved.rows() == firsts and saved.first.tolist() == batch.first.tolist()
    assert UNPLAYED == (0, 0, 0, b"", 0, (0, 0), (0, 0), (0, 0), "", 0.0, b"")


def test_the_games_follow_the_rules_and_end_as_said() -> None:
    asked = plan(["nim:1,3,5,7", "connect:3x3x3"], ["random", "easy", "mc:playouts=3"], "ordered", 6, "random:1")
    for number, pairing in enumerate(asked.pairings):
        for game in play.play(Piece(asked, number, 0, 6)).rows():
            record = Record(parse_game(asked.games[pairing.game]))
            for move in game.codes():
                record.push(move)  # raises for a move that is not legal
            assert record.over and (game.opener, game.opening) == (0, 1)
            assert sum(game.own) == record.ply - 1
            seat = record.winner
            assert game.winner == (None if seat is None else 1 - seat)  # the opening's move was the other seat's


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("raiser", "raiser raised ZeroDivisionError: it divided by zero xxx"),
        ("cheat", "cheat played 77, which is not legal"), ("mute", "mute played None, which is not a move"),
        ("half", "half played 0.5, which is not a move"), ("many", r"many played array([0, 1]), which is not a move"),
        ("leaver", "leaver raised SystemExit: enough"), ("painter", "painter raised ValueError: [31mred"),
        ("riddler", "riddler raised Unsayable: something of type Unsayable"),
        ("boaster", "boaster played something of type int, which is not legal"),
        ("breaker", "breaker played something of type Unsayable, which is not a move"),
    ],
)  # fmt: skip
def test_an_agent_that_fails_loses_that_game_alone(agent: str, said: str) -> None:
    asked = plan([MATCHES], [agent, "random"], number=40)
    games = play.play(Piece(asked, 0, 0, 40)).rows()
    faults = [game for game in games if game.fault]
    assert 0 < len(faults) < 40
    for game in games:
        record = Record(parse_game(MATCHES))
        for move in game.codes():
            record.push(move)
        assert record.over == (not game.fault)
        assert game.own[0] + game.own[1] == record.ply
    for game in faults:
        assert game.fault.startswith(said) and "\n" not in game.fault and len(game.fault) < 300
        assert game.winner == 1
        assert sum(game.own) % 2 == game.opener  # it was its turn


def test_a_fault_is_the_same_again_and_on_either_seat() -> None:
    asked = plan([MATCHES], ["random", "cheat"], number=40)
    games = timeless(play.play(Piece(asked, 0, 0, 40)))
    assert games == timeless(play.play(Piece(asked, 0, 0, 40)))
    assert {(game.opener, game.winner) for game in games if game.fault} == {(0, 0), (1, 0)}


def test_agents_play_on_a_copy_and_neither_a_stop_nor_a_failed_preparation_is_a_fault() -> None:
    for game in play.play(Piece(plan([MATCHES], ["vandal", "random"], number=10), 0, 0, 10)).rows():
        assert not game.fault and sum(move + 1 for move in game.codes()) == 21
    for agent, raised in (("quitter", Cancelled), ("glutton", MemoryError)):
        with pytest.raises(raised):
            play.play(Piece(plan([MATCHES], [agent, "random"], number=40), 0, 0, 40))
    with pytest.raises(InputError, match=r"^lazy raised ValueError: not today, before it played$"):
        play.prepare(plan([MATCHES], ["random", "lazy"], number=2))


def test_one_can_look_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairings, "BEAT", 0.0)  # however quick they are
    asked, seen = plan([MATCHES], ["mc:playouts=5", "random", "perfect"], number=4), []
    batch = play.play(Piece(asked, 1, 2, 4), watch=lambda *shown: seen.append((shown[0], shown[1], list(shown[2]))))
    wanted = [(1, game.number, game.codes()[:ply]) for game in batch.rows() for ply in range(len(game.codes()) + 1)]
    assert seen == wanted


@pytest.mark.parametrize("second", ["perfect", "mc:playouts=5"])
def test_progress_counts_the_games_of_the_piece(second: str) -> None:
    reports, asked = StopAt(101, "games"), plan([MATCHES], ["random", second], number=400)
    play.prepare(asked)
    play.play(Piece(asked, 0, 300, 400), reports)
    assert reports.seen[-1] == (100, 100)


def test_preparing_leaves_nothing_long_to_do(tmp_path: Path) -> None:
    asked = plan(["nim:1,2,3"], ["quality:games=2000", "random", "mc:playouts=5"], number=2)
    play.prepare(asked)
    assert len(list(tmp_path.rglob("*.npz"))) == 1  # the trained table, where other processes find it
    reports: set[str] = set()

    class Reports(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            reports.add(what)

    play.play(Piece(asked, 0, 0, 2), Reports())
    assert reports == {"games"}


def test_a_process_holds_the_games_it_used_last_and_works_each_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"nim:{rows}" for rows in ("1,2", "1,3", "1,4", "1,5", "1,6")]
    alone = [plan([name], ["random", "mc:playouts=1"], number=1) for name in names]
    for number in (0, 1, 2, 3, 1, 4):
        play.play(Piece(alone[number], 0, 0, 1))
    assert list(play._boards) == [names[number] for number in (2, 3, 1, 4)]
    made: list[str] = []

    class Counting(play.Board):
        def __init__(self, game: Game, progress: Progress = SILENT) -> None:
            made.append(game.name)
            super().__init__(game, progress)

    monkeypatch.setattr(play, "Board", Counting)
    play._boards.clear()
    games = [f"nim:2,{most}" for most in range(1, 3 + play.MOST_BOARDS)]
    asked = plan(games, ["random", "value"], number=4)
    for first in range(4):
        for pairing in range(len(games)):  # pieces of one tournament take turns: it keeps all its games
            play.play(Piece(asked, pairing, first, first + 1))
    assert sorted(made) == sorted(asked.games) == sorted(play._boards)


def test_which_pairings_run_whole_is_known_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    added = list[int]()
    monkeypatch.setattr(play, "add_own_files", lambda: added.append(len(added)))
    asked = plan([MATCHES, "nim:7,5,3"], ["random", "perfect", "mc", "hard"])
    names = [(asked.agents[pairing.first], asked.agents[pairing.second]) for pairing in asked.pairings]
    found = [play.compiled(asked, number) for number in range(len(names))]
    assert found == ["mc" not in pair for pair in names]
    large = plan(["connect4"], ["random", "mc"], "ordered")
    assert not any(play.compiled(large, number) for number in range(4))
    play.play(Piece(asked, 0, 0, 1))
    assert len(added) == len(names) + 4 + 1, "own files first"


def test_games_that_cannot_be_kept_or_played_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as small:
        assert pairings.MOST_CODES == 1 << 15, "of a signed number of two bytes"
        small.setattr(pairings, "MOST_CODES", 3)
        pairings.Terms(parse_game(MATCHES))
        small.setattr(pairings, "MOST_CODES", 2)
        with pytest.raises(InputError, match="misere has 3 moves: games with more than 2 cannot be stored"):
            play.play(Piece(plan([MATCHES], ["random", "perfect"]), 0, 0, 1))
    monkeypatch.setattr(pairings, "MOST_PLIES", 5)
    with pytest.raises(InputError, match=r"^no end after 10,000 moves: .+ may be endless$"):
        play.play(Piece(Plan((MATCHES,), ("mc:playouts=1", "mc:playouts=2")), 0, 0, 1))
    short = Piece(Plan(("nim:1,1,1,1,1,1",), ("mc:playouts=1", "mc:playouts=2")), 0, 0, 1)  # always 6 moves
    with pytest.raises(InputError, match="no end after"):
        play.play(short)
    monkeypatch.setattr(pairings, "MOST_PLIES", 6)
    assert play.play(short)


class Counting(AlwaysReady, Deterministic):
    """The last of all moves, and how often that was asked for."""

    name = title = "counting"
    asked = 0

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        self.asked += 1
        return Decision(base.legal_moves(state)[-1], ())


def test_who_always_plays_alike_is_asked_once_about_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    board, agent = parse_game("nim:3,4"), Counting()
    asked = player(agent)
    assert isinstance(asked, CachingPlayer)
    seen = [state for state in Force(board).positions(9) if base.outcome(state) == base.GOING_ON] * 2
    held: Any = SimpleNamespace(graph=None)
    ways = [type(player(agent, *given)) for given in ((held, held), (held, held, True), (None, held), (held, None))]
    assert ways == [PolicyPlayer, *[CachingPlayer] * 3], "its thoughts are asked of itself"
    moves = [asked.choose(base.copy(state), Stream(0), SILENT) for state in seen]
    assert moves == [base.legal_moves(state)[-1] for state in seen]
    assert agent.asked == len({state.board.tobytes() for state in seen}) == len(seen) / 2

    monkeypatch.setattr(pairings, "REMEMBERED", 0)  # then it remembers nothing
    forgetful, agent.asked = player(agent), 0
    assert [forgetful.choose(base.copy(state), Stream(0), SILENT) for state in seen] == moves
    assert agent.asked == len(seen)


@pytest.mark.parametrize("limited", [False, True])
def test_a_policy_is_that_of_an_agent_without_memory_if_it_has_one(limited: bool) -> None:
    asked, raised = list[Any](), list[AgentFault]()

    class Fixed(LimitedMemoryless if limited else Memoryless):  # type: ignore[misc]
        def policy(self, *given: Any) -> Any:
            asked.append(given)
            if raised:
                raise raised[0]
            return "policy"

        choose = None

    agent: Any = Fixed()
    known: Any = "truth"
    given = (known, SILENT) if limited else (known,)
    assert pairings.policy_of(agent, known) == "policy" and asked == [given]
    assert pairings.policies_of((agent, agent), known) == ("policy", "policy")  # type: ignore[arg-type]
    agent.memoryless = False
    assert pairings.policy_of(agent, known) is pairings.policy_of(Odd("mute"), known) is None and len(asked) == 3
    assert pairings.policies_of((Fixed(), agent), known) is pairings.policies_of((agent, Fixed()), known) is None
    both = [pairings.memoryless(two) for two in ((Fixed(), Fixed()), (Fixed(), agent), (Odd("mute"), Fixed()))]  # type: ignore[arg-type]
    assert both == [True, False, False]
    raised.append(AgentFault("odd"))
    assert pairings.policy_of(Fixed(), known) is None


@pytest.mark.slow
def test_games_are_the_same_however_they_are_cut() -> None:
    agents = ["random", "mc:playouts=5", "perfect", "mcts:simulations=20"]
    asked = plan([MATCHES, "connect:3x3x3"], agents, number=30, openings="random:2", seed=4)
    for pairing in range(len(asked.pairings)):
        whole = timeless(play.play(Piece(asked, pairing, 0, 30)))
        parts = [play.play(Piece(asked, pairing, first, last)) for first, last in ((20, 30), (0, 1), (1, 20))]
        assert sorted(game for part in parts for game in timeless(part)) == whole
        assert [game.number for game in whole] == list(range(30))
        assert [game.opener for game in whole] == [0, 1] * 15
        assert len({game.moves[:4] for game in whole}) > 2


@pytest.mark.slow
def test_it_is_known_without_the_engine(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from nimtui.arena.play.plan import plan\n"
        "from nimtui.arena.play.pieces import compiled\n"
        f"assert compiled(plan(['{MATCHES}'], ['random', 'medium']), 0)\n"
        "print([name for name in ('numba', 'textual', 'rich', 'sqlite3') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, text=True)
    assert run.stdout.strip() == "[]", run.stderr


AGENTS = (
    *("random", "perfect", "value", "easy", "quality:games=100", "q:games=100", "alphabeta:depth=3", "minimax:depth=2"),
    *("mc:playouts=30", "mc:playouts=30,policy=perfect-opponent", "mc:playouts=30,pick=row-then-count"),
    *("mcts:simulations=40", "mcts:simulations=40,proven=yes"),
)


def positions(game: Game, number: int) -> list[State]:
    """Some positions of random games."""
    stream, state, found = Stream(9), game.new(), []
    while len(found) < number:
        found.append(base.copy(state))
        base.play(state, stream.choose(base.legal_moves(state)))
        if base.outcome(state) != base.GOING_ON:
            state = game.new()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("game", ["nim:1,3,5,7", "nim:4,5:max=2:misere", "connect:3x3x3"])
def test_a_player_plays_what_its_agent_decides(name: str, game: str) -> None:
    board = parse_game(game)
    agent = parse_agent(name, board)
    known = truth(board)
    policy = policy_of(agent, known)
    unready: Any = SimpleNamespace(ready=False)
    Player(unready).get_ready(SILENT)  # it was prepared before its first game
    asked = [Player(agent), player(agent)]
    if policy is not None:
        asked.append(player(agent, policy, known))
        assert isinstance(asked[-1], PolicyPlayer)
    for seed, state in enumerate(positions(board, 12)):
        stream = Stream(seed)
        move, left = agent.decide(state, stream).move, stream.bits64()
        for other in asked:
            stream = Stream(seed)
            assert (other.choose(base.copy(state), stream, SILENT), stream.bits64()) == (move, left)


def test_games_played_whole_are_handed_on_in_chunks_that_grow_fourfold(monkeypatch: pytest.MonkeyPatch) -> None:
    known: Any = SimpleNamespace(graph=SimpleNamespace(longest=1))
    playing, chunks = CompiledPairing(known, known, (known, known)), list[Any]()
    monkeypatch.setattr(pairings, "perf_counter", lambda: 0.0)  # they take no time
    monkeypatch.setattr(playing, "_chunk", lambda number, games: (number, games))
    playing.play(7, 2_107, chunks.append)
    assert chunks == [(7, 100), (107, 401), (508, 1_599)]
