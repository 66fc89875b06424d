"""Runs the agents of a comparison, each as a job, on the position that is walked to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nimtui.agents import Agent
from nimtui.arena.comparison import Column, Comparison, ask
from nimtui.games import base
from nimtui.games.base import Move
from nimtui.jobs import Job, Jobs, JobState
from nimtui.theory.answers import MoveValue
from nimtui.ui.compare.parts import ByDepth, Compared, Everywhere, Trees
from nimtui.ui.kit.entries import parse_game
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.play.compare_setup import CompareSetup

if TYPE_CHECKING:
    from nimtui.arena.effort_curve import Curve

STOPPED = "stopped before it answered"


class CompareConductor(Compared):
    """Asks all agents about one position after another. Calls `changed` in the event loop for everything new.

    Answers stay for the way back. `columns` are what the agents believe now, finished or not.
    """

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.path: tuple[Move, ...] = ()  # from the position of the setup
        self.columns: list[Column] = []
        self.truths: Mapping[Move, MoveValue] | None = None
        self.every = 0.25  # seconds between two thoughts of an agent
        self.by_depth = ByDepth(self)
        self.everywhere = Everywhere(self)
        self.trees = Trees(self)
        self._jobs: list[Job[Column] | None] = []
        self._truth: LatestJob[Mapping[Move, MoveValue] | None] = LatestJob()
        self._known: dict[tuple[Move, ...], tuple[list[Column], Mapping[Move, MoveValue] | None]] = {}
        self._curves: dict[tuple[Move, ...], list[Curve | None]] = {}
        self._curving: list[Job[Curve]] = []

    # What is compared.

    def open(self, node: int) -> None:
        """Start the same comparison on a position of the game's graph."""
        found = self.everywhere.found
        if found is not None and self.setup is not None:
            self.start(replace(self.setup, position=found.atlas.name(node)))

    def start(self, setup: CompareSetup) -> None:
        """Start this comparison. Raises InputError with one line if it is invalid; then the one before stays."""
        setup = setup.validate()
        game = parse_game(setup.game)
        agents = setup.parsed(game)
        self.stop_all()
        self.setup, self.game, self.agents = setup, game, agents
        self.path, self.states = (), [game.new(setup.position) if setup.position else base.copy(game.start)]
        self._known, self._curves, self.message = {}, {}, ""
        self.everywhere.forget_others()
        self._ask()

    @property
    def setup_here(self) -> CompareSetup | None:
        """The setup with the position that is compared now, for a form."""
        if self.setup is None or self.game is None or self.state is None or self.over:
            return self.setup
        return replace(self.setup, position=self.game.position_name(self.state))

    @property
    def compared(self) -> Comparison | None:
        """The comparison as far as it is known."""
        if self.game is None or self.state is None or self.over:
            return None
        return Comparison(self.game, self.state, tuple(self.columns), self.truths)

    def walk(self, move: Move) -> None:
        """Go to the position after this move, in which all agents are asked."""
        assert self.state is not None
        after = base.copy(self.state)
        base.play(after, move)
        self._leave()
        self.path, self.states = (*self.path, move), [*self.states, after]
        self._ask()

    def back(self) -> Move | None:
        """Go back to the position before, and return the move that led here; None at the first position."""
        if not self.path:
            return None
        self._leave()
        self.path, move = self.path[:-1], self.path[-1]
        self.states = self.states[:-1]
        self._ask()
        return move

    def _leave(self) -> None:
        """Keep finished answers, and drop the others."""
        if not self.working and self.truths is not None:
            self._known[self.path] = (self.columns, self.truths)
        self.stop_all()

    def _ask(self) -> None:
        known = self._known.get(self.path)
        self.truths = None
        self._jobs = []
        if known is not None:
            self.columns, self.truths = known
        else:
            self.columns = [Column(agent.name) for agent in self.agents]
            if not self.over:
                self._jobs = [self._started(agent) for agent in self.agents]
                self._find_truth()
        self.changed()

    def _started(self, agent: Agent) -> Job[Column]:
        assert self.setup is not None and self.state is not None
        job = self.jobs.start(f"compare {agent.name}", partial(ask, agent, base.copy(self.state), self.setup.seed, 0))
        job.watch_thinking(self.every)
        job.add_done_callback(self._answered)
        return job

    def _find_truth(self) -> None:
        from nimtui.theory.answers import known_moves

        game, state = self.game, self.state
        assert game is not None and state is not None

        def found(job: Job[Mapping[Move, MoveValue] | None]) -> None:
            self.truths = job.result
            self.changed()

        self._truth.start(self.jobs, "truth", partial(known_moves, game, base.copy(state)), found)

    def _answered(self, job: Job[Column]) -> None:
        if job not in self._jobs:
            return
        place = self._jobs.index(job)
        if job.state is JobState.DONE and job.result is not None:
            self.columns[place] = job.result
        else:
            fault = job.error_text or STOPPED
            self.columns[place] = replace(self._latest(place, job), fault=fault, decided=True)
        self._jobs[place] = None
        self.changed()

    def _latest(self, place: int, job: Job[Column]) -> Column:
        """Return what the agent believed last."""
        thinking = job.thinking
        return self.columns[place] if thinking is None else Column.of_thinking(self.agents[place].name, thinking)

    def look(self) -> bool:
        """Take over what the agents think now; return whether any work runs."""
        for place, job in enumerate(self._jobs):
            if job is not None:
                self.columns[place] = self._latest(place, job)
        return self.working

    # Running.

    @property
    def running(self) -> list[Job[Any]]:
        """The jobs that a person waits for."""
        found = [*self._jobs, *self._curving, self.by_depth.job, self.everywhere.job, self.trees.job]
        return [job for job in found if job is not None and not job.state.ended]

    @property
    def working(self) -> bool:
        return bool(self.running)

    @property
    def paused(self) -> bool:
        running = self.running
        return bool(running) and all(job.state is JobState.PAUSED for job in running)

    def pause_or_go_on(self) -> None:
        paused = self.paused
        for job in self.running:
            (job.resume if paused else job.pause)()
        self.changed()

    def stop(self) -> bool:
        """Stop all running work; what it found stays. Return False if nothing ran."""
        running = self.running
        for job in running:
            job.cancel()
        return bool(running)

    def stop_all(self) -> None:
        """Stop all work of this position and forget it."""
        for job in self.running:
            if job is not self.everywhere.job:  # this is of the game, not of the position
                job.cancel()
        self._truth.cancel()
        self._jobs, self._curving = [None] * len(self._jobs), []
        self._curves = {path: curves for path, curves in self._curves.items() if None not in curves}
        self.by_depth.forget()
        self.trees.forget()

    def waits_for(self, place: int) -> Job[Column] | None:
        """Return the job of an agent that has not answered yet."""
        return self._jobs[place] if place < len(self._jobs) else None

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """The jobs that no person started: quitting may drop them without a question."""
        return [self._truth.job] if self._truth.job is not None else []

    # Effort curves.

    @property
    def curves(self) -> Sequence[Curve | None]:
        """The curve of each agent at this position; None while it is unknown."""
        return self._curves.get(self.path, ())

    def find_curves(self) -> None:
        """Compute the curves of this position, a job for each agent."""
        from nimtui.arena.effort_curve import curve_of

        if self.path in self._curves or self.setup is None or self.state is None or self.over:
            return
        self._curves[self.path] = [None] * len(self.agents)
        for place, agent in enumerate(self.agents):
            work = partial(curve_of, agent, base.copy(self.state), self.setup.seed)
            job = self.jobs.start(f"curve of {agent.name}", work)
            self._curving.append(job)
            job.add_done_callback(partial(self._curved, self.path, place))
        self.changed()

    def _curved(self, path: tuple[Move, ...], place: int, job: Job[Curve]) -> None:
        from nimtui.arena.effort_curve import Curve

        if job not in self._curving:  # its position was left, and may be compared anew by now
            return
        found = job.result if job.state is JobState.DONE else None
        self._curves[path][place] = found or Curve(self.agents[place].name, why_none=job.error_text or "stopped")
        self.changed()
