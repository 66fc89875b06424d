"""Several saved tournaments as one pool, each game counted once; and saved games as lists, documents, first moves."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.play.match import play_match
from nimtui.arena.play.plan import Plan, parse_openings, plan
from nimtui.arena.rating.ratings import Anchor, Rating, rate
from nimtui.arena.standings import games_report, standings_report, statements
from nimtui.arena.standings.games_report import OPENINGS, writer
from nimtui.arena.standings.pool import Part, Pool, find_agent, gather, rated, read
from nimtui.arena.standings.standings import Standings
from nimtui.arena.standings.standings_report import MOST_FIRST_MOVES, first_moves, of_pool, openings
from nimtui.errors import InputError
from nimtui.foreign.values import moment
from nimtui.games import Record, parse_game
from nimtui.jobs.tournament import StoppedTournament, Tournament
from nimtui.jobs.tournament_report import speed_text
from nimtui.jobs.tournament_report import tournament as report
from nimtui.progress import SILENT
from nimtui.report.blocks import Report
from nimtui.report.cells import cells, spoken
from nimtui.report.document import document, html_of, rows_of
from nimtui.report.lines import plain_text
from nimtui.store import game_list, saved_games, tournaments
from nimtui.store.database import Database
from nimtui.store.game_list import games, tallies
from nimtui.store.rows import GameInfo, GameRow, TournamentInfo
from nimtui.store.tournaments import begin

GAME = "nim:3,5,7"
AGENTS = ("random", "easy", "mc:playouts=3")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    found = Database(tmp_path / "games.db")
    yield found
    found.close()


def keep(db: Database, made: Plan, games: dict[int, list[GameRow]], state: str = "stopped") -> int:
    """Save a tournament with these games of its pairings."""
    with tournaments.begin(db, made.document(), made.games, made.agents, made.pairings, made.total) as kept:
        for place, some in games.items():
            kept.append(place, some)
        kept.ended(state, 1.0)
    return kept.id


def save(
    db: Database,
    agents: Sequence[str] = AGENTS,
    number: int = 40,
    seed: int = 0,
    openings: str = "start",
    game: str = GAME,
    played: int | None = None,
) -> int:
    """A round-robin played and saved pairing by pairing; `played`: stopped after so many games of each."""
    made = plan([game], agents, number=number, seed=seed, openings=openings)
    games = {place: rows(made, place)[:played] for place in range(len(made.pairings))}
    return keep(db, made, games, "done" if played is None else "stopped")


def rows(made: Plan, place: int) -> list[GameRow]:
    """The games of a pairing: those of a match with this seed, each pairing with its own."""
    game = parse_game(made.games[0])
    one, other = (parse_agent(made.agents[at], game) for at in made.pairings[place][1:])
    openings = parse_openings(made.openings.name)
    found = play_match(game, one, other, made.number, made.seed + 1000 * place, True, openings=openings, judging=True)
    return [GameRow._make(row) for row in found.batch.rows()]


def pool(db: Database, *ids: int, anchor: Anchor | None = None, game: str | None = None) -> Pool:
    return rated(gather(db, [tournaments.info(db, id) for id in ids], game), anchor)


def test_two_halves_are_rated_as_all_their_games_together(db: Database) -> None:
    ids = save(db, seed=1), save(db, seed=2)
    found = pool(db, *ids)
    halves = [read(db, id, tournaments.info(db, id).document) for id in ids]
    together = rate(3, [meeting for half in halves for meeting in half.meetings])
    assert found.ratings.ratings == together.ratings
    assert found.ratings.scores == together.scores
    assert found.ratings.seat == together.seat
    assert found.ratings.fit == together.fit
    assert found.played == 240 and sum(row.points for row in found.rows) == 240
    by_hand = [one for id in ids for one in tallies(db, id)]
    first = found.cells[0][1]
    assert first is not None
    wanted = [one for one in by_hand if (one.first, one.second, one.opener) == ("random", "easy", 0)]
    assert (first.first_wins, first.second_wins) == (sum(o.wins for o in wanted), sum(o.losses for o in wanted))
    chances = sum(one.chances[0] for one in by_hand if one.first == "random")
    assert next(row for row in found.rows if row.agent == "random").chances == chances


def test_the_anchor_has_its_elo_and_the_others_keep_their_distances(db: Database) -> None:
    id = save(db)
    free, held = pool(db, id), pool(db, id, anchor=Anchor(1, 1500.0))
    assert held.ratings.ratings[1] == Rating(1500.0, 1500.0, 1500.0)
    shifts = [one.elo - other.elo for one, other in zip(held.ratings.ratings, free.ratings.ratings, strict=True)]
    assert max(shifts) - min(shifts) < 1e-9
    assert held.ratings.superiority == free.ratings.superiority
    assert any(line.startswith("Elo: counted from easy = 1,500.") for line in of_pool(held))
    one = save(db, ("perfect", "mc:playouts=3"), seed=3, openings="random:2")  # mc loses most of its games
    other = save(db, ("random", "perfect"), seed=4, openings="random:2")
    third = save(db, ("random", "easy"), seed=5, openings="random:2")
    elos = [row.rating.elo for row in pool(db, one, other, third).rows]
    assert elos == sorted(elos, reverse=True), "the rows are in order of Elo, not of points"


def test_the_same_games_count_once_the_larger_number_of_them(db: Database) -> None:
    whole = save(db, number=20)
    stopped = save(db, number=20, played=5)
    again = save(db, number=20)
    longer = save(db, number=30)
    alone, found = pool(db, longer), pool(db, whole, stopped, again, longer)
    assert found.played == alone.played == 90
    assert found.ratings.ratings == alone.ratings.ratings
    assert [part.games for part in found.gathered.parts] == [0, 0, 0, 90]
    said = list(of_pool(found))
    assert f"60 games of tournament {whole} are also in tournament {longer}: counted once." in said
    assert f"15 games of tournament {stopped} are also in tournament {longer}: counted once." in said
    made = plan([GAME], AGENTS, number=20)
    older = {key: value for key, value in made.document().items() if key != "game_time"}  # as of before there was one
    with tournaments.begin(db, older, made.games, made.agents, made.pairings, made.total) as kept:
        kept.append(0, rows(made, 0))
    assert "game_time" in made.document() and pool(db, whole, kept.id).played == 60


def test_other_seeds_openings_agents_and_games_are_other_games(db: Database) -> None:
    others: tuple[dict[str, Any], ...] = ({"seed": 1}, {"openings": "random:2"}, {"game": "nim:3,5"})
    ids = [save(db, number=10), *(save(db, number=10, **other) for other in others), save(db, ("easy", "random"), 10)]
    found = pool(db, *ids)
    assert found.played == 30 + 30 + 30 + 30 + 10
    mixed = "The pool mixes games and openings: each agent has one rating for all, moving first one worth."
    assert mixed in list(of_pool(found)) and pool(db, *ids, game="nim:3,5").played == 30
    made = plan([GAME], ("random", "easy"), number=10)
    other = plan([GAME], ("random", "easy"), number=10, seed=5)
    changed = [keep(db, made, {0: rows(source, 0)}) for source in (made, other)]
    assert pool(db, *changed).played == 20, "the same plan, but the saved moves differ: an agent has changed"
    timed = plan([GAME], ("random", "alphabeta:time=0.5"), number=4)
    assert pool(db, *(keep(db, timed, {0: rows(made, 0)[:4]}) for _ in range(2))).played == 8, "by the clock"


def test_tournaments_of_one_seed_share_their_openings(db: Database) -> None:
    """Their games are clustered by opening over both tournaments, as within one."""
    pairs = (("easy", 0), ("mc:playouts=3", 0), ("hard", 9))
    found = pool(db, *(save(db, ("random", other), openings="random:2", seed=seed) for other, seed in pairs))
    assert [meeting.openings for meeting in found.meetings] == [0, 0, 1]
    assert all(meeting.results is not None for meeting in found.meetings)


def test_those_who_met_none_of_the_others_are_named(db: Database) -> None:
    main, apart = save(db), save(db, ("value", "perfect"), number=10)
    found = pool(db, main, apart)
    rating = dict(zip(found.agents, found.ratings.ratings, strict=True))
    assert isnan(rating["value"].elo) and isnan(rating["perfect"].elo)
    alone = pool(db, main).ratings.ratings[1]
    assert abs(rating["easy"].elo - alone.elo) < 2, "only through the seat, which all games tell"
    assert {row.agent for row in found.rows[3:]} == {"value", "perfect"}, "the unrated come last"
    assert any(line.endswith("met none of the others: no rating.") for line in of_pool(found))
    with pytest.raises(InputError, match=r"the anchor value met none of the agents to rate\. Agents: random, easy, mc"):
        pool(db, main, apart, anchor=Anchor(found.agents.index("value")))


def test_self_play_alone_gives_no_ratings(db: Database) -> None:
    made = plan([GAME], ("random", "random"), number=10, saved=True)
    id = keep(db, made, {0: rows(made, 0)})
    found = pool(db, id)
    cell = found.cells[0][0]
    assert found.agents == ("random",) and cell is not None and cell.played == 10
    assert isnan(found.rows[0].rating.elo) and found.rows[0].played == 0
    assert "No two agents met: no ratings." in list(of_pool(found))
    with pytest.raises(InputError, match="the anchor random met none of the agents to rate: no two agents met"):
        pool(db, id, anchor=Anchor(0))


def foreign(db: Database, game: str, agents: tuple[str, str], fault: str, *results: int) -> int:
    """Save games of agents that are unknown here, with these results."""
    made = Plan((game,), agents, number=len(results), seed=1)
    found = [GameRow(at, at % 2, 0, b"\0\0", result, (1, 0), (0, 0), (0, 0), fault, 0.0)
             for at, result in enumerate(results)]  # fmt: skip
    return keep(db, made, {0: found})


def test_agents_and_games_that_are_missing_here_count_and_faults_for_who_committed_them(db: Database) -> None:
    id = foreign(db, "lost:5", ("mine", "yours"), "", 1, 1, 1, 1)
    found = pool(db, id, anchor=Anchor(1))
    assert [row.agent for row in found.rows] == ["mine", "yours"]
    assert found.rows[0].points == 4 and found.rows[0].mistake_rate is None
    assert "yours lost all 4 games: how far the others are above the anchor is uncertain." in list(of_pool(found))
    said = list(of_pool(pool(db, id, anchor=Anchor(0))))
    assert "mine won all 4 games: how far the others are below the anchor is uncertain." in said
    assert pool(db, foreign(db, "lost:5", ("mine", "yours"), "", 1)).played == 1
    faulty = pool(db, foreign(db, GAME, ("mine", "easy"), "illegal", -1, -1, 1))
    assert {row.agent: row.faults for row in faulty.rows} == {"mine": 2, "easy": 1}


def test_an_agent_is_found_by_any_of_its_names(db: Database) -> None:
    gathered = gather(db, [tournaments.info(db, save(db, number=2))])
    for text in ("mc:playouts=3", "mc 3", "mc:playouts=03", "mc"):
        assert gathered.saved.agents[find_agent(text, gathered)] == "mc:playouts=3"
    with pytest.raises(InputError, match=r"unknown agent 'esy' \(did you mean easy\?\). Agents: random, easy, mc"):
        find_agent("esy", gathered)


# Saved games as a list, one by one and as documents, also of a game that is unknown here.


MISTAKES = "mistakes: moves that worsened the outcome, of all positions not lost"


@pytest.fixture
def infos(tmp_path: Path) -> Iterator[list[GameInfo]]:
    """A game of a match at a game that is unknown here, which ended by a fault, then one of Nim."""
    record = Record(parse_game("nim:2,3"))
    for name in ("b1", "a1", "b1", "b1", "a1"):
        record.push(record.game.parse_move(name, record.state))
    codes = np.array(record.moves, np.int16).tobytes()
    row = GameRow(0, 0, 1, codes, -1, (2, 2), (2, 0), (1, 0), "", 0.25)
    fault = row._replace(number=4, opener=1, result=1, chances=(0, 0), mistakes=(0, 0), packed_fault="b raised")
    with Database(tmp_path / "games.sqlite") as db:
        saved_games.save_game(db, "nim:2,3", "perfect", "random", row, "mine")
        with tournaments.begin(db, {}, ["lost:5"], ["a", "b"], [(0, 0, 1)], 5, "match") as kept:
            kept.append(0, [fault])
        yield game_list.games(db)


def told(report: Report, infos: list[GameInfo]) -> list[str]:
    """Return the lines of a report with NOW for the ends of games, between which a minute may have ended."""
    text = "\n".join(plain_text(line) for line in cells(report, 140))
    for info in infos:
        text = text.replace(moment(info.ended), "NOW")
    return [line for line in text.split("\n") if line]


def test_a_document_names_players_by_their_seats(infos: list[GameInfo]) -> None:
    lost, nim = (games_report.keys_of(info) for info in infos)
    names = ("id", "tournament", "kind", "name", "pairing", "number", "game", "first", "second", "result", "winner")
    assert tuple(nim[name] for name in names) == (
        "1", None, "play", "mine", None, None, "nim:2,3", "perfect", "random", "0-1", "random",
    )  # fmt: skip
    assert tuple(lost[name] for name in names) == ("2:5", 1, "match", None, 1, 5, "lost:5", "b", "a", "0-1", "a")
    names = ("plies", "opening", "transcript", "first_chances", "second_chances", "first_mistakes", "second_mistakes")
    assert tuple(nim[name] for name in names) == (5, 1, ["b1", "a1", "b1", "b1", "a1"], 2, 0, 1, 0)
    assert (lost["transcript"], lost["fault"], nim["fault"], nim["seconds"]) == (None, "b raised", None, 0.25)
    assert [games_report.end_text(info) for info in infos] == [
        "a won, moving second: b raised", "random won, moving second",
    ]  # fmt: skip
    assert games_report.move_texts(infos[0]) == ["#2", "#0", "#2", "#2", "#0"]


def test_a_list_says_what_it_leaves_out(infos: list[GameInfo]) -> None:
    lines = told(games_report.games(infos, 5, True), infos)
    assert lines[:3] == [
        f"game  of       {'ended':16}           first    second  result  moves  mistakes: first  second",
        " 2:5  match 1  NOW  lost:5   b        a          0-1      5                –       –  b raised",
        "   1  play     NOW  nim:2,3  perfect  random     0-1      5           1 of 2       –  mine",
    ]
    assert " ".join(lines[3:]) == (
        f"{MISTAKES}. Both columns: of the first and of the second player."
        " 2 of 5 games. --limit lists more, 'nimtui games show ID' shows one."
    )
    assert len(told(games_report.games(infos[:1], 1, True), infos)) == 2
    for selected, text in ((True, "no saved game matches"), (False, "no games saved yet")):
        assert told(games_report.games([], 0, selected), infos) == [text]
        assert document(games_report.games([], 0, selected)) == {"games": [], "of_games": 0}


def test_a_game_that_is_unknown_here_is_shown_by_its_codes(infos: list[GameInfo]) -> None:
    report = games_report.shown(infos[0], SILENT)
    lines = told(report, infos)
    assert lines[:5] == [
        "lost:5", "b moves first, a second", "game 2:5, match 1, pairing 1, game 5, NOW",
        "5 plies, 1 of them the opening",
        "#2 #0 #2 #2 #0",
    ]  # fmt: skip
    assert lines[5].startswith("The moves are shown as codes: unknown game 'lost'") and lines[-1].startswith("a won, ")
    assert document(report)["codes"] == [2, 0, 2, 2, 0] and document(report)["moves"] is None
    about = told(Report(games_report.about(infos[1])), infos)
    assert about[1:3] == ['game 1 "mine", play, NOW', "5 plies, 1 of them the opening"]
    assert " ".join(about[3:]) == f"{MISTAKES}: first 1 of 2, second –"
    played = told(games_report.shown(infos[1], SILENT), infos)
    assert played[0].endswith("(nim:2,3)") and played[-1] == "random won, moving second"


def test_other_ends_and_damage_of_a_game_are_told_too(infos: list[GameInfo]) -> None:
    fault, nim = infos
    for info, changes, text in (
        (fault, {"result": 0}, "a draw"), (fault, {"opener": 0}, "a won, moving first: b raised"),
        (nim, {"result": 0, "moves": nim.row.moves[:4]}, "unfinished"),
    ):  # fmt: skip
        assert games_report.end_text(info._replace(row=info.row._replace(**changes))) == text
    damaged = nim._replace(wrong=("result", "moves"))
    assert games_report.damage_text(damaged) == "damaged: result, moves" and games_report.damage_text(nim) == ""
    assert told(Report(games_report.about(damaged)), infos)[-1] == "damaged: result, moves; shown as far as readable"
    endings = [games_report.ending_of(Path(name)) for name in ("a.CSV", "a-OPENINGS.csv", "b.json", "c")]
    assert endings == [".csv", "-openings.csv", ".json", ""]


def test_a_list_of_tournaments_says_how_far_each_is() -> None:
    plan = {"games": ["nim:2,1", "nim:3"], "agents": ["random", "cmd:./x.py"], "pairs": "gauntlet", "number": 4,
            "openings": "start", "seed": 5, "sprt": None}  # fmt: skip
    first = TournamentInfo(3, "tournament", "mine", plan, "stopped", 0.0, 0.0, 2.5, 1200, 4000, False)
    every = [first, TournamentInfo(2, "match", "", {}, "done", 0.0, 0.0, 1.5, 7, 7, False), first]
    report = games_report.tournaments(every, 2, True)
    text = "\n".join(plain_text(line) for line in cells(report, 140)).replace(moment(0.0), "NOW")
    assert [line for line in text.split("\n") if line] == [
        f"tournament  state                games  {'changed':16}                  agents        name",
        "         3  stopped     1,200 of 4,000  NOW  nim:2,1, nim:3  random, x.py  mine",
        "         2  done match               7  NOW", "2 of 3 tournaments. --limit lists more.",
    ]  # fmt: skip
    keys = {"id": 3, "kind": "tournament", "name": "mine", "state": "stopped", "played": 1200, "total": 4000,
            "seconds": 2.5, "made": "1970-01-01T00:00:00+00:00", "changed": "1970-01-01T00:00:00+00:00",
            "game_names": plan["games"], "agents": plan["agents"], "pairs": "gauntlet", "games_a_pairing": 4,
            "openings": "start", "seed": 5, "sprt": None}  # fmt: skip
    found = document(report)
    assert (found["tournaments"][0], found["of_tournaments"]) == (keys, 3) and len(found["tournaments"]) == 2
    assert found["tournaments"][1]["name"] is None and found["tournaments"][1]["agents"] is None
    assert "--limit" not in "\n".join(spoken(games_report.tournaments(every, 3, False)))
    for selected, none in ((True, "no saved tournament matches."), (False, "no tournaments saved yet.")):
        assert list(spoken(games_report.tournaments([], 2, selected))) == [none]


def test_a_pool_names_its_first_tournaments_and_repeats() -> None:
    for number, named in ((1, "1 tournament (1)"), (10, f"10 tournaments ({', '.join(map(str, range(1, 11)))})"),
                          (11, f"11 tournaments ({', '.join(map(str, range(1, 11)))}, …)")):  # fmt: skip
        parts = [Part(SimpleNamespace(id=at), 5) for at in range(1, number + 1)]  # type: ignore[arg-type]
        pool: Any = SimpleNamespace(gathered=SimpleNamespace(parts=parts), agents=("a", "b"), played=1200)
        assert standings_report.kind_text(pool) == f"pool of {named}, 2 agents, 1,200 games"
    repeats = [f"{games} games of tournament 4 are also in tournament {games}: counted once." for games in (2, 3)]
    repeats = ["1 game of tournament 4 is also in tournament 1: counted once.", *repeats]
    more = {
        3: [], 4: ["4 games more are saved twice: counted once."], 5: ["9 games more are saved twice: counted once."],
    }  # fmt: skip
    for count, rest in more.items():
        part = Part(SimpleNamespace(id=4), 0, tuple((at, at) for at in range(1, count + 1)))  # type: ignore[arg-type]
        pool = SimpleNamespace(gathered=SimpleNamespace(parts=[part]))
        assert list(standings_report._of_repeats(pool)) == repeats + rest
    source = SimpleNamespace(game="nim:1", openings="start", limits=(None, 0.0))
    mixed = [source, SimpleNamespace(game="nim:2", openings="random:1", limits=(1.0, 0.0))]
    for paid, sources, said in (
        (False, [source], ["No two agents met: no ratings."]), (True, [source], []),
        (True, mixed, ["The pool mixes games, openings and time limits: each agent has one mean payoff for all."]),
    ):  # fmt: skip
        rows = [SimpleNamespace(rating=Rating(nan, nan, nan), entrant=0)]
        gathered = SimpleNamespace(saved=SimpleNamespace(sources=sources))
        pool = SimpleNamespace(anchor=None, rows=rows, paid=paid, gathered=gathered)
        assert list(standings_report._of_members(pool, ("a",))) == said


@pytest.mark.parametrize(
    ("few", "ends", "drawn", "said"),
    [(True, (-1, 1), 4, "All 4 games were drawn."), (True, (0, 1), 1, "The game was drawn."),
     (True, (-1, 1), 2, "All 2 games were drawn."),
     (True, (-1, 0), 0, "Too few games to say: fewer than 10 pairs above or below the mean score."),
     (True, (1, 2), 4, ""), (True, (-2, -1), 4, ""), (False, (-1, 1), 4, "")],
)  # fmt: skip
def test_of_too_few_games_that_tell_nothing_is_said_so(few: bool, ends: Any, drawn: int, said: str) -> None:
    for by_seat in (False, True):
        met, ahead = [SimpleNamespace(draws=(drawn, 0), played=drawn or 3)], Rating(0, *ends, by_seat=by_seat)
        pair: Any = SimpleNamespace(few=few, ahead=ahead, meetings=met, score=SimpleNamespace(games=drawn))
        assert statements.of_pair(pair) == ("" if by_seat else said)


def test_only_the_bound_of_all_won_or_lost_games_leaves_a_place_open() -> None:
    other, places = SimpleNamespace(rating=Rating(8, 6, 12)), list[str]()
    for score, elo, end in ((1, 1, (8,)), (0, 1, (None, 8)), (0.5, 1, (8,)), (1, 0, (8,)), (1, 1, (9,))):
        rows = [SimpleNamespace(rating=Rating(9, 6, 40, *end), score=score), other]
        places.append(Standings.place(SimpleNamespace(paid=False, by_elo=elo, rows=rows), 0))  # type: ignore[arg-type]
    assert places == [*"––111"]


def test_columns_and_crosstable_are_explained_as_far_as_they_are_there() -> None:
    plain, bound, seated = Rating(1, 0, 2), Rating(1, 0, 2, at_least=1), Rating(1, 0, 2, by_seat=True)

    def told(*ratings: Rating, rate: float | None = None, paid: bool = False, draws: int = 0, **more: Any) -> list[str]:
        rows = [SimpleNamespace(rating=rating, mistake_rate=rate) for rating in ratings]
        cells_ = ((None, SimpleNamespace(draws=draws)),)
        return [*statements.of_tables(SimpleNamespace(rows=rows, paid=paid, cells=cells_), **more)]  # type: ignore[arg-type]

    elo = "Elo: {}. The difference of two ratings predicts what they score."
    los = "LOS: probability that an agent is stronger than the next one. It counts all games, not only those between"
    cross, mean = (
        "Crosstable: the row moves first. Wins of the first–wins of the second{}.",
        "above the mean of the agents",
    )
    both = [elo.format(mean), f"{los} the two."]
    assert told(plain) == [] and told(plain, plain) == told(*[plain] * 20) == [*both, cross.format("")]
    assert told(*[plain] * 21) == [*both, "The crosstable of 21 agents is too wide for text: use --json."]
    apart = elo.format(f"{mean} that neither won nor lost all games")
    assert told(plain, bound, draws=1) == [apart, both[1], cross.format(" =draws")]
    assert told(bound, bound) == told(bound, Rating(nan, nan, nan)) == told(plain, plain)
    assert told(plain, seated) == [cross.format("")] and told(plain, plain, zero="0 is x")[0] == elo.format("0 is x")
    assert told(plain, rate=0.0) == ["Mistakes: moves that worsened the outcome, of all positions not lost."]
    assert told(plain, seated, paid=True, rate=0.5, judged=40) == [
        "Payoff: the mean of the agent's games, with its 95 % interval. A game lost by a fault pays the most.",
        cross.format(""), "Mistakes: moves that gave points away, of all moves, in the first 40 games of a pairing.",
    ]  # fmt: skip


def test_the_speed_is_that_of_the_games() -> None:
    for finished, done, seconds, now, text in (
        (True, 0, 0.0, 0.0, "0 games in 0.0 ms"), (True, 1234, 0.5, 0.0, "1,234 games in 500 ms, 2,468 a second"),
        (False, 1, 20.0, 19.0, "1 of 5,000 games in 20.00 s"),
        (False, 2, 20.0, 0.3, "2 of 5,000 games in 20.00 s (300 ms of it now), 0 a second"),
        (False, 1234, 20.0, 18.0, "1,234 of 5,000 games in 20.00 s, 62 a second"),
        (False, 1234, 20.0, 17.9, "1,234 of 5,000 games in 20.00 s (17.90 s of it now), 62 a second"),
    ):  # fmt: skip
        view: Any = SimpleNamespace(finished=finished, done=done, total=5000, seconds=seconds)
        assert speed_text(view, now) == text


# First moves: each figure is counted again from the saved games, and every writer says the same.


TESTED = pytest.param("random:2", "elo0=0,elo1=300", marks=pytest.mark.slow)


@pytest.mark.parametrize(("begun", "sprt"), [("start", None), ("random:1", None), TESTED])
def test_every_figure_is_that_of_the_saved_games(tmp_path: Path, begun: str, sprt: str | None) -> None:
    made = plan(("tower:16", "noughts:3x3x3"), ("perfect", "random", "easy"), number=40, openings=begun, sprt=sprt)
    with Database(tmp_path / "games.sqlite") as database:
        with begin(database, made.document(), made.games, made.agents, made.pairings, made.total) as kept:
            played = Tournament(made, kept, workers=1)
            view = played.work()
        counts: Counter[tuple[str, str]] = Counter()
        points: Counter[tuple[str, str]] = Counter()
        for info in games(database, limit=None):
            game = parse_game(info.game)
            key = info.game, game.move_name(info.codes[0], game.start)
            mover = info.row.opener ^ (info.row.opening % 2)
            counts[key] += 1
            points[key] += (1 + info.row.result * (1 - 2 * mover)) / 2  # type: ignore[assignment]
        rows = rows_of(first_moves(made, view.scores))
        assert {(row["game"], row["move"]): row["games"] for row in rows} == counts
        assert {(row["game"], row["move"]): row["score"] for row in rows} == pytest.approx(
            {key: points[key] / counts[key] for key in counts}
        )
        stopped = StoppedTournament(database, kept.id)
        assert rows_of(first_moves(made, stopped.view.scores)) == rows
        assert document(report(stopped.view, [], 0.0))["first_moves"] == rows
        page = openings(made, view.scores)
        for text in ("\n".join(plain_text(line) for line in cells(page)), "\n".join(spoken(page)), html_of(page)):
            assert all(row["move"] in text and str(row["games"]) in text for row in rows)
        out = io.StringIO()
        writer(database, kept.id, OPENINGS, SILENT)(out)
        assert [
            (row["game"], row["move"], int(row["games"])) for row in csv.DictReader(out.getvalue().splitlines())
        ] == [(row["game"], row["move"], row["games"]) for row in rows]


def test_a_report_counts_the_first_moves_that_it_leaves_out() -> None:
    made = plan(("tower:16",), ("perfect", "random"), number=60)
    view = Tournament(made, workers=1).work()
    rows = rows_of(first_moves(made, view.scores))
    text = "\n".join(plain_text(line) for line in cells(report(view, [], 0.0)))
    assert [f"\n{row['move']} " in text for row in rows] == [at < MOST_FIRST_MOVES for at in range(len(rows))]
    rest = rows[MOST_FIRST_MOVES:]
    assert f"{len(rest)} other first moves: {sum(row['games'] for row in rest):,} games." in text
    view = Tournament(made, workers=1).view  # before the first game
    assert not first_moves(made, view.scores).rows and document(report(view, [], 0.0))["first_moves"] == []
    assert "First moves of no finished games." in "\n".join(spoken(openings(made, view.scores)))
