"""What the Play screen says: moves and results in words, hints, reviews, typed text."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui import theory
from nimtui.agents import Decision, Thought
from nimtui.arena.review.review import review
from nimtui.arena.review.review_text import story
from nimtui.games import Game, base, parse_game
from nimtui.jobs import Snapshot
from nimtui.learning.table import Change
from nimtui.playing import advice
from nimtui.playing import sentences as words
from nimtui.playing.sentences import reviewed
from nimtui.playing.session import Hold, Learned, Session
from nimtui.playing.setup import PlaySetup
from nimtui.playing.teaching import FORGOTTEN
from nimtui.report import lines as ink
from nimtui.report.lines import Run
from nimtui.report.values import Score
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.kit.widgets.panel import of_report
from nimtui.ui.kit.widgets.typing_line import Prompt, TypingLine
from nimtui.ui.play import prompt, value_history, view
from nimtui.ui.play import thinking as thoughts
from nimtui.ui.play.conductor import Waiting
from nimtui.ui.play.value_history import Moves
from tests.theory import noughts


def played(game: str, moves: str, seats: tuple[str, str] = ("me", "random"), position: str | None = None) -> Session:
    session = Session(PlaySetup(game, position, seats, 0))
    for name in moves.split():
        session.play(session.game.parse_move(name, session.state))
    return session


@pytest.mark.parametrize(
    ("game", "move", "said"),
    [
        ("tower:16", "c3", "take 3 from C"),
        ("subtraction:21,3", "3", "take 3"),
        ("adjacent:1,3,5,7", "c2-4", "take c2-4"),
        ("adjacent:1,3,5,7", "c2", "take c2"),
        ("connect4", "4", "drop in column 4"),
    ],
)
def test_moves_in_words(game: str, move: str, said: str) -> None:
    found = parse_game(game)
    state = found.new()
    assert words.doing(found, state, found.parse_move(move, state)) == said


@pytest.mark.parametrize(
    ("game", "moves", "seats", "said"),
    [
        ("nim:1", "a1", ("me", "random"), "You took the last match and win."),
        ("nim:1:misere", "a1", ("me", "random"), "You took the last match: Random wins."),
        ("nim:1,1:misere", "a1 b1", ("me", "random"), "Random took the last match: you win."),
        ("nim:1,1", "a1 b1", ("me", "me"), "The second player took the last match and wins."),
        ("nim:1", "a1", ("random", "random"), "Random (first) took the last match and wins."),
        ("connect4", "1 2 1 2 1 2 1", ("me", "random"), "You have four in a row and win."),
        ("connect:2x2x2", "1 2", ("me", "me"), None),
        ("connect:2x1x2", "1 2", ("me", "me"), "The board is full: a draw."),
    ],
)
def test_results_in_words(game: str, moves: str, seats: tuple[str, str], said: str | None) -> None:
    session = played(game, moves, seats)
    assert session.over == (said is not None)
    assert said is None or words.result(session) == said


def test_a_training_agent_says_how_far_it_is() -> None:
    trains = words.working("Hard", False, Snapshot(412_000, 1_000_000, "games"))
    assert trains == "Hard trains: 412,000 of 1,000,000 games"
    assert "compiling" in words.working("Hard", False, Snapshot(), "compiling the engine, once")
    assert words.working("Hard", True, Snapshot()) == "Hard is thinking"


@pytest.mark.parametrize(
    "game", ["tower:16", "nim:2,3,3:misere", "subtraction:21,3:misere", "kayles:1,3,5", "adjacent:2,3,4:misere"]
)
def test_a_hint_is_always_a_best_move(game: str) -> None:
    found, chance = parse_game(game), random.Random(4)
    for _ in range(20):
        state = found.new()
        while base.outcome(state) == base.GOING_ON:
            hint = advice.hint(found, state)
            assert hint.move in theory.solve(found, state).best_moves
            if theory.solve(found, state).outcome is theory.Outcome.LOSS:
                assert hint.text.startswith("Every move loses")
            else:
                assert hint.text.lower().startswith(words.doing(found, state, hint.move).lower())
            base.play(state, chance.choice(base.legal_moves(state)))


def test_a_hint_on_a_board_too_large_says_what_it_goes_by() -> None:
    game = parse_game("connect4:9x6")
    state = game.new()
    for column in "112233":
        base.play(state, game.parse_move(column, state))
    hint = advice.hint(game, state)
    assert game.move_name(hint.move) == "4" and "it scored 100 % in 1,000 random games" in hint.text


def test_a_hint_in_a_lost_position_promises_only_what_the_board_shows() -> None:
    def said(name: str, position: str | None = None) -> str:
        game = parse_game(name)
        return advice.hint(game, game.new(position)).text

    assert said("tower:16").endswith("Take 1 from A to hold out longest: 16 plies.")
    assert said("nim:1,1").startswith("Every move loses. Two equal rows are left.")
    assert "hold out" not in said("nim:1,1")  # every move takes one
    assert said("nim:60,60,61,61").endswith("Take 1 from A to leave the most matches.")
    assert said("kayles:9", "100000001").startswith("Every move loses. Two equal runs are left.")
    assert said("kayles:9").startswith("Take a5: then two equal runs are left.")
    listed = Game(noughts, noughts.parse("noughts", []))  # a list: nothing on it is taken
    state = listed.new()
    for place in (0, 1, 4):  # X holds the corner and the centre, O a side
        base.play(state, place)
    assert advice.hint(listed, state).text == (
        "Every move loses. The opponent wins within 2 more moves, whatever you do. Play 8 to hold out longest: 4 plies."
    )


def test_why_it_was_lost_names_the_turning_point_and_what_would_have_won() -> None:
    session = played("nim:1,2", "a1 b2")
    said = " ".join(story(reviewed(session, review(session.record))))
    assert said == (
        "Move 1, a1, was the turning point: you gave the win away (win → loss). "
        "Better: b1. It wins: nim-sum 3 becomes 0, so every binary column is even."
    )


def test_a_game_lost_from_the_start_has_no_turning_point() -> None:
    session = played("nim:1,1", "a1 b1")
    said = " ".join(story(reviewed(session, review(session.record))))
    assert said == "You were losing from the first move: Random made no mistake."


def test_the_last_turn_is_told_first() -> None:
    session = played("nim:3,1", "a1 b1 a1 a1")  # each of the first three gives away what the one before gave
    judged = review(session.record)
    turns = [found.ply for found in judged if found.mistake]
    said = " ".join(story(reviewed(session, judged)))
    assert turns == [0, 1, 2] and said.startswith("Move 3, a1, was the turning point: you gave the win away")
    assert said.endswith("Earlier mistakes: move 1 (you, win → loss), move 2 (Random, win → loss).")
    assert judged[0].effect == "win → loss" and judged[3].effect == "keeps the win"
    session.judgements = judged
    assert view.moves(session, UNICODE).marks == dict.fromkeys(turns, f"{UNICODE.wrong} win → loss")


def test_a_board_too_large_is_said_plainly() -> None:
    session = played("connect4:9x6", "1 2 1 2 1 2 1")
    [said] = story(reviewed(session, review(session.record)))
    assert "too large" in said


def test_a_draw_with_best_play_is_said() -> None:
    session = played("connect:2x1x2", "1 2", ("me", "me"))
    assert story(reviewed(session, review(session.record))) == ["Both played perfectly: perfect play ends in a draw."]


def decision(*found: Thought) -> Decision:
    return Decision(found[0].move, found)


def shown(said: Decision, columns: int = 34, rows: int = 8, signs: object = UNICODE) -> list[str]:
    return [ink.plain_text(text) for text in thoughts.reflection("Title", said, str, "", columns, rows, signs)]  # type: ignore[arg-type]


def test_thoughts_are_sorted_and_the_rest_is_counted() -> None:
    said = Decision(19, tuple(Thought(move, score=10 * move) for move in range(20)))
    lines = shown(said)
    assert [text.removeprefix("▸").split()[0] for text in lines[2:-1]] == ["19", "18", "17", "16", "15"]
    assert lines[-1] == "  … 15 more" and lines[2].count("█") > lines[6].count("█")


@pytest.mark.parametrize("rows", range(4, 24))
@pytest.mark.parametrize("columns", [20, 34, 48, 92])
def test_the_best_moves_and_the_chosen_one_stay_where_not_all_fit(rows: int, columns: int) -> None:
    said = Decision(3, tuple(Thought(move, score=10 * move) for move in range(20)))
    _, _, *lines = shown(said, columns, rows)
    assert len(lines) <= rows - 2 and all(len(text.rstrip()) <= columns for text in lines)
    seen = re.findall(r"(\d+) +(?:\+\d+|0)", "\n".join(lines))
    hidden = sum(map(int, re.findall(r"… (\d+) more", lines[-1])))
    assert len(seen) + hidden == 20 and "3" in seen  # the chosen move too
    assert list(map(int, seen)) == sorted(map(int, seen), reverse=True)
    assert bool(hidden) == (rows - 2 < 20)


def test_the_move_that_was_chosen_is_marked_and_first_of_its_equals() -> None:
    said = Decision(1, (Thought(0, score=3), Thought(1, score=3)))
    assert [text[0] for text in shown(said)[2:4]] == ["▸", " "]


def test_draws_stand_between_wins_and_losses() -> None:
    lines = shown(decision(Thought(0, wins=5, losses=3, draws=2)))
    assert lines[1].split()[:3] == ["won", "drawn", "lost"] and lines[2].split()[2:5] == ["5", "2", "3"]


def test_exact_values_are_words_and_others_numbers() -> None:
    lines = shown(
        decision(Thought(0, value=1.0), Thought(1, value=0.25), Thought(2, value=0.0), Thought(3, value=-1.0))
    )
    assert [text.split()[1 + text.startswith("▸")] for text in lines[2:6]] == ["wins", "+0.25", "draws", "loses"]


def test_what_a_method_cannot_see_is_said_below_and_in_ascii_too() -> None:
    said = Decision(0, (Thought(0, wins=1, losses=1),), "It sees – nothing.")
    assert shown(said, signs=ASCII)[-1] == "It sees - nothing."


def test_an_agent_without_opinions_has_none_shown() -> None:
    text = thoughts.reflection("Random", decision(Thought(0)), str, "No opinion.", 34, 8, UNICODE)
    assert [ink.plain_text(one) for one in text] == ["Random", "No opinion."]


def test_the_latest_moves_are_seen_where_not_all_fit() -> None:
    moves = Moves([f"a{n}" for n in range(1, 40)], 30, ["you", "hard"] * 20, {29: "✗ win → loss"})
    [text] = [ink.plain_text(one) for one in value_history.across(moves, 78, UNICODE)]
    assert text.startswith("…") and "30 hard a30 ✗ win → loss" in text and len(text) <= 78
    lines = [ink.plain_text(one) for one in value_history.down(moves, 26, 12, UNICODE)]
    assert len(lines) == 12 and any(" 30 hard a30 ✗ win → loss" in one for one in lines)


def test_typing_begins_with_a_row_or_a_digit_and_nothing_else() -> None:
    typing = TypingLine(starts="0123456789:abcdC")
    assert not typing.takes("u", "u") and not typing.takes("A", "A") and not typing.open  # A is a key
    assert typing.takes("C", "C") and typing.text == "C"
    assert typing.takes("3", "3") and typing.takes("u", "u") and typing.text == "C3u"
    assert not typing.takes("enter", "\r") and not typing.takes("up", None)
    for _ in range(3):
        typing.takes("backspace", "\x7f")
    assert not typing.open


def test_a_colon_begins_any_move_and_escape_ends_it() -> None:
    typing = TypingLine()
    assert typing.takes("colon", ":") and typing.open and typing.text == ""
    assert typing.takes("h", "h") and typing.text == "h"
    assert typing.takes("escape", "\x1b") and not typing.open


def test_a_fault_stays_until_the_text_is_changed() -> None:
    typing = TypingLine()
    typing.begin(Prompt.PLAYER, "perfet")
    typing.fault = "unknown agent"
    typing.takes("left", None)
    assert typing.fault
    typing.takes("backspace", "\x7f")
    assert not typing.fault and typing.text == "perfe"


def test_players_are_offered_in_turn() -> None:
    typing = TypingLine()
    typing.begin(Prompt.PLAYER)
    for by, text in ((1, "me"), (1, "easy"), (1, "me"), (-1, "easy")):
        typing.offer(["me", "easy"], by)
        assert typing.text == text


def test_a_move_that_stood_badly_is_shown_all_the_same() -> None:
    said = Decision(0, tuple(Thought(move, score=10 * move) for move in range(20)))
    assert any(text.startswith("▸ 0 ") for text in shown(said, columns=18))


class Pupil:
    """An agent with a table."""

    name, title, ready = "hard", "Hard (1,000,000 games)", True

    def __init__(self, learner: str, games: int) -> None:
        self.table = SimpleNamespace(learner=learner, games=games)


def test_scores_below_zero_have_bars_of_their_own_and_zero_has_none() -> None:
    said = Decision(0, tuple(Thought(move, score=score) for move, score in enumerate((40_000, 1, 0, -3, -40_000))))
    bars = ["".join(sign for sign in text if sign in "█▏░") for text in shown(said)[2:]]
    assert bars[1:4] == ["▏", "", "░"] and bars[0] == "█" * len(bars[0]) and bars[4] == "░" * len(bars[0])


def test_the_numbers_are_named() -> None:
    scores, playouts = decision(Thought(0, score=3)), decision(Thought(0, wins=1, losses=2))
    agent: Any = Pupil("reward:win=2", 1_000_000)
    unit = thoughts.legend(scores, agent)
    assert unit == "Trained on 1,000,000 games: a win adds 2, a loss takes 1"
    assert thoughts.legend(playouts, None) == "random games won – lost"
    assert thoughts.legend(decision(Thought(0, value=1.0)), None) == ""
    painted = [ink.plain_text(one) for one in thoughts.reflection("Hard", scores, str, "", 34, 8, UNICODE, unit)]
    assert " ".join(painted[-2:]) == unit and painted[0] == "Hard"


def test_a_long_name_leaves_room_for_the_move() -> None:
    assert thoughts.head("Hard", "d2", 34) == "What Hard thought before d2"
    assert thoughts.head("Flat Monte Carlo", "d4", 34) == "Flat Monte Carlo, before d4"


def test_what_was_learned_fits_whatever_it_is() -> None:
    for position in ("3", "1,3,5,7", "1/101/11011/0000000", "1/111/11111/1111111/111111111"):
        for score in (0, 207_079, -1_000_000_000):
            learned = Learned((Change(position, 0, score, score + 1),) * 9, ("c2-4",) * 9, ())
            paint = of_report(view.learned_report("Hard", learned, FORGOTTEN))
            lines = [ink.plain_text(one) for one in paint(34, 8, UNICODE)]
            assert len(lines) == 8 and max(map(len, lines)) <= 34 and lines[0] == "Hard learned"
            assert f"{Score(score + 1)} ↑" in lines[2] and position[:5] in lines[2]
            assert " ".join(lines).endswith(FORGOTTEN) and any("more" in text for text in lines)


@pytest.mark.parametrize("columns", [58, 78])
def test_what_can_be_done_instead_of_a_failed_agent_is_never_cut(columns: int) -> None:
    for game, seat in (("connect4", "mc"), ("tower:16", "reward:games=10,seed=0")):
        session = played(game, "", (seat, "me"))
        for hold in (Hold.FAILED, Hold.STOPPED):
            session.hold = hold
            doing = words.doing(session.game, session.state, base.legal_moves(session.state)[0])
            _, second = prompt.actions(session, doing, Waiting(), "", columns, UNICODE)
            assert doing in ink.plain_text(second) and "…" not in ink.plain_text(second)


def test_how_to_stop_an_agent_is_always_seen() -> None:
    session = played("tower:16", "", ("reward:games=10,seed=0", "me"))
    working = "Reward learner trains: 14,587,004 of 500,000,000 games, about 20 min left"
    first, _ = prompt.actions(session, "", Waiting(working), "", 58, UNICODE)
    assert ink.plain_text(first).endswith("esc stop") and len(ink.plain_text(first)) <= 58


def test_the_title_keeps_what_matters_where_it_is_narrow() -> None:
    names = ["You", "Hard (1,000,000 games)"]
    game = "21 matches, take 1 to 3 · the last match loses"
    for columns, said in ((100, game), (78, game), (58, "21 matches, take 1 to 3 · misère")):
        [text] = view.title_lines(game, (names, ["You", "Hard"]), (Run("∙"), Run("∘")), 0, columns, UNICODE)
        assert ink.plain_text(text).startswith(f"{said}  ") and len(ink.plain_text(text)) <= columns


def test_only_players_who_could_have_thrown_something_away_are_counted() -> None:
    session = played("nim:1,2", "a1 b2")
    judged = review(session.record)
    rows = value_history.judged([*"ab"], ["you", "hard"], judged, 0, print)
    lines = [ink.plain_text(one) for one in rows.paint(range(2), 34, UNICODE)]
    assert rows.heads(34) == 2
    assert lines[:2] == ["Mistakes: missed wins", "you 1 of 1, hard 0 of 1"]
    assert lines[2] == "▸1 you  a ✗ win → loss"
    unknown = played("connect4:9x6", "1 2 1 2 1 2 1")
    judged = review(unknown.record)
    rows = value_history.judged(["1"] * 7, ["you"] * 7, judged, 0, print)
    assert ink.plain_text(rows.paint(range(7), 34, UNICODE)[0]) == "Moves"


def test_why_at_the_end_says_who_won_and_by_what() -> None:
    explanation = theory.explain(parse_game("nim:1:misere"), parse_game("nim:1:misere").new("0"))
    lines = [
        ink.plain_text(one)
        for one in view.why_lines(explanation, "You took the last match: Hard wins.")(34, 5, UNICODE)
    ]
    assert " ".join(lines[1:]) == "You took the last match: Hard wins. The player who takes the last match loses."
