"""The model of a running game: whose turn, undo and redo with a machine, the same game from the same seed."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nimtui.agents import Decision, Thought
from nimtui.errors import InputError
from nimtui.playing.sentences import story_of
from nimtui.playing.session import Author, Hold, Learned, Session
from nimtui.playing.setup import PlaySetup
from tests.examples import examples

TITLES = {"me": "You", "random": "Random", "perfect": "Perfect"}
SPECS = some.sampled_from([*TITLES])
SEATS = some.tuples(SPECS, SPECS)


class Made(NamedTuple):
    """A move as it was made, and whether an agent thought of it."""

    name: str
    author: Author
    thought: bool


class Games(RuleBasedStateMachine):
    """A session beside all that was ever done in it, in plain words."""

    @initialize(seats=SEATS, seed=some.integers(0, 3))
    def start(self, seats: tuple[str, str], seed: int) -> None:
        self.seats, self.seed = [*seats], seed
        self.game = Session(PlaySetup("nim:1,3,5", None, seats, seed))
        second = seats[1] == "me" != seats[0]
        self.marks = [int(second), int(not second)]  # 0: one's own; of two alike, the first one's
        self.made, self.ply, self.hold, self.fault, self.steps = list[Made](), 0, None, "", 0
        self.replies: dict[Any, str] = {}  # by agent and the moves before

    @property
    def people(self) -> int:
        return self.seats.count("me")

    @property
    def rows(self) -> list[int]:
        rows = [1, 3, 5]
        for one in self.made[: self.ply]:
            rows["abc".index(one.name[0])] -= int(one.name[1:])
        return rows

    @property
    def thinks(self) -> bool:
        """Is it up to an agent, and may it think?"""
        return any(self.rows) and self.seats[self.ply % 2] != "me" and (self.hold is None or self.steps > 0)

    @property
    def may_move(self) -> bool:
        return any(self.rows) and not self.thinks and self.hold is not Hold.PAUSED

    def called(self, seat: int) -> str:
        order = ("first", "second")[seat]
        if self.people == 2:
            return f"The {order} player"
        return TITLES[self.seats[seat]] + f" ({order})" * (self.seats[0] == self.seats[1])

    def play(self, name: str, decision: Decision | None = None) -> None:
        seat, own = self.ply % 2, decision is None
        label = ("first", "second")[seat] if self.seats[0] == self.seats[1] else self.seats[seat].replace("me", "you")
        mark = self.marks[seat]
        if own and self.seats[seat] != "me":  # a person moves for an agent
            label, mark = "you", self.marks[1 - seat] if self.people else mark
        author = Author(label, own, mark, (self.called(0), self.called(1)))
        self.game.play(self.game.game.parse_move(name, self.game.state), decision)
        again = [one for one in self.made[self.ply : self.ply + 1] if one.name == name]
        made = Made(name, author, not own or any(one.thought for one in again))  # what was thought of it stays known
        self.made[self.ply :] = [made, *(self.made[self.ply + 1 :] if again else ())]
        self.ply, self.steps = self.ply + 1, max(0, self.steps - 1)
        if self.hold is not Hold.PAUSED:
            self.hold, self.fault, self.steps = None, "", 0

    def held(self, hold: Hold | None = None, fault: str = "", steps: int = 0) -> None:
        self.hold, self.fault, self.steps = hold, fault, steps

    @precondition(lambda self: self.may_move)
    @rule(data=some.data())
    def a_person_moves(self, data: Any) -> None:
        names = [f"{'abc'[row]}{take}" for row, left in enumerate(self.rows) for take in range(1, left + 1)]
        self.play(data.draw(some.sampled_from(names)))

    @precondition(lambda self: self.thinks)
    @rule()
    def the_agent_answers(self) -> None:
        agent = self.game.waiting_for
        assert agent is not None
        decision = agent.decide(self.game.state, self.game.stream())
        name = self.game.game.move_name(decision.move, self.game.state)
        before = agent.name, *(one.name for one in self.made[: self.ply])
        assert self.replies.setdefault(before, name) == name, "asked again, it answers the same"
        self.play(name, decision)

    @rule()
    def an_illegal_move_changes_nothing(self) -> None:
        with pytest.raises(ValueError, match="does not allow the move"):
            self.game.play(99, Decision(99, (Thought(99),)))

    def gone(self, done: bool, ply: int | None) -> None:
        assert done is (ply is not None)
        if ply is not None:
            self.ply = ply
            self.held(None if self.people else Hold.PAUSED)

    @rule()
    def undo(self) -> None:
        """To one's own last move, or by one move where both are alike."""
        plies = [ply for ply in range(self.ply) if self.people != 1 or self.seats[ply % 2] == "me"]
        self.gone(self.game.undo(), max(plies, default=None))

    @rule()
    def redo(self) -> None:
        plies = range(self.ply + 1, len(self.made) + 1)
        own = [ply for ply in plies if self.people != 1 or self.seats[ply % 2] == "me"]
        self.gone(self.game.redo(), min(own, default=max(plies, default=None)))

    @rule(part=some.floats(0, 1))
    def goto(self, part: float) -> None:
        self.gone(self.game.goto(ply := round(part * len(self.made))), ply)

    @rule(seat=some.integers(0, 1), spec=some.sampled_from([*TITLES, "perfekt"]))
    def another_player(self, seat: int, spec: str) -> None:
        if spec not in TITLES:
            with pytest.raises(InputError, match=spec):
                self.game.seat(seat, spec)
            return
        self.game.seat(seat, spec)
        self.seats[seat] = spec
        self.held()

    @rule()
    def swap(self) -> None:
        self.game.swap()
        self.seats.reverse()
        self.marks.reverse()
        watched = Hold.STOPPED if self.people else Hold.PAUSED
        self.held(watched if self.hold is Hold.PAUSED else None)

    @rule(act=some.sampled_from(["stop", "step", "resume", "fail"]))
    def hold_or_go_on(self, act: str) -> None:
        getattr(self.game, act)(*["it broke"] * (act == "fail"))
        paused = None if self.people else Hold.PAUSED
        hold = {"stop": paused or Hold.STOPPED, "step": paused, "resume": None, "fail": Hold.FAILED}[act]
        self.held(hold, {"stop": self.fault, "fail": "it broke"}.get(act, ""), steps=int(act == "step"))

    @invariant()
    def everything_is_as_it_was_done(self) -> None:
        game, made, now = self.game, self.made, self.made[: self.ply]
        assert (game.hold, game.fault, game.record.ply) == (self.hold, self.fault, self.ply)
        assert (game.waiting_for is not None, game.person_may_move) == (self.thinks, self.may_move)
        assert game.waiting_for is None or game.waiting_for.name == self.seats[self.ply % 2]
        assert game.me == (self.seats[0] != "me" == self.seats[1]) and game.sides == self.marks
        assert game.opponent == max((seat for seat in (0, 1) if self.seats[seat] != "me"), default=None)
        assert game.setup() == PlaySetup("nim:1,3,5", None, (self.seats[0], self.seats[1]), self.seed)
        assert game.move_names() == [one.name for one in made]
        assert (game.authors, game.labels) == ([one.author for one in made], [one.author.label for one in made])
        assert [game.names_at(at) for at in range(len(made))] == [one.author.names for one in made]
        assert game.names_at(len(made)) == (self.called(0), self.called(1))
        assert [at in game.reflections for at in range(9)] == [one.thought for one in made] + [False] * (9 - len(made))
        latest = max((at for at, one in enumerate(now) if one.thought), default=None)
        assert (game.reflection.ply if game.reflection else None) == latest
        for ply in (None, max(0, self.ply - 1)):
            rows, owners = [1, 3, 5], dict[tuple[int, int], int]()
            for one in now[:ply]:
                row, take = "abc".index(one.name[0]), int(one.name[1:])
                rows[row] -= take
                owners |= {(row, rows[row] + at): one.author.side for at in range(take)}  # from the right
            assert game.owners(ply) == owners


TestGames = Games.TestCase
TestGames.settings = settings(max_examples=examples(60), stateful_step_count=30)


def played(game: str, first: str, second: str, *names: str, position: str | None = None, seed: int = 1) -> Session:
    """A game in which agents answer these moves, to the end where there are no people."""
    found = Session(PlaySetup(game, position, (first, second), seed))
    left = [*names]
    while not found.over and (left or found.waiting_for):
        if (agent := found.waiting_for) is None:
            found.play(found.game.parse_move(left.pop(0), found.state))
        else:
            decision = agent.decide(found.state, found.stream())
            found.play(decision.move, decision)
    return found


def test_another_seed_gives_another_game_and_a_position_can_be_played_from() -> None:
    one, same, other = (played("tower:16", "random", "random", seed=seed).move_names() for seed in (5, 5, 6))
    assert one == same != other
    found = played("tower:16", "me", "me", "d2", "a1", position="1,0,0,2")
    assert found.over and found.record.winner == 1
    with pytest.raises(InputError):
        Session(PlaySetup("tower:16", "9,9", ("me", "me"), 0))


@pytest.mark.parametrize(
    ("seats", "sides"), [(("me", "random"), [0, 0]), (("random", "me"), [0, 0]), (("random", "perfect"), [0, 1])]
)
def test_a_move_made_for_a_stopped_agent_has_the_mark_of_who_made_it(seats: tuple[str, str], sides: list[int]) -> None:
    game = Session(PlaySetup("nim:1,1,1", None, seats, 1))
    for name in ("a1", "b1"):
        game.fail("it broke")
        game.play(game.game.parse_move(name, game.state))
    assert [author.side for author in game.authors] == sides


def test_only_a_learned_opponent_learns_only_once_and_only_at_the_end() -> None:
    game = Session(PlaySetup("nim:1,1", None, ("me", "easy"), 1))
    assert not game.can_learn and played("nim:1,1", "me", "random").pupil is None
    game = played("nim:1,1", "me", "easy", "a1")
    assert game.can_learn
    game.learn(Learned((), (), ()))
    assert not game.can_learn and game.learned is not None
    game.unlearn()
    assert game.can_learn and game.learned is None


def test_the_first_player_in_a_story_is_the_one_who_moves_first_after_the_opening() -> None:
    session = Session(PlaySetup("nim:1,3,5", None, ("perfect", "random"), 0))
    for session.opening in range(4):
        names = ("Random", "Perfect") if session.opening % 2 else ("Perfect", "Random")
        assert story_of(session).by == [names]
