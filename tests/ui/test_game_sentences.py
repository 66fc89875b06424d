"""What is said of games while they are played: random games of every kind, against the boards."""

from __future__ import annotations

import random
import re

from nimtui.agents import parse_agent
from nimtui.arena.review.review import review
from nimtui.engine.rng import Stream
from nimtui.games import base, registry
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import view
from tests.deeds import inside, is_deed, is_result, names_of
from tests.examples import examples
from tests.games import wythoff
from tests.patterns import Patterns, check, same
from tests.theory.force import Force

registry.add(wythoff)  # an own game without a picture and without verbs
GAMES = ["nim:3,2,2", "subtraction:11,3:misere", "kayles:1,3,2:misere", "chomp:2x4", "noughts:3x3x3", "connect:3x3x3",
         "connect:4x3x3", "wythoff:3,4"]  # fmt: skip
SEATS = [("me", "random"), ("perfect", "me"), ("me", "me"), ("random", "random"), ("mc:playouts=9", "random")]
WORTH = {"win": 1, "draw": 0, "loss": -1}


class Facts:
    """A session, its positions, and brute force."""

    def __init__(self, force: Force, session: Session, seats: tuple[str, str]) -> None:
        self.force, self.session, self.seats, self.names = force, session, seats, names_of(seats)
        self.ply = session.record.ply
        self.states = [session.record.state_at(ply) for ply in range(self.ply + 1)]

    def before(self, ply: int) -> int:
        return self.force.value(self.states[ply])[0]

    def after(self, ply: int) -> tuple[int, int]:
        """The value after so many moves for the player of the next one, and the plies to the end."""
        sign, plies = self.force.value(self.states[ply + 1])
        return -sign, plies


def keeps(facts: Facts, ply: int, outcome: str) -> None:
    assert facts.before(ply) == facts.after(ply)[0] == WORTH[outcome]


def gave(facts: Facts, ply: int, before: str, after: str) -> None:
    assert WORTH[before] == facts.before(ply) > facts.after(ply)[0] == WORTH[after]


def ends(facts: Facts, ply: int, who: str, how: str, plies: str | None = None, unit: str = "") -> None:
    assert who in ("it", inside(facts.names[ply % 2]))
    sign, left = facts.after(ply)
    assert sign == {"win": 1, "lose": -1}[how.rstrip("s")] and how.endswith("s") == (who != "you")
    assert plies is None or (left == int(plies) and (unit == "ply") == (plies == "1"))


VERDICTS: Patterns = {
    r"keeps the (win|draw)": keeps,
    r"(win|draw) → (draw|loss)": gave,
    r"was lost anyway": lambda facts, ply: same(facts.before(ply), -1),
}
TOLD: Patterns = {
    r"(.+) (?:has|have) (won|lost)": lambda facts, ply, who, how: same(
        facts.after(ply), ({"won": 1, "lost": -1}[how], 0)
    ),
    r"(?:exact: )?a draw(?: with perfect play)?": lambda facts, ply: same(facts.after(ply)[0], 0),
    r"(?:exact: )?(.+?) (wins?|loses?) in (\d+) (ply|plies)(?: with perfect play)?": ends,
    r"(?:exact: )?(.+?) (wins?|loses?)(?: with perfect play)?": ends,
}
BELIEFS = re.compile(r"(was|were) sure |expected |scored the move ")


def said_of(facts: Facts) -> str:
    """Check what is said during a game, or at its end; return the form of the result."""
    session, latest = facts.session, words.latest(facts.session)
    assert bool(latest) == bool(facts.ply and not session.authors[facts.ply - 1].person)
    if latest:
        who = facts.names[(facts.ply - 1) % 2]
        assert latest.startswith(f"{who} ")
        is_deed(facts.force.game, facts.states[-2], facts.states[-1], latest.removeprefix(f"{who} "))
    if not session.over:
        assert (words.question(session), words.result(session)) == ("where did it turn?", "The game is not finished.")
        return ""
    winner = session.record.winner
    loser = "" if winner is None else facts.names[1 - winner]
    question = "why a draw?" if winner is None else f"why did {'I' if loser == 'You' else inside(loser)} lose?"
    assert words.question(session) == question
    return is_result(facts.force.game, facts.states, facts.seats, words.result(session))


def judged(facts: Facts, plies: bool) -> set[str]:
    """Check the verdicts and the exact values of a finished game; return their forms."""
    session, told = facts.session, set[str]()
    session.judgements = review(session.record, plies=plies)
    marks, story = view.moves(session, UNICODE).marks, words.story_of(session)
    for ply, found in enumerate(session.judgements):
        told.add(check(found.effect, VERDICTS, facts, ply))
        assert marks.get(ply, "") == (f"✗ {found.effect}" if found.mistake else "")
        number, *parts = re.split(r"\. |: |; ", story.told(ply).rstrip("."))
        assert number == f"Move {ply + 1}"
        last = story.told(ply).rstrip(".").removeprefix(f"Move {ply + 1}: ").split("; ")[-1]
        told.add(check(last, TOLD, facts, ply))
        assert last.startswith("exact: ") <= bool(BELIEFS.search(story.told(ply))) and parts
    return told


def test_every_sentence_about_a_game_that_is_played_is_true() -> None:
    told, results = set[str](), set[str]()
    for game in GAMES:
        force = Force(game)
        for number, seats in enumerate(SEATS * examples(1)):
            chance, session = random.Random(f"{game} {number}"), Session(PlaySetup(game, None, seats, 1))
            agent = parse_agent("value", force.game)
            while not session.over:
                results.add(said_of(Facts(force, session, seats)))
                if session.waiting_for is not None and chance.random() < 0.6:
                    decision = agent.decide(session.state, Stream(session.record.ply))
                    session.play(decision.move, decision)
                else:
                    session.play(chance.choice(base.legal_moves(session.state)))
            results.add(said_of(Facts(force, session, seats)))
            told |= judged(Facts(force, session, seats), plies=number % 3 > 0)
    assert results == {"", "draw", "last match", "line", "deed", "wins"} and told == {*VERDICTS, *TOLD}
