"""What a class tells: a table of all students, and a page for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from nimtui.arena.classes.results import Against, Mistake, Pupil
from nimtui.arena.play.plan import Plan
from nimtui.arena.rating.ratings import UNKNOWN
from nimtui.arena.standings.standings_report import headings
from nimtui.games.notation import plural
from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table, Words
from nimtui.report.document import csv, document, file_text, html_of, markdown
from nimtui.report.values import NOTHING, Count, Duration, Keys, Raw, Share, Typed, Word, known

MOST_FAULTS = 3  # different faults on a page


def table(pupils: Sequence[Pupil]) -> Table:
    """Return a row for each student, the best first."""
    rows = list(pupils)
    drawn = any(pupil.thrown_draws for pupil in pupils)
    columns = [
        Column("student", lambda one: Word(one.name), "student", left=True),
        Column("mark", lambda one: Word(one.mark), "mark", left=True),
        Column("points", lambda one: Word(f"{Typed(one.score.points)}/{Count(one.score.games)}"), rank=1),
        Column("score", lambda one: Share(one.score.share)),
        Column("95 %", lambda one: one.score.interval, left=True, rank=3),
        Column(None, lambda one: Keys(_keys(one)), "results"),
        Column("Elo", lambda one: one.rating.brief if one.rating else NOTHING, rank=4),
        Column("Elo 95 %", lambda one: one.rating.error if one.rating else NOTHING, left=True, rank=6),
        Column("missed wins", lambda one: known(Count, one.missed_wins), rank=2, brief="missed"),
        Column("thrown draws" if drawn else None, lambda one: known(Count, one.thrown_draws), rank=2, brief="thrown"),
        Column("faults", lambda one: NOTHING if one.fault else Count(sum(games for _, games in one.faults)), rank=2),
        Column("time", lambda one: NOTHING if one.fault else Duration(one.seconds), rank=5),
    ]
    return Table("students", columns, rows, lambda one: one.name, gap=2)


def _keys(one: Pupil) -> dict[str, Any]:
    return {
        "points": one.score.points,
        "played": one.score.games,
        **one.score.keys,
        **(one.rating or UNKNOWN).keys,
        "missed_wins": one.missed_wins,
        "thrown_draws": one.thrown_draws,
        "chances": one.chances,
        "seconds": one.seconds,
        "fault": one.fault or None,
    }


def report(plan: Plan, pupils: Sequence[Pupil], closed: str = "") -> Report:
    """Return the report of a class, with a line on what closes the hand-ins in."""
    pool = ", ".join(plan.agents[: plan.pool])
    broken = [pupil for pupil in pupils if pupil.fault]
    played = f"{plural(plan.number, 'game', 'games')} against each of the pool: {pool}."
    facts = {"pool": list(plan.agents[: plan.pool]), "games": plan.number, "openings": plan.openings.name}
    blocks: list[Block] = [
        *headings(plan.games),
        *([Sentence(closed)] if closed else []),
        Sentence(played, {**facts, "game": plan.games[0], "seed": plan.seed}),
        Gap(),
        table(pupils),
        Gap(),
        Facts({"pages": [_page_keys(pupil) for pupil in pupils]}),
        Sentence("Points and marks count the games against the pool alone. Elo counts all games of the class."),
    ]
    if broken:
        blocks += [Gap(), Sentence(f"{plural(len(broken), 'hand-in does', 'hand-ins do')} not start:")]
        blocks += [Figures([Figure(pupil.name, Word(pupil.fault)) for pupil in broken])]
    return Report(blocks)


def _page_keys(pupil: Pupil) -> dict[str, Any]:
    return {
        "student": pupil.name,
        "against": [one._asdict() for one in pupil.against],
        "faults": [{"text": text, "games": games} for text, games in pupil.faults[:MOST_FAULTS]],
        "worst": [{**one._asdict(), "before": one.before.value, "after": one.after.value} for one in pupil.worst],
    }


def page(plan: Plan, pupil: Pupil) -> Report:
    """Return a student's own page. Names no other student."""
    blocks: list[Block] = [Heading(f"{pupil.name}: {pupil.mark}")]
    if pupil.fault:
        return Report([*blocks, Sentence(f"The hand-in does not start: {pupil.fault}.")])
    score, share = pupil.score, Share(pupil.score.share)
    figures = [
        Figure("points", Word(f"{Typed(score.points)} of {Count(score.games)} ({share}, 95 %: {score.interval})")),
        *([Figure("Elo, by all games of the class", Word(pupil.rating.line))] if pupil.rating else []),
        Figure("missed wins", known(Count, pupil.missed_wins)),
        Figure("thrown draws", known(Count, pupil.thrown_draws)),
        Figure("moves that could go wrong", Count(pupil.chances)),
    ]
    against = [
        Column("against", lambda one: Word(one.agent), left=True),
        Column("points", lambda one: Typed(one.points)),
        Column("games", lambda one: Count(one.games)),
    ]
    blocks += [Figures(figures), Gap(), Table("", against, list[Against](pupil.against))]
    for text, games in pupil.faults[:MOST_FAULTS]:
        blocks += [Gap(), Sentence(f"Lost by a fault in {plural(games, 'game', 'games')}: {text}.")]
    for one in pupil.worst:
        blocks += [Gap(), Sentence(_story(one)), *([Words(one.board)] if one.board else []), Sentence(one.right)]
    if not pupil.worst and pupil.missed_wins == 0 and not pupil.faults:
        blocks += [Gap(), Sentence("No mistake in any game against the pool.")]
    return Report(blocks)


def whole(plan: Plan, result: Report, pupils: Sequence[Pupil]) -> Report:
    """Return the report of a class and all its pages in one."""
    return replace(
        result, blocks=[*result.blocks, *(block for one in pupils for block in (Gap(), *page(plan, one).blocks))]
    )


def _story(one: Mistake) -> str:
    times = plural(one.games, "time", "times")
    return f"{times} played {one.move} at {one.position}: {one.before.value} → {one.after.value}."


def sheet(pupils: Sequence[Pupil]) -> str:
    """Return the table as CSV, a line for each student after its place."""
    rows = table(pupils)
    place = Column(None, lambda row: Raw(1 + rows.rows.index(row)), "place")
    return csv(replace(rows, columns=[place, *rows.columns]))


def web_page(title: str, report: Report) -> str:
    """Return a report as a whole page of plain HTML."""
    style = "body{font-family:sans-serif;max-width:60em;margin:2em auto}td,th{padding:.2em .6em}"
    head = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style>'
    return f"{head}</head><body>\n{html_of(report)}\n</body></html>\n"


FORMATS: dict[str, Callable[[Plan, Report, Sequence[Pupil]], str]] = {  # of a file with the report, by its extension
    ".md": lambda plan, result, pupils: markdown(whole(plan, result, pupils)) + "\n",
    ".csv": lambda plan, result, pupils: sheet(pupils),
    ".html": lambda plan, result, pupils: web_page("Class", whole(plan, result, pupils)),
    ".json": lambda plan, result, pupils: file_text(document(result)),
}
