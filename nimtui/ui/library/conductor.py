"""Keeps the list of all that is kept, and does what is asked with it. Knows no widgets.

Everything here happens in the event loop. What is only read is read beside it; what is done is a job, one at a time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.store import paths
from nimtui.ui.kit.latest_job import LatestJob
from nimtui.ui.kit.latest_lookup import LatestLookup
from nimtui.ui.library.actions import Undo
from nimtui.ui.library.compare import Compared, why_not
from nimtui.ui.library.details import Details
from nimtui.ui.library.scan import Scanner, games_text
from nimtui.ui.library.shelf import Item, Key, Kind, Shelf, place_of

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.tournaments import GameInfo


class AtWork(NamedTuple):
    """The tournament that this app plays, as it is now."""

    number: int
    state: str  # 'running', 'paused', 'stopping'
    played: int


class LibraryConductor:
    """`changed` is called whenever there is something new to show, `compared` with a comparison that was asked for."""

    def __init__(
        self,
        jobs: Jobs,
        database: Callable[[], Database],
        changed: Callable[[], None],
        at_work: Callable[[], AtWork | None] = lambda: None,
    ) -> None:
        """`database` opens it when it is first asked for, in a job."""
        self._jobs, self._database, self._changed, self._at_work = jobs, database, changed, at_work
        self.message = ""
        self.looked = False  # has the first look come back?
        self.marked: Key | None = None  # to be compared with another
        self._shelf = Shelf()
        self._shown: list[Item] = []
        self._at = 0
        self._looker = Scanner()
        self._known: dict[tuple[object, ...], Details] = {}
        self._undos: list[Undo] = []
        self._wanted: Key | None = None  # to be gone to when the next look comes back
        self._back: Key | None = None  # it was brought back, which is said then
        self._looking: LatestLookup[tuple[Item, ...]] = LatestLookup()
        self._reading: LatestLookup[Details] = LatestLookup()
        self._doing: LatestJob[object] = LatestJob()

    # What there is to see.

    @property
    def shelf(self) -> Shelf:
        return self._shelf

    @property
    def shown(self) -> list[Item]:
        """What is looked for, in order."""
        return self._shown

    @property
    def at(self) -> int:
        """Where the cursor is among these."""
        return self._at

    @property
    def item(self) -> Item | None:
        return self._shown[self._at] if self._at < len(self._shown) else None

    @property
    def details(self) -> Details | None:
        """Of the thing under the cursor; None while they are not read."""
        item = self.item
        return None if item is None else self._known.get(_as_read(item))

    @property
    def busy(self) -> bool:
        return self._doing.running

    # Looking.

    def look(self) -> None:
        """See what there is now. What was deleted a month ago is taken away for good with the first look."""
        first = not self.looked

        def work() -> tuple[Item, ...]:
            from nimtui.ui.library.actions import purge

            if first:
                with contextlib.suppress(InputError):  # the look says so
                    purge(self._database)
            return self._looker.look(self._database)

        self._looking.start(work, self._found)

    def _found(self, items: tuple[Item, ...] | None, fault: str) -> None:
        self.looked = True
        if items is not None:
            self._put(self._shelf.with_items(map(self._as_it_is, items)))
            back, self._back = self._back, None
            for item in items:
                if item.key == back:
                    unseen = "" if item.key in [one.key for one in self._shown] else ", but not among what is shown"
                    self.message = f"{item.called} is back{unseen}"
            if self._looker.faults:
                self.message = self._looker.faults[0]
        else:
            self.message = f"What is kept cannot be read: {fault}"
        self._changed()

    def _as_it_is(self, item: Item) -> Item:
        """What is kept may lag behind what this app plays."""
        now = self._at_work()
        if now is None or item.key != (Kind.TOURNAMENT, now.number):
            return item
        return replace(item, state=now.state, size=now.played, measure=games_text(now.played))

    def _put(self, shelf: Shelf) -> None:
        """Look at the shelf in this way; the cursor stays on its thing."""
        wanted, self._wanted = self._wanted, None
        key = wanted or (self.item.key if self.item is not None else None)
        self._shelf, self._shown = shelf, shelf.shown
        self._at = place_of(self._shown, key, self._at)

    def turn(self, shelf: Shelf) -> None:
        """Look at it in another way: other kinds, other words, another order."""
        sorting = shelf.sort != self._shelf.sort
        self._put(shelf)
        if sorting:
            self._at = 0
        self.message = ""
        self._changed()

    def go(self, place: int) -> None:
        """To this place of the list, or its end."""
        self._at = max(0, min(len(self._shown) - 1, place))
        self.message = ""
        self._changed()

    def read(self) -> None:
        """Read what there is to say of the thing under the cursor."""
        item = self.item
        if item is None or self.details is not None:
            return

        def work() -> Details:
            from nimtui.ui.library.details import details

            return details(item, self._database)

        def done(found: Details | None, fault: str) -> None:
            self._known[_as_read(item)] = found if found is not None else Details((), (), fault)
            self._changed()

        self._reading.start(work, done)

    # Doing.

    def _do(self, name: str, work: Callable[[Progress], object], done: Callable[[object], None], wrong: str) -> None:
        """One thing at a time: `done` with what came out, or `wrong` and why it did not."""
        if self._doing.running:
            self.message = "One thing at a time: it is still at the last"
            self._changed()
            return

        def ended(job: Job[object]) -> None:
            if job.state is JobState.DONE:
                done(job.result)
            else:
                self.message = f"{wrong}: {(job.error_text or 'stopped').replace(f'{paths.home()}{os.sep}', '')}"
            self._changed()

        self._doing.start(self._jobs, name, work, ended)

    def delete(self) -> None:
        """Delete the thing under the cursor, until it is undone."""
        item = self.item
        if item is None:
            return

        def work(progress: Progress) -> Undo:
            from nimtui.ui.library.actions import delete

            return delete(item, self._database)

        def done(undo: object) -> None:
            assert isinstance(undo, Undo)
            self._undos.append(undo)
            self.message = f"{item.called} is deleted: u brings it back"
            self.marked = None if self.marked == item.key else self.marked
            self._put(self._shelf.with_items(one for one in self._shelf.items if one.key != item.key))

        self._do("deleting", work, done, "It is not deleted")

    def undo(self) -> None:
        """Bring back what was deleted last: here, or else by anybody."""

        def work(progress: Progress) -> Key | None:
            from nimtui.ui.library.actions import bring_back

            if self._undos:
                self._undos[-1].back(self._database)
                return self._undos.pop().item.key
            return bring_back(self._database)

        def done(key: object) -> None:
            self._wanted = self._back = key  # type: ignore[assignment]  # what `work` returned
            self.message = "It is back" if key is not None else "There is nothing to bring back"
            self.look()

        self._do("bringing back", work, done, "It does not come back")

    def rename(self, name: str) -> None:
        """Call the thing under the cursor so."""
        item = self.item
        if item is None:
            return

        def work(progress: Progress) -> Path | int:
            from nimtui.ui.library.actions import rename

            return rename(item, name, self._database)

        def done(place: object) -> None:
            assert isinstance(place, Path | int)
            self._wanted = replace(item, place=place).key
            self._known.pop(_as_read(item), None)
            self.message = f"It is called {place.name}" if isinstance(place, Path) else "It has its new name"
            self.look()

        self._do("renaming", work, done, "It keeps its name")

    def export(self, path: Path) -> None:
        """Write the thing under the cursor to a new file."""
        item = self.item
        if item is None:
            return

        def work(progress: Progress) -> Path:
            from nimtui.ui.library.actions import write

            return write(item, path, self._database, progress)

        def done(written: object) -> None:
            self.message = f"Written to {path}"

        self.message = f"Writing {path.name}"
        self._changed()
        self._do("export", work, done, "It is not written")

    def mark(self) -> None:
        """Mark the thing under the cursor for a comparison, or no more."""
        item = self.item
        if item is not None:
            self.marked = None if self.marked == item.key else item.key
            self.message = "Go to another one: c compares it with this" if self.marked else ""
            self._changed()

    def compare(self, show: Callable[[Compared], object]) -> None:
        """Compare the marked thing with the one under the cursor."""
        item = self.item
        marked = next((one for one in self._shelf.items if one.key == self.marked), None)
        if item is None or marked is None:
            self.message = "Mark one with space, then c on the other"
            self._changed()
            return
        if fault := why_not(marked, item):
            self.message = fault
            self._changed()
            return

        def work(progress: Progress) -> Compared:
            from nimtui.ui.library.compare import compare

            return compare(marked, item, self._database, progress)

        def done(found: object) -> None:
            assert isinstance(found, Compared)
            self.message = ""
            show(found)

        self.message = "Comparing"
        self._changed()
        self._do("comparing", work, done, "They are not compared")

    def fetch(self, number: int, show: Callable[[GameInfo], object]) -> None:
        """Read a kept game, to be shown."""

        def work(progress: Progress) -> GameInfo:
            from nimtui.store.tournaments import game

            return game(self._database(), number)

        self._do("reading a game", work, lambda found: show(found), "It cannot be shown")  # type: ignore[arg-type]

    def say(self, message: str) -> None:
        self.message = message
        self._changed()

    def leave(self) -> None:
        """The screen goes away for good."""
        self._looking.forget()
        self._reading.forget()


def _as_read(item: Item) -> tuple[object, ...]:
    """By which it is known whether what was read of it still holds."""
    return item.key, item.when, item.size, item.state
