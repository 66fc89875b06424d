"""The screen of a game that was played: it replays the game move by move, or reviews it.

It lies on the Play screen, whose game waits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical
from textual.timer import Timer

from nimtui.agents.belief import Belief
from nimtui.arena.review.history import USUAL, Story, estimates
from nimtui.arena.review.review import Judgement, improvement, review, review_briefly
from nimtui.arena.review.review import story as story_text
from nimtui.arena.transcripts.transcript import beliefs_of
from nimtui.errors import InputError, whole_number
from nimtui.games import Record
from nimtui.games.rule_text import both
from nimtui.jobs import Job
from nimtui.playing import sentences as words
from nimtui.playing.replay import Replay
from nimtui.playing.session import Session
from nimtui.playing.setup import USUAL_OPPONENT, parse_seat
from nimtui.progress import Progress
from nimtui.report.copies import Copy, command
from nimtui.report.values import Typed
from nimtui.store.rows import short_id
from nimtui.theory.answers import is_solvable
from nimtui.ui.board.board import Board, new_board
from nimtui.ui.kit.contract.command import Command, NotNow, Possible, State, family
from nimtui.ui.kit.widgets.page import APPLY, DIGITS, UNTYPE, Prompt, Typing, filtering, going_to
from nimtui.ui.kit.widgets.panel import Paint, Panel
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.play import value_history, view
from nimtui.ui.play.conductor import PACES, paced
from nimtui.ui.play.keys import NO_MOVE
from nimtui.ui.play.reasons import Reasons

BOXES = ("values", "diagrams", "curve", "prompt")  # the last two below the board
DECIDED = "Go to the move that decided the game"
ESTIMATE = "Let an agent estimate every position"
LET = "Let the opponent move first"
LOOK = "Return to the replay, at this move"
STORY = "Draw the value history, or leave it out"
TO_MISTAKE = "Go to the next mistake"
PLAY_ON = "Play on from here against an agent"
SEARCH = "Open the search tree of this position"
TO_REVIEW = "Judge every move and show the turning point"
BY_USUAL = f"Let {USUAL} estimate every position"

Verdict: TypeAlias = tuple[list[Judgement], list[str], int | None]  # the story, and the ply of the turning point


class ReplayScreen(Typing[int | None]):
    """A game in one of two states: replayed, by hand or at the pace of two agents; or reviewed.

    A `Replay` goes from one to the other and back. The game on the Play screen is only reviewed: the answer is the ply
    to continue from, or None.
    """

    def __init__(self, session: Session, come_from: str = "") -> None:
        """`come_from` is the mode that Escape returns to from a replay."""
        super().__init__()
        self.session = session  # the listed game: in the review of a replay that game at its end
        self.come_from = come_from
        self._replay = session if isinstance(session, Replay) else None
        self._with_story = True  # whether the list shows the value history
        self._message = ""
        self._timer: Timer | None = None  # of the next move, while it plays automatically
        self._judging: Job[Verdict] | None = None  # of the latest review
        self._verdict: list[str] = []  # what decided the game; nothing before it has ended
        self._turn: int | None = None  # the ply of the turning point
        self._better: dict[int, str] = {}  # the ply of a mistake -> what was better
        self._fault = ""
        self._at = 0  # the marked move of a review

    def content(self) -> ComposeResult:
        stage = Horizontal(new_board(self.session.game, asleep=True), id="stage", classes="box")
        moves = VirtualList(id="judged", focusable=False, classes="box")
        yield Panel(id="title")
        values, pictures, *below = (Panel(id=name, classes="box") for name in BOXES)
        side = Vertical(moves, Horizontal(values, Reasons(values), id="theory"), pictures, id="side")
        yield Grid(stage, side, *below, id="middle")

    def on_mount(self) -> None:
        if self._replay is None:
            self.review()
            return
        replay, database = self._replay, self.shell.database
        record = replay.whole().record
        if record.ply and is_solvable(record.game, record.state_at(0)):
            wrong = self._failed("Cannot judge the moves")
            self.fetch("judging", lambda _: review_briefly(record), self._judged, wrong)
        if (id := replay.kept.id) is not None:
            wrong = self._failed("Cannot read what the players thought")
            self.fetch("beliefs", lambda _: beliefs_of(database(), id, replay.last), self._remembered, wrong)
        self._enter(Replaying)

    def on_screen_suspend(self) -> None:
        self._stand()

    def _judged(self, judgements: list[Judgement]) -> None:
        self.replay.judgements = judgements
        self.draw()

    def _remembered(self, beliefs: list[Belief | None]) -> None:
        self.replay.believed = beliefs
        self.draw()

    def _failed(self, what: str) -> Callable[[str], None]:
        """Return what shows why this was not found out."""
        return lambda why: self._say(f"{what}: {why}")

    def _say(self, message: str = "") -> None:
        self._message = message
        self.draw()

    # The two states.

    @property
    def reviewing(self) -> bool:
        """Whether the game is reviewed, not replayed."""
        return self._judging is not None

    @property
    def replay(self) -> Replay:
        """The replayed game."""
        assert self._replay is not None
        return self._replay

    def _enter(self, state: type[State]) -> None:
        """Show this state. In a review the list takes the keys."""
        self.turn_into(state)
        self.typing.starts = self.STARTS
        moves = self.query_one(VirtualList)
        moves.can_focus = self.reviewing
        self.set_focus(moves if self.reviewing else None)
        self.draw()
        self.refresh_bindings()

    def review(self) -> None:
        """Judge every move of the game, and mark the one that decided it."""
        self._stand()
        self.session = session = self.session if self._replay is None else self._replay.whole()
        self._verdict, self._turn, self._fault, self._at = [], None, "", 0
        record = Record(session.game, session.position, session.record.moves)

        def judge(progress: Progress) -> Verdict:
            judgements = review(record, progress, plies=True)
            game = words.reviewed(session, judgements)
            point = game.decision.point
            return judgements, story_text(game), None if point is None else point.ply

        def judged(verdict: Verdict) -> None:
            session.judgements, self._verdict, self._turn = verdict
            self._at = self._turn or 0
            self.draw()

        def failed(why: str) -> None:
            if session is self.session:  # else the review was left
                self._fault = why or "stopped"
                self.draw()

        self._judging = self.fetch("review", judge, judged, failed)
        self._enter(Reviewing)

    def end_review(self, ply: int | None = None) -> None:
        """Return to the replay, which shows the move at `ply`, or to the game, which continues from there."""
        if self._replay is None or self._judging is None:
            self.dismiss(ply)
            return
        self._judging.cancel()
        self._judging = None
        self._replay.judgements = self.session.judgements
        self.session = self._replay
        if ply is not None:
            self._replay.look_at(ply + 1)
        self._enter(Replaying)

    # Showing.

    @property
    def rules(self) -> str:
        """The rules of the game, for the help."""
        return both(self.session.game)

    @property
    def judgements(self) -> list[Judgement]:
        """The judgement of each move; none unless all are known."""
        judged = [*self.session.judged().values()]
        return judged if len(judged) == len(self.session.known_moves) else []

    @property
    def marked(self) -> int:
        """The ply of the marked move: of a replay the latest on the board, of a review the one after it."""
        return self._at if self.reviewing else self.replay.record.ply - 1

    @property
    def going(self) -> bool:
        """Whether the replay plays automatically."""
        return self._timer is not None

    @property
    def pace(self) -> float:
        """Seconds per move."""
        return max(self.shell.settings.pace, self.shell.tick if self.shell.slow else PACES[0])

    @property
    def story(self) -> Story | None:
        """The value history; None while the person leaves it out."""
        return words.story_of(self.session) if self._with_story else None

    def draw(self) -> None:
        if not self.there:
            return
        session, story, board = self.session, self.story, self.query_one(Board)
        self.set_class(self.reviewing, "-reviewing")
        self.set_class(self._with_story, "-curve")
        self.set_class(not self.reviewing and story is not None and not story.blank, "-story")
        self.set_class(not self.reviewing and bool(self.replay.particulars), "-faulty")
        ply = self.marked + (not self.reviewing)
        following = session.known_moves[ply : ply + 1]
        board.show(session.record.state_at(ply), view.owned(session, ply), live=bool(following))
        for move in following:
            board.point_at(move)
        names, judgements = session.move_names(), self.judgements or None
        sentences = self._sentences(story) if self.has_class("-huge") else []  # the bars have a box of their own
        bars = None if sentences else story
        moves = value_history.judged(names, session.labels, judgements, self.marked, self.mark, bars, None, sentences)
        self.query_one(VirtualList).put(moves)
        self.fill("title", view.reviewed_title(session) if self.reviewing else view.replayed_title(self.replay))
        self.query_one(Reasons).explain(session, ply)
        self.fill("curve", value_history.curve(session, self.marked + 1))
        self.fill("diagrams", value_history.diagrams(session, self.marked + 1))
        self.typing_changed()

    def _sentences(self, story: Story | None) -> list[str]:
        """Return what stands beside each move: of a mistake what was better and why, of others what was expected."""
        if story is None:
            return []
        values = [story.told(ply).partition(": ")[2] for ply in range(len(self.session.known_moves))]
        mistakes = [each for each in self.session.judged().values() if each.mistake]
        if mistakes and not self._better:
            record = self.session.record if self.reviewing else self.replay.whole().record
            self._better = {each.ply: improvement(record, each) for each in mistakes}
        return [self._better.get(ply, text) for ply, text in enumerate(values)]

    def typing_changed(self) -> None:
        self.fill("prompt", view.typed(self.typing) if self.typing.open else self._below())
        super().typing_changed()

    def _below(self) -> Paint:
        """Return what stands below the board: what decided the game, or the latest move and the next one."""
        story = None if self.has_class("-huge") else self.story  # there it stands below the curve
        if not self.reviewing:
            return view.replayed(self.replay, self.pace if self.going else None, self._message, story)
        history = "" if story is None else story.told(self._at)
        return view.reviewed(words.question(self.session), " ".join(self._verdict), history, self._fault)

    # Automatic play.

    def _stand(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _go(self) -> None:
        self._stand()
        self._timer = self.set_interval(self.pace, self._next)

    def _next(self) -> None:
        self.replay.look_at(self.replay.record.ply + 1)
        if self.replay.at_end:
            self._stand()
        self._say()

    # What both states do.

    def take(self, text: str) -> None:
        """Go to the position after the typed number of moves, or let the typed agent estimate all positions."""
        if self.typing.asked is Prompt.ANALYST:
            self.estimate(text)
            self._message = "Estimating every position"
        else:
            self.replay.look_at(whole_number(text, "the move", 0, self.replay.last))
            self._say()

    def estimate(self, name: str) -> None:
        """Let the agent of this name estimate every position. Raises InputError if the name is invalid."""
        session = self.session
        agent = parse_seat(name, session.game)
        if agent is None:
            raise InputError("a person cannot estimate: name an agent")
        record = Record(session.game, session.position, session.known_moves)

        def estimated(beliefs: list[Belief]) -> None:
            for each in filter(None, (self.session, self._replay)):  # the review of a replay has a game of its own
                each.estimates, each.analyst = beliefs, agent.name
            self._with_story = True
            self._say()

        def failed(why: str) -> None:
            self._say(why or "stopped")
            if self.reviewing:
                self.notify(self._message, title="Cannot estimate the positions", severity="warning")

        self.fetch("estimates", lambda progress: estimates(record, agent, session.seed, progress), estimated, failed)

    def step(self, by: int) -> None:
        """Go to the next move, or to the previous one; in a review only to those of the filter."""
        if self.reviewing:
            self.query_one(VirtualList).step(by)
        else:
            self.look_at(self.replay.record.ply + by)

    def mark(self, place: int) -> None:
        """Mark this move of the list. The board shows the position after it, in a review the one before."""
        if self.reviewing:
            self._at = place
            self.draw()
        else:
            self.look_at(place + 1)

    def to_mistake(self) -> None:
        """Mark the next mistake of a player; after the last the first."""
        plies = [ply for ply, each in self.session.judged().items() if each.mistake and ply >= self.session.opening]
        self._jump(next((ply for ply in plies if ply > self.marked), plies[0] if plies else None), "mistake")

    def _jump(self, ply: int | None, what: str) -> None:
        """Mark this move, or say why the mark stays where it is."""
        if ply is not None and ply != self.marked:
            self.mark(ply)
            return
        judged = self._verdict if self.reviewing else self.judgements
        why = f"No {'other ' * (ply is not None)}{what}" if judged else "No move has been judged yet"
        if self.reviewing:
            self.notify(why)
        else:
            self.hold(why)

    def toggle_story(self) -> None:
        """Draw the value history, or leave it out."""
        self._with_story = not self._with_story
        self.draw()

    def has_moves(self) -> Possible:
        return bool(self.session.known_moves) or NO_MOVE

    # What a replay does.

    def copies(self) -> list[Copy]:
        if self.reviewing:
            return []
        replay, id = self.replay, self.replay.kept.id
        whole = [] if replay.at_end else [Copy("whole game", " ".join(replay.move_names()))]
        return [*view.copies(replay), *whole, *([] if id is None else [command("games", "show", short_id(id))])]

    def look_at(self, ply: int) -> None:
        """Show the position after so many moves, and stay there."""
        self._stand()
        self.replay.look_at(ply)
        self._say()

    def run(self) -> None:
        """Play automatically from here; at the end, from the start."""
        if self.replay.at_end:
            self.replay.look_at(0)
        self._go()
        self._say()

    def hold(self, message: str = "") -> None:
        self._stand()
        self._say(message)

    def change_pace(self, by: int) -> None:
        self.shell.change_settings(pace=paced(self.pace, by))
        if self.going:
            self._go()
        self._say(f"{Typed(self.pace)} seconds per move")

    def play_on(self) -> None:
        """Ask for the opponent; the default is the replay's player, if that agent still exists."""
        opponent = USUAL_OPPONENT
        with contextlib.suppress(InputError):
            agent = parse_seat(self.replay.other, self.replay.game)
            opponent = opponent if agent is None else self.replay.other
        self.shell.action_new_game(self.replay.played_on(opponent))

    def search(self) -> None:
        self.shell.search(self.replay.game.name, self.replay.game.position_name(self.replay.state))

    def ask_analyst(self) -> None:
        self.ask_for(Prompt.ANALYST, self.replay.analyst or USUAL)

    def goes_on(self) -> Possible:
        return not self.replay.over or NotNow("The game is over here")

    def is_judged(self) -> Possible:
        return bool(self.replay.judgements) or NotNow("The moves are not judged yet")

    # What a review does.

    def follows(self, agent: bool) -> bool:
        """Return whether the game can continue from the marked move with one of an agent, or else of a person."""
        waits = self.session.watched or self.session.players[self._at % 2].is_person
        return not self.session.past and agent != waits

    def go_on(self) -> None:
        """Return to the game, at the marked move."""
        self.end_review(self._at)


class Replaying(State, place="replay"):
    """The game is replayed."""

    STARTS = DIGITS
    BINDING_GROUP_TITLE = "Replay"
    HELP = (
        "This screen replays a game. The board shows the position after the marked move, and crosses out what the "
        "next move takes. The right and left arrows go to the next and the previous move, Home and End to the start "
        "and the end. Type a number and press Enter to go to that move. Space plays the game automatically.\n\n"
        "The list judges every move if the theory of the game is instant. x goes to the next mistake. "
        "/ shows only moves with the words that you type: a player, a move, a loss. "
        "r judges the moves of any game that can be solved, and tells what decided the game.\n\n"
        f"{value_history.HELP} e lets an agent that you name estimate every position.\n\n"
        "p plays on from the shown position: you move next, against an agent that you name. "
        "The players of the replay are only names, so they need not exist any more. "
        "The game on the Play screen waits."
    )
    SPARE: ClassVar = ("pace", "filter", "story", "play_on", "mistake")  # the footer omits these first
    ROWS: ClassVar[tuple[Command[ReplayScreen], ...]] = (
        Command("left,up,h,k", "step(-1)", "back", "Previous move", lambda s: s.step(-1), group="step"),
        Command("right,down,l,j", "step(1)", "next", "Next move", lambda s: s.step(1), group="step"),
        Command("home", "end(0)", "Start", "Go to the start of the game", lambda s: s.look_at(0), show=False),
        Command("end", "end(1)", "End", "Go to the end of the game", lambda s: s.look_at(s.replay.last), show=False),
        Command("space", "run", "play", "Play the moves automatically", ReplayScreen.run, lambda s: not s.going),
        Command("space", "hold", "pause", "Pause the replay", ReplayScreen.hold, lambda s: s.going),
        Command("plus,equals_sign", "pace(1)", "Faster", "", lambda s: s.change_pace(1), group="pace"),
        Command("minus", "pace(-1)", "Slower", "", lambda s: s.change_pace(-1), group="pace"),
        Command("x", "mistake", "mistake", TO_MISTAKE, ReplayScreen.to_mistake, ReplayScreen.is_judged),
        Command("r", "review", "review", TO_REVIEW, ReplayScreen.review, ReplayScreen.has_moves),
        Command("V", "story", "values", STORY, ReplayScreen.toggle_story),
        Command("e", "estimate", "estimate", ESTIMATE, ReplayScreen.ask_analyst, show=False),
        Command("p", "play_on", "play on", PLAY_ON, ReplayScreen.play_on, ReplayScreen.goes_on),
        Command("t", "search", "search", SEARCH, ReplayScreen.search, ReplayScreen.goes_on, show=False),
        Command("g", "goto", "go to", "Go to a move by its number", lambda s: s.ask_for(s.typing.asked), show=False),
        APPLY,
        *going_to("move"),
        *filtering("moves", ReplayScreen.has_moves),
        Command("escape,backspace", "back", "back", "Return to the previous screen", lambda s: s.shell.leave_replay()),
    )


class Reviewing(State, place="review"):
    """The game is reviewed."""

    BESIDE, SPARE = (VirtualList,), ("filter",)
    BINDING_GROUP_TITLE = "Review"
    HELP = (
        "The board shows the position before the marked move, with that move marked on it. "
        "The list judges every move of the game against perfect play. "
        "A mistake is marked with what it gave away, such as win → loss. "
        "The turning point is the last mistake: it decided the result. t goes to it, x to the next mistake. "
        "/ shows only moves with the words that you type.\n\n"
        f"{value_history.HELP} e estimates every position by {USUAL}.\n\n"
        "Enter continues the game from the marked position. If the opponent is the player to move there, it moves."
    )
    ROWS: ClassVar[tuple[Command[ReplayScreen], ...]] = (
        *family("go", ReplayScreen.step, ("left,h", "Previous move", "", -1), group="move", display="↑"),
        *family("go", ReplayScreen.step, ("right,l", "Next move", "", 1), group="move", display="↓"),
        APPLY,
        Command("enter", "play_on", "continue from here", "", ReplayScreen.go_on, lambda s: s.follows(False)),
        Command("enter", "let_move", "let it move again", LET, ReplayScreen.go_on, lambda s: s.follows(True)),
        Command("enter", "look", "show in replay", LOOK, ReplayScreen.go_on, lambda s: s.session.past),
        Command("t", "turn", "turning point", DECIDED, lambda s: s._jump(s._turn, "turning point")),
        Command("x", "mistake", "mistake", TO_MISTAKE, ReplayScreen.to_mistake),
        Command("e", "estimate", "estimate", BY_USUAL, lambda s: s.estimate(s.session.analyst or USUAL), show=False),
        Command("V", "story", "values", STORY, ReplayScreen.toggle_story),
        UNTYPE,
        *filtering("moves", ReplayScreen.has_moves),
        Command("escape,r,backspace", "back", "back", do=ReplayScreen.end_review),
    )
