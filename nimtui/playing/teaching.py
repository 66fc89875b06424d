"""What learned opponents learn from a person's games: in memory at once, and in a file as soon as it has a name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import Any, TypeAlias

from nimtui.agents.learned import OfTable
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.notation import plural
from nimtui.jobs.conductor import Conductor
from nimtui.learning.saved_tables import VERSION, called, free_name, new_place, taught_tables
from nimtui.learning.table import Table
from nimtui.learning.taught import Lesson, Taught, after, changed_positions, keep
from nimtui.playing.session import Learned, Player, Session
from nimtui.playing.setup import usual_name
from nimtui.progress import Progress
from nimtui.store import paths

Saved: TypeAlias = tuple[Taught, tuple[Table, Learned] | None]
# All versions; and the one before the last lesson with what that changed, if it is not the version known here.
SAVING = "saving the lesson"  # the errand
FORGOTTEN = "Forgotten when you quit."


@dataclass(eq=False)
class Course:
    """The lessons of one opponent."""

    game: Game
    origin: str  # the agent before its lessons: 'easy'
    who: str  # its name in a sentence: 'Easy'
    table: Table  # with all lessons
    saved: Table  # with the saved lessons only
    path: Path | None = None  # the file of the saved table; None before it has one
    version: int = 0  # of the saved table
    session: Session | None = None  # the game of the last lesson
    waiting: list[Lesson] = field(default_factory=list)  # the lessons that are not saved
    last: tuple[Table, Lesson] | None = None  # the last lesson, and the table before it

    @property
    def name(self) -> str:
        """The name of the saved table; '' before it has one."""
        return "" if self.path is None else self.path.stem

    @property
    def spec(self) -> str:
        """The name of the agent that plays what is saved; '' if nothing is."""
        return "" if self.path is None else f"table:{called(self.path, self.version)}"

    @property
    def state(self) -> str:
        """Say whether all lessons are saved, in a sentence."""
        return FORGOTTEN if self.waiting else f"Saved as {self.name}, version {self.version}."

    def default_name(self) -> str:
        """Return a free name for the table: 'easy-taught-tower-16'."""
        word, _, rest = self.origin.partition(":")
        if word == "table":  # an older version, or a file
            version = VERSION.fullmatch(rest)
            word = re.split(r"[/\\]", version[1] if version else rest)[-1].removesuffix(".npz")
            return free_name(_slug(word))
        return free_name(_slug(f"{word}-taught-{usual_name(self.game.name)}"))


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=_]+", "-", text).strip("-.")[:50] or "taught"


def _lesson(before: Table, lesson: Lesson) -> tuple[Table, Learned]:
    """Return the table after a lesson, and what it changed."""
    game, record = before.game, lesson.record(before.game)
    states = {game.position_name(state): state for state in map(record.state_at, range(record.ply))}
    table, changes = after(before, lesson)
    moves = tuple(game.move_name(change.move, states[change.position_name]) for change in changes)
    return table, Learned(tuple(changes), moves, tuple(changed_positions(before, table, lesson)), lesson.weight)


class Teaching:
    """The courses of this app, each of one opponent in one game."""

    def __init__(self, conductor: Conductor, say: Callable[[str, Session | None], object]) -> None:
        """`say` shows a message about a game."""
        self._conductor, self._say = conductor, say
        self._courses: dict[tuple[str, str], Course] = {}

    def course(self, session: Session) -> Course | None:
        """Return the course of this game's opponent; None before its first lesson."""
        pupil = session.pupil
        return None if pupil is None else self._courses.get((session.game.name, pupil.spec))

    def seated(self, game: Game, player: Player) -> Player:
        """Return the player, with the lessons that have no name yet."""
        course = self._courses.get((game.name, player.spec))
        if course is None or not course.waiting or player.agent is None:
            return player
        return Player(OfTable(course.table, player.agent.name, player.agent.title))

    def next_seat(self, game: Game, spec: str) -> str:
        """Return who plays the next game for this player: the saved table, once the player has learned."""
        course = self._courses.get((game.name, spec))
        return spec if course is None or not course.spec or course.waiting else course.spec

    @property
    def unsaved(self) -> str:
        """Name the opponents with lessons that are not saved; '' if there are none."""
        return " and ".join(dict.fromkeys(course.who for course in self._courses.values() if course.waiting))

    def lesson(self, session: Session, weight: int = 1) -> tuple[Course, Lesson]:
        """Return what the opponent can learn from the finished game, and its course. Raises InputError if it cannot."""
        pupil = session.pupil
        if pupil is None or not session.can_learn:
            raise InputError("nothing to learn yet: the game is not over")
        course = self.course(session) or self._new_course(session.game, pupil)
        first, second = (player.spec for player in session.players)
        return course, Lesson.of(session.record, session.position, (first, second), time(), weight)

    def learn(self, session: Session, weight: int = 1) -> Course:
        """Let the opponent learn from the finished game. Raises InputError if it cannot."""
        course, lesson = self.lesson(session, weight)
        pupil = session.pupil
        assert pupil is not None
        before = course.table
        course.table, learned = _lesson(before, lesson)
        course.last = before, lesson
        course.waiting.append(lesson)
        self._courses[session.game.name, pupil.spec] = course
        course.session = session
        session.learn(learned)
        return course

    def unsaved_lesson(self, session: Session) -> Course | None:
        """Return the course whose last lesson is this game and has no file yet; None if there is none."""
        course = self.course(session)
        if course is None or course.session is not session or session.learned is None or not course.waiting:
            return None
        return None if self._conductor.on_errand(SAVING) else course

    def withdraw(self, session: Session) -> None:
        """Take the unsaved lesson of this game back, so that another weight can be chosen."""
        course = self.unsaved_lesson(session)
        if course is not None and course.last is not None:
            course.table = course.last[0]
            course.waiting.pop()
            session.unlearn()

    def _new_course(self, game: Game, pupil: Player) -> Course:
        agent: Any = pupil.agent
        course = Course(game, pupil.spec, pupil.title.partition(" (")[0], agent.table, agent.table)
        saved = getattr(agent, "saved", None)
        if saved is not None and saved.newest:
            course.path, course.version = saved.path, saved.version
        return course

    def names(self, course: Course) -> list[str]:
        """Return the names to offer: a new one, and the taught tables that can learn more."""
        tables = taught_tables(course.game)
        return [course.default_name(), *(each.name for each in tables if each.learner == course.table.learner)]

    def save(self, course: Course, name: str = "") -> None:
        """Save the lessons under this name [default: the course's own]. Raises InputError for an invalid name."""
        path = new_place(name) if name or course.path is None else course.path
        if self._conductor.on_errand(SAVING):
            raise InputError("wait: the last lesson is being saved")
        waiting, before, origin = tuple(course.waiting), course.saved, course.spec or course.origin
        expected = course.version + len(waiting)

        def work(progress: Progress) -> Saved:
            taught = keep(path, origin, before, waiting)
            others = len(taught) != expected  # lessons of another nimtui came between: this one changed other scores
            if not others:
                return taught, None
            table = taught.version(len(taught) - 1)
            return taught, (table, _lesson(table, waiting[-1])[1])

        def saved(versions: Saved) -> None:
            taught, change = versions
            if change is not None and course.waiting[-1] is waiting[-1]:
                course.last = change[0], waiting[-1]
                if course.session is not None and course.session.learned is not None:
                    course.session.learned = change[1]
            self._saved(course, path, taught, len(waiting))

        def failed(why: str) -> None:
            reason = (why or "stopped").replace(f"{paths.home()}{os.sep}", "")
            self._say(f"Not saved, l tries again: {reason}", course.session)

        self._conductor.errand(SAVING, work, saved, failed)

    def _saved(self, course: Course, path: Path, taught: Taught, number: int) -> None:
        del course.waiting[:number]
        course.path, course.version, course.saved = path, len(taught), taught.newest
        self._courses[course.game.name, course.spec] = course
        if course.waiting:  # a lesson given meanwhile
            self.save(course)
            return
        course.table = taught.newest  # with the lessons of another nimtui
        self._say(course.state, course.session)

        def measure(progress: Progress) -> str:
            from nimtui.learning.report import accuracy_change

            return accuracy_change(taught, progress)

        def measured(accuracy: str) -> None:
            if accuracy:
                self._say(f"{course.state} Accuracy {accuracy}.", course.session)

        self._conductor.errand("measuring the table", measure, measured)


def changed_text(learned: Learned) -> str:
    """Say in how many positions of its game the lesson changed the best moves; '' if it changed no score."""
    number = len(learned.positions)
    if not learned.changes:
        return ""
    positions = plural(number, "position", "positions") if number else "no position"
    return f"Best moves changed in {positions} of this game."
