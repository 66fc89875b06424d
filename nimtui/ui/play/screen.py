"""The Play screen: the board, the opponent's thoughts, and all actions on a game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property

from textual import events
from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical

from nimtui.agents import Thinking
from nimtui.errors import InputError
from nimtui.games import rule_text
from nimtui.playing import levels
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.playing.teaching import Course
from nimtui.report.copies import Copy
from nimtui.report.lines import paragraphs
from nimtui.store.settings import Settings
from nimtui.theory.explanation import Depth
from nimtui.ui.board.board import Board, ColumnsBoard, GridBoard, HeapsBoard, ListBoard, RowsBoard, RunsBoard, new_board
from nimtui.ui.kit.widgets.page import DIGITS, ModeScreen, Prompt
from nimtui.ui.kit.widgets.panel import Panel, framed
from nimtui.ui.play import MODE, value_history, view
from nimtui.ui.play import keys as play_keys
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.reasons import Reasons, may_explain, values_paint, why_paint
from nimtui.ui.play.thinking import SHOWN, Steady, opinions_of, rating_of
from nimtui.ui.play.value_history import Storytelling, story_paint

BOXES = ("thoughts", "values", "log", "story", "diagrams", "curve", "prompt")  # with frames, beside the reasons


class PlayScreen(ModeScreen[PlayConductor], place="play"):
    """Composes the widgets of a game and forwards keys. The conductor runs the game."""

    BESIDE = (RowsBoard, RunsBoard, HeapsBoard, ColumnsBoard, GridBoard, ListBoard)
    STARTS = DIGITS + ":"
    CONDUCTOR = PlayConductor
    BINDING_GROUP_TITLE = "Play"
    HELP = play_keys.HELP
    ROWS = (*play_keys.TYPING, *play_keys.PLAYING)
    TYPED = ("typed", "untype", "offer", "seated", "named")

    def __init__(self) -> None:
        super().__init__()
        self._course: Course | None = None  # whose table gets a name
        self._steady = Steady()
        self._believed: Thinking | None = None  # what the agent to move believed when it was drawn last

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        thoughts, values, log, story, pictures, curve, prompt = (Panel(id=name, classes="box") for name in BOXES)
        board = Horizontal(id="stage", classes="box")
        side = Vertical(thoughts, Reasons(values), values, id="side")
        yield Grid(board, side, Vertical(log, story, pictures, id="record"), curve, prompt, id="middle")
        yield Panel(id="moves")

    def on_mount(self) -> None:
        self.hint(play_keys.of_boxes())
        self._set_pace(self.shell.settings)

    @cached_property
    def _storytelling(self) -> Storytelling:
        return Storytelling(self.conductor, self.has_class)

    def start(self, setup: PlaySetup) -> None:
        """Start this game."""
        self.typing.close()
        self._set_pace(self.shell.settings)
        try:
            self.conductor.start(setup)
        except InputError as fault:
            self.notify(str(fault), title="Cannot play this game", severity="error")

    def _set_pace(self, settings: Settings) -> None:
        app = self.shell
        self.conductor.set_pace(settings.pace, app.tick if app.slow else 0.0, settings.animation)

    # Showing.

    @property
    def session(self) -> Session:
        """The current game."""
        return self.conductor.session

    @property
    def rules(self) -> str:
        """The rules of the current game, for the help."""
        return rule_text.both(self.session.game)

    @property
    def board(self) -> Board | None:
        """The board of this game; None while another game's board is still mounted."""
        return next((board for board in self.query(Board) if board.game == self.session.game), None)

    def draw(self) -> None:
        if not self.still_open or not self.conductor.begun:
            return
        board = self.board
        if board is None:
            self.call_later(self._new_board)
        else:
            self._draw(board)

    async def _new_board(self) -> None:
        """Mount the board of another game."""
        if not self.still_open:
            return
        board, stage = self.board, self.query_one("#stage")
        if board is None:
            await stage.remove_children()
            board = new_board(self.session.game)
            await stage.mount(board)
            board.focus()
        if board is self.board:  # else another game has started, and its board follows
            self._draw(board)

    def _draw(self, board: Board) -> None:
        session, conductor = self.session, self.conductor
        self.typing.starts = play_keys.typing_starts(session)
        if not self.typing.starts and self.typing.asked is Prompt.MOVE:
            self.typing.close()
        board.paced = session.watched
        explaining, analysing = conductor.explaining.on, conductor.analysis.on
        with_story = self._storytelling.follow(session, explaining)
        ply, by_itself = session.record.ply, may_explain(session)
        classes = {
            "-explaining": explaining,
            "-deep": explaining and conductor.explaining.depth is not Depth.PLAIN and not analysing,
            "-over": session.over,
            "-valued": (session.watched and by_itself) or conductor.explaining.explains,
            "-ruled": view.shows_rules(session),
            "-analysing": analysing,
            "-story": with_story,
        }
        self.update_classes(classes, animate=False)
        board.show(session.state, view.owned(session), session.person_may_move, view.labels(conductor))
        if conductor.pointed is not None:
            board.point_at(conductor.pointed)
        self._warm(board)
        story = story_paint(session)
        self.fill("title", view.title(session))
        if not (session.over and conductor.on_errand(value_history.JUDGING)):  # else drawn once it is judged
            self.fill("thoughts", view.thoughts_paint(conductor, self._steady, self.has_class("-huge")))
        reasons = self.query_one(Reasons)
        if by_itself and not explaining:
            reasons.explain(session, ply)
        else:
            reasons.say(why_paint(conductor))
            self.fill("values", values_paint(session, ply, conductor.explaining.explanation))
        self.fill("log", story if with_story and not self._storytelling.boxed else value_history.log(session))
        self.fill("story", story)
        self.fill("curve", value_history.curve(session, ply))
        if session.watched or session.waiting_for is None or ply <= session.opening:
            self.fill("diagrams", value_history.diagrams(session, ply))  # a move and its answer together: fewer bytes
        self.fill("moves", view.latest_moves(session, explaining))
        self._draw_prompt()
        self.draw_footer()
        self.shell.change_settings(level=levels.higher(session, self.shell.settings.level))

    def draw_footer(self) -> None:
        if self.board is not None:
            self.board.asleep = play_keys.board_sleeps(self.session) or self.typing.open
            super().draw_footer()

    def _draw_prompt(self) -> None:
        """Show what can be done, and as many lines of the message as it needs."""
        if not self.still_open:
            return
        prompt, marked = self.query_one("#prompt", Panel), self.board.cursor.move if self.board is not None else None
        lines = len(paragraphs([self.conductor.message], prompt.size.width or self.size.width - 2))
        prompt.styles.min_height = 1 + lines + 2 * framed(prompt)
        self.set_class(lines > 1, "-said")
        prompt.fill(view.prompt_paint(self.conductor, self.typing, marked, self._offers()))

    def settings_changed(self, settings: Settings) -> None:
        self._set_pace(settings)
        self.conductor.listen(self.shell.tick)
        super().settings_changed(settings)

    def _offers(self) -> list[str]:
        return view.offered(self.typing, self.conductor, self._course)

    def tick(self) -> None:
        if self.conductor.working:
            self._draw_prompt()
        if self.conductor.working or self.conductor.analysis.running:
            self._draw_thoughts()

    def _draw_thoughts(self) -> None:
        """Show what the agent believes by now, if that is news."""
        believed = self.conductor.believed or self.conductor.analysis.thinking
        if believed is not None and believed is not self._believed:
            self._believed = believed
            self.fill("thoughts", view.thoughts_paint(self.conductor, self._steady))
            if self.board is not None:
                self._warm(self.board)

    def _warm(self, board: Board) -> None:
        """Show on the pieces what the agent to move believes."""
        believed = self.conductor.believed or self.conductor.analysis.thinking
        thoughts = believed.thoughts if believed is not None and not self.session.over else ()
        shares = {move: opinion.share for move, opinion in opinions_of(thoughts).items()}
        board.warm(shares, SHOWN.get(rating_of(thoughts), ""), view.exact(self.conductor))

    def on_screen_resume(self) -> None:
        self.conductor.listen(self.shell.tick)
        if self.board is not None:
            self.board.focus()

    def on_screen_suspend(self) -> None:
        """Look at no thoughts while another screen is shown. The analysis continues only below dialogs."""
        self.conductor.listen(None)
        if self.shell.current_mode != MODE.name:
            self.conductor.analysis.stop()

    # The board and the keyboard.

    def on_board_moved(self, message: Board.Moved) -> None:
        self.typing.close()
        self.typing_changed()

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self.conductor.play(message.move)

    def typing_changed(self) -> None:
        self._preview()
        self._draw_prompt()
        self.draw_footer()

    def on_paste(self, event: events.Paste) -> None:
        """Accept a pasted move without an opening key."""
        if not self.typing.open and self.typing.starts:
            self.typing.begin(Prompt.MOVE)

    def take(self, text: str) -> None:
        """Replace a player, save what the opponent learned, or play the typed move."""
        session = self.session
        if self.typing.asked is Prompt.TABLE and self._course is not None:
            self.conductor.teaching.save(self._course, text.strip() or self._course.default_name())
        elif self.typing.asked is Prompt.PLAYER:
            self.conductor.seat(view.asked_seat(session), text)
        elif not session.person_may_move:
            raise InputError(f"wait: it is {session.called(session.record.turn)}'s turn")
        else:
            move = session.game.parse_move(text, session.state)
            self.typing.close()
            self.conductor.play(move)

    def offer(self, by: int) -> None:
        """Put in the next offered player."""
        if offers := self._offers():
            self.typing.offer(offers, by)
            self.typing_changed()

    def _preview(self) -> None:
        """Mark the typed move on the board."""
        session, board = self.session, self.board
        if board is not None and self.typing.open and self.typing.asked is Prompt.MOVE:
            with contextlib.suppress(InputError):
                board.point_at(session.game.parse_move(self.typing.text, session.state))

    # Actions.

    def copies(self) -> list[Copy]:
        return [*view.copies(self.session), self.session.setup().command] if self.conductor.begun else []

    @property
    def covered(self) -> bool:
        """Whether esc would close the explanation or the value history."""
        covered = self.conductor.explaining.on or self._storytelling.covers(self.session)
        return covered and not self.conductor.busy

    def change_pace(self, by: int) -> None:
        self.conductor.change_pace(by)
        self.shell.change_settings(pace=self.conductor.pace)

    def learn(self) -> None:
        """Show the lesson of this game, and let the opponent learn with the weight that the person chooses.

        A lesson that is not saved yet can get another weight. A saved one is shown again.
        """
        from nimtui.ui.play.lesson import LessonScreen

        conductor = self.conductor
        session, teaching = conductor.session, conductor.teaching
        if session.can_learn and session.pupil is not None:
            course, lesson = teaching.lesson(session)
            screen = LessonScreen(course.who, course.table, lesson)
        else:
            before = teaching.course(session)
            unsaved = teaching.unsaved_lesson(session) is not None
            if not unsaved:
                self._learn(1)  # which only says that this game is learned
            if before is None or before.last is None or before.last[1].moves != tuple(session.record.moves):
                return
            screen = LessonScreen(before.who, *before.last, learned=not unsaved)

        def answered(weight: int | None) -> None:
            if weight is not None and conductor.session is session:
                teaching.withdraw(session)
                self._learn(weight)

        self.app.push_screen(screen, answered)

    def _learn(self, weight: int) -> None:
        """Let the opponent learn, and ask for the name of its table before the first lesson is saved."""
        self._course = self.conductor.learn(weight)
        if self._course is not None:
            self.ask_for(Prompt.TABLE, self._course.default_name())

    def analyse(self) -> None:
        """Start the analysis, or end it. Show it where the value history takes its place."""
        starts = not self.conductor.analysis.on
        if starts and not self.has_class("-wide") and self._storytelling.is_shown(self.session):
            self._storytelling.toggle(self.session)
        self.conductor.analysis.toggle(self.session)

    def toggle_story(self) -> None:
        self._storytelling.toggle(self.session)
        self.draw()

    def close(self) -> None:
        """Close the explanation, else the value history."""
        if self.conductor.explaining.on:
            self.conductor.explain(close=True)
        else:
            self.toggle_story()

    def search(self) -> None:
        """Open the search tree of this position, with the search used last."""
        self.shell.search(self.session.game.name, self.session.game.position_name(self.session.state))

    def open_sequence(self) -> None:
        """Open the values of heaps of this game."""
        from nimtui.theory.sequence import of_heaps
        from nimtui.ui.play.heap_pages import SequencePage

        if (heap := of_heaps(self.session.game)) is not None:
            self.app.push_screen(SequencePage(heap))

    def save_game(self, then: Callable[[], object] = lambda: None) -> None:
        """Save this game in the database, as it stands; call `then` after it is saved."""
        self.conductor.keep(self.shell.database, then)

    def review(self) -> None:
        from nimtui.ui.play.replay_screen import ReplayScreen

        session = self.session

        def reviewed(ply: int | None) -> None:
            """Continue from the ply that the review returned, if the game is still the same."""
            if ply is not None and self.session is session:
                self.conductor.goto(ply)

        self.app.push_screen(ReplayScreen(session), reviewed)
