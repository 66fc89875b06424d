"""What other programs see of a training while it goes on: never its table, but the verdicts on its map and the scores
of one position.

A picture is made from the newest view, once for all who watch. The map is sent as runs of verdicts: of those positions
whose verdict has changed since the picture that the watcher has.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.learning.evaluate import Standing
from nimtui.learning.views import View

MOST_PICTURES = 8  # of which a watcher may have the last
UNCHANGED = -1  # no verdict

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


class Live:
    """Answers the watchers of one training."""

    def __init__(self, run: Any) -> None:
        """`run` is a `run.Run`, which has this."""
        self._run = run
        self._view: View | None = None
        self._number = 0  # of the newest picture
        self._maps: dict[int, Verdicts] = {}  # of the newest pictures
        self._maps_sent: dict[tuple[int, int], str] = {}  # the runs from a picture to the newest one

    def picture(self, since: int, points: int, edges: Sequence[int]) -> str:
        """Return a picture as JSON: the changes since a picture, the curve from a point on, and the scores of moves."""
        run, view = self._run, self._newest()
        training = run.training
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
        first, end = edges if len(edges) == 2 else (0, 0)
        head |= {
            "number": self._number,
            "games": view.games,
            "plies": view.plies,
            "seconds": view.seconds,
            "standing": view.standing[:-1],
            "scores": view.scores[first:end].tolist(),
            "visits": view.visits[first:end].tolist(),
        }
        return f'{json.dumps(head)[:-1]}, "map": {self._map(since)}}}'

    def steer(self, what: str, amount: float | None) -> bool:
        """Obey a request that only a training knows; return False for any other one. Raises InputError."""
        run = self._run
        match what:
            case "step":
                run.stop_after(1 if amount is None else int(amount))
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
        views, training = self._run.views, self._run.training
        views.outside = monotonic()
        view = views.newest
        if training.ready and (view is None or (view.games != training.games and self._run.held())):
            view = views.look_now()
        if view is not None and view is not self._view:
            self._view, self._number = view, self._number + 1
            self._maps[self._number] = view.standing.verdicts
            self._maps.pop(self._number - MOST_PICTURES, None)
            self._maps_sent.clear()
        return self._view

    def _map(self, since: int) -> str:
        pair = since if since in self._maps else 0, self._number
        if pair not in self._maps_sent:
            self._maps_sent[pair] = json.dumps(runs_of(self._maps.get(pair[0]), self._maps[self._number]))
        return self._maps_sent[pair]


def standing(values: Sequence[Any], verdicts: Verdicts) -> Standing:
    """Return the standing of a picture. Raises TypeError if it has other parts."""
    return Standing._make((*values, verdicts))
