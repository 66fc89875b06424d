"""The saved items as one list: what each is, which are shown, and in what order. Pure, knows no widgets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from nimtui.foreign.values import local, strftime
from nimtui.report.values import Bytes, Named, Value
from nimtui.ui.kit.widgets.panel import fitted

Key: TypeAlias = "tuple[Kind, Path | int]"


class Kind(StrEnum):
    """The kind of an item."""

    TABLE = "table"
    RUN = "run"
    GAME = "game"
    TOURNAMENT = "tournament"
    SWEEP = "sweep"

    @property
    def many(self) -> str:
        return f"{self.value}s"


FILES = (Kind.TABLE, Kind.RUN, Kind.SWEEP)  # one file each; the others are rows of the database
KINDS: tuple[Kind | None, ...] = (None, *Kind)  # None: all kinds
SHORT = {Kind.TOURNAMENT: "tourn."}
LONGEST = 46  # letters of a title in a sentence
SORTS = ("date", "name", "size")
GAME_ID = re.compile(r"(?:game )?(\d+:\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Item:
    """One saved item."""

    kind: Kind
    place: Path | int  # its file, or its number in the database
    title: str  # what it is: 'quality · nim:7,5,3'
    name: str  # given by the user, or its file's name
    when: float  # unix time of the last change
    size: int  # bytes, moves or games
    fault: str = ""  # why it cannot be read
    game: str = ""
    state: str = ""  # of an unfinished tournament: 'running', 'paused', 'stopped'
    lessons: int = 0  # of a taught table
    given: str = ""  # the name that a person gave a game or tournament
    version: int | None = None  # of a taught table; None: the newest

    @property
    def key(self) -> Key:
        return self.kind, self.place

    @property
    def measure(self) -> Value:
        """Return its size: '1.2 MB', '13 moves', '4 games'."""
        if isinstance(self.place, Path):
            return Bytes(self.size)
        return Named(self.size, "move", "moves") if self.kind is Kind.GAME else Named(self.size, "game", "games")

    @property
    def label(self) -> str:
        """Return its kind in at most six cells."""
        return "match" if self.name.startswith("match ") else SHORT.get(self.kind, self.kind.value)

    @property
    def called(self) -> str:
        """Return it in a sentence: 'table quality · tower:16 · 5M', 'tournament 3, 4 agents · tower:16'."""
        text = f"{self.kind} {self.title}" if isinstance(self.place, Path) else f"{self.name}, {self.title}"
        return fitted(text, LONGEST, "…").rstrip()

    @property
    def text(self) -> str:
        """Return the text that a filter searches."""
        return f"{self.kind} {self.title} {self.name} {self.state}".lower()


@dataclass(frozen=True)
class Shelf:
    """All items, and the view of them."""

    items: tuple[Item, ...] = ()
    unlisted: int = 0  # older single games, which are only counted
    kind: Kind | None = None  # show only this kind
    words: str = ""  # show only items with all of these words
    sort: str = SORTS[0]
    named: Item | None = None  # the game whose ID is the filter; games of tournaments are listed only so

    @property
    def shown(self) -> list[Item]:
        """Return the items to show: newest first, in order of names, or largest first."""
        wanted = self.words.lower().split()
        items = [
            item for item in self.items if self.kind in (None, item.kind) and all(word in item.text for word in wanted)
        ]
        named = self.named if self.kind in (None, Kind.GAME) else None
        if named is not None and named.key not in {item.key for item in items}:
            items.append(named)
        if self.sort == "name":
            return sorted(items, key=lambda item: (item.title.lower(), item.name.lower(), -item.when))
        if self.sort == "size":  # bytes, moves and games cannot be compared
            return sorted(items, key=lambda item: (list(Kind).index(item.kind), -item.size, -item.when))
        return sorted(items, key=lambda item: -item.when)

    def count(self, kind: Kind | None) -> int:
        """Return how many items of a kind there are, shown or not."""
        older = self.unlisted if kind in (None, Kind.GAME) else 0
        return older + sum(kind in (None, item.kind) for item in self.items)

    def with_items(self, items: Iterable[Item], unlisted: int | None = None) -> Shelf:
        """Return the shelf with these items instead, and with so many older games [default: as many as before]."""
        return replace(self, items=tuple(items), unlisted=self.unlisted if unlisted is None else unlisted)

    def of_kind(self, number: int) -> Shelf:
        """Show only the kind of this number (see KINDS)."""
        return replace(self, kind=KINDS[number % len(KINDS)])

    def turned(self, by: int) -> Shelf:
        """Show another kind: `by` places further."""
        return self.of_kind(KINDS.index(self.kind) + by)

    def sorted_otherwise(self) -> Shelf:
        return replace(self, sort=SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)])

    def filtered(self, words: str) -> Shelf:
        return replace(self, words=words, named=None)

    @property
    def game_id(self) -> str:
        """Return the ID of a game that the filter asks for, as in '3:30' or 'game 3:30'; '' for other words."""
        match = GAME_ID.fullmatch(self.words.strip().lower())
        return match[1] if match is not None else ""


def place_of(items: Sequence[Item], key: Key | None, before: int) -> int:
    """Return the place of the item with this key; if it has gone, the place it had, or the last."""
    place = next((at for at, item in enumerate(items) if item.key == key), None)
    return place if place is not None else max(0, min(before, len(items) - 1))


def day(when: float, now: datetime) -> str:
    """Return a date in at most seven cells: '14:02' today, 'yest.' the day before, '12 Nov', '2024-11'."""
    moment = local(when)
    if moment is None:
        return "?"
    days = (now.date() - moment.date()).days
    if days == 0:
        return f"{moment:%H:%M}"
    if days == 1:
        return "yest."
    return f"{moment:%d %b}" if 0 < days < 300 or moment.year == now.year else strftime(moment, "%Y-%m")
