"""What the Train screen shows: painters of its lines, the data of its panels, and the place and film of its stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
from textual.timer import Timer
from textual.widget import Widget

from nimtui.games import Game, base
from nimtui.games.base import State as Position
from nimtui.games.notation import plural
from nimtui.jobs.clock import compiling_text
from nimtui.jobs.conductor import LatestJob
from nimtui.jobs.work import State
from nimtui.learning.atlas import Order
from nimtui.learning.compiled import GameSteps
from nimtui.learning.curve_points import FunctionPoint, Point
from nimtui.learning.evaluate import favoured_seats, population, seats_text
from nimtui.learning.graph_table import draws
from nimtui.learning.learner import module_of, parse_learner
from nimtui.learning.reasons import Place
from nimtui.learning.run import FollowedGame
from nimtui.learning.sample import SampledTruth
from nimtui.learning.views import Numbers, View
from nimtui.report.lines import Ink, Line, Run, cut, fit, justified, keys, line, width
from nimtui.report.values import Progress, Share
from nimtui.theory import Outcome
from nimtui.theory.truth import Truth
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.curve import Series
from nimtui.ui.kit.widgets.curve import paint as plot
from nimtui.ui.kit.widgets.panel import Paint, of_keys, of_line, painter
from nimtui.ui.kit.work_screen import progress
from nimtui.ui.train import position_panel
from nimtui.ui.train.lane import PACES, SEARCH, Lane
from nimtui.ui.train.position_panel import CELLS, Played, Ply, ScoredMove, ShownPosition
from nimtui.ui.train.reasons_panel import Picture, ShownPast, ShownReasons, verdict_of
from nimtui.ui.train.work import TrainWork

AGAINST = "games against a search of depth 2"
LANES = (Ink.ONE, Ink.TWO)
RIGHT_MOVES = "right moves, of the exact sample"
POINTS = "points against perfect play, moving first"
MOST_SHOWN = 99_999_999  # room in the title for the games of an endless run
RESULTS = {-1: 1, -2: -1, -3: 0}  # of moves that end the game, by the target of their edge
MOST_NAMED = 3  # moves of equal scores
RATE = 13  # cells of '10,000,000/s '
MOST_BACK = 200  # positions to return to
CALM = 0.35  # seconds per picture if there is no time limit
LANDING = 0.35  # the last picture's share of the time


def prompt(conductor: TrainWork, asking: bool) -> Paint:
    """Paint the line above the footer: a question, a message, or what the table is worth."""
    lanes = conductor.lanes
    if asking:
        games = lanes[0].games if lanes else 0
        forget = (f"Discard {plural(games, 'game', 'games')} and start over?", Ink.STRONG)
        question = line(forget, *keys("   ", "y ⏎", " yes   ", "esc", " no"))
        return lambda columns, rows, signs: [fit(question, columns, signs)]
    if (job := conductor.doing(SEARCH)) is not None:
        what = job.snapshot.what or "preparing"
        return progress(job.snapshot.share or 0.0, AGAINST, what)
    if conductor.message or not lanes:
        sentences = conductor.message.split(". ")  # where there is no room for all, the first ones
        starts = (". ".join(sentences[:end]) + "." for end in range(len(sentences) - 1, 0, -1))
        return of_line(conductor.message, *starts)
    if fault := next((lane.fault for lane in lanes if lane.fault), ""):
        return of_line(f"! not saved: {fault}", ink=Ink.BAD)
    if preparing := ready_words(conductor):
        return of_line(preparing, ink=Ink.QUIET)
    if (searched := conductor.meetings.searched) is not None:
        return of_line(*searched.texts, ink=Ink.QUIET)
    several, saved = len(lanes) > 1, lanes[0].run.writer.games
    sentences = [_worth(lane, f"{lane.title}: " if several else "") for lane in lanes if lane.view is not None]
    if saved is not None and not several:
        sentences.append(f"Saved after {plural(saved, 'game', 'games')}.")
    shares = [] if several else [text.replace(" of the moves that it would play", "") for text in sentences[:1]]
    return of_line("  ".join(sentences), "  ".join(sentences[:-1] or sentences), *shares, ink=Ink.QUIET)


class Atlas:
    """Names the positions and moves of one game."""

    def __init__(self, game: Game, truth: Truth, timed: bool = False) -> None:
        """With `timed` it also knows in how many plies games end, where all positions are listed."""
        self.game, self.truth, self.graph = game, truth, truth.graph
        self.plies: npt.NDArray[np.int32] | None = None  # [nodes]: to the end of the game, −1 in a draw
        if timed and not isinstance(truth, SampledTruth):
            from nimtui.engine.exact import distances

            self.plies = distances(truth.graph, truth.values)
        self.name: Callable[[int], str] = lru_cache(4096)(lambda node: game.position_name(self.state(node)))
        self.move_name: Callable[[int, int], str] = lru_cache(4096)(
            lambda node, edge: game.move_name(int(self.graph.move[edge]), self.state(node))
        )

    def shows(self, view: View | None) -> bool:
        """Is a view about these positions?"""
        own = self.truth
        return view is None or view.truth in (None, own) or (isinstance(own, SampledTruth) and own.lists_as(view.truth))

    def state(self, node: int) -> Position:
        return self.game.at(self.graph.boards[node].astype(np.int64))

    def edges(self, node: int) -> range:
        return range(int(self.graph.ptr[node]), int(self.graph.ptr[node + 1]))

    def exact(self, edge: int) -> tuple[Outcome, int | None]:
        """Return the exact result of a move for the player who makes it, and in how many plies it comes, if known."""
        to = int(self.graph.to[edge])
        if isinstance(self.truth, SampledTruth):
            return Outcome.of(int(self.truth.results[edge])), 1 if -3 < to < 0 else None
        if to < 0:
            return Outcome.of(RESULTS[to]), 1
        result, plies = Outcome.of(-int(self.truth.values[to])), None if self.plies is None else int(self.plies[to])
        return result, None if plies is None or result is Outcome.DRAW else plies + 1

    def node(self, text: str) -> int:
        """Return the node of a typed position, −1 if it is over or unreachable. Raises InputError if it is invalid."""
        from nimtui.engine.graph import node_at

        state = self.game.at(self.game.parse_position(text))
        return self.truth.node(state.board) if isinstance(self.truth, SampledTruth) else node_at(self.graph, state)

    @property
    def absence(self) -> str:
        """What a position is that has no node."""
        if isinstance(self.truth, SampledTruth):
            return f"none of the {len(self.truth.values):,} positions on the map"
        return "over or unreachable"


def ranked(atlas: Atlas, view: View, node: int, marked: int | None = None) -> tuple[list[int], int]:
    """Return the moves of a position as edges, best score first, and the place of the marked one, else the first."""
    edges = sorted(atlas.edges(node), key=lambda edge: -view.scores[edge])
    return edges, edges.index(marked) if marked in edges else 0


def position(atlas: Atlas, view: View, lane: Lane, node: int, marked: int | None) -> ShownPosition | None:
    """Return a position as the lane's table sees it; `marked` is an edge, None the best one."""
    if node < 0:
        return None
    verdict, worth = int(view.standing.verdicts[node]), int(atlas.truth.values[node])
    edges, at = ranked(atlas, view, node, marked)
    functional = lane.training.estimator is not None
    moves = [
        ScoredMove(
            int(atlas.graph.move[edge]),
            atlas.move_name(node, edge),
            score := view.scores[edge].item(),
            int(view.visits[edge]),
            bool(atlas.truth.keeps[edge]) and worth >= 0,
            lane.history.of(edge, score, CELLS),
            *(atlas.exact(edge) if functional else ()),
        )
        for edge in edges
    ]
    drawn = draws(parse_learner(lane.learner), moves[0].score)
    player = "the function" if functional else "the table"
    return ShownPosition(atlas.game, atlas.state(node), atlas.name(node), verdict, worth, moves, at, drawn, player)


def _stored(atlas: Atlas, lane: Lane, node: int, until: int) -> list[tuple[int, npt.NDArray[Any]]]:
    """Return the games of each earlier picture of a position, and the scores of its moves, whatever else was listed."""
    pictures = dict[int, npt.NDArray[Any]]()
    for truth, history in lane.histories:
        at = truth.node(atlas.graph.boards[node]) if isinstance(truth, SampledTruth) else node
        if truth is not None and at >= 0:
            pictures |= history.pictures(slice(int(truth.graph.ptr[at]), int(truth.graph.ptr[at + 1])))
    return [(games, pictures[games]) for games in sorted(pictures) if games < until]


def past(atlas: Atlas, view: View, lane: Lane, node: int) -> ShownPast | None:
    """Return what the lane's learner thought of a position in each stored picture, and thinks now."""
    if node < 0:
        return None
    graph, worth = atlas.graph, int(atlas.truth.values[node])
    edges, pictures = slice(int(graph.ptr[node]), int(graph.ptr[node + 1])), list[Picture]()
    for games, scores in [*_stored(atlas, lane, node, view.games), (view.games, view.scores[edges])]:
        best = [edges.start + place for place in np.flatnonzero(scores == scores.max()).tolist()]
        names = " ".join(atlas.move_name(node, edge) for edge in best[:MOST_NAMED]) + " …" * (len(best) > MOST_NAMED)
        verdict = verdict_of(scores, atlas.truth.keeps[edges], worth)
        pictures.append(Picture(games, names, scores.max().item(), verdict))
    return ShownPast(atlas.name(node), worth, pictures)


def played(atlas: Atlas, followed: FollowedGame, learner: object) -> Played:
    """Return a game of this learner, ready to be shown."""
    episode = followed.episode
    if episode is None:
        assert followed.steps is not None
        return _large(atlas.game, followed.steps)
    nodes, truth = episode.nodes.tolist(), atlas.truth
    values = [int(truth.values[node]) for node in nodes]
    results = [-value for value in values[1:]] + [{base.WON: 1, base.LOST: -1}.get(episode.outcome, 0)]
    columns = (nodes, episode.edges.tolist(), episode.before.tolist(), episode.after.tolist(), results, values)
    plies = [
        Ply(atlas.state(node), atlas.name(node), int(atlas.graph.move[edge]), atlas.move_name(node, edge), *others)
        for node, edge, *others in zip(*columns, strict=True)
    ]
    sure = getattr(module_of(learner), "SURE", None)
    return Played(atlas.game, episode.number, plies, episode.outcome, sure if isinstance(sure, int) else None)


def _large(game: Game, steps: GameSteps) -> Played:
    """Return a game whose positions are too many to be listed: exact values of its positions are unknown."""
    plies = [
        Ply(state, "random" * by_chance, move, game.move_name(move, state), value, later)
        for state, move, by_chance, _, value, later, *_ in steps.moves
    ]
    return Played(game, steps.number, plies, steps.outcome)


def walked(atlas: Atlas, followed: FollowedGame) -> list[tuple[int, int]]:
    """Return the positions and moves of a game as nodes and edges, −1 for those that are not listed."""
    if followed.episode is not None:
        return list(zip(followed.episode.nodes.tolist(), followed.episode.edges.tolist(), strict=True))
    assert followed.steps is not None and isinstance(atlas.truth, SampledTruth)
    places = []
    for step in followed.steps.moves:
        node = atlas.truth.node(step.state.board)
        edges = [edge for edge in atlas.edges(node) if atlas.graph.move[edge] == step.move] if node >= 0 else [-1]
        places.append((node, edges[0]))
    return places


# The lines.


def curve(conductor: TrainWork) -> Paint:
    """Paint accuracy by games for one learner or two; for one also what it takes from perfect play."""
    lanes = conductor.lanes
    if not lanes:
        return of_keys(("N", "new training"), ("r", "saved trainings"), ("S", "sweep: compare settings"))
    series = []
    for at, lane in enumerate(lanes):
        points = [point for point in lane.training.curve if lane.view is None or point.games < lane.view.games]
        if lane.training.truth is None:  # the map shows a part of the sample: its share would be another
            name, shares = (lane.title if len(lanes) > 1 else RIGHT_MOVES), lane.training.curve
            rights = [(point.games, getattr(point, "right_moves", None) or 0.0) for point in shares]
            series.append(Series(name, rights, at, brief="right moves"))
            taken = [(one.games, one.points_against_perfect) for one in shares if isinstance(one, FunctionPoint)]
            if len(lanes) == 1 and (some := [(games, share) for games, share in taken if share is not None]):
                series.append(Series(POINTS, some, dotted=True, brief="points", aside=True))
            continue
        if lane.view is not None:
            points.append(Point(lane.view.games, lane.view.standing.accuracy, lane.view.standing.unbeaten))
        name, brief = (lane.title, "") if len(lanes) > 1 else (f"accuracy {population(lane.training.game)}", "accuracy")
        series.append(Series(name, [(point.games, point.accuracy or 0.0) for point in points], at, brief=brief))
        if len(lanes) == 1:
            unbeaten = [(point.games, point.unbeaten or 0.0) for point in points]
            truth = lane.training.truth
            seat = "" if truth is None or all(favoured_seats(truth)) else f" {seats_text(truth)}"
            series.append(Series(f"unbeaten{seat}", unbeaten, dotted=True, brief="unbeaten", aside=True))
    games = max(lane.games for lane in lanes)
    return lambda columns, rows, signs: plot(series, games, columns, rows, signs)


@painter
def status(columns: int, rows: int, signs: Glyphs, conductor: TrainWork) -> list[Line]:
    """Paint the top line: learner, game and seed; games so far, speed, and running, paused or done."""
    setup, lanes = conductor.setup, conductor.lanes
    if setup is None or not lanes:
        return [line(("No training yet", Ink.STRONG))]
    runs: list[Run] = []
    for at, lane in enumerate(lanes):
        ink = LANES[at] if len(lanes) > 1 else Ink.STRONG
        runs += [Run("  and  " if at else "", Ink.QUIET), Run(signs.plain(lane.title), ink)]
    game = lanes[0].training.game.called
    texts = (f" · {game} · seed {setup.seed}", f" · {game}")
    starts = [line(*runs, (signs.plain(text), Ink.QUIET)) for text in texts]
    starts.append(line((signs.plain(game), Ink.QUIET)))
    alone, games = len(lanes) == 1, max(len(f"{lane.run.last or MOST_SHOWN:,}") for lane in lanes)
    least = 2 + 2 + max(len(pace.short) for pace in PACES)  # the right end without rate and games
    for at, rate, word in ((0, RATE, " games"), (0, 0, " games"), (0, 0, ""), (1, 0, ""), (2, 0, "")):
        if width(starts[at]) + least + rate + alone * (games + len(word)) <= columns:
            break
    word = " game" if word and lanes[0].games == 1 else word
    right = line((f"{lanes[0].games:,}{word} " * alone, Ink.STRONG), *_pace(conductor, signs, bool(rate)))
    return [justified(cut(starts[at], max(0, columns - width(right) - 1), signs.hidden), right, columns)]


def _pace(conductor: TrainWork, signs: Glyphs, rated: bool) -> list[Run]:
    lane = conductor.lanes[0]
    if conductor.ended:
        if any(each.state is State.FAILED for each in conductor.lanes):
            return [Run(f"{signs.fault} failed", Ink.BAD)]
        if lane.foreign is not None and lane.state.stopped:
            return [Run(f"{signs.paused} {lane.state.word}", Ink.STRONG)]
        # Measuring a large table takes a second or two.
        return [Run(f"{signs.right} done", Ink.GOOD) if lane.measured else Run("measuring", Ink.TEXT)]
    if conductor.paused:
        return [Run(f"{signs.paused} paused", Ink.STRONG)]
    if lane.state is State.PREPARING:
        return [Run(f"{signs.running} {lane.state.word}", Ink.TEXT)]
    rate = lane.rate
    measured = rated and not conductor.pace.speed and rate is not None and len(conductor.lanes) == 1
    speed = f"{rate:>{RATE - 3},.0f}/s" if measured else ""
    return [Run(f"{speed} {signs.running} {conductor.pace.short}", Ink.TEXT)]


def _worth(lane: Lane, who: str) -> str:
    assert lane.view is not None
    standing = lane.view.standing
    wrong = standing.wrong + standing.undecided
    if lane.training.truth is None:
        counts = f"{Share(standing.accuracy)} of the moves that it would play on the map are right"
        return f"{who}{counts}{'' if who else '.'}"
    seats = seats_text(lane.training.truth)
    if who:
        unbeaten = "best moves never lose, " * standing.proof
        return who + ("perfect" if standing.perfect else f"{unbeaten}{wrong:,} wrong or undecided")
    if standing.perfect:
        return "Every best move is right."
    rest = f"its best moves never lose; {plural(wrong, 'position', 'positions')} wrong or undecided."
    return f"{seats[0].upper()}{seats[1:]}, {rest if standing.proof else 'it can still make mistakes.'}"


def ready_words(conductor: TrainWork) -> str:
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


@painter
def caption(columns: int, rows: int, signs: Glyphs, lane: Lane, at: int, active: bool) -> list[Line]:
    """Paint the line above one of two maps: learner, games and accuracy."""
    here = signs.cursor if active else " "
    name = line((f"{here}{signs.plain(lane.title)}", LANES[at]))
    if lane.view is None:
        return [cut(name, columns, signs.hidden)]
    right = line((f"{lane.games:,}  {Share(lane.view.standing.accuracy).text}", Ink.STRONG))
    return [justified(name, right, columns)]


class Whereabouts:
    """The shown position (a node), its marked move (an edge), and the positions before."""

    def __init__(self, node: int = -1) -> None:
        self.node = node
        self.edge: int | None = None  # the marked move; None: the best one
        self._way: list[int] = []

    def go(self, node: int, *, keep: bool) -> None:
        """Go to another position; with `keep`, remember this one for `back`."""
        if node == self.node:
            return
        if keep and self.node >= 0:
            self._way = [*self._way[-MOST_BACK:], self.node]
        self.node, self.edge = node, None

    def back(self) -> int | None:
        """Forget the previous position and return it; None if there is none."""
        return self._way.pop() if self._way else None


class Film:
    """Plays a series of pictures, one series at a time. The last picture stays."""

    def __init__(self) -> None:
        self._timer: Timer | None = None
        self.of: object = None  # what is shown, or was shown last

    @property
    def running(self) -> bool:
        """Are more pictures to come?"""
        return self._timer is not None

    def start(
        self, on: Widget, of: object, frames: int, seconds: float | None, least: float, show: Callable[[int], object]
    ) -> None:
        """Show all frames after the first, within `seconds` if given, each for at least `least` seconds."""
        self.stop()
        self.of = of
        room = seconds * (1 - LANDING) if seconds is not None else CALM * frames
        every = max(least, room / frames)
        step = max(1, ceil(frames * every / room - 0.01))
        pictures = iter((*range(step, frames - 1, step), frames - 1))

        def turn() -> None:
            frame = next(pictures, frames - 1)
            if frame == frames - 1:
                self.stop()
            show(frame)

        self._timer = on.set_interval(every, turn)

    def stop(self) -> None:
        """Stop the series."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None


@dataclass
class Sight:
    """What the stage shows of one training. A new training gets a new one."""

    lanes: list[Lane] = field(default_factory=list)
    atlas: Atlas | None = None
    place: Whereabouts = field(default_factory=Whereabouts)
    active: int = 0  # the lane that the position panel and the list show
    views: list[View | None] = field(default_factory=list)  # the drawn view of each lane
    turn: int = 0  # of several maps, the one that does not wait
    stale: bool = True  # is a view not drawn yet?
    mapping: LatestJob[tuple[Atlas, list[Order]]] = field(default_factory=LatestJob)
    reasoning: LatestJob[ShownReasons] = field(default_factory=LatestJob)
    asking: LatestJob[Numbers | None] = field(default_factory=LatestJob)  # another program for its counts
    places: Sequence[Place] = ()  # what inputs tell of the board, once it is known
    film: Film = field(default_factory=Film)
    filmed: list[FollowedGame | None] = field(default_factory=list)  # for each lane, what is shown meanwhile
    game: position_panel.Played | None = None  # the game that is shown move by move
    walked: list[tuple[int, int]] = field(default_factory=list)  # its positions and moves; −1 for those not listed
    frame: int | None = None  # of that game, where a person or the film stands; None: past its end

    def rest(self) -> None:
        """Stop showing a game; show the learners as they are now."""
        self.film.stop()
        self.frame = None
        for lane in self.lanes:
            lane.thaw()

    def end(self) -> None:
        """Stop all work for this training's pictures."""
        self.mapping.cancel()
        self.reasoning.cancel()
        self.asking.cancel()
        self.rest()
