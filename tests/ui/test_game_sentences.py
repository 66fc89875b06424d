"""What the Play screen and the replay say of games: random games of every kind, each sentence taken apart."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from nimtui.agents import Agent, parse_agent
from nimtui.arena.review import review
from nimtui.engine.rng import Stream
from nimtui.games import base, registry
from nimtui.games.base import State
from nimtui.ui.play import sentences as words
from nimtui.ui.play import value_history, verdicts
from nimtui.ui.play.session import Session
from nimtui.ui.play.setup import PlaySetup
from tests.deeds import MATCHES, inside, is_deed, is_result, names_of
from tests.examples import examples
from tests.games import wythoff
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force

registry.add(wythoff)  # an own game without a picture and without verbs
GAMES = [
    "nim:3,2,2",
    "nim:2,3,1:misere",
    "nim:5,4:max=2",
    "tower:9:misere",
    "subtraction:12,3",
    "subtraction:11,3:misere",
    "adjacent:2,4",
    "kayles:1,3,2:misere",
    "chomp:2x4",
    "noughts:3x3x3",
    "connect:3x3x3",
    "connect:4x3x3",
    "wythoff:3,4",
]
SEATS = [
    ("me", "random"),
    ("perfect", "me"),
    ("me", "me"),
    ("random", "random"),
    ("mcts:simulations=60", "mc:playouts=20"),
]
SHOWN = ("alphabeta:depth=-1", "alphabeta:depth=2", "value", "reward:games=300,seed=1", "average:games=300,seed=1")


def states_of(session: Session) -> list[State]:
    return [session.record.state_at(ply) for ply in range(session.record.ply + 1)]


def played(game: str, seats: tuple[str, str], chance: random.Random, agents: list[Agent]) -> Iterator[Session]:
    """A session after every move of a random game; agents decide some moves, so that they believe something of it."""
    session = Session(PlaySetup(game, None, seats, 1))
    yield session
    while not session.over:
        moves = base.legal_moves(session.state)
        agent = session.players[session.record.turn].agent
        if agent is not None and chance.random() < 0.6:
            agent = chance.choice([agent, *agents])
            decision = agent.decide(session.state, Stream(session.record.ply))
            session.play(decision.move, decision)
        else:
            session.play(chance.choice(moves))
        yield session


class Facts:
    """A session after a move, its positions, and brute force."""

    def __init__(self, force: Force, session: Session, seats: tuple[str, str]) -> None:
        self.force, self.session, self.seats, self.names = force, session, seats, names_of(seats)
        self.states, self.ply = states_of(session), session.record.ply

    def value(self, ply: int) -> tuple[int, int]:
        """The value after so many moves for the player of the last of them, and the plies to the end."""
        sign, plies = self.force.value(self.states[ply])
        return -sign, plies


def latest(facts: Facts, who: str, deed: str) -> None:
    assert who == facts.names[(facts.ply - 1) % 2]
    is_deed(facts.force.game, facts.states[-2], facts.states[-1], deed)


def left(facts: Facts, number: str, unit: str) -> None:
    cells = [cell for row in facts.force.game.cells(facts.states[-1]) or () for cell in row]
    assert int(number.replace("no", "0")) == sum(cells) and (unit == "match") == (number == "1")


def lost(facts: Facts, who: str) -> None:
    [loser] = [seat for seat in (0, 1) if facts.session.over and facts.session.record.winner == 1 - seat]
    end, mover = int(base.outcome(facts.states[-1])), (facts.ply - 1) % 2
    assert loser == (mover if end == base.LOST else 1 - mover)
    assert who == ("I" if facts.names[loser] == "You" else inside(facts.names[loser]))


SAID: Patterns = {
    r"(.+) (took .+|dropped .+|ate .+|marked .+|played .+)": latest,
    r"(\d+|no) (match|matches) left": left,
    r"where did it turn\?": lambda facts: same(int(base.outcome(facts.states[-1])), base.GOING_ON),
    r"why a draw\?": lambda facts: same(int(base.outcome(facts.states[-1])), base.DRAW),
    r"why did (.+) lose\?": lost,
    r"The game is not finished\.": lambda facts: same(int(base.outcome(facts.states[-1])), base.GOING_ON),
}


# Verdicts and the value history.


def keeps(facts: Facts, ply: int, outcome: str) -> None:
    before = facts.force.value(facts.states[ply])[0]
    assert before == facts.value(ply + 1)[0] == {"win": 1, "draw": 0}[outcome]


def gave(facts: Facts, ply: int, before: str, after: str) -> None:
    value = {"win": 1, "draw": 0, "loss": -1}
    assert value[before] == facts.force.value(facts.states[ply])[0]
    assert value[after] == facts.value(ply + 1)[0] < value[before]


VERDICTS: Patterns = {
    r"keeps the (win|draw)": keeps,
    r"(win|draw) → (draw|loss)": gave,
    r"was lost anyway": lambda facts, ply: same(facts.force.value(facts.states[ply])[0], -1),
}


def by_move(facts: Facts, ply: int, who: str) -> None:
    assert who in ("it", inside(facts.names[ply % 2]))


def sure(facts: Facts, ply: int, who: str, verb: str, what: str) -> None:
    """Only exact knowledge is called sure: then brute force agrees."""
    assert who == inside(facts.names[ply % 2]) and (verb == "were") == (who == "you")
    assert facts.value(ply + 1)[0] == {"to win": 1, "of a draw": 0, "to lose": -1}[what]


def expected(facts: Facts, ply: int, who: str, number: str) -> None:
    assert who == inside(facts.names[ply % 2])
    decision = facts.session.reflections[ply].decision
    [thought] = [each for each in decision.thoughts if each.move == decision.move]
    value = thought.mean if thought.value is None else thought.value
    assert value is not None and abs(real(number) - value) <= 0.00501 and abs(real(number)) <= 1


def scored(facts: Facts, ply: int, who: str, number: str) -> None:
    assert who == inside(facts.names[ply % 2])
    decision = facts.session.reflections[ply].decision
    [thought] = [each for each in decision.thoughts if each.move == decision.move]
    assert thought.score is not None and thought.value is None and abs(real(number) - thought.score) <= 0.00501


def over(facts: Facts, ply: int, who: str, verb: str, how: str) -> None:
    by_move(facts, ply, who)
    assert facts.value(ply + 1) == ({"won": 1, "lost": -1}[how], 0) and (verb == "have") == (who == "you")


def ends(facts: Facts, ply: int, who: str, how: str, plies: str | None = None, unit: str = "") -> None:
    by_move(facts, ply, who)
    sign, left = facts.value(ply + 1)
    assert sign == {"win": 1, "lose": -1}[how.rstrip("s")] and how.endswith("s") == (who != "you")
    assert plies is None or (left == int(plies) and (unit == "ply") == (plies == "1"))


TOLD: Patterns = {
    r"(.+) (was|were) sure (to win|of a draw|to lose)": sure,
    r"(.+) expected ([+−]?\d\.\d\d)": expected,
    r"(.+) scored the move ([+−]?[\d,]+(?:\.\d\d)?)": scored,
    r"(.+) (has|have) (won|lost)": over,
    r"(?:exact: )?a draw(?: with perfect play)?": lambda facts, ply: same(facts.value(ply + 1)[0], 0),
    r"(?!.* sure )(?:exact: )?(.+?) (wins?|loses?) in (\d+) (ply|plies)(?: with perfect play)?": ends,
    r"(?!.* sure )(?:exact: )?(.+?) (wins?|loses?)(?: with perfect play)?": ends,
}


def said_of(facts: Facts) -> set[str]:
    """The forms of what is said during a game, and at its end."""
    session = facts.session
    told = {check(words.question(session), SAID, facts)}
    for text in (words.latest(session), words.standing(session)):
        if text:
            told.add(check(text, SAID, facts))
    assert bool(words.latest(session)) == bool(facts.ply and not session.author(facts.ply - 1).person)
    assert bool(words.standing(session)) == (facts.force.game.board_kind in MATCHES)
    if session.over:
        told.add(is_result(facts.force.game, facts.states, facts.seats, words.result(session)))
    else:
        told.add(check(words.result(session), SAID, facts))
    return told


def reviewed(facts: Facts, plies: bool) -> set[str]:
    """The forms of the verdicts and of the value history of a finished game."""
    session, told = facts.session, set[str]()
    session.judgements = review(session.record, plies=plies)
    for ply, found in enumerate(session.judgements):
        told.add(check(verdicts.said(found), VERDICTS, facts, ply))
        assert verdicts.mark(found, "✗") == (f"✗ {verdicts.said(found)}" if found.mistake else "")
    story = value_history.story_of(session)
    for ply in range(facts.ply):
        head = re.fullmatch(r"Move (\d+): (.+)\.", story.told(ply))
        assert head and int(head[1]) == ply + 1
        parts = head[2].split("; ")
        told |= {check(part, TOLD, facts, ply) for part in parts}
        believed = any(word in part for part in parts for word in (" sure ", " expected ", " scored the move "))
        assert len(parts) == 1 + believed and not (believed and ply not in session.reflections)
        over = facts.value(ply + 1)[1] == 0 and plies
        assert parts[-1].startswith("exact: ") == (believed and not over), head[0]
        if believed and not parts[0].startswith("you "):
            assert re.match(r"(exact: )?(it |a draw)", parts[-1])
    return told


@pytest.mark.slow
def test_every_sentence_about_a_game_that_is_played_is_true() -> None:
    told, results = set[str](), set[str]()
    for game in GAMES:
        force = Force(game)
        agents = [parse_agent(spec, force.game) for spec in SHOWN]
        for number, seats in enumerate(SEATS * examples(2)):
            chance = random.Random(f"{game} {number}")
            for session in played(game, seats, chance, agents):
                told |= said_of(Facts(force, session, seats))
            told |= reviewed(Facts(force, session, seats), plies=number % 3 > 0)
    results = told - {*SAID, *VERDICTS, *TOLD}
    assert results == {"draw", "last match", "line", "deed", "wins"}
    assert told - results == {*SAID, *VERDICTS, *TOLD}
