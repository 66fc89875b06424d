"""What the Play screen and the replay say of games: random games of every kind, each sentence taken apart."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from nimtui.agents import Agent, parse_agent
from nimtui.arena.review.review import review
from nimtui.engine.rng import Stream
from nimtui.games import base, registry
from nimtui.games.base import State
from nimtui.playing import advice
from nimtui.playing import sentences as words
from nimtui.playing.replay import KeptGame, Replay
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import plain_text
from nimtui.theory.answers import known_moves
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import value_history, view
from tests.deeds import inside, is_deed, is_result, names_of
from tests.examples import examples
from tests.games import wythoff
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force

pytestmark = pytest.mark.slow

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


def lost(facts: Facts, who: str) -> None:
    [loser] = [seat for seat in (0, 1) if facts.session.over and facts.session.record.winner == 1 - seat]
    end, mover = int(base.outcome(facts.states[-1])), (facts.ply - 1) % 2
    assert loser == (mover if end == base.LOST else 1 - mover)
    assert who == ("I" if facts.names[loser] == "You" else inside(facts.names[loser]))


SAID: Patterns = {
    r"(.+) (took .+|dropped .+|ate .+|marked .+|played .+)": latest,
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
    r"(?!.* sure )(?:exact: )?(.+?) then (wins?|loses?) in (\d+) (ply|plies)(?: with perfect play)?": ends,
    r"(?!.* sure )(?:exact: )?(.+?) (wins?|loses?)(?: with perfect play)?": ends,
}


def said_of(facts: Facts) -> set[str]:
    """The forms of what is said during a game, and at its end."""
    session = facts.session
    told = {check(words.question(session), SAID, facts)}
    if text := words.latest(session):
        told.add(check(text, SAID, facts))
    assert bool(words.latest(session)) == bool(facts.ply and not session.authors[facts.ply - 1].person)
    if session.over:
        told.add(is_result(facts.force.game, facts.states, facts.seats, words.result(session)))
    else:
        told.add(check(words.result(session), SAID, facts))
    return told


def reviewed(facts: Facts, plies: bool) -> set[str]:
    """The forms of the verdicts and of the value history of a finished game."""
    session, told = facts.session, set[str]()
    session.judgements = review(session.record, plies=plies)
    marks = value_history.mistakes(session, UNICODE)
    for ply, found in enumerate(session.judgements):
        told.add(check(found.effect, VERDICTS, facts, ply))
        assert marks.get(ply, "") == (f"✗ {found.effect}" if found.mistake else "")
    story = words.story_of(session)
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


# The replay, and the analysis of a position.


class Shown:
    """A replay at one position, its players by their short names, and brute force."""

    def __init__(self, force: Force, replay: Replay, seats: tuple[str, str]) -> None:
        self.force, self.replay, self.game = force, replay, force.game
        self.ply, self.moves = replay.record.ply, (*replay.record.moves, *reversed(replay.record.undone))
        self.states = [force.game.new()]
        for move in self.moves:
            self.states.append(force.after(self.states[-1], move))
        self.seats = seats  # of the first and the second player after the opening

    def who(self, ply: int) -> str:
        opening = self.replay.kept.opening
        if ply < opening:
            return "the opening"
        return "you" if self.seats[(ply - opening) % 2] == "me" else self.seats[(ply - opening) % 2]


def latest_move(shown: Shown, ply: str, last: str, who: str, deed: str) -> None:
    assert (int(ply), int(last)) == (shown.ply, len(shown.moves)) and who == shown.who(shown.ply - 1)
    is_deed(shown.game, shown.states[shown.ply - 1], shown.states[shown.ply], deed)


def next_move(shown: Shown, who: str, deed: str) -> None:
    assert who == shown.who(shown.ply) and deed.partition(" ")[0].endswith("s") == (who != "you")
    is_deed(shown.game, shown.states[shown.ply], shown.states[shown.ply + 1], deed)


def worth(shown: Shown, before: str, after: str, names: str, more: str | None, verb: str, kept: str) -> None:
    state, word = shown.states[shown.ply - 1], {"win": 1, "draw": 0, "loss": -1}
    assert shown.force.value(state)[0] == word[before] == word[kept] > word[after]
    assert -shown.force.value(shown.states[shown.ply])[0] == word[after]
    keeping, named = shown.force.keeping(state), set(re.split(", | or ", names))
    assert named <= keeping and len(keeping - named) == int(more or 0) and (verb == "keeps") == (len(keeping) == 1)


def kept_or_lost(shown: Shown, what: str) -> None:
    value = shown.force.value(shown.states[shown.ply - 1])[0]
    assert value == -shown.force.value(shown.states[shown.ply])[0]
    assert value == {"keeps the win": 1, "keeps the draw": 0, "was lost anyway": -1}[what]


VERB = r"(?:tak|took|drop|eat|ate|mark|play)"
FIRST: Patterns = {
    rf"(\d+) of (\d+)   (.+?) ({VERB}.*)": latest_move,
    r"0 of (\d+)   the start": lambda shown, last: same((0, int(last)), (shown.ply, len(shown.moves))),
}
WORTH: Patterns = {
    r"✗ (win|draw) → (draw|loss); (.+?)(?: (?:and|or) (\d+) more)? (keeps?) the (win|draw)": worth,
    r"(keeps the win|keeps the draw|was lost anyway)": kept_or_lost,
}
NEXT: Patterns = {rf"Next: (.+?) ({VERB}.*)": next_move}


@pytest.mark.slow
def test_every_sentence_of_a_replay_is_true() -> None:
    told = set[str]()
    for game in GAMES:
        force = Force(game)
        for number, seats in enumerate([("me", "random"), ("random", "perfect"), ("perfect", "me")]):
            chance, moves, state = random.Random(f"{game} {number}"), list[int](), force.game.new()
            while int(base.outcome(state)) == base.GOING_ON:
                moves.append(chance.choice(base.legal_moves(state)))
                state = force.after(state, moves[-1])
            opening = min(number, len(moves) - 1)
            replay = Replay(KeptGame(force.game.name, *seats, tuple(moves), opening), len(moves))
            replay.judgements = review(replay.record)
            for ply in range(len(moves) + 1):
                replay.look_at(ply)
                shown = Shown(force, replay, seats)
                paint = view.replayed(replay, None, "", None)
                top, bottom = (plain_text(line).rstrip() for line in paint(300, 2, UNICODE))
                first, judged = re.fullmatch(r"(.+?)(?: {2,}(✗ .+|keeps.+|was.+))?", top).groups()  # type: ignore[union-attr]
                told.add(check(first, FIRST, shown))
                assert bool(judged) == (ply > 0)
                told |= {check(judged, WORTH, shown)} if judged else set()
                if ply < len(moves):
                    told.add(check(bottom, NEXT, shown))
                else:
                    pair = seats if not opening % 2 else seats[::-1]
                    check_end(force, shown, (pair[0], pair[1]), bottom)
    assert told == {*FIRST, *WORTH, *NEXT}


def check_end(force: Force, shown: Shown, seats: tuple[str, str], text: str) -> None:
    """Check the result: players of a replay are called by their names, a person 'You'."""
    for name in {"random", "perfect"} & set(seats):
        text = re.sub(rf"(^|: ){name}\b", lambda found, name=name: found[1] + name.capitalize(), text)  # type: ignore[misc]
    is_result(force.game, shown.states, seats, text)


def test_what_is_said_of_an_analysed_position_is_true() -> None:
    told = set()
    for game in GAMES:
        force = Force(game)
        for state in [each for each in force.positions(6) if int(base.outcome(each)) == base.GOING_ON]:
            known = known_moves(force.game, state)
            assert known is not None
            found = re.fullmatch(r"(won|lost|drawn)(?: in (\d+) (ply|plies))?", advice.verdict(known))
            assert found
            sign, plies = force.value(state)
            assert sign == {"won": 1, "drawn": 0, "lost": -1}[found[1]] and bool(found[2]) == bool(sign)
            assert not found[2] or (int(found[2]) == plies and (found[3] == "ply") == (plies == 1))
            left = force.after(state, advice.best_by(known, None) or 0)
            assert force.value(left) == (-sign, plies - 1) or not sign
            told.add(found[1])
    assert told == {"won", "lost", "drawn"}
