"""Keeps a game going: lets agents think as jobs, paces them, asks for hints and explanations. Knows no widgets.

Everything here happens in the event loop; what takes long is a job, and its answer is dropped if the game has gone
somewhere else meanwhile.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from nimtui import theory
from nimtui.agents import Agent, Decision
from nimtui.engine import activity
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.games.notation import plural
from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.theory.explanation import Explanation
from nimtui.ui.kit.conductor import Conductor
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.kit.remaining import Remaining, remaining_text
from nimtui.ui.play import advice
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Player, Session
from nimtui.ui.play.setup import ME, PlaySetup

PACES = (0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)  # seconds a move, where two agents are watched
REPLY = 0.4  # seconds in which a person sees their own move before the answer to it


class PlayConductor(Conductor):
    """One game after another: `session`. Before the first there is one for two people, of which nothing is lost."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.pace = 0.8  # seconds a move of two agents who are watched
        self._reply = self._least = 0.0  # seconds before an answer; the pace is never below the second
        self.session = Session(PlaySetup(seats=(ME, ME)))
        self.begun = False  # is it a game that somebody asked for?
        self.pointed: Move | None = None  # the cursor should go there
        self.why: Explanation | str | None = None  # of the position on the board; None: not known yet
        self.explaining = False
        self._thinking: LatestJob[Decision] = LatestJob()
        self._asking: LatestJob[advice.Hint] = LatestJob()
        self._explaining: LatestJob[Explanation | str] = LatestJob()
        self._due: asyncio.TimerHandle | None = None  # a decision that waits for its time
        self._began = 0.0
        self._remaining = Remaining()
        self._taught: dict[tuple[str, str], Agent] = {}  # those that learned from games here keep what they learned

    def set_pace(self, pace: float, slow: float = 0.0, reply: bool = True) -> None:
        """Take on a pace; seconds. `slow`: a line to the terminal that is so; `reply`: is there a pause for answers?"""
        self.pace, self._least = pace, slow
        self._reply = REPLY if reply and not slow else 0.0

    # One game.

    def start(self, setup: PlaySetup) -> None:
        """Begin this game. InputError, and the game before goes on, where it cannot be."""
        session = Session(setup)
        self._remember(session)
        self.session, self.begun = session, True
        self._moved("")

    def _remember(self, session: Session) -> None:
        """Who learned from a game here sits there with what was learned."""
        taught, game = self._taught, session.game.name
        session.players = [Player(taught.get((game, player.spec), player.agent)) for player in session.players]

    def _moved(self, message: str | None = None, point: Move | None = None) -> None:
        """The position or the players have changed: show it, and let who is to move think.

        `point` is where the cursor should stand.
        """
        self._call_off()
        self._asking.cancel()
        self.pointed = point
        if message is not None:
            self.message = message
        self._explain()
        self._let_think()
        self.changed()
        self.pointed = None

    def _call_off(self) -> bool:
        """Forget what an agent was thinking, or had decided for later."""
        due, self._due = self._due, None
        if due is not None:
            due.cancel()
        return self._thinking.cancel() or due is not None

    @property
    def in_progress(self) -> bool:
        """Would leaving now end a game: one with moves of a person, or one that agents play?"""
        session = self.session
        if session.over:
            return False
        if session.watched:
            return session.record.ply > 0 or self.thinking
        return any(session.players[ply % 2].is_person for ply in range(session.opening, session.record.ply))

    # Agents.

    @property
    def working(self) -> bool:
        """Does something run whose progress should be looked at?"""
        return self._thinking.running or self._asking.running or self._explaining.running

    @property
    def thinking(self) -> bool:
        """Does an agent think, or wait to show what it has decided?"""
        return self._thinking.running or self._due is not None

    @property
    def busy(self) -> bool:
        """Is there something that `stop` would stop?"""
        return self.thinking or self._asking.running

    @property
    def left(self) -> str:
        """How long that will still take: 'about 2 min left'."""
        job = self._thinking.job
        return remaining_text(self._remaining.seen(job.snapshot, monotonic())) if job is not None else ""

    @property
    def share(self) -> float | None:
        """How much of that is finished, 0 to 1; None where it is not known."""
        return self._thinking.job.snapshot.share if self._thinking.job is not None else None

    def progress(self) -> str:
        """What the agent to move is busy with."""
        session, job = self.session, self._thinking.job
        if session.to_move.agent is None:
            return ""
        name = words.called(session, session.record.turn)
        if job is None:
            return f"{name} is thinking"
        return words.working(name, session.to_move.agent.ready, job.snapshot, activity.compiling() is not None)

    def _let_think(self) -> None:
        session = self.session
        agent = session.waiting_for
        if agent is None:
            return
        state, stream = base.copy(session.state), session.stream()

        def think(progress: Progress) -> Decision:
            if not agent.ready:
                agent.prepare(progress)
            return agent.decide(state, stream, progress)

        self._began, self._remaining = monotonic(), Remaining()
        self._thinking.start(self.jobs, session.to_move.short, think, self._thought)

    def _thought(self, job: Job[Decision]) -> None:
        """The agent has decided, or failed, or was stopped from elsewhere."""
        session = self.session
        if job.state is JobState.DONE and job.result is not None:
            decision = job.result
            answers = session.record.ply > 0 or bool(session.record.undone)  # not the first move of a new game
            seconds = max(self.pace, self._least) if session.watched else self._reply if answers else 0.0
            rest = seconds - (monotonic() - self._began)
            if rest > 0.01 and not session.steps:
                self._due = asyncio.get_running_loop().call_later(rest, self._answer, decision)
            else:
                self._answer(decision)
        elif job.state is JobState.CANCELLED:
            session.stop()
            self._moved()
        else:
            said = job.error_text.removeprefix(f"{session.to_move.spec} ")  # it is named already
            session.fail(said or "it gave no answer")
            self._moved("")

    def _answer(self, decision: Decision) -> None:
        session = self.session
        self._due = None
        try:
            session.play(decision.move, decision)
        except (ValueError, IndexError):
            session.fail(f"it wants to play {decision.move}, which is not a legal move")
            self._moved("")
            return
        faults = getattr(session.players[1 - session.record.turn].agent, "faults", None)
        self._moved(faults.pop() if faults else "" if session.over else words.latest(session))

    # What a person does.

    def play(self, move: Move) -> None:
        """A person's move, or one made for an agent that does not think."""
        session = self.session
        if session.person_may_move and base.legal(session.state, move):
            session.play(move)
            self._moved("")
        else:
            self.changed()

    def undo(self) -> None:
        if self.session.undo():
            self._moved("", self._taken_back())

    def redo(self) -> None:
        if self.session.redo():
            self._moved("", self._taken_back())

    def goto(self, ply: int) -> None:
        """Play on from the position after so many moves."""
        self.session.goto(ply)
        self._moved(f"Back before move {ply + 1}.", self._taken_back())

    def _taken_back(self) -> Move | None:
        """The known move that led on from here."""
        undone = self.session.record.undone
        return undone[-1] if undone else None

    def stop(self) -> bool:
        """A hint that is looked for, else the agent that is thinking, shall stop at once. False where neither is."""
        if self._asking.cancel():
            self.message = "No hint: stopped"
            self.changed()
            return True
        if not self._call_off():
            return False
        self.session.stop()
        self._moved()
        return True

    def pause_or_go_on(self) -> None:
        """Pause two agents, go on with them, or let an agent that was stopped or failed try again."""
        if self.session.over:
            return
        if self.session.hold is not None:
            self.session.resume()
        elif self.session.watched:
            self.session.stop()
        self._moved("")

    def step(self) -> None:
        """One move of two agents that are watched."""
        if self.session.watched and not self.session.over:
            self.session.step()
            self._moved("")

    def change_pace(self, by: int) -> None:
        """Faster (1) or slower (−1), for two agents that are watched."""
        nearest = min(range(len(PACES)), key=lambda at: abs(PACES[at] - self.pace))
        self.pace = PACES[max(0, min(len(PACES) - 1, nearest - by))]
        self.message = f"{self.pace:g} seconds a move"
        self.changed()

    def swap(self) -> None:
        self.session.swap()
        first = words.called(self.session, 0)
        begins = f"{words.verb(words.inside(first), 'begins', 'begin')}"
        side = begins if not self.session.record.ply else "the players have changed sides"
        self._moved(f"Seats swapped: {side}.")

    def seat(self, seat: int, spec: str) -> None:
        """Somebody else on this seat. InputError where that cannot be."""
        self.session.seat(seat, spec)
        self._remember(self.session)
        self._moved("")

    def learn(self) -> None:
        """Let the learned opponent learn from the game that is over."""
        session = self.session
        pupil = session.pupil
        if pupil is None or not session.over:
            return
        name = pupil.title.partition(" (")[0]
        if not session.can_learn:
            self.message = f"{name} has learned from this game already"
            self.changed()
            return
        try:
            changes = session.learn()
        except InputError as fault:
            self.message = str(fault)
        else:
            assert pupil.agent is not None
            self._taught[session.game.name, pupil.spec] = pupil.agent
            self.message = f"{name} learned: {plural(len(changes), 'score', 'scores')} changed, while the app is open"
        self.changed()

    # Hints and explanations.

    def hint(self) -> None:
        """Put the cursor on a good move and say why it is one."""
        session = self.session
        if not session.person_may_move:
            return
        state = base.copy(session.state)
        if theory.is_instant(session.game, state):
            self._advise(advice.hint(session.game, state))
            return
        self.message = "Looking for the best move …"
        game = session.game
        self._asking.start(self.jobs, "hint", lambda progress: advice.hint(game, state, progress), self._hinted)
        self.changed()

    def _hinted(self, job: Job[advice.Hint]) -> None:
        if job.result is not None and job.state is JobState.DONE:
            self._advise(job.result)
        else:
            self.message = f"No hint: {job.error_text or 'stopped'}"
            self.changed()

    def _advise(self, hint: advice.Hint) -> None:
        self.message, self.pointed = hint.text, hint.move
        self.changed()
        self.pointed = None

    def toggle_explaining(self) -> None:
        self.explaining = not self.explaining
        self._explain()
        self.changed()

    def _explain(self) -> None:
        """Explain the position on the board, now or as soon as it is worked out."""
        self._explaining.cancel()
        self.why = None
        session = self.session
        if not self.explaining:
            return
        game, state = session.game, base.copy(session.state)
        if session.over or theory.is_instant(game, state):
            self.why = advice.explained(game, state)
        elif (reason := theory.why_unsolvable(game, state)) is not None:
            self.why = reason
        else:
            self._explaining.start(self.jobs, "why", lambda _: advice.explained(game, state), self._explained)

    def _explained(self, job: Job[Explanation | str]) -> None:
        self.why = job.result if job.result is not None else f"it could not be worked out: {job.error_text}"
        self.changed()
