"""Whatever is saved, changed, deleted and restored in whatever order, the database holds what a plain model holds."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from nimtui.store import StoreError, database, game_list, saved_games, tournaments
from nimtui.store.database import Database, Deleted
from nimtui.store.game_list import Tally
from nimtui.store.rows import MOST_NUMBERS, GameInfo, GameRow, TournamentInfo
from nimtui.store.tournaments import TournamentWriter
from tests.examples import examples
from tests.store.sample import DOCUMENT, begin, row

DAY = 24 * 3600
OWN = ("tower:16", "a_b%c", "human")
PAIRS = ("random", "perfect"), ("random", "quality:margin=50"), ("perfect", "quality:margin=50")
KINDS = st.sampled_from(("tournament", "match"))
NAMES = st.sampled_from(("", "big one", "50% off", " a\nname_\udcff "))
NUMBERS = st.lists(st.integers(0, 25) | st.just(3_000), max_size=12)
TWO = st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
CODES = st.binary(max_size=30).map(lambda codes: codes + codes)  # two bytes a move
FAULT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ANY = st.builds(GameRow, st.integers(0, MOST_NUMBERS - 1), st.integers(0, 1), st.integers(0, 2**15 - 1), CODES,
                st.integers(-1, 1), TWO, TWO, TWO, FAULT, st.floats(0, 1e6), st.just(b""))  # fmt: skip
QUESTIONS: tuple[dict[str, Any], ...] = (
    {}, {"tournament": 1}, {"tournament": 2, "pairing": 1}, {"pairing": 0}, {"agent": "perfect"}, {"agent": "PERF"},
    {"agent": "a_b%"}, {"agent": "m%n"}, {"game": "tower"}, {"game": "_"}, {"result": -1}, {"for_first": 1},
    {"result": 0, "faults_only": True}, {"faults_only": True, "agent": "random"}, {"kind": "play"},
    {"kind": "match", "result": 1}, {"text": "50%"}, {"text": "big random"}, {"text": "name_"}, {"deleted": True},
    {"deleted": True, "text": "nim"}, {"kind": "tournament", "for_first": -1},
)  # fmt: skip


@dataclass
class Played:
    """A tournament of three pairings."""

    info: TournamentInfo
    writer: TournamentWriter | None
    deleted: float = 0.0  # when, if it was


@dataclass
class Pairing:
    number: int
    names: tuple[str, str, str]  # the game, the agents
    of: Played | None  # None: of a game of its own
    games: dict[int, GameInfo] = field(default_factory=dict)  # by number


class StoreMachine(RuleBasedStateMachine):
    """Does the same with a database and with its model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.patch, self.now = TemporaryDirectory(), pytest.MonkeyPatch(), 1e9
        for clock in ("time.time", "nimtui.store.database.time"):
            self.patch.setattr(clock, lambda: self.now)
        self.db = Database(Path(self.folder.name) / "nimtui.sqlite")
        self.played: dict[int, Played] = {}
        self.pairings: dict[int, Pairing] = {}  # by id
        self.when: dict[int, float] = {}  # deleted games, by id
        self.begun = 0
        self.questions = cycle(QUESTIONS)

    def teardown(self) -> None:
        self.close_all()
        self.patch.undo()
        self.folder.cleanup()

    def close_all(self) -> None:
        for one in self.played.values():
            self.stop(one)
        assert self.db.faults == []
        self.db.close()

    def changed(self, one: Played, **values: Any) -> None:
        one.info = one.info._replace(changed=self.now, **values)

    def games(self) -> dict[int, GameInfo]:
        return {game.id: game for pairing in self.pairings.values() for game in pairing.games.values()}

    def put(self, id: int, game: GameRow, name: str = "") -> None:
        pairing = self.pairings[id]
        if game.number not in pairing.games:
            whose = (None, "play") if pairing.of is None else (pairing.of.info.id, pairing.of.info.kind)
            known = (*whose, *pairing.names, game, int(self.now), name, pairing.number, False)
            pairing.games[game.number] = GameInfo(id * MOST_NUMBERS + game.number, *known)

    @rule(name=NAMES, kind=KINDS)
    def begin_a_tournament(self, name: str, kind: str) -> None:
        self.now += 1
        self.begun += 1
        writer = begin(self.db, name, kind)
        assert writer.id == self.begun, "no id is given twice"
        state = (DOCUMENT, "running", self.now, self.now, 0.0, 0, 300, False)
        self.played[self.begun] = Played(TournamentInfo(self.begun, kind, clean(name), *state), writer)
        ids = self.db.query("SELECT number, id FROM pairings WHERE tournament = ?", (self.begun,))
        for number, id in sorted(ids):
            self.pairings[id] = Pairing(number, ("nim:1,2", *PAIRS[number]), self.played[self.begun])

    @precondition(lambda self: any(one.writer for one in self.played.values()))
    @rule(data=st.data(), at=st.integers(0, 2), numbers=NUMBERS, others=NUMBERS, end=st.integers(0, 4_000))
    def add_games_and_drop_some(
        self, data: st.DataObject, at: int, numbers: list[int], others: list[int], end: int
    ) -> None:
        """Games that are there already stay as they are, also if others of their numbers come."""
        one, writer = self.on(data)
        [id] = [id for id, of in self.pairings.items() if of.of is one and of.number == at]
        games = [row(number) for number in numbers] + [row(number)._replace(result=0) for number in others]
        writer.seconds = self.now - 1e9
        writer.append(at, games)
        for game in games:
            self.put(id, game)
        writer.drop_from(at, end)
        for number in [number for number in self.pairings[id].games if number >= end]:
            self.when.pop(self.pairings[id].games.pop(number).id, None)
        played = sum(len(pairing.games) for pairing in self.pairings.values() if pairing.of is one)
        self.changed(one, seconds=writer.seconds, played=played)
        assert writer.fault == ""

    def on(self, data: st.DataObject) -> tuple[Played, TournamentWriter]:
        """Draw a tournament that is played, a second later."""
        self.now += 1
        one, writer = data.draw(st.sampled_from([(one, one.writer) for one in self.played.values() if one.writer]))
        return one, writer

    @precondition(lambda self: any(one.writer for one in self.played.values()))
    @rule(data=st.data(), state=st.sampled_from(("done", "stopped")), total=st.integers(1, 300))
    def end(self, data: st.DataObject, state: str, total: int) -> None:
        one, writer = self.on(data)
        writer.set_total(total)
        writer.ended(state, 7.5)
        self.changed(one, state=state, seconds=7.5, total=total)
        self.stop(one)

    def stop(self, one: Played) -> None:
        """A tournament that nobody plays is never running."""
        if one.writer is not None:
            self.now += 1
            one.writer.close()
            self.changed(one, state="stopped" if one.info.state == "running" else one.info.state)
            one.writer = None

    @precondition(lambda self: self.played)
    @rule(data=st.data(), kind=KINDS, named=st.booleans())
    def resume(self, data: st.DataObject, kind: str, named: bool) -> None:
        """The one that is named, or the latest of its kind that nobody plays."""
        self.now += 1
        if named:
            one = data.draw(st.sampled_from([*self.played.values()]))
        else:
            there = [one for one in self.played.values() if one.info.kind == kind and not one.deleted]
            unfinished = [one for one in there if one.info.state != "done"]
            one = max(unfinished, key=lambda one: (one.writer is None, one.info.changed), default=None)
        if one is None or one.deleted or one.writer:
            deleted = one is not None and one.deleted
            why = f"no unfinished {kind}" if one is None else "was deleted: restore" if deleted else "is in use by"
            with pytest.raises(StoreError, match=why):
                tournaments.resume(self.db, one.info.id if one and named else None, kind)
            return
        one.writer = tournaments.resume(self.db, one.info.id if named else None, kind)
        self.changed(one, state="running")
        assert one.writer.info == one.info

    @precondition(lambda self: self.played)
    @rule(data=st.data(), name=NAMES)
    def delete_restore_or_rename_a_tournament(self, data: st.DataObject, name: str) -> None:
        self.now += 1
        one = data.draw(st.sampled_from([*self.played.values()]))
        if one.deleted:
            tournaments.restore(self.db, one.info.id)
            one.deleted = 0.0
        elif one.writer:
            with pytest.raises(StoreError, match="is being played: stop it first"):
                tournaments.delete(self.db, one.info.id)
        elif name:
            tournaments.rename(self.db, one.info.id, name)
            one.info = one.info._replace(name=clean(name))
        else:
            tournaments.delete(self.db, one.info.id)
            one.deleted = self.now
        one.info = one.info._replace(deleted=bool(one.deleted))

    @rule(game=ANY, name=NAMES)
    def save_a_game(self, game: GameRow, name: str) -> None:
        self.now += 1
        pairing, number = divmod(saved_games.save_game(self.db, *OWN, game, name), MOST_NUMBERS)
        assert pairing > max(self.pairings, default=0) and number == game.number
        self.pairings[pairing] = Pairing(0, OWN, None)
        self.put(pairing, game, clean(name))

    @precondition(lambda self: self.games())
    @rule(data=st.data(), name=NAMES)
    def delete_restore_or_rename_a_game(self, data: st.DataObject, name: str) -> None:
        self.now += 1
        game = data.draw(st.sampled_from(sorted(self.games().values())))
        if game.deleted:
            saved_games.restore_game(self.db, game.id)
            del self.when[game.id]
        elif name:
            saved_games.rename_game(self.db, game.id, name)
            game = game._replace(name=clean(name))
        else:
            saved_games.delete_game(self.db, game.id)
            self.when[game.id] = self.now
        game = game._replace(deleted=game.id in self.when)
        self.pairings[game.id // MOST_NUMBERS].games[game.row.number] = game
        assert game_list.game(self.db, game.id) == game

    @rule(days=st.sampled_from((1, 29, 30)), second=st.integers(0, 1), again=st.booleans())
    def time_passes(self, days: int, second: int, again: bool) -> None:
        """What was deleted more than 30 days ago goes, when it is asked to or when the database is opened again."""
        if again:
            self.close_all()  # takes its time
        self.now = max([self.now, *self.when.values(), *(one.deleted for one in self.played.values())])
        self.now += days * DAY + second
        until = self.now - 30 * DAY
        gone = [one for one in self.played.values() if 0 < one.deleted < until]
        games = [id for id, when in self.when.items() if when < until and not self.pairings[id // MOST_NUMBERS].of]
        if again:
            self.db = Database(self.db.path)
        else:
            assert database.purge_rows(self.db) == len(gone) + len(games)
        for one in gone:
            del self.played[one.info.id]
        for id in games:
            del self.pairings[id // MOST_NUMBERS].games[id % MOST_NUMBERS]
        self.pairings = {id: of for id, of in self.pairings.items() if of.of not in gone and (of.of or of.games)}
        self.when = {id: when for id, when in self.when.items() if id in self.games()}

    def expected(self, wanted: dict[str, Any]) -> list[GameInfo]:
        def fits(game: GameInfo) -> bool:
            of = self.pairings[game.id // MOST_NUMBERS].of
            name = "" if of is None else of.info.name
            known = [text.lower() for text in (game.game, game.first, game.second, name, game.name)]
            sign = -1 if game.row.opener else 1
            return (
                not (of and of.deleted)
                and wanted.get("tournament", game.tournament) == game.tournament
                and wanted.get("pairing", game.pairing) == game.pairing
                and any(wanted.get("agent", "").lower() in agent for agent in (game.first, game.second))
                and wanted.get("game", "") in game.game
                and wanted.get("result", game.row.result) == game.row.result
                and wanted.get("for_first", sign * game.row.result) == sign * game.row.result
                and wanted.get("kind", game.kind) == game.kind
                and (game.row.packed_fault != "" or not wanted.get("faults_only"))
                and all(any(word in name for name in known) for word in wanted.get("text", "").split())
                and game.deleted == bool(wanted.get("deleted"))
            )

        return sorted(filter(fits, self.games().values()), key=lambda game: -game.id)

    @invariant()
    def games_are_listed_and_counted_as_the_model_has_them(self) -> None:
        for which in ({}, next(self.questions), next(self.questions)):
            wanted = self.expected(which)
            assert game_list.games(self.db, limit=None, **which) == wanted
            assert game_list.count(self.db, **which) == len(wanted)
        last = wanted[len(wanted) // 2].id if wanted else 0  # pages of the last question
        assert (
            game_list.games(self.db, limit=3, before=last or None, **which)
            == [game for game in wanted if not last or game.id < last][:3]
        )
        assert (
            game_list.games(self.db, limit=3, after=last, **which)
            == [game for game in wanted[::-1] if game.id > last][:3]
        )

    @invariant()
    def tournaments_are_listed_and_added_up_as_the_model_has_them(self) -> None:
        for deleted in (False, True):
            infos = [one.info for one in self.played.values() if bool(one.deleted) is deleted][::-1]
            assert tournaments.tournaments(self.db, deleted) == infos
            for kind, text, limit in (("match", "50% quality", 1), (None, "_", None), ("tournament", "ONE nim:1,2", 2)):
                known = [(info, f"{info.name} {json.dumps(info.document)}".lower()) for info in infos]
                fit = [info for info, words in known if all(word in words for word in text.lower().split())]
                fit = [info for info in fit if kind in (None, info.kind)]
                assert tournaments.tournaments(self.db, deleted, kind, text, limit) == fit[:limit]
        singles = [Deleted(when, True, id) for id, when in self.when.items()
                   if self.pairings[id // MOST_NUMBERS].of is None]  # fmt: skip
        whole = [Deleted(one.deleted, False, one.info.id) for one in self.played.values() if one.deleted]
        assert database.last_deleted(self.db) == max([*singles, *whole], default=None)
        if self.played:
            self.is_added_up([*self.played.values()][int(self.now) % len(self.played)])

    def is_added_up(self, one: Played) -> None:
        tallies = []
        for pairing in (pairing for pairing in self.pairings.values() if pairing.of is one):
            games = [game.row for _, game in sorted(pairing.games.items())]
            id = one.info.id
            assert saved_games.rows(self.db, id, pairing.number) == games
            columns = saved_games.columns(self.db, id, pairing.number)
            for name in ("number", "opener", "opening", "result", "seconds"):
                assert list(getattr(columns, name)) == [getattr(game, name) for game in games]
            for name in ("own", "chances", "mistakes"):
                assert list(zip(*getattr(columns, name), strict=True)) == [getattr(game, name) for game in games]
            assert columns.faults == {game.number: game.fault for game in games if game.fault}
            for opener in (0, 1):
                if some := [game for game in games if game.opener == opener]:
                    sums = (tuple(map(sum, zip(*(getattr(game, name) for game in some), strict=True)))
                            for name in ("own", "chances", "mistakes"))  # fmt: skip
                    counts = (sum(game.result == result for game in some) for result in (1, 0, -1))
                    faults = [game.result for game in some if game.fault]
                    counted = (*pairing.names, opener, *counts, *sums, len(faults), faults.count(-1))
                    tallies.append(Tally(pairing.number, *counted))
            by_number = {game.number: game.result for game in games}
            pairs = [0, 0, 0, 0, 0]
            for number, result in by_number.items():
                if number % 2 == 0 and number + 1 in by_number:
                    pairs[result + by_number[number + 1] + 2] += 1
            assert game_list.pairs(self.db, id).get(pairing.number, (0,) * 5) == tuple(pairs)
            played = [by_number.get(number, -2) for number in range(max(by_number, default=-1) + 1)]
            assert list(game_list.results(self.db, id).get(pairing.number, [])) == played
        assert game_list.tallies(self.db, one.info.id) == tallies


def clean(name: str) -> str:
    return " ".join(name.split()).replace("\udcff", "?")


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=examples(6), stateful_step_count=30, deadline=None)


def test_lists_are_searched_and_paged(db: Database) -> None:
    for name in ("alpha", "50% off", "Beta_1", "beta 2"):
        begin(db, name, "match" if name == "alpha" else "tournament").close()

    def ids(**wanted: object) -> list[int]:
        return [found.id for found in tournaments.tournaments(db, **wanted)]  # type: ignore[arg-type]

    assert ids() == [4, 3, 2, 1]
    assert ids(limit=2) == [4, 3]
    assert (ids(kind="match"), ids(kind="tournament")) == ([1], [4, 3, 2])
    assert (ids(text="beta"), ids(text="%"), ids(text="a_1"), ids(text="off 50")) == ([4, 3], [2], [3], [2])
    assert (ids(text="quality nim:1,2"), ids(text="tower")) == ([4, 3, 2, 1], [])
