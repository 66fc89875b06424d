"""A game that was played, gone through move by move, on top of the Play screen: the game there waits as it is."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from nimtui import theory
from nimtui.arena.review import Judgement, review
from nimtui.errors import InputError, whole_number
from nimtui.ui.board.board import Board
from nimtui.ui.board.boards import new_board
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.latest_lookup import LatestLookup
from nimtui.ui.kit.mode_screen import Typing
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.play import replay_view
from nimtui.ui.play.conductor import PACES
from nimtui.ui.play.replay import Replay
from nimtui.ui.play.setup import parse_seat, usual_opponent
from nimtui.ui.play.view import owned

STEP = Binding.Group("step", compact=True)
PACE = Binding.Group("pace", compact=True)


class ReplayScreen(Typing):
    """Goes through a `Replay`; by itself at the pace that is set for two agents."""

    BINDING_GROUP_TITLE = "Replay"
    HELP = (
        "A game that was played. The right and left arrows go on and back, Home and End to its ends, a typed number "
        "and Enter to the position after so many moves; Space lets it play by itself.\n\n"
        "The board shows the position after the marked move, and what the next one takes is crossed out. Where the "
        "theory of the game is instant every move is judged at once: x goes to the next mistake. r judges them in any "
        "game that can be solved, and tells where it turned.\n\n"
        "The players are known by their names alone, and need not be here any more. p plays on from the position that "
        "is shown: you move next, against whoever you name. The game on the Play screen waits meanwhile."
    )
    SPARE: ClassVar = ("pace", "play_on", "mistake")  # in the footer
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "step(-1)", "back", group=STEP, key_display="←", tooltip="One move back"),
        Binding("right,down", "step(1)", "on", group=STEP, key_display="→", tooltip="One move on"),
        Binding("home", "end(0)", "Start", show=False, tooltip="To the start of the game"),
        Binding("end", "end(1)", "End", show=False, tooltip="To its end"),
        Binding("space", "run", "auto", key_display="space", tooltip="Let it play by itself"),
        Binding("space", "hold", "hold", key_display="space", tooltip="Stand still"),
        Binding("plus,equals_sign", "pace(1)", "Faster", group=PACE, key_display="+"),
        Binding("minus", "pace(-1)", "Slower", group=PACE, key_display="-"),
        Binding("x", "mistake", "mistake", tooltip="To the next mistake"),
        Binding("r", "review", "review", tooltip="Judge every move; where did it turn?"),
        Binding("p", "play_on", "play on", tooltip="Play on from here against an agent"),
        Binding("t", "search", "search", show=False, tooltip="The search tree of this position"),
        Binding("g", "goto", "go to", show=False, tooltip="Type the number of a move to go to"),
        Binding("enter", "typed", "go there", key_display="⏎", tooltip="To the move that was typed"),
        Binding("escape", "untype", "cancel", key_display="esc", tooltip="Forget what was typed"),
        Binding("escape,backspace", "back", "back", key_display="esc", tooltip="Back to where you came from"),
    ]

    def __init__(self, replay: Replay, come_from: str) -> None:
        """`come_from` is the mode that Escape goes back to."""
        super().__init__(starts="0123456789")
        self.replay = replay
        self.come_from = come_from
        self._message = ""
        self._timer: Timer | None = None  # of the next move, while it plays by itself
        self._judging: LatestLookup[list[Judgement]] = LatestLookup()

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="title")
        with Horizontal(id="middle"):
            with Horizontal(id="stage"):
                yield new_board(self.replay.game)
            with Vertical(id="side"):
                yield VirtualList(id="judged", focusable=False)
        yield Panel(id="prompt")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(Board).asleep = True
        shell(self).settings_changed.subscribe(self, lambda _: self._draw())
        record = Replay(self.replay.kept, self.replay.last).record
        if record.ply and theory.is_instant(record.game, record.state_at(0)):
            self._judging.start(lambda: review(record), self._judged)
        self._draw()

    def on_unmount(self) -> None:
        self._stand()
        self._judging.forget()

    def on_screen_suspend(self) -> None:
        self._stand()

    def on_screen_resume(self) -> None:
        self._draw()

    def _judged(self, found: list[Judgement] | None, fault: str) -> None:
        if found is not None:
            self.replay.judgements = found
        else:
            self._message = f"Its moves cannot be judged: {fault}"
        self._draw()

    # Showing.

    @property
    def going(self) -> bool:
        """Does it play by itself?"""
        return self._timer is not None

    @property
    def pace(self) -> float:
        """Seconds a move."""
        app = shell(self)
        return max(app.settings.pace, app.tick if app.slow else PACES[0])

    def _draw(self) -> None:
        if not self.there:
            return
        replay, board = self.replay, self.query_one(Board)
        board.show(replay.state, owned(replay), live=not replay.at_end)
        if not replay.at_end:
            board.point_at(replay.record.undone[-1])
        self.fill("title", replay_view.titles(replay))
        self.query_one(VirtualList).put(replay_view.moves(replay, self._look_after))
        self.typing_changed()

    def typing_changed(self) -> None:
        pace = self.pace if self.going else None
        self.fill("prompt", replay_view.said(self.replay, pace, self._message, self.typing))
        self.draw_footer()

    def _moved(self, moved: bool) -> None:
        self._message = ""
        if moved:
            self._draw()
        else:
            self.typing_changed()

    # By itself.

    def _stand(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _go(self) -> None:
        self._stand()
        self._timer = self.set_interval(self.pace, self._next)

    def _next(self) -> None:
        moved = self.replay.move_by(1)
        if self.replay.at_end:
            self._stand()
        self._moved(moved)

    # The keyboard.

    def possible(self, action: str) -> bool | None:
        if action in ("run", "hold"):
            return self.going is (action == "hold")
        if action == "mistake":
            return True if self.replay.judgements else None
        if action == "review":
            return self.replay.last > 0
        if action in ("play_on", "search"):
            return True if not self.replay.over else None
        return True

    def action_goto(self) -> None:
        self.typing.begin(self.typing.asked)
        self.typing_changed()

    def take(self, text: str) -> None:
        """Go to the position after so many moves."""
        self._moved(self.replay.look_at(whole_number(text, "the move", 0, self.replay.last)))

    # Actions.

    def action_step(self, by: int) -> None:
        self._stand()
        self._moved(self.replay.move_by(by))

    def _look_after(self, ply: int) -> None:
        """At the position that this move led to."""
        self._stand()
        self._moved(self.replay.look_at(ply + 1))

    def action_end(self, end: int) -> None:
        self._stand()
        self._moved(self.replay.look_at(self.replay.last * end))

    def action_run(self) -> None:
        """From here on, or at the end from the start again."""
        if self.replay.at_end:
            self.replay.look_at(0)
        self._go()
        self._moved(True)

    def action_hold(self) -> None:
        self._stand()
        self._moved(False)

    def action_pace(self, by: int) -> None:
        nearest = min(range(len(PACES)), key=lambda at: abs(PACES[at] - self.pace))
        shell(self).change_settings(pace=PACES[max(0, min(len(PACES) - 1, nearest - by))])
        if self.going:
            self._go()
        self._message = f"{self.pace:g} seconds a move"
        self.typing_changed()

    def action_mistake(self) -> None:
        self._stand()
        moved = self.replay.next_mistake()
        self._moved(moved)
        if not moved:
            self._message = "There is no other mistake" if self.replay.judgements else "No move is judged yet"
            self.typing_changed()

    def action_review(self) -> None:
        from nimtui.ui.play.review import ReviewScreen

        whole = self.replay.whole()

        def looked(ply: int | None) -> None:
            self.replay.judgements = whole.judgements or self.replay.judgements
            if ply is not None:
                self.replay.look_at(ply + 1)  # there it is the move made last
            self._draw()

        self.app.push_screen(ReviewScreen(whole), looked)

    def action_play_on(self) -> None:
        """Ask who plays, with whoever sat there put in, where there still is such an agent."""
        other = self.replay.other()
        try:
            if parse_seat(other, self.replay.game) is None:
                other = usual_opponent(self.replay.game)
        except InputError:
            other = usual_opponent(self.replay.game)
        shell(self).action_new_game(self.replay.played_on(other))

    def action_search(self) -> None:
        game = self.replay.game
        try:
            shell(self).search(game.name, game.position_name(self.replay.state))
        except InputError as fault:
            self.notify(str(fault), title="This cannot be searched", severity="warning")

    def action_back(self) -> None:
        shell(self).leave_replay()
