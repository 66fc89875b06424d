"""The results of a class: each student's points against the pool, mark, mistakes by kind, and worst positions.

The report tells them as a table of all students, and a page for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from nimtui import theory
from nimtui.agents.program import called
from nimtui.arena.classes.class_folder import Settings, Student
from nimtui.arena.play import judge
from nimtui.arena.play.plan import Plan
from nimtui.arena.rating.ratings import UNKNOWN, Rating, Score, rate
from nimtui.arena.review.review import start
from nimtui.arena.standings.standings import PairingScore, Standings, meetings
from nimtui.arena.standings.standings_report import headings
from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.games.base import State
from nimtui.games.heaps import Heaps
from nimtui.games.notation import LETTERS, plural
from nimtui.games.rule_text import named
from nimtui.report.blocks import Block, Column, Facts, Figure, Figures, Gap, Heading, Report, Sentence, Table, Words
from nimtui.report.document import csv, document, file_text, html_of, markdown
from nimtui.report.lines import FIRM
from nimtui.report.values import NOTHING, Count, Duration, Keys, Raw, Share, Typed, Word, known
from nimtui.store.rows import GameRow, codes_of, unpacked
from nimtui.theory import Outcome, Unsolvable
from nimtui.theory.plain import best_explained, merit

MOST_WORST = 3  # positions on a student's page
MARKS = {0: "·", 1: "x", 2: "o"}  # of a board's cells


class Mistake(NamedTuple):
    """A mistake that a student made in some games against the pool."""

    position: str
    board: tuple[str, ...]  # lines, () if the game has no picture
    move: str
    before: Outcome
    after: Outcome
    games: int
    right: str  # the right move and its reason, in a sentence


class Against(NamedTuple):
    """The points against one agent of the pool."""

    agent: str
    points: float
    games: int


@dataclass(frozen=True)
class Pupil:
    """A student's results. All but the rating come from the games against the pool alone."""

    name: str
    mark: str
    score: Score
    rating: Rating | None  # from all games of the class
    against: tuple[Against, ...] = ()
    missed_wins: int | None = None  # mistakes in won positions; None if the exact values are unknown
    thrown_draws: int | None = None  # mistakes in drawn positions
    chances: int = 0  # moves in positions that were not lost
    seconds: float = 0.0  # that its games took
    faults: tuple[tuple[str, int], ...] = ()  # in words, with the number of games, the most frequent first
    worst: tuple[Mistake, ...] = field(default=())
    fault: str = ""  # why it does not start


def pupils(
    plan: Plan,
    scores: Sequence[PairingScore],
    standings: Standings,
    rows: Callable[[int], Sequence[GameRow]],
    students: Sequence[Student],
    settings: Settings,
) -> list[Pupil]:
    """Return the results, the best mark first; `rows` returns the saved games of a pairing."""
    game = parse_game(plan.games[0])
    ratings = {row.agent: None if standings.paid else row.rating for row in standings.rows}
    met = meetings(plan, scores)
    judged = judge.is_judged(game)
    explain = cache(lambda position: _solved(game, position))
    results = []
    for student in students:
        if student.fault:
            results.append(Pupil(student.name, settings.mark(None), Score(0, 0, 0, 1), None, fault=student.fault))
            continue
        at = plan.agents.index(student.agent)
        places = [place for place, one in enumerate(plan.pairings) if one.first == at and one.second < plan.pool]
        own = [met[place]._replace(first=0, second=1 + met[place].second, results=None) for place in places]
        score = rate(1 + plan.pool, own).scores[0]
        games = [row for place in places for row in rows(place)]
        kinds, worst = _mistakes(game, games, explain) if judged else (Counter(), ())
        texts = [unpacked(row.packed_fault).text for row in games if row.packed_fault and row.result < 0]
        faults = Counter(text.replace(FIRM, " ") for text in texts)
        results.append(
            Pupil(
                student.name,
                settings.mark(score.share),
                score,
                ratings[student.agent],
                tuple(Against(called(plan.agents[one.second - 1]), one.points, one.played) for one in own),
                kinds[Outcome.WIN] if judged else None,
                kinds[Outcome.DRAW] if judged else None,
                sum(row.chances[0] for row in games),
                sum(row.seconds for row in games),
                tuple(sorted(faults.items(), key=lambda pair: (-pair[1], pair[0]))),
                worst,
            )
        )
    return sorted(results, key=lambda one: (bool(one.fault), -(one.score.share or 0.0), one.name))


def _solved(game: Game, position: str) -> theory.Verdict | None:
    try:
        return theory.solve(game, game.new(position))
    except (Unsolvable, InputError):
        return None


def _mistakes(
    game: Game, rows: Sequence[GameRow], solved: Callable[[str], theory.Verdict | None]
) -> tuple[Counter[Outcome], tuple[Mistake, ...]]:
    """Return the mistakes of player 0 by what the position was before, and the worst ones."""
    kinds: Counter[Outcome] = Counter()
    moves: Counter[tuple[str, int, Outcome, Outcome]] = Counter()
    for row in rows:
        if not row.mistakes[0]:
            continue
        state = game.new()
        for ply, move in enumerate(codes_of(row.moves)):
            after = game.after(state, move)
            if ply >= row.opening and (ply - row.opening) % 2 == row.opener:
                position = game.position_name(state)
                before, then = solved(position), solved(game.position_name(after))
                if before is not None and then is not None and then.outcome.reply.worth < before.outcome.worth:
                    kinds[before.outcome] += 1
                    moves[position, move, before.outcome, then.outcome.reply] += 1
            state = after
    order = sorted(moves, key=lambda key: (key[3].worth - key[2].worth, -moves[key], len(key[0]), key[0], key[1]))
    return kinds, tuple(_mistake(game, *key, moves[key]) for key in order[:MOST_WORST])


def _mistake(game: Game, position: str, move: int, before: Outcome, after: Outcome, games: int) -> Mistake:
    state = game.new(position)
    best = best_explained(theory.solve(game, state))
    right = start(f"{named(game, state, best)} {merit(game, state, best, theory.explain(game, state))}")
    return Mistake(position, board(game, state), game.move_name(move, state), before, after, games, right)


def board(game: Game, state: State) -> tuple[str, ...]:
    """Return the board in lines of signs; () if the game has no picture."""
    if isinstance(state, Heaps):
        heaps = [int(heap) for heap in game.position_name(state).split(",")]
        return tuple(f"{LETTERS[row]}  {'|' * heap}".rstrip() for row, heap in enumerate(heaps))
    cells = game.cells(state)
    return tuple(" ".join(MARKS.get(cell, str(cell) if cell > 2 else " ") for cell in row) for row in cells or ())


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
