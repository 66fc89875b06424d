"""Whole games in the engine: self-play of any learner, compiled as interpreted, and the games of agents."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from nimtui.agents import Agent, parse_agent
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.pairings import CompiledPairing, Terms, memoryless, policies_of
from nimtui.arena.play.plan import Openings, parse_openings
from nimtui.engine import graph, lessons, self_play
from nimtui.engine.graph import Graph
from nimtui.engine.lessons import Memory
from nimtui.engine.rng import Stream
from nimtui.engine.self_play import judge_games
from nimtui.games import base, parse_game
from nimtui.learning import learner, opponents, parse_learner
from nimtui.learning.learner import constants, fresh, has_marks, notes, score_type
from nimtui.theory.truth import truth
from tests.agents.chance import uniform
from tests.learning import last as last_learner
from tests.theory.force import Force

LEARNERS = ("reward:win=3,loss=2", "reward:pick=uniform-move", "quality:margin=30,start=10,win=7", "q:epsilon=0.4")
GAMES = ("nim:1,3,5", "nim:4,5:max=2:misere", "connect:3x3x3", "connect:1x3x3")


class Bench(NamedTuple):
    """A learner at a graph, with all it needs, and as it was before any game."""

    learner: Any
    graph: Graph
    memory: Memory
    room: self_play.Scratch
    stream: Stream

    def play(self, games: int) -> int:
        """So many games; returns their plies."""
        first, plies = self.room.done.tolist()
        self_play.self_play(self.learner, self.graph, self.memory, games, self.stream.counter, self.room)
        assert self.room.done[0] == first + games
        return int(self.room.done[1]) - plies

    def watch(self, games: int, until_change: bool, before: Any = None) -> tuple[int, int, bool]:
        """Returns how many games were played, the plies of the last one, and whether it changed a best-scored move."""
        nodes, first = np.arange(len(self.graph.order) if until_change else 0), int(self.room.done[0])
        before = self.memory.scores[:0].copy() if before is None else before
        watched = self_play.Watched(nodes, np.zeros(len(nodes), np.int64), before)
        last, changed = self_play.watched_play(
            self.learner, self.graph, self.memory, games, self.stream.counter, self.room, watched
        )
        return int(self.room.done[0]) - first, int(last), changed

    def state(self) -> tuple[Any, ...]:
        return (*(array.tolist() for array in self.memory), int(self.stream.counter[0]))


def bench(game: str, learner: str, seed: int = 7) -> Bench:
    built, rule = truth(parse_game(game)).graph, parse_learner(learner)
    edges, kept = len(built.to), notes(rule)
    memory = Memory(
        np.full(edges, fresh(rule), score_type(rule)),
        np.zeros(edges, np.int32),
        np.zeros(edges if has_marks(rule) else 0, np.int8),
        np.zeros(kept * len(built.order), np.int32),
        np.zeros(edges if kept > 1 else 0, np.int32),
    )
    made = Bench(constants(rule), built, memory, self_play.scratch(built), Stream(seed))
    self_play.make_notes(made.learner, built, memory)
    return made


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("learner", LEARNERS)
def test_games_and_notes_are_those_of_plain_python_and_of_notes_made_anew(game: str, learner: str) -> None:
    (made, plain), games = (bench(game, learner) for _ in range(2)), 9
    owner, built, memory, _, stream = plain
    for _ in range(games):
        node, nodes, edges = int(built.start), list[int](), list[int]()
        while node >= 0:
            nodes.append(node)
            edges.append(int(lessons.choose(owner, built, memory, node, stream)))
            memory.visits[edges[-1]] += 1
            node = int(built.to[edges[-1]])
        lessons.update(owner, built, memory, nodes, edges, len(edges), {-1: 1, -2: -1, -3: 2}[node])
    assert made.play(games) == memory.visits.sum() and made.state() == plain.state()
    assert (made.room.nodes[: len(nodes)].tolist(), made.room.edges[: len(edges)].tolist()) == (nodes, edges)
    made.memory.notes[:] = made.memory.links[:] = 0
    self_play.make_notes(made.learner, built, made.memory)
    assert made.state() == plain.state()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("learner", ["reward", "quality"])
def test_notes_made_anew_are_those_kept_while_playing(game: str, learner: str) -> None:
    made = bench(game, learner)
    made.play(60)
    notes, links = made.memory.notes.copy(), made.memory.links.copy()
    made.memory.notes[:] = 0
    self_play.make_notes(made.learner, made.graph, made.memory)
    assert np.array_equal(made.memory.notes, notes) and np.array_equal(made.memory.links, links)


def played_out(made: Bench) -> int:
    """The outcome for the last mover of the game in the room, which must be one from the start to an end."""
    last = int(made.room.done[1])
    edges, nodes = made.room.edges[:last].tolist(), made.room.nodes[:last].tolist()
    assert nodes == [made.graph.start, *(int(made.graph.to[edge]) for edge in edges[:-1])]
    assert all(made.graph.ptr[node] <= edge < made.graph.ptr[node + 1] for node, edge in zip(nodes, edges, strict=True))
    return {-1: 1, -2: -1, -3: 2}[int(made.graph.to[edges[-1]])]


@pytest.mark.parametrize(("game", "outcome"), [("nim:2,2", 1), ("nim:2,2:misere", -1), ("connect:1x3x3", 2)])
def test_one_game_ends_with_an_outcome_and_is_counted(game: str, outcome: int) -> None:
    made = bench(game, "q:epsilon=1.0")
    plies = made.play(1)
    assert made.room.done.tolist() == [1, plies] and played_out(made) == outcome
    assert made.memory.visits.sum() == plies == len(set(made.room.edges[:plies].tolist()))
    last = made.memory.scores[made.room.edges[plies - 1]]
    assert last == 0.5 * {1: 1, -1: -1, 2: 0}[outcome]


@pytest.mark.parametrize("learner", LEARNERS[:3])
def test_watching_changes_nothing_and_knows_the_scores_before_the_last_game(learner: str) -> None:
    usual, watched = bench("nim:1,3,4", learner), bench("nim:1,3,4", learner)
    for games in (1, 1, 20):
        usual.play(games - 1)
        before, visits = usual.memory.scores.copy(), usual.memory.visits.copy()
        usual.play(1)
        count, last, changed = watched.watch(games, until_change=False)
        assert (count, changed) == (games, False) and watched.state() == usual.state()
        edges = watched.room.edges[:last]
        assert watched.room.before[:last].tolist() == before[edges].tolist()
        assert (usual.memory.visits - visits).nonzero()[0].tolist() == sorted(edges)


def best_moves(made: Bench) -> list[frozenset[int]]:
    """Of each node, independently of the kernel."""
    scores, ptr = made.memory.scores.tolist(), made.graph.ptr.tolist()
    found = []
    for first, last in itertools.pairwise(ptr):
        most = max(scores[first:last])
        found.append(frozenset(edge for edge in range(first, last) if scores[edge] == most))
    return found


@pytest.mark.parametrize("learner", ["reward", "quality:margin=50", "q"])
def test_it_stops_after_exactly_the_game_that_changes_a_best_scored_move(learner: str) -> None:
    single, watched = bench("nim:3,2", learner), bench("nim:3,2", learner)
    assert single.play(400) == watched.play(400)  # later, when changes are rare
    counts = set()
    for _ in range(12):
        before, games = best_moves(single), 0
        while games < 40 and (not games or best_moves(single) == before):
            scores = single.memory.scores.copy()
            single.play(1)
            games += 1
        noted = watched.memory.scores.copy()
        count, last, changed = watched.watch(40, until_change=True, before=noted)
        assert (count, changed) == (games, best_moves(single) != before)
        assert watched.state() == single.state() and noted.tolist() == scores.tolist()
        assert watched.room.before[:last].tolist() == scores[watched.room.edges[:last]].tolist()
        counts.add(count)
    single.play(20)
    assert watched.watch(20, until_change=False)[::2] == (20, False) and watched.state() == single.state()
    assert max(counts) > 1


def one_node(scores: list[float]) -> tuple[Graph, Memory]:
    """The start of the tower with these scores of its 16 moves."""
    built = truth(parse_game("nim:1,3,5,7")).graph
    values = np.full(len(built.to), -9.0)
    first = int(built.ptr[built.start])
    values[first : first + 16] = scores
    return built, Memory(values, *(np.zeros(0, np.int32) for _ in range(4)))


def drawn(word: Any, *words: Any) -> Counter[int]:
    built, _ = one_node([0.0] * 16)
    stream, first = Stream(5), int(built.ptr[built.start])
    return Counter(int(word(*words, stream)) - first for _ in range(4_000))


def test_what_learners_share_draws_fairly() -> None:
    built, memory = one_node([1, 5, 5, 3, 5, 4.9, *[0.0] * 10])
    node = built.start
    counts = drawn(lessons.best_edge, built, memory, node)
    assert set(counts) == {1, 2, 4} and uniform(list(counts.values()))
    assert lessons.best_score(built, memory, node) == 5
    counts = drawn(lambda stream: lessons.edge_above(built, memory, node, 3, stream))
    assert set(counts) == {1, 2, 3, 4, 5} and uniform(list(counts.values()))
    counts = drawn(lessons.any_edge, built, node)
    assert len(counts) == 16 and uniform(list(counts.values()))
    counts = drawn(lessons.casual_edge, built, node)
    rows = [
        sum(counts[move] for move in range(16) if base.row(parse_game("tower:16").start, move) == r) for r in (0, 3)
    ]
    assert uniform([*rows, sum(counts[move] for move in (1, 2, 3)), sum(counts[move] for move in range(4, 9))])


def test_an_edge_above_scores_that_are_no_numbers_is_one_of_the_node() -> None:
    built, memory = one_node([float("nan")] * 16)
    first = int(built.ptr[built.start])
    assert first <= lessons.edge_above(built, memory, built.start, 0.0, Stream(1)) < first + 16


def test_what_learners_share_draws_as_a_stream_does() -> None:
    built, memory = one_node([1, 5, 5, 3, 5, 4.9, *[0.0] * 10])
    node, first = built.start, int(built.ptr[built.start])
    assert lessons.best_score(built, memory, node) == 5
    for draw, among in (
        (lambda stream: lessons.best_edge(built, memory, node, stream), [1, 2, 4]),
        (lambda stream: lessons.play(last_learner.Last(), built, memory, node, stream), [1, 2, 4]),
        (lambda stream: lessons.edge_above(built, memory, node, 3, stream), [1, 2, 3, 4, 5]),
        (lambda stream: lessons.any_edge(built, node, stream), range(16)),
    ):
        mine, theirs = Stream(5), Stream(5)
        assert [draw(mine) - first for _ in range(40)] == [theirs.choose(among) for _ in range(40)]


def test_a_casual_edge_is_the_move_that_the_rules_draw() -> None:
    for name in ("nim:1,3,5,7", "adjacent:1,3", "connect:4x3x3"):
        game = parse_game(name)
        built = graph.build(game.start)
        mine, theirs = Stream(3), Stream(3)
        for _ in range(60):
            edge = lessons.casual_edge(built, built.start, mine)
            assert built.move[edge] == base.casual(game.start, theirs.bits60())


def test_the_best_edge_may_be_any_and_scores_that_are_no_numbers_give_the_last() -> None:
    for place, best in [*((place, 9.0) for place in range(16)), (15, float("nan"))]:
        built, memory = one_node([best if best != best or place == at else -1.0 for at in range(16)])
        first = int(built.ptr[built.start])
        assert best != best or lessons.best_score(built, memory, built.start) == best
        assert lessons.best_edge(built, memory, built.start, Stream(1)) == first + place


# Games of agents are those that they play move by move.


PLAYED = ("nim:1,3,5", "connect:3x3x3", "kayles:1,3,4")
PLAYERS = ("random", "perfect", "value", "reward:games=100,seed=1", "quality:games=200", "proof:games=50")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))


def asked(terms: Terms, players: tuple[Agent, Agent], number: int) -> tuple[list[int], int]:
    """One game by the agents' own decisions: all its moves, and its result for the first player."""
    alternate, plies = terms.alternate, list(terms.openings.opening(terms.game, terms.seed, number // 2))
    if not alternate:
        plies = list(terms.openings.opening(terms.game, terms.seed, number))
    opener = number % 2 if alternate else 0
    streams = [Stream(terms.seed, 2 * (terms.pairing * 2**32 + number) + seat) for seat in (0, 1)]
    state, moves, seat = terms.game.new(), [], 1
    for move in plies:
        base.play(state, move)
        moves.append(move)
    while (ended := base.outcome(state)) == base.GOING_ON:
        seat = 1 - seat
        moves.append(players[seat ^ opener].decide(state, streams[seat]).move)
        base.play(state, moves[-1])
    won = {base.WON: 1, base.LOST: -1, base.DRAW: 0}[int(ended)]
    return moves, won if seat ^ opener == 0 else -won


def played(terms: Terms, players: tuple[Agent, Agent], first: int, last: int) -> Batch:
    """The same by the engine."""
    known = truth(terms.game)
    policies = policies_of(players, known)
    assert policies is not None
    parts: list[Batch] = []
    CompiledPairing(terms, known, policies).play(first, last, parts.append)
    return Batch.joined(parts)


def alike(terms: Terms, players: tuple[Agent, Agent], first: int, last: int) -> None:
    for game in played(terms, players, first, last).rows():
        moves, result = asked(terms, players, game.number)
        assert (game.codes(), game.result, game.opener) == (moves, result, terms.opener(game.number))
        own = len(moves) - game.opening
        assert game.own == ((own + 1) // 2, own // 2) if game.opener == 0 else (own // 2, (own + 1) // 2)


@pytest.mark.parametrize("game", PLAYED)
def test_every_game_is_the_one_that_the_agents_would_play(game: str) -> None:
    board = parse_game(game)
    agents = [parse_agent(name, board) for name in PLAYERS]
    for i, agent in enumerate(agents):
        alternate = i % 2 == 0
        terms = Terms(board, seed=i - 3, pairing=990 * i, alternate=alternate, openings=parse_openings("random:1"))
        alike(terms, (agent, agents[0]), 0, 4)
        alike(replace(terms, openings=Openings()), (agents[i - 1], agent), 9_999_995, 9_999_998)


def test_a_table_from_a_file_with_few_positions_plays_alike(tmp_path: Path) -> None:
    board = parse_game("nim:1,3,5,7")
    opponents.train_interpreted(board, "reward", 3, seed=2).save(tmp_path / "few.npz")  # most positions have no row
    few, easy = parse_agent(f"table:{tmp_path / 'few.npz'}", board), parse_agent("easy", board)
    alike(Terms(board, seed=3), (few, easy), 0, 40)


@pytest.mark.slow
def test_chunks_and_numbers_far_out_change_nothing() -> None:
    board = parse_game("nim:1,3,5,7")
    agents = (parse_agent("random", board), parse_agent("easy", board))
    terms = Terms(board, seed=-5, pairing=4949, openings=parse_openings("balanced:2"))
    alike(terms, agents, 9_999_995, 9_999_999)
    whole, parts = played(terms, agents, 0, 3000), [played(terms, agents, *cut) for cut in ((0, 7), (7, 8), (8, 3000))]
    assert [game._replace(seconds=0) for game in whole.rows()] == [
        game._replace(seconds=0) for game in Batch.joined(parts).rows()
    ]


def test_games_are_judged_as_they_are_played_and_only_after_their_openings() -> None:
    board = parse_game("subtraction:9,3:misere")
    known = truth(board)
    terms = Terms(board, alternate=True, openings=parse_openings("random:1"))
    players = parse_agent("random", board), parse_agent("perfect", board)
    force, games = Force("subtraction:9,3:misere"), played(terms, players, 0, 12)
    for game in games.rows():
        chances, mistakes, player, state = [0, 0], [0, 0], game.opener, board.new()
        for ply, move in enumerate(game.codes()):
            if ply >= game.opening:
                value = force.value(state)[0]
                chances[player] += value >= 0
                mistakes[player] += force.worth(state)[move][0] < value
                player = 1 - player
            base.play(state, move)
        assert (list(game.chances), list(game.mistakes)) == (chances, mistakes) and mistakes[1] == 0
    counts = np.zeros((2, 12, 2), np.int32)
    judge_games(known.graph, known.values, known.keeps, games.ptr, games.moves, games.opening, games.opener, *counts)
    assert (counts[0].tolist(), counts[1].tolist()) == (games.chances.tolist(), games.mistakes.tolist())


@pytest.mark.slow
def test_random_games_from_the_start_are_won_by_halves() -> None:
    board = parse_game("subtraction:21,3:misere")
    random = parse_agent("random", board)
    games = played(Terms(board, alternate=False), (random, random), 0, 100_000)
    # source: the subtraction tournament, exact value 0.5 but for 1e-5
    assert abs(np.mean(games.result == 1) - 0.5) < 5 * 0.5 / 100_000**0.5


def test_who_plays_by_words_of_its_own_is_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "_added", [])
    board = parse_game("nim:1,2")
    learner.add(last_learner)
    name = f"{last_learner.NAME}:games=5"
    assert memoryless((parse_agent(name, board), parse_agent("random", board)))
    monkeypatch.setattr(last_learner, "play", lambda learner, graph, memory, node, rng: graph.ptr[node], raising=False)
    agents = (parse_agent(name, board), parse_agent("random", board))
    assert not memoryless(agents)
    assert policies_of(agents, truth(board)) is None
    assert policies_of((agents[1], parse_agent("mc", board)), truth(board)) is None


def test_scores_that_are_no_numbers_are_left_to_the_interpreter(tmp_path: Path) -> None:
    board = parse_game("nim:1,2")
    table = opponents.train_interpreted(board, "q", 5)
    table.save(tmp_path / "odd.npz")
    odd = parse_agent(f"table:{tmp_path / 'odd.npz'}", board)
    odd.saved.table.cells[0] = np.nan  # a file with it is refused
    assert memoryless((odd, odd)) and policies_of((odd, odd), truth(board)) is None


def test_chunks_of_games_follow_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, sizes = [0.0], list[int]()
    seconds = iter((1 / 16, 1 / 32, 1 / 1024, 0.0, 128.0, 1 / 32, 1 / 32))

    def chunk(self: CompiledPairing, number: int, games: int) -> int:
        sizes.append(games)
        clock[0] += next(seconds)
        return games

    monkeypatch.setattr(CompiledPairing, "_chunk", chunk)
    monkeypatch.setattr("nimtui.arena.play.pairings.CHUNK_SECONDS", 1 / 32)
    monkeypatch.setattr("nimtui.arena.play.pairings.perf_counter", lambda: clock[0])
    known: Any = SimpleNamespace(graph=SimpleNamespace(longest=8))
    CompiledPairing(None, known, ()).play(0, 1_252, lambda _: None)  # type: ignore[arg-type]
    assert sizes == [100, 51, 52, 209, 837, 1, 2], "half as many, as many, four times as many at most, one at least"
