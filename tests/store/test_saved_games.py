"""Games come back as they were kept, however they were handed in, and are found by what is known of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.store import StoreError, game_list, saved_games, tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameInfo, GameRow
from nimtui.store.tournaments import TournamentWriter
from tests.examples import examples
from tests.store.sample import begin, row, rows

TWO = st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
ROW = st.builds(
    GameRow,
    st.integers(0, 9_999_999),
    st.integers(0, 1),
    st.integers(0, 2**15 - 1),
    st.binary(max_size=30).map(lambda codes: codes + codes),  # two bytes a move
    st.integers(-1, 1),
    TWO,
    TWO,
    TWO,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.floats(0, 1e6),
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with Database(tmp_path_factory.mktemp("shared") / "nimtui.sqlite") as db:
        yield db


@settings(max_examples=examples(20), deadline=None)
@given(
    games=st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 9_999_999)), ROW, max_size=50),
    data=st.data(),
)
def test_any_order_any_chunks_and_repeats_make_the_same_content(
    shared: Database, games: dict[tuple[int, int], GameRow], data: st.DataObject
) -> None:
    games = {(pairing, number): game._replace(number=number) for (pairing, number), game in games.items()}
    places = data.draw(st.permutations([*games, *data.draw(st.lists(st.sampled_from([*games] or [(0, 0)])))]))
    with begin(shared) as kept:
        while places and games:
            length = data.draw(st.integers(1, len(places)))
            chunk, places = places[:length], places[length:]
            for pairing in range(3):
                kept.append(pairing, [games[place] for place in chunk if place[0] == pairing])
        for pairing in range(3):
            # what the players believed is stored apart, and read only where it is asked for
            expected = sorted(game._replace(beliefs=b"") for place, game in games.items() if place[0] == pairing)
            assert kept.rows(pairing) == expected
            assert game_list.count(shared, tournament=kept.id, pairing=pairing) == len(expected)
        assert kept.info.played == tournaments.info(shared, kept.id).played == len(games)


def test_a_game_that_is_there_stays_as_it_is(db: Database) -> None:
    with begin(db) as kept:
        kept.append(0, rows(range(40)))
        kept.append(0, [row(number)._replace(result=0, packed_fault="another") for number in range(20, 70)])
        assert kept.rows(0)[:40] == rows(range(40))
        assert {game.fault for game in kept.rows(0)[40:]} == {"another"}
        assert kept.info.played == 70


def test_columns_are_the_rows_without_the_moves(db: Database) -> None:
    with begin(db) as kept:
        kept.append(1, rows(range(6_345, 0, -1)))
        found, expected = kept.columns(1), kept.rows(1)
        assert expected == rows(range(1, 6_346))
        assert found.number == array("q", range(1, 6_346))
        for name in ("opener", "opening", "result", "seconds"):
            assert list(getattr(found, name)) == [getattr(game, name) for game in expected]
        for name in ("own", "chances", "mistakes"):
            assert list(zip(*getattr(found, name), strict=True)) == [getattr(game, name) for game in expected]
        assert found.faults == {game.number: game.fault for game in expected if game.fault}
        assert len(kept.columns(0).number) == 0
        assert saved_games.columns(db, kept.id, 1) == found


def test_games_beyond_the_end_of_a_sequential_test_are_dropped(db: Database) -> None:
    with begin(db) as kept:
        kept.append(0, rows(range(50)))
        kept.append(1, rows(range(50)))
        kept.drop_from(0, 31)
        kept.drop_from(0, 100)
        assert (kept.rows(0), kept.rows(1), kept.info.played) == (rows(range(31)), rows(range(50)), 81)
        kept.append(0, rows(range(35)))
        assert kept.rows(0) == rows(range(35)) and game_list.count(db) == 85


def test_on_a_full_disk_nothing_is_lost(db: Database) -> None:
    with begin(db) as kept:
        kept.append(0, rows(range(10)))
        ((pages,),) = db.query("PRAGMA page_count")
        db.query(f"PRAGMA max_page_count = {pages + 2}")
        for start in range(10, 1000, 10):
            kept.append(0, rows(range(start, start + 10)))
        assert kept.fault == f"{db.path} cannot be used: the disk is full"
        on_disk = len(kept.rows(0))
        assert 10 < on_disk < 1000 and on_disk % 10 == 0
        assert kept.info.played == on_disk and not kept.flush()
        kept.drop_from(0, 950)
        kept.drop_from(0, 980)
        kept.ended("done", 4.0)
        kept.append(1, rows(range(5)))
        assert kept.fault and tournaments.info(db, kept.id).state == "running"
        db.query("PRAGMA max_page_count = 1000000")
        kept.append(1, rows(range(5, 8)))
        assert kept.flush() and kept.fault == ""
        assert (kept.rows(0), kept.rows(1)) == (rows(range(950)), rows(range(8)))
        assert tournaments.info(db, kept.id) == kept.info
        assert (kept.info.state, kept.info.played) == ("done", 958)


def test_vain_tries_take_a_tenth_of_the_time(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    now, tries = 0.0, 0

    def vain(kept: TournamentWriter, counted: bool) -> None:
        nonlocal now, tries
        tries += 1
        now += 0.02
        raise StoreError("the disk is full")

    with begin(db) as kept, monkeypatch.context() as patch:
        patch.setattr("nimtui.store.tournaments.time.monotonic", lambda: now)
        patch.setattr(TournamentWriter, "_write", vain)
        while now < 10:
            kept.append(0, rows([round(now * 100)]))
            now += 0.01
        assert 40 <= tries <= 50, "one in ten times as long"
        patch.undo()
        waiting = len(kept.rows(0))
        assert kept.flush() and waiting == 0 and len(kept.rows(0)) > 500


@pytest.fixture
def several(db: Database) -> Database:
    with begin(db, "big one") as kept:
        for pairing in range(3):
            kept.append(pairing, rows(range(20)))
    with tournaments.begin(db, {}, ["tower:16"], ["random", "a_b%c"], [(0, 1, 0)], 5, "match") as kept:
        kept.append(0, rows(range(5)))
    saved_games.save_game(db, "tower:16", "human", "perfect", row(11), "lovely")
    return db


def every(db: Database) -> list[GameInfo]:
    return game_list.games(db, limit=None)


def test_all_that_is_known_of_a_game(several: Database) -> None:
    games = every(several)
    assert len(games) == 66 and [game.id for game in games] == sorted((game.id for game in games), reverse=True)
    own, match, last = games[0], games[1], games[6]
    assert own[1:7] == (None, "play", "tower:16", "human", "perfect", row(11))
    assert (own.name, own.pairing, own.deleted) == ("lovely", 0, False)
    assert match[1:7] == (2, "match", "tower:16", "a_b%c", "random", row(4))
    assert last[1:7] == (1, "tournament", "nim:1,2", "perfect", "quality:margin=50", row(19))
    assert last.pairing == 2 and last.ended > 1.7e9
    assert [game_list.game(several, game.id) for game in games] == games
    with pytest.raises(StoreError, match="game 0:124 does not exist"):
        game_list.game(several, 123)


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"tournament": 1},
        {"tournament": 1, "pairing": 1},
        {"agent": "perfect"},
        {"agent": "PERF"},
        {"agent": "a_b%"},
        {"agent": "a%c"},
        {"game": "tower"},
        {"game": "_"},
        {"result": -1},
        {"result": 0, "faults_only": True},
        {"faults_only": True, "agent": "random"},
        {"kind": "play"},
        {"kind": "match", "result": 1},
        {"text": "lovely"},
        {"text": "big random"},
        {"text": "100%"},
        {"deleted": True},
        {"deleted": True, "text": "nim"},
    ],
)
def test_games_are_found_by_what_is_known_of_them(several: Database, wanted: dict[str, object]) -> None:
    games = every(several)
    for game in games[::9]:
        saved_games.delete_game(several, game.id)
    names = {1: "big one", 2: "", None: ""}

    def fits(game: GameInfo) -> bool:
        agents = [game.first, game.second]
        known = [game.game, *agents, names[game.tournament], game.name]
        return (
            wanted.get("tournament", game.tournament) == game.tournament
            and wanted.get("pairing", game.pairing) == game.pairing
            and any(str(wanted.get("agent", "")).lower() in agent for agent in agents)
            and str(wanted.get("game", "")) in game.game
            and wanted.get("result", game.row.result) == game.row.result
            and wanted.get("kind", game.kind) == game.kind
            and (bool(game.row.fault) or not wanted.get("faults_only"))
            and all(any(word in name for name in known) for word in str(wanted.get("text", "")).split())
            and (game in games[::9]) == bool(wanted.get("deleted"))
        )

    expected = [game.id for game in games if fits(game)]
    assert [game.id for game in game_list.games(several, **wanted)] == expected  # type: ignore[arg-type]
    assert game_list.count(several, **wanted) == len(expected)  # type: ignore[arg-type]


def test_a_list_is_read_page_by_page(several: Database) -> None:
    games, before, found = every(several), None, []
    while page := game_list.games(several, limit=7, before=before):
        found += page
        before = page[-1].id
    assert found == games
    assert len(game_list.games(several, limit=7)) == 7
    after, found = 0, []
    while page := game_list.games(several, limit=7, after=after):
        found += page
        after = page[-1].id
    assert found == games[::-1]


def test_a_game_is_renamed_deleted_and_restored(several: Database) -> None:
    id = every(several)[10].id
    saved_games.rename_game(several, id, "  a\nmistake ")
    assert game_list.game(several, id).name == "a mistake"
    assert [game.id for game in game_list.games(several, text="mistake")] == [id]
    saved_games.delete_game(several, id)
    assert game_list.count(several) == 65 and id not in [game.id for game in every(several)]
    assert game_list.game(several, id).deleted and tournaments.info(several, 1).played == 60
    assert len(saved_games.rows(several, 1, 2)) == 20  # it counts for its tournament
    saved_games.restore_game(several, id)
    assert game_list.count(several) == 66
    for change in (saved_games.delete_game, saved_games.restore_game):
        with pytest.raises(StoreError, match="game 0:8 does not exist"):
            change(several, 7)
    with pytest.raises(StoreError, match="game 0:8 does not exist"):
        saved_games.rename_game(several, 7, "x")


def test_a_long_list_is_not_sorted(several: Database) -> None:
    """The plan of each question: no sorting, whatever is asked for."""
    asked: list[str] = []
    with several.reading() as connection:
        connection.set_trace_callback(asked.append)
        for wanted in ({}, {"agent": "x"}, {"faults_only": True}, {"deleted": True}, {"text": "x"}, {"tournament": 1}):
            game_list.games(several, **wanted)  # type: ignore[arg-type]
        connection.set_trace_callback(None)
    assert len(asked) == 6
    for statement in asked:
        assert not [step for step in several.query(f"EXPLAIN QUERY PLAN {statement}") if "TEMP B-TREE" in step[3]]
