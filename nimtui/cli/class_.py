"""`nimtui class`: plays a class of students against a fixed pool and each other, and marks them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from nimtui.cli import completion, options
from nimtui.errors import InputError

if TYPE_CHECKING:
    from nimtui.arena.classes.results import Pupil
    from nimtui.arena.classes.settings import Settings
    from nimtui.arena.classes.students import Student
    from nimtui.arena.play.plan import Plan
    from nimtui.cli.saving import Saving
    from nimtui.games import Game
    from nimtui.report.blocks import Report
    from nimtui.store.rows import TournamentInfo

EXAMPLES = """\
nimtui new class hand_ins
nimtui class hand_ins nim:1,3,5,7:misere
nimtui class hand_ins noughts --to marks.csv --pages feedback"""


def class_(
    folder: Annotated[
        Path,
        options.argument("FOLDER", "A folder: each file or folder in it is a student's hand-in.", options.file_name),
    ],
    game: Annotated[str, options.argument("GAME", "The game that all play.", complete=completion.games)],
    workers: options.Workers = None,
    sandbox: options.Sandboxed = None,
    to: Annotated[Path | None, options.to_option("Also write the report to FILE: .md, .csv, .html or .json.")] = None,
    pages: Annotated[
        Path | None,
        options.option("", "FOLDER", "Write a page for each student into this folder, in Markdown.", options.file_name),
    ] = None,
    force: options.Force = False,
    headless: Annotated[bool, options.headless_option("Show only a progress bar, not the live standings.")] = False,
    json: options.Json = False,
) -> None:
    """Play a class of students and mark them.

    Every hand-in plays against a fixed pool of agents, and against the others. The mark counts the games against the
    pool alone, so it does not depend on the other students. Settings: class.toml in the folder.

    Run the command again after a hand-in changed: only its games are played again. Ctrl+C stops; the same command
    continues.
    """
    from nimtui.arena.classes import settings
    from nimtui.arena.classes.class_report import page
    from nimtui.cli import output
    from nimtui.cli.bar import FAULTS, Bar
    from nimtui.cli.names import own_files, read_game
    from nimtui.cli.programs import sandbox_line
    from nimtui.cli.saving import Saving
    from nimtui.cli.standing_table import LiveTable
    from nimtui.jobs.tournament import Tournament
    from nimtui.jobs.work import Work
    from nimtui.report.tables import markdown

    options.check_workers(workers, None)
    if not folder.is_dir():
        raise InputError(f"no folder '{folder}'")
    rules = settings.read(folder)
    if to is not None:
        output.format_of(to, dict.fromkeys((".md", ".csv", ".html", ".json")))
        output.check_new(to, None, force)
    own_files()
    board = read_game(game)
    with closing(Saving()) as keeping:
        keeping.open()
        before = keeping.latest(_name(folder, board))
        students = _students(folder, board, rules, before)
        plan = _plan(board, rules, students)
        closed = sandbox_line(plan.agents, sandbox)
        _begin(keeping, plan, _name(folder, board), students, before)
        task = Tournament(plan, keeping.kept, workers)
        live = LiveTable(lambda: task.view) if not (headless or json) else Bar("class")
        with live as bar, output.others_silent():
            bar.watch(task, "the class continues, and nimtui tries again")
            with bar.orderly(ends=FAULTS):
                Work.here(task, bar)
        if bar.ended is not None:
            bar.leave(keeping.say_how_to_resume(*task.stored()))
        pupils = _pupils(keeping, task, students, rules)
        result = _report(plan, pupils, closed)
        bar.print(result, json, keeping.document(), keeping.where)
        if to is not None:
            output.write_text(to, _text(to, result, pupils))
        if pages is not None:
            pages.mkdir(parents=True, exist_ok=True)
            for pupil in pupils:
                output.write_text(pages / f"{pupil.name}.md", markdown(page(plan, pupil)) + "\n")


def _name(folder: Path, game: Game) -> str:
    from nimtui.foreign.reading import absolute

    return f"class {absolute(folder)} {game.name}"


def _students(folder: Path, game: Game, rules: Settings, before: TournamentInfo | None) -> list[Student]:
    """Return the students; those that were tried before, and did not change, are not tried again."""
    from nimtui.arena.classes.students import students
    from nimtui.cli import output
    from nimtui.cli.bar import Bar

    tried = before.document.get("class", {}) if before is not None else {}
    with Bar("class") as bar, output.others_silent():
        return students(folder, game, tried, rules.move_time, bar)


def _plan(game: Game, rules: Settings, students: list[Student]) -> Plan:
    """Return the plan of a class. Raises InputError if nobody can play."""
    from nimtui.arena.play.limits import Limits
    from nimtui.arena.play.plan import CLASS, plan

    playing = [student.agent for student in students if student.plays]
    if not playing:
        raise InputError(f"no hand-in starts: {students[0].name}: {students[0].fault}")
    agents, limits = [*rules.pool, *playing], Limits(rules.move_time)
    more = {"openings": rules.openings, "seed": rules.seed, "fault": rules.fault, "league": rules.league}
    return plan([game.name], agents, CLASS, rules.games, limits=limits, pool=len(rules.pool), **more)  # type: ignore[arg-type]


def _begin(keeping: Saving, plan: Plan, name: str, students: list[Student], before: TournamentInfo | None) -> None:
    """Resume the class if nothing has changed; else start a new one with all games of unchanged students."""
    tried = {f"{student.name} {student.digest}": student.fault for student in students if student.agent}
    digests = {student.agent: student.digest for student in students if student.plays}
    extra = {"class": tried, "digests": digests}
    if before is not None:
        document = {**plan.document(), **extra}
        if all(before.document.get(key) == value for key, value in document.items()):
            keeping.resume(before.id)
            return
    keeping.begin(plan, name, more=extra)
    if before is not None and keeping.kept is not None:
        for place, earlier in _unchanged(plan, digests, before):
            keeping.kept.append(place, keeping.rows(before.id, earlier))


def _unchanged(plan: Plan, digests: dict[str, str], before: TournamentInfo) -> list[tuple[int, int]]:
    """Return the pairings whose games an earlier class has: the place here, and there."""
    from nimtui.arena.play.plan import Plan as Plans

    now, then = plan.document(), before.document
    others = ("agents", "league", "programs")  # keys that do not change what a pairing plays
    if any(now.get(key) != then.get(key) for key in now.keys() - others):
        return []
    earlier = Plans(plan.games, tuple(then["agents"]), plan.pairs, pool=plan.pool, league=then.get("league", 0))
    old = before.document.get("digests", {})
    places = {
        (earlier.agents[one.first], earlier.agents[one.second], earlier.stream(place)): place
        for place, one in enumerate(earlier.pairings)
    }
    pairs = []
    for place, one in enumerate(plan.pairings):
        names = plan.agents[one.first], plan.agents[one.second]
        there = places.get((*names, plan.stream(place)))
        if there is not None and all(digests.get(name) == old.get(name) for name in names):
            pairs.append((place, there))
    return pairs


def _pupils(keeping: Saving, task: object, students: list[Student], rules: Settings) -> list[Pupil]:
    from nimtui.arena.classes.results import pupils
    from nimtui.jobs.tournament import Tournament

    assert isinstance(task, Tournament) and keeping.kept is not None
    return pupils(task.plan, task.view.scores, task.view.standings, keeping.kept.rows, students, rules)


def _report(plan: Plan, pupils: list[Pupil], closed: str) -> Report:
    from dataclasses import replace

    from nimtui.arena.classes.class_report import report
    from nimtui.report.blocks import Sentence

    result = report(plan, pupils)
    first, *rest = result.blocks
    return replace(result, blocks=[first, Sentence(closed), *rest]) if closed else result


def _text(to: Path, result: Report, pupils: list[Pupil]) -> str:
    """Return the report in the format that the file's name ends in."""
    from nimtui.arena.classes.class_report import sheet, web_page
    from nimtui.report.document import document, file_text
    from nimtui.report.tables import markdown

    writers: dict[str, Callable[[], str]] = {
        ".md": lambda: markdown(result) + "\n",
        ".csv": lambda: sheet(pupils),
        ".html": lambda: web_page("Class", result),
        ".json": lambda: file_text(document(result)),
    }
    return writers[to.suffix.lower()]()
