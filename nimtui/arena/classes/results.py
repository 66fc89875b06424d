"""The results of a class: each student's points against the pool, mark, mistakes by kind, and worst positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from nimtui import theory
from nimtui.agents.program import called
from nimtui.arena.classes.settings import Settings
from nimtui.arena.classes.students import Student
from nimtui.arena.play import judge
from nimtui.arena.play.plan import Plan
from nimtui.arena.rating.ratings import Rating, Score, rate
from nimtui.arena.review.review_text import start
from nimtui.arena.standings.standings import PairingScore, Standings, meetings
from nimtui.errors import InputError
from nimtui.games import Game, parse_game
from nimtui.games.base import State
from nimtui.games.heaps import Heaps
from nimtui.games.notation import LETTERS
from nimtui.games.rule_text import named
from nimtui.report.lines import FIRM
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
