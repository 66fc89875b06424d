"""The steps of the tour as data: screen, sentence, key, and what must be seen before the next step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nimtui.learning.evaluate import UNDECIDED, WRONG
from nimtui.ui.play import sentences as words
from nimtui.ui.tour import sentences as say
from nimtui.ui.tour.scene import Scene
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.view import ranked

EIGHT = 8  # matches
SETUP = TrainSetup("tower:16", "reward", "", 1, "100,000")


@dataclass(frozen=True)
class Step:
    """One thing to see and one key."""

    mode: str  # the screen that the step stands on
    says: Callable[[Scene], say.Says]
    does: Callable[[Scene], str]  # what the key does
    act: Callable[[Scene], object]  # does it
    done: Callable[[Scene], bool]  # has it been seen to happen, by whichever key?
    key: tuple[str, str] | None = None  # the screen's key: its id and default; None: the tour's own
    leads_away: bool = False  # does the key open another screen?


def trained(scene: Scene) -> bool:
    """Return whether the training of the tour is at its end, and its last map is there to move in."""
    lane, view = scene.lane, scene.view
    ended = lane is not None and lane.ended and view is not None and view.games == lane.training.games
    return ended and scene.node >= 0


def skip(scene: Scene) -> None:
    """Train at full speed."""
    training = scene.app.training
    if training.paused:
        training.pause_or_go_on()
    training.hurry()


def to_wrong(scene: Scene) -> None:
    """Go to a mistake that leaves three rows, of some eight matches: its answer shows the idea of the game."""
    screen, atlas, view, standing = scene.train_screen, scene.atlas, scene.view, scene.standing
    if screen is None or atlas is None or view is None or standing is None or not screen.stage.seen:
        return

    def rows_left(node: int) -> tuple[bool, bool, int]:
        after = int(atlas.graph.to[ranked(atlas, view, node)[0]])
        rows = [int(row) for row in atlas.name(after).split(",")] if after >= 0 else []
        return scene.draws_at(node), sum(row > 0 for row in rows) != 3, abs(sum(rows) - EIGHT)

    wrong = np.flatnonzero(standing.verdicts == WRONG).tolist()
    if wrong:
        screen.stage.goto(atlas.name(min(wrong, key=rows_left)))
    else:
        screen.stage.next_wrong()


def at_wrong(scene: Scene) -> bool:
    """Return whether the cursor is on a wrong or undecided position, or whether there is none."""
    standing, node = scene.standing, scene.node
    return standing is not None and (
        standing.perfect or (node >= 0 and int(standing.verdicts[node]) in (WRONG, UNDECIDED))
    )


def play_it(scene: Scene) -> None:
    if scene.train_screen is not None and scene.train_screen.stage.seen:
        scene.train_screen.play_here()


def begun(scene: Scene) -> bool:
    """Return whether a new game of a saved table against a person is on the Play screen, of the tour's game."""
    session = scene.app.game_played.session
    if scene.app.current_mode != "play" or session is scene.session or scene.view is None or scene.run is None:
        return False
    table, person = session.players
    return session.game == scene.run.training.game and table.spec.startswith("table:") and person.is_person


def hint(scene: Scene) -> None:
    if scene.play_screen is not None:
        scene.app.game_played.hint()


def hinted(scene: Scene) -> bool:
    """Return whether a hint is shown, or the person has moved."""
    session = scene.session
    if session is None or not session.record.ply:
        return False
    message = scene.app.game_played.message
    return session.record.ply > 1 or session.over or (bool(message) and message != words.latest(session))


def take(scene: Scene) -> None:
    if scene.marked is not None:
        scene.app.game_played.play(scene.marked)


def answered(scene: Scene) -> bool:
    session = scene.session
    return session is not None and session.record.ply > 1


def explain(scene: Scene) -> None:
    if not scene.app.game_played.explaining.on and scene.play_screen is not None:
        scene.app.game_played.explain()


def explained(scene: Scene) -> bool:
    """Return whether the position is explained, or the person has moved."""
    return scene.app.game_played.explaining.found is not None or answered(scene)


STEPS = (
    Step("train", say.learning, lambda scene: "skip ahead", skip, trained),
    Step("train", say.shares, lambda scene: "find a position still wrong", to_wrong, at_wrong),
    Step(
        "train",
        say.opened,
        lambda scene: "play it: the table moves first",
        play_it,
        begun,
        ("train.play-here", "P"),
        leads_away=True,
    ),
    Step("play", say.table_moved, lambda scene: "explain why", explain, explained, ("play.why", "w")),
    Step("play", say.reason, say.marks, hint, hinted, ("play.hint", "h")),
    Step("play", say.advised, lambda scene: "play the marked move", take, answered, ("rows-board.take", "⏎")),
    Step("play", say.judged, lambda scene: "end the tour and play on", lambda scene: None, lambda scene: False),
)
