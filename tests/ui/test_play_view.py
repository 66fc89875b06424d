"""The panels of the Play screen, painted without it: title, prompt, moves, explanation, what was learned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest

from nimtui import theory
from nimtui.arena.review.review import Judgement, improvement, review
from nimtui.games import parse_game, rule_text
from nimtui.games.base import legal_moves
from nimtui.learning.table import Change
from nimtui.playing import advice
from nimtui.playing.sentences import story_of
from nimtui.playing.session import Hold, Learned, Session
from nimtui.playing.setup import ME, PlaySetup
from nimtui.playing.teaching import FORGOTTEN
from nimtui.report.lines import Ink, Line, Run, plain_text, width
from nimtui.report.values import Score
from nimtui.theory import Outcome
from nimtui.theory.explanation import Depth
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.kit.widgets.page import Prompt, TypingLine
from nimtui.ui.kit.widgets.panel import of_report
from nimtui.ui.play import value_history, view
from nimtui.ui.play.conductor import Waiting
from nimtui.ui.play.reasons import values_paint, why_lines, why_paint
from nimtui.ui.play.thinking import Steady
from nimtui.ui.play.value_history import Storytelling, story_paint
from tests.ui.conftest import SIZES, unframed
from tests.ui.drawn import as_drawn
from tests.ui.playing import at_rest, conducted, make_moves, painted, played, playing, settled, until
from tests.ui.playing import moves as moves_made


def texts(lines: Any) -> list[str]:
    return [plain_text(line).rstrip() for line in lines]


# The title.


def test_the_title_keeps_what_matters_where_it_is_narrow() -> None:
    game, names = "21 matches, take 1 to 3 · the last match loses", (["You", "Hard (1,000,000 games)"], ["You", "Hard"])
    for turn, columns in ((0, 100), (0, 85), (1, 84), (None, 66), (0, 44)):
        given = SimpleNamespace(
            game=SimpleNamespace(title=game), record=SimpleNamespace(turn=turn), over=False, past=False
        )
        with patch.object(view, "marks", lambda *_: (Run("∙"), Run("∘"))):
            shown = view.title_lines(cast(Session, given), names, columns, UNICODE)
        assert width(shown[0]) == columns
        as_drawn("play", f"title: turn {turn}, {columns} columns", shown)


@pytest.mark.parametrize(
    ("game", "position", "moves", "seats", "signs"),
    [
        ("tower:16", None, "", ("me", "random"), [("∙", Ink.GHOST), ("∘", Ink.GHOST)]),
        ("tower:16", None, "a1", ("random", "me"), [("∘", Ink.GHOST), ("∙", Ink.GHOST)]),
        ("connect4", None, "1", ("random", "me"), [("●", Ink.FIRST), ("○", Ink.SECOND)]),
        ("noughts:3x3x3", None, "b2", ("me", "random"), [("╳", Ink.FIRST), ("○", Ink.SECOND)]),
        ("chomp:2x3", None, "", ("random", "me"), [("∘", Ink.GHOST), ("∙", Ink.GHOST)]),
        ("connect4", "1", "", ("me", "random"), [("○", Ink.SECOND), ("●", Ink.FIRST)]),  # the second player moves first
        ("noughts:3x3x3", "x../.../...", "", ("me", "random"), [("○", Ink.SECOND), ("╳", Ink.FIRST)]),
    ],
)
def test_the_signs_of_the_players(game: str, position: Any, moves: str, seats: tuple[str, str], signs: Any) -> None:
    assert [span[:2] for span in view.marks(played(game, moves, seats, position), UNICODE)] == signs


# Who owns what on the board.


@pytest.mark.parametrize("game", ["tower:16", "kayles:1,3,5,7", "connect4", "nim:200,200", "noughts"])
def test_the_marked_cells_are_those_that_the_last_move_changed_and_at_the_end_the_line_that_wins(game: str) -> None:
    found = played(game, seats=(ME, ME))
    assert view.owned(found).last == frozenset() and view.owned(found).move == ""
    for _ in range(4):
        before = found.game.cells(found.state)
        found.play(legal_moves(found.state)[0])
        after = found.game.cells(found.state)
        assert before is not None and after is not None
        changed = {(r, c) for r, row in enumerate(before) for c, cell in enumerate(row) if cell != after[r][c]}
        assert view.owned(found).last == changed and view.owned(found).move == found.move_names()[-1]
    assert view.owned(found, 2).move == found.move_names()[1] and view.owned(found, 0).by == {}
    assert view.owned(found).winning == frozenset()
    won = played("connect:4x4x3", "1 2 2 3 4 3 3")
    assert view.owned(won).winning == {(1, 2), (2, 1), (3, 0)} and view.owned(won, 6).winning == frozenset()


# The prompt.


WAITING = Waiting("Random trains: 3 of 5 games", 0.6, "a few seconds left")


@pytest.mark.parametrize(
    ("name", "game", "moves", "waiting"),
    [
        ("a move", "nim:1,2,3", "", Waiting()),
        ("thinking", "nim:1,2,3", "a1", Waiting()),
        ("training", "nim:1,2,3", "a1", WAITING),
        ("won", "nim:1", "a1", Waiting()),
        ("lost", "nim:1,1", "a1 b1", Waiting()),
    ],
)
def test_what_can_be_done_now(name: str, game: str, moves: str, waiting: Waiting) -> None:
    session = played(game, moves)

    def shown(columns: int, message: str = "", tip: str = "tip") -> list[Line]:
        return view.actions(session, "take 1 from A", waiting, message, columns, UNICODE, tip)

    as_drawn("play", f"prompt: {name}", shown(60))
    if session.over:
        as_drawn("play", f"prompt: {name}, 78 columns", shown(78, tip=""))
        assert len(shown(30, tip="")) == 2
    first, said = shown(60, "It is said that games end.")
    assert (first, plain_text(said).rstrip()) == (shown(60)[0], "It is said that games end.")


@pytest.mark.parametrize(
    ("hold", "widths"),
    [(Hold.PAUSED, (71, 70, 60)), (Hold.STOPPED, (61, 60)), (Hold.FAILED, (78,))],
    ids=["paused", "stopped", "failed"],
)
def test_what_can_be_done_while_the_game_is_held(hold: Hold, widths: tuple[int, ...]) -> None:
    session = played("nim:1,2,3", "a1")
    session.hold, session.fault = hold, "it broke"
    for columns in widths:
        shown = view.actions(session, "take 1 from B", Waiting(), "", columns, UNICODE)
        as_drawn("play", f"prompt: {hold.name.lower()}, {columns} columns", shown)
    working = Waiting("Reward learner trains: 14,587,004 of 500,000,000 games, about 20 min left")
    training = played("tower:16", "", ("reward:games=10,seed=0", "me"))
    said = texts(view.actions(training, "", working, "", 58, UNICODE))[0]
    assert said == "Reward learner trains: 14,587,004 of …   esc stop", "how to stop an agent is always seen"
    if hold is Hold.PAUSED:
        session.step()  # one more move of a watched game is under way
        session.hold = hold
        assert texts(view.actions(session, "", Waiting(), "", 78, UNICODE))[0] == "Random is thinking   esc stop"


@pytest.mark.parametrize(
    ("asked", "fault"),
    [(Prompt.MOVE, ""), (Prompt.MOVE, "no such row"), (Prompt.PLAYER, ""), (Prompt.TABLE, "")],
    ids=["a move", "a wrong move", "a player", "a table"],
)
def test_what_is_typed_with_its_fault_or_the_offers(asked: Prompt, fault: str) -> None:
    typing = TypingLine()
    typing.begin(asked, "ha")
    typing.fault = fault
    shown = view.typed(typing, "Hard", ["me", "easy"])(50, 2, UNICODE)
    as_drawn("play", f"typed: {asked.name.lower()}{', wrong' if fault else ''}", shown)


async def test_the_prompt_of_a_conductor_says_its_message_its_belief_or_how_capitals_are_typed() -> None:
    conductor, typing = await conducted("nim:" + ",".join("1" * 8)), TypingLine()
    paint = view.prompt_paint(conductor, typing, 0, [])
    assert painted(paint, 78) == [
        "take 1 from A  ⏎          the first player's move",
        "Type row H with Shift, as in H1",
    ]
    conductor.say("Said.")
    assert painted(view.prompt_paint(conductor, typing, None, []), 78)[1] == "Said."
    typing.begin(Prompt.PLAYER, "ha")
    assert painted(view.prompt_paint(conductor, typing, 0, ["me"]), 78) == [
        "Who plays for The second player: ha█   ⏎  esc", "me",
    ]  # fmt: skip
    assert view.offered(typing, conductor, None)[:2] == ["me", "random"]
    typing.close()
    assert view.offered(typing, conductor, None) == []
    seats = {("me", "random"): 1, ("random", "me"): 0, ("me", "me"): 1, ("random", "random"): 0}
    assert {pair: view.asked_seat(played("nim:3,3", "", pair)) for pair in seats} == seats
    stopped = played("nim:3,3", "a1", ("me", "random"))
    stopped.swap()
    stopped.stop()
    assert view.asked_seat(stopped) == 1


# The moves.


def moves(names: list[str], ply: int, labels: list[str], mistakes: Sequence[int] = ()) -> Any:
    """Return a game of these moves, of which the first `ply` were played."""
    wrong = {at: SimpleNamespace(ply=at, mistake=True, gave_away="win → loss") for at in mistakes}
    given = {"move_names": lambda: names, "judged": lambda: wrong}
    return SimpleNamespace(record=SimpleNamespace(ply=ply), labels=labels, **given)


def test_the_latest_moves_are_seen_where_not_all_fit() -> None:
    few = moves(["a1", "b2", "c3"], 2, ["you", "hard", "you"], [1])
    for columns in (60, 40, 37):
        as_drawn("play", f"three moves, {columns} columns", value_history.across(few, columns, UNICODE))
    as_drawn("play", "three moves, below each other", value_history.log(few)(26, 12, UNICODE))
    many = moves([f"a{n}" for n in range(1, 40)], 30, [*["you", "a long name"] * 19, "you"], [29])
    [text] = texts(value_history.across(many, 78, UNICODE))
    assert text.startswith("…") and "30 a long name a30 ✗ win → loss" in text and len(text) <= 78
    as_drawn("play", "the latest of many moves", value_history.log(many)(27, 5, UNICODE))
    assert painted(value_history.log(moves([], 0, [])), 20, 5) == ["Moves"]


def test_only_players_who_could_have_thrown_something_away_are_counted() -> None:
    session = played("nim:1,2", "a1 b2")
    rows = value_history.judged([*"ab"], ["you", "hard"], review(session.record), 0, print)
    assert rows.heads(34) == 2
    as_drawn("play", "judged moves", rows.paint(range(2), 34, UNICODE))
    session.judgements = review(session.record)
    assert value_history.mistakes(session, UNICODE) == {0: "✗ win → loss"}
    outcomes = [(Outcome.DRAW, Outcome.LOSS), (Outcome.WIN, Outcome.WIN), (Outcome.LOSS, Outcome.LOSS), (None, None)]
    drawn = [Judgement(ply, ply % 2, 0, *pair, ()) for ply, pair in enumerate(outcomes)]  # a draw is a chance, too
    rows = value_history.judged([*"abcd"], ["you", "hard"] * 2, drawn, 1, print, ply=2)
    as_drawn("play", "judged moves of a drawn game", rows.paint(range(4), 60, UNICODE))
    rows = value_history.judged(["a"], ["opening"], drawn[:1], 0, print)
    assert texts(rows.paint(range(1), 60, UNICODE))[0] == "Moves", "an opening is not judged"
    unknown = played("connect4:9x6", "1 2 1 2 1 2 1")
    rows = value_history.judged(["1"] * 7, ["you"] * 7, review(unknown.record), 0, print)
    assert plain_text(rows.paint(range(7), 34, UNICODE)[0]) == "Moves"


def test_the_value_history_of_a_game_as_a_list_a_curve_and_diagrams() -> None:
    session = played("nim:1,2,3", "a1 b1 b1 c3")
    assert painted(story_paint(session), 60, 12)[:2] == [
        "Value history", "No player expected a result so far. People, random agents",
    ]  # fmt: skip
    assert "No player expected a result so far." in " ".join(painted(value_history.curve(session, 4), 80, 12))
    as_drawn("play", "diagrams, 80 × 20", value_history.diagrams(session, 4)(80, 20, UNICODE))
    as_drawn("play", "diagrams, 40 × 17", value_history.diagrams(session, 1)(40, 17, ASCII))
    session.judgements = review(session.record, plies=True)
    for rows in (16, 12, 8, 5):
        as_drawn("play", f"value history, {rows} rows", story_paint(session)(60, rows, UNICODE))
    for columns, rows, signs in ((110, 13, UNICODE), (70, 9, ASCII), (29, 12, UNICODE)):
        shown = value_history.curve(session, 3)(columns, rows, signs)
        as_drawn("play", f"curve, {columns} × {rows}", shown)
        assert all(width(line) <= columns for line in shown)
    for columns in (60, 110, 111):
        lines = texts(value_history.curve(session, 3)(columns, 13, UNICODE))
        marked = [row[at - 1 : at + 2] for row in lines[:-1] for at, sign in enumerate(row) if sign == UNICODE.wrong]
        assert marked and all(mark in ("█✗█", "░✗░") for mark in marked), "a mistake is the end of its bar"
    for columns in range(33, 60, 3):  # no line breaks between a sign and its meaning, and signs look as the bars do
        legend = value_history.legend(story_of(session), columns, UNICODE, UNICODE.upright)
        inks = {sign: run.ink for shown in legend for run in shown for sign in run.text}
        assert (inks["█"], inks["░"], inks["✗"]) == (Ink.BAR, Ink.BAR, Ink.BAD)
        assert all(plain_text(shown)[0] in "░█│✗" and plain_text(shown)[-1].isalpha() for shown in legend)
    over = advice.explained(session.game, session.state)
    every = " ".join(painted(values_paint(session, 4, over), 40, 12))
    assert all(f"{ply} " in every for ply in (1, 2, 3, 4)) and "Mistakes" in every, "of the whole game"
    assert "Solving" in " ".join(painted(values_paint(session, 1, None), 40, 6))
    why = advice.explained(session.game, session.record.state_at(1))
    as_drawn("play", "move values", values_paint(session, 1, why)(40, 12, UNICODE))
    for columns in (66, 78, 120):  # the title of a review is whole, or without the goal
        [title] = texts(view.reviewed_title(session)(columns, 1, UNICODE))
        assert title.startswith("Review  Nim 1,2,3 ") and "…" not in title
        assert ("the last match wins" in title) is (columns > 66)
    told = {("", ""): ["Solving every position …"], ("Told.", "it broke"): ["The review failed: it broke"]}
    for (text, fault), lines in told.items():
        assert painted(view.reviewed("why a draw?", text, "", fault), 40, 5) == lines
    first, *story, cut, marked = painted(
        view.reviewed("why a draw?", "Some words. " * 20, "Move 1: a draw.", ""), 40, 5
    )
    assert (first, marked) == ("Why a draw?", "Move 1: a draw.") and cut == "words. Some words. Some words. Some …"
    assert story == ["Some words. Some words. Some words. Some", "words. Some words. Some words. Some"]
    session.goto(1)
    assert painted(story_paint(session), 60, 12)[2].startswith("▸1 you    a1")
    heads = {9: "sec ◀▶ fi", 21: "second    ◀▶    first", 31: "second wins    ◀▶    first wins"}
    names = ("the first player", "the second player")
    assert {wide: plain_text(value_history.head(names, wide, UNICODE)) for wide in heads} == heads


@pytest.mark.parametrize(
    ("game", "moves", "better"),
    [
        ("nim:1,2,3", "a1 b1", {1: "c1 wins: nim-sum 1 becomes 0, so every binary column is even."}),
        ("noughts:3x3x3", "a1 a2", {1: "b2 holds the draw. No move wins."}),
    ],
)
def test_a_mistake_is_told_with_what_was_better(game: str, moves: str, better: dict[int, str]) -> None:
    record = played(game, moves).record
    mistakes = [each for each in review(record) if each.mistake]
    assert {each.ply: improvement(record, each) for each in mistakes} == better
    with patch("nimtui.theory.is_instant", return_value=False):  # then it takes too long to explain every mistake
        [text] = [improvement(record, each) for each in mistakes]
    assert re.fullmatch(r"(c1 keeps the win|b2 keeps the draw)\.", text)


@pytest.mark.parametrize(
    ("screen", "going", "over"), [("-large", (True, False), (True, False)), ("-wide", (False, True), (True, False)),
                                  ("", (False, True), (False, True))]
)  # fmt: skip
async def test_when_the_value_history_is_shown(screen: str, going: tuple[bool, bool], over: tuple[bool, bool]) -> None:
    for names, (by_itself, toggled) in (("a1", going), ("a1 b2", over)):
        session, conductor = played("nim:1,2", names), await conducted("nim:1")
        story = Storytelling(conductor, lambda name: name == screen)
        assert story.is_shown(session) == by_itself and story.covers(session) == (by_itself and screen != "-large")
        assert story.follow(session, False) == by_itself
        await at_rest(conductor)
        assert len(session.judged()) == (2 if session.over and by_itself else 0)
        story.toggle(session)
        assert story.is_shown(session) == toggled == story.follow(session, True)
        await at_rest(conductor)
        assert bool(session.judged()) == (toggled or (session.over and by_itself))
        story.toggle(session)
        assert story.is_shown(session) == by_itself
    assert Storytelling(conductor, lambda name: name == "-wide").is_shown(played("nim:1,2")) is False


# The explanation.


def test_the_explanation_at_each_depth_shorter_where_there_is_no_room_and_what_stands_in_its_place() -> None:
    game, misere, ending = parse_game("nim:1,3,5,6"), parse_game("nim:1:misere"), "You took the last match: Hard wins."
    why, over = advice.explained(game, game.start), advice.explained(misere, misere.new("0"))
    for depth, rows in ((Depth.PLAIN, 15), (Depth.REASON, 12), (Depth.REASON, 3), (Depth.TERMS, 8)):
        paint = why_lines(why, depth=depth)
        as_drawn("play", f"why: {depth.name.lower()}, {rows} rows", paint(34, rows, UNICODE))
        assert "\n".join(painted(paint, 34, rows, ASCII)).isascii()
    short = "N-position: player to move wins. a1, b1 or c1 make every binary column even."
    assert painted(why_lines(why, depth=Depth.REASON), 80, 9)[-1] == short  # the plain words say how soon it ends
    for lines, columns, expected in (
        (why_lines(None), 34, ["solving …"]),
        (why_lines("too large to solve"), 34, ["Too large to solve."]),
        (why_lines(over, ending), 60, [ending, "The player who takes the last match loses."]),
        (why_lines(over), 60, ["The game is over: the player who took the last match lost."]),
        (why_lines(over, ending), 34, ["You took the last match: Hard", "…"]),
    ):
        assert painted(lines, columns, 3) == ["Why", *expected]


async def test_the_explanation_follows_the_conductor_and_hints_point_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    conductor = await conducted("nim:1,3,5,6", second="random")
    assert "w explains the position: who wins," in " ".join(painted(why_paint(conductor), 40))
    for depth in ("the reason", "the terms", "close"):
        conductor.explain()
        assert painted(why_paint(conductor), 40)[0] == f"Why  w {depth}  P the period"
    conductor.explain()
    assert not conductor.explaining.on
    conductor.hint()
    assert conductor.message.startswith("Take 1 from A: then every group of 4, 2 and 1 has a partner")
    conductor.explain()
    conductor.hint()
    assert conductor.message == "Take 1 from A: see Why"
    conductor.explain(close=True)
    assert not conductor.explaining.on and conductor.message == ""
    for _ in range(2):
        conductor.explain()
    conductor.play(0)
    await at_rest(conductor)
    assert painted(why_paint(conductor), 40)[0] == "Why  w the terms  P the period"  # the depth stays from move to move
    monkeypatch.setattr(theory, "is_instant", lambda game, state: False)  # though another test may have solved it
    solved = await conducted("noughts:3x3x3", "b2 a1")
    solved.explain()
    assert solved.explaining.explanation is None  # no formula tells: a job solves the position
    await at_rest(solved)
    assert solved.explaining.explains
    solved.hint()
    await at_rest(solved)
    assert re.fullmatch(r"Mark [abc]\d(?: to hold the draw)?: see Why", solved.message)
    discs = await conducted("connect4:4x4", "1 2")
    assert not view.labels(discs)
    discs.explain()
    await at_rest(discs)
    labels = view.labels(discs)
    assert set(labels) == {0, 1, 2, 3} and labels[1] == (Outcome.LOSS, 14)
    assert {labels[column] for column in (0, 2, 3)} == {(Outcome.DRAW, None)}


# What an opponent has learned, and what stands in place of thoughts.


def test_what_was_learned() -> None:
    two = Learned((Change("1,2", 0, 5, 7), Change("0,2", 1, 3, -4)), ("a1", "b2"), ("1,2",), 10)
    for name, learned in (("two scores", two), ("nothing", Learned((), (), ()))):
        report = view.learned_report("Hard", learned, FORGOTTEN)
        as_drawn("play", f"learned: {name}", of_report(report)(40, 40, UNICODE))


@pytest.mark.parametrize("position", ["3", "1/101/11011/0000000", "1/111/11111/1111111/111111111"])
@pytest.mark.parametrize("score", [0, 207_079, -1_000_000_000])
def test_what_was_learned_fits_whatever_it_is(position: str, score: int) -> None:
    learned = Learned((Change(position, 0, score, score + 1),) * 9, ("c2-4",) * 9, ())
    lines = painted(of_report(view.learned_report("Hard", learned, FORGOTTEN)), 34, 8)
    assert len(lines) == 8 and max(map(len, lines)) <= 34 and lines[0] == "Hard learned"
    assert f"{Score(score + 1)} ↑" in lines[2] and position[:5] in lines[2]
    assert " ".join(lines).endswith(FORGOTTEN) and any("more" in text for text in lines)


async def test_thoughts_stand_below_the_rules_until_the_first_move() -> None:
    two = await conducted("nim:3,3")
    assert painted(view.thoughts_paint(two, Steady()), 60)[-2:] == [
        "Thoughts", "Two people play, so there are no thoughts to show.",
    ]  # fmt: skip
    conductor = await conducted("nim:3,3", second="random")
    rules, *lines = painted(view.thoughts_paint(conductor, Steady()), 200)
    assert rules == "Rules" and " ".join(lines).startswith(rule_text.rules(conductor.session.game))
    assert " ".join(lines).endswith(f"Thoughts {view.QUIET}")
    assert painted(view.thoughts_paint(conductor, Steady()), 200, 4)[-1] != view.QUIET  # no room for both
    conductor.play(0)
    await at_rest(conductor)
    assert painted(view.thoughts_paint(conductor, Steady()), 60) == [
        f"What Random thought before {conductor.session.move_names()[1]}", "Random does not rate its moves.",
    ]  # fmt: skip
    learner = await conducted("nim:3,3", "a1", second="reward:games=20,seed=1")
    title, heads, best, *rest = painted(view.thoughts_paint(learner, Steady()), 60)
    move = learner.session.move_names()[1]
    assert title == f"What the learner thought before {move}" and heads.split() == ["score"]
    assert best.startswith(f"▸ {move} ") and "Trained on 20 games" in " ".join(rest)


# The rules.


@pytest.mark.parametrize(
    ("moves", "seats", "shows"),
    [
        ("", ("me", "random"), True),
        ("a1", ("me", "random"), False),
        ("a1", ("random", "me"), True),  # a person who moves second still reads them
        ("a1 b1", ("random", "me"), False),
        ("", ("random", "random"), True),
        ("a1", ("random", "random"), False),
    ],
)
def test_the_rules_are_shown_until_the_first_move_of_a_person(moves: str, seats: tuple[str, str], shows: bool) -> None:
    session = played("nim:3,3", moves, seats)
    assert view.shows_rules(session) == shows
    assert painted(view.latest_moves(session, False), 58)[0].startswith("Whoever takes") == shows
    assert not painted(view.latest_moves(session, False), 78)[0].startswith("Whoever takes")
    assert not painted(view.latest_moves(session, True), 58)[0].startswith("Whoever takes")
    session.goto(0)
    assert view.shows_rules(session) == (not moves)


def test_rules_without_room_name_the_key_that_shows_them() -> None:
    game = parse_game("kayles:1,3,5,7")
    assert plain_text(view.brief_rules(game, 58, 3, UNICODE)[-1]).endswith("matches 1 and 2.")
    alone = " ".join(plain_text(line) for line in view.brief_rules(game, 58, 2, UNICODE))
    assert alone == rule_text.rules(game)
    assert [plain_text(line) for line in view.brief_rules(game, 58, 1, ASCII)] == ["? shows the rules"]


def holds(text: str, words: str) -> bool:
    """Whether the words stand in one panel of the screen: line by line, from one column on."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if (at := line.find(" ".join(words.split()[:2]))) >= 0:
            return " ".join(words.split()) in " ".join(" ".join(row[at:] for row in lines[number : number + 9]).split())
    return False


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_the_rules_are_seen_whole_until_the_first_move(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, "nim:2", size=size) as pilot:
        for game in ("tower:16", "subtraction:21,3:misere", "kayles:1,3,5,7", "connect:12x4x4"):
            pilot.app.play(PlaySetup(game, None, ("me", "random"), 1))
            await settled(pilot)
            rules = rule_text.both(parse_game(game))
            await until(pilot, lambda rules=rules: holds(unframed(pilot.app), rules))
            await make_moves(pilot, "1" if game[0] in "sc" else "a1")
            assert len(moves_made(pilot)) == 2 and "In turn," not in unframed(pilot.app)
