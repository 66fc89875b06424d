"""A table that a person teaches on the Play screen: named once, kept in versions, played later, compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual import events

from nimtui.errors import InputError
from nimtui.learning import saved_tables, taught
from nimtui.learning.evaluate import NOTHING
from nimtui.learning.table import Table
from nimtui.learning.taught import Judged, Lesson
from nimtui.playing.setup import PlaySetup
from nimtui.playing.teaching import FORGOTTEN, _slug, changed_text
from nimtui.report.cells import spoken
from nimtui.store import paths
from nimtui.theory.truth import Truth, truth
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.kit.widgets.page import Prompt, TypingLine
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.lesson import LessonScreen
from nimtui.ui.play.view import offered
from tests.learning.helpers import same_tables
from tests.ui.conftest import screen_text
from tests.ui.playing import at_rest, conducted, make_moves, playing, said, session, settled, until

NAME = "easy-taught-nim-1-1"


async def lost(second: str = "easy") -> PlayConductor:
    """The only line of nim:1,1 to its end; the person moves first, so the opponent wins."""
    return await conducted("nim:1,1", "a1", second=second)


async def again(conductor: PlayConductor, second: str) -> None:
    conductor.start(PlaySetup("nim:1,1", None, ("me", second), 1))
    conductor.play(conductor.session.game.parse_move("a1", conductor.session.state))
    await at_rest(conductor)
    assert conductor.session.over


async def learns(conductor: PlayConductor, name: str = "", weight: int = 1) -> str:
    """Let the opponent learn and save its table, under this name if it has none; what is said of that."""
    course = conductor.learn(weight)
    assert (course is not None) == bool(name)
    if course is not None:
        conductor.teaching.save(course, name)
    await at_rest(conductor)
    return conductor.message


def games_of(conductor: PlayConductor) -> int:
    agent: Any = conductor.session.players[1].agent
    return int(agent.table.games)


async def test_the_first_lesson_needs_a_name_and_later_ones_are_new_versions() -> None:
    conductor = await lost()
    agent: Any = conductor.session.players[1].agent
    before = agent.table.copy()
    assert conductor.next_setup().seats == ("me", "easy") and conductor.lost_by_leaving == ""
    course = conductor.learn()
    assert course is not None and course.waiting and (course.name, course.spec, course.state) == ("", "", FORGOTTEN)
    assert conductor.message == f"Easy learned. {FORGOTTEN}" and conductor.teaching.unsaved == "Easy"
    assert conductor.lost_by_leaving == "What Easy learned from you is not saved: l on the Play screen saves it."
    typing = TypingLine()
    typing.begin(Prompt.TABLE)
    assert course.default_name() == NAME and offered(typing, conductor, course) == [NAME]
    conductor.teaching.save(course, NAME)
    with pytest.raises(InputError, match="wait: the last lesson is being saved"):
        conductor.teaching.save(course, NAME)
    await at_rest(conductor)
    assert conductor.message.startswith(f"Saved as {NAME}, version 1. Accuracy ")
    assert conductor.lost_by_leaving == "" and conductor.next_setup().seats == ("me", f"table:{NAME}@1")
    versions = saved_tables.load(NAME).taught
    assert versions is not None and versions.origin == "easy"
    [lesson] = versions.lessons
    assert (lesson.players, lesson.winner, list(lesson.moves)) == (("me", "easy"), 1, conductor.session.record.moves)
    assert (versions.base.scores(before.game.new()), versions.base.games) == (before.scores(before.game.new()), 10)
    assert conductor.learn() is None and conductor.message == "Easy has already learned from this game"

    await again(conductor, f"table:{NAME}@1")
    assert (await learns(conductor)).startswith(f"Saved as {NAME}, version 2.")
    await again(conductor, "easy")  # who learned before is still the same opponent
    assert games_of(conductor) == 10
    assert (await learns(conductor)).startswith(f"Saved as {NAME}, version 3.")
    assert saved_tables.load(f"{NAME}@3").table.games == 13


@pytest.mark.parametrize(
    ("text", "name"),
    [("easy-taught-nim:1,1", "easy-taught-nim-1-1"), ("-.a b.-", "a-b"), ("é/..", "taught"), ("x" * 60, "x" * 50)],
)
def test_the_name_of_a_table_has_letters_and_digits_alone(text: str, name: str) -> None:
    assert _slug(text) == name


async def test_who_cannot_learn_is_not_asked_to() -> None:
    conductor = await conducted("nim:1,1", second="easy")
    assert conductor.learn() is None and conductor.message == ""  # the game is not over
    with pytest.raises(InputError, match="nothing to learn yet"):
        conductor.teaching.lesson(conductor.session)
    conductor = await lost("random")
    with pytest.raises(InputError, match="nothing to learn yet"):
        conductor.teaching.lesson(conductor.session)
    assert conductor.learn() is None and conductor.teaching.course(conductor.session) is None


async def test_a_lesson_can_be_withdrawn_for_another_weight_until_it_is_saved() -> None:
    conductor = await lost()
    assert conductor.teaching.unsaved_lesson(conductor.session) is None
    course = conductor.learn(1)
    assert conductor.teaching.unsaved_lesson(conductor.session) is course is not None
    conductor.teaching.withdraw(conductor.session)
    assert conductor.session.learned is None and not course.waiting and course.table.games == 10
    await learns(conductor, "mine", weight=10)
    assert conductor.teaching.unsaved_lesson(conductor.session) is None
    conductor.teaching.withdraw(conductor.session)  # too late
    versions = saved_tables.load("mine").taught
    assert versions is not None and [lesson.weight for lesson in versions.lessons] == [10]
    assert conductor.session.learned is not None and conductor.session.learned.weight == 10


async def test_an_older_version_starts_a_table_of_its_own() -> None:
    conductor = await lost()
    await learns(conductor, NAME)
    await again(conductor, f"table:{NAME}@0")
    course = conductor.learn()
    assert course is not None and course.default_name() == f"{NAME}-2"
    assert conductor.teaching.names(course) == [f"{NAME}-2", NAME]
    conductor.teaching.save(course, f"{NAME}-2")
    await at_rest(conductor)
    assert conductor.message.startswith(f"Saved as {NAME}-2, version 1.")
    versions = saved_tables.load(f"{NAME}-2").taught
    assert versions is not None and versions.origin == f"table:{NAME}@0"


async def test_a_table_of_yesterday_learns_without_a_question() -> None:
    conductor = await lost()
    agent: Any = conductor.session.players[1].agent
    lesson = Lesson.of(conductor.session.record, None, ("me", "easy"), 0.0)
    taught.keep(saved_tables.new_place("pupil"), "easy", agent.table, [lesson])
    later = await lost("table:pupil")
    assert (await learns(later)).startswith("Saved as pupil, version 2.")


async def test_where_nothing_can_be_written_the_lesson_stays_in_memory() -> None:
    paths.home().mkdir(parents=True, exist_ok=True)
    paths.tables().write_text("no folder")
    conductor = await lost()
    assert (await learns(conductor, NAME)).startswith("Not saved, l tries again: ")
    assert conductor.lost_by_leaving
    await again(conductor, "easy")
    assert games_of(conductor) == 11  # play goes on with the lesson
    paths.tables().unlink()
    paths.ensure(paths.tables())
    Table.empty(conductor.session.game, "reward").save(saved_tables.new_place("other"))
    assert await learns(conductor, "other") == "Not saved, l tries again: other is another table: choose another name"
    assert (await learns(conductor, NAME)).startswith(f"Saved as {NAME}, version 2.")


async def test_lessons_of_another_nimtui_come_between_and_both_stay() -> None:
    conductor = await lost()
    await learns(conductor, NAME)
    await again(conductor, f"table:{NAME}")
    saved = saved_tables.load(NAME)
    assert saved.taught is not None
    taught.keep(saved.path, "easy", saved.taught.base, [saved.taught.lessons[0]])
    assert (await learns(conductor)).startswith(f"Saved as {NAME}, version 3.")
    newest, before = saved_tables.load(NAME).table, saved_tables.load(f"{NAME}@2").table
    learned, start = conductor.session.learned, newest.game.new()
    assert learned is not None and newest.scores(start)[0] - before.scores(start)[0] == -1
    assert [(one.before, one.after) for one in learned.changes if one.position_name == "1,1"] == [
        (before.scores(start)[0], newest.scores(start)[0])
    ]
    texts = {(): "no position", ("1,1",): "1 position", ("1,1", "1"): "2 positions"}
    for positions, number in texts.items():
        changed = type(learned)(learned.changes, learned.moves, positions)
        assert changed_text(changed) == f"Best moves changed in {number} of this game."
    assert changed_text(type(learned)((), (), ())) == ""


# On the screen.


@pytest.mark.slow
async def test_the_name_is_asked_for_mended_and_left_and_the_next_game_is_against_the_table(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await make_moves(pilot, "a1")
        await pilot.press("l", "enter")
        assert f"Save its table as: {NAME}" in said(pilot, "prompt") and FORGOTTEN in said(pilot, "thoughts")
        assert "Easy learned" in said(pilot, "thoughts") and "→" in said(pilot, "thoughts")
        await pilot.press("escape")
        assert "What Easy learned from you is not saved" in pilot.app.at_work and not paths.tables().exists()
        await pilot.press("l", "plus", "enter")
        assert NAME in said(pilot, "prompt") and session(pilot).learned.weight == 10
        await pilot.press("escape", "l", "escape")
        assert session(pilot).learned.weight == 10, "esc leaves the lesson as it is"
        await pilot.press("l", "enter", "end", "slash", "enter")
        assert "invalid file name" in said(pilot, "prompt") and f"{NAME}/" in said(pilot, "prompt")
        await pilot.press("ctrl+u", *"mine", "enter")
        await until(pilot, lambda: "Saved as mine, version 1. Accuracy" in said(pilot, "prompt"))
        assert "Saved as mine, version 1." in said(pilot, "thoughts") and not pilot.app.at_work
        await pilot.press("l", "escape")  # it shows the lesson again
        assert "Easy has already learned from this game" in said(pilot, "prompt")
        await pilot.press("u", "enter")
        await settled(pilot)
        await pilot.press("l", "escape")
        assert "Easy has already learned from this game" in said(pilot, "prompt")  # the same moves teach nothing new
        assert len(saved_tables.load("mine").taught.lessons) == 1
        await pilot.press("n")  # the form offers the table that has learned
        assert "--second table:mine" in screen_text(pilot.app)
        await pilot.press("escape", "o")
        assert "me, table:mine," in said(pilot, "prompt")


# The lesson after a game: both maps, the weight, kept or left.

GAME, PUPIL = "nim:1,2,3", "reward:games=20"
LARGE = (200, 60)


async def opened(pilot: Any) -> LessonScreen:
    """Open the lesson of the finished game, with its maps."""
    await until(pilot, lambda: session(pilot).over)
    await pilot.press("l")
    await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen) and pilot.app.screen.effect is not None)
    found: LessonScreen = pilot.app.screen
    return found


def shown(screen: LessonScreen) -> str:
    return " ".join(screen.query_one("#told").text().split())


def positions(pilot: Any) -> list[str]:
    """The names of the positions of the game."""
    record = session(pilot).record
    return [record.game.position_name(record.state_at(ply)) for ply in range(record.ply)]


def moved(known: Truth, before: Table, after: Table) -> list[bool]:
    """Where the best moves of two tables differ, position by position."""
    states = [before.game.at(board.astype("int64")) for board in known.graph.boards]
    return [before.best_moves(state) != after.best_moves(state) for state in states]


def table(pilot: Any) -> Any:
    return session(pilot).players[1].agent.table


async def test_both_maps_follow_the_weight_and_the_next_change_is_gone_to_at_every_size(make_app: Any) -> None:
    async with playing(make_app, GAME, "perfect", PUPIL, size=LARGE) as pilot:
        screen = await opened(pilot)
        one, two = screen.query(PositionMap)
        before = table(pilot).copy()
        after, lessons, known = before.copy(), 0, truth(before.game)
        for weight in taught.WEIGHTS:
            for times in [1] * (weight - lessons) if weight <= 10 else [weight - lessons]:
                after.learn(session(pilot).record, times)
            lessons = weight
            assert one.verdicts.tolist() == Judged.of(known, before).verdicts.tolist()
            assert two.verdicts.tolist() == Judged.of(known, after).verdicts.tolist()
            assert one.marked.tolist() == two.marked.tolist() == moved(known, before, after)
            assert f"1 lesson with weight {weight:,}: " in shown(screen) and f"▸{weight:,}" in shown(screen)
            drawn = sum(one.text().rpartition("\n")[0].count(sign) for sign in "◉╳◎")
            assert drawn == (one.marked & (two.verdicts != NOTHING)).sum()
            await pilot.press("n")
            assert screen.effect.changed[two.node] and not pilot.app._notifications
            await pilot.press("plus")
        assert f"▸{taught.WEIGHTS[-1]:,}" in shown(screen)  # the last one stays
        await pilot.press("minus")
        assert f"▸{taught.WEIGHTS[-2]:,}" in shown(screen)
        rows = [f"{name} {move} " for name, move in zip(positions(pilot), session(pilot).move_names(), strict=True)]
        assert all(row in shown(screen) for row in rows)
        await pilot.press("right")
        assert one.node == two.node >= 0 and screen.effect.name(two.node) in shown(screen)
        for size in ((60, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            assert not any(row in shown(screen) for row in rows)  # only a large screen lists the moves of the lesson
            assert all(word in screen_text(pilot.app) for word in ("Before", "After"))
        unchanged = replace(screen.effect, after=screen.effect.before)
        for effect, why in ((unchanged, "The lesson changes no best move"), (None, "Solving every position")):
            screen.effect, two.marked = effect, unchanged.changed
            await pilot.press("n")
            assert [notice.message for notice in pilot.app._notifications][-1:] == [why]
        await pilot.press("escape")
        assert same_tables(table(pilot), before) and session(pilot).learned is None
        assert session(pilot).can_learn and not pilot.app.at_work and not saved_tables.taught_tables()


@pytest.mark.slow
async def test_keys_in_one_burst_keep_the_lesson_with_its_weight_and_the_library_tells_it(make_app: Any) -> None:
    async with playing(make_app, GAME, "perfect", PUPIL) as pilot:
        await until(pilot, lambda: session(pilot).over)
        before = table(pilot).copy()
        for key in ("l", "plus", "plus", "enter", "enter"):
            pilot.app.post_message(events.Key(key, "+" if key == "plus" else key if len(key) == 1 else None))
        await until(pilot, lambda: bool(saved_tables.taught_tables()))
        found = saved_tables.load("reward-taught-nim-1-2-3")
        assert found.taught is not None and [lesson.weight for lesson in found.taught.lessons] == [100]
        for _ in range(100):
            before.learn(session(pilot).record)
        assert same_tables(found.table, before)
        assert session(pilot).learned.weight == 100

        await pilot.press("l")  # shows the lesson again: there is nothing left to choose
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen) and pilot.app.screen.effect is not None)
        assert "Weight 100 1 lesson with weight 100: " in shown(pilot.app.screen)
        await pilot.press("plus", "enter")
        assert (
            "Weight 100" in shown(pilot.app.screen)
            and len(saved_tables.load("reward-taught-nim-1-2-3").taught.lessons) == 1
        )
        await pilot.press("escape", "f6")
        await until(pilot, lambda: getattr(pilot.app.screen.conductor, "details", None) is not None)
        assert "weight 100, best moves changed in" in " ".join(spoken(pilot.app.screen.conductor.details.report))
        await pilot.press("c")
        assert "Compare versions: 0 1" in screen_text(pilot.app)
        await pilot.press("ctrl+u", "0", "enter")
        assert "enter two versions" in screen_text(pilot.app)
        await pilot.press("space", "1", "enter")
        await until(pilot, lambda: "wins overall" in screen_text(pilot.app))


@pytest.mark.slow
async def test_every_learner_shows_its_lesson(make_app: Any) -> None:
    async with playing(make_app, "noughts:3x3x3", "random", "random") as pilot:
        for learner in ("quality", "q", "proof", "average"):
            pilot.app.play(PlaySetup("noughts:3x3x3", None, ("random", f"{learner}:games=30"), 1))
            screen = await opened(pilot)
            assert "Accuracy" in shown(screen) and all(each.text().strip() for each in screen.query(PositionMap))
            await pilot.press("escape")


@pytest.mark.slow
async def test_a_game_that_cannot_be_solved_names_the_best_moves_that_change(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise InputError("the game is too large")

    monkeypatch.setattr("nimtui.ui.play.lesson.Preview", refuse)
    async with playing(make_app, GAME, "perfect", PUPIL) as pilot:
        await until(pilot, lambda: session(pilot).over)
        await pilot.press("l")
        await until(pilot, lambda: "No map: the game is too large." in shown(pilot.app.screen))
        lesson = taught.Lesson.of(session(pilot).record, None, ("perfect", PUPIL), 0.0)
        changed = taught.changed_positions(table(pilot), taught.after(table(pilot), lesson)[0], lesson)
        number = {0: "no positions", 1: "1 position"}.get(len(changed), f"{len(changed)} positions")
        assert f"Best moves change in {number} of this game" in shown(pilot.app.screen)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: bool(saved_tables.taught_tables()))
