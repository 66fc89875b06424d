"""Runs a game: agents think as jobs, at a set pace; hints and explanations come from jobs too. Knows no widgets.

All code runs in the event loop; long work is a job. The answer of a job is dropped if the game has changed meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui import theory
from nimtui.agents import Decision, Thinking
from nimtui.agents.searching import depends_on_the_machine
from nimtui.engine import activity
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.jobs import Jobs
from nimtui.jobs.clock import Remaining, compiling_text, remaining_text
from nimtui.jobs.conductor import Conductor
from nimtui.playing import advice, levels
from nimtui.playing import sentences as words
from nimtui.playing.advice import Analysis, Explaining
from nimtui.playing.replay import Snapshot
from nimtui.playing.session import Session
from nimtui.playing.setup import ME, PlaySetup
from nimtui.playing.teaching import Course, Teaching
from nimtui.progress import Progress
from nimtui.report.values import Typed
from nimtui.store.rows import short_id
from nimtui.theory.explanation import Explanation
from nimtui.ui.play.thinking import settled

if TYPE_CHECKING:
    from nimtui.store.database import Database

MOVE = "move"  # the errand of the agent to move
PACES = (0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)  # seconds per move, when a person watches two agents
REPLY = 0.4  # seconds between a person's move and the reply, so that they see their own move


def paced(pace: float, by: int) -> float:
    """Return the pace that is so many steps faster, or slower if negative."""
    nearest = min(range(len(PACES)), key=lambda at: abs(PACES[at] - pace))
    return PACES[max(0, min(len(PACES) - 1, nearest - by))]


class Waiting(NamedTuple):
    """What an agent is doing, the finished share of that, 0 to 1, and the time left: 'about 2 min left'."""

    text: str = ""
    share: float | None = None  # None: unknown
    left: str = ""


class PlayConductor(Conductor):
    """Runs one game after another: `session`. Before the first it is an empty game of two people."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.pace = 0.8  # seconds per move of two agents that a person watches
        self._reply = self._least = 0.0  # seconds before a reply; the lower bound of the pace
        self.session = Session(PlaySetup(seats=(ME, ME)))
        self.begun = False  # has a person started a game?
        self.pointed: Move | None = None  # where the cursor should go
        self.explaining = Explaining(self)
        self.analysis = Analysis(self)
        self._believed: Thinking | None = None  # what the agent to move believed last
        self._due: asyncio.TimerHandle | None = None  # the timer of a decision that is not shown yet
        self._began = 0.0
        self._remaining = Remaining()
        self.teaching = Teaching(self, lambda message, session: self.say(message) if session is self.session else None)

    def set_pace(self, pace: float, slow: float = 0.0, reply: bool = True) -> None:
        """Set the pace in seconds per move. `slow`: the least pace on a slow line; `reply`: pause before replies."""
        self.pace, self._least = pace, slow
        self._reply = REPLY if reply and not slow else 0.0

    # One game.

    def start(self, setup: PlaySetup) -> None:
        """Start this game. Raises InputError if it is invalid; the game before then continues."""
        session = Session(setup)
        self._remember(session)
        self.analysis.stop()
        self.session, self.begun = session, True
        self._moved("")

    def _remember(self, session: Session) -> None:
        """Seat the agents that have learned from games here with lessons that are not saved."""
        session.players = [self.teaching.seated(session.game, player) for player in session.players]

    def next_setup(self) -> PlaySetup:
        """Return the setup of another game like this one, against what the opponent has learned or the next level."""
        setup = self.session.setup()
        first, second = (self.teaching.next_seat(self.session.game, seat) for seat in setup.seats)
        return levels.again(self.session, replace(setup, seats=(first, second)))

    @property
    def lost_by_leaving(self) -> str:
        who = self.teaching.unsaved
        return f"What {who} learned from you is not saved: l on the Play screen saves it." if who else ""

    def _moved(self, message: str | None = None, point: Move | None = None) -> None:
        """Show the changed position or players, and let the agent to move think.

        `point` is where the cursor should stand.
        """
        self._call_off()
        self.drop("hint")
        self.pointed = point
        if message is not None:
            self.message = message
        self.explaining.explain(self.session)
        self._let_think()
        self.analysis.follow(self.session)
        self.changed()
        self.pointed = None

    def _call_off(self) -> bool:
        """Cancel the thinking of an agent, or its decision that is not shown yet."""
        due, self._due = self._due, None
        if due is not None:
            due.cancel()
        return self.drop(MOVE) or due is not None

    @property
    def in_progress(self) -> bool:
        """Whether leaving now would end a game: one with moves of a person, or one of two agents."""
        session = self.session
        if session.over:
            return False
        if session.watched:
            return session.record.ply > 0 or self.thinking
        return any(session.players[ply % 2].is_person for ply in range(session.opening, session.record.ply))

    # Agents.

    @property
    def working(self) -> bool:
        """Whether a job runs whose progress should be shown."""
        return self.on_errand(MOVE, "hint", advice.WHY)

    @property
    def thinking(self) -> bool:
        """Whether an agent thinks, or waits to show its decision."""
        return self.on_errand(MOVE) or self._due is not None

    @property
    def busy(self) -> bool:
        """Whether `stop` would stop something."""
        return self.thinking or self.on_errand("hint") or self.analysis.on

    @property
    def waiting(self) -> Waiting:
        """What the agent to move is doing."""
        session, job = self.session, self.doing(MOVE)
        if session.to_move.agent is None:
            return Waiting()
        name = session.called(session.record.turn)
        if job is None:
            return Waiting(f"{name} is thinking")
        text = words.working(name, session.to_move.agent.ready, job.snapshot, compiling_text())
        return Waiting(text, job.snapshot.share, remaining_text(self._remaining.seen(job.snapshot, monotonic())))

    def _let_think(self) -> None:
        session = self.session
        agent = session.waiting_for
        if agent is None:
            return
        state, stream = base.copy(session.state), session.stream()

        def think(progress: Progress) -> Decision:
            with activity.interpreting(not depends_on_the_machine(agent)):
                if not agent.ready:
                    agent.prepare(progress)
                return agent.decide(state, stream, progress)

        self._began, self._remaining, self._believed = monotonic(), Remaining(), None
        job = self.errand(
            session.to_move.short, think, lambda decision: self._decided(decision, job.thinking), self._failed, key=MOVE
        )

    @property
    def believed(self) -> Thinking | None:
        """What the agent to move believes so far, also while its decision waits to be shown; None: nothing yet.

        What a person's opponent believes for less than the pause before its reply is not shown: its last thoughts are.
        """
        self._believed = self.thoughts(MOVE) or self._believed
        ripe = self.session.watched or monotonic() - self._began >= REPLY
        return self._believed if self.thinking and ripe else None

    def _decided(self, decision: Decision | None, last: Any) -> None:
        """Show the decision, at the pace; `last` is what the agent believed before it."""
        session = self.session
        if decision is None:
            self._failed("it gave no answer")
            return
        self._believed = settled(decision, last if isinstance(last, Thinking) else None)
        answers = session.record.ply > 0 or bool(session.record.undone)  # not the first move of a new game
        seconds = max(self.pace, self._least) if session.watched else self._reply if answers else 0.0
        rest = seconds - (monotonic() - self._began)
        if rest > 0.01 and not session.steps:
            self._due = asyncio.get_running_loop().call_later(rest, self._answer, decision)
        else:
            self._answer(decision)

    def _failed(self, why: str) -> None:
        """Hold the game: the agent failed, or was stopped."""
        if why:
            self.session.fail(why.removeprefix(f"{self.session.to_move.spec} "))  # the prompt names the agent already
        else:
            self.session.stop()
        self._moved("" if why else None)

    def _answer(self, decision: Decision) -> None:
        session = self.session
        self._due = None
        try:
            session.play(decision.move, decision)
        except (ValueError, IndexError):
            session.fail(f"it chose {decision.move}, an illegal move")
            self._moved("")
            return
        faults = getattr(session.players[1 - session.record.turn].agent, "faults", None)
        self._moved(faults.pop() if faults else "" if session.over else words.latest(session))

    # What a person does.

    def play(self, move: Move) -> None:
        """Play a person's move, or one that a person makes for a stopped agent."""
        session = self.session
        if session.person_may_move and base.legal(session.state, move):
            self._moved(self._refused(partial(session.play, move)))
        else:
            self.changed()

    def undo(self) -> None:
        if self.session.undo():
            self._moved("", self._taken_back())

    def redo(self) -> None:
        if self.session.redo_ply is not None:
            self._moved(self._refused(self.session.redo), self._taken_back())

    def goto(self, ply: int) -> None:
        """Continue from the position after `ply` moves."""
        refused = self._refused(partial(self.session.goto, ply))
        self._moved(refused or f"Back to the position before move {ply + 1}.", self._taken_back())

    @staticmethod
    def _refused(step: Callable[[], object]) -> str:
        """Take a step of the session. Return what own rules that change their answer refuse, '' if nothing."""
        try:
            step()
        except InputError as refused:
            return f"{refused}."
        return ""

    def _taken_back(self) -> Move | None:
        """Return the next of the moves taken back, or None."""
        return next(reversed(self.session.record.undone), None)

    def stop(self) -> None:
        """Stop the search for a hint, else the thinking agent, else the analysis."""
        if self.drop("hint"):
            self.say("No hint: stopped")
        elif self._call_off():
            self.session.stop()
            self._moved()
        else:
            self.analysis.stop()
            self.changed()

    def pause_or_resume(self) -> None:
        """Pause or resume two agents, or let a stopped or failed agent try again."""
        if self.session.hold is None:
            self.session.stop()
        else:
            self.session.resume()
        self._moved("")

    def step(self) -> None:
        """Let the agent to move play one move, when a person watches two agents."""
        self.session.step()
        self._moved("")

    def change_pace(self, by: int) -> None:
        """Play faster (1) or slower (−1), when a person watches two agents."""
        self.pace = paced(self.pace, by)
        self.say(f"{Typed(self.pace)} seconds per move")

    def swap(self) -> None:
        self.session.swap()
        starts = f"{words.verb(words.inside(self.session.called(0)), 'moves', 'move')} first"
        side = starts if not self.session.record.ply else "both players changed sides"
        self._moved(f"Seats swapped: {side}.")

    def seat(self, seat: int, spec: str) -> None:
        """Give this seat to another player. Raises InputError if the name is invalid."""
        self.session.seat(seat, spec)
        self._remember(self.session)
        self._moved("")

    def learn(self, weight: int = 1) -> Course | None:
        """Let the trained opponent learn from the finished game, and save the lesson if the table has a name.

        The table learns from the game `weight` times.

        Return the course if it needs a name, else None.
        """
        session = self.session
        pupil, course = session.pupil, self.teaching.course(session)
        if pupil is None or not session.over:
            return None
        if session.can_learn:
            try:
                course = self.teaching.learn(session, weight)
            except InputError as fault:
                self.say(str(fault))
                return None
            self.message = f"{course.who} learned. {course.state}"
        elif course is None or not course.waiting:
            self.message = f"{pupil.title.partition(' (')[0]} has already learned from this game"
        unsaved = course if course is not None and course.waiting else None
        if unsaved is not None and unsaved.path is not None:
            with contextlib.suppress(InputError):  # the lesson before is being saved; this one follows
                self.teaching.save(unsaved)
            unsaved = None
        self.changed()
        return unsaved

    def keep(self, database: Callable[[], Database], then: Callable[[], object]) -> None:
        """Save the game as it stands, in a job, and report its number, or why not. `then` follows a saved game."""
        session = self.session

        def say(message: str) -> None:
            if self.session is session:
                self.say(message)

        def failed(why: str) -> None:
            say(f"Not saved: {why or 'stopped'}")

        def written(number: int) -> None:
            say(f"{what} {short_id(number, alone=True)}. Open it in the Library (F6)")
            then()

        what = "Saved as game" if session.over else "Saved the unfinished game as"
        try:
            snapshot = Snapshot.of(session)
            self.errand("saving the game", lambda progress: snapshot.save(database(), progress), written, failed)
        except InputError as fault:
            failed(str(fault))

    # Hints and explanations.

    def hint(self) -> None:
        """Put the cursor on a good move and say why it is good."""
        session = self.session
        if not session.person_may_move:
            return
        game, state = session.game, base.copy(session.state)
        if theory.is_instant(game, state):
            self._advise(advice.hint(game, state))
            return
        self.message = "Looking for the best move …"
        self.errand("hint", lambda progress: advice.hint(game, state, progress), self._advise, "No hint")
        self.changed()

    def _advise(self, hint: advice.Hint) -> None:
        why = self.explaining.explanation if self.explaining.on else None
        beside = isinstance(why, Explanation) and hint.text == " ".join(why.plain)  # the panel says the reason
        self.message = f"{re.split('[:.]', hint.text)[0]}: see Why" if beside else hint.text
        self.pointed = hint.move
        self.changed()
        self.pointed = None

    def explain(self, close: bool = False) -> None:
        """Explain the position, then deeper, then no more; `close`: no more at once."""
        self.explaining.next(self.session, close)
        self.message = ""  # a hint would take the room
        self.changed()
