"""What the Play screen says, without a screen: moves, results, hints, reviews, keys, the time left."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.api import games
from nimtui.arena.review.review import review, story
from nimtui.cli.plain import lines as plain_lines
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game, rule_text
from nimtui.jobs import Snapshot
from nimtui.playing import advice, serving
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.progress import SILENT, Cancelled
from nimtui.theory import nim
from nimtui.theory.answers import known_moves, move_values
from nimtui.theory.claims import OPPONENT, YOU, Player
from nimtui.theory.explanation import Depth, Explanation
from nimtui.ui.play.keys import rows_that_are_keys, typing_starts
from tests.games import crosses, wythoff
from tests.stops import Noted
from tests.ui.playing import played

SECOND, ALIKE = "The second player", ("random", "random")


@pytest.mark.parametrize(
    ("game", "moves", "seats", "result", "question"),
    [
        ("nim:1", "a1", ("me", "random"), "You took the last match and win.", "why did Random lose?"),
        ("nim:1:misere", "a1", ("me", "random"), "You took the last match: Random wins.", "why did I lose?"),
        ("nim:1,1:misere", "a1 b1", ("me", "random"), "Random took the last match: you win.", "why did Random lose?"),
        ("nim:1,1", "a1 b1", ("me", "me"), f"{SECOND} took the last match and wins.", "why did the first player lose?"),
        ("nim:1", "a1", ALIKE, "Random (first) took the last match and wins.", "why did Random (second) lose?"),
        ("connect4", "1 2 1 2 1 2 1", ("me", "random"), "You have four in a row and win.", "why did Random lose?"),
        ("connect:2x3x3", "1 2 1 2 1", ("me", "random"), "You have three in a row and win.", "why did Random lose?"),
        ("connect:2x5x5", "1 2 1 2 1 2 1 2 1", ("me", "me"), "The first player has five in a row and wins.",
         "why did the second player lose?"),
        ("connect:2x6x6", "1 2 1 2 1 2 1 2 1 2 1", ("me", "random"), "You have six in a row and win.",
         "why did Random lose?"),
        ("connect:2x7x7", "1 2 1 2 1 2 1 2 1 2 1 2 1", ("me", "random"), "You have 7 in a row and win.",
         "why did Random lose?"),
        ("connect:3x1x2", "1 3", ("me", "random"), "The game is not finished.", "where did it turn?"),
        ("connect:2x1x2", "1 2", ("me", "me"), "The board is full: a draw.", "why a draw?"),
        ("chomp:2x1", "a2 a1", ("me", "random"), "Random ate a1: you win.", "why did Random lose?"),
        ("noughts", "a1 b1 a2 b2 a3", ("me", "random"), "You marked a3 and win.", "why did Random lose?"),
        ("noughts", "b2 a1 a3 c1 b1 b3 c2 a2 c3", ("me", "random"), "The board is full: a draw.", "why a draw?"),
        ("tree:((3,5),2)", "1", ("me", "random"), "The game is not finished.", "where did it turn?"),
        ("tree:((3,5),2)", "1 2", ("me", "random"), "You get 5 points.", "which moves gave points away?"),
        ("tree:((-1,5),2)", "1 1", ("random", "me"), "You get 1 point.", "which moves gave points away?"),
        ("tree:((0,1),2)", "1 1", ("random", "me"), "The game pays 0.", "why a draw?"),
    ],
)  # fmt: skip
def test_results_and_the_question_of_a_review(
    game: str, moves: str, seats: tuple[str, str], result: str, question: str
) -> None:
    session = played(game, moves, seats)
    assert (words.result(session), words.question(session)) == (result, question)


def test_the_latest_move_is_told_if_an_agent_made_it_and_a_fault_ends_a_game() -> None:
    assert words.latest(played("nim:3,3")) == words.latest(played("nim:3,3", "a1")) == ""
    assert words.latest(played("nim:3,3", "a1", ("random", "me"))) == "Random took 1 from A"
    session = played("nim:3,3", "a1", ("perfect", "random"))
    session.fault = "random broke"
    assert words.result(session) == "random broke: Perfect wins."
    assert words.result(played("nim:1,1", "", ("random", "me"), "0,0")) == "You have already won."
    assert [words.inside(name) for name in ("You", "The first player", "Hard", "Theo")] == [
        "you", "the first player", "Hard", "Theo",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ready", "snapshot", "compiling", "text"),
    [
        (False, Snapshot(412_000, 1_000_000, "games"), "", "Hard trains: 412,000 of 1,000,000 games"),
        (False, Snapshot(1, 2, "games"), "compiling the engine, once", "Hard: compiling the engine, once"),
        (False, Snapshot(1, 2, "positions"), "", "Hard prepares: positions"),
        (False, Snapshot(), "", "Hard prepares"),
        (True, Snapshot(), "", "Hard is thinking"),
        (True, Snapshot(20, 50, "playouts"), "", "Hard is thinking: 20 of 50 playouts"),
        (True, Snapshot(20, 50, "nodes"), "", "Hard is thinking"),
    ],
)
def test_what_an_agent_is_doing(ready: bool, snapshot: Snapshot, compiling: str, text: str) -> None:
    assert words.working("Hard", ready, snapshot, compiling) == text


# Hints and explanations.


@pytest.mark.parametrize("game", ["tower:16", "nim:2,3,3:misere", "subtraction:21,3:misere", "adjacent:2,3,4:misere"])
def test_a_hint_is_always_a_best_move(game: str) -> None:
    found, chance = parse_game(game), random.Random(4)
    for _ in range(5):
        state = found.new()
        while base.outcome(state) == base.GOING_ON:
            hint = advice.hint(found, state)
            assert hint.move in theory.solve(found, state).best_moves
            if theory.solve(found, state).outcome is theory.Outcome.LOSS:
                assert hint.text.startswith("Every move loses")
            else:
                assert hint.text.lower().startswith(words.doing(found, state, hint.move).lower())
            base.play(state, chance.choice(base.legal_moves(state)))


@pytest.mark.parametrize(
    ("game", "verb"), [("nim:5,4:max=2", "it won 5"), ("noughts:3x3x3", "it scored"), ("connect:3x3x3", "Column ")]
)
def test_a_hint_without_a_solution_says_what_random_games_give(
    game: str, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsolvable(*_: object) -> None:
        raise theory.Unsolvable("too large")

    monkeypatch.setattr(advice.plain, "explained", unsolvable)
    paying = parse_game("tree:((3,5),(6,9,7),(0,1))")
    text = advice.hint(paying, paying.start).text
    said = re.fullmatch(r"2 looks best: \+([\d.]+) on average in a tree search\. Not solved exactly\.", text)
    assert said and 6 < float(said[1]) < 9, text  # between what the branch is worth and its largest payoff
    for name, text in (
        ("tree:(0,0)", "1 looks best: 0 on average in a tree search. Not solved exactly."),
        ("connect:2x1x2", "Column 1 looks best: it scored 50.0 % in 1,000 random games. Not solved exactly."),
    ):
        even = parse_game(name)
        assert advice.hint(even, even.start) == advice.Hint(0, text)
    found = parse_game(game)
    hint = advice.hint(found, found.new())
    decision = parse_agent("mc:playouts=1000", found).decide(found.new(), Stream(0))
    value = next(thought.value for thought in decision.thoughts if thought.move == decision.move)
    assert hint.move == decision.move and value is not None and verb in hint.text
    share = re.search(r"([\d.]+) % (?:of|in) 1,000 random games\. Not solved exactly\.$", hint.text)
    assert share and float(share[1]) == pytest.approx(50 * (value + 1), abs=0.0501)


def test_a_hint_in_a_lost_position_promises_only_what_the_board_shows() -> None:
    def hint(name: str, position: str | None = None) -> str:
        game = parse_game(name)
        return advice.hint(game, game.new(position)).text

    assert hint("tower:16").endswith("Take 1 from A to hold out longest: 16 plies.")
    assert hint("nim:1,1").startswith("Every move loses. Two equal rows are left.")
    assert "hold out" not in hint("nim:1,1")  # every move takes one
    assert hint("nim:60,60,61,61").endswith("Take 1 from A to leave the most matches.")
    assert hint("kayles:9", "100000001").startswith("Every move loses. Two equal runs are left.")
    assert hint("kayles:9").startswith("Take a5: then two equal runs are left.")
    listed = Game(crosses, crosses.parse("crosses", []))  # a list: nothing on it is taken
    state = listed.new()
    for place in (0, 1, 4):  # X holds the corner and the centre, O a side
        base.play(state, place)
    assert advice.hint(listed, state).text == (
        "Every move loses. The opponent wins within 2 more moves, whatever you do. Play 8 to hold out longest: 4 plies."
    )


def test_an_explanation_names_the_players_and_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("nim:1,2")
    for mover, other, text in (
        (YOU, OPPONENT, "the opponent takes from one, you take"),
        (Player("Hard"), YOU, "you take from one, Hard takes"),
    ):
        why = advice.explained(game, game.start, mover=mover, other=other)
        assert not isinstance(why, str) and why.remoteness == 3 and text in " ".join(why.plain)
        assert why.values == tuple(move_values(game, game.start))
    monkeypatch.setattr(nim, "QUICK_COST", 0)
    why = advice.explained(game, game.start)
    assert not isinstance(why, str) and {why.remoteness, *(value.remoteness for value in why.values)} <= {None, 0}
    over = advice.explained(game, game.new("0,0"))
    assert not isinstance(over, str) and over.over and over.plain == ()
    large = parse_game("connect4:9x6")
    assert "large" in str(advice.explained(large, large.start))
    hint = advice.hint(large, played("connect4:9x6", "1 1 2 2 3 3").state)
    assert (large.move_name(hint.move), hint.text) == (
        "4", "Column 4 looks best: it scored 100 % in 1,000 random games. Not solved exactly.",
    )  # fmt: skip


class Errands:
    """A conductor whose errands wait until a test runs them, and which hears what a test lets them think."""

    def __init__(self) -> None:
        self.waiting: dict[str, tuple[Any, ...]] = {}
        self.thought: dict[str, Any] = {}
        self.news = 0

    def errand(self, name: str, *given: Any, aside: bool = False) -> None:
        assert all(map(callable, given)) and aside == (name != advice.WHY)
        self.waiting[name] = given

    def drop(self, *names: str) -> None:
        for name in names:
            self.waiting.pop(name, None)
            self.thought.pop(name, None)

    def thoughts(self, name: str) -> Any:
        return self.thought.get(name)

    def on_errand(self, *names: str) -> bool:
        return any(name in self.waiting for name in names)

    def changed(self) -> None:
        self.news += 1


def test_a_position_is_explained_at_once_by_an_errand_or_with_the_reason_why_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_instant = theory.is_instant  # another test may have solved noughts
    monkeypatch.setattr(theory, "is_instant", lambda game, state: game.board_kind != "grid" and is_instant(game, state))
    errands: Any = Errands()
    why, start = advice.Explaining(errands), played("nim:3,4,5", "a1")
    assert (why.on, why.explains, why.explanation, why.scores(start)) == (False, False, None, {})
    why.explain(start)
    assert why.explanation is None and not errands.waiting, "explaining is off"
    for mover, seats in (((Player("Random (second)"), Player("Random (first)")), ("random", "random")),
                         ((YOU, OPPONENT), ("random", "me"))):  # fmt: skip
        session = played("nim:3,4,5", "a1", seats)
        why.next(session)
        assert why.on and why.explains and not errands.waiting and why.scores(session) == {}
        assert why.explanation == advice.explained(session.game, session.state, SILENT, *mover)
        for depth in Depth:
            assert why.depth is depth and why.on
            why.next(session)
        assert (why.on, why.depth, why.explanation, why.explains) == (False, Depth.PLAIN, None, False)
    why.next(start)
    why.next(start)
    why.next(start, close=True)
    assert (why.on, why.depth, why.explanation) == (False, Depth.PLAIN, None)
    over = played("noughts", "a1 b1 a2 b2 a3")
    why.next(over)
    assert isinstance(why.explanation, Explanation) and why.on and not why.explains and not errands.waiting
    why.next(over)
    assert not why.on, "nothing is deeper at the end"
    for name, moves in (("noughts", "a1 b1 a2"), ("connect:3x2x3", "1"), ("connect:3x1x2", "2")):
        session = played(name, moves, ("me", "me"))
        why.next(session)
        assert (why.explanation, why.explains, [*errands.waiting]) == (None, False, [advice.WHY])
        errands.thought[advice.WHY] = {0: 1}
        assert why.scores(session) == {0: 1}, "as far as they are solved"
        work, done, failed = errands.waiting[advice.WHY]
        done(work(SILENT))
        assert why.explanation == advice.explained(session.game, session.state)
        solved = dict(theory.solve(session.game, session.state).scores or {})
        assert why.scores(session) == (solved if name.startswith("connect") else {})
        failed("no memory")
        assert why.explanation == "cannot explain this position: no memory"
        why.next(session)
        assert not errands.waiting and not why.on and why.scores(session) == {}
    large = played("connect4:9x6")
    why.next(large)
    assert why.explanation == theory.why_unsolvable(large.game, large.state) and not errands.waiting
    why.on = False
    errands.waiting[advice.WHY] = ()
    why.explain(large)
    assert not errands.waiting and why.explanation is None


def test_an_analysis_follows_the_board_while_it_is_on_and_rests_while_an_agent_is_to_move() -> None:
    errands: Any = Errands()
    analysis, session = advice.Analysis(errands), played("noughts", "a1 b1")
    both = [advice.SEARCHING, advice.SOLVING]
    assert (analysis.on, analysis.running, analysis.stop()) == (False, False, False)
    analysis.follow(session)
    assert not errands.waiting and (analysis.thinking, analysis.scores, analysis.truths) == (None, {}, {})
    analysis.toggle(session)
    assert analysis.on and analysis.running and [*errands.waiting] == both and errands.news == 1
    errands.thought = {advice.SEARCHING: "first", advice.SOLVING: {1: 2}}
    assert (analysis.thinking, analysis.scores) == ("first", {1: 2})
    errands.thought = {}
    assert (analysis.thinking, analysis.scores) == ("first", {}), "the last thought stays"
    work, done = errands.waiting[advice.SOLVING]
    done(work(SILENT))
    assert analysis.truths == known_moves(session.game, session.state) != {}
    done(None)
    assert analysis.truths == {}
    work, done, failed = errands.waiting[advice.SEARCHING]
    heard = Noted(1)
    with pytest.raises(Cancelled):
        work(heard)
    assert heard.thought.done == 0, "it thinks aloud before its first simulation"
    done(("It has ended.", "last"))
    assert (analysis.note, analysis.thinking) == ("It has ended.", "last")
    failed("no memory")
    assert analysis.note == "The analysis failed: no memory."
    place = errands.waiting[advice.SEARCHING][0].args[1]
    assert place == advice.Place("noughts:3x3x3", None, tuple(session.record.moves)) and place.ply == 2
    analysis.follow(session)
    assert (analysis.note, analysis.thinking, analysis.truths) == ("", None, {}) and [*errands.waiting] == both
    growing = analysis._growing
    analysis.toggle(session)
    assert (analysis.on, [*errands.waiting], errands.news) == (False, [], 2) and analysis._growing is not growing
    for other, waiting in (
        (played("nim:3,4", "a1"), []),  # the agent is to move
        (played("noughts", "a1 b1 a2 b2 a3"), []),
        (played("connect4:9x6"), both[:1]),  # too large to solve
    ):
        analysis.toggle(other)
        assert (analysis.on, [*errands.waiting]) == (bool(waiting), waiting)
    assert analysis.stop() and not analysis.on and not errands.waiting


# Reviews.


def test_the_story_names_who_sat_there_then() -> None:
    def told(session: Session) -> str:
        return " ".join(story(words.reviewed(session, review(session.record))))

    session = played("nim:1,2", "a1")
    session.swap()
    session.play(session.game.parse_move("b2", session.state))
    assert session.labels == ["you", "you"]
    assert told(session).startswith(
        "Move 1, a1, was the turning point: you gave the win away (win → loss). Better: b1."
    )
    assert told(session).endswith("Random took over that seat later.")
    for _ in range(2):  # after the end a swap changes nothing of what was
        assert words.result(session) == "You took the last match and win."
        session.swap()
    taken = played("nim:1,1", "a1")
    taken.seat(1, "perfect")
    taken.play(taken.game.parse_move("b1", taken.state))
    assert told(taken) == "The first seat was losing from the first move, and its opponent made no mistake."


# What is typed.


def test_which_letters_start_a_typed_move_and_which_are_keys() -> None:
    rows = played("nim:" + ",".join("1" * 26), seats=("me", "me"))
    assert rows_that_are_keys(rows) == "hlnoqrstuwy"
    assert typing_starts(rows) == "0123456789:CDEFGHIJKLMNOQRSTUWXYZabcdefgijkmpvxz"
    assert rows_that_are_keys(played("tower:16")) == rows_that_are_keys(played("connect4")) == ""
    starts = {
        "tower:16": "0123456789:CDabcd", "connect4": ":", "connect:12x4x4": "0123456789:", "chomp:2x2": "0123456789:ab",
    }  # fmt: skip
    for game, expected in starts.items():
        assert typing_starts(played(game)) == expected
    assert typing_starts(played("nim:1", "a1")) == typing_starts(played("nim:1", "", ("random", "random"))) == ""


# The rules.


@pytest.mark.parametrize(
    "game",
    ["tower:16", "subtraction:21,3:misere", "kayles:1,3,5,7", "adjacent:7,7", "connect4", "connect:12x4x4", "nim:1",
     "kayles:1,1", "nim:1,1,5:max=1", "adjacent:1,4:max=1", "chomp:4x5"],
)  # fmt: skip
def test_the_example_of_the_notation_is_a_legal_move_that_does_what_is_said(game: str) -> None:
    found = parse_game(game)
    notation = rule_text.notation(found)
    for text in [notation.split()[1], *(word for word in notation.split() if "-" in word)]:
        move = found.parse_move(text, found.start)
        assert base.legal(found.start, move)
        taken = len(found.touched(found.start, move))
        assert found.board_kind != "rows" or f"take {taken}" in notation
        assert "-" not in text or taken == 2


def test_a_game_of_ones_own_tells_its_own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(wythoff, wythoff.parse("wythoff", ["3,5"]))
    rules = "Take the last match.\n  Take from one heap, or alike from both."
    monkeypatch.setattr(wythoff, "RULES", rules, raising=False)
    assert rule_text.both(game) == "Take the last match. Take from one heap, or alike from both."
    monkeypatch.delattr(wythoff, "RULES")
    assert "does not tell its rules" in rule_text.both(game)


def test_the_board_in_lines_of_text() -> None:
    game = parse_game("chomp:4x5")
    assert games.board_lines(game, game.new("4,2,1,0,0")) == ["   1 2 3 4", "A: ! # # #", "B: # #", "C: #", "D:", "E:"]
    noughts = parse_game("noughts")
    assert games.board_lines(noughts, noughts.new("x../.o./..x")) == ["   1 2 3", "A: X . .", "B: . O .", "C: . . X"]
    assert "Cells that are not named are empty." in plain_lines.rules(game)


def test_a_wrong_request_is_answered_with_its_fault_and_its_id() -> None:
    answers: list[dict[str, Any]] = []
    oracle = serving.Oracle(lambda line: answers.append(json.loads(line)), 0, 1)
    start = b'{"id": 7, "game": "nim:3"'
    for line, fault in (
        (b" " * (serving.LONGEST_REQUEST + 1), "the line is too long: at most 100,000 bytes"),
        (b"[1]", "a line must be an object as JSON, such as {"),
        (b'{"id": 7}', "a request needs a game, such as {"),
        (start + b', "position": 1}', "position must be a text, not 1"),
        (start + b', "moves": [1]}', "moves must be a list of texts, not [1]"),
    ):
        oracle.ask(line)
        assert answers[-1]["error"].startswith(fault) and answers[-1]["id"] == (7 if b"id" in line else None)
    oracle.ask(start + b"}" + b" " * (serving.LONGEST_REQUEST - len(start) - 1))  # just short enough
    oracle.finish()
    assert answers[-1]["id"] == 7 and "error" not in answers[-1]
