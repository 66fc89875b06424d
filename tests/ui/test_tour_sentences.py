"""What the tour says at every step, for tables of every age and games of every kind, taken apart."""

from __future__ import annotations

import random
import re
from functools import reduce
from operator import xor
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui import theory
from nimtui.games import base
from nimtui.games.base import State
from nimtui.learning.learner import parse_learner
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.playing import advice
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.theory.explanation import sentences
from nimtui.ui.tour import steps as say
from nimtui.ui.tour.steps import Scene
from nimtui.ui.train.view import Atlas
from tests.deeds import is_deed, is_result
from tests.examples import examples
from tests.patterns import COUNT, Patterns, check, real, same
from tests.theory.force import Force


def nim_sum(name: str) -> int:
    return reduce(xor, map(int, name.split(",")))


class Facts:
    """The tour's table at one moment, judged by nim-sums and by its own scores."""

    def __init__(self, force: Force, run: Run, node: int = -1) -> None:
        self.force, self.run, self.table = force, run, run.training.table
        view, known = run.views.newest, run.training.truth
        assert view is not None and known is not None
        self.atlas, self.view, self.node = Atlas(force.game, known), view, node
        self.scene: Any = Told(run, view, node)
        self.names = [self.atlas.name(at) for at in range(len(known.values))]

    def best(self, name: str) -> tuple[set[str], bool]:
        """The best-scored moves of a position, and whether one of them scores above 0."""
        state = self.force.game.new(name)
        scores = self.table.scores(state)
        top = max(scores.values())
        return {self.force.game.move_name(move, state) for move in scores if scores[move] == top}, top > 0

    def verdict(self, name: str) -> str:
        if not nim_sum(name):
            return "lost"
        best, keeping = self.best(name)[0], self.winning(name)
        return "right" if best <= keeping else "undecided" if best & keeping else "wrong"

    def winning(self, name: str) -> set[str]:
        state = self.force.game.new(name)
        found = {}
        for move in base.legal_moves(state):
            left = self.force.after(state, move)
            found[self.force.game.move_name(move, state)] = nim_sum(self.force.game.position_name(left) or "0")
        return {name for name, left in found.items() if not left}


class Told(Scene):
    """The tour's scene without screens: a run, a view of it, and a cursor."""

    def __init__(self, run: Run, view: Any, node: int, paused: bool = False) -> None:
        super().__init__(SimpleNamespace(training=SimpleNamespace(lanes=[])))  # type: ignore[arg-type]
        self.run = run
        self._lane, self._node = SimpleNamespace(run=run, view=view, paused=paused), node
        self.held: int | None = None

    @property
    def lane(self) -> Any:
        return self._lane

    @property
    def node(self) -> int:
        return self._node

    @property
    def marked(self) -> int | None:
        return self.held


def counted(facts: Facts, games: str, right: str, of: str) -> None:
    verdicts = [facts.verdict(name) for name in facts.names if name != "0,0,0,0"]
    assert int(real(games.replace("no", "0"))) == facts.view.games
    assert (int(right), int(of)) == (verdicts.count("right"), len(verdicts) - verdicts.count("lost"))


def divided(facts: Facts, most: str, close: str, of_close: str, far: str, of_far: str) -> None:
    for near, right, of in ((True, close, of_close), (False, far, of_far)):
        some = [name for name in facts.names if (sum(map(int, name.split(","))) <= int(most)) == near and nim_sum(name)]
        assert int(of) == len(some) and int(right) == sum(facts.verdict(name) == "right" for name in some)


def all_right(facts: Facts) -> None:
    assert all(facts.verdict(name) in ("right", "lost") for name in facts.names)


def at(facts: Facts, name: str) -> str:
    assert name == facts.names[facts.node]
    return facts.verdict(name)


def plays(facts: Facts, name: str, move: str) -> None:
    """The table plays this move, and it is right: of several equal moves all are."""
    best, _ = facts.best(name)
    assert at(facts, name) == "right" and facts.best(name)[1]
    assert best == {move} if move != "one of its best-scored moves" else len(best) > 1


def draws_right(facts: Facts, name: str, move: str | None = None) -> None:
    best, above = facts.best(name)
    assert at(facts, name) == "right" and not above
    assert move in (None, "one of its best-scored moves") or best == {move}


def only(facts: Facts, name: str, wins: str) -> None:
    named = set(re.split(", | or ", re.sub(r" and \d+ more$", "", wins)))
    more = re.search(r" and (\d+) more$", wins)
    assert named <= facts.winning(name) and len(facts.winning(name) - named) == int(more[1] if more else 0)


def wrong(facts: Facts, name: str, move: str | None, wins: str) -> None:
    best, above = facts.best(name)
    assert at(facts, name) == "wrong"
    only(facts, name, wins)
    assert (move is None) == (not above)
    assert move is None or (best == {move} if move != "one of its best-scored moves" else len(best) > 1)


def undecided(facts: Facts, name: str, wins: str) -> None:
    assert at(facts, name) == "undecided" and len(facts.best(name)[0]) > 1
    only(facts, name, wins)


def undecided_or_wrong(facts: Facts, name: str, wins: str) -> None:
    assert at(facts, name) == "undecided"
    only(facts, name, wins)


HEAD = r"(?:A table (?:learns the tower by playing|plays) itself\. )?"
POS, MOVE = r"([\d,]+)", r"([a-d]\d+|one of its best-scored moves)"
TABLE: Patterns = {
    rf"{HEAD}({COUNT}|no) games?: (\d+) of (\d+) positions right\.": counted,
    r"Paused after ([\d,]+) games?\.": lambda facts, games: same(int(real(games)), facts.view.games),
    r"Right with (\d+) matches or fewer: (\d+) of (\d+) positions\. With more: (\d+) of (\d+)\.": divided,
    r"Up to (\d+) matches: (\d+) of (\d+) right\. More: (\d+) of (\d+)\.": divided,
    r"Every best move of the table is right\.": all_right,
    rf"{POS} is lost: every move loses\.": lambda facts, name: same(at(facts, name), "lost"),
    rf"At {POS} the table plays {MOVE}: right\.": plays,
    rf"At {POS} {MOVE} is right, but no score is above 0: the table draws\.": draws_right,
    rf"At {POS} the table draws\.": draws_right,
    rf"Undecided: at {POS} its best scores are equal\. Only (.+) wins?\.": undecided,
    rf"At {POS} only (.+) wins?\.": undecided_or_wrong,
    rf"(?:Still wrong: a|A)t {POS} the table (?:draws at random|plays {MOVE})\. Only (.+) wins?\.": wrong,
    rf"{POS}: {MOVE} is wrong, (.+) wins?\.": lambda facts, name, move, wins: wrong(
        facts, name, move if facts.best(name)[1] else None, wins
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 1 + examples(1)))
def test_every_sentence_about_the_table_is_true(seed: int) -> None:
    force = Force("tower:16")
    run = Run(Training(force.game, parse_learner("reward"), seed))
    told = set[str]()
    for games in (1, 30, 1000, 20_000, 200_000):
        run.views.every = 1.0
        run.goal(games)
        run.work()
        facts = Facts(force, run)
        for texts in (say.learning(facts.scene), say.shares(facts.scene)):
            told |= {check(text, TABLE, facts) for text in texts}
        told |= {check(text, TABLE, facts) for text in say.learning(Told(run, facts.view, -1, paused=True))}
        nodes = range(len(facts.names))
        for node in random.Random(games).sample(nodes, min(len(nodes), 60 * examples(1))):
            facts.node, facts.scene = node, Told(run, facts.view, node)
            if facts.names[node] != "0,0,0,0":
                told |= {check(text, TABLE, facts) for text in say.opened(facts.scene)}
    assert told >= set(TABLE) - {r"Every best move of the table is right\."}


class Game:
    """The tour's game after some moves: the table moves first."""

    def __init__(self, force: Force, session: Session) -> None:
        self.force, self.session = force, session
        self.states = [session.record.state_at(ply) for ply in range(session.record.ply + 1)]
        self.mark = -1  # the marked move

    def value(self, ply: int) -> int:
        """1 if the player to move there wins."""
        return self.force.value(self.states[ply])[0]


def moved(game: Game, deed: str, rest: str) -> None:
    is_deed(game.force.game, game.states[0], game.states[1], deed)
    before, after = game.value(0), game.value(1)
    assert {": a mistake. Now you can win": (1, 1), ". You can win": (-1, 1)}.get(rest, (1, -1)) == (before, after) or (
        rest == ": right. Every move of yours loses" and after == -1
    )
    if rest == ": right. Every move of yours loses":
        assert before == 1


def leaves(game: Game, deed: str, rest: str) -> None:
    state = game.states[-1]
    deed = deed[:1].lower() + deed[1:]
    left = game.force.after(state, game.mark)
    is_deed(game.force.game, state, left, deed)
    assert ("lost" in rest) == (game.force.value(left)[0] == -1)


def person_moved(game: Game) -> int:
    """The ply after the person's latest move."""
    ply = len(game.states) - 1
    return ply - ply % 2


def lost_before(game: Game) -> None:
    assert game.value(person_moved(game) - 1) == -1


def gave_back(game: Game, rest: str) -> None:
    at = person_moved(game)
    assert game.value(at - 1) == 1 and game.value(at) == 1
    assert (rest == ": now the table can win") == (at == len(game.states) - 1)
    assert rest != ". The table took it" or game.value(at + 1) == -1


def stays(game: Game, first: bool) -> None:
    at = person_moved(game)
    assert game.value(at - 1) == 1 and game.value(at) == -1 and (at == 2 or not first)


def mistake(game: Game) -> None:
    """The table's move turned a won position into one that the person wins."""
    assert game.value(len(game.states) - 2) == 1 == game.value(len(game.states) - 1)


MOVED: Patterns = {
    r"The table (took .+?)(: a mistake\. Now you can win|\. You can win|: right\. Every move of yours loses)\.": moved,
    r"(Take .+?): then the table (is lost, whatever it plays|is lost|can win)\.": leaves,
    r"The table makes a mistake: now you can win\.": mistake,
    r"Your position was lost\. The table wins if it plays right\.": lost_before,
    r"You gave the win back(: now the table can win|\. The table took it)\.": gave_back,
    r"You punish the mistake: the table is lost(?:, whatever it plays)?\.": lambda game: stays(game, True),
    r"Right: the table is still lost(?:, whatever it plays)?\.": lambda game: stays(game, False),
}


@pytest.mark.slow
def test_every_sentence_about_the_game_is_true() -> None:
    force, told, chance = Force("tower:16"), set[str](), random.Random(3)
    run = Run(Training(force.game, parse_learner("reward"), 1))
    run.views.every = 1.0
    run.goal(10)
    run.work()
    positions = [state for state in force.positions(120 * examples(1)) if base.outcome(state) == base.GOING_ON]
    for state in chance.sample(positions, min(250, len(positions))):
        scene = Told(run, run.views.newest, -1)
        session = scene.session = Session(PlaySetup("tower:16", force.game.position_name(state), ("random", "me"), 0))
        while not session.over:
            session.play(chance.choice(base.legal_moves(session.state)))
            game = Game(force, session)
            if session.record.ply == 1:
                told |= {check(text, MOVED, game) for text in say.table_moved(scene)}
                assert say.marks(scene) == ("mark a winning move" if game.value(1) == 1 else "mark the best move")
                if not session.over:
                    scene.held = game.mark = chance.choice(base.legal_moves(session.state))
                    told |= {check(text, MOVED, game) for text in say.advised(scene)}
            elif session.over:
                [text] = say.judged(scene)
                assert is_result(force.game, game.states, ("random", "me"), text) == "last match"
            else:
                told |= {check(text, MOVED, game) for text in say.judged(scene)}
            if session.record.ply == 1 and not session.over:
                check_reason(scene, session.state, force)
    assert told == set(MOVED)


def check_reason(scene: Any, state: State, force: Force) -> None:
    """The reason is the explanation's, which tests/theory take apart."""
    found = advice.explained(force.game, state)
    assert not isinstance(found, str)
    scene.app.game_played = SimpleNamespace(explaining=SimpleNamespace(explanation=found))
    told = found.plain or sentences(theory.explain(force.game, state))
    assert say.reason(scene)[0] == " ".join(told[:2]) and say.reason(scene)[-1] == told[0]
