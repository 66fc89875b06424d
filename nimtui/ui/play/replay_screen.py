"""The screen that replays a game move by move. It lies on the Play screen, whose game waits."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from nimtui.agents.belief import Belief
from nimtui.arena.history import USUAL, Story
from nimtui.arena.review import Judgement, review_briefly
from nimtui.arena.transcript import beliefs_of
from nimtui.errors import InputError, whole_number
from nimtui.games.rule_text import both
from nimtui.theory.answers import is_solvable
from nimtui.ui.board.board import Board
from nimtui.ui.board.boards import new_board
from nimtui.ui.kit.canvas import entitle
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.latest_job import LatestLookup
from nimtui.ui.kit.mode_screen import DIGITS, Typing
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.play import replay_view, value_history
from nimtui.ui.play.command import of_replay
from nimtui.ui.play.conductor import PACES, paced
from nimtui.ui.play.replay import Replay
from nimtui.ui.play.setup import USUAL_OPPONENT, parse_seat
from nimtui.ui.play.storytelling import estimate
from nimtui.ui.play.value_history import story_of
from nimtui.ui.play.view import owned

STEP = Binding.Group("step", compact=True)
PACE = Binding.Group("pace", compact=True)


class ReplayScreen(Typing, place="replay"):
    """Shows a `Replay`, by hand or automatically at the pace of two agents."""

    BESIDE = (VirtualList,)
    STARTS = DIGITS
    BINDING_GROUP_TITLE = "Replay"
    HELP = (
        "This screen replays a game. The board shows the position after the marked move, and crosses out what the "
        "next move takes. The right and left arrows go to the next and the previous move, Home and End to the start "
        "and the end. Type a number and press Enter to go to that move. Space plays the game automatically.\n\n"
        "The list judges every move if the theory of the game is instant. x goes to the next mistake. "
        "r judges the moves of any game that can be solved, and tells what decided the game.\n\n"
        f"{value_history.HELP} e lets an agent that you name estimate every position.\n\n"
        "p plays on from the shown position: you move next, against an agent that you name. "
        "The players of the replay are only names, so they need not exist any more. "
        "The game on the Play screen waits."
    )
    SPARE: ClassVar = ("pace", "story", "play_on", "mistake")  # the footer omits these first
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up,h,k", "step(-1)", "back", group=STEP, key_display="←", tooltip="Previous move"),
        Binding("right,down,l,j", "step(1)", "next", group=STEP, key_display="→", tooltip="Next move"),
        Binding("home", "end(0)", "Start", show=False, tooltip="Go to the start of the game"),
        Binding("end", "end(1)", "End", show=False, tooltip="Go to the end of the game"),
        Binding("space", "run", "play", key_display="space", tooltip="Play the moves automatically"),
        Binding("space", "hold", "pause", key_display="space", tooltip="Pause the replay"),
        Binding("plus,equals_sign", "pace(1)", "Faster", group=PACE, key_display="+"),
        Binding("minus", "pace(-1)", "Slower", group=PACE, key_display="-"),
        Binding("x", "mistake", "mistake", tooltip="Go to the next mistake"),
        Binding("r", "review", "review", tooltip="Judge every move and show the turning point"),
        Binding("V", "story", "values", tooltip="Draw the value history, or leave it out"),
        Binding("e", "estimate", "estimate", show=False, tooltip="Let an agent estimate every position"),
        Binding("p", "play_on", "play on", tooltip="Play on from here against an agent"),
        Binding("t", "search", "search", show=False, tooltip="Open the search tree of this position"),
        Binding("g", "goto", "go to", show=False, tooltip="Go to a move by its number"),
        Binding("enter", "typed", "go there", key_display="⏎", tooltip="Go to the typed move"),
        Binding("escape", "untype", "cancel", key_display="esc", tooltip="Discard what you typed"),
        Binding("escape,backspace", "back", "back", key_display="esc", tooltip="Return to the previous screen"),
    ]

    def __init__(self, replay: Replay, come_from: str) -> None:
        """`come_from` is the mode that Escape returns to."""
        super().__init__()
        self.replay = replay
        self.come_from = come_from
        self._message = ""
        self._timer: Timer | None = None  # of the next move, while it plays automatically
        self._judging: LatestLookup[list[Judgement]] = LatestLookup()
        self._remembering: LatestLookup[list[Belief | None]] = LatestLookup()  # what the players believed
        self._drawn = True  # whether the list shows the value history

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="title")
        with Horizontal(id="middle"):
            with Horizontal(id="stage", classes="box"):
                yield new_board(self.replay.game)
            with Vertical(id="side"):
                yield VirtualList(id="judged", focusable=False, classes="box")
        yield Panel(id="prompt", classes="box")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(Board).asleep = True
        shell(self).settings_changed.subscribe(self, lambda _: self._draw())
        record = Replay(self.replay.kept, self.replay.last).record
        if record.ply and is_solvable(record.game, record.state_at(0)):
            self._judging.start(lambda: review_briefly(record), self._judged)
        if self.replay.kept.id is not None:
            database, id, plies = shell(self).database, self.replay.kept.id, self.replay.last
            self._remembering.start(lambda: beliefs_of(database(), id, plies), self._remembered)
        self._draw()

    def on_unmount(self) -> None:
        self._stand()
        self._judging.forget()
        self._remembering.forget()

    def on_screen_suspend(self) -> None:
        self._stand()

    def on_screen_resume(self) -> None:
        self._draw()

    def _judged(self, found: list[Judgement] | None, fault: str) -> None:
        if found is not None:
            self.replay.judgements = found
        else:
            self._message = f"Cannot judge the moves: {fault}"
        self._draw()

    def _remembered(self, found: list[Belief | None] | None, fault: str) -> None:
        if found is not None:
            self.replay.believed = found
        else:
            self._message = f"Cannot read what the players thought: {fault}"
        self._draw()

    # Showing.

    @property
    def rules(self) -> str:
        """The rules of the replayed game, for the help."""
        return both(self.replay.game)

    @property
    def story(self) -> Story | None:
        """The value history, if it is drawn and anything of it is known."""
        found = story_of(self.replay) if self._drawn else None
        return None if found is None or found.blank else found

    @property
    def going(self) -> bool:
        """Whether the replay plays automatically."""
        return self._timer is not None

    @property
    def pace(self) -> float:
        """Seconds per move."""
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
        entitle(self.query_one("#stage"), "Board")
        self.query_one(VirtualList).put(replay_view.moves(replay, self._look_after, self.story))
        self.set_class(self.story is not None, "-story")
        self.typing_changed()

    def typing_changed(self) -> None:
        pace = self.pace if self.going else None
        self.fill("prompt", replay_view.said(self.replay, pace, self._message, self.typing, self.story))
        self.draw_footer()

    def _moved(self, moved: bool) -> None:
        self._message = ""
        if moved:
            self._draw()
        else:
            self.typing_changed()

    # Automatic play.

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

    def action_estimate(self) -> None:
        """Ask which agent estimates every position."""
        self.typing.begin(Prompt.ANALYST, self.replay.analyst or USUAL)
        self.typing_changed()

    def _estimated(self, message: str) -> None:
        self._message, self._drawn = message, self._drawn or not message
        self._draw()

    def take(self, text: str) -> None:
        """Go to the position after the typed number of moves, or let the typed agent estimate all positions."""
        if self.typing.asked is Prompt.ANALYST:
            estimate(self, self.replay, text, self._estimated)
            self._message = "Estimating every position"
            return
        self._moved(self.replay.look_at(whole_number(text, "the move", 0, self.replay.last)))

    # Actions.

    def copies(self) -> list[Copy]:
        return of_replay(self.replay)

    def action_step(self, by: int) -> None:
        self._stand()
        self._moved(self.replay.move_by(by))

    def _look_after(self, ply: int) -> None:
        """Show the position after this move."""
        self._stand()
        self._moved(self.replay.look_at(ply + 1))

    def action_end(self, end: int) -> None:
        self._stand()
        self._moved(self.replay.look_at(self.replay.last * end))

    def action_run(self) -> None:
        """Play automatically from here; at the end, from the start."""
        if self.replay.at_end:
            self.replay.look_at(0)
        self._go()
        self._moved(True)

    def action_hold(self) -> None:
        self._stand()
        self._moved(False)

    def action_pace(self, by: int) -> None:
        shell(self).change_settings(pace=paced(self.pace, by))
        if self.going:
            self._go()
        self._message = f"{self.pace:g} seconds per move"
        self.typing_changed()

    def action_mistake(self) -> None:
        self._stand()
        moved = self.replay.next_mistake()
        self._moved(moved)
        if not moved:
            self._message = "No other mistake" if self.replay.judgements else "No move has been judged yet"
            self.typing_changed()

    def action_story(self) -> None:
        """Draw the value history, or leave it out."""
        self._drawn = not self._drawn
        self._draw()

    def action_review(self) -> None:
        from nimtui.ui.play.review import ReviewScreen

        whole = self.replay.whole()

        def looked(ply: int | None) -> None:
            self.replay.judgements = whole.judgements or self.replay.judgements
            if ply is not None:
                self.replay.look_at(ply + 1)  # the position after the marked move
            self._draw()

        self.app.push_screen(ReviewScreen(whole), looked)

    def action_play_on(self) -> None:
        """Ask for the opponent; the default is the replay's player, if that agent still exists."""
        other = self.replay.other()
        try:
            if parse_seat(other, self.replay.game) is None:
                other = USUAL_OPPONENT
        except InputError:
            other = USUAL_OPPONENT
        shell(self).action_new_game(self.replay.played_on(other))

    def action_search(self) -> None:
        game = self.replay.game
        try:
            shell(self).search(game.name, game.position_name(self.replay.state))
        except InputError as fault:
            self.notify(str(fault), title="Cannot search this position", severity="warning")

    def action_back(self) -> None:
        shell(self).leave_replay()
