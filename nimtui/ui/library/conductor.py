"""Holds the list of everything saved, and carries out the user's commands. Knows no widgets.

Everything here happens in the event loop. Reads happen beside it; changes are jobs, one at a time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from nimtui.errors import InputError, whole_number
from nimtui.jobs import Jobs
from nimtui.jobs.conductor import Conductor, LatestLookup, not_written
from nimtui.progress import Progress
from nimtui.report.blocks import Report
from nimtui.store import game_list, paths
from nimtui.store.database import Database
from nimtui.store.rows import GameInfo
from nimtui.ui.compare.saved import Compared
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.library import catalogue
from nimtui.ui.library.catalogue import Scanner, Undo, game_of
from nimtui.ui.library.details import Details, details, wrong
from nimtui.ui.library.shelf import Item, Key, Kind, Shelf, place_of

T = TypeVar("T")
COMMAND = "command"  # the errand of which there is one at a time
MOST_VERSIONS = 10**9


class LibraryConductor(Conductor):
    """The state of the Library. `changed` is called when there is something new to show."""

    def __init__(
        self, jobs: Jobs, database: Callable[[], Database], at_work: Callable[[], tuple[int, str, int] | None]
    ) -> None:
        """`database` opens the database at the first call, in a job; `at_work` returns the tournament that this app
        plays, if any: its number, its present state ('running', 'paused', 'stopping') and the games played.
        """
        super().__init__(jobs)
        self._database, self._at_work = database, at_work
        self.looked = False  # whether the first look has returned
        self.marks: tuple[Key, ...] = ()  # to compare; only tournaments can be more than one
        self.shelf = Shelf()
        self.shown: list[Item] = []  # the items to show, in order
        self.at = 0  # the place of the cursor among them
        self._looker = Scanner()
        self._known: dict[tuple[object, ...], Details] = {}
        self._undos: list[tuple[Key, Undo]] = []
        self._wanted: Key | None = None  # where the cursor goes after the next look
        self._back: Key | None = None  # a restored item, to report after the next look
        self._looking: LatestLookup[tuple[Item, ...]] = LatestLookup()
        self._reading: LatestLookup[Details] = LatestLookup()
        self._naming: LatestLookup[Item] = LatestLookup()

    # State.

    @property
    def item(self) -> Item | None:
        return self.shown[self.at] if self.at < len(self.shown) else None

    @property
    def details(self) -> Details | None:
        """Return the details of the item under the cursor; None until they are read."""
        item = self.item
        return None if item is None else self._known.get(_as_read(item))

    @property
    def busy(self) -> bool:
        return self.on_errand(COMMAND)

    # Looking.

    def look(self) -> None:
        """Read the list of items. The first look removes for good what was deleted a month ago."""
        first = not self.looked

        def work() -> tuple[Item, ...]:
            if first:
                with contextlib.suppress(InputError):  # the look reports it
                    catalogue.purge(self._database)
            return self._looker.look(self._database)

        self._looking.look(work, self._found)

    def find(self, key: Key) -> None:
        """Read the list again, all kinds of it, and go to this item."""
        self._wanted, self.shelf = key, self.shelf.of_kind(0).filtered("")
        self.look()

    def _found(self, items: tuple[Item, ...] | None, fault: str) -> None:
        self.looked = True
        if items is not None:
            self._put(self.shelf.with_items(map(self._as_it_is, items), self._looker.unlisted))
            back, self._back = self._back, None
            for item in items:
                if item.key == back:
                    unseen = "" if item.key in [one.key for one in self.shown] else ", but the filter hides it"
                    self.message = f"Restored {item.called}{unseen}"
            if self._looker.faults:
                self.message = self._looker.faults[0]
            self._find_named()
        else:
            self.message = f"Cannot read the Library: {fault}"
        self.changed()

    def _as_it_is(self, item: Item) -> Item:
        """Return the item in its present state: the saved row may lag behind the tournament that this app plays."""
        number, state, played = self._at_work() or (None, "", 0)
        return replace(item, state=state, size=played) if item.key == (Kind.TOURNAMENT, number) else item

    def _put(self, shelf: Shelf) -> None:
        """Show the shelf this way; the cursor stays on its item."""
        wanted, self._wanted = self._wanted, None
        key = wanted or (self.item.key if self.item is not None else None)
        self.shelf, self.shown = shelf, shelf.shown
        self.at = place_of(self.shown, key, self.at)

    def turn(self, shelf: Shelf) -> None:
        """Change the view: kind, filter or order."""
        sorting = shelf.sort != self.shelf.sort
        self._put(shelf)
        if sorting:
            self.at = 0
        self.message = ""
        self._find_named()
        self.changed()

    def _find_named(self) -> None:
        """Look up the game whose ID is the filter: the list has no games of tournaments."""
        words, id = self.shelf.words, self.shelf.game_id
        if not id:
            self._naming.cancel()
            return

        def done(found: Item | None, fault: str) -> None:
            if found is not None and self.shelf.words == words:
                self._put(replace(self.shelf, named=found))
                self.changed()

        self._naming.look(lambda: game_of(id, self._database), done)

    def go(self, place: int) -> None:
        """Move the cursor to this place of the list, at most to its end."""
        self.at = max(0, min(len(self.shown) - 1, place))
        self.say("")

    def read(self) -> None:
        """Read the details of the item under the cursor."""
        item = self.item
        if item is None or self.details is not None:
            return

        def done(found: Details | None, fault: str) -> None:
            self._known[_as_read(item)] = found if found is not None else Details(Report([wrong(fault)]))
            self.changed()

        self._reading.look(lambda: details(item, self._database), done)

    # Commands.

    def _do(
        self,
        name: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object],
        wrong: str | Callable[[str], str],
    ) -> None:
        """Run one command at a time: call `done` with its result, or show `wrong` and the reason, or what it makes of
        the reason.
        """
        if self.busy:
            self.say("Wait: the last command is still running")
            return

        def failed(why: str) -> None:
            if callable(wrong):
                self.message = wrong(why)
            else:
                self.message = f"{wrong}: {(why or 'stopped').replace(f'{paths.home()}{os.sep}', '')}"

        self.errand(name, work, done, failed, key=COMMAND)

    def delete(self) -> None:
        """Delete the item under the cursor, until it is restored."""
        item = self.item
        if item is None:
            return

        def done(undo: Undo) -> None:
            self._undos.append((item.key, undo))
            self.message = f"Deleted {item.called}: u restores it"
            self.marks = tuple(key for key in self.marks if key != item.key)
            self._put(self.shelf.with_items(one for one in self.shelf.items if one.key != item.key))

        self._do("deleting", lambda _: catalogue.delete(item, self._database), done, "Not deleted")

    def undo(self) -> None:
        """Restore what was deleted last, here or by another nimtui."""

        def work(progress: Progress) -> Key | None:
            if self._undos:
                key, back = self._undos[-1]
                back(self._database)
                self._undos.pop()
                return key
            return catalogue.bring_back(self._database)

        def done(key: Key | None) -> None:
            self._wanted = self._back = key
            self.message = "Restored" if key is not None else "Nothing to restore"
            self.look()

        self._do("restoring", work, done, "Not restored")

    def rename(self, name: str) -> None:
        """Rename the item under the cursor."""
        item = self.item
        if item is None:
            return

        def done(place: Path | int) -> None:
            self._wanted = replace(item, place=place).key
            self._known.pop(_as_read(item), None)
            named = place.name if isinstance(place, Path) else name.strip()
            self.message = f'Renamed to "{named}"' if named else "The name is removed"
            self.look()

        self._do("renaming", lambda _: catalogue.rename(item, name, self._database), done, "Not renamed")

    def export(self, path: Path) -> None:
        """Write the item under the cursor to a new file."""
        item = self.item
        if item is None:
            return
        self.say(f"Writing {path.name} …")
        work = partial(catalogue.write, item, path, self._database)
        self._do("export", work, lambda written: self.say(f"Written to {written}"), partial(not_written, path))

    def import_games(self, path: Path) -> None:
        """Import the games and tournaments of a text file."""

        def done(said: str) -> None:
            self.message = said
            self.look()

        self._do("import", partial(catalogue.import_games, path, self._database), done, "Nothing imported")

    def mark(self) -> None:
        """Mark the item under the cursor for a comparison, or unmark it. Several tournaments can be marked."""
        item = self.item
        if item is None:
            return
        if item.key in self.marks:
            self.marks = tuple(key for key in self.marks if key != item.key)
        else:
            together = {kind for kind, _ in (*self.marks, item.key)} == {Kind.TOURNAMENT}
            self.marks = (*self.marks, item.key) if together else (item.key,)
        number, press = len(self.marks), key_of("library.compare", "c")
        what = "compare them" if number == 2 else "rate them together"
        many = f"{number} tournaments marked. Press {press} to {what}" if number else ""
        self.say(f"Marked. Go to another item and press {press} to compare" if number == 1 else many)

    @property
    def versions(self) -> str:
        """What `c` compares by itself: the base and the newest version of the taught table under the cursor, as '0 3'.

        '' if the item has no versions, or if another item is marked.
        """
        item = self.item
        if item is None or not item.lessons or any(key != item.key for key in self.marks):
            return ""
        return f"0 {item.lessons}"

    def compare(self, show: Callable[[Compared | Report], object]) -> None:
        """Compare the only marked item with the one under the cursor, or all marked ones."""
        marked, item = [one for one in self.shelf.items if one.key in self.marks], self.item
        self._compare([*marked, item] if len(marked) == 1 and item is not None else marked, show)

    def compare_versions(self, text: str, show: Callable[[Compared | Report], object]) -> None:
        """Compare two versions of the taught table under the cursor: '0 3'. Raises InputError for any other text."""
        item = self.item
        if item is None:
            return
        numbers = [whole_number(part, "a version", 0, MOST_VERSIONS) for part in text.replace(",", " ").split()]
        if len(numbers) != 2:
            raise InputError("enter two versions, for example 0 1")
        self._compare([replace(item, version=number) for number in numbers], show)

    def _compare(self, chosen: list[Item], show: Callable[[Compared | Report], object]) -> None:
        if len(chosen) < 2:
            mark, press = key_of("library.mark", "space"), key_of("library.compare", "c")
            self.say(f"Mark an item with {mark}, then press {press} on another")
            return
        if len(chosen) == 2 and (fault := catalogue.why_not(*chosen)):
            self.say(fault)
            return

        def done(found: Compared | Report) -> None:
            self.message = ""
            show(found)

        self.say("Comparing …")
        self._do("comparing", partial(catalogue.compare, chosen, self._database), done, "Not compared")

    def fetch(self, number: int, show: Callable[[GameInfo], object]) -> None:
        """Read a saved game, to show it."""
        self._do("reading a game", lambda _: game_list.game(self._database(), number), show, "Cannot show the game")

    def leave(self) -> None:
        """Forget the screen, which is closed for good."""
        self._looking.cancel()
        self._reading.cancel()


def _as_read(item: Item) -> tuple[object, ...]:
    """Return the fields that tell whether details read earlier still hold."""
    return item.key, item.when, item.size, item.state
