"""Views of a training run: copies made at intervals, which training does not change.

`Live` is what other programs see of a training while it goes on: never its table, but the verdicts on its map, the
scores of the positions that they look at, and the last game that was played alone. A picture is made from the newest
view, once for all who watch. The map is sent as runs of verdicts: of those positions whose verdict has changed since
the picture that the watcher has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic, thread_time
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.curve_points import LARGE
from nimtui.learning.evaluate import Standing, changed, visits_of
from nimtui.learning.learner import Scores, fresh, parse_learner
from nimtui.learning.training import Training
from nimtui.theory.truth import Truth

SPARING = 50  # making views may take 1/SPARING of the time
OUTSIDE, SPARING_OUTSIDE = 0.6, 200  # seconds between two views for other programs, and the same of their time
LAST = 3.0  # seconds after the last question of another program
MOST_COPIES = 64  # of a history …
MOST_BYTES = 32 * 2**20  # … and their size


class View(NamedTuple):
    """A run at one moment."""

    games: int
    plies: int
    seconds: float
    scores: Scores  # [edges]
    visits: npt.NDArray[np.int32]  # [edges]
    standing: Standing
    truth: Truth | None = None  # the listed positions that this is about; None: those of the training


NO_STANDING = Standing(0.0, 0.0, 0.0, False, False, 0, 0, 0, 0, np.zeros(0, np.int8))


class History:
    """Copies of a table's scores over time. When there are too many, every second one is dropped."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._copies: list[tuple[int, npt.NDArray[Any]]] = []  # games, scores [edges]; the games ascend
        self._step = 1.0  # factor between the games of two stored copies

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def last(self) -> int:
        """The games of the last copy; −1 for none."""
        return self._copies[-1][0] if self._copies else -1

    def clear(self) -> None:
        self._copies.clear()
        self._step = 1.0

    def see(self, view: View, learner: str) -> None:
        """Store the scores of this view of a learner's table, after those that every such table starts with."""
        if not len(self):
            self.add(0, np.full_like(view.scores, fresh(parse_learner(learner))))
        self.add(view.games, view.scores)

    def add(self, games: int, scores: npt.NDArray[Any]) -> None:
        """Store these scores (an array that never changes again), if enough games passed since the last copy."""
        last = self.last
        if games < last:
            self.clear()  # the training started over
        elif games == last or games < last * self._step:
            return
        self._copies.append((games, scores))
        most = min(MOST_COPIES, self._most_bytes // max(1, scores.nbytes))
        if len(self._copies) > most:
            first, last = max(1, self._copies[0][0]), max(2, games)
            self._step = (last / first) ** (2 / max(2, most))
            del self._copies[1::2]
            if not most:  # there is no room for one copy
                self._copies.clear()

    def pictures(self, edges: slice) -> list[tuple[int, npt.NDArray[Any]]]:
        """Return the games of each copy, and its scores of these moves."""
        return [(games, scores[edges]) for games, scores in self._copies]

    def of(self, edge: int, now: float, cells: int) -> Sequence[float]:
        """Return at most `cells` values of one score, spread evenly over the copies; the last one is `now`."""
        copies = len(self._copies)
        places = np.unique(np.linspace(0, copies - 1, max(0, min(copies, cells - 1))).astype(int))
        return [*(float(self._copies[at][1][edge]) for at in places), now]


class Source(Protocol):
    """The run that is viewed."""

    training: Training  # a new one after a reset

    def copy(self) -> tuple[Training, View]:
        """Return the training and a copy of its table, without a standing."""


class Views:
    """Makes views of a run and holds the newest. A thread makes the views of large tables."""

    def __init__(self, source: Source) -> None:
        self.every: float | None = None  # seconds between two views; None: no views
        self.outside = -LAST  # when another program asked last
        self.newest: View | None = None
        self._source = source
        self._looked = self._cost = 0.0  # when training last waited for a view, and for how many seconds
        self._making: Future[None] | None = None
        self._maker: ThreadPoolExecutor | None = None

    def look(self) -> None:
        """Make a view, if views are wanted and the last one is old enough."""
        every, sparing = (OUTSIDE, SPARING_OUTSIDE) if self.every is None else (self.every, SPARING)
        if not self.wanted or monotonic() - self._looked < max(every, sparing * self._cost):
            return
        if self._making is not None and not self._making.done():
            return
        started = thread_time()
        snapshot = self._source.copy()
        if len(snapshot[1].scores) < LARGE:
            self._make(*snapshot)
        else:
            self._maker = self._maker or ThreadPoolExecutor(1, "view")
            self._making = self._maker.submit(self._make, *snapshot)
        self._cost, self._looked = thread_time() - started, monotonic()

    @property
    def wanted(self) -> bool:
        """Return whether views are wanted by the app's own screen, or another program."""
        return self.every is not None or monotonic() - self.outside < LAST

    def look_now(self) -> View | None:
        """Make a view now, if views are wanted, and return it; the last one if the scores are not numbers."""
        if not self.wanted:
            return None
        self._make(*self._source.copy())
        return self.newest

    def close(self) -> None:
        """Stop the thread; after this only `look_now` makes views."""
        if self._maker is not None:
            self._maker.shutdown(wait=False, cancel_futures=True)
            self._maker = None

    def _make(self, training: Training, view: View) -> None:
        if not training.sound(view.scores):
            return  # the last view stays; the run is about to fail
        if view.truth is not None:
            view = view._replace(standing=training.listed_standing(view.scores, view.truth))
        if training is self._source.training and view.truth is training.listed:  # no reset meanwhile, no others to show
            self.newest = view


MOST_PICTURES = 8  # of which a watcher may have the last
UNCHANGED = -1  # no verdict
UNMET = 4  # is added to the verdict on a position that no own game of a function met
MOST_CHANGED = 100  # positions of which a game is sent the scores, beside its own
MOST_LISTED = 100_000  # positions of which the numbers of the list are sent

Verdicts = npt.NDArray[np.int8]


class Numbers(NamedTuple):
    """What a list of positions is sorted by."""

    best: npt.NDArray[Any]  # [nodes]: the best score of its moves
    plays: npt.NDArray[np.int64]  # [nodes]: how often its moves were played
    saved: int | None = None  # the games of the save that this is of; None: as it is now

    @classmethod
    def of(cls, view: View, truth: Truth, saved: int | None = None) -> Numbers:
        return cls(np.maximum.reduceat(view.scores, truth.graph.ptr[:-1]), visits_of(truth, view.visits), saved)

    @property
    def text(self) -> str:
        """Say of which save they are: ', by the save at 7 games'; '' of those as they are now."""
        return "" if self.saved is None else f", by the save at {plural(self.saved, 'game', 'games')}"


def runs_of(old: Verdicts | None, new: Verdicts) -> list[int]:
    """Return the changes from one map to the next as runs: [length, verdict, length, verdict …].

    The verdict UNCHANGED stands for positions whose verdict is the same. Without an old map all have changed.
    """
    changes = new if old is None or len(old) != len(new) else np.where(old == new, np.int8(UNCHANGED), new)
    if not len(changes):
        return []
    starts = np.concatenate(([0], np.flatnonzero(np.diff(changes)) + 1))
    lengths = np.diff(np.append(starts, len(changes)))
    both: list[int] = np.stack((lengths, changes[starts]), axis=1).ravel().tolist()
    return both


def applied(old: Verdicts | None, runs: Sequence[int]) -> Verdicts:
    """Return the map that these runs make of an old one. Raises ValueError if they are not of this map."""
    lengths, verdicts = np.array(runs, np.int64).reshape(-1, 2).T
    new = np.repeat(verdicts.astype(np.int8), lengths)
    same = new == UNCHANGED
    if same.any():
        if old is None or len(old) != len(new):
            raise ValueError("a change of another map")
        new[same] = old[same]
    return new


def moves_of(truth: Truth, nodes: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the edges of the moves of these positions. Raises IndexError if a position is none of these."""
    ptr = truth.graph.ptr
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(ptr[node], ptr[node + 1]) for node in nodes)])


def told(view: View, moves: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Return what a picture tells of a view beside its map, with the scores and visits of these moves."""
    about = {"games": view.games, "plies": view.plies, "seconds": view.seconds, "standing": view.standing[:-1]}
    return {**about, "scores": view.scores[moves].tolist(), "visits": view.visits[moves].tolist()}


class Live:
    """Answers the watchers of one training."""

    def __init__(self, run: Any) -> None:
        """`run` is a `run.Run`, which has this."""
        self._run = run
        self._history = History()  # of the scores of its own positions, since it started here
        self._remembering = Lock()
        self._view: View | None = None
        self._number = 0  # of the newest picture
        self._maps: dict[int, Verdicts] = {}  # of the newest pictures
        self._sent: dict[Hashable, str] = {}  # what was sent of the newest picture, by what was asked

    def remember(self) -> None:
        """Remember the scores at a point of the curve, for those who watch later."""
        training = self._run.training
        own, has_room = training.own, training.table.cells.nbytes <= MOST_BYTES
        if training.marked == training.games and has_room and own is not None and own is training.listed:
            self._see(self._run.copy()[1])

    def _see(self, view: View) -> None:
        """Add the scores of a view to the history."""
        with self._remembering:
            self._history.see(view, self._run.training.table.learner)

    def picture(self, question: Mapping[str, Any]) -> str:
        """Return a picture as JSON: the changes `since` a picture, the curve from its `points` on, the scores of
        `nodes`, the `past` of the first one since so many games, and, if asked, the game after the one of a watcher.

        Or `of` something else: the numbers of a list, the reasons of a move at a board, or of the whole function.
        """
        run, view = self._run, self._newest()
        if (of := question.get("of")) is not None:
            return self._once((of, str(question.get("board")), question.get("move")), lambda: self._more(question))
        training, points = run.training, int(question["points"])
        run.following |= "game" in question
        head: dict[str, Any] = {
            "saved": run.writer.games,
            "speed": run.speed,
            "stepping": run.stepping,
            "last": run.last,
            "perfect": run.until_perfect,
            "curve": training.curve[points:] if points <= len(training.curve) else training.curve,
            "points": len(training.curve),
        }
        if view is None:
            return json.dumps(head)
        listed, nodes = training.listed, question["nodes"]
        moves, first = moves_of(listed, nodes), moves_of(listed, nodes[:1])
        with self._remembering:
            own = len(first) and listed is training.own
            past = self._history.pictures(slice(int(first[0]), int(first[-1]) + 1)) if own else []
        head |= told(view, moves) | {
            "number": self._number,
            "past": [(games, scores.tolist()) for games, scores in past if games > question["past"]],
            "game": self._game(view, listed, question["game"]) if "game" in question else None,
        }
        since = int(question["since"])
        changes = self._once(since, lambda: json.dumps(runs_of(self._maps.get(since), self._maps[self._number])))
        return f'{json.dumps(head)[:-1]}, "map": {changes}}}'

    def _once(self, what: Hashable, text: Callable[[], str]) -> str:
        """Return what was sent of the newest picture already, or send this text from now on."""
        if what not in self._sent:
            self._sent[what] = text()
        return self._sent[what]

    def _more(self, question: Mapping[str, Any]) -> str:
        """Return what a watcher asks for beside pictures, as JSON."""
        run, view = self._run, self._view
        match question["of"]:
            case "numbers" if view is not None and len(view.standing.verdicts) <= MOST_LISTED:
                return json.dumps({"numbers": [each.tolist() for each in Numbers.of(view, run.training.listed)[:2]]})
            case "reasons" if run.training.ready and run.training.estimator is not None:
                board, move = question["board"], question["move"]
                state = None if board is None else run.training.game.at(board)
                return f'{{"reasons": {run.account(state, move).text}}}'
        return "{}"

    def _game(self, view: View, listed: Truth, known: int) -> dict[str, Any] | None:
        """Return the last game that was played alone; None if that is `known`, or the run has played on."""
        from nimtui.learning.sample import SampledTruth

        followed, truth = self._run.followed_game, self._run.training.truth
        if followed is None or view.games != followed.after.games or view.games == known:
            return None
        episode, steps, before, after = followed
        nodes: set[int] = set()
        if episode is not None and truth is not None:
            nodes = {*episode.nodes.tolist(), *changed(truth, before.scores, after.scores)[:MOST_CHANGED]}
        elif steps is not None and isinstance(listed, SampledTruth):
            nodes = {listed.node(step.state.board) for step in steps.moves} - {-1}
        moves = moves_of(listed, sorted(nodes))
        return {
            "nodes": sorted(nodes),
            "before": told(before, moves),
            "after": told(after, moves),
            "map": runs_of(self._maps[self._number], self._states(before)),
            "episode": episode and [part.tolist() if isinstance(part, np.ndarray) else part for part in episode],
            "steps": steps and [*steps[:3], [step[1:] for step in steps.moves], steps.outcome],
        }

    def steer(self, what: str, amount: float | None) -> None:
        """Obey a request of another program. Raises InputError if that is impossible."""
        run = self._run
        match what:
            case "step":
                run.following |= amount in (1, None)
                run.stop_after(1 if amount is None else int(amount))
            case "change":
                run.following = True
                run.stop_at_change()
            case "speed":
                run.led = True
                run.set_speed(amount)
            case "goal" if amount is not None:
                if amount <= run.training.games:
                    raise InputError(f"the run has played {run.training.games:,} games already")
                run.train_to(int(amount))
            case "save":
                (run.save if run.held() and run.unsaved else run.checkpoint)()
            case _:
                run.job.obey(what)

    def _newest(self) -> View | None:
        run = self._run
        views, training = run.views, run.training
        views.outside = monotonic()
        view = views.newest
        if training.ready and (view is None or (view.games != training.games and run.held())):
            view = views.look_now()
        if view is not None and view is not self._view:
            self._view, self._number = view, self._number + 1
            self._maps[self._number] = self._states(view)
            self._maps.pop(self._number - MOST_PICTURES, None)
            self._sent.clear()
            if view.games > self._history.last and training.listed is training.own:
                self._see(view)
        return self._view

    def _states(self, view: View) -> Verdicts:
        """Return the verdicts of a view, and of a function where its own games never were."""
        training, states = self._run.training, view.standing.verdicts.copy()
        if training.estimator is not None:
            states[visits_of(training.listed, view.visits) == 0] += UNMET
        return states
