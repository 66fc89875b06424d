"""The Play screen: the board, what the opponent thinks, and everything one can do with a game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from nimtui.agents import agent_choices
from nimtui.errors import InputError
from nimtui.games.base import Move
from nimtui.store.settings import Settings
from nimtui.ui import words
from nimtui.ui.conductor import REPLY, Conductor
from nimtui.ui.play_view import asked_seat, owned, paints, prompt_paint
from nimtui.ui.screens.page import Page
from nimtui.ui.session import Session
from nimtui.ui.setup import ME, PlaySetup
from nimtui.ui.shell import shell
from nimtui.ui.typing_line import Asked, TypingLine
from nimtui.ui.widgets.board import Board
from nimtui.ui.widgets.boards import new_board
from nimtui.ui.widgets.footer import Footer
from nimtui.ui.widgets.header import Header
from nimtui.ui.widgets.panel import Paint, Panel

BREAKPOINTS = [(0, "-narrow"), (76, "-normal"), (120, "-wide")]  # columns
PACE = Binding.Group("pace", compact=True)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class PlayScreen(Page[None]):
    """One game after another. What happens in it is the conductor's; this composes and forwards."""

    BINDING_GROUP_TITLE = "Play"
    HELP = (
        "Arrow keys mark a move, Enter plays it; what it would take is crossed out before. A move can also be typed: "
        "c3 takes three from row C, c2-4 the neighbours 2 to 4 of row C, 4 drops a disc in column 4. "
        "Type : first for a row whose letter is a key of its own. "
        "With the mouse, click a match to mark it, again to take it.\n\n"
        "Matches that were taken stay as small marks, one for you and one for the opponent: the line above the board "
        "shows which. The panel beside the board has what the opponent thought of every move before it made one.\n\n"
        "After the game, r judges every move against perfect play and tells where it was lost, "
        "and l lets a learned opponent learn from it."
    )

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "pause", key_display="space", tooltip="Pause two agents, go on"),
        Binding("space", "again", "again", show=False, tooltip="Let an agent that was stopped try again"),
        Binding("full_stop", "step", "step", key_display=".", tooltip="One move of two agents"),
        Binding("plus,equals_sign", "pace(1)", "Faster", group=PACE, key_display="+"),
        Binding("minus", "pace(-1)", "Slower", group=PACE, key_display="-"),
        Binding("r", "review", "review", tooltip="Judge every move; why did I lose?"),
        Binding("l", "learn", "learn", tooltip="Let the learned opponent learn from this game"),
        Binding("u", "undo", "undo", tooltip="Take back your last move, and the answer to it"),
        Binding("y", "redo", "redo", show=False, tooltip="Play again what was taken back"),
        Binding("h", "hint", "hint", tooltip="A good move, and why it is one"),
        Binding("w", "why", "why", tooltip="Explain the position"),
        Binding("s", "swap", "swap", show=False, tooltip="Swap the seats"),
        Binding("o", "player", "player", show=False, tooltip="Let another agent play, or a person"),
        Binding("n", "new", "new", tooltip="A new game"),
        Binding("escape,backspace", "stop", "Stop", show=False, tooltip="Stop the agent that is thinking"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._asked: PlaySetup | None = None  # to be begun when the screen is there
        self._conductor: Conductor | None = None
        self._typing = TypingLine()
        self._ticker: Timer | None = None
        self._footer: tuple[bool | None, ...] = ()

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="title")
        with Horizontal(id="middle"):
            yield Horizontal(id="stage")
            with Vertical(id="side"):
                yield Panel(id="thoughts")
                yield Panel(id="why")
            yield Panel(id="log")
        yield Panel(id="prompt")
        yield Panel(id="moves")
        yield Footer()

    # Beginning.

    def start(self, setup: PlaySetup) -> None:
        """Begin this game, now or when the screen is mounted."""
        self._asked = setup
        if self.is_mounted and self._conductor is not None:
            self._begin()

    def on_mount(self) -> None:
        app = shell(self)
        reply = REPLY if app.settings.animation and not app.slow else 0.0
        least = app.tick if app.slow else 0.0
        self._conductor = Conductor(app.jobs, self.set_timer, self._changed, app.settings.pace, reply, least)
        self._ticker = self.set_interval(app.tick, self._tick, pause=True)
        app.settings_changed.subscribe(self, self._settings_changed)
        self._begin()

    def on_unmount(self) -> None:
        if self._conductor is not None:
            self._conductor.leave()

    def _begin(self) -> None:
        setup, self._asked = self._asked, None
        if setup is None or self._conductor is None:
            return
        self._typing.close()
        try:
            self._conductor.start(setup)
        except InputError as fault:
            self.notify(str(fault), title="This game cannot be played", severity="error")

    # Showing.

    @property
    def session(self) -> Session | None:
        return self._conductor.session if self._conductor is not None else None

    @property
    def board(self) -> Board | None:
        return next(iter(self.query(Board)), None)

    def _changed(self) -> None:
        """The conductor has something new to show."""
        session = self.session
        if session is None:
            return
        board = self.board
        if board is None or board.game != session.game:
            self.call_later(self._new_board)
        else:
            self._draw(board)
        self._tick_while_working()

    async def _new_board(self) -> None:
        """Put up the board of another game."""
        session, stage = self.session, self.query_one("#stage")
        if session is None:
            return
        board = self.board
        if board is None or board.game != session.game:
            await stage.remove_children()
            board = new_board(session.game)
            await stage.mount(board)
            board.focus()
        self._draw(board)

    def _draw(self, board: Board) -> None:
        session, conductor = self.session, self._conductor
        if session is None or conductor is None:
            return
        self._typing.starts = typing_starts(session)
        if not self._typing.starts and self._typing.asked is Asked.MOVE:
            self._typing.close()
        board.paced = session.watched
        board.asleep = board_sleeps(session)
        board.show(session.state, owned(session), session.person_may_move)
        if conductor.hinted is not None:
            board.point_at(conductor.hinted)
        self.set_class(conductor.explaining, "-explaining")
        self._fill(paints(conductor, self._typing, self._marked(), self._offers()))
        footer = tuple(self.check_action(action, ()) for action in ACTIONS)
        if footer != self._footer:  # the footer is sent anew, so only when it says something else
            self._footer = footer
            self.refresh_bindings()

    def _fill(self, paints: dict[str, Paint]) -> None:
        for name, paint in paints.items():
            self.query_one(f"#{name}", Panel).fill(paint)

    def _draw_prompt(self) -> None:
        if self._conductor is not None and self.session is not None:
            self._fill({"prompt": prompt_paint(self._conductor, self._typing, self._marked(), self._offers())})

    def _settings_changed(self, settings: Settings) -> None:
        """The signs or the pace may be others."""
        if self._conductor is not None:
            self._conductor.pace = settings.pace
        if self.board is not None:
            self._draw(self.board)

    def _marked(self) -> Move | None:
        return self.board.cursor.move if self.board is not None else None

    def _offers(self) -> list[str]:
        """Who could play, while that is asked."""
        if self.session is None or not self._typing.open or self._typing.asked is not Asked.PLAYER:
            return []
        return [ME, *(choice.agent for choice in agent_choices(self.session.game))]

    # Looking at what runs, a few times a second, only while something does and the screen is seen.

    def _tick_while_working(self) -> None:
        if self._ticker is not None:
            working = self._conductor is not None and self._conductor.working and self.is_current
            (self._ticker.resume if working else self._ticker.pause)()

    def _tick(self) -> None:
        self._draw_prompt()

    def on_screen_suspend(self) -> None:
        if self._ticker is not None:
            self._ticker.pause()

    def on_screen_resume(self) -> None:
        self._tick_while_working()
        if self.board is not None:
            self.board.focus()

    # The board and the keyboard.

    def on_board_moved(self, message: Board.Moved) -> None:
        self._typing.close()
        self._draw_prompt()

    def on_board_chosen(self, message: Board.Chosen) -> None:
        if self._conductor is not None:
            self._conductor.play(message.move)

    def on_key(self, event: events.Key) -> None:
        """Typed moves. All other keys are bindings."""
        typing = self._typing
        if typing.open and event.key == "enter":
            self._typed()
        elif typing.open and event.key in ("up", "down") and (offers := self._offers()):
            typing.offer(offers, 1 if event.key == "down" else -1)
        elif not typing.takes(event.key, event.character):
            return
        event.stop()
        event.prevent_default()
        self._preview()
        self._draw_prompt()

    def on_paste(self, event: events.Paste) -> None:
        if not self._typing.open and self._typing.starts:
            self._typing.begin(Asked.MOVE)
        if self._typing.open:
            self._typing.add(event.text)
            self._preview()
            self._draw_prompt()

    def _typed(self) -> None:
        """Enter: do what was typed, or say in place what is wrong with it."""
        session, conductor, typing = self.session, self._conductor, self._typing
        if session is None or conductor is None:
            return
        try:
            if typing.asked is Asked.PLAYER:
                conductor.seat(asked_seat(session), typing.text)
            elif not session.person_may_move:
                raise InputError(f"it is {words.called(session, session.record.turn)}'s turn")
            else:
                move = session.game.parse_move(typing.text, session.state)
                typing.close()
                conductor.play(move)
            typing.close()
        except InputError as fault:
            typing.fault = str(fault)

    def _preview(self) -> None:
        """The cursor shows what a typed move would do."""
        session, board = self.session, self.board
        if session is None or board is None or not self._typing.open or self._typing.asked is not Asked.MOVE:
            return
        with contextlib.suppress(InputError):
            board.point_at(session.game.parse_move(self._typing.text, session.state))

    # Actions.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """True: can be done; None: not now (dimmed); False: makes no sense here (left out)."""
        session = self.session
        if session is None:
            return action not in ACTIONS
        possible: dict[str, bool | None] = {
            "pause": not session.over and session.watched,
            "again": not session.over and session.hold is not None,
            "step": not session.over and session.watched,
            "pace": session.watched and not session.over,
            "review": session.over and session.record.ply > 0,
            "learn": session.over and session.pupil is not None and (session.can_learn or None),
            "hint": not board_sleeps(session),
            "undo": session.undo_ply is not None or None,
            "redo": session.redo_ply is not None or None,
        }
        return possible.get(action, True)

    def action_pause(self) -> None:
        self._do(Conductor.pause_or_go_on)

    def action_again(self) -> None:
        self._do(Conductor.pause_or_go_on)

    def action_step(self) -> None:
        self._do(Conductor.step)

    def action_pace(self, by: int) -> None:
        self._do(lambda conductor: conductor.change_pace(by))
        if self._conductor is not None:
            shell(self).change_settings(pace=self._conductor.pace)

    def action_learn(self) -> None:
        self._do(Conductor.learn)

    def action_undo(self) -> None:
        self._do(Conductor.undo)

    def action_redo(self) -> None:
        self._do(Conductor.redo)

    def action_hint(self) -> None:
        self._do(Conductor.hint)

    def action_why(self) -> None:
        self._do(Conductor.toggle_explaining)

    def action_swap(self) -> None:
        self._do(Conductor.swap)

    def action_stop(self) -> None:
        self._do(Conductor.stop)

    def action_player(self) -> None:
        self._typing.begin(Asked.PLAYER)
        self._draw_prompt()

    def action_new(self) -> None:
        shell(self).action_new_game(self.session.setup() if self.session is not None else None)

    def action_review(self) -> None:
        if self.session is not None:
            from nimtui.ui.screens.review import ReviewScreen

            self.app.push_screen(ReviewScreen(self.session), self._reviewed)

    def _reviewed(self, ply: int | None) -> None:
        """Play on from where the review was left with Enter."""
        if ply is not None:
            self._do(lambda conductor: conductor.goto(ply))

    def _do(self, what: Callable[[Conductor], object]) -> None:
        if self._conductor is not None and self._conductor.session is not None:
            what(self._conductor)


KEYS = [binding for binding in PlayScreen.BINDINGS if isinstance(binding, Binding)]
ACTIONS = tuple(dict.fromkeys(binding.action.partition("(")[0] for binding in KEYS))


def board_sleeps(session: Session) -> bool:
    """Is there nothing for a person to play: at the end, and while two agents are watched?"""
    return session.over or (session.watched and not session.person_may_move)


def typing_starts(session: Session) -> str:
    """The signs that begin a typed move: digits, the letters of rows that are no keys here, and ':' for any other."""
    if board_sleeps(session):
        return ""
    keys = {key for binding in KEYS for key in binding.key.split(",")}
    rows = len(session.game.cells(session.state) or ()) if session.game.board_kind in words.MATCHES else 0
    return "0123456789:" + "".join(letter for letter in LETTERS[:rows] if letter not in keys | {"q"})
