"""What the tour says at every step, for tables of every age and every game of a small tower, taken apart."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
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
from nimtui.ui.tour import tour as say
from nimtui.ui.tour.tour import Scene
from nimtui.ui.train.view import Atlas
from tests.deeds import is_deed, is_result
from tests.patterns import COUNT, Patterns, check, real, same
from tests.theory.force import Force, is_true

GAME = "nim:2,3,4"  # its start has more than eight matches
AGES = (1, 30, 300, 20_000)  # games of a table


def nim_sum(name: str) -> int:
    return reduce(xor, map(int, name.split(",")))


class Told(Scene):
    """The tour's scene without screens: a run, a view of it, and a cursor."""

    def __init__(self, run: Run, view: Any, node: int = -1, paused: bool = False) -> None:
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


class Facts:
    """A table at one moment, judged by nim-sums and by its own scores."""

    def __init__(self, force: Force, run: Run) -> None:
        view, known = run.views.newest, run.training.truth
        assert view is not None and known is not None
        self.force, self.table, self.view, self.node = force, run.training.table.copy(), view, -1
        self.scene: Any = Told(run, view)
        atlas = Atlas(force.game, known)
        self.names = [atlas.name(at) for at in range(len(known.values))]

    def best(self, name: str) -> tuple[set[str], bool]:
        """The best-scored moves of a position, and whether one of them scores above 0."""
        state = self.force.game.new(name)
        scores = self.table.scores(state)
        top = max(scores.values())
        return {self.force.game.move_name(move, state) for move in scores if scores[move] == top}, top > 0

    def winning(self, name: str) -> set[str]:
        game, state = self.force.game, self.force.game.new(name)
        after = {move: game.position_name(self.force.after(state, move)) for move in base.legal_moves(state)}
        return {game.move_name(move, state) for move, left in after.items() if not nim_sum(left)}

    def verdict(self, name: str) -> str:
        if not nim_sum(name):
            return "lost"
        best, keeping = self.best(name)[0], self.winning(name)
        return "right" if best <= keeping else "undecided" if best & keeping else "wrong"


def counted(facts: Facts, games: str, right: str, of: str) -> None:
    verdicts = [facts.verdict(name) for name in facts.names]
    assert int(real(games)) == facts.view.games
    assert (int(right), int(of)) == (verdicts.count("right"), len(verdicts) - verdicts.count("lost"))


def divided(facts: Facts, most: str, close: str, of_close: str, far: str, of_far: str) -> None:
    for near, right, of in ((True, close, of_close), (False, far, of_far)):
        some = [name for name in facts.names if (sum(map(int, name.split(","))) <= int(most)) == near and nim_sum(name)]
        assert int(of) == len(some) and int(right) == sum(facts.verdict(name) == "right" for name in some)


def at(facts: Facts, name: str) -> str:
    assert name == facts.names[facts.node]
    return facts.verdict(name)


def one_of(best: set[str], move: str | None) -> bool:
    """Of several equal moves all are named together."""
    return move is None or (best == {move} if move != "one of its best-scored moves" else len(best) > 1)


def right(facts: Facts, name: str, move: str | None, drawn: bool) -> None:
    best, above = facts.best(name)
    assert at(facts, name) == "right" and above != drawn and one_of(best, move)


def only(facts: Facts, name: str, wins: str) -> None:
    named = set(re.split(", | or ", re.sub(r" and \d+ more$", "", wins)))
    more = re.search(r" and (\d+) more$", wins)
    assert named <= facts.winning(name) and len(facts.winning(name) - named) == int(more[1] if more else 0)


def wrong(facts: Facts, name: str, move: str | None, wins: str) -> None:
    best, above = facts.best(name)
    assert at(facts, name) == "wrong" and (move is None) == (not above) and one_of(best, move)
    only(facts, name, wins)


def undecided(facts: Facts, name: str, wins: str) -> None:
    assert at(facts, name) == "undecided" and len(facts.best(name)[0]) > 1
    only(facts, name, wins)


HEAD = r"(?:A table (?:learns the tower by playing|plays) itself\. )?"
POS, MOVE = r"([\d,]+)", r"([a-d]\d+|one of its best-scored moves)"
TABLE: Patterns = {
    rf"{HEAD}({COUNT}) games?: (\d+) of (\d+) positions right\.": counted,
    r"Paused after ([\d,]+) games?\.": lambda facts, games: same(int(real(games)), facts.view.games),
    r"Right with (\d+) matches or fewer: (\d+) of (\d+) positions\. With more: (\d+) of (\d+)\.": divided,
    r"Up to (\d+) matches: (\d+) of (\d+) right\. More: (\d+) of (\d+)\.": divided,
    r"Every best move of the table is right\.": lambda facts: is_true(
        all(facts.verdict(name) in ("right", "lost") for name in facts.names)
    ),
    rf"{POS} is lost: every move loses\.": lambda facts, name: same(at(facts, name), "lost"),
    rf"At {POS} the table plays {MOVE}: right\.": lambda facts, name, move: right(facts, name, move, False),
    rf"At {POS} {MOVE} is right, but no score is above 0: the table draws\.": lambda facts, name, move: right(
        facts, name, move, True
    ),
    rf"At {POS} the table draws\.": lambda facts, name: right(facts, name, None, True),
    rf"Undecided: at {POS} its best scores are equal\. Only (.+) wins?\.": undecided,
    rf"At {POS} only (.+) wins?\.": undecided,
    rf"(?:Still wrong: a|A)t {POS} the table (?:draws at random|plays {MOVE})\. Only (.+) wins?\.": wrong,
    rf"{POS}: {MOVE} is wrong, (.+) wins?\.": lambda facts, name, move, wins: wrong(
        facts, name, move if facts.best(name)[1] else None, wins
    ),
}


@pytest.fixture(scope="module")
def force() -> Force:
    return Force(GAME)


@pytest.fixture(scope="module")
def tables(force: Force) -> list[Facts]:
    """The same table at every age."""
    run = Run(Training(force.game, parse_learner("reward"), 1))
    run.views.every = 1.0

    def aged() -> Iterator[Facts]:
        for games in AGES:
            run.goal(games)
            run.work()
            yield Facts(force, run)

    return [*aged()]


def test_every_sentence_about_the_table_is_true(tables: list[Facts]) -> None:
    told = set[str]()
    for facts in tables:
        scene = facts.scene
        assert len(say.learning(scene)) == 3 and scene.draws_at(0) == (not facts.best(facts.names[0])[1])
        for texts in (say.learning(scene), say.shares(scene)):
            told |= {check(text, TABLE, facts) for text in texts}
            assert [*texts] == sorted(texts, key=len, reverse=True)
        told |= {check(text, TABLE, facts) for text in say.learning(Told(scene.run, facts.view, paused=True))}
        for node, name in enumerate(facts.names):
            facts.node = node
            if any(map(int, name.split(","))):
                texts = say.opened(Told(scene.run, facts.view, node))
                told |= {check(text, TABLE, facts) for text in texts}
                assert [*texts] == sorted(texts, key=len, reverse=True)
    assert told >= set(TABLE) - {r"Every best move of the table is right\."}


class Game:
    """The tour's game after some moves: the table moves first."""

    def __init__(self, force: Force, session: Session) -> None:
        self.force, self.session = force, session
        self.states = [session.record.state_at(ply) for ply in range(session.record.ply + 1)]
        self.values = [force.value(state)[0] for state in self.states]  # 1 if the player to move there wins
        self.mark = -1  # the marked move
        ply = session.record.ply
        self.at = ply - ply % 2  # the ply after the person's latest move


def moved(game: Game, deed: str, rest: str) -> None:
    is_deed(game.force.game, game.states[0], game.states[1], deed)
    said = {": a mistake. Now you can win": (1, 1), ". You can win": (-1, 1)}
    assert said.get(rest, (1, -1)) == tuple(game.values[:2])


def leaves(game: Game, deed: str, rest: str) -> None:
    left = game.force.after(game.states[-1], game.mark)
    is_deed(game.force.game, game.states[-1], left, deed[:1].lower() + deed[1:])
    assert ("lost" in rest) == (game.force.value(left)[0] == -1)


def gave_back(game: Game, rest: str) -> None:
    assert game.values[game.at - 1] == 1 and game.values[game.at] == 1
    assert (rest == ": now the table can win") == (game.at == len(game.states) - 1)
    assert rest != ". The table took it" or game.values[game.at + 1] == -1


def stays(game: Game, first: bool) -> None:
    assert game.values[game.at - 1] == 1 and game.values[game.at] == -1 and (game.at == 2) == first


MOVED: Patterns = {
    r"The table (took .+?)(: a mistake\. Now you can win|\. You can win|: right\. Every move of yours loses)\.": moved,
    r"(Take .+?): then the table (is lost, whatever it plays|is lost|can win)\.": leaves,
    r"The table makes a mistake: now you can win\.": lambda game: same(game.values[-2:], [1, 1]),
    r"Your position was lost\. The table wins if it plays right\.": lambda game: same(game.values[game.at - 1], -1),
    r"You gave the win back(: now the table can win|\. The table took it)\.": gave_back,
    r"You punish the mistake: the table is lost(?:, whatever it plays)?\.": lambda game: stays(game, True),
    r"Right: the table is still lost(?:, whatever it plays)?\.": lambda game: stays(game, False),
}


def test_every_sentence_about_the_game_is_true(force: Force, tables: list[Facts]) -> None:
    told, chance = set[str](), random.Random(3)
    run = tables[-1].scene.run
    for state in (state for state in force.positions(200) if base.outcome(state) == base.GOING_ON):
        scene = Told(run, run.views.newest)
        assert scene.value_after(1) is None and say.advised(scene) == ("Your move.",) and say.judged(scene) == ("",)
        scene.app.game_played = SimpleNamespace(waiting=SimpleNamespace(text=""))  # type: ignore[misc]
        assert say.table_moved(scene) == ("The table moves first.",)
        setup = PlaySetup(GAME, force.game.position_name(state), ("random", "me"), 0)
        session = scene.session = Session(setup)
        while not session.over:
            session.play(chance.choice(base.legal_moves(session.state)))
            game = Game(force, session)
            if session.record.ply == 1:
                told |= {check(text, MOVED, game) for text in say.table_moved(scene)}
                assert say.marks(scene) == ("mark a winning move" if game.values[1] == 1 else "mark the best move")
                if not session.over:
                    scene.held = game.mark = chance.choice(base.legal_moves(session.state))
                    told |= {check(text, MOVED, game) for text in say.advised(scene)}
                    check_reason(scene, session.state, force)
            elif session.over:
                [text] = say.judged(scene)
                assert is_result(force.game, game.states, ("random", "me"), text) == "last match"
            else:
                told |= {check(text, MOVED, game) for text in say.judged(scene)}
    assert told == set(MOVED)


def check_reason(scene: Any, state: State, force: Force) -> None:
    """The reason is the explanation's, which tests/theory take apart."""
    explanation = advice.explained(force.game, state)
    assert not isinstance(explanation, str)
    told = explanation.plain or sentences(theory.explain(force.game, state))
    for why, says in (
        (explanation, (" ".join(told[:2]), *(told[1:2] or told[:1]), told[0])),
        ("Too large to solve", ("Too large to solve.",)),
        (None, ("The explanation is closed. w opens it.",)),
    ):
        scene.app.game_played = SimpleNamespace(explaining=SimpleNamespace(explanation=why))
        assert say.reason(scene) == says
