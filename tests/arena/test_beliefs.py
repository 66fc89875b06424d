"""What agents believed of their moves: read from their thoughts, packed, written, and kept with the same games."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.agents import Decision, Thought, parse_agent
from nimtui.agents.belief import PLACES, Belief, Kind, belief_of, of_game, packed, parse_word, unpacked, word
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.match import play_match
from nimtui.arena.play.pieces import Piece, compiled, play
from nimtui.arena.play.plan import Plan, plan
from nimtui.arena.review.history import Believed, estimates
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Record, base, parse_game
from nimtui.jobs.tournament import Tournament
from nimtui.store import game_list, saved_games
from nimtui.store.database import Database
from nimtui.store.rows import MOST_NUMBERS
from tests.examples import examples
from tests.jobs.playing import begin

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
    for said in [
        "{}",
        "{+0.5",
        "{+1.5}",
        "{=+0.5}",
        "{=}",
        "{#}",
        "{+0.5/-1}",
        "{nan}",
        "{+0.12345}",
        "{+0.5#3}",
        "{/5}",
    ]:
        with pytest.raises(InputError, match=r"invalid belief .*\{\+0\.25/500\}"):
            parse_word(said)


@pytest.mark.parametrize(
    "name, kind",
    [
        *((name, Kind.ESTIMATE) for name in ("mcts:simulations=200", "mc:playouts=50", "average:games=500")),
        *((name, Kind.EXACT) for name in ("perfect", "value", "alphabeta:depth=-1")),
        *((name, Kind.SCORE) for name in ("alphabeta:depth=1", "reward:games=500")),
        ("q:games=500", Kind.ESTIMATE),
        ("random", None),
    ],
)
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


AGENTS = ("random", "perfect", "mc:playouts=20", "mcts:simulations=50", "alphabeta:depth=2", "reward:games=200")


def whole(asked: Plan, pairing: int) -> Batch:
    return play(Piece(asked, pairing, 0, 6))


def test_the_games_are_the_same_with_and_without_thoughts() -> None:
    without = plan(["nim:1,3,5"], AGENTS, number=6, seed=3, openings="random:2")
    thinking = plan(["nim:1,3,5"], AGENTS, number=6, seed=3, openings="random:2", thoughts=True)
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
