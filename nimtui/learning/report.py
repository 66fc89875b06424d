"""What a training, a table and the versions of a taught table tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nimtui.errors import InputError
from nimtui.foreign.values import moment
from nimtui.games.base import Move
from nimtui.games.rule_text import Place
from nimtui.learning.curve_points import FEW, FEW_FROM, MANY, FunctionPoint, Point, Points, games_of_measure, share_in
from nimtui.learning.curve_points import Share as Taken
from nimtui.learning.evaluate import Standing, accuracy_of, population, right_moves, seats_text
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.run import Run
from nimtui.learning.sample import Sample, interval_of, why_none
from nimtui.learning.table import Row, Table
from nimtui.learning.taught import Lesson, Taught, change_text, changed_positions
from nimtui.learning.training import Training
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Block, Column, Facts, Gap, Heading, Report, Sentence
from nimtui.report.blocks import Table as Rows
from nimtui.report.lines import FIRM
from nimtui.report.values import (
    NOTHING,
    Bar,
    Count,
    Duration,
    Fine,
    Keys,
    Named,
    Number,
    Result,
    Score,
    Share,
    Value,
    Word,
)
from nimtui.theory.answers import SOON, Until
from nimtui.theory.truth import truth

MEASURED = ("accuracy", "reachable", "unbeaten", "proof", "perfect", "right", "wrong", "undecided")
MOST_NAMED = 6  # moves in one cell
SEATS = ("first", "second")


# A training.


def trained(run: Run) -> Report:
    """Return the report of a run. Its numbers cover the whole run, with the games before this command."""
    training, file = run.training, run.writer
    now = now_of(run)
    curve, pace = training.curve_to(now), training.games_per_second
    last = curve[-1]
    positions = None if now is None else len(training.table.numbers)
    saved = None if file.path is None or file.fault else str(file.path)
    facts = {
        "game": training.game.name,
        "learner": training.table.learner,
        "seed": training.seed,
        "games": training.games,
        "seconds": training.seconds,
        "games_per_second": pace,
        "plies": training.plies,
        **{name: None if now is None else getattr(now, name) for name in MEASURED},
        **_of_function(training, last),
        "games_to_perfect": training.more.get("perfect"),
        "curve": [point._asdict() | _points(training, point) for point in curve],
        "positions": positions,
        "saved": saved,
        "saved_games": None if file.path is None else file.games or 0,
    }

    def games(point: Point | FunctionPoint) -> Word:
        return Word(str(Count(point.games)), said=f"After {Named(point.games, 'game', 'games')}")

    def share(value: float | None) -> Value:
        return NOTHING if value is None else Share(value)

    columns = [Column("games", games)]
    if now is not None:
        columns += [
            Column("accuracy", lambda point: share(point.accuracy)),
            Column("", lambda point: Bar(point.accuracy), left=True),
            Column("against perfect", lambda point: share(point.unbeaten), spoken="against perfect play"),
        ]
    if isinstance(last, FunctionPoint) and last.right_moves is not None:
        columns.append(Column("right moves", lambda point: share(point.right_moves)))
        if now is None:
            columns.append(Column("", lambda point: Bar(point.right_moves), left=True))
            if any(getattr(point, "points_against_perfect", None) is not None for point in curve):
                points_of = Column(
                    "points", lambda point: share(point.points_against_perfect), spoken="points against perfect play"
                )
                columns.append(points_of)
    picture: list[Block] = [Rows("", columns, points(curve)), Gap()] if len(columns) > 1 else []  # if measured
    blocks: list[Block] = [
        Heading(Place(training.game, training.game.start, None).title),
        Sentence(
            f"{training.table.learner}, seed {training.seed}: {Count(training.games)} games"
            f" in {Duration(training.seconds)}, {Count(pace)} a second",
            facts,
        ),
        Sentence(", ".join(_sizes(training, positions))),
        Gap(),
        *picture,
        *map(Sentence, _of_sample(training, last) if now is None else reached(run, now)),
    ]
    if saved is not None:
        blocks.append(Sentence(f"saved to {saved}".replace(" ", FIRM)))
    return Report(blocks)


def worth(run: Run) -> str:
    """Return what the table or the function of a run is worth, by the last look; '' if nothing is measured."""
    training, view = run.training, run.views.newest
    if training.truth is not None:
        return "" if view is None else f"accuracy {Share(view.standing.accuracy)}"
    share = getattr(training.curve[-1], "right_moves", None) if training.curve else None
    return "" if share is None else f"right moves {Share(share)}"


def _sizes(training: Training, positions: int | None) -> list[str]:
    """Return what was played and what was learned, in numbers."""
    sizes = [Named(training.plies, "ply", "plies").text]
    if positions is not None:
        sizes.append(Named(positions, "position", "positions").text)
    if training.estimator is not None:
        sizes.append(Named(training.estimator.weights, "weight", "weights").text)
    return sizes


def _of_function(training: Training, last: Point | FunctionPoint) -> dict[str, Any]:
    """Return the keys of a learner with a function; none of a table."""
    if training.estimator is None or not isinstance(last, FunctionPoint):
        return {}
    met = unmet = None
    if training.truth is not None:
        _, met, unmet = right_moves(training.truth, training.scores(), training.table.visits)
    low, high = interval_of(training.sample, last.right_moves)
    taken = taken_after(training, last.games)
    return {
        "right_moves": last.right_moves,
        "right_moves_low": low,
        "right_moves_high": high,
        "right_moves_met": met,
        "right_moves_unmet": unmet,
        **_points(training, last),
        **_intervals({"points_from_openings": taken and taken.openings}),
        "openings_worth": taken and taken.worth,
        "points_games": taken and taken.games,
        "weights": training.estimator.weights,
        "over": training.learner.over or training.over,
    }


def _points(training: Training, at: Point | FunctionPoint) -> dict[str, Any]:
    """Return the keys of points at a point of the curve: against perfect play and against random moves."""
    if not isinstance(at, FunctionPoint):
        return {}
    kinds = {"points_against_perfect": _from_perfect(training, at), "points_against_random": _from_random(training, at)}
    return _intervals(kinds)


def _intervals(kinds: Mapping[str, Taken | None]) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    for name, of in kinds.items():
        keys |= {name: of and of.points, f"{name}_low": of and of.low, f"{name}_high": of and of.high}
    return keys


def _from_perfect(training: Training, at: FunctionPoint) -> Taken | None:
    """Return what a function took from perfect play at a point of the curve; None if that was not measured."""
    if at.points_against_perfect is None:
        return None
    taken = taken_after(training, at.games)
    return share_in(at.points_against_perfect, None if training.truth else taken.games if taken else FEW)


def _from_random(training: Training, at: FunctionPoint) -> Taken | None:
    """Return the same against random moves."""
    random = at.points_against_random
    return None if random is None else share_in(random, None if training.truth else MANY)


def taken_after(training: Training, games: int) -> Points | None:
    """Return the points that a sample of games measured after so many games of training; None if none did."""
    measured, taken = training.points
    return taken if measured == games else None


def _of_points(training: Training, last: FunctionPoint) -> list[str]:
    """Return what a function takes moving first, in games against perfect play and against random moves."""

    def share(points: Taken) -> str:
        return f"{Share(points.points)} ({Share(points.low)} to {Share(points.high)})"

    taken, random = taken_after(training, last.games), _from_random(training, last)
    sentences = []
    if random is not None:
        sentences.append(f"points moving first, in {Count(MANY)} games: {share(random)} against random moves")
    if taken is None:
        when = "when a run is done" if games_of_measure(last.games) else f"from {Count(FEW_FROM)} games on"
        return [*sentences, f"points against perfect play: measured {when}"]
    if taken.perfect is not None:
        games = f"in {Count(taken.games)} games"
        sentences.append(f"{games} against perfect play, which holds out longest: {share(taken.perfect)}")
    if taken.openings is not None and taken.worth is not None:
        worth = f"perfect play would take {Share(taken.worth)}"
        sentences.append(f"the same from openings of one and two random plies: {share(taken.openings)}; {worth}")
    return sentences


def _of_sample(training: Training, last: Point | FunctionPoint) -> list[str]:
    """Return what the share of right moves counts, with its interval, and what a random player would have."""
    sample = training.sample
    assert isinstance(last, FunctionPoint)
    points = _of_points(training, last)
    if sample is None or last.right_moves is None:
        return [f"right moves: unknown, because {why_none(training.game)}", *points]
    low, high = map(Share, sample.interval(last.right_moves))
    where = (
        f"{Named(len(sample.boards), 'position', 'positions')} after {sample.plies.min()} to {sample.plies.max()} plies"
    )
    return [
        f"right moves: {Share(last.right_moves)}, {low} to {high} in 19 of 20 cases",
        f"measured on {where} where the moves differ; a random player has {Share(sample.chance())}",
        *points,
    ]


def points(curve: Sequence[Point | FunctionPoint]) -> list[Point | FunctionPoint]:
    """Return the points at 0, 1, 10, 100 … games, with games against perfect play, and at the end."""
    return [
        point
        for point in curve
        if str(point.games).strip("0") in ("", "1")
        or point is curve[-1]
        or (point.accuracy is None and getattr(point, "points_against_perfect", None) is not None)
    ]


def reached(run: Run, now: Standing) -> tuple[str, str, str]:
    """Return what the accuracy counts, whether any opponent can bring about a mistake, and whether all is right."""
    assert run.training.truth is not None
    population, after = Count(now.right + now.wrong + now.undecided), run.training.more.get("perfect")
    right = "yes" if after is None else f"yes, after {Named(after, 'game', 'games')}"
    if not now.perfect:
        counts = [f"{count:,} {what}" for count, what in ((now.wrong, "wrong"), (now.undecided, "undecided")) if count]
        right = f"no ({', '.join(counts).replace(' ', f' of {population} ', 1)})"
    return (
        f"accuracy: over the {population} positions{'' if run.training.game.pays else ' not lost'}",
        f"no mistake against any opponent, {seats_text(run.training.truth)}: {'yes' if now.proof else 'no'}",
        f"every position right: {right}",
    )


def now_of(run: Run) -> Standing | None:
    """Return the standing of the table as it is now; None where the game has too many positions."""
    return None if run.training.truth is None else standing(run)


def standing(run: Run) -> Standing:
    """Return the standing of the table as it is now."""
    view = run.views.newest
    return view.standing if view is not None and view.games == run.training.games else run.training.standing()


# A sample.


def sampled(sample: Sample, file: Path | None) -> Report:
    """Return the report of a sample, and the file that holds it: how many positions after how many plies."""
    positions, chance = Named(len(sample.boards), "position", "positions"), Share(sample.chance())
    facts = {
        "game": sample.game.name,
        "seed": sample.seed,
        "positions": len(sample.boards),
        "right_moves_at_random": sample.chance(),
        "file": None if file is None else str(file),
    }
    plies = np.unique(sample.plies).tolist()
    columns = [
        Column("plies", lambda ply: Count(ply), "plies"),
        Column("positions", lambda ply: Count(len(sample.after(ply).boards)), "positions"),
        Column("right at random", lambda ply: Share(sample.after(ply).chance()), "right_moves_at_random"),
    ]
    blocks: list[Block] = [
        Heading(Place(sample.game, sample.game.start, None).title),
        Sentence(f"{positions} where the moves differ, seed {sample.seed}", facts),
        Gap(),
        Rows("plies", columns, plies),
        Gap(),
        Sentence(f"A random player has {chance} right moves."),
    ]
    if file is not None:
        blocks.append(Sentence(f"saved in {file}".replace(" ", FIRM)))
    return Report(blocks)


# A table.


class Entry(NamedTuple):
    """A position of a table, and its best moves."""

    row: Row
    best: tuple[Move, ...]  # by the table: the moves of the highest score
    optimal: tuple[Move, ...] | None  # the moves that keep the outcome, all if the position is lost; None: unknown


def about(table: Table) -> dict[str, Any]:
    """Return the head of a table's document: game, learner, seed and games."""
    return {"game": table.game.name, "learner": table.learner, "seed": table.seed, "games": table.games}


def entry_keys(table: Table, entry: Entry) -> dict[str, Any]:
    """Return the document of one position, with moves by name."""
    game, state = table.game, entry.row.state
    names = {move: game.move_name(move, state) for move in entry.row.scores}
    return {
        "position": game.position_name(state),
        "scores": {names[move]: score for move, score in entry.row.scores.items()},
        "visits": {name: entry.row.visits.get(move) for move, name in names.items()},
        "best_moves": [names[move] for move in entry.best],
        "optimal_moves": None if entry.optimal is None else [names[move] for move in entry.optimal],
    }


def positions(table: Table, rows: Sequence[Entry]) -> Report:
    """Return the report of all positions of a table: their best-scored moves, and whether perfect play agrees."""
    columns = [
        Column("position", lambda entry: Word(table.game.position_name(entry.row.state) or "the start"), left=True),
        Column("score", lambda entry: score(max(entry.row.scores.values(), default=0))),
        Column("visits", lambda entry: Count(sum(entry.row.visits.values()))),
        Column("best moves", lambda entry: Word(_several(table, entry)), left=True),
        Column("truth", lambda entry: Word(_truth(entry, entry.best)), left=True),
        Column(None, lambda entry: Keys(entry_keys(table, entry)), "position"),
    ]
    return Report([Heading(_title(table)), Facts(about(table)), Gap(), Rows("positions", columns, rows)])


def position(table: Table, place: Place, entry: Entry) -> Report:
    """Return the report of one position: the score of every move, the best first."""
    scores, visits = entry.row.scores, entry.row.visits
    columns = [
        Column("move", lambda move: Word(place.move(move)), left=True),
        Column("score", lambda move: score(scores[move])),
        Column("visits", lambda move: Count(visits.get(move))),
        Column("truth", lambda move: Word(_truth(entry, [move], "mistake")), left=True),
    ]
    facts = about(table) | entry_keys(table, entry) | place.keys
    moves = Rows("", columns, list(scores), rank=lambda move: scores[move])
    return Report([Heading(_title(table)), Heading(place.line), Facts(facts), Gap(), moves])


def score(value: float) -> Number:
    """Return the score of a move: a whole number, or a fraction with three places even if it is 1."""
    return Score(value) if isinstance(value, int) else Result(value)


def _title(table: Table) -> str:
    return f"{table.game.name}  {table.learner}, {Count(table.games)} games"


def _several(table: Table, entry: Entry) -> str:
    names = [table.game.move_name(move, entry.row.state) for move in entry.best[:MOST_NAMED]]
    more = len(entry.best) - MOST_NAMED
    return " ".join(names) + (f" and {more} more" if more > 0 else "")


def _truth(entry: Entry, moves: Collection[Move], otherwise: str = "") -> str:
    """Return whether these moves keep the outcome: 'best', 'all equal', 'unknown', otherwise '2 of 3 best'."""
    if entry.optimal is None:
        return "unknown"
    if len(entry.optimal) == len(entry.row.scores):
        return "all equal"
    right = len(set(moves) & set(entry.optimal))
    if right == len(moves):
        return "best"
    return otherwise or f"{right} of {len(moves)} best"


# The versions of a taught table.


class Version(NamedTuple):
    """One version of a taught table, and what its lesson changed."""

    number: int
    games: int
    lesson: Lesson | None  # None: the base
    moves: tuple[str, ...]  # of the lesson, by name
    positions: tuple[str, ...]  # whose best-scored moves the lesson changed
    accuracy: float | None  # None: unknown

    @property
    def winner(self) -> str:
        """The name of the lesson's winner; '' after a draw and for the base."""
        return "" if self.lesson is None or self.lesson.winner is None else self.lesson.players[self.lesson.winner]

    def document(self) -> dict[str, Any]:
        lesson = self.lesson
        return {
            "version": self.number,
            "games": self.games,
            "accuracy": self.accuracy,
            "when": None if lesson is None else lesson.when,
            "players": None if lesson is None else list(lesson.players),
            "start": None if lesson is None else lesson.position,
            "moves": list(self.moves),
            "weight": None if lesson is None else lesson.weight,
            "winner": None if lesson is None or lesson.winner is None else SEATS[lesson.winner],
            "changed_positions": list(self.positions),
        }


def versions(taught: Taught, progress: Progress = SILENT) -> list[Version]:
    """Return all versions, the base first. The accuracy is left out if the game takes long to solve.

    Raises StoreError if the lessons do not lead to the newest version.
    """
    tables, game = list(taught.versions()), taught.base.game
    shares = _accuracies(tables, progress)
    versions = [Version(0, taught.base.games, None, (), (), shares[0])]
    for number, lesson in enumerate(taught.lessons, 1):
        before, after = tables[number - 1 : number + 1]
        changed = tuple(changed_positions(before, after, lesson))
        moves = tuple(game.line_names(lesson.moves, lesson.record(game).state_at(0)))
        versions.append(Version(number, after.games, lesson, moves, changed, shares[number]))
    return versions


def accuracy_change(taught: Taught, progress: Progress = SILENT) -> str:
    """Return what the last lesson did to the accuracy; '' if the game takes long to solve, or without lessons."""
    if not taught.lessons:
        return ""
    return change_text(*_accuracies([taught.version(len(taught) - 1), taught.newest], progress))


def _accuracies(tables: list[Table], progress: Progress) -> list[float | None]:
    if why_untrainable(tables[0].game) is not None:
        return [None] * len(tables)
    limited = Until(progress, SOON)
    accuracies: list[float | None] = []
    try:
        solution = truth(tables[0].game, limited)
        for number, table in enumerate(tables):
            limited.report(number, len(tables), "versions")
            accuracies.append(accuracy_of(solution, on_graph(table, solution.graph).cells))
    except InputError:  # too slow, or too large
        pass
    return accuracies + [None] * (len(tables) - len(accuracies))


def taught_versions(taught: Taught, rows: Sequence[Version]) -> Report:
    """Return the report of all versions, and what each lesson changed."""
    base = taught.base
    facts = {"game": base.game.name, "learner": base.learner, "seed": base.seed, "base": taught.origin}
    title = f"{base.game.name}  {base.learner}, taught from {taught.origin}"
    footnote = Sentence(f"accuracy: {population(base.game)}")
    return Report([Heading(title), Facts(facts), Gap(), lessons(rows), Gap(), footnote])


def lessons(rows: Sequence[Version]) -> Rows:
    """Return a row for each version: its accuracy, its lesson, and what the lesson changed."""
    columns = [
        Column("version", lambda one: Count(one.number)),
        Column("games", lambda one: Count(one.games)),
        Column("accuracy", lambda one: Word("unknown") if one.accuracy is None else Fine(one.accuracy)),
        Column("lesson", lambda one: Word(lesson_text(one)), left=True),
        Column("weight", lambda one: NOTHING if one.lesson is None else Count(one.lesson.weight)),
        Column(
            "best moves changed in",
            lambda one: NOTHING if one.lesson is None else Named(len(one.positions), "position", "positions"),
        ),
        Column("moves", lambda one: Word(" ".join(one.moves)), left=True),
        Column(None, lambda one: Keys(one.document()), "version"),
    ]
    return Rows("versions", columns, rows)


def lesson_text(one: Version) -> str:
    """Return who won a lesson, and when: 'me won, 2026-11-14 09:31'."""
    if one.lesson is None:
        return "the base"
    return f"{f'{one.winner} won' if one.winner else 'a draw'}, {moment(one.lesson.when, '%Y-%m-%d %H:%M')}"
