"""What other programs see of a training while it goes on: never its table, but the verdicts on its map, the scores of
the positions that they look at, and the last game that was played alone.

A picture is made from the newest view, once for all who watch. The map is sent as runs of verdicts: of those positions
whose verdict has changed since the picture that the watcher has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.learning.evaluate import Standing, changed
from nimtui.learning.views import History, View
from nimtui.theory.truth import Truth

MOST_PICTURES = 8  # of which a watcher may have the last
UNCHANGED = -1  # no verdict
MOST_CHANGED = 100  # positions of which a game is sent the scores, beside its own

Verdicts = npt.NDArray[np.int8]


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


class Live:
    """Answers the watchers of one training."""

    def __init__(self, run: Any) -> None:
        """`run` is a `run.Run`, which has this."""
        self._run = run
        self.history = History()
        self._view: View | None = None
        self._number = 0  # of the newest picture
        self._maps: dict[int, Verdicts] = {}  # of the newest pictures
        self._maps_sent: dict[tuple[int, int], str] = {}  # the runs from a picture to the newest one

    def picture(self, question: Mapping[str, Any]) -> str:
        """Return a picture as JSON: the changes `since` a picture, the curve from its `points` on, the scores of
        `nodes`, the `past` of the first one since so many games, and, if asked, the game after the one of a watcher.
        """
        run, view = self._run, self._newest()
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
        past = run.past(slice(int(first[0]), int(first[-1]) + 1)) if len(first) else []
        head |= {
            "number": self._number,
            "games": view.games,
            "plies": view.plies,
            "seconds": view.seconds,
            "standing": view.standing[:-1],
            "scores": view.scores[moves].tolist(),
            "visits": view.visits[moves].tolist(),
            "past": [(games, scores.tolist()) for games, scores in past if games > question["past"]],
            "game": self._game(view, listed, question["game"]) if "game" in question else None,
        }
        return f'{json.dumps(head)[:-1]}, "map": {self._map(int(question["since"]))}}}'

    def _game(self, view: View, listed: Truth, known: int) -> dict[str, Any] | None:
        """Return the last game that was played alone; None if that is `known`, or the run has played on."""
        from nimtui.learning.sampled import SampledTruth

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
        scores = [(one.scores[moves].tolist(), one.visits[moves].tolist()) for one in (before, after)]
        return {
            "nodes": sorted(nodes),
            "scores": scores,
            "before": [before.games, before.plies, before.seconds, before.standing[:-1]],
            "map": runs_of(view.standing.verdicts, before.standing.verdicts),
            "episode": episode and [part.tolist() if isinstance(part, np.ndarray) else part for part in episode],
            "steps": steps and [*steps[:3], [step[1:] for step in steps.moves], steps.outcome],
        }

    def steer(self, what: str, amount: float | None) -> bool:
        """Obey a request that only a training knows; return False for any other one. Raises InputError."""
        run = self._run
        match what:
            case "step":
                run.following |= amount in (1, None)
                run.stop_after(1 if amount is None else int(amount))
                run.job.resume()
            case "change":
                run.following = True
                run.stop_at_change()
                run.job.resume()
            case "continue":
                run.keep_going()
                run.job.resume()
            case "speed":
                run.led = True
                run.set_speed(amount)
            case "goal" if amount is not None:
                if amount <= run.training.games:
                    raise InputError(f"the run has played {run.training.games:,} games already")
                run.train_to(int(amount))
            case "save":
                run.checkpoint()
            case _:
                return False
        return True

    def _newest(self) -> View | None:
        run = self._run
        views, training = run.views, run.training
        views.outside = monotonic()
        view = views.newest
        if training.ready and (view is None or (view.games != training.games and run.held())):
            view = views.look_now()
        if view is not None and view is not self._view:
            self._view, self._number = view, self._number + 1
            self._maps[self._number] = view.standing.verdicts
            self._maps.pop(self._number - MOST_PICTURES, None)
            self._maps_sent.clear()
            self.history.see(view, run.training.table.learner)
        return self._view

    def _map(self, since: int) -> str:
        pair = since if since in self._maps else 0, self._number
        if pair not in self._maps_sent:
            self._maps_sent[pair] = json.dumps(runs_of(self._maps.get(pair[0]), self._maps[self._number]))
        return self._maps_sent[pair]


def standing(values: Sequence[Any], verdicts: Verdicts) -> Standing:
    """Return the standing of a picture. Raises TypeError if it has other parts."""
    return Standing._make((*values, verdicts))
