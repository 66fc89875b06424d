"""Painters of the Train screen's lines, and the data of its panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.games.notation import plural
from nimtui.jobs import JobState
from nimtui.learning.compiled import Episode
from nimtui.learning.evaluate import POPULATION, favoured_seats, seats_text
from nimtui.learning.learner import parse_learner
from nimtui.learning.table_policy import draws
from nimtui.learning.views import View
from nimtui.report.lines import Ink, Line, Run, cut, fit, justified, keys, line, width
from nimtui.report.values import Progress, Share
from nimtui.theory.truth import Truth
from nimtui.ui.kit.curve import Series
from nimtui.ui.kit.curve import paint as plot
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.remaining import compiling_text
from nimtui.ui.kit.typing_line import TypingLine
from nimtui.ui.train.conductor import TrainConductor
from nimtui.ui.train.lane import PACES, Lane
from nimtui.ui.train.position_panel import CELLS, Played, Ply, ScoredMove, ShownPosition

LANES = (Ink.ONE, Ink.TWO)
MOST_SHOWN = 99_999_999  # room in the title for the games of an endless run
RATE = 13  # cells of '10,000,000/s '


def _welcome(columns: int, rows: int, signs: Glyphs) -> list[Line]:
    offers = (("N", "new training"), ("r", "saved trainings"), ("S", "sweep: compare settings"))
    lines = [line(*keys("  ", key, f"  {said}")) for key, said in offers]
    return [cut(found, columns, signs.hidden) for found in ((), *lines)]


def prompt(conductor: TrainConductor, typing: TypingLine, asking: bool) -> Paint:
    """Paint the line above the footer: a prompt, a question, a message, or what the table is worth."""
    if not typing.open and not asking and not conductor.message:
        return facts(conductor)
    games = conductor.lanes[0].games if conductor.lanes else 0
    forget = (f"Discard {games:,} games and start over?", Ink.STRONG)

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if typing.open:
            return [typing.line("Go to position", columns, signs)]
        said = line(forget, *keys("   ", "y", " yes   ", "esc", " no")) if asking else line(conductor.message)
        return [fit(said, columns, signs)]

    return lines


class Atlas:
    """Names the positions and moves of one game."""

    def __init__(self, game: Game, truth: Truth) -> None:
        self.game, self.truth, self.graph = game, truth, truth.graph
        self.name: Callable[[int], str] = lru_cache(4096)(self._name)
        self.move_name: Callable[[int, int], str] = lru_cache(4096)(self._move_name)

    def state(self, node: int) -> State:
        return self.game.at(self.graph.boards[node].astype(np.int64))

    def _name(self, node: int) -> str:
        return self.game.position_name(self.state(node))

    def _move_name(self, node: int, edge: int) -> str:
        return self.game.move_name(int(self.graph.move[edge]), self.state(node))

    def edges(self, node: int) -> range:
        return range(int(self.graph.ptr[node]), int(self.graph.ptr[node + 1]))

    def node(self, text: str) -> int:
        """Return the node of a typed position, −1 if it is over or unreachable. Raises InputError if it is invalid."""
        from nimtui.engine.graph import node_at

        return node_at(self.graph, self.game.at(self.game.parse_position(text)))


def ranked(atlas: Atlas, view: View, node: int) -> list[int]:
    """Return the moves of a position as edges, best score first."""
    return sorted(atlas.edges(node), key=lambda edge: -view.scores[edge])


def shown(atlas: Atlas, view: View, lane: Lane, node: int, marked: int | None) -> ShownPosition | None:
    """Return a position as the lane's table sees it; `marked` is an edge, None the best one."""
    if node < 0:
        return None
    moves = []
    edges = ranked(atlas, view, node)
    for edge in edges:
        score = view.scores[edge].item()
        moves.append(
            ScoredMove(
                int(atlas.graph.move[edge]),
                atlas.move_name(node, edge),
                score,
                int(view.visits[edge]),
                bool(atlas.truth.keeps[edge]) and atlas.truth.values[node] >= 0,
                lane.history.of(edge, score, CELLS),
            )
        )
    at = edges.index(marked) if marked in edges else 0
    verdict, worth = int(view.standing.verdicts[node]), int(atlas.truth.values[node])
    drawn = draws(parse_learner(lane.learner), moves[0].score)
    return ShownPosition(atlas.game, atlas.state(node), atlas.name(node), verdict, worth, moves, at, drawn)


def sure_score(learner: object) -> int | None:
    """Return the score that means a proven win; None if the learner's scores prove nothing."""
    from nimtui.learning.learner import module_of

    found = getattr(module_of(learner), "SURE", None)
    return found if isinstance(found, int) else None


def played(atlas: Atlas, episode: Episode, sure: int | None = None) -> Played:
    """Return a game of the learner, ready to be shown; for `sure` see `sure_score`."""
    plies = []
    nodes = episode.nodes.tolist()
    values = [int(atlas.truth.values[node]) for node in nodes]
    results = [-value for value in values[1:]] + [{base.WON: 1, base.LOST: -1}.get(episode.outcome, 0)]
    for node, edge, before, after, value, result in zip(
        nodes, episode.edges.tolist(), episode.before.tolist(), episode.after.tolist(), values, results, strict=True
    ):
        state = atlas.state(node)
        name, move = atlas.move_name(node, edge), int(atlas.graph.move[edge])
        plies.append(Ply(state, atlas.name(node), move, name, before, after, result, value))
    return Played(atlas.game, episode.number, plies, episode.outcome, sure)


# The lines.


def curve(conductor: TrainConductor) -> Paint:
    """Paint accuracy by games for one learner or two; for one also the probability not to lose to perfect play."""
    lanes = conductor.lanes
    series = []
    for at, lane in enumerate(lanes):
        points = [point for point in lane.training.curve if lane.view is None or point.games < lane.view.games]
        accurate = [(point.games, point.accuracy) for point in points]
        unbeaten = [(point.games, point.unbeaten) for point in points]
        if lane.view is not None:
            accurate.append((lane.view.games, lane.view.standing.accuracy))
            unbeaten.append((lane.view.games, lane.view.standing.unbeaten))
        name, brief = (lane.title, "") if len(lanes) > 1 else (f"accuracy {POPULATION}", "accuracy")
        series.append(Series(name, accurate, at, brief=brief))
        if len(lanes) == 1:
            known = lane.training.truth
            seat = "" if known is None or all(favoured_seats(known)) else f" {seats_text(known)}"
            series.append(Series(f"unbeaten{seat}", unbeaten, dotted=True, brief="unbeaten", aside=True))
    games = max((lane.games for lane in lanes), default=0)
    if not lanes:
        return _welcome
    return lambda columns, rows, signs: plot(series, games, columns, rows, signs)


def status(conductor: TrainConductor) -> Paint:
    """Paint the top line: learner, game and seed; games so far, speed, and running, paused or done."""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        setup, lanes = conductor.setup, conductor.lanes
        if setup is None or not lanes:
            return [line(("No training yet", Ink.STRONG))]
        runs: list[Run] = []
        for at, lane in enumerate(lanes):
            ink = LANES[at] if len(lanes) > 1 else Ink.STRONG
            runs += [Run("  and  " if at else "", Ink.QUIET), Run(signs.plain(lane.title), ink)]
        lefts = [
            line(*runs, Run(signs.plain(text), Ink.QUIET))
            for text in (f" · {setup.game} · seed {setup.seed}", f" · {setup.game}")
        ]
        lefts.append(line((signs.plain(setup.game), Ink.QUIET)))
        games = max(len(f"{lane.goal or MOST_SHOWN:,}") for lane in lanes)
        least = 2 + 2 + max(len(pace.short) for pace in PACES)  # the right end without rate and games
        words = games + len(" games") if len(lanes) == 1 else 0
        for left, rated, worded in ((0, True, 6), (0, False, 6), (0, False, 0), (1, False, 0), (2, False, 0)):
            if width(lefts[left]) + least + (RATE if rated else 0) + words - (6 - worded) * bool(words) <= columns:
                break
        told = f"{lanes[0].games:,}{' games' if worded else ''} " if len(lanes) == 1 else ""
        right = line((told, Ink.STRONG), *_pace(conductor, signs, rated))
        return [justified(cut(lefts[left], max(0, columns - width(right) - 1), signs.hidden), right, columns)]

    return paint


def _pace(conductor: TrainConductor, signs: Glyphs, rated: bool) -> list[Run]:
    lane = conductor.lanes[0]
    if conductor.ended:
        failed = any(lane.job is not None and lane.job.state is JobState.FAILED for lane in conductor.lanes)
        if failed:
            return [Run(f"{signs.fault} failed", Ink.BAD)]
        if not lane.measured:
            return [Run("measuring", Ink.TEXT)]  # a large table, for a second or two
        return [Run(f"{signs.right} done", Ink.GOOD)]
    if conductor.paused:
        return [Run(f"{signs.paused} paused", Ink.STRONG)]
    rate = lane.rate
    measured = rated and not conductor.pace.speed and rate is not None and len(conductor.lanes) == 1
    told = f"{rate:>{RATE - 3},.0f}/s " if measured else " "
    return [Run(f"{told}{signs.running} {conductor.pace.short}", Ink.TEXT)]


def facts(conductor: TrainConductor) -> Paint:
    """Paint in one line what the table is worth now, or what is being prepared."""
    lanes = conductor.lanes

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if not lanes:
            return []
        told = _facts(lanes)
        if len(told) > 1 and len("  ".join(told)) > columns:
            del told[-1]
        parts = ready_words(conductor) or "  ".join(told)
        fault = next((lane.fault for lane in lanes if lane.fault), "")
        if fault:
            return [cut(line((f"{signs.fault} not saved: {signs.plain(fault)}", Ink.BAD)), columns, signs.hidden)]
        return [cut(line((signs.plain(parts), Ink.QUIET)), columns, signs.hidden)]

    return paint


def _facts(lanes: Sequence[Lane]) -> list[str]:
    """Return a sentence on what each table can do, and one on what is saved."""
    several = len(lanes) > 1
    told = [_worth(lane, f"{lane.title}: " if several else "") for lane in lanes if lane.view is not None]
    saved = [lane.run.file.games for lane in lanes]
    if saved and saved[0] is not None and not several:
        told.append(f"Saved after {plural(saved[0], 'game', 'games')}.")
    return told


def _worth(lane: Lane, who: str) -> str:
    assert lane.view is not None and lane.training.truth is not None
    standing, seats = lane.view.standing, seats_text(lane.training.truth)
    wrong = standing.wrong + standing.undecided
    if who:
        unbeaten = "best moves never lose, " * standing.proof
        return who + ("perfect" if standing.perfect else f"{unbeaten}{wrong:,} wrong or undecided")
    if standing.perfect:
        return "Every best move is right."
    if standing.proof:
        said = f"its best moves never lose; {plural(wrong, 'position', 'positions')} wrong or undecided."
    else:
        said = "it can still make mistakes."
    return f"{seats[0].upper()}{seats[1:]}, {said}"


def ready_words(conductor: TrainConductor) -> str:
    """Return what is being prepared before the first game; '' when all is ready."""
    if not conductor.lanes or conductor.lanes[0].view is not None or conductor.ended:
        return ""
    job = conductor.lanes[0].job
    if compiling := compiling_text():
        return f"{compiling[0].upper()}{compiling[1:]} …"
    if job is None or not job.snapshot.what or job.snapshot.what == "games":
        return "Solving every position of the game …"
    share = f" {Progress(job.snapshot.share).text}" if job.snapshot.share else ""
    return f"Solving the game: {job.snapshot.what}{share} …"


def caption(lane: Lane, at: int, active: bool) -> Paint:
    """Paint the line above one of two maps: learner, games and accuracy."""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        here = signs.cursor if active else " "
        name = line((f"{here}{signs.plain(lane.title)}", LANES[at]))
        if lane.view is None:
            return [cut(name, columns, signs.hidden)]
        right = line((f"{lane.games:,}  {Share(lane.view.standing.accuracy).text}", Ink.STRONG))
        return [justified(name, right, columns)]

    return paint
