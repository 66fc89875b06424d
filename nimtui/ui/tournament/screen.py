"""The Tournament screen: live standings and crosstable, and the marked cell in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from nimtui.arena.play.plan import CLASS, Plan
from nimtui.arena.standings.standings import Standings
from nimtui.arena.standings.standings_report import openings
from nimtui.jobs.conductor import LatestLookup
from nimtui.jobs.live_games import LiveGame
from nimtui.jobs.work import RESUMABLE, State
from nimtui.report.copies import Copy, command
from nimtui.store.rows import GameInfo
from nimtui.store.run_files import RunFile
from nimtui.ui.kit.contract.command import CELLS, Command, NotNow, Possible, absent
from nimtui.ui.kit.forms.choices import Choices
from nimtui.ui.kit.forms.dialogs import Confirm
from nimtui.ui.kit.widgets.panel import Paint, Panel, entitle, of_line
from nimtui.ui.kit.work_screen import WorkScreen, during, export_row, new_row, work_rows
from nimtui.ui.tournament import crosstable, pairing_view
from nimtui.ui.tournament import view as tournament_view
from nimtui.ui.tournament.crosstable import PAID_SORTS, SORTS, Place, Table, of_table
from nimtui.ui.tournament.draft import TournamentDraft
from nimtui.ui.tournament.pairing_view import Course
from nimtui.ui.tournament.setup import OWN, TournamentSetup
from nimtui.ui.tournament.work import TournamentWork

AGAIN = 2.0  # seconds between two reads of one pairing while its games are played
LATEST = 60  # games to list at most


class Read(NamedTuple):
    """What was read of a pairing; nothing yet by default."""

    course: Course | None = None  # of all games of the two
    wanted: int = 0  # games of the two that there will be
    latest: tuple[LiveGame, int] | None = None  # the game and its result for the first entrant; None: no game is saved
    games: Sequence[GameInfo] = ()  # the latest ones of its first pairing, the newest first


class Marked:
    """What is known of the marked pairing. `changed` is called when there is news."""

    def __init__(self, conductor: TournamentWork, changed: Callable[[], None]) -> None:
        self._conductor, self._changed = conductor, changed
        self._read = Read()
        self._of: tuple[object, ...] = ()  # the tournament, pairing, side and games of the last read
        self._when = 0.0
        self._reading: LatestLookup[Read] = LatestLookup()

    def forget(self) -> None:
        """Drop what was read and what is being read."""
        self._reading.cancel()
        self._read, self._of = Read(), ()

    def look(self, cursor: tuple[int, int]) -> Read:
        """Return what is known of the pairing of these two entrants (row, column); read it if there is news."""
        tournament = self._conductor.task
        both = pairing_view.pairings_of(tournament.plan, cursor) if tournament is not None else []
        if tournament is None or not both:
            self.forget()
            return self._read
        plan, number, listing = tournament.plan, tournament.number, both[0]
        scores = [tournament.view.scores[each.pairing] for each in both]
        of = (plan, number, listing, sum(score.played for score in scores))
        same = self._of[:3] == of[:3]
        if not same:
            self._read = Read()
        going = self._conductor.state.runs
        if of != self._of and not (same and (self._reading.running or (going and monotonic() - self._when < AGAIN))):
            self._of, self._when = of, monotonic()
            database = self._conductor.database

            def work() -> Read:
                course = pairing_view.course(plan, *((tournament.results(each.pairing), each.side) for each in both))
                games = [] if number is None else pairing_view.read(database(), number, listing, most=LATEST)
                live = [LiveGame(listing.pairing, info.row.number, tuple(info.codes)) for info in games[:1]]
                latest = (live[0], games[0].row.result) if live else None
                return Read(course, sum(score.wanted for score in scores), latest, games)

            self._reading.look(work, self._done)
        return self._read

    def _done(self, found: Read | None, fault: str) -> None:
        self._read = found or Read()
        self._changed()


WORKING = tuple(state for state in State if state not in (State.READY, State.FINISHED))
CELLS_SHOW, OTHERS = "Show both seats, the row moving first, or LOS", "Close this tournament and choose another"
CORES = "Change the number of processes"
FIRST_MOVES = "How often each first move was played and won"
PACE = 2  # ticks between two updates of the table, the costliest part on the wire
AROUND, BELOW = 5, 6  # lines without table: header, title, progress, message, footer; and below it
LARGE, FRAME = 17, 2  # lines below it where the curve has a box; lines of a frame


class TournamentScreen(WorkScreen[TournamentWork], place="tournament"):
    """Forwards the user's commands to the conductor, which belongs to the app."""

    BESIDE = (Choices,)
    CONDUCTOR, ASKS = TournamentWork, False
    ABOVE: ClassVar = {
        "title": lambda s: tournament_view.title(s.conductor),
        "progress": lambda s: tournament_view.progress(s.conductor),
    }
    BELOW: ClassVar = {"said": lambda s: tournament_view.said(s.conductor)}
    BINDING_GROUP_TITLE = "Tournament"
    AUTO_FOCUS = ""  # the list of offers has the focus while it is shown, else nothing
    HELP = """Agents play each other. The table says who is stronger, and how sure that is.

score: points in per cent of the games; a win counts 1, a draw 1/2. The rule at the end of the bar is its 95 % \
interval: 95 % of such intervals hold the true value.

Elo: the strength that explains all results best, with its 95 % interval. 0 is the mean of the agents. ≥ is the bound \
of an agent that won every game, ≤ of one that lost every game. ?: unknown so far.

mistakes: an agent can make a mistake in every won or drawn position. The rate is the share where it did. On large \
Connect Four boards only the first 40 games of each pairing are judged.

The cells at the right show the row's share of the points against the column. v shows only the games that the row \
started, then the LOS of the row: the likelihood, by the games of the two, that the row is the stronger agent. \
Where games end with a number, the mean payoff takes the place of Elo, and there is no LOS. \
Enter lists the games of the marked cell.

A large terminal also shows the score of the marked cell by games played, with its 95 % interval, and a game: one that \
is being played, or the latest of the cell.

Moving first: what the first move is worth in Elo. The ratings allow for it.

Every finished game is saved at once. Stop or close at any time, and resume later with r. The result does not depend \
on the number of workers."""
    SPARE: ClassVar = ("first_moves", "workers", "export", "sort", "new")  # in the footer

    def __init__(self) -> None:
        super().__init__()
        self._place = Place()
        self._plan: Plan | None = None  # of `_place`
        self._watched: tuple[LiveGame, None] | None = None  # the last game in progress, shown until the next one
        self._marked = Marked(self.conductor, self.draw)
        self._drafts: dict[TournamentSetup, TournamentDraft] = {}  # unfinished forms, by their initial set-up

    def parts(self) -> ComposeResult:
        with Vertical(id="empty", classes="box") as offers:
            entitle(offers, "Choose a tournament")
            yield Static(tournament_view.ABOUT, id="intro", markup=False)
            yield Choices()
        yield Panel(id="table", classes="box -focus")
        with Horizontal(id="below"):
            with Container(id="pair"):
                with Vertical(id="curves"):
                    yield Panel(id="curve", classes="box").headed(pairing_view.CURVE_OF_TWO)
                    yield Panel(id="seats", classes="box").headed(pairing_view.SEATS)
                with Vertical(id="told"):
                    yield Panel(id="words", classes="box")
                    yield Panel(id="games", classes="box").headed("Their latest games")
            yield Panel(id="playing", classes="box")

    def on_mount(self) -> None:
        self.conductor.look_for_unfinished()
        self.draw()

    def start(self, answer: TournamentSetup | int | RunFile | None) -> None:
        """Start this tournament, or show the saved one of this number. Asks first if another one would stop."""
        conductor = self.conductor
        if answer is None:
            return
        if answer == conductor.number:
            conductor.show(conductor.number)
            return

        def go() -> None:
            conductor.show(answer) if isinstance(answer, int) else self.begin(answer)
            self.shell.close_all()  # screens of the previous tournament

        question = "Open the other one?" if isinstance(answer, int | RunFile) else "Start the new one?"
        self._ask_first(conductor.in_the_way, question, go)

    def _ask_first(self, why: str, question: str, do: Callable[[], None]) -> None:
        """Do this; if something speaks against it, ask first."""
        if why:
            self.app.push_screen(Confirm(why, question), lambda sure: do() if sure else None)
        else:
            do()

    # Showing.

    def tick(self) -> None:
        self.conductor.rating.pace = PACE * self.shell.tick
        super().tick()

    def draw(self) -> None:
        """Draw the whole screen, or offer what can be started or resumed."""
        if self.there:
            empty = self.conductor.task is None
            self.set_class(empty, "-empty")
            if empty:
                self._offer()
            elif self.focused is not None:
                self.set_focus(None)
            super().draw()

    def panels(self) -> Iterator[tuple[str, Paint]]:
        conductor, standings, framed = self.conductor, self.conductor.standings, self.has_class("-framed")
        if self._plan != conductor.plan:
            paid = conductor.plan is not None and conductor.plan.pays
            self._place, self._watched = Place(sort=(PAID_SORTS if paid else SORTS)[0]), None
            self.remove_class("-watched")
        self._plan = conductor.plan
        if playing := conductor.view.playing if conductor.view is not None else ():
            self.add_class("-watched")  # keep room for a game from now on
            self._watched = playing[0], None
        if standings is None:
            yield from ((name, of_line("")) for name in ("table", "words"))
            read = Read()
        else:
            yield from self._table(standings, framed)
            read = self._marked.look(self._place.cursor) if framed else Read()
        if framed and conductor.view is not None:
            plan = conductor.view.plan
            both = pairing_view.pairings_of(plan, self._place.cursor)
            who, own = (pairing_view.seated(plan, both), pairing_view.names(plan, both[0])[0]) if both else ("", "")
            self.query_one("#curve", Panel).headed(f"{pairing_view.CURVE_OF_TWO}: {who}".removesuffix(": "))
            yield "curve", pairing_view.curve(read.course, read.wanted)
            yield "seats", pairing_view.by_seat(read.course, read.wanted, own)
            yield "games", pairing_view.latest(plan, both, read.games)
        latest = self._watched if conductor.state.runs else read.latest
        yield "playing", tournament_view.playing(conductor, latest, self.has_class("-large"))

    def _table(self, standings: Standings, framed: bool) -> Iterator[tuple[str, Paint]]:
        """Return the table, as high as its rows, and the marked cell in words."""
        going = self.conductor.state is not State.FINISHED
        place = replace(self._place, picked=self._place.picked and going)
        table, rows = self.query_one("#table", Panel), Table.of(standings, place)
        self._place = replace(rows.place, picked=going)
        below = LARGE if self.has_class("-large") else BELOW
        table.styles.height = min(len(standings.rows) + 1 + FRAME * framed, max(2, self.size.height - AROUND - below))
        table.headed(f"Standings · crosstable: {tournament_view.legend(standings, self._place)}")
        yield "table", partial(crosstable.paint, rows)
        columns = table.size.width or self.size.width
        unseen = not crosstable.shape(rows, columns, table.size.height, self.shell.glyphs)[1].shows("mistakes")
        yield "words", tournament_view.meaning(self.conductor, standings, self._place, unseen, framed)

    def _offer(self) -> None:
        """Offer what can be started or resumed."""
        choices = self.query_one(Choices)
        offered = tournament_view.offers(self.conductor.unfinished, self.conductor.ended)
        if list(choices.choices) != offered:
            choices.show(offered, offered[0].value)
        if self.focused is not choices and self.is_current:
            choices.focus()

    # Actions.

    def copies(self) -> list[Copy]:
        conductor, signs = self.conductor, self.shell.glyphs
        standings, plan = conductor.standings, conductor.plan
        copies = [] if standings is None else [of_table(Table.of(standings, self._place), signs)]
        if plan is not None:
            copies.append(TournamentSetup.of(plan).command)
        if plan is not None and conductor.number is not None:
            copies.append(Copy("report", command("tournaments", "show", conductor.number).text))
        return copies

    @property
    def _met(self) -> bool:
        """Return whether the two agents of the marked cell play each other."""
        plan = self.conductor.plan
        return plan is not None and bool(pairing_view.pairings_of(plan, self._place.cursor))

    def leave_tournament(self) -> None:
        self._ask_first(self.conductor.lost_by_leaving, "Leave it?", self.conductor.leave)

    def _look_at(self, place: Place) -> None:
        """Show the table with this cursor, this order, this meaning of its cells."""
        self._place = place
        self.draw()

    def turn_sort(self, sort: str = "") -> None:
        """Sort by this, or by what comes next."""
        place = replace(self._place, sort=sort) if sort else self._place.next_sort(self._paid)
        self.conductor.message = f"Sorted by {place.sort}"
        self._look_at(place)

    def move(self, down: int, across: int) -> None:
        if (standings := self.conductor.standings) is not None:
            self._look_at(self._place.moved(Table.of(standings, self._place).order, down, across))

    def on_canvas_clicked(self, message: Panel.Clicked) -> None:
        """Mark the clicked row or column, or sort; a click on the marked cell opens it."""
        heads, (marked_row, marked) = isinstance(message.target, str), self._place.cursor
        row, key = (marked_row, message.target) if heads else message.target
        cell = row, int(key) if key.isdecimal() else marked
        if heads and not key.isdecimal():
            self.turn_sort(key)
        elif cell == self._place.cursor:
            self.open_pairing()
        else:
            self._look_at(self._place.at(cell))

    def ask(self) -> None:
        from nimtui.ui.tournament.form import TournamentForm

        plan, marked = self.conductor.plan, self.query_one(Choices).marked
        _, ready = tournament_view.taken(tournament_view.FORM if marked is None else marked.value)
        begin = ready if isinstance(ready, TournamentSetup) else OWN
        if plan is not None:
            begin = TournamentSetup.of(plan, self.conductor.workers)
        form = TournamentForm(begin, self._drafts.get(begin))

        def answered(setup: TournamentSetup | None) -> None:
            self._drafts[begin] = form.draft  # keep the typed texts
            if setup is not None and begin is not OWN:
                del self._drafts[begin]
            self.start(setup)

        self.app.push_screen(form, answered)

    @property
    def exports(self) -> Mapping[str, str] | None:
        from nimtui.ui.library.catalogue import suggested

        return None if self.conductor.item is None else suggested(self.conductor.item)

    def open_pairing(self) -> None:
        from nimtui.ui.tournament.pages import PairingScreen

        if self._met:
            self.app.push_screen(PairingScreen(self.conductor, self._place.cursor))

    def show_first_moves(self) -> None:
        from nimtui.ui.tournament.pages import FirstMoves

        if (view := self.conductor.view) is not None:
            self.app.push_screen(FirstMoves(openings(view.plan, view.scores)))

    def show_marks(self) -> None:
        from nimtui.jobs import classes
        from nimtui.ui.tournament.pages import Marks

        conductor = self.conductor
        if (task := conductor.task) is not None:
            conductor.errand(
                "marks",
                lambda progress: classes.report_of(conductor.database(), task),
                lambda report: self.app.push_screen(Marks(report)),
                "No marks",
            )

    def _can_show_marks(self) -> Possible:
        plan = self.conductor.plan
        return plan is not None and plan.pairs == CLASS and self.conductor.number is not None

    def look_on(self) -> None:
        from nimtui.ui.tournament.pages import LookingOn

        self.app.push_screen(LookingOn(self.conductor))

    def on_choices_taken(self, message: Choices.Taken) -> None:
        kind, taken = tournament_view.taken(message.choice.value)
        if taken is None:
            self.ask()
        elif kind == tournament_view.KEPT and isinstance(taken, int):
            self.conductor.resume(taken)
        else:
            self.start(taken)

    # Commands.

    def has_cells(self) -> Possible:
        return self.conductor.standings is not None or absent("No tournament is shown yet")

    @property
    def _paid(self) -> bool:
        return self.conductor.standings is not None and self.conductor.standings.paid

    def _resume(self) -> None:
        (self.work.go_on if self.work.task else self.work.resume)()

    def _can_resume(self) -> bool:
        conductor = self.conductor
        waiting = conductor.state is State.READY and bool(conductor.unfinished)
        return waiting or conductor.state.rests

    def _can_open(self) -> Possible:
        return self.has_cells() and (self._met or NotNow("These two do not play each other"))

    def _can_look_on(self) -> Possible:
        view = self.conductor.view
        playing = view is not None and bool(view.playing)
        return self.conductor.state.runs and (playing or NotNow("No game is being played just now"))

    ROWS: ClassVar[tuple[Command[TournamentScreen], ...]] = (
        *work_rows("tournament", "Stop; every finished game is saved", State.PAUSED),
        Command("r", "resume", "resume", "Resume a stopped tournament", _resume, _can_resume),
        Command("enter", "pairing", "games", "List the games of the marked cell", open_pairing, _can_open),
        Command("v", "share", "cells", CELLS_SHOW, lambda s: s._look_at(s._place.next_share(s._paid)), has_cells),
        Command("tab", "share", "cells", CELLS_SHOW, show=False),
        Command("s", "sort", "sort", "Sort by score, Elo or payoff, points, mistakes or name", turn_sort, has_cells),
        Command("o", "look_on", "watch", "Watch a game that is being played", look_on, _can_look_on),
        Command("m", "first_moves", "first moves", FIRST_MOVES, show_first_moves, has_cells),
        Command("g", "marks", "marks", "Show the marks of a class", show_marks, _can_show_marks),
        new_row("tournament", "n,N"),
        export_row("Write results or games to a file", has_cells),
        Command("w", "workers", "workers", CORES, lambda s: s.work.change_workers(), during(*WORKING)),
        Command("escape", "offers", "others", OTHERS, leave_tournament, during(*RESUMABLE, State.FINISHED)),
        *CELLS,
    )
