"""What the Library says of tables, runs, sweeps and tournaments: each figure counted again in what is saved."""

from __future__ import annotations

import random
import re
from math import isnan
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import plan
from nimtui.foreign.values import moment
from nimtui.games import parse_game
from nimtui.jobs.sweep import _entry, begin
from nimtui.learning import interpreted
from nimtui.learning.learner import parse_learner
from nimtui.learning.perfection import Needed
from nimtui.learning.run import Run
from nimtui.learning.sweep import plan as sweep_plan
from nimtui.learning.training import Training
from nimtui.report.blocks import Figures, Sentence, Table
from nimtui.report.cells import cells
from nimtui.report.lines import plain_text
from nimtui.store import tournaments
from nimtui.store.database import Database
from nimtui.store.rows import GameRow
from nimtui.ui.library.details import Details, details
from nimtui.ui.library.shelf import Item, Kind
from tests.arena import facts
from tests.arena.crosstables import AGENTS, Field, Tally, _field
from tests.patterns import Patterns, check, real, same
from tests.theory.force import Force, is_true
from tests.theory.literal_table import Literal

COUNT = r"[\d,]+"


def whole(text: str) -> int:
    return int(text.replace(",", ""))


def share_is(said: str, true: float) -> None:
    """Check '83.4 %', '<0.1 %' or '>99.9 %'."""
    low, high = {"<": (0, 0.1), ">": (99.9, 100)}.get(said[0], (0.0, 0.0))
    if high:
        assert low < 100 * true < high
    else:
        assert abs(float(said) - 100 * true) <= 0.0501 and (float(said) in (0, 100)) == (true in (0, 1))


def rounded(said: str, true: float) -> None:
    """Check '950', '12.4k', '5M'."""
    unit = {"k": 1e3, "M": 1e6, "G": 1e9}.get(said[-1], 1.0)
    assert abs(real(said.rstrip("kMG")) * unit - true) <= 0.0501 * unit


class File:
    """A file with the size and the date that the disk says."""

    path: Path
    kind = Kind.RUN

    def forms(self) -> Patterns:
        size = self.path.stat().st_size

        def in_bytes(_: Any, number: str, unit: str) -> None:
            step = {"bytes": 1, "kB": 1e3, "MB": 1e6}[unit]
            assert (
                abs(float(number) * step - size)
                <= (0.5 if float(number) >= 100 else 0.05 if float(number) >= 10 else 0.005) * step
            )

        return {
            r"file (.+)": lambda _, name: same(name, self.path.name),
            r"size ([\d.]+) (bytes|kB|MB)": in_bytes,
            r"changed (.+)": lambda _, date: same(date, moment(self.path.stat().st_mtime)),
        }

    @property
    def item(self) -> Item:
        found = self.path.stat()
        return Item(self.kind, self.path, "", self.path.name, found.st_mtime, found.st_size)


def figures_of(found: Details) -> list[tuple[str, str]]:
    [figures] = [block for block in found.report.blocks if isinstance(block, Figures)]
    return [(figure.label, figure.value.text) for figure in figures.rows]


def lines_of(found: Details) -> list[str]:
    return [block.text for block in found.report.blocks if isinstance(block, Sentence)]


def standings_of(found: Details) -> tuple[str, ...]:
    """The rows of the standings: place, agent, score and Elo with its interval or bound; '?' if the Elo is unknown."""
    [table] = [block for block in found.report.blocks if isinstance(block, Table)]
    columns = {column.head: column for column in table.columns}
    lines = []
    for row in table.rows:
        place, name, share, elo, far = (columns[head].value(row) for head in ("", "agent", "score", "Elo", "Elo 95 %"))
        bound = far.short if far.short != far.text else f"{elo} {far}".strip()
        lines.append(f"{place} {name.short} {share} {'?' if elo.text == '–' else bound}")
    return tuple(lines)


# Tables and runs.


class Saved(File):
    """A table with its run, and the table as it was when it was measured last."""

    def __init__(self, force: Force, path: Path, seed: int, measured: Literal, last: Literal, run: Any) -> None:
        self.force, self.path, self.seed = force, path, seed
        self.measured, self.last, self.run = measured, last, run


def accuracy(saved: Saved, share: str, after: str | None) -> None:
    """Of all positions that are not over, only those count that are not lost."""
    share_is(share, saved.measured.accuracy)
    assert (after is None) == (saved.measured.table.games == saved.last.table.games)
    if after is not None:
        rounded(after, saved.measured.table.games)


def positions(saved: Saved, number: str) -> None:
    """All of a run; of a table that plain Python trained, those that its games met."""
    there = {row.state.board.tobytes() for row in saved.last.table.rows()}
    assert whole(number) == len(there) and there <= {state.board.tobytes() for state in saved.last.states}
    assert len(there) == len(saved.last.states) or saved.last.table.games < 100


def perfect(saved: Saved, games: str) -> None:
    """From so many games on every best move was right."""
    table = interpreted.train(saved.force.game, parse_learner(saved.last.table.learner), whole(games), saved.seed)
    assert Literal(saved.force, table).accuracy == 1


SHARE = r"([<>]?[\d.]+) %"
PERFECT = rf"perfect after ({COUNT}) games"
TABLE: Patterns = {
    r"game (.+)": lambda saved, name: same(parse_game(name), saved.force.game),
    r"learner (.+)": lambda saved, name: same(parse_learner(name), parse_learner(saved.last.table.learner)),
    rf"games ({COUNT})": lambda saved, number: same(whole(number), saved.last.table.games),
    r"seed (\d+)": lambda saved, number: same(int(number), saved.seed),
    rf"positions ({COUNT}) in the table": positions,
    rf"accuracy {SHARE}(?: after ({COUNT}[.\d]*[kMG]?))?, over positions not lost": accuracy,
    rf"unbeaten {SHARE}": lambda saved, share: share_is(share, saved.measured.unbeaten),
    PERFECT: perfect,
    rf"goal ({COUNT}) games": lambda saved, games: is_true(
        whole(games) == saved.run["more"]["goal"]["games"] > saved.last.table.games
    ),
    r"run none: only the table": lambda saved: same(saved.run, None),
}


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["reward", "quality", "proof"])
def test_every_figure_of_a_table_is_true(learner: str, tmp_path: Path) -> None:
    told, measures = set[str](), 0
    for name in ("nim:3,2,1", "nim:2,3:misere", "kayles:4", "noughts:2x3x2", "connect:3x2x3", "nim:1"):
        force, game = Force(name), parse_game(name)
        for seed, (early, late, goal) in enumerate(((40, 40, 90), (3, 70, 70), (0, 0, 0), (300, 12_345, None))):
            path = tmp_path / f"{name.replace(':', '-')}-{seed}.npz"
            if late > 1000:
                run = Run(Training(game, parse_learner(learner), seed), path)
                run.goal(early, until_perfect=True)
                run.work()
                run.save()
                point = run.training.curve[-1]
                before = Literal(force, interpreted.train(game, parse_learner(learner), point.games, seed))
                after, document = Literal(force, run.training.table), {"more": run.training.more}
                saved = Saved(force, path, seed, before, after, document)
            else:
                before, after = (Literal(force, interpreted.train(game, parse_learner(learner), games, seed))
                                 for games in (early, late))  # fmt: skip
                curve = [[early, before.accuracy, before.unbeaten]]
                document = {"rng": 0, "plies": 9, "seconds": 0.1, "curve": curve, "more": {"goal": {"games": goal}}}
                saved = Saved(force, path, seed, before, after, document if goal else None)
                after.table.save(path, saved.run)
            found = details(saved.item, lambda: None)  # type: ignore[arg-type,return-value]
            assert not lines_of(found)
            told |= {check(f"{label} {text}", TABLE | saved.forms(), saved) for label, text in figures_of(found)}
            measures += len({round(part, 3) for part in (saved.measured.accuracy, everywhere(saved.measured))}) == 2
    assert told >= {*TABLE, *saved.forms()} - ({PERFECT} if learner == "reward" else set()) and measures > 5


def everywhere(table: Literal) -> float:
    """The same mean over all positions, the lost ones too, where every move keeps the outcome."""
    return sum(map(table.right, table.states)) / len(table.states)


# Sweeps.


class Swept(File):
    """A sweep of random results, of which some are missing."""

    kind = Kind.SWEEP

    def __init__(self, chance: random.Random, path: Path) -> None:
        self.repeats, self.path = chance.randint(1, 5), path
        self.grid = {"margin": (50, 70, 90)[: chance.randint(1, 3)], "win": (19, 29)[: chance.randint(1, 2)]}
        grid = [f"{name}={','.join(map(str, values))}" for name, values in self.grid.items()]
        self.plan = sweep_plan(parse_game("nim:2,1"), "quality:loss=7", grid, self.repeats, 60_000, 1)
        self.needed: dict[str, list[int | None]] = {}
        done, often = chance.choice([0.0, 0.5, 1.0, 1.0]), chance.choice([0.2, 0.8, 1.0])
        log, self.done = begin(self.plan, path), 0
        for piece in self.plan.pieces:
            if chance.random() < done:
                games = chance.choice([40, 70, 90, 7224, 43_210]) if chance.random() < often else None
                self.needed.setdefault(piece.learner, []).append(games)
                log.append([_entry(piece, Needed(games, games, 60_000, 0.5, 1.0))])
                self.done += 1
        log.close()

    @property
    def cells(self) -> dict[str, float]:
        """The median of each cell with all its seeds, those that never got there above any number."""
        found = {}
        for setting in self.plan.settings:
            games = self.needed.get(setting.learner, [])
            if len(games) == self.repeats:
                name = ", ".join(f"{name} {value}" for name, value in setting.params.items())
                found[name] = median(one or 10**9 for one in games)
        return found

    def never(self, name: str) -> int:
        [setting] = [one for one in self.plan.settings
                     if ", ".join(f"{name} {value}" for name, value in one.params.items()) == name]  # fmt: skip
        return self.needed[setting.learner].count(None)


def quickest(swept: Swept, words: str, far: str | None, name: str, others: str | None, games: str, seeds: str | None,
             of: str | None, there: str | None) -> None:  # fmt: skip
    cells = swept.cells
    assert cells[name] == min(cells.values()) and abs(real(games) - cells[name]) <= 0.5
    assert bool(far) == (len(cells) < len(swept.plan.settings))
    alike = [one for one in cells if (cells[one], swept.never(one)) == (cells[name], swept.never(name))]
    assert int(others or 0) == len(alike) - 1
    assert (words == "Quickest median") == (of is not None) == (swept.never(name) > 0)
    assert of is None or (int(of), int(there or 0)) == (swept.repeats, swept.repeats - swept.never(name))
    assert seeds is None or int(seeds) == swept.repeats > 1


def nobody(swept: Swept, far: str | None) -> None:
    assert swept.cells and min(swept.cells.values()) > 10**8
    assert bool(far) == (len(swept.cells) < len(swept.plan.settings))


SWEEP: Patterns = {
    r"game (.+)": lambda swept, name: same(parse_game(name), swept.plan.game),
    r"learner (.+)": lambda swept, name: same(parse_learner(name), parse_learner("quality:loss=7")),
    r"(margin|win) (.+)": lambda swept, name, values: same(tuple(map(int, values.split(", "))), swept.grid[name]),
    r"cells (\d+) × (\d+) seeds?": lambda swept, cells, seeds: same(
        (int(cells), int(seeds)), (len(swept.grid["margin"]) * len(swept.grid["win"]), swept.repeats)
    ),
    rf"trainings ({COUNT}) of ({COUNT})": lambda swept, done, total: is_true(
        whole(done) == swept.done < whole(total) == len(swept.plan.pieces)
    ),
    rf"trainings ({COUNT}), all done": lambda swept, total: is_true(
        whole(total) == swept.done == len(swept.plan.pieces)
    ),
    rf"games up to ({COUNT})": lambda swept, games: same(whole(games), 60_000),
}
BEST: Patterns = {
    r"(Quickest|Quickest median)( so far)?: (.+?)(?: and (\d) other cells?)?, (?:perfect after )?"
    rf"({COUNT}(?:\.5)?) games(?: \(median of (\d) seeds\))?\.(?: Of (\d) seeds?, (\d) got there\.)?": quickest,
    r"No cell became perfect with most of its seeds( so far)?\.": nobody,
}


@pytest.mark.slow
def test_every_figure_of_a_sweep_is_true(tmp_path: Path) -> None:
    told, chance = set[str](), random.Random(5)
    for number in range(70):
        swept = Swept(chance, tmp_path / f"{number}.jsonl")
        found = details(swept.item, lambda: None)  # type: ignore[arg-type,return-value]
        told |= {check(f"{label} {text}", SWEEP | swept.forms(), swept) for label, text in figures_of(found)}
        told |= {check(text, BEST, swept) for text in lines_of(found)}
        assert bool(lines_of(found)) == (bool(swept.cells) and len(swept.plan.settings) > 1)
    assert told == {*SWEEP, *BEST, *swept.forms()}


# Tournaments.


def keep(db: Database, field: Field, more: dict[str, Any]) -> int:
    """Save a tournament game by game."""
    document = {**field.plan.document(), "seed": 7, **more}
    places = [tuple(one) for one in field.plan.pairings]
    kept = tournaments.begin(db, document, field.plan.games, field.plan.agents, places, field.plan.total)  # type: ignore[arg-type]
    for place, results in enumerate(field.results):
        rows = []
        for number, result in enumerate(results.tolist()):
            if result > -2:
                opener = number % 2 if field.plan.alternate else 0
                fault = "it slept" if number in field.faults[place] else ""
                rows.append(GameRow(number, opener, 0, b"", result, (2, 2), (1, 1), (0, 0), fault, 0.0))
        kept.append(place, rows)
    kept.ended("done", 1.0)
    kept.close()
    return kept.id


def random_field(source: np.random.Generator) -> Field:
    pairs = str(source.choice(["round-robin", "gauntlet", "gauntlet", "ordered", "one-sided"]))
    agents = 2 if pairs == "one-sided" else int(source.integers(2, 7))
    games = ("subtraction:21,3:misere", "connect:3x3x3")[: int(source.integers(1, 3))]
    openings = str(source.choice(["start", "random:2"]))
    made = plan(games, AGENTS[:agents], pairs, int(source.choice([2, 6, 21])), openings)
    kind = str(source.choice(["model", "cells", "one wins all", "one loses all", "first", "second", "draws", "circle"]))
    return _field(made, kind, str(source.choice(["all", "all", "some", "none"])), 0.2, 0.02, source)


def played(field: Field, done: str | None, total: str) -> None:
    number = sum(1 for row in field.results for result in row if result > -2)
    planned = sum(len(row) for row in field.results)
    assert whole(total) == planned and (done is None) == (number == planned) and whole(done or total) == number


def time(field: Field, move: str | None, game: str | None) -> None:
    assert (float(move or 0), float(game or 0)) == (2.0, 60.0)


TOURNAMENT: Patterns = {
    r"game (.+)": lambda field, names: same(
        [parse_game(name) for name in names.split(", ")], list(map(parse_game, field.plan.games))
    ),
    r"pairs (round-robin|gauntlet|ordered|one-sided) × (.+ games?)": lambda field, pairs, number: same(
        {(pairs, facts.games(number))}, {(field.plan.pairs, len(row)) for row in field.results}
    ),
    r"openings (.+)": lambda field, name: same(name, field.plan.openings.name),
    r"seed (\d+)": lambda field, seed: same(int(seed), 7),
    r"test elo0=0, elo1=30": lambda field: None,
    r"time ([\d.]+) s a move, ([\d.]+) s a game": time,
    rf"played (?:({COUNT}) of )?({COUNT})": played,
    r"state (done|stopped)": lambda field, state: None,
    r"changed (.+)": lambda field, date: None,
}
STANDING = r"(\d|–) (.+?) +([\d.]+ %|–) +(\?|[≥≤] [+−]?[\d,]+|[+−]?[\d,]+(?: ±[\d,]+)?)"


@pytest.mark.slow
def test_every_figure_of_a_tournament_is_true() -> None:
    told, source, kinds, db = set[str](), np.random.default_rng(6), set[str](), Database()
    for number in range(60):
        field = random_field(source)
        more = [{}, {"sprt": "elo0=0,elo1=30"}, {"move_time": 2.0, "game_time": 60.0}][number % 3]
        id = keep(db, field, more)
        size = sum(1 for row in field.results for result in row if result > -2)
        found = details(Item(Kind.TOURNAMENT, id, "", "", 0.0, size, state=("", "stopped")[number % 2]), lambda: db)
        assert ("state", ("done", "stopped")[number % 2]) in figures_of(found)
        told |= {check(f"{label} {text}", TOURNAMENT, field) for label, text in figures_of(found)}
        kinds |= check_standings(field, standings_of(found))
    db.close()
    assert told == set(TOURNAMENT) and kinds == set("?≥≤±–")


def check_standings(field: Field, lines: tuple[str, ...]) -> set[str]:
    ratings, names, kinds = field.view.standings.ratings, labels(field.plan.agents), set[str]()
    assert len(lines) == len(names)
    keys: list[tuple[float, ...]] = []
    for at, text in enumerate(lines):
        match = re.fullmatch(STANDING, text)
        assert match, f"a sentence without a pattern: {text}"
        agent = names.index(match[2].strip())
        counts = field.of_agents[agent]
        score = counts.points / counts.games if counts.games else None
        if score is None:
            assert match[3].strip() == "–"
        else:
            share_is(match[3].strip().removesuffix(" %"), score)
        rating, silent = ratings.ratings[agent], facts.silent(field)
        by_elo = field.plan.pairs == "gauntlet" and not silent
        if match[4] == "?":
            assert silent or agent not in field.group
        elif match[4][0] in "≥≤":
            assert counts.games == (counts.won if match[4][0] == "≥" else counts.lost)
            assert real(match[4][2:]) == pytest.approx(
                facts.bound(field, ratings, agent, match[4][0] == "≥"), abs=0.5001
            )
        else:
            elo, _, half = match[4].partition(" ±")
            assert not silent and real(elo) == pytest.approx(rating.elo, abs=0.5001)
            assert real(half or "0") == pytest.approx(rating.high - rating.elo, abs=0.5001)
        others = [ratings.ratings[one].elo for one in field.group if one != agent]
        is_open = by_elo and match[4][0] in "≥≤" and (
            max(others) >= facts.bound(field, ratings, agent, True) if match[4][0] == "≥"
            else min(others) <= facts.bound(field, ratings, agent, False))  # fmt: skip
        assert match[1] == ("–" if is_open else str(at + 1))
        points = 1.0 if score is None else -score
        keys.append((9e9 if isnan(rating.elo) else -rating.elo,) if by_elo else (points,))
        kinds |= {sign for sign in "?≥≤±" if sign in match[4]} | ({"–"} if match[1] == "–" else set())
    assert keys == sorted(keys)
    return kinds


def test_names_that_are_cut_stay_apart() -> None:
    agents = ("mcts:simulations=500,c=1.0", "mcts:simulations=500,c=1.5", "mcts:simulations=500,c=1.25")
    made, db = plan(("nim:3,2",), agents, "round-robin", 2, "start"), Database()
    field = Field(made, tuple(np.array([1, -1], np.int8) for _ in made.pairings), (frozenset(),) * 3)
    found = details(Item(Kind.TOURNAMENT, keep(db, field, {}), "", "", 0.0, 6), lambda: db)
    db.close()
    assert field.of_agents[0] == Tally(2, 0, 2)
    texts = [plain_text(line) for line in cells(found.report, 32, 20)]
    assert len({text[3:].partition("  ")[0] for text in texts if text[:3] in ("1  ", "2  ", "3  ")}) == 3
