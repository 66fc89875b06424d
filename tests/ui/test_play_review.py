"""What a review says where the players changed seats on the way."""

from __future__ import annotations

from nimtui.arena.review.review import review
from nimtui.arena.review.review_text import story
from nimtui.playing import sentences as words
from nimtui.playing.sentences import reviewed
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.report.lines import plain_text
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play import value_history


def typed(session: Session, *names: str) -> None:
    for name in names:
        session.play(session.game.parse_move(name, session.state))


def test_mistakes_are_counted_for_who_made_them() -> None:
    session = Session(PlaySetup("nim:1,2", None, ("me", "random"), 0))
    typed(session, "a1")  # gives the win away: b1 would have won
    session.swap()
    typed(session, "b2")
    judgements = review(session.record)
    labels = session.labels
    assert labels == ["you", "you"]
    rows = value_history.judged(session.move_names(), labels, judgements, 0, print)
    assert [plain_text(one) for one in rows.paint(range(1), 60, UNICODE)][:2] == ["Mistakes: missed wins", "you 1 of 2"]


def test_the_story_names_who_sat_there_then() -> None:
    session = Session(PlaySetup("nim:1,2", None, ("me", "random"), 0))
    typed(session, "a1")
    session.swap()
    typed(session, "b2")
    said = " ".join(story(reviewed(session, review(session.record))))
    assert words.result(session) == "You took the last match and win."
    assert said.startswith("Move 1, a1, was the turning point: you gave the win away (win → loss). Better: b1.")
    assert said.endswith("Random took over that seat later.")
    session.swap()  # after the end this changes nothing of what was
    assert words.result(session) == "You took the last match and win."


def test_a_seat_that_never_erred_under_changing_players() -> None:
    session = Session(PlaySetup("nim:1,1", None, ("me", "random"), 0))
    typed(session, "a1")
    session.seat(1, "perfect")
    typed(session, "b1")
    [said] = story(reviewed(session, review(session.record)))
    assert said == "The first seat was losing from the first move, and its opponent made no mistake."
