"""The screen that judges every move of a game against perfect play, and says why it was lost."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical

from nimtui.arena.history import USUAL
from nimtui.arena.review import Judgement, review
from nimtui.arena.review_text import story
from nimtui.games import Record
from nimtui.progress import Progress
from nimtui.report.lines import Ink, Line, cut, justified, line, paragraphs
from nimtui.ui.board.board import Board
from nimtui.ui.board.boards import new_board
from nimtui.ui.kit.command import Command, family
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.page import Page
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.virtual_list import VirtualList
from nimtui.ui.play import move_list, value_history
from nimtui.ui.play import sentences as words
from nimtui.ui.play.session import Session
from nimtui.ui.play.storytelling import estimate
from nimtui.ui.play.value_history import reviewed, story_of
from nimtui.ui.play.view import owned

DECIDED = "Go to the move that decided the game"
LET = "Let the opponent move first"
LOOK = "Return to the replay, at this move"

Found: TypeAlias = tuple[list[Judgement], list[str], int | None]  # the story, and the ply of the turning point


class ReviewScreen(Page[int | None], place="review"):
    """Judges a game. Returns the ply to continue from, or None."""

    BESIDE = (VirtualList,)
    BINDING_GROUP_TITLE = "Review"
    HELP = (
        "The board shows the position before the marked move, with that move marked on it. "
        "The list judges every move of the game against perfect play. "
        "A mistake is marked with what it gave away, such as win → loss. "
        "The turning point is the last mistake: it decided the result. t goes to it, x to the next mistake.\n\n"
        f"{value_history.HELP} e estimates every position by {USUAL}.\n\n"
        "Enter continues the game from the marked position. If the opponent is the player to move there, it moves."
    )

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._judgements: list[Judgement] | None = None
        self._story: list[str] = []
        self._turn: int | None = None  # the ply of the turning point
        self._fault = ""
        self._at = 0  # the marked move
        self._drawn = True  # whether the list shows the value history
        self._shown = story_of(session)

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        with Grid(id="middle"):
            with Horizontal(id="stage", classes="box"):
                yield new_board(self._session.game)
            with Vertical(id="side"):
                yield VirtualList(id="judged", classes="box")
            yield Panel(id="verdict", classes="box")

    def on_mount(self) -> None:
        session = self._session
        record = Record(session.game, session.position, session.record.moves)

        def judge(progress: Progress) -> Found:
            judgements = review(record, progress, plies=True)
            told = reviewed(session, judgements)
            point = told.decision.point
            return judgements, story(told), None if point is None else point.ply

        self.fetch("review", judge, self._reviewed, self._failed)
        self.query_one(Board).asleep = True
        self.query_one(VirtualList).focus()
        self.draw()

    def _reviewed(self, told: Found) -> None:
        self._judgements, self._story, self._turn = told
        self._session.judgements = self._judgements
        self._at = self._turn or 0
        self.draw()

    def _failed(self, why: str) -> None:
        self._fault = why or "stopped"
        self.draw()

    # Showing.

    def draw(self) -> None:
        session = self._session
        board = self.query_one(Board)
        self.refresh_bindings()
        board.show(session.record.state_at(self._at), owned(session, self._at), live=True)
        board.point_at(session.record.moves[self._at])
        names = session.move_names()[: session.record.ply]
        self._shown = story_of(session)
        story = self._shown if self._drawn else None
        moves = move_list.judged(names, session.labels, self._judgements, self._at, self._mark, story)
        self.query_one(VirtualList).put(moves)
        self.fill("title", self._title)
        self.fill("verdict", self._verdict)

    def _title(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        left = line(("Review", Ink.STRONG), (f"  {signs.plain(self._session.game.title)}", Ink.QUIET))
        return [justified(left, line((signs.plain(words.result(self._session)), Ink.TEXT)), columns)]

    def _verdict(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if self._fault:
            return paragraphs([f"The review failed: {self._fault}"], columns, Ink.BAD)
        if self._judgements is None:
            return [line(("Solving every position ", Ink.QUIET), (signs.hidden, Ink.QUIET))]
        asks = words.question(self._session)
        told = paragraphs([signs.plain(" ".join(self._story))], columns)
        marked = paragraphs([signs.plain(self._shown.told(self._at))], columns) if self._drawn else []
        rows -= len(marked)
        if len(told) > rows - 1 > 0:
            told = [*told[: rows - 2], line(*cut(told[rows - 2], columns - 2, ""), f" {signs.hidden}")]
        return [line((asks[:1].upper() + asks[1:], Ink.TITLE)), *told, *marked]

    # Actions.

    def _waits(self) -> bool:
        """Return whether a person moves next, not an agent, if the game continues from here."""
        return self._session.watched or self._session.players[self._at % 2].is_person

    def _step(self, by: int) -> None:
        self.query_one(VirtualList).step(by)

    def _mark(self, ply: int) -> None:
        self._at = ply
        self.draw()

    def estimate_all(self) -> None:
        """Estimate every position by the agent that the replay named, or the default."""
        session = self._session

        def estimated(message: str) -> None:
            if message:
                self.notify(message, title="Cannot estimate the positions", severity="warning")
            self.draw()

        if session.record.ply:
            estimate(self, session, session.analyst or USUAL, estimated)

    def toggle_story(self) -> None:
        """Draw the value history, or leave it out."""
        self._drawn = not self._drawn
        self.draw()

    def to_mistake(self) -> None:
        found = [judged.ply for judged in self._judgements or () if judged.mistake]
        self._jump(next((ply for ply in found if ply > self._at), found[0] if found else None), "mistake")

    def _jump(self, ply: int | None, what: str) -> None:
        """Mark this move, or say why the mark stays where it is."""
        if ply is not None and ply != self._at:
            self._mark(ply)
        else:
            other = "other " if ply is not None else ""
            self.notify(f"No {other}{what}" if self._judgements else "No move has been judged yet")

    def go_on(self) -> None:
        """Return to the game, at this move."""
        self.dismiss(self._at)

    ROWS: ClassVar[tuple[Command[ReviewScreen], ...]] = (
        *family("go", _step, ("left,h", "Previous move", "", -1), group="move", display="↑"),
        *family("go", _step, ("right,l", "Next move", "", 1), group="move", display="↓"),
        Command("enter", "play_on", "continue from here", "", go_on, lambda s: not s._session.past and s._waits()),
        Command("enter", "let_move", "let it move again", LET, go_on, lambda s: not (s._session.past or s._waits())),
        Command("enter", "look", "show in replay", LOOK, go_on, lambda s: s._session.past),
        Command("t", "turn", "turning point", DECIDED, lambda s: s._jump(s._turn, "turning point")),
        Command("x", "mistake", "mistake", "Go to the next mistake", to_mistake),
        Command("e", "estimate", "estimate", f"Let {USUAL} estimate every position", estimate_all, show=False),
        Command("V", "story", "values", "Draw the value history, or leave it out", toggle_story),
        Command("escape,r,backspace", "dismiss(None)", "back", id="back"),
    )
