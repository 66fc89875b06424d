"""The screen that replays a game move by move. It lies on the Play screen, whose game waits."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer

from nimtui.agents.belief import Belief
from nimtui.arena.review.history import USUAL, Story
from nimtui.arena.review.review import Judgement, review_briefly
from nimtui.arena.transcripts.transcript import beliefs_of
from nimtui.errors import InputError, whole_number
from nimtui.games.rule_text import both
from nimtui.playing import sentences as words
from nimtui.playing.replay import Replay
from nimtui.playing.session import OPENING
from nimtui.playing.setup import USUAL_OPPONENT, parse_seat
from nimtui.report.copies import Copy, command
from nimtui.report.lines import Ink, Line, cut, justified, line
from nimtui.report.values import Typed
from nimtui.store.rows import short_id
from nimtui.theory import explanation
from nimtui.theory.answers import is_solvable
from nimtui.ui.kit.contract.command import Command, NotNow, Possible
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import APPLY, DIGITS, Typing, filtering, going_to
from nimtui.ui.kit.widgets.panel import Panel, painter
from nimtui.ui.kit.widgets.typing_line import Prompt
from nimtui.ui.kit.widgets.virtual_list import Rows, VirtualList
from nimtui.ui.play import prompt, value_history
from nimtui.ui.play.conductor import PACES, paced
from nimtui.ui.play.keys import NO_MOVE
from nimtui.ui.play.review import Retelling, ReviewScreen
from nimtui.ui.play.view import copies, marks, title_lines

DOING = 34  # columns for the move played


class ReplayScreen(Retelling[None], Typing, place="replay"):
    """Shows a `Replay`, by hand or automatically at the pace of two agents."""

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

    def __init__(self, replay: Replay, come_from: str) -> None:
        """`come_from` is the mode that Escape returns to."""
        super().__init__(replay)
        self.replay = replay
        self.come_from = come_from
        self._message = ""
        self._timer: Timer | None = None  # of the next move, while it plays automatically

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        yield Horizontal(*self.halves(focusable=False), id="middle")
        yield Panel(id="prompt", classes="box")

    def on_mount(self) -> None:
        replay, database = self.replay, self.shell.database
        record = replay.whole().record
        if record.ply and is_solvable(record.game, record.state_at(0)):
            self.fetch(
                "judging", lambda _: review_briefly(record), self._judged, self._failed("Cannot judge the moves")
            )
        if (id := replay.kept.id) is not None:
            wrong = self._failed("Cannot read what the players thought")
            self.fetch("beliefs", lambda _: beliefs_of(database(), id, replay.last), self._remembered, wrong)
        self.draw()

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
        return lambda why: self._show_message(f"{what}: {why}")

    def _show_message(self, message: str) -> None:
        self._message = message
        self.draw()

    # Showing.

    @property
    def rules(self) -> str:
        """The rules of the replayed game, for the help."""
        return both(self.replay.game)

    @property
    def story(self) -> Story | None:
        """The value history, if it is drawn and anything of it is known."""
        story = self.drawn_story
        return None if story is None or story.blank else story

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
        replay, story = self.replay, self.story
        self.show_board(replay.record.ply)
        self.fill("title", titles(replay))
        self.query_one(VirtualList).put(moves_of(replay, lambda ply: self.look_at(ply + 1), story))
        self.set_class(story is not None, "-story")
        self.typing_changed()

    def typing_changed(self) -> None:
        pace = self.pace if self.going else None
        latest = prompt_lines(self.replay, pace, self._message, self.story)
        self.fill("prompt", prompt.typed(self.typing) if self.typing.open else latest)
        super().typing_changed()

    def _moved(self, moved: bool, message: str = "") -> None:
        self._message = message
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

    def _estimated(self, fault: str) -> None:
        self.with_story = self.with_story or not fault
        self._show_message(fault)

    def take(self, text: str) -> None:
        """Go to the position after the typed number of moves, or let the typed agent estimate all positions."""
        if self.typing.asked is Prompt.ANALYST:
            self.estimate(text, self._estimated)
            self._message = "Estimating every position"
            return
        self._moved(self.replay.look_at(whole_number(text, "the move", 0, self.replay.last)))

    # Actions.

    def copies(self) -> list[Copy]:
        replay, id = self.replay, self.replay.kept.id
        whole = [] if replay.at_end else [Copy("whole game", " ".join(replay.move_names()))]
        return [*copies(replay), *whole, *([] if id is None else [command("games", "show", short_id(id))])]

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
        wrong = "No other mistake" if self.replay.judgements else "No move has been judged yet"
        self._moved(moved, "" if moved else wrong)

    def review(self) -> None:
        whole = self.replay.whole()

        def looked(ply: int | None) -> None:
            self.replay.judgements = whole.judgements or self.replay.judgements
            if ply is not None:
                self.replay.look_at(ply + 1)  # the position after the marked move
            self.draw()

        self.app.push_screen(ReviewScreen(whole), looked)

    def play_on(self) -> None:
        """Ask for the opponent; the default is the replay's player, if that agent still exists."""
        opponent = USUAL_OPPONENT
        with contextlib.suppress(InputError):
            agent = parse_seat(self.replay.other, self.replay.game)
            opponent = opponent if agent is None else self.replay.other
        self.shell.action_new_game(self.replay.played_on(opponent))

    def search(self) -> None:
        self.shell.search(self.replay.game.name, self.replay.game.position_name(self.replay.state))

    def _ask_analyst(self) -> None:
        self.ask_for(Prompt.ANALYST, self.replay.analyst or USUAL)

    def _goes_on(self) -> Possible:
        return not self.replay.over or NotNow("The game is over here")

    def _is_judged(self) -> Possible:
        return bool(self.replay.judgements) or NotNow("The moves are not judged yet")

    def _has_moves(self) -> Possible:
        return self.replay.last > 0 or NO_MOVE

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
        Command("V", "story", "values", "Draw the value history, or leave it out", Retelling.toggle_story),
        Command("e", "estimate", "estimate", "Let an agent estimate every position", _ask_analyst, show=False),
        Command("p", "play_on", "play on", "Play on from here against an agent", play_on, _goes_on),
        Command("t", "search", "search", "Open the search tree of this position", search, _goes_on, show=False),
        Command("g", "goto", "go to", "Go to a move by its number", lambda s: s.ask_for(s.typing.asked), show=False),
        APPLY,
        *going_to("move"),
        *filtering("moves", _has_moves),
        Command("escape,backspace", "back", "back", "Return to the previous screen", lambda s: s.shell.leave_replay()),
    )


# The panels.


@painter
def titles(columns: int, rows: int, signs: Glyphs, replay: Replay) -> list[Line]:
    """Return the game's title and its players."""
    names = [[name(seat) for seat in (0, 1)] for name in (replay.in_full, replay.called, replay.short)]
    return title_lines(replay.game.title, names, marks(replay, signs), None, columns, signs)


def moves_of(replay: Replay, go: Callable[[int], None], story: Story | None) -> Rows:
    """Return the list of moves with their judgements, if known, and their value history; the latest move is marked."""
    names, at = replay.move_names(), replay.record.ply - 1
    judgements = replay.judgements if len(replay.judgements) == len(names) else None
    return value_history.judged(names, replay.labels, judgements, at, go, story)


@painter
def prompt_lines(
    columns: int, rows: int, signs: Glyphs, replay: Replay, pace: float | None, message: str, story: Story | None
) -> list[Line]:
    """Return the painter of the prompt: the latest move with its judgement and its story, then the next move.

    `pace`: seconds per move of automatic play; None if it is off.
    """
    ply = replay.record.ply
    done = f"{ply} of {replay.last}   {_latest_move(replay)}"
    judged, ink = _judged(replay)
    sign = f"{signs.wrong} " if ink is Ink.BAD else ""
    first = line((signs.plain(done).ljust(DOING), Ink.STRONG), (f"  {sign}{signs.plain(judged)}", ink))
    second = cut(line((signs.plain(message or _following(replay)), Ink.TEXT)), columns, signs.hidden)
    if pace is not None:
        second = justified(second, line((f"{signs.running} {pace:g} s per move", Ink.QUIET)), columns)
    history = "" if story is None else signs.plain(story.told(ply - 1))
    third = [cut(line((history, Ink.TEXT)), columns, signs.hidden)] if rows > 2 else []
    return [cut(first, columns, signs.hidden), *third, second]


def _who(replay: Replay, ply: int) -> str:
    return "the opening" if replay.authors[ply].label == OPENING else replay.short(ply % 2)


def _latest_move(replay: Replay) -> str:
    """Return the latest move: 'mc took 2 from D'."""
    ply = replay.record.ply - 1
    if ply < 0:
        return "the start"
    before = replay.record.state_at(ply)
    return f"{_who(replay, ply)} {words.doing(replay.game, before, replay.record.moves[ply], 'took', 'dropped')}"


def _judged(replay: Replay) -> tuple[str, Ink]:
    """Return what the latest move did: 'win → loss; b1 keeps the win'."""
    latest = replay.judged().get(replay.record.ply - 1)
    if latest is None or latest.before is None:
        return "", Ink.QUIET
    if not latest.mistake:
        return latest.effect, Ink.QUIET
    state = replay.record.state_at(latest.ply)
    names = [replay.game.move_name(move, state) for move in latest.best_moves]
    keep = f"{explanation.several(names, 3)} keep{'s' * (len(names) == 1)} the {latest.before.value}"
    return f"{latest.effect}; {keep}", Ink.BAD


def _following(replay: Replay) -> str:
    """Return how the game ended, or the next move."""
    if replay.at_end:
        return replay.result
    ply = replay.record.ply
    who = _who(replay, ply)
    taking, dropping = ("take", "drop") if who == "you" else ("takes", "drops")
    following = f"Next: {who} {words.doing(replay.game, replay.state, replay.record.undone[-1], taking, dropping)}"
    return f"{replay.kept.title} · {following[0].lower()}{following[1:]}" if replay.kept.title else following
