"""What Play, a replay and the analysis say of games: random games of every kind, each sentence taken apart."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from nimtui.agents import Agent, Thought, parse_agent
from nimtui.arena.review.review import review
from nimtui.engine.rng import Stream
from nimtui.games import base, registry
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
from tests.examples import examples, few
from tests.games import wythoff
from tests.patterns import Patterns, check, near, same
from tests.theory.force import Force, is_true

registry.add(wythoff)  # an own game without a picture and without verbs
GAMES = ("nim:3,2,2", "nim:2,3,1:misere", "nim:5,4:max=2", "tower:9:misere", "subtraction:12,3",
         "subtraction:11,3:misere", "adjacent:2,4", "kayles:1,3,2:misere", "chomp:2x4", "noughts:3x3x3",
         "connect:3x3x3", "connect:4x3x3", "wythoff:3,4")  # fmt: skip
SEATS = (("me", "random"), ("perfect", "me"), ("me", "me"), ("random", "random"),
         ("mcts:simulations=60", "mc:playouts=20"))  # fmt: skip
SHOWN = ("alphabeta:depth=-1", "alphabeta:depth=2", "value", "reward:games=300,seed=1", "average:games=300,seed=1")
VALUES = {"win": 1, "draw": 0, "loss": -1, "to win": 1, "of a draw": 0, "to lose": -1, "won": 1, "lost": -1, "lose": -1}


class Played:
    """A session after a move, its positions, and brute force."""

    def __init__(self, force: Force, session: Session, seats: tuple[str, str]) -> None:
        self.force, self.session, self.seats, self.names = force, session, seats, names_of(seats)
        self.ply, self.over = session.record.ply, session.over
        self.states = [session.record.state_at(ply) for ply in range(self.ply + 1)]

    def value(self, ply: int) -> tuple[int, int]:
        """The value after so many moves for the player of the last of them, and the plies to the end."""
        sign, plies = self.force.value(self.states[ply])
        return -sign, plies

    def who(self, ply: int) -> str:
        return inside(self.names[ply % 2])

    def thought(self, ply: int) -> Thought:
        decision = self.session.reflections[ply].decision
        return next(each for each in decision.thoughts if each.move == decision.move)


def random_game(game: str, seats: tuple[str, str], chance: random.Random, agents: list[Agent]) -> Iterator[Session]:
    """A session after every move; agents decide some moves, so that they believe something of them."""
    session = Session(PlaySetup(game, None, seats, 1))
    yield session
    while not session.over:
        agent = session.players[session.record.turn].agent
        if agent is not None and chance.random() < 0.6:
            decision = chance.choice([agent, *agents]).decide(session.state, Stream(session.record.ply))
            session.play(decision.move, decision)
        else:
            session.play(chance.choice(base.legal_moves(session.state)))
        yield session


def latest(game: Played, who: str, deed: str) -> None:
    assert who == game.names[(game.ply - 1) % 2]
    is_deed(game.force.game, game.states[-2], game.states[-1], deed)


def lost(game: Played, who: str) -> None:
    seat = (game.ply - 1) % 2 if int(base.outcome(game.states[-1])) == base.LOST else game.ply % 2
    assert game.over and who == ("I" if game.names[seat] == "You" else inside(game.names[seat]))


SAID: Patterns = {
    r"(.+) (took .+|dropped .+|ate .+|marked .+|played .+)": latest,
    r"where did it turn\?": lambda game: is_true(not game.over),
    r"The game is not finished\.": lambda game: is_true(not game.over),
    r"why a draw\?": lambda game: same(int(base.outcome(game.states[-1])), base.DRAW),
    r"why did (.+) lose\?": lost,
}
VERDICTS: Patterns = {
    r"keeps the (win|draw)": lambda game, ply, outcome: same(
        [VALUES[outcome]] * 2, [game.force.value(game.states[ply])[0], game.value(ply + 1)[0]]
    ),
    r"(win|draw) → (draw|loss)": lambda game, ply, *outcomes: same(
        [VALUES[each] for each in outcomes], [game.force.value(game.states[ply])[0], game.value(ply + 1)[0]]
    ),
    r"was lost anyway": lambda game, ply: same(game.force.value(game.states[ply])[0], -1),
}


def sure(game: Played, ply: int, who: str, verb: str, what: str) -> None:
    """Only exact knowledge is called sure: then brute force agrees."""
    assert who == game.who(ply) and (verb == "were") == (who == "you")
    assert game.value(ply + 1)[0] == VALUES[what]


def expected(game: Played, ply: int, who: str, number: str) -> None:
    thought = game.thought(ply)
    assert who == game.who(ply) and near(number, thought.mean if thought.value is None else thought.value)


def gave(game: Played, ply: int, who: str, number: str) -> None:
    thought = game.thought(ply)
    assert who == game.who(ply) and near(number, thought.score) and thought.value is None


def over(game: Played, ply: int, who: str, verb: str, how: str) -> None:
    assert who in ("it", game.who(ply)) and (verb == "have") == (who == "you")
    assert game.value(ply + 1) == (VALUES[how], 0)


def ends(game: Played, ply: int, who: str, how: str, plies: str | None = None, unit: str = "") -> None:
    sign, left = game.value(ply + 1)
    assert who in ("it", game.who(ply)) and how.endswith("s") == (who != "you") and sign == VALUES[how.rstrip("s")]
    assert plies is None or (left == int(plies) and (unit == "ply") == (plies == "1"))


TOLD: Patterns = {
    r"(.+) (was|were) sure (to win|of a draw|to lose)": sure, r"(.+) expected ([+−]?\d\.\d\d)": expected,
    r"(.+) scored the move ([+−]?[\d,]+(?:\.\d\d)?)": gave, r"(.+) (has|have) (won|lost)": over,
    r"(?:exact: )?a draw(?: with perfect play)?": lambda game, ply: same(game.value(ply + 1)[0], 0),
    r"(?!.* sure )(?:exact: )?(.+?) then (wins?|loses?) in (\d+) (ply|plies)(?: with perfect play)?": ends,
    r"(?!.* sure )(?:exact: )?(.+?) (wins?|loses?)(?: with perfect play)?": ends,
}  # fmt: skip


def reviewed(game: Played, plies: bool) -> set[str]:
    """The forms of the verdicts and of the value history of a finished game."""
    session, found = game.session, set[str]()
    session.judgements = review(session.record, plies=plies)
    marks = value_history.mistakes(session, UNICODE)
    for ply, judged in enumerate(session.judgements):
        found.add(check(judged.effect, VERDICTS, game, ply))
        assert marks.get(ply, "") == (f"✗ {judged.effect}" if judged.mistake else "")
    story = words.story_of(session)
    for ply in range(game.ply):
        head = re.fullmatch(rf"Move {ply + 1}: (.+)\.", story.told(ply))
        assert head
        *belief, exact = head[1].split("; ")
        found |= {check(part, TOLD, game, ply) for part in (*belief, exact)}
        assert len(belief) < 2 and (not belief or ply in session.reflections)
        ended = game.value(ply + 1)[1] == 0 and plies
        assert exact.startswith("exact: ") == bool(belief and not ended), head[0]
        if belief and not belief[0].startswith("you "):
            assert re.match(r"(exact: )?(it |a draw)", exact)
    return found


def test_every_sentence_about_a_game_that_is_played_is_true() -> None:
    found = set[str]()
    some = ("nim:2,3,1:misere", "adjacent:2,4", "chomp:2x4", "noughts:3x3x3", "connect:3x3x3", "wythoff:3,4")
    for name in few(some, GAMES):
        force = Force(name)
        agents = [parse_agent(spec, force.game) for spec in SHOWN]
        for number, seats in enumerate(SEATS * examples(2)):
            for session in random_game(name, seats, random.Random(f"{name} {number}"), agents):
                game = Played(force, session, seats)
                found.add(check(words.question(session), SAID, game))
                assert bool(words.latest(session)) == bool(game.ply and not session.authors[game.ply - 1].person)
                found |= {check(text, SAID, game) for text in [words.latest(session)] if text}
                if session.over:
                    found.add(is_result(force.game, game.states, seats, words.result(session)))
                else:
                    found.add(check(words.result(session), SAID, game))
            found |= reviewed(game, plies=number % 3 > 0)
    assert found == {*SAID, *VERDICTS, *TOLD, "draw", "last match", "line", "deed", "wins"}


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
