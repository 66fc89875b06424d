"""Mistakes of games, against an oracle; who wins how often; and what agents believed of their moves, kept with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.agents import Decision, Thought, parse_agent
from nimtui.agents.agent import AgentFault, AlwaysReady, Clock, Judged
from nimtui.agents.belief import PLACES, Belief, Kind, belief_of, of_game, packed, parse_word, unpacked, word
from nimtui.agents.learned import OfTable
from nimtui.arena.play import trials
from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.judge import (
    Judge,
    has_formula,
    has_graph,
    is_judged,
    known_truth,
    least_judged,
    most_judged,
)
from nimtui.arena.play.match import play_match
from nimtui.arena.play.pieces import Board, Piece, compiled, play
from nimtui.arena.play.plan import Plan, parse_openings, plan
from nimtui.arena.review.history import Believed, estimates
from nimtui.arena.review.review import review
from nimtui.check.verdict import Check, Verdict
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, Record, base, parse_game
from nimtui.games.base import State
from nimtui.jobs.tournament import Tournament
from nimtui.learning.sample import NOT_LEGAL
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.report.values import Share
from nimtui.sandbox.command import FaultKind
from nimtui.store import game_list, saved_games
from nimtui.store.database import Database
from nimtui.store.rows import MOST_NUMBERS
from nimtui.theory import Outcome
from tests.agents.chance import RARE, plausible
from tests.agents.subtraction import lost, perfect_wins, random_wins
from tests.examples import examples
from tests.jobs.playing import begin
from tests.stops import StopAfter
from tests.theory.force import Force


def games(game: str, agents: tuple[str, str], number: int, openings: str = "start") -> tuple[Game, Batch]:
    """Some games, not judged."""
    board = parse_game(game)
    players = [parse_agent(name, board) for name in agents]
    found = play_match(board, *players, number, 3, alternate=True, openings=parse_openings(openings)).batch
    nothing = np.zeros_like(found.chances)
    return board, replace(found, chances=nothing, mistakes=nothing)


def judged(judge: Judge, played: Batch) -> Batch:
    """The same games, judged as they are in a match."""
    return judge.batch(Batch.of([judge.one(each) for each in played.rows()]))


Counts = tuple[tuple[int, int], tuple[int, int]]


def counted(game: Game, played: Played, bad: Callable[[Record], bool]) -> Counts:
    """Chances and mistakes of a game in which every position is won or lost; `bad`: is it lost for who is to move?"""
    chances, mistakes, record = [0, 0], [0, 0], Record(game)
    for ply, move in enumerate(played.codes()):
        before = bad(record)
        record.push(move)
        if ply >= played.opening:
            player = (ply - played.opening) % 2 ^ played.opener
            chances[player] += not before
            mistakes[player] += not before and not bad(record)
    return (chances[0], chances[1]), (mistakes[0], mistakes[1])


@pytest.mark.parametrize("openings", ["start", "random:3"])
def test_in_the_row_of_21_a_mistake_leaves_other_than_1_of_4(openings: str) -> None:
    game, played = games("subtraction:21,3:misere", ("random", "mc:playouts=20"), 40, openings)
    wanted = [counted(game, each, lambda record: lost(int(record.state.board[0]))) for each in played.rows()]
    for truth in (known_truth(game), None):  # by the engine, by formula
        judge = Judge(game, truth)
        assert [(each.chances, each.mistakes) for each in judged(judge, played).rows()] == wanted
    assert sum(mistakes[0] for _, mistakes in wanted) > sum(mistakes[1] for _, mistakes in wanted) > 0


def test_how_many_games_are_judged_and_a_game_whose_judging_is_stopped_is_not_finished() -> None:
    for game, most in (("connect4:5x5", None), ("connect4:6x5", 40), ("connect4", 40), ("tower:4", None)):
        assert most_judged(parse_game(game)) == most
    board, played = games("connect4:6x5", ("random", "random"), 1)
    with pytest.raises(Cancelled):
        Judge(board, None).one(played.game(0), StopAfter(0))


def test_the_first_games_of_a_large_board_are_judged_and_of_other_games_all(monkeypatch: pytest.MonkeyPatch) -> None:
    board, played = games("connect:3x3x3", ("random", "random"), 4)
    known = judged(Judge(board, known_truth(board)), played).rows()
    assert is_judged(board) and most_judged(board) is None
    assert [least_judged(names) for names in (("connect4", "nim:2,1", "lost:5"), ("nim:2,1", "connect4:5x5"), ())] == [
        40, None, None,
    ]  # fmt: skip
    for name, limit in (("FIRST_GAMES", 2), ("MOST_CELLS", 8), ("has_graph", lambda game: False)):
        assert most_judged(board) is None, "as long as its graph is known"
        monkeypatch.setattr(f"nimtui.arena.play.judge.{name}", limit)
    assert is_judged(board) and most_judged(board) == 2 and known_truth(board) is None
    found = judged(Judge(board, None), played).rows()
    assert found == [*known[:2], *(game._replace(chances=(0, 0), mistakes=(0, 0)) for game in played.rows()[2:])]
    monkeypatch.setattr("nimtui.arena.play.judge.MOST_CELLS", 9)
    assert most_judged(board) is None and judged(Judge(board, None), played).rows() == known


def test_what_is_not_known_is_not_counted() -> None:
    game, played = games("connect:8x6x4", ("random", "random"), 2)
    assert not is_judged(game) and not has_graph(game) and known_truth(game) is None
    found = judged(Judge(game, None), played)
    assert not found.chances.any() and not found.mistakes.any()
    of_table = {
        name: Board(parse_game("nim:2,1")).entrant(name)[1] is not None for name in ("perfect", "mc:playouts=3")
    }
    assert of_table == {"perfect": True, "mc:playouts=3": False}, "whose moves are known for every position"
    formulas = {"tower:16": True, "connect4": False, "adjacent:30,29,28,27:max=3:misere": False, "noughts:3x3x3": False}
    assert {name: has_formula(parse_game(name)) for name in formulas} == formulas
    large = ("tower:16", "nim:200,200,200,200", "connect4:4x4", "connect4:5x5", "kayles:12")
    assert all(map(is_judged, map(parse_game, large)))


@pytest.mark.parametrize("formula", [True, False])
def test_a_match_is_judged_if_asked(formula: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("judge", "match") if not formula else ():  # by its positions
        monkeypatch.setattr(f"nimtui.arena.play.{module}.has_formula", lambda game: False)
    game = parse_game("nim:3,4,5")
    agents = (parse_agent("random", game), parse_agent("perfect", game))
    asked, not_asked = (play_match(game, *agents, 5, judging=judging).batch for judging in (True, False))
    assert asked.mistakes[:, 0].sum() > 0 == asked.mistakes[:, 1].sum()
    assert asked.chances.any() and not not_asked.chances.any()
    assert (asked.moves == not_asked.moves).all()


# The positions of a learner's games against a shallow search, against the rules and the judge of matches.


GAMES = 12


@pytest.mark.parametrize(
    ("name", "learner"), [("connect:3x3x3", "linear"), ("nim:1,2,3", "quality"), ("connect:3x3x3", "q")]
)
def test_mistakes_and_values_are_those_of_the_rules_and_of_the_judge(name: str, learner: str) -> None:
    game = parse_game(name)
    force, training = Force(game), Training(game, learner, 1)
    training.run(30)
    met = trials.met(training.table, GAMES)
    for board, results in zip(met.sample.boards, met.sample.results, strict=True):
        state = game.at(board.copy())
        legal = {move: sign for move, (sign, _) in force.worth(state).items()}
        assert {move: int(results[move]) for move in np.flatnonzero(results != NOT_LEGAL).tolist()} == legal
        assert len(set(legal.values())) > 1
    agents = OfTable(training.table, "learner", ""), parse_agent("alphabeta:depth=2", game)
    judged = play_match(game, *agents, GAMES, 1, True, openings=trials.OPENINGS, judging=True)
    mistakes = sum(row.mistakes[0] for row in judged.batch.rows())
    assert met.wrong.sum() == mistakes and (met.wrong <= met.times).all() and met.games == GAMES
    score = judged.by_agent[0]
    assert met.points == (score.wins + score.draws / 2) / GAMES
    seen, erred = Counter[bytes](), Counter[bytes]()
    for row in judged.batch.rows():
        state = game.new()
        for ply, move in enumerate(row.codes()):
            values = [sign for sign, _ in force.worth(state).values()]
            if ply >= 2 and (ply % 2 == 0) == (row.opener == 0) and len(set(values)) > 1:
                seen[state.board.tobytes()] += 1
                erred[state.board.tobytes()] += force.worth(state)[move][0] < max(values)
            base.play(state, move)
    keys = [board.tobytes() for board in met.sample.boards]
    assert dict(zip(keys, met.times.tolist(), strict=True)) == seen and len(keys) == len(met.wrong)
    assert dict(zip(keys, met.wrong.tolist(), strict=True)) == erred
    assert met.sample.plies.tolist() == sorted(met.sample.plies) and met.sample.seed == 1
    assert met.errors == np.count_nonzero(met.wrong) and met.text == (
        f"{Share(met.points)} of the points in 12 games against alphabeta:depth=2;"
        f" it erred in {met.errors} of {len(met.times)} positions with a choice"
    )
    assert (trials.met.__defaults__, trials.OPENINGS) == ((60, 1, SILENT), parse_openings("random:2"))
    assert met.unmet(np.zeros(len(met.times), np.int64)) == met.errors and met.unmet(met.times) == 0
    one = met._replace(times=met.times[:1], wrong=np.zeros(1, np.int64), games=1)
    assert one.text.endswith(" of the points in 1 game against alphabeta:depth=2;"
                             " it erred in 0 of 1 position with a choice")  # fmt: skip


def test_a_game_without_exact_values_is_refused() -> None:
    with pytest.raises(InputError, match=r"^the positions of connect:8x6x4 have no exact values: "):
        trials.met(Training(parse_game("connect4:8x6"), "linear", 1).table)
    with pytest.raises(InputError, match=r"^no position of 2 games against alphabeta:depth=2 had a choice$"):
        trials.met(Training(parse_game("nim:1,1,1,1"), "linear", 1).table, 2)


class Programmed(AlwaysReady, Judged):
    """Answers as a program does, in its own way."""

    def __init__(self, name: str) -> None:
        self.name = self.title = name
        self.heard, self.asked = list[Clock](), 0

    def new_game(self) -> None:
        self.heard.append(self.clock)

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        return Decision(self.choose(state, stream), ())

    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> int:
        legal, self.asked = base.legal_moves(state), self.asked + 1
        if self.name == "mute":
            raise AgentFault("mute is silent", told="1,2", answer="?", errors=("oh", "no"), kind=FaultKind.UNREADABLE)
        return 77 if self.name == "cheat" else legal[-1 if self.name == "fickle" and self.asked % 2 == 0 else 0]

    def end(self) -> None:
        self.asked = 0


def test_a_program_is_tried_for_each_kind_of_fault_and_for_repeating(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {name: Programmed(name) for name in ("steady", "cheat", "fickle", "mute")}
    monkeypatch.setattr(trials, "parse_agent", lambda name, game: made.get(name) or parse_agent(name, game))
    monkeypatch.setattr(trials, "file_of", Path)
    monkeypatch.setattr(trials, "held", lambda: False)
    texts = {name: dict.fromkeys(FaultKind) for name in made}
    texts["cheat"][FaultKind.ILLEGAL] = "cheat played 77, which is not legal"
    texts["mute"][FaultKind.UNREADABLE] = (
        "mute is silent; unreadable at 1,2,3; told: 1,2; answered: ?; stderr: oh; stderr: no"
    )
    texts["fickle"]["repeat"] = "one line was answered a1, then c3: games cannot be repeated"
    texts["steady"]["repeat"] = None
    for name, agent in made.items():
        verdict, file = trials.check(name, parse_game("nim:1,2,3"))
        checks = tuple(Check(kind, text is None, text) for kind, text in texts[name].items())
        ok = name == "steady"
        assert (verdict, file) == (Verdict(True, ok, checks, closed=False), Path(name))
        assert [clock.seconds for clock in agent.heard[1:]] == [2.0] * 5 and agent.asked in (0, 1, 2)
    silent = Check("repeat", False, "mute is silent")
    assert trials._repeated(made["mute"], parse_game("nim:1,2,3")) == silent


# The subtraction tournament: 21 matches, take 1 to 3, whoever takes the last one loses: who begins is lost. Every
# ordered pair of six agents; the exact values are recursions.
RANDOM, PERFECT, MC, MCPO, MCTS, VALUE = AGENTS = (
    *("random", "perfect", "mc:playouts=1000", "mc:playouts=1000,policy=perfect-opponent"),
    *("mcts:simulations=500", "value"),
)
NUMBER = 100

# source: the subtraction tournament, re-run with 100 games each: how many the one moving first won
RE_RUN = {
    (RANDOM, RANDOM): 43, (PERFECT, RANDOM): 98, (RANDOM, MC): 15, (MC, RANDOM): 92, (PERFECT, MC): 99,
    (RANDOM, MCPO): 0, (MCPO, RANDOM): 100, (RANDOM, MCTS): 3, (MCTS, RANDOM): 98, (PERFECT, MCTS): 88, (MC, MCTS): 7,
    (MCTS, MC): 96, (MCPO, MCTS): 95, (MCTS, MCPO): 0, (MC, MC): 53, (MCTS, MCTS): 53, (VALUE, RANDOM): 99,
    (VALUE, MC): 100, (VALUE, MCTS): 96, (PERFECT, MCPO): 0, (VALUE, MCPO): 0,
}  # fmt: skip
# not run again: with 1000 playouts against a perfect opponent it plays as good as perfectly
RE_RUN |= {(MC, MCPO): 0, (MCPO, MC): 99, (MCPO, MCPO): 0}


def same_odds(won: int, of: int, other: int) -> bool:
    """Could so many wins of `of` games, and `other` of 100, come from one probability? Fisher's exact test."""
    both = won + other
    ways = [comb(of, k) * comb(NUMBER, both - k) if both >= k else 0 for k in range(of + 1)]
    return min(sum(ways[: won + 1]), sum(ways[won:])) / sum(ways) > RARE / 2


def wins(games: Batch) -> int:
    return int((games.result == 1).sum())


@pytest.mark.slow
def test_the_tournament_comes_to_what_it_came_to() -> None:
    """Each ordered pair plays 40 games. Where the second mover is perfect it wins all of them without a mistake."""
    asked = plan(["subtraction:21,3:misere"], AGENTS, "ordered", 40)
    assert len(asked.pairings) == 36
    for number, pairing in enumerate(asked.pairings):
        first, second = AGENTS[pairing.first], AGENTS[pairing.second]
        games = play(Piece(asked, number, 0, 40))
        assert len(games) == 40 and not games.opener.any() and games.result.all() and not games.faults
        if second in (PERFECT, VALUE):
            assert wins(games) == 0 and not games.mistakes[:, 1].any(), first
        elif (first, second) in ((PERFECT, RANDOM), (VALUE, RANDOM)):
            assert plausible(wins(games), 40, perfect_wins(21, True))  # 0.9952
        assert (first, second) in RE_RUN or second in (PERFECT, VALUE)
        assert same_odds(wins(games), 40, RE_RUN.get((first, second), 0)), (first, second)


# What agents believed of their moves: read from their thoughts, packed, written, and kept with the same games.


works = st.none() | st.integers(0, 2**62)
numbers = st.integers(-(10 ** (8 + PLACES)), 10 ** (8 + PLACES)).map(lambda whole: whole / 10**PLACES)
beliefs = st.none() | st.one_of(
    st.builds(Belief, st.just(Kind.EXACT), st.sampled_from([-1.0, 0.0, 1.0]), works),
    st.builds(
        Belief, st.just(Kind.ESTIMATE), st.integers(-(10**PLACES), 10**PLACES).map(lambda n: n / 10**PLACES), works
    ),
    st.builds(Belief, st.just(Kind.SCORE), numbers, works),
)


@given(st.lists(beliefs, max_size=40), st.binary(max_size=30))
@settings(max_examples=examples(60), deadline=None)
def test_beliefs_survive_packing_and_writing_and_any_bytes_are_beliefs_or_refused(
    found: list[Belief | None], any_bytes: bytes
) -> None:
    data = packed(found)
    assert unpacked(data) == (found if any(found) else [])
    assert of_game(data, len(found)) == unpacked(data)
    for belief in filter(None, found):
        said = word(belief)
        assert parse_word(said) == belief and " " not in said
    assert of_game(any_bytes, 5) == [] or len(of_game(any_bytes, 5)) == 5  # never more


def test_the_bytes_of_scores_are_what_the_head_of_the_module_says() -> None:
    scores = [Belief(Kind.SCORE, number, None) for number in (37.0, 0.0037)]  # twice 37, as a signed number is stored
    assert packed(scores) == bytes([5, 74, 6, 74]) and unpacked(bytes([5, 74, 6, 74])) == scores


def test_a_wrong_word_is_named_with_a_right_one() -> None:
    for within in ("", "+1.5", "=+0.5", "=", "#", "+0.5/-1", "nan", "+0.12345", "+0.5#3", "/5"):
        with pytest.raises(InputError, match=r"invalid belief .*\{\+0\.25/500\}"):
            parse_word(f"{{{within}}}")
    with pytest.raises(InputError, match="invalid belief"):
        parse_word("{+0.5")


@pytest.mark.parametrize(
    "name, kind",
    [
        *((name, Kind.ESTIMATE) for name in ("mcts:simulations=200", "mc:playouts=50", "average:games=500")),
        *((name, Kind.EXACT) for name in ("perfect", "value", "alphabeta:depth=-1")),
        *((name, Kind.SCORE) for name in ("alphabeta:depth=1", "reward:games=500")), ("q:games=500", Kind.ESTIMATE),
        ("random", None),
    ],
)  # fmt: skip
def test_each_agents_thoughts_are_read_as_what_they_are(name: str, kind: Kind | None) -> None:
    game = parse_game("nim:3,5")
    decision = parse_agent(name, game).decide(game.new(), Stream(1))
    belief = belief_of(decision)
    assert (belief and belief.kind) is kind
    if belief is None:
        return
    [thought] = [one for one in decision.thoughts if one.move == decision.move]
    wanted = thought.value if kind is not Kind.SCORE else thought.score
    assert wanted is not None and belief.number == pytest.approx(wanted, abs=10**-PLACES)
    assert (belief.value is None) is (kind is Kind.SCORE)
    if name.startswith("mc:"):
        assert belief.work == 50 * len(decision.thoughts)


def test_a_proof_is_exact_and_a_lucky_mean_is_not() -> None:
    proven = Decision(3, (Thought(3, 1.0, visits=9, mean=1.0, bound="exact"),))
    lucky = Decision(3, (Thought(3, 1.0, visits=9, mean=1.0),))
    own = Decision(3, (Thought(3, 0.3), Thought(4, float("nan"))))
    kinds = [belief.kind for belief in map(belief_of, (proven, lucky, own)) if belief]
    assert kinds == [Kind.EXACT, Kind.ESTIMATE, Kind.ESTIMATE]
    assert belief_of(own, 4) is None and belief_of(own, 5) is None
    assert Believed(belief_of(own)).raw == {"kind": "estimate", "value": 0.3, "score": None, "work": None}


THINKING = ("random", "perfect", "mc:playouts=20", "mcts:simulations=50", "alphabeta:depth=2", "reward:games=200")


def whole(asked: Plan, pairing: int) -> Batch:
    return play(Piece(asked, pairing, 0, 6))


def test_the_games_are_the_same_with_and_without_thoughts() -> None:
    without = plan(["nim:1,3,5"], THINKING, number=6, seed=3, openings="random:2")
    thinking = plan(["nim:1,3,5"], THINKING, number=6, seed=3, openings="random:2", thoughts=True)
    assert Plan.from_document(thinking.document()) == thinking != without
    for pairing in range(len(without.pairings)):
        plain, told = whole(without, pairing).rows(), whole(thinking, pairing).rows()
        assert [one[:9] for one in plain] == [one[:9] for one in told]  # all but seconds and beliefs
        assert not any(one.beliefs for one in plain) and not compiled(thinking, pairing)


def test_what_is_kept_is_what_was_thought() -> None:
    game = parse_game("nim:1,3,5")
    thinking = plan([game.name], ("mc:playouts=30", "alphabeta:depth=2"), number=4, seed=5, thoughts=True)
    for played in play(Piece(thinking, 0, 0, 4)).rows():
        record, kept = Record(game), of_game(played.beliefs, len(played.codes()))
        streams = Stream(5, 2 * played.number), Stream(5, 2 * played.number + 1)
        for ply, move in enumerate(played.codes()):
            name = thinking.agents[ply % 2 ^ played.opener]
            decision = parse_agent(name, game).decide(record.state, streams[ply % 2])
            assert decision.move == move and kept[ply] == belief_of(decision)
            record.push(move)


def test_a_match_returns_the_beliefs_and_the_same_games() -> None:
    game = parse_game("connect4:4x4")
    players = parse_agent("mcts:simulations=60", game), parse_agent("alphabeta:depth=2", game)
    plain, told = (play_match(game, *players, 4, 1, True, thoughts=thoughts) for thoughts in (False, True))
    assert plain.batch.moves.tolist() == told.batch.moves.tolist()
    assert not plain.batch.beliefs and len(told.batch.beliefs) == 4
    joined = Batch.joined([told.batch, plain.batch, told.batch])
    assert [bool(row.beliefs) for row in joined.rows()] == [True] * 4 + [False] * 4 + [True] * 4
    assert joined.game(8).beliefs == told.batch.game(0).beliefs


def test_estimates_are_for_the_player_of_the_move_and_exact_at_the_end() -> None:
    game = parse_game("nim:1,3,5")
    record, perfect = Record(game), parse_agent("perfect", game)
    while not record.over:
        record.push(base.legal_moves(record.state)[0])
    found = estimates(record, perfect, 0)
    assert [one.kind for one in found] == [Kind.EXACT] * record.ply and found[-1].number == 1.0
    for ply, one in enumerate(found[:-1]):
        reply = belief_of(perfect.decide(record.state_at(ply + 1), Stream(0)))
        assert reply is not None and one.number == -reply.number
    searching = parse_agent("mcts:simulations=100", game)
    assert estimates(record, searching, 7) == estimates(record, searching, 7) != estimates(record, searching, 8)
    with pytest.raises(InputError, match="random does not expect results: name an agent such as"):
        estimates(record, parse_agent("random", game), 0)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["nim:3,4,5", "nim:2,2,3:misere", "kayles:9", "connect:3x3x3", "connect:3x3x2"])
def test_they_are_those_of_a_review(game: str) -> None:
    board, played = games(game, ("random", "easy"), 30, "random:1")
    same_as_a_review(board, judged(Judge(board, known_truth(board)), played), opening=1)


@pytest.mark.slow
def test_a_connect_board_without_a_graph_is_solved() -> None:
    board, played = games("connect:5x4x4", ("random", "mcts:simulations=50"), 6)
    assert is_judged(board) and known_truth(board) is None
    found = judged(Judge(board, None), played)
    same_as_a_review(board, found, opening=0)
    assert found.mistakes.any() and (found.chances < found.own).any()
    small, played = games("connect:3x3x3", ("random", "random"), 60)  # the solver and the graph agree
    assert timeless(judged(Judge(small, None), played)) == timeless(judged(Judge(small, known_truth(small)), played))


@pytest.mark.slow
def test_of_a_large_board_the_first_games_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.arena.play.judge.FIRST_GAMES", 2)
    board, played = games("connect4:6x5", ("random", "mcts:simulations=100"), 4)
    assert is_judged(board) and most_judged(board) == 2
    found = judged(Judge(board, None), played)
    first, second, *others = found.rows()
    same_as_a_review(board, Batch.of([first, second]), opening=0)
    assert first.mistakes != (0, 0) != second.mistakes
    assert all(each.chances == each.mistakes == (0, 0) for each in others)
    agents = [parse_agent(name, board) for name in ("random", "mcts:simulations=100")]
    match = play_match(board, *agents, 4, 3, alternate=True, judging=True).batch
    assert timeless(match) == timeless(found)


def timeless(batch: Batch) -> list[Played]:
    return [game._replace(seconds=0.0) for game in batch.rows()]


def same_as_a_review(board: Game, played: Batch, opening: int) -> None:
    for each in played.rows():
        record = Record(board)
        for move in each.codes():
            record.push(move)
        chances, mistakes = [0, 0], [0, 0]
        for judgement in review(record)[opening:]:
            player = (judgement.ply - opening) % 2 ^ each.opener
            chances[player] += judgement.before in (Outcome.WIN, Outcome.DRAW)
            mistakes[player] += judgement.mistake
        assert (each.chances, each.mistakes) == ((chances[0], chances[1]), (mistakes[0], mistakes[1]))


@pytest.mark.slow
def test_a_million_games_show_the_exact_values() -> None:
    asked = plan(["subtraction:21,3:misere"], [RANDOM, PERFECT], "ordered", 1_000_000)
    for pairing, exact in ((0, random_wins(21)), (2, perfect_wins(21, True))):
        share = wins(play(Piece(asked, pairing, 0, 1_000_000))) / 1_000_000
        assert abs(share - exact) < 5 * (exact * (1 - exact) / 1_000_000) ** 0.5


def test_a_tournament_saves_the_same_thoughts(tmp_path: Path) -> None:
    asked = plan(["connect4:4x4"], ("mc:playouts=30", "mcts:simulations=30"), number=8, seed=2, thoughts=True)
    with Database(tmp_path / "nimtui.sqlite") as db:
        with begin(db, asked) as kept:
            Tournament(asked, kept, 1).work()
        found = list(saved_games.with_beliefs(db, game_list.games(db, limit=None)))
    alone = {played.number: played for played in play(Piece(asked, 0, 0, 8)).rows()}
    assert len(found) == 8
    for info in found:
        played = alone[info.id % MOST_NUMBERS]
        assert (info.row.moves, info.row.beliefs) == (played.moves, played.beliefs)
