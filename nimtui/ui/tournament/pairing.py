"""Pages about a tournament: one pairing, with its results by seat, score over time and games; and all first moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container

from nimtui.jobs.latest_job import LatestLookup
from nimtui.ui.compare.saved_screen import Scrolled
from nimtui.ui.kit.contract.command import Command, NotNow, Possible, absent
from nimtui.ui.kit.widgets.page import APPLY, UNTYPE, Page, Typing, filtering
from nimtui.ui.kit.widgets.panel import Paint, Panel, of_line
from nimtui.ui.kit.widgets.virtual_list import VirtualList
from nimtui.ui.library.scan import kept_game
from nimtui.ui.tournament import pairing_view
from nimtui.ui.tournament.pairing_view import Course, Listing
from nimtui.ui.tournament.work import TournamentWork, as_it_is

if TYPE_CHECKING:
    from nimtui.arena.standings.standings import PairingScore
    from nimtui.jobs.tournament import Tournament
    from nimtui.store.rows import GameInfo

FILTER = "Show all games, or those lost, won, drawn, or ended by a fault"
OTHER = "Next pairing of these two: another game or order"
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
        Command("tab", "other", "other", OTHER, other, _has_others),
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
