"""What other programs see of a training while it goes on: never its table, but the verdicts on its map, the scores of
the positions that they look at, and the last game that was played alone.

A picture is made from the newest view, once for all who watch. The map is sent as runs of verdicts: of those positions
whose verdict has changed since the picture that the watcher has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning.evaluate import changed, visits_of
from nimtui.learning.views import MOST_BYTES, History, View
from nimtui.theory.truth import Truth

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
