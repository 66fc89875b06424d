"""What holds after every step, whatever was typed."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from textual.screen import ModalScreen

from nimtui.games import Record, base
from nimtui.jobs import Job, JobState
from nimtui.jobs.conductor import Conductor
from nimtui.ui.compare.work import CompareWork
from nimtui.ui.kit.contract import START
from nimtui.ui.play.screen import PlayScreen
from nimtui.ui.search.work import SearchWork
from nimtui.ui.train.work import TrainWork
from tests.fuzz.drive import Drive, load
from tests.fuzz.faults import Broken
from tests.fuzz.steps import Step, is_calm

FIRST_WORDS = "Play now"
SOON = 1.0  # seconds
C = TypeVar("C", bound=Conductor)


class Game(NamedTuple):
    """The game on the Play screen: which session, and its moves, those taken back too."""

    session: Any
    moves: tuple[int, ...]
    undone: tuple[int, ...]
    quiet: bool  # nobody but a person can move


class Rules:
    """Looks at an app after every step. `after` raises Broken for the first rule that does not hold."""

    def __init__(self, drive: Drive) -> None:
        self.drive, self.app = drive, drive.app
        self._game = self._seen_game()
        self._replayed: Game | None = None
        self._paused: dict[int, tuple[Job[Any], int, int]] = {}  # by id: reports and how often it was let go on
        self._lanes: dict[int, tuple[Any, int]] = {}
        self._looked_at = self._seen_positions()

    async def after(self, step: Step) -> None:
        """This step has been done, and all that follows from it."""
        self.app.failed_jobs()
        if self.app.found:
            first = self.app.found.pop(0)
            raise Broken(first.kind, first.text, first.frames)
        if not self.app._running or self.app._exit:
            return
        self._stacks()
        await self._focus()
        self._start_screen()
        for rule in (self._moves, self._pauses, self._learned, self._positions):
            rule(step)

    def _stacks(self) -> None:
        app = self.app
        for mode, stack in app._screen_stacks.items():
            names = [type(screen).__name__ for screen in stack]
            if len(set(names)) < len(names):
                raise Broken("a screen twice", f"in {mode}: {names}")
            if stack and isinstance(stack[0], ModalScreen):
                raise Broken("no base", f"{names[0]} is the first screen of {mode}")
            bases = {type(other[0]) for at, other in app._screen_stacks.items() if other and at != mode}
            if mode in app.MODES and any(type(screen) in bases for screen in stack):
                raise Broken("a base on top", f"{mode}: {names}")

    async def _focus(self) -> None:
        """Something has the focus, or gets it as soon as a screen that has just come is there."""
        if self._lost() and not await self.drive.until(lambda: not self._lost(), SOON * load()):
            raise Broken("no focus", type(self.app.screen).__name__)

    def _lost(self) -> bool:
        screen = self.app.screen
        if screen.focused is not None and screen not in screen.focused.ancestors:
            return True  # a widget that is gone has it: no key would reach anything
        return screen.focused is None and self.app.app_focus and screen.is_mounted and bool(screen.focus_chain)

    def _start_screen(self) -> None:
        app = self.app
        if app.current_mode != START or len(app.screen_stack) > 1 or app.too_small:
            return
        if not any(FIRST_WORDS in strip.text for strip in app.screen._compositor.render_strips(app.size)):
            raise Broken("no way to play", f"the start screen at {app.size} has no words '{FIRST_WORDS}'")

    def _seen_game(self) -> Game | None:
        if not self.app.playing:
            return None
        session = self.app.game_played.session
        quiet = not self.app.game_played.thinking and session.waiting_for is None
        return Game(session, tuple(session.record.moves), tuple(session.record.undone), quiet)

    def _moves(self, step: Step) -> None:
        before, now = self._game, self._seen_game()
        self._game = now
        same = before is not None and now is not None and before.session is now.session  # a job may bring another
        if same and before.quiet and is_calm(step) and now[:3] != before[:3]:
            raise Broken("a cursor key plays", f"{before[1:3]} became {now[1:3]}")
        if now is not None and now != self._replayed:
            self._replayed = now
            self._replay(now)

    def _replay(self, game: Game) -> None:
        """The moves are legal, those taken back too, and lead to the board."""
        session = game.session
        again = Record(session.game, session.position)
        try:
            for move in game.moves:
                again.push(move)
            same = (again.state.board == session.state.board).all()
            for move in reversed(game.undone):
                again.push(move)
        except (ValueError, IndexError) as fault:
            raise Broken("an illegal move", f"{session.game.name}: {fault}") from None
        if not same or base.outcome(session.state) != session.record.outcome:
            raise Broken("another board", f"{session.game.name} after {game.moves}")

    def _pauses(self, step: Step) -> None:
        """What is paused reports nothing, and nothing lets it go on but keys that do."""
        now: dict[int, tuple[Job[Any], int, int]] = {}
        for job in self.app.jobs.watched:
            let_go = vars(job).get("let_go", 0)
            before = self._paused.get(id(job))
            if before is not None and let_go == before[2] and job._version > before[1] + 1:
                raise Broken("a paused job goes on", f"{job.name}: {before[1]} → {job._version} reports")
            if before is not None and let_go != before[2] and is_calm(step):
                raise Broken("a calm key lets a paused job go on", job.name)
            if job.state is JobState.PAUSED and not job.cancelling:
                reports = before[1] if before is not None and let_go == before[2] else job._version
                now[id(job)] = (job, reports, let_go)
        self._paused = now

    def _learned(self, step: Step) -> None:
        """Games that were learned from are not forgotten while only the cursor moves."""
        now: dict[int, tuple[Any, int]] = {}
        training = self._made(TrainWork)
        for lane in training.lanes if training is not None else ():
            seen = lane.games if lane.view is not None else 0
            before = self._lanes.get(id(lane))
            if before is not None and is_calm(step) and seen < before[1]:
                raise Broken("learned less than before", f"{lane.learner}: {before[1]} → {seen} games")
            now[id(lane)] = (lane, seen)
        self._lanes = now

    def _seen_positions(self) -> dict[str, Any]:
        """The positions that are searched and compared, and whether the one on the board is analysed."""
        found: dict[str, Any] = {}
        if (searching := self._made(SearchWork)) is not None:
            found["search"] = searching.setup, searching.lineage
        if (comparing := self._made(CompareWork)) is not None:
            found["comparison"] = comparing.setup, comparing.path
        if self._game is not None and self._game.quiet and isinstance(self.app.screen, PlayScreen):
            found["analysis"] = self._game.session, self.app.game_played.analysis.on
        return found

    def _made(self, kind: type[C]) -> C | None:
        """The app's conductor of this kind, if any screen has asked for it."""
        return self.app._conductors.get(kind)

    def _positions(self, step: Step) -> None:
        """A cursor walks in what was found: it neither starts nor ends a search, and compares nothing else."""
        before, now = self._looked_at, self._seen_positions()
        self._looked_at = now
        for name in before.keys() & now.keys():
            if is_calm(step) and before[name] != now[name]:
                raise Broken("a cursor key changes what is looked at", f"{name}: {before[name]} → {now[name]}")
