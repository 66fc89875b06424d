"""The screen that judges every move of a game against perfect play, and says why it was lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical
from textual.widget import Widget

from nimtui.agents.belief import Belief
from nimtui.arena.review.history import USUAL, Story, estimates
from nimtui.arena.review.review import Judgement, review
from nimtui.arena.review.review_text import story as story_text
from nimtui.games import Record
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.playing.setup import parse_seat
from nimtui.progress import Progress
from nimtui.report.lines import Ink, Line, cut, justified, line, paragraphs
from nimtui.ui.board.board import Board, new_board
from nimtui.ui.kit.contract.command import Command, family
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import Answer, Page
from nimtui.ui.kit.widgets.panel import Panel
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.play import value_history
from nimtui.ui.play.view import owned

DECIDED = "Go to the move that decided the game"
LET = "Let the opponent move first"
LOOK = "Return to the replay, at this move"

Verdict: TypeAlias = tuple[list[Judgement], list[str], int | None]  # the story, and the ply of the turning point


class Retelling(Page[Answer]):
    """A page with the board of a session beside its moves. No move is made on it."""

    BESIDE = (VirtualList,)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.with_story = True  # whether the list shows the value history

    def halves(self, focusable: bool = True) -> tuple[Widget, Widget]:
        """Return the board, and the list of moves beside it."""
        board = new_board(self.session.game)
        board.asleep = True
        moves = VirtualList(id="judged", focusable=focusable, classes="box")
        return Horizontal(board, id="stage", classes="box"), Vertical(moves, id="side")

    def show_board(self, ply: int) -> None:
        """Show the position after `ply` moves. The next move, if there is one, is marked on it."""
        session, board = self.session, self.query_one(Board)
        following = session.known_moves[ply : ply + 1]
        board.show(session.record.state_at(ply), owned(session, ply), live=bool(following))
        for move in following:
            board.point_at(move)

    @property
    def drawn_story(self) -> Story | None:
        """The value history; None while the person leaves it out."""
        return words.story_of(self.session) if self.with_story else None

    def toggle_story(self) -> None:
        """Draw the value history, or leave it out."""
        self.with_story = not self.with_story
        self.draw()

    def estimate(self, name: str, done: Callable[[str], object]) -> None:
        """Let the agent of this name estimate every position; `done` gets '', or why it cannot.

        Raises InputError if the name is invalid.
        """
        session = self.session
        agent = parse_seat(name, session.game)
        if agent is None:
            done("a person cannot estimate: name an agent")
            return
        record = Record(session.game, session.position, session.known_moves)

        def work(progress: Progress) -> list[Belief]:
            return estimates(record, agent, session.seed, progress)

        def estimated(beliefs: list[Belief]) -> None:
            session.estimates, session.analyst = beliefs, agent.name
            done("")

        self.fetch("estimates", work, estimated, lambda why: done(why or "stopped"))


class ReviewScreen(Retelling[int | None], place="review"):
    """Judges a game. Returns the ply to continue from, or None."""

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
        super().__init__(session)
        self._judgements: list[Judgement] | None = None
        self._story: list[str] = []
        self._turn: int | None = None  # the ply of the turning point
        self._fault = ""
        self._at = 0  # the marked move

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        yield Grid(*self.halves(), Panel(id="verdict", classes="box"), id="middle")

    def on_mount(self) -> None:
        session = self.session
        record = Record(session.game, session.position, session.record.moves)

        def judge(progress: Progress) -> Verdict:
            judgements = review(record, progress, plies=True)
            game = words.reviewed(session, judgements)
            point = game.decision.point
            return judgements, story_text(game), None if point is None else point.ply

        self.fetch("review", judge, self._reviewed, self._failed)
        self.query_one(VirtualList).focus()
        self.draw()

    def _reviewed(self, verdict: Verdict) -> None:
        self._judgements, self._story, self._turn = verdict
        self.session.judgements = self._judgements
        self._at = self._turn or 0
        self.draw()

    def _failed(self, why: str) -> None:
        self._fault = why or "stopped"
        self.draw()

    # Showing.

    def draw(self) -> None:
        session = self.session
        self.refresh_bindings()
        self.show_board(self._at)
        names = session.move_names()[: session.record.ply]
        moves = value_history.judged(names, session.labels, self._judgements, self._at, self._mark, self.drawn_story)
        self.query_one(VirtualList).put(moves)
        self.fill("title", self._title)
        self.fill("verdict", self._verdict)

    def _title(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        title = line(("Review", Ink.STRONG), (f"  {signs.plain(self.session.game.title)}", Ink.QUIET))
        return [justified(title, line((signs.plain(words.result(self.session)), Ink.TEXT)), columns)]

    def _verdict(self, columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if self._fault:
            return paragraphs([f"The review failed: {self._fault}"], columns, Ink.BAD)
        if self._judgements is None:
            return [line(("Solving every position ", Ink.QUIET), (signs.hidden, Ink.QUIET))]
        asks = words.question(self.session)
        story = paragraphs([signs.plain(" ".join(self._story))], columns)
        history = self.drawn_story
        marked = paragraphs([signs.plain(history.told(self._at))], columns) if history is not None else []
        rows -= len(marked)
        if len(story) > rows - 1 > 0:
            story = [*story[: rows - 2], line(*cut(story[rows - 2], columns - 2, ""), f" {signs.hidden}")]
        return [line((asks[:1].upper() + asks[1:], Ink.TITLE)), *story, *marked]

    # Actions.

    def _waits(self) -> bool:
        """Return whether a person moves next, not an agent, if the game continues from here."""
        return self.session.watched or self.session.players[self._at % 2].is_person

    def _step(self, by: int) -> None:
        self.query_one(VirtualList).step(by)

    def _mark(self, ply: int) -> None:
        self._at = ply
        self.draw()

    def estimate_all(self) -> None:
        """Estimate every position by the agent that the replay named, or the default."""

        def estimated(fault: str) -> None:
            if fault:
                self.notify(fault, title="Cannot estimate the positions", severity="warning")
            self.draw()

        self.estimate(self.session.analyst or USUAL, estimated)

    def to_mistake(self) -> None:
        mistakes = [judged.ply for judged in self._judgements or () if judged.mistake]
        self._jump(next((ply for ply in mistakes if ply > self._at), mistakes[0] if mistakes else None), "mistake")

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
        Command("enter", "play_on", "continue from here", "", go_on, lambda s: not s.session.past and s._waits()),
        Command("enter", "let_move", "let it move again", LET, go_on, lambda s: not (s.session.past or s._waits())),
        Command("enter", "look", "show in replay", LOOK, go_on, lambda s: s.session.past),
        Command("t", "turn", "turning point", DECIDED, lambda s: s._jump(s._turn, "turning point")),
        Command("x", "mistake", "mistake", "Go to the next mistake", to_mistake),
        Command("e", "estimate", "estimate", f"Let {USUAL} estimate every position", estimate_all, show=False),
        Command("V", "story", "values", "Draw the value history, or leave it out", Retelling.toggle_story),
        Command("escape,r,backspace", "dismiss(None)", "back", id="back"),
    )
