"""Watch a tournament's games while they are played, on a full-size board."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Horizontal

from nimtui.arena.standings.ledger import NOT_PLAYED
from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.jobs.latest_job import LatestLookup
from nimtui.report.lines import Ink, Line, cut, justified, line, paragraphs
from nimtui.ui.board import grid, small_board
from nimtui.ui.board.board import Board, new_board
from nimtui.ui.kit.contract.command import Command
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.canvas import entitle
from nimtui.ui.kit.widgets.panel import Panel
from nimtui.ui.tournament.pairing import OfTournament
from nimtui.ui.tournament.view import NO_GAME, PARTED, ended, game_of, told_moves, who
from nimtui.ui.tournament.work import TournamentWork

if TYPE_CHECKING:
    from nimtui.jobs.live_games import LiveGame
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

LINGER = 1.5  # seconds that a finished game stays on the board
PREVIOUS = "Watch the previous game"
PATIENCE = 3.0  # seconds to wait for the end of a game: games are saved in batches


class LookingOn(OfTournament, place="watch"):
    """Follows one game to its end, then the next one; the tournament never waits for this screen."""

    BINDING_GROUP_TITLE = "Watch"
    HELP = """Watch a game of the tournament while it is played. When it ends, its last position stays for a moment; \
then the next game follows.

Quick agents finish a game before the screen can follow: you see its first moves and its end. To replay all moves \
later, press Enter in the table."""

    def __init__(self, conductor: TournamentWork) -> None:
        super().__init__(conductor)
        self._shown: LiveGame | None = None
        self._lost: float | None = None  # when it left the games in progress, while its end is not on the board yet
        self._gone: float | None = None  # when its end came on the board
        self._ending: LatestLookup[GameInfo | None] = LatestLookup()

    def content(self) -> ComposeResult:
        yield Panel(id="title")
        with Container(id="middle"):
            with Horizontal(id="stage", classes="box") as stage:
                entitle(stage, "Board")
                if self._going:  # mounted with the rest, so that the screen is sent once
                    yield new_board(game_of(self._plan, self._going[0]), asleep=True)
            yield Panel(id="moves", classes="box").headed("Moves")

    def on_mount(self) -> None:
        self.call_next(self.tick)

    def on_unmount(self) -> None:
        self._ending.cancel()

    @property
    def _going(self) -> tuple[LiveGame, ...]:
        """Return the games in progress."""
        return self._tournament.view.playing

    async def tick(self) -> None:
        """Update the board."""
        if not self.still_open:
            return
        watched, now = self._shown, monotonic()
        same = next((game for game in self._going if watched is not None and game[:2] == watched[:2]), None)
        if same is not None:
            await self._turn(same)
        elif watched is None or (self._gone is not None and now - self._gone >= LINGER):
            await self._turn(next(iter(self._going), None))
        elif self._gone is None:
            await self._see_end(watched, now)
        self._say()

    async def _see_end(self, shown: LiveGame, now: float) -> None:
        """Show the end of a finished game; if it cannot be found, another game."""
        if base.outcome(small_board.replayed(game_of(self._plan, shown), shown.moves).position) != base.GOING_ON:
            self._gone = now
            return
        self._lost = self._lost or now
        number, database = self._tournament.number, self._conductor.database
        if number is None or now - self._lost >= PATIENCE:
            await self._turn(next(iter(self._going), None))
        elif not self._ending.running:
            self._ending.look(lambda: _kept_game(database(), number, *shown[:2]), self._kept)

    def _kept(self, found: GameInfo | None, fault: str) -> None:
        if found is not None:
            self.call_next(self._show_end, found)

    async def _show_end(self, found: GameInfo) -> None:
        """Show the saved game on the board."""
        game = self._shown
        if not self.still_open or game is None or (found.pairing, found.row.number) != game[:2] or self._lost is None:
            return
        self._lost, self._gone = None, monotonic()
        await self._show(game._replace(moves=tuple(found.codes)))
        self._say()

    async def _turn(self, playing: LiveGame | None) -> None:
        """Show this game, which is going on, if there is one."""
        if playing is not None:
            self._lost = self._gone = None
            await self._show(playing)

    async def _show(self, playing: LiveGame) -> None:
        if playing == self._shown:
            return
        self._shown = playing
        game = game_of(self._plan, playing)
        board = next(iter(self.query(Board)), None)
        if board is None or board.game != game:
            stage = self.query_one("#stage")
            await stage.remove_children()
            board = new_board(game, asleep=True)
            await stage.mount(board)
        position, marks, _ = small_board.replayed(game, playing.moves)
        board.show(position, marks)

    def _ended(self, shown: LiveGame) -> str:
        """Say how a finished game ended."""
        results = self._tournament.results(shown.pairing)
        result = int(results[shown.number]) if shown.number < len(results) else NOT_PLAYED
        return "over" if result == NOT_PLAYED else f"over: {ended(self._plan, shown, result)}"

    def _say(self) -> None:
        watched, plan = self._shown, self._plan
        if watched is None:
            nothing = NO_GAME[self._conductor.state.runs]
            self.fill("title", lambda columns, rows, signs: paragraphs([signs.plain(nothing)], columns))
            return
        two, number = who(plan, watched)
        over = "" if self._gone is None else self._ended(watched)
        game = game_of(plan, watched)
        moves = small_board.replayed(game, watched.moves).names
        signs_of = grid.made(game, game.start) if game.board_kind == "grid" else None
        discs = game.board_kind == "columns" or signs_of in grid.PLAYERS
        second = plan.openings.plies % 2  # the player of the second discs: an odd opening swaps the first move

        def title(columns: int, rows: int, signs: Glyphs) -> list[Line]:
            marks = signs.discs if signs_of is None else grid.marks(signs)
            called = [f"{marks[at ^ second]} {name}" if discs else name for at, name in enumerate(two)]
            players = line((signs.plain(PARTED.join(called)), Ink.STRONG), (f"  {number}", Ink.QUIET))
            right = signs.plain(over or plural(len(watched.moves), "ply", "plies"))
            return [justified(players, line((right, Ink.STRONG if over else Ink.QUIET)), columns)]

        def told(columns: int, rows: int, signs: Glyphs) -> list[Line]:
            text = signs.plain(" ".join(moves))
            if self.has_class("-large"):
                text = told_moves(map(signs.plain, two), moves, plan.openings.plies)
            if len(text) > columns * rows:
                text = signs.hidden + text[-(columns * rows - 1) :]
            return [cut(row, columns, signs.hidden) for row in paragraphs([text], columns)][-rows:]

        self.fill("title", title)
        self.fill("moves", told)

    async def other(self, by: int) -> None:
        if going := self._going:
            at = next((at for at, game in enumerate(going) if self._shown and game[:2] == self._shown[:2]), -by)
            await self._turn(going[(at + by) % len(going)])
            self._say()

    ROWS: ClassVar[tuple[Command[LookingOn], ...]] = (
        Command("right,down,tab,l,j", "other(1)", "next game", "Watch the next game", lambda s: s.other(1)),
        Command("left,up,h,k", "other(-1)", "Previous game", PREVIOUS, lambda s: s.other(-1), show=False),
        Command("escape,o,backspace", "dismiss(None)", "back", "Back to the table"),
    )


def _kept_game(db: Database, tournament: int, pairing: int, number: int) -> GameInfo | None:
    """Return the game of this number; None if it is not saved yet. StoreError if later ones are, or it is damaged."""
    from nimtui.store.game_list import game, games

    newest = games(db, tournament=tournament, pairing=pairing, limit=1)
    there = (info for info in newest if info.row.number >= number)
    return next((game(db, info.id - info.row.number + number) for info in there), None)
