"""The Play screen: the board, what the opponent thinks, and everything one can do with a game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from nimtui.agents import agent_choices
from nimtui.errors import InputError
from nimtui.games.base import Move
from nimtui.store.settings import Settings
from nimtui.ui.board.board import Board
from nimtui.ui.board.boards import new_board
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.page import BREAKPOINTS, Page
from nimtui.ui.kit.panel import Paint, Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.play import keys as play_keys
from nimtui.ui.play import sentences as words
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.keeping import Keeping
from nimtui.ui.play.session import Session
from nimtui.ui.play.setup import ME, PlaySetup
from nimtui.ui.play.typing_line import Asked, TypingLine
from nimtui.ui.play.view import asked_seat, owned, paints, prompt_paint


class PlayScreen(Page[None]):
    """One game after another. What happens in it is the conductor's; this composes and forwards."""

    BINDING_GROUP_TITLE = "Play"
    HELP = play_keys.HELP

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*play_keys.TYPING, *play_keys.PLAYING]

    def __init__(self) -> None:
        super().__init__()
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

    @property
    def conductor(self) -> PlayConductor:
        return shell(self).conductor(PlayConductor)

    def on_mount(self) -> None:
        app = shell(self)
        self._ticker = self.set_interval(app.tick, self._tick, pause=True)
        app.settings_changed.subscribe(self, self._settings_changed)
        self._set_pace(app.settings)
        self.conductor.changed = self._changed
        self._changed()

    @cached_property
    def _keeping(self) -> Keeping:
        return Keeping(self.conductor.jobs, shell(self).database)

    def on_unmount(self) -> None:
        self.conductor.changed = lambda: None

    def start(self, setup: PlaySetup) -> None:
        """Begin this game."""
        self._typing.close()
        self._set_pace(shell(self).settings)
        try:
            self.conductor.start(setup)
        except InputError as fault:
            self.notify(str(fault), title="This game cannot be played", severity="error")

    def _set_pace(self, settings: Settings) -> None:
        app = shell(self)
        self.conductor.set_pace(settings.pace, app.tick if app.slow else 0.0, settings.animation)

    # Showing.

    @property
    def session(self) -> Session:
        """The game."""
        return self.conductor.session

    @property
    def board(self) -> Board | None:
        """The board of this game; None while that of another game still lies there."""
        return next((board for board in self.query(Board) if board.game == self.session.game), None)

    def _changed(self) -> None:
        """The conductor has something new to show."""
        if not self.still_open or not self.conductor.begun:
            return
        board = self.board
        if board is None:
            self.call_later(self._new_board)
        else:
            self._draw(board)
        self._tick_while_working()

    async def _new_board(self) -> None:
        """Put up the board of another game."""
        if not self.still_open:
            return
        board, stage = self.board, self.query_one("#stage")
        if board is None:
            await stage.remove_children()
            board = new_board(self.session.game)
            await stage.mount(board)
            board.focus()
        if board is self.board:  # else there is another game by now, and another board to come
            self._draw(board)

    def _draw(self, board: Board) -> None:
        session, conductor = self.session, self.conductor
        self._typing.starts = play_keys.typing_starts(session)
        if not self._typing.starts and self._typing.asked is Asked.MOVE:
            self._typing.close()
        board.paced = session.watched
        board.show(session.state, owned(session), session.person_may_move)
        if conductor.pointed is not None:
            board.point_at(conductor.pointed)
        self.set_class(conductor.explaining, "-explaining")
        self.set_class(session.over, "-over")
        self._fill(paints(conductor, self._typing, self._marked(), self._offers()))
        self._draw_footer()

    def _draw_footer(self) -> None:
        board = self.board
        if board is None:
            return
        board.asleep = play_keys.board_sleeps(self.session) or self._typing.open
        footer = tuple(self.check_action(action, ()) for action in play_keys.ACTIONS)
        if footer != self._footer:  # the footer is sent anew, so only when it says something else
            self._footer = footer
            self.refresh_bindings()

    def _fill(self, paints: dict[str, Paint]) -> None:
        for name, paint in paints.items():
            self.query_one(f"#{name}", Panel).fill(paint)

    def _draw_prompt(self) -> None:
        if self.still_open:
            self._fill({"prompt": prompt_paint(self.conductor, self._typing, self._marked(), self._offers())})

    def _settings_changed(self, settings: Settings) -> None:
        """The signs or the pace may be others."""
        self._set_pace(settings)
        if self.board is not None and self.still_open:
            self._draw(self.board)

    def _marked(self) -> Move | None:
        return self.board.cursor.move if self.board is not None else None

    def _offers(self) -> list[str]:
        """Who could play, while that is asked."""
        if not self._typing.open or self._typing.asked is not Asked.PLAYER:
            return []
        return [ME, *(choice.agent for choice in agent_choices(self.session.game))]

    # Looking at what runs, a few times a second, only while something does and the screen is seen.

    def _tick_while_working(self) -> None:
        if self._ticker is not None:
            working = self.conductor.working and self.is_current
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
        self._draw_footer()

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self.conductor.play(message.move)

    def on_key(self, event: events.Key) -> None:
        """Typed moves. All other keys are bindings."""
        if self._typing.leaves(event.key):
            self._typing_changed()  # and the key goes on to the board
        elif self._typing.takes(event.key, event.character):
            event.stop()
            event.prevent_default()
            self._typing_changed()

    def _typing_changed(self) -> None:
        self._preview()
        self._draw_prompt()
        self._draw_footer()

    def on_paste(self, event: events.Paste) -> None:
        if not self._typing.open and self._typing.starts:
            self._typing.begin(Asked.MOVE)
        if self._typing.open:
            self._typing.add(event.text)
            self._typing_changed()

    def action_typed(self) -> None:
        """Enter: do what was typed, or say in place what is wrong with it."""
        session, conductor, typing = self.session, self.conductor, self._typing
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
        self._typing_changed()

    def action_seated(self) -> None:
        self.action_typed()

    def action_untype(self) -> None:
        self._typing.close()
        self._typing_changed()

    def action_offer(self, by: int) -> None:
        """The next of those who could play."""
        if offers := self._offers():
            self._typing.offer(offers, by)
            self._typing_changed()

    def _preview(self) -> None:
        """The cursor shows what a typed move would do."""
        session, board = self.session, self.board
        if board is None or not self._typing.open or self._typing.asked is not Asked.MOVE:
            return
        with contextlib.suppress(InputError):
            board.point_at(session.game.parse_move(self._typing.text, session.state))

    # Actions.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """True: can be done; None: not now (dimmed); False: makes no sense here (left out)."""
        return play_keys.possible(action, self.session, self._typing, self.conductor.busy)

    def action_pause(self) -> None:
        self.conductor.pause_or_go_on()

    def action_again(self) -> None:
        self.conductor.pause_or_go_on()

    def action_step(self) -> None:
        self.conductor.step()

    def action_pace(self, by: int) -> None:
        self.conductor.change_pace(by)
        shell(self).change_settings(pace=self.conductor.pace)

    def action_learn(self) -> None:
        self.conductor.learn()

    def action_undo(self) -> None:
        self.conductor.undo()

    def action_redo(self) -> None:
        self.conductor.redo()

    def action_hint(self) -> None:
        self.conductor.hint()

    def action_why(self) -> None:
        self.conductor.toggle_explaining()

    def action_swap(self) -> None:
        self.conductor.swap()

    def action_stop(self) -> None:
        self.conductor.stop()

    def action_player(self) -> None:
        self._typing.begin(Asked.PLAYER)
        self._typing_changed()

    def action_new(self) -> None:
        shell(self).action_new_game(self.session.setup())

    def action_search(self) -> None:
        """Look at the search tree of this position, in the way that was asked for last."""
        session = self.session
        try:
            shell(self).search(session.game.name, session.game.position_name(session.state))
        except InputError as fault:
            self.notify(str(fault), title="This cannot be searched", severity="warning")

    def action_keep(self) -> None:
        self.save_game()

    def save_game(self, then: Callable[[], object] = lambda: None) -> None:
        """Save this game in the database, as it stands; `then` is called once it is there."""
        session, conductor = self.session, self.conductor

        def say(message: str) -> None:
            if conductor.session is session:
                conductor.message = message
                self._draw_prompt()

        self._keeping.keep(session, say, then)

    def action_review(self) -> None:
        from nimtui.ui.play.review import ReviewScreen

        session = self.session

        def reviewed(ply: int | None) -> None:
            """Play on from where the review was left with Enter, if that game is still there."""
            if ply is not None and self.session is session:
                self.conductor.goto(ply)

        self.app.push_screen(ReviewScreen(session), reviewed)
