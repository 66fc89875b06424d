"""A table that a person taught: its base, the games it learned from since, and the table after each of them.

Version 0 is the base, version n the table after n lessons. A lesson is one game. The file is that of a table: its
arrays are the newest version, so all that reads tables reads it. Beside them it holds the base, and in its header the
moves of every lesson. Older versions are computed by learning again from the base, which is deterministic.

An `Effect` is what a lesson does to all positions of a game: the verdict on each before and after. Loads the engine.
Where they are too many, it is what the lesson does to some of the exact sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.foreign.values import fit_real
from nimtui.games import Game, Record, base
from nimtui.games.base import Move
from nimtui.games.notation import plural
from nimtui.learning import sample
from nimtui.learning.evaluate import RIGHT, WORDS, WRONG, differing, sampled_standing
from nimtui.learning.graph_table import on_graph, why_untrainable
from nimtui.learning.learner import Scores
from nimtui.learning.sample import SampledTruth, truth_of
from nimtui.learning.table import Change, Table, table_of
from nimtui.progress import SILENT, Progress
from nimtui.report.values import Fine, Typed, nearest
from nimtui.store import StoreError, arrays, claims, paths
from nimtui.theory.truth import Truth, truth

FORMAT = 2  # 1: all lessons have weight 1
WEIGHTS = (1, 10, 100, 1_000, 10_000)  # games of training that a lesson may count as, for a person to choose from
BASE = "base-"  # starts the names of the base's arrays
TAUGHT = "taught"  # the key in the header


@dataclass(frozen=True, slots=True)
class Lesson:
    """A finished game from which a table learned."""

    players: tuple[str, str]  # the names of the first and the second player
    position: str | None  # the start position; None: the game's own start
    moves: tuple[Move, ...]
    winner: int | None  # the seat, 0 or 1; None in a draw
    when: float  # Unix time
    weight: int = 1  # the table learns from the game this many times, at most WEIGHTS[-1]

    @classmethod
    def of(cls, record: Record, position: str | None, players: tuple[str, str], when: float, weight: int = 1) -> Lesson:
        return cls(players, position, tuple(record.moves), record.winner, when, weight)

    def record(self, game: Game) -> Record:
        """Return the game. Raises InputError if it is not one of this game's, played to its end."""
        record = Record(game, self.position, self.moves)
        if not record.over or record.winner != self.winner:
            raise InputError(f"its game does not end as {game.name} does")
        return record

    def document(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_document(cls, keys: Mapping[str, Any]) -> Lesson:
        first, second = map(str, keys["players"])
        position, winner, weight = keys["position"], keys["winner"], int(keys.get("weight", 1))
        if not 1 <= weight <= WEIGHTS[-1]:
            raise ValueError(f"the weight {weight:,} is not from 1 to {WEIGHTS[-1]:,}")
        return cls(
            (first, second),
            None if position is None else str(position),
            tuple(int(move) for move in keys["moves"]),
            None if winner is None else int(winner),
            fit_real(keys["when"]),
            weight,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A base and its lessons. Nothing changes the tables in here."""

    origin: str  # the agent that the base was: 'easy', 'table:other@2'
    base: Table
    newest: Table
    lessons: tuple[Lesson, ...]

    def __len__(self) -> int:
        """Return the number of the newest version."""
        return len(self.lessons)

    def versions(self) -> Iterator[Table]:
        """Yield version 0, 1, 2 …, each a table of its own. Raises StoreError if the lessons do not lead to the newest:
        the game or its learner has changed since.
        """
        table = self.base
        yield table
        for lesson in self.lessons:
            try:
                table, _ = after(table, lesson)
            except InputError as fault:
                raise StoreError(f"its lessons cannot be learned again: {fault}") from None
            yield table
        if not _same(table, self.newest):
            raise StoreError("its lessons lead to another table: the game or the learner has changed since")

    def version(self, number: int) -> Table:
        """Return this version. Raises InputError if there is none, StoreError if it cannot be computed."""
        if not 0 <= number <= len(self):
            raise InputError(f"there is no version {number}: versions are 0 to {len(self)}")
        if number == len(self):
            return self.newest
        if number == 0:
            return self.base
        return list(self.versions())[number]

    def with_lessons(self, lessons: Sequence[Lesson]) -> Taught:
        """Return it with more lessons. Raises InputError if the table cannot learn from one."""
        newest = self.newest
        for lesson in lessons:
            newest, _ = after(newest, lesson)
        return Taught(self.origin, self.base, newest, (*self.lessons, *lessons))

    def save(self, path: Path, new: bool) -> None:
        """Write the file, a new one or in place of the old. Raises StoreError if that fails."""
        about = {
            "format": FORMAT if any(lesson.weight > 1 for lesson in self.lessons) else 1,
            "origin": self.origin,
            "games": self.base.games,
            "lessons": [lesson.document() for lesson in self.lessons],
        }
        header = {**self.newest.header(), "run": None, TAUGHT: about}
        arrays.save(path, header, self.newest.parts() | self.base.parts(BASE), new)


def after(table: Table, lesson: Lesson) -> tuple[Table, list[Change]]:
    """Return the table after a lesson, and the changed scores; the given table stays as it is.

    Raises InputError if it cannot learn from the game.
    """
    copy = table.copy()
    return copy, copy.learn(lesson.record(table.game), lesson.weight)


def changed_positions(before: Table, after: Table, lesson: Lesson) -> list[str]:
    """Return the names of the lesson's positions whose best-scored moves differ between two tables."""
    game, record = before.game, lesson.record(before.game)
    states = [record.state_at(ply) for ply in range(record.ply)]
    differ = [state for state in states if before.best_moves(state) != after.best_moves(state)]
    return list(dict.fromkeys(game.position_name(state) for state in differ))


def read(path: Path) -> tuple[Table, Taught | None, dict[str, Any] | None]:
    """Return the (newest) table of a file, its versions if a person taught it, and its run if it has one.

    Raises StoreError with one line for any other file.
    """
    header, parts = arrays.load(path)
    table = table_of(path, header, parts)
    return table, _taught(path, table, header, parts), header.get("run")


def _taught(path: Path, newest: Table, header: Mapping[str, Any], parts: Mapping[str, Any]) -> Taught | None:
    about = header.get(TAUGHT)
    if about is None:
        return None
    try:
        if about["format"] > FORMAT:
            raise StoreError(f"{path} was written by a newer nimtui: its lessons have format {about['format']}")
        base = table_of(path, {**header, "games": about["games"]}, parts, BASE)
        lessons = tuple(Lesson.from_document(each) for each in about["lessons"])
        return Taught(str(about["origin"]), base, newest, lessons)
    except StoreError:
        raise
    except (LookupError, TypeError, ValueError, OverflowError) as fault:
        raise StoreError(f"{path} lacks parts of its lessons: {fault}") from None


def number_of_lessons(header: Mapping[str, Any]) -> int | None:
    """Return how many lessons a file's header names; None if nobody taught its table."""
    about = header.get(TAUGHT)
    return len(about["lessons"]) if isinstance(about, dict) and isinstance(about.get("lessons"), list) else None


def keep(path: Path, origin: str, base: Table, lessons: Sequence[Lesson]) -> Taught:
    """Save the lessons as new versions and return all: on top of the file's newest version, so that no lesson of
    another nimtui is lost, or of `base` in a new file.

    Raises StoreError if the file holds another table, or cannot be written; it is then as before.
    """
    paths.ensure(path.parent)
    claim = claims.claim(path, claims.PATIENCE)
    try:
        new = not path.exists()
        old = Taught(origin, base, base, ()) if new else _to_continue(path, base)
        taught = old.with_lessons(lessons)
        taught.save(path, new)
        return taught
    finally:
        if claim is not None:
            claim.release()


def _to_continue(path: Path, base: Table) -> Taught:
    _, taught, _ = read(path)
    if taught is None:
        raise StoreError(f"{path.stem} is another table: choose another name")
    newest = taught.newest
    if (newest.game, newest.learner) != (base.game, base.learner):
        raise StoreError(f"{path.stem} is a table of {newest.learner} for {newest.game.name}: choose another name")
    return taught


def _same(one: Table, other: Table) -> bool:
    columns = ("numbers", "ptr", "cells", "visits", "marks")
    learned = [{} if table.function is None else table.function.arrays() for table in (one, other)]
    if any(not np.allclose(numbers, learned[1][name], rtol=1e-4, atol=1e-6) for name, numbers in learned[0].items()):
        return False
    same = (np.array_equal(getattr(one, name), getattr(other, name)) for name in columns)
    return one.games == other.games and all(same)


def change_text(before: float | None, after: float | None) -> str:
    """Return an accuracy before and after a lesson: '24.13 % → 24.51 %'; '' if it is unknown."""
    return "" if before is None or after is None else f"{Fine(before)} → {Fine(after)}"


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A table on all positions."""

    scores: Scores  # [edges]
    verdicts: npt.NDArray[np.int8]  # [nodes]: RIGHT, WRONG, UNDECIDED, NOTHING
    accuracy: float  # 0 to 1

    @classmethod
    def of(cls, truth: Truth, table: Table) -> Judged:
        if isinstance(truth, SampledTruth) and table.function is not None:
            scores: Scores = np.zeros(len(truth.graph.to))
            table.function.fill(truth.graph, scores)
        else:
            scores = on_graph(table, truth.graph).cells
        standing = sampled_standing(truth, scores)
        return cls(scores, standing.verdicts, standing.accuracy)


class TaughtMove(NamedTuple):
    """A move of the lesson, with its score and the verdict on its position before and after."""

    node: int  # −1 if the position is not listed
    move: str  # its name
    scores: tuple[float, float]
    verdicts: tuple[int, int] | None  # None if it is not listed
    position: str  # its name


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """A table before and after one lesson of some weight."""

    truth: Truth
    table: Table  # before
    taught: Table  # after
    lesson: Lesson
    before: Judged
    after: Judged

    @property
    def changed(self) -> npt.NDArray[np.bool_]:
        """Where the best-scored moves differ, [nodes]."""
        return differing(self.truth, self.before.scores, self.after.scores)

    def became(self) -> Mapping[int, list[int]]:
        """Return the nodes whose best moves changed, ascending, by their new verdict: right, wrong, undecided, lost."""
        differ = self.changed
        return {verdict: np.flatnonzero(differ & (self.after.verdicts == verdict)).tolist() for verdict in WORDS}

    def name(self, node: int) -> str:
        """Return the name of a position."""
        game = self.table.game
        return game.position_name(game.at(self.truth.graph.boards[node].astype(np.int64)))

    def best(self, node: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the best-scored moves of a position, before and after."""
        graph, game = self.truth.graph, self.table.game
        here = slice(int(graph.ptr[node]), int(graph.ptr[node + 1]))
        state = game.at(graph.boards[node].astype(np.int64))
        before, after = (
            tuple(game.move_name(int(move), state) for move in graph.move[here][scores[here] == scores[here].max()])
            for scores in (self.before.scores, self.after.scores)
        )
        return before, after

    def moves(self) -> list[TaughtMove]:
        """Return the moves of the lesson, in the order of play."""
        from nimtui.engine.graph import node_at

        graph, game, record = self.truth.graph, self.table.game, self.lesson.record(self.table.game)
        moves = []
        for ply, move in enumerate(self.lesson.moves):
            state = record.state_at(ply)
            name = game.move_name(move, state), game.position_name(state)
            node = self.truth.node(state.board) if isinstance(self.truth, SampledTruth) else node_at(graph, state)
            if node < 0:
                values = self.table.scores(state)[move], self.taught.scores(state)[move]
                moves.append(TaughtMove(node, name[0], values, None, name[1]))
                continue
            edge = int(graph.ptr[node]) + base.legal_moves(state).index(move)
            scores = self.before.scores[edge].item(), self.after.scores[edge].item()
            verdicts = int(self.before.verdicts[node]), int(self.after.verdicts[node])
            moves.append(TaughtMove(node, name[0], scores, verdicts, name[1]))
        return moves

    @property
    def text(self) -> str:
        """Say in how many positions the best moves change, and the accuracy before and after."""
        number = plural(int(self.changed.sum()), "position", "positions")
        share = change_text(self.before.accuracy, self.after.accuracy)
        text = f"1 lesson with weight {self.lesson.weight:,}: best moves change in {number}. Accuracy {share}."
        return text if self.table.function is None else f"{text} {self.values_text}"

    @property
    def values_text(self) -> str:
        """Say how many positions became right and wrong, and how far the values of a function moved."""
        right, wrong = (
            int(((self.after.verdicts == to) & (self.before.verdicts != to)).sum()) for to in (RIGHT, WRONG)
        )
        moved = np.abs(self.after.scores - self.before.scores)
        most = Typed(nearest(float(moved.max()), 3)).text
        values = f"{int((moved > 0).sum()):,} of {len(moved):,} values move, by {most} at most"
        return f"Of {len(self.before.verdicts):,} positions {right:,} became right, {wrong:,} wrong. {values}."


class Preview:
    """The effects of one game on a table, for any weight. The table stays as it is."""

    def __init__(self, table: Table, lesson: Lesson, progress: Progress = SILENT) -> None:
        """Solve the game, or a sample of it. Raises InputError if it is too large for both."""
        whole = table.function is None or why_untrainable(table.game) is None
        self.truth = truth(table.game, progress) if whole else truth_of(sample.of(table.game, progress))
        self._table, self._lesson = table, lesson
        self._before = Judged.of(self.truth, table)

    def effect(self, weight: int) -> Effect:
        """Return what the lesson does with this weight. Raises InputError if the table cannot learn so many games."""
        lesson = replace(self._lesson, weight=weight)
        table, _ = after(self._table, lesson)
        return Effect(self.truth, self._table, table, lesson, self._before, Judged.of(self.truth, table))
