"""A class as a tournament: reads its folder, takes over the games of unchanged students, and tells the results.

The saved tournament holds the students and the scale of marks: so its report needs no folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimtui.arena.classes import class_folder
from nimtui.arena.classes.class_folder import Settings, Student, students
from nimtui.arena.classes.results import Pupil, pupils, report, whole
from nimtui.arena.play.limits import Limits
from nimtui.arena.play.plan import CLASS, Plan, plan
from nimtui.errors import InputError, reading
from nimtui.foreign.reading import absolute
from nimtui.games.notation import plural
from nimtui.jobs.processes import cores
from nimtui.jobs.tournament import Tournament
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Report, Sentence
from nimtui.report.values import Count
from nimtui.store import saved_games, tournaments
from nimtui.version import __version__

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.store.database import Database
    from nimtui.store.rows import GameRow, TournamentInfo

STUDENTS, MARKS = "students", "marks"  # keys of a saved class
UNPLAYED = ("agents", "league", "programs")  # keys of a plan that do not change what a pairing plays


def opened(
    db: Database, folder: Path, game: Game, workers: int | None = None, progress: Progress = SILENT
) -> Tournament:
    """Return the class of a folder: the unfinished or finished one if nothing changed, else a new one.

    A new one has all games of unchanged students. Raises InputError if nobody can play, or a setting is wrong.
    """
    rules, name = class_folder.read(folder), f"class {absolute(folder)} {game.name}"
    before = next((one for one in tournaments.tournaments(db) if one.name == name), None)
    earlier = [] if before is None else saved_students(before.document)
    tried = {(one.agent, one.digest): one.fault for one in earlier}
    hand_ins = students(folder, game, tried, rules, workers or cores(), progress)
    whole = _plan(game, rules, hand_ins)
    document = {**whole.document(), STUDENTS: [list(one) for one in hand_ins], MARKS: dict(rules.marks)}
    if before is not None and all(before.document.get(key) == value for key, value in document.items()):
        return Tournament(whole, tournaments.resume(db, before.id), workers)
    document["version"] = __version__
    pairings = list(whole.pairings)
    writer = tournaments.begin(db, document, whole.games, whole.agents, pairings, whole.total, name=name)
    try:
        if before is not None:
            for place, there in _unchanged(whole, hand_ins, before, earlier):
                writer.append(place, saved_games.rows(db, before.id, there))
        return Tournament(whole, writer, workers)
    except BaseException:
        writer.close()
        raise


def _plan(game: Game, rules: Settings, hand_ins: Sequence[Student]) -> Plan:
    """Return the plan of a class. Raises InputError if nobody can play."""
    playing = [student.agent for student in hand_ins if not student.fault]
    if not playing:
        raise InputError(f"no hand-in starts: {hand_ins[0].name}: {hand_ins[0].fault}")
    agents, limits = [*rules.pool, *playing], Limits(rules.move_time, rules.game_time)
    of_class = partial(plan, [game.name], agents, CLASS, rules.games, pool=len(rules.pool), league=rules.league)
    return of_class(rules.openings, rules.seed, limits=limits, fault=rules.fault)


def _unchanged(
    now: Plan, hand_ins: Sequence[Student], before: TournamentInfo, earlier: Sequence[Student]
) -> list[tuple[int, int]]:
    """Return the pairings whose games an earlier class has: the place here, and there."""
    keys, then = now.document(), before.document
    if any(keys.get(key) != then.get(key) for key in keys.keys() - set(UNPLAYED)):
        return []
    old = Plan(now.games, tuple(then["agents"]), now.pairs, pool=now.pool, league=then.get("league", 0))
    digests, were = ({one.agent: one.digest for one in each} for each in (hand_ins, earlier))
    places = {
        (old.agents[one.first], old.agents[one.second], old.stream(place)): place
        for place, one in enumerate(old.pairings)
    }
    pairs = []
    for place, one in enumerate(now.pairings):
        names = now.agents[one.first], now.agents[one.second]
        there = places.get((*names, now.stream(place)))
        if there is not None and all(digests.get(name) == were.get(name) for name in names):
            pairs.append((place, there))
    return pairs


def saved_students(document: Mapping[str, Any]) -> list[Student]:
    """Return the students of a saved class. Raises InputError if it is damaged."""
    with reading("the saved class", "students"):
        return [Student(*map(str, row)) for row in document.get(STUDENTS, ())]


def results(document: Mapping[str, Any], task: Tournament, rows: Callable[[int], Sequence[GameRow]]) -> list[Pupil]:
    """Return the results of a saved class, as far as it is played; `rows` returns the games of a pairing."""
    with reading("the saved class", "marks"):
        marks = {str(mark): float(least) for mark, least in document[MARKS].items()}
    view = task.view
    return pupils(task.plan, view.scores, view.standings, rows, saved_students(document), Settings(marks=marks))


def report_of(db: Database, task: Tournament) -> Report:
    """Return the report of a saved class as it stands now, with the pages of all students."""
    assert task.number is not None
    view, document = task.view, tournaments.info(db, task.number).document
    students = results(document, task, partial(saved_games.rows, db, task.number))
    result = whole(task.plan, report(task.plan, students), students)
    if view.finished:
        return result
    far = f"{Count(view.done)} of {plural(view.total, 'game', 'games')} are played: the marks may change."
    return replace(result, blocks=[*result.blocks, Sentence(far)])
