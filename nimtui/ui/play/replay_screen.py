"""The screen that replays a game move by move. It lies on the Play screen, whose game waits."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from nimtui.agents.belief import Belief
from nimtui.arena.history import USUAL, Story
from nimtui.arena.review import Judgement, review_briefly
from nimtui.arena.transcript import beliefs_of
from nimtui.errors import InputError, whole_number
from nimtui.games.rule_text import both
from nimtui.jobs.latest_job import LatestLookup
from nimtui.report.values import Typed
from nimtui.theory.answers import is_solvable
from nimtui.ui.board.board import Board
from nimtui.ui.board.boards import new_board
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.command import Command, NotNow, Possible, absent
from nimtui.ui.kit.mode_screen import DIGITS, Typing, is_typing
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.play import replay_view, value_history
from nimtui.ui.play.conductor import PACES, paced
from nimtui.ui.play.copies import of_replay
from nimtui.ui.play.replay import Replay
from nimtui.ui.play.setup import USUAL_OPPONENT, parse_seat
from nimtui.ui.play.storytelling import estimate
from nimtui.ui.play.value_history import story_of
from nimtui.ui.play.view import owned


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

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        with Horizontal(id="middle"):
            with Horizontal(id="stage", classes="box"):
                yield new_board(self.replay.game)
            with Vertical(id="side"):
                yield VirtualList(id="judged", focusable=False, classes="box")
        yield Panel(id="prompt", classes="box")

    def on_mount(self) -> None:
        self.query_one(Board).asleep = True
        record = Replay(self.replay.kept, self.replay.last).record
        if record.ply and is_solvable(record.game, record.state_at(0)):
            self._judging.look(lambda: review_briefly(record), self._judged)
        if self.replay.kept.id is not None:
            database, id, plies = self.shell.database, self.replay.kept.id, self.replay.last
            self._remembering.look(lambda: beliefs_of(database(), id, plies), self._remembered)
        self.draw()

    def on_unmount(self) -> None:
        self._stand()
        self._judging.cancel()
        self._remembering.cancel()

    def on_screen_suspend(self) -> None:
        self._stand()

    def _judged(self, found: list[Judgement] | None, fault: str) -> None:
        if found is not None:
            self.replay.judgements = found
        else:
            self._message = f"Cannot judge the moves: {fault}"
        self.draw()

    def _remembered(self, found: list[Belief | None] | None, fault: str) -> None:
        if found is not None:
            self.replay.believed = found
        else:
            self._message = f"Cannot read what the players thought: {fault}"
        self.draw()

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
        app = self.shell
        return max(app.settings.pace, app.tick if app.slow else PACES[0])

    def draw(self) -> None:
        if not self.there:
            return
        replay, board = self.replay, self.query_one(Board)
        board.show(replay.state, owned(replay), live=not replay.at_end)
        if not replay.at_end:
            board.point_at(replay.record.undone[-1])
        self.fill("title", replay_view.titles(replay))
        self.query_one(VirtualList).put(replay_view.moves(replay, lambda ply: self.look_at(ply + 1), self.story))
        self.set_class(self.story is not None, "-story")
        self.typing_changed()

    def typing_changed(self) -> None:
        pace = self.pace if self.going else None
        self.fill("prompt", replay_view.said(self.replay, pace, self._message, self.typing, self.story))
        self.draw_footer()

    def _moved(self, moved: bool) -> None:
        self._message = ""
        if moved:
            self.draw()
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
        moved = self.replay.look_at(self.replay.record.ply + 1)
        if self.replay.at_end:
            self._stand()
        self._moved(moved)

    # The keyboard.

    def ask_analyst(self) -> None:
        """Ask which agent estimates every position."""
        self.ask_for(Prompt.ANALYST, self.replay.analyst or USUAL)

    def _estimated(self, message: str) -> None:
        self._message, self._drawn = message, self._drawn or not message
        self.draw()

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

    def step(self, by: int) -> None:
        """Go to the next move, or to the previous one, and stay there."""
        self.look_at(self.replay.record.ply + by)

    def look_at(self, ply: int) -> None:
        """Show the position after so many moves, and stay there."""
        self._stand()
        self._moved(self.replay.look_at(ply))

    def run(self) -> None:
        """Play automatically from here; at the end, from the start."""
        if self.replay.at_end:
            self.replay.look_at(0)
        self._go()
        self._moved(True)

    def hold(self) -> None:
        self._stand()
        self._moved(False)

    def change_pace(self, by: int) -> None:
        self.shell.change_settings(pace=paced(self.pace, by))
        if self.going:
            self._go()
        self._message = f"{Typed(self.pace)} seconds per move"
        self.typing_changed()

    def to_mistake(self) -> None:
        self._stand()
        moved = self.replay.next_mistake()
        self._moved(moved)
        if not moved:
            self._message = "No other mistake" if self.replay.judgements else "No move has been judged yet"
            self.typing_changed()

    def toggle_story(self) -> None:
        """Draw the value history, or leave it out."""
        self._drawn = not self._drawn
        self.draw()

    def review(self) -> None:
        from nimtui.ui.play.review import ReviewScreen

        whole = self.replay.whole()

        def looked(ply: int | None) -> None:
            self.replay.judgements = whole.judgements or self.replay.judgements
            if ply is not None:
                self.replay.look_at(ply + 1)  # the position after the marked move
            self.draw()

        self.app.push_screen(ReviewScreen(whole), looked)

    def play_on(self) -> None:
        """Ask for the opponent; the default is the replay's player, if that agent still exists."""
        other = self.replay.other()
        try:
            if parse_seat(other, self.replay.game) is None:
                other = USUAL_OPPONENT
        except InputError:
            other = USUAL_OPPONENT
        self.shell.action_new_game(self.replay.played_on(other))

    def search(self) -> None:
        self.shell.search(self.replay.game.name, self.replay.game.position_name(self.replay.state))

    def _goes_on(self) -> Possible:
        return not self.replay.over or NotNow("The game is over here")

    def _is_judged(self) -> Possible:
        return bool(self.replay.judgements) or NotNow("The moves are not judged yet")

    def _has_moves(self) -> Possible:
        return self.replay.last > 0 or absent("No move was played")

    ROWS: ClassVar[tuple[Command[ReplayScreen], ...]] = (
        Command("left,up,h,k", "step(-1)", "back", "Previous move", lambda s: s.step(-1), group="step"),
        Command("right,down,l,j", "step(1)", "next", "Next move", lambda s: s.step(1), group="step"),
        Command("home", "end(0)", "Start", "Go to the start of the game", lambda s: s.look_at(0), show=False),
        Command("end", "end(1)", "End", "Go to the end of the game", lambda s: s.look_at(s.replay.last), show=False),
        Command("space", "run", "play", "Play the moves automatically", run, lambda s: not s.going),
        Command("space", "hold", "pause", "Pause the replay", hold, lambda s: s.going),
        Command("plus,equals_sign", "pace(1)", "Faster", "", lambda s: s.change_pace(1), group="pace"),
        Command("minus", "pace(-1)", "Slower", "", lambda s: s.change_pace(-1), group="pace"),
        Command("x", "mistake", "mistake", "Go to the next mistake", to_mistake, _is_judged),
        Command("r", "review", "review", "Judge every move and show the turning point", review, _has_moves),
        Command("V", "story", "values", "Draw the value history, or leave it out", toggle_story),
        Command("e", "estimate", "estimate", "Let an agent estimate every position", ask_analyst, show=False),
        Command("p", "play_on", "play on", "Play on from here against an agent", play_on, _goes_on),
        Command("t", "search", "search", "Open the search tree of this position", search, _goes_on, show=False),
        Command("g", "goto", "go to", "Go to a move by its number", lambda s: s.ask_for(s.typing.asked), show=False),
        Command("enter", "typed", "go there", "Go to the typed move", when=is_typing),
        Command("escape", "untype", "cancel", "Discard what you typed", when=is_typing),
        Command("escape,backspace", "back", "back", "Return to the previous screen", lambda s: s.shell.leave_replay()),
    )
