"""Looking on at a tournament's games while they are played, on a board of full size."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.timer import Timer

from nimtui.games import Game, parse_game
from nimtui.ui import tournament_view
from nimtui.ui.glyphs import Glyphs
from nimtui.ui.pairing_games import NOT_PLAYED
from nimtui.ui.screens.page import Page
from nimtui.ui.screens.play import BREAKPOINTS
from nimtui.ui.shell import shell
from nimtui.ui.sweep_conductor import State
from nimtui.ui.tournament_conductor import TournamentConductor
from nimtui.ui.tournament_opening import as_it_is
from nimtui.ui.tournament_view import PARTED
from nimtui.ui.widgets.board import Board
from nimtui.ui.widgets.boards import new_board
from nimtui.ui.widgets.footer import Footer
from nimtui.ui.widgets.header import Header
from nimtui.ui.widgets.ink import Ink, Line, apart, cut, line, paragraphs
from nimtui.ui.widgets.panel import Panel

if TYPE_CHECKING:
    from nimtui.jobs.looking_on import Playing
    from nimtui.ui.tournament_opening import Shown

LINGER = 1.5  # seconds that a game which is over stays on the board


class LookingOn(Page[None]):
    """Follows one game to its end, then the next one; the tournament never waits for it."""

    BINDING_GROUP_TITLE = "Looking on"
    HELP = """A game of the tournament while it is played. When it is over, another one is shown.

Games of quick agents are over before they can be seen: go through those afterwards, from the table with Enter."""
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,tab,l,j", "other(1)", "another game", key_display="→", tooltip="The next game going on"),
        Binding("left,up,h,k", "other(-1)", "Game before", show=False, tooltip="The game before"),
        Binding("escape,o,backspace", "dismiss(None)", "back", key_display="esc", tooltip="Back to the table"),
    ]

    def __init__(self, conductor: TournamentConductor) -> None:
        super().__init__()
        assert conductor.tournament is not None
        self._conductor = conductor
        self._of = conductor.tournament  # it may be another one that is shown some day
        self._plan = self._of.plan
        self._shown: Playing | None = None
        self._gone: float | None = None  # since when it is not among those going on
        self._ticker: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="title")
        with Horizontal(id="stage"):
            if self._going:  # at once with the rest: the screen is sent once
                yield self._new_board(self._going[0])
        yield Panel(id="moves")
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        self._ticker = self.set_interval(shell(self).tick, self._tick)
        self.call_next(self._look)

    async def _tick(self) -> None:
        if self.is_current:
            await self._look()

    @property
    def _tournament(self) -> Shown:
        """As it is now."""
        self._of = as_it_is(self._of, self._conductor.tournament)
        return self._of

    @property
    def _going(self) -> tuple[Playing, ...]:
        """The games that are being played."""
        return self._tournament.view.playing

    async def _look(self) -> None:
        """Bring the board up to date."""
        going = self._going
        same = next((game for game in going if self._shown is not None and game[:2] == self._shown[:2]), None)
        now = monotonic()
        if same is not None:
            self._gone = None
            await self._show(same)
        elif self._shown is None or (self._gone is not None and now - self._gone >= LINGER):
            if going:
                self._gone = None
                await self._show(going[0])
        elif self._gone is None:
            self._gone = now
        self._say()

    async def _show(self, playing: Playing) -> None:
        if playing == self._shown:
            return
        self._shown = playing
        game = self._game(playing)
        board = next(iter(self.query(Board)), None)
        if board is None or board.game != game:
            stage = self.query_one("#stage")
            await stage.remove_children()
            board = self._new_board(playing)
            await stage.mount(board)
        board.show(tournament_view.position(game, playing.moves))

    def _new_board(self, playing: Playing) -> Board:
        board = new_board(self._game(playing))
        board.asleep = True
        return board

    def _ended(self, shown: Playing) -> str:
        """How a game ended that is not going on any more."""
        results = self._tournament.results(shown.pairing)
        result = int(results[shown.number]) if shown.number < len(results) else NOT_PLAYED
        if result == NOT_PLAYED:
            return "not to be seen"
        pairing = self._plan.pairings[shown.pairing]
        winner = pairing.first if result > 0 else pairing.second
        names = tournament_view.called(self._plan.agents)[0]
        return f"over: {names[winner]} has won" if result else "over: a draw"

    def _game(self, playing: Playing) -> Game:
        return parse_game(self._plan.games[self._plan.pairings[playing.pairing].game])

    def _say(self) -> None:
        shown, plan = self._shown, self._plan
        if shown is None:
            going = self._conductor.state is State.GOING
            nothing = "No game can be seen at the moment: they are over too quickly."
            nothing = nothing if going else "No game is being played at the moment."
            self.query_one("#title", Panel).fill(
                lambda columns, rows, signs: paragraphs([signs.plain(nothing)], columns)
            )
            return
        players, number = tournament_view.who(plan, shown)
        ended = "" if self._gone is None else self._ended(shown)
        moves = tournament_view.move_names(self._game(shown), shown.moves)

        discs = self._game(shown).board_kind == "columns"
        second = plan.openings.plies % 2  # whose discs are the other ones: an opening changes who begins

        def title(columns: int, rows: int, signs: Glyphs) -> list[Line]:
            first, other = players.split(PARTED)
            if discs:
                first, other = f"{signs.discs[second]} {first}", f"{signs.discs[1 - second]} {other}"
            left = line((signs.plain(f"{first}{PARTED}{other}"), Ink.STRONG), (f"  {number}", Ink.QUIET))
            right = ended or f"{len(shown.moves)} plies"
            return [apart(left, line((signs.plain(right), Ink.STRONG if ended else Ink.QUIET)), columns)]

        def told(columns: int, rows: int, signs: Glyphs) -> list[Line]:
            text = signs.plain(" ".join(moves))
            if len(text) > columns * rows:
                text = signs.hidden + text[-(columns * rows - 1) :]
            return [cut(found, columns, signs.hidden) for found in paragraphs([text], columns)][-rows:]

        self.query_one("#title", Panel).fill(title)
        self.query_one("#moves", Panel).fill(told)

    async def action_other(self, by: int) -> None:
        going = self._going
        if going:
            at = next((at for at, game in enumerate(going) if self._shown and game[:2] == self._shown[:2]), -by)
            self._gone = None
            await self._show(going[(at + by) % len(going)])
            self._say()
