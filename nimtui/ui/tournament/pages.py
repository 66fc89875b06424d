"""Pages about a tournament: one pairing, with its results by seat, score over time and games; all first moves; and its
games on a full-size board while they are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Horizontal

from nimtui.arena.standings.ledger import NOT_PLAYED
from nimtui.games import base
from nimtui.games.notation import plural
from nimtui.jobs.conductor import LatestLookup
from nimtui.report.lines import Ink, Line, cut, justified, line, paragraphs
from nimtui.ui.board import grid, small_board
from nimtui.ui.board.board import Board, new_board
from nimtui.ui.compare.saved import Scrolled
from nimtui.ui.kit.contract.command import Command, NotNow, Possible, absent
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.page import APPLY, UNTYPE, Page, Typing, filtering
from nimtui.ui.kit.widgets.panel import Paint, Panel, entitle, of_line
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.library.catalogue import kept_game
from nimtui.ui.tournament import pairing_view
from nimtui.ui.tournament.pairing_view import Course, Listing
from nimtui.ui.tournament.view import NO_GAME, PARTED, ended, game_of, told_moves, who
from nimtui.ui.tournament.work import TournamentWork, as_it_is

if TYPE_CHECKING:
    from nimtui.arena.standings.standings import PairingScore
    from nimtui.jobs.live_games import LiveGame
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

FILTER = "Show all games, or those lost, won, drawn, or ended by a fault"
AGAIN = 2.0  # seconds between two reads while games are played
SEARCHED = 5_000  # games that are read at most to list one with the words of a filter


class OfTournament(Page[None]):
    """A page about one tournament; the app may show another one later."""

    def __init__(self, conductor: TournamentWork) -> None:
        super().__init__()
        assert conductor.task is not None
        self._conductor = conductor
        self._of = conductor.task
        self._plan = self._of.plan

    @property
    def _tournament(self) -> Tournament:
        """Return the tournament in its present state."""
        self._of = as_it_is(self._of, self._conductor.task)
        return self._of


class PairingScreen(OfTournament, Typing[None], place="pairing"):
    """Shows the saved games of a pairing; Enter replays the marked game move by move."""

    BESIDE = (VirtualList,)
    ABOVE: ClassVar = {"title": lambda s: pairing_view.title(s._plan, s._listing, len(s._pairings) - 1)}
    BELOW: ClassVar = {"typed": lambda s: of_line("")}
    BINDING_GROUP_TITLE = "Pairing"
    HELP = """The results of two agents against each other, by seat, and their games.

The curve shows the share of the points over the number of games. The dotted lines are its 95 % interval: 95 % of \
such intervals hold the true share. A large terminal also shows the games moving first and those moving second apart.

Pairs: two games from one opening with the seats swapped. The counts say how many pairs gave the first agent 0, ½, 1, \
1½ or 2 points.

Mistakes: an agent can make a mistake in every won or drawn position; the rate is the share where it did. The list \
counts the mistakes of the first agent of the title, then of the second.

/ filters the listed games by words: moves of the opening, who moved first or won, a fault, the game's number. The end \
of the list reads more games.

Enter opens the marked game on the board: step through it, play it back, or judge its moves."""

    def __init__(self, conductor: TournamentWork, cursor: tuple[int, int]) -> None:
        """Show the pairings of the two entrants `cursor` (row, column) in `conductor`'s tournament."""
        super().__init__(conductor)
        self._pairings = pairing_view.pairings_of(self._plan, cursor)
        self._listing, self._turn = self._pairings[0], 0
        self._found: list[GameInfo] | None = None
        self._listed: list[GameInfo] = []
        self._course: Course | None = None
        self._played = -1  # games at the last read
        self._when = 0.0
        self._reading: LatestLookup[tuple[list[GameInfo], Course]] = LatestLookup()
        self._more: LatestLookup[list[GameInfo]] = LatestLookup()
        self._fault = ""

    def parts(self) -> ComposeResult:
        with Container(id="middle"):
            with Container(id="above"):
                yield Panel(id="results", classes="box").headed("Results by seat")
                yield Panel(id="curve", classes="box").headed(pairing_view.CURVE)
                yield Panel(id="seats", classes="box").headed(pairing_view.SEATS)
            yield VirtualList(id="games", classes="box").headed("Games")

    def on_mount(self) -> None:
        self._read()
        self.draw()

    def on_unmount(self) -> None:
        self._reading.cancel()
        self._more.cancel()

    # Reading.

    def tick(self) -> None:
        """Read the games again from time to time while games are played."""
        busy, news = self._reading.running or self._more.running, self._score.played != self._played
        if news and not busy and monotonic() - self._when >= AGAIN:
            self._read()

    def _read(self) -> None:
        tournament, number, listing = self._tournament, self._tournament.number, self._listing
        database = self._conductor.database
        self._played, self._when = self._score.played, monotonic()

        def work() -> tuple[list[GameInfo], Course]:
            games = pairing_view.read(database(), number, listing) if number is not None else []
            return games, pairing_view.course(self._plan, (tournament.results(listing.pairing), listing.side))

        def done(result: tuple[list[GameInfo], Course] | None, fault: str) -> None:
            self._fault = fault
            if result is not None and listing.pairing == self._listing.pairing:
                games, self._course = result
                self._put(games)
            self.draw()

        self._more.cancel()
        self._reading.look(work, done)

    def _read_more(self) -> None:
        """Read the next page when the cursor reaches the end of the list."""
        number, listing, games = self._tournament.number, self._listing, self._found
        if number is None or not games or len(games) % pairing_view.PAGE or self._more.running:
            return
        database, last = self._conductor.database, games[-1].id

        def done(more: list[GameInfo] | None, fault: str) -> None:
            if more:
                self._put([*games, *more])
                self.draw()

        self._more.look(lambda: pairing_view.read(database(), number, listing, before=last), done)

    def _put(self, found: list[GameInfo]) -> None:
        """Sort these games; the marked game stays marked, unless it was the first of the list."""
        stay = self._marked.id if self._marked is not None and self._listing.at else None
        self._found, self._listed = found, pairing_view.in_order(found, self._listing)
        at = next((at for at, info in enumerate(self._listed) if info.id == stay), 0)
        self._listing = replace(self._listing, at=at)

    @property
    def _marked(self) -> GameInfo | None:
        return self._listed[self._listing.at] if self._listing.at < len(self._listed) else None

    @property
    def _score(self) -> PairingScore:
        return self._tournament.view.scores[self._listing.pairing]

    # Showing.

    def panels(self) -> Iterator[tuple[str, Paint]]:
        plan, listing, score = self._plan, self._listing, self._score
        saved, reading = self._tournament.number is not None, self._reading.running
        summary = self._fault or pairing_view.summary(self._found, listing, reading, saved)
        yield "results", pairing_view.results(plan, listing, score)
        yield "curve", pairing_view.curve(self._course, score.wanted, pairing_view.seated(plan, [listing]))
        yield "seats", pairing_view.by_seat(self._course, score.wanted, pairing_view.names(plan, listing)[0])
        games = pairing_view.listed(plan, listing, self._listed, summary, self._mark, self.replay, self.sort)
        shown = self.query_one(VirtualList)
        shown.put(games)
        if shown.words and not shown.rows.count and len(self._listed) < SEARCHED:
            self._read_more()

    # Actions.

    def narrow(self, words: str) -> None:
        super().narrow(words)
        self.draw()  # which reads further games if none of these has the words

    def _mark(self, place: int) -> None:
        self._listing = replace(self._listing, at=place)
        self.draw()
        games = self.query_one(VirtualList).rows
        if games.at >= games.count - 1:
            self._read_more()

    def sort(self, worst: bool) -> None:
        self._listing = replace(self._listing, worst=worst, at=0)
        self._put(self._found or [])
        self.draw()

    def other(self) -> None:
        self._course, self._turn = None, (self._turn + 1) % len(self._pairings)
        other = self._pairings[self._turn]
        self._again(replace(self._listing, pairing=other.pairing, side=other.side, at=0))

    def _again(self, listing: Listing) -> None:
        """Read the games of this listing."""
        self._listing, self._found, self._listed = listing, None, []
        self._read()
        self.draw()

    def replay(self) -> None:
        """Open the marked game on the Play screen."""
        from nimtui.arena.play.plan import VOID

        if (info := self._marked) is not None:
            void = sum(self._score.faults) if self._plan.fault == VOID else 0
            title = f"game {info.short}, {info.row.number + 1:,} of {self._score.wanted + void:,}"
            self.shell.show_game(kept_game(info, title))

    def _has_games(self) -> Possible:
        return bool(self._listed) or NotNow("No game is listed")

    def _has_others(self) -> Possible:
        return len(self._pairings) > 1 or absent("These two meet in one pairing only")

    ROWS: ClassVar[tuple[Command[PairingScreen], ...]] = (
        Command("enter", "show", "replay", "Replay this game move by move", replay, _has_games),
        Command("f", "results", "results", FILTER, lambda s: s._again(s._listing.next_filter()), id="filter"),
        Command("s", "sort", "sort", "Newest first, or most mistakes first", lambda s: s.sort(not s._listing.worst)),
        Command("tab", "other", "other", "Next pairing of these two: another game or order", other, _has_others),
        APPLY,
        UNTYPE,
        *filtering("games", _has_games, "words"),
        Command("escape,backspace", "dismiss(None)", "back", "Back to the table"),
    )


class Marks(Scrolled, place="marks"):
    """Shows the report of a class."""

    BINDING_GROUP_TITLE = "Marks"
    HELP = (
        "The marks of a class. Points and marks count the games against the pool alone: they do not depend on the "
        "other students. Elo counts all games.\n\nBelow the table each student has a page with the worst mistakes: "
        "nimtui class writes these pages as files."
    )
    ROWS = (Command("escape,g,backspace", "dismiss(None)", "back"),)


class FirstMoves(Scrolled, place="first-moves"):
    """Shows how often each first move was played, and what the player who made it scored."""

    BINDING_GROUP_TITLE = "First moves"
    HELP = (
        "How often each first move was played, and how these games ended for the player who made it: whoever it was.\n"
        "\nIf the tournament has openings, their first moves are counted: nobody chose them.\n\nThe same table is in "
        "the report: nimtui tournaments show prints it, and a file that ends in -openings.csv has it."
    )
    ROWS = (Command("escape,m,backspace", "dismiss(None)", "back"),)


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
