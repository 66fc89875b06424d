"""The tour: its steps, what each sees of the app, says and waits for; which one is shown, and where the tour waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from textual.screen import Screen

from nimtui.engine.graph import node_at
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.games.notation import plural
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG, Standing
from nimtui.learning.run import Run
from nimtui.learning.views import View
from nimtui.playing import sentences as words
from nimtui.playing.session import Session
from nimtui.theory.explanation import Explanation, sentences, several
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.contract.shell import Guide, Shell
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.screen import PlayScreen
from nimtui.ui.train.lane import USUAL_PACE, Lane
from nimtui.ui.train.screen import TrainScreen
from nimtui.ui.train.setup import PRESETS, TrainSetup
from nimtui.ui.train.view import Atlas, ranked, ready_words
from nimtui.ui.train.work import TrainWork

EIGHT = 8  # matches
SETUP = TrainSetup("tower:16", "reward", "", 1, "100,000")
Says: TypeAlias = tuple[str, ...]
NEAR = 8  # matches left: positions with at most so many are near the end


class TourShell(Shell, Protocol):
    """The app as the tour sees it."""

    @property
    def training(self) -> TrainWork: ...

    @property
    def game_played(self) -> PlayConductor: ...

    def save_game_in_progress(self) -> None: ...

    @property
    def screen_stack(self) -> Sequence[Screen[Any]]: ...


class Scene:
    """Knows which training and which game belong to the tour, and answers with exact values. Changes nothing."""

    def __init__(self, app: TourShell) -> None:
        self.app = app
        self.run: Run | None = None  # the tour's training
        self.session: Session | None = None  # the tour's game

    # The training.

    @property
    def lane(self) -> Lane | None:
        """The tour's training on the Train screen; None if another one is there."""
        lanes = self.app.training.lanes
        return lanes[0] if lanes and lanes[0].run is self.run else None

    @property
    def view(self) -> View | None:
        """The view of the tour's table that the Train screen shows."""
        return self.lane.view if self.lane is not None else None

    @property
    def standing(self) -> Standing | None:
        return self.view.standing if self.view is not None else None

    @property
    def atlas(self) -> Atlas | None:
        run = self.run
        return Atlas(run.training.game, run.training.truth) if run is not None and run.training.truth else None

    def draws_at(self, node: int) -> bool:
        """Does the table draw a move at random in this position, because no score is above 0?"""
        view, atlas = self.view, self.atlas
        return view is not None and atlas is not None and view.scores[atlas.edges(node)].max() <= 0

    @cached_property
    def matches(self) -> npt.NDArray[np.int32]:
        """The matches left in each position of the tour's game, [nodes]. There is a training."""
        atlas = self.atlas
        assert atlas is not None
        cells = (atlas.game.cells(atlas.state(node)) or () for node in range(len(atlas.truth.values)))
        return np.array([sum(map(sum, rows)) for rows in cells], np.int32)

    @property
    def train_screen(self) -> TrainScreen | None:
        """The Train screen, if it is shown and complete."""
        screen = self.app.screen_stack[0]
        return screen if isinstance(screen, TrainScreen) and screen.there else None

    @property
    def node(self) -> int:
        """The position under the cursor of the map; −1 if there is none."""
        return self.train_screen.stage.node if self.train_screen is not None else -1

    # The game.

    @property
    def play_screen(self) -> PlayScreen | None:
        screen = self.app.screen_stack[0]
        return screen if isinstance(screen, PlayScreen) and screen.there else None

    @property
    def marked(self) -> Move | None:
        """The move under the cursor of the board."""
        board = self.play_screen.board if self.play_screen is not None else None
        return board.cursor.move if board is not None else None

    def value(self, state: State) -> int | None:
        """Return the value of a position for the player to move: 1 won, −1 lost; None if it is unknown."""
        if (outcome := base.outcome(state)) != base.GOING_ON:
            return -outcome  # the outcome is that of the player who just moved; nobody draws here
        if self.run is None or self.run.training.truth is None:
            return None
        node = node_at(self.run.training.truth.graph, state)
        return int(self.run.training.truth.values[node]) if node >= 0 else None

    def value_after(self, ply: int) -> int | None:
        """Return the value of the game's position after so many moves, for the player to move there."""
        return self.value(self.session.record.state_at(ply)) if self.session is not None else None


@dataclass(frozen=True)
class Step:
    """One thing to see and one key."""

    mode: str  # the screen that the step stands on
    says: Callable[[Scene], Says]
    does: Callable[[Scene], str]  # what the key does
    act: Callable[[Scene], object]  # does it
    done: Callable[[Scene], bool]  # has it been seen to happen, by whichever key?
    key: tuple[str, str] | None = None  # the screen's key: its id and default; None: the tour's own
    leads_away: bool = False  # does the key open another screen?


# What the tour says: one sentence for each step, computed from its own table and game, from long to short.


def learning(scene: Scene) -> Says:
    standing, view = scene.standing, scene.view
    lane = scene.lane
    if standing is None or view is None or lane is None or not len(standing.verdicts):
        return (ready_words(scene.app.training) or "The training starts.",)
    if lane.paused:
        return (f"Paused after {plural(view.games, 'game', 'games')}.",)
    total = standing.right + standing.wrong + standing.undecided
    share = f"{plural(view.games, 'game', 'games')}: {standing.right} of {total} positions right."
    return (f"A table learns the tower by playing itself. {share}", f"A table plays itself. {share}", share)


def shares(scene: Scene) -> Says:
    """Say how many positions near the end are right, and how many far from it."""
    standing = scene.standing
    if standing is None:
        return ("",)
    if standing.perfect:
        return ("Every best move of the table is right.",)
    near, right, choice = scene.matches <= NEAR, standing.verdicts == RIGHT, standing.verdicts != NOTHING
    (close, of_close), (far, of_far) = (((right & at).sum(), (choice & at).sum()) for at in (near, ~near))
    return (
        f"Right with {NEAR} matches or fewer: {close} of {of_close} positions. With more: {far} of {of_far}.",
        f"Up to {NEAR} matches: {close} of {of_close} right. More: {far} of {of_far}.",
    )


def opened(scene: Scene) -> Says:
    """Say what the table would play in the position under the cursor, and what would win."""
    atlas, view, node = scene.atlas, scene.view, scene.node
    if atlas is None or view is None or node < 0:
        return ("",)
    name, verdict = atlas.name(node), int(view.standing.verdicts[node])
    edges, _ = ranked(atlas, view, node)
    best = [edge for edge in edges if view.scores[edge] == view.scores[edges[0]]]
    move = atlas.move_name(node, best[0]) if len(best) == 1 else "one of its best-scored moves"
    if verdict == NOTHING:
        return (f"{name} is lost: every move loses.",)
    drawn = scene.draws_at(node)
    if verdict == RIGHT and drawn:
        return (f"At {name} {move} is right, but no score is above 0: the table draws.", f"At {name} the table draws.")
    if verdict == RIGHT:
        return (f"At {name} the table plays {move}: right.",)
    wins = several([atlas.move_name(node, edge) for edge in edges if atlas.truth.keeps[edge]], 3)
    if verdict == UNDECIDED:
        return (f"Undecided: at {name} its best scores are equal. Only {wins} wins.", f"At {name} only {wins} wins.")
    plays = "draws at random" if drawn else f"plays {move}"
    return (
        f"Still wrong: at {name} the table {plays}. Only {wins} wins.",
        f"At {name} the table {plays}. Only {wins} wins.",
        f"{name}: {move} is wrong, {wins} wins.",
    )


def table_moved(scene: Scene) -> Says:
    session = scene.session
    if session is None or not session.record.ply:
        return (scene.app.game_played.waiting.text or "The table moves first.",)
    before, now = scene.value_after(0), scene.value_after(1)
    took = f"The table {words.doing(session.game, session.record.state_at(0), session.record.moves[0], 'took')}"
    if now == 1:
        return (f"{took}: a mistake. Now you can win." if before == 1 else f"{took}. You can win.",)
    return (f"{took}: right. Every move of yours loses.",)


def marks(scene: Scene) -> str:
    return "mark a winning move" if scene.value_after(1) == 1 else "mark the best move"


def advised(scene: Scene) -> Says:
    """Say what the marked move leaves."""
    session, move = scene.session, scene.marked
    if session is None or move is None or session.record.ply != 1:
        return ("Your move.",)
    after = session.game.after(session.state, move)
    doing = words.doing(session.game, session.state, move)
    doing = f"{doing[0].upper()}{doing[1:]}"
    if scene.value(after) == -1:
        return (f"{doing}: then the table is lost, whatever it plays.", f"{doing}: then the table is lost.")
    return (f"{doing}: then the table can win.",)


def judged(scene: Scene) -> Says:
    """Say what the person's latest move was worth, and the table's answer; at the end of the game, who won."""
    session = scene.session
    if session is None or session.record.ply < 2:
        return ("",)
    if session.over:
        return (words.result(session),)
    ply = session.record.ply
    moved = ply - ply % 2  # after the person's latest move: the table moves first
    could, won = scene.value_after(moved - 1) == 1, scene.value_after(moved) == -1
    if ply > moved and not won and scene.value_after(ply) == 1:
        return ("The table makes a mistake: now you can win.",)
    if not could:
        return ("Your position was lost. The table wins if it plays right.",)
    if not won:
        short = "You gave the win back"
        return (f"{short}: now the table can win." if ply == moved else f"{short}. The table took it.",)
    short = "You punish the mistake: the table is lost" if moved == 2 else "Right: the table is still lost"
    return (f"{short}, whatever it plays.", f"{short}.")


def reason(scene: Scene) -> Says:
    """Say in plain words how the position on the board is won, and why."""
    why = scene.app.game_played.explaining.explanation
    if not isinstance(why, Explanation):
        return (f"{why}." if why else f"The explanation is closed. {key_of('play.why', 'w')} opens it.",)
    texts = why.plain or sentences(why)
    return (" ".join(texts[:2]), *(texts[1:2] or texts[:1]), texts[0])


# What the keys do, and whether it is done.


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
        after = int(atlas.graph.to[ranked(atlas, view, node)[0][0]])
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
    here = standing is not None and node >= 0 and int(standing.verdicts[node]) in (WRONG, UNDECIDED)
    return here or (standing is not None and standing.perfect)


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
    return scene.app.game_played.explaining.explanation is not None or answered(scene)


STEPS = (
    Step("train", learning, lambda scene: "skip ahead", skip, trained),
    Step("train", shares, lambda scene: "find a position still wrong", to_wrong, at_wrong),
    Step(
        "train",
        opened,
        lambda scene: "play it: the table moves first",
        play_it,
        begun,
        ("train.play-here", "P"),
        leads_away=True,
    ),
    Step("play", table_moved, lambda scene: "explain why", explain, explained, ("play.why", "w")),
    Step("play", reason, marks, hint, hinted, ("play.hint", "h")),
    Step("play", advised, lambda scene: "play the marked move", take, answered, ("rows-board.take", "⏎")),
    Step("play", judged, lambda scene: "end the tour and play on", lambda scene: None, lambda scene: False),
)


GO_ON, LEAVE = ("everywhere.tour", "^g"), ("everywhere.leave-tour", "esc")  # ids and keys, as screens show them
START = "everywhere.start", "F7"
BEYOND = next(preset.setup for preset in PRESETS if preset.setup.game == "connect4")  # where the end leads
AWAY = next(at for at, step in enumerate(STEPS) if step.leads_away)  # from the training to the game


class Tour:
    """One tour. The app calls `look` a few times a second while the tour is on."""

    def __init__(self, app: TourShell) -> None:
        self.app = app
        self.scene = Scene(app)
        self.on = False
        self.at = 0
        self.over = False  # was it walked to its end?

    @property
    def step(self) -> Step:
        return STEPS[self.at]

    @property
    def here(self) -> bool:
        """Whether the screen of the step is in front, with what belongs to the tour."""
        return self.app.current_mode == self.step.mode and len(self.app.screen_stack) == 1 and self._own

    @property
    def _own(self) -> bool:
        """Whether the screen of the step still holds the tour's training or game."""
        if self.step.mode == "train":
            return self.scene.lane is not None
        return self.scene.session is not None and self.app.game_played.session is self.scene.session

    def go_on(self) -> None:
        """Start the tour, return to its screen, or do what the key of its step does.

        From the game that the tour left the key leads to Connect Four, learned from nothing. There it does nothing
        more: it may be held.
        """
        if self.over:
            front = self.app.current_mode if len(self.app.screen_stack) == 1 else ""
            if front == "play" and self.app.game_played.session is self.scene.session:
                self.app.begin("train", BEYOND)
                return
            if front == "train" and self.app.training.setup == BEYOND:
                return
            self.over, self.scene = False, Scene(self.app)
        if not self.on or not self.here:
            self.on = True
            self._return()
        elif self.at == len(STEPS) - 1:
            self.on, self.at, self.over = False, 0, True
            self._say_over()
        else:
            self.step.act(self.scene)
        self.look()

    def _say_over(self) -> None:
        """Say on the game that the tour is over, and which keys lead on."""
        more = f"{key_of(*GO_ON)}: Connect Four, learned from nothing. {key_of(*START)}: again"
        self.app.game_played.message = f"The tour is over. {more}"
        self.app.game_played.changed()

    def leave(self) -> None:
        """Leave the tour. `go_on` continues at this step."""
        self.on = False

    def look(self) -> None:
        """Go to the next step as often as one is seen to be done. Keys may come faster than looks."""
        while self.on and self.at < len(STEPS) - 1:
            if self.at <= AWAY and STEPS[AWAY].done(self.scene):
                self._take_game()
                self.at = AWAY + 1
            elif self.here and self.at != AWAY and self.step.done(self.scene):
                self.at += 1
            else:
                return

    def _take_game(self) -> None:
        """Let the new game be the tour's, with its explanation closed: a step opens that."""
        played = self.app.game_played
        self.scene.session = played.session
        if played.explaining.on:
            played.explain(close=True)

    def _return(self) -> None:
        """Show the screen of the step. Go back to an earlier step if its training or game was replaced."""
        if not self._own and self.step.mode == "play":
            self.at = AWAY
        if self.step.mode == "train" and self.scene.lane is None:
            self._start()
            return
        self.app.action_mode(self.step.mode)
        self.app.close_all()

    def _start(self) -> None:
        """Start the training of the tour: the same seed gives the same table."""
        self.at = 0
        self.app.save_game_in_progress()  # a step of the tour starts another game
        training = self.app.training
        training.pace = USUAL_PACE
        training.follow(False)
        training.watch(self.app.tick)  # a training that nobody sees has no pace
        self.app.begin("train", SETUP)
        self.app.close_all()
        self.scene.run = training.lanes[0].run if training.lanes and training.setup == SETUP else None

    @property
    def place(self) -> str:
        """Where the tour continues: 'step 4 of 7'; '' at its start."""
        return f"step {self.at + 1} of {len(STEPS)}" if self.at else ""

    @property
    def guide(self) -> Guide:
        """What the app shows of the tour now."""
        place, leave = f"{self.at + 1}/{len(STEPS)}", (key_of(*LEAVE), "leave")
        on = key_of(*GO_ON)
        if not self.here:
            title = self.step.mode.capitalize()
            says = (f"The tour waits at step {self.at + 1} of {len(STEPS)}, on the screen {title}.", "The tour waits.")
            return Guide(place, says, ((on, f"back to the tour on {title}"), leave))
        step, scene = self.step, self.scene
        if not step.key:
            return Guide(place, step.says(scene), ((on, step.does(scene)), leave))
        key = key_of(*step.key)
        return Guide(place, step.says(scene), ((key, step.does(scene)), (on, "next"), leave))
