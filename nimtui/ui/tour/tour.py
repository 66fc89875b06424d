"""The tour itself: which step is shown, when the next one follows, and where the tour waits."""

from __future__ import annotations

from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.contract.shell import Guide
from nimtui.ui.tour.steps import SETUP, STEPS, Scene, Step, TourShell
from nimtui.ui.train.lane import USUAL_PACE
from nimtui.ui.train.setup import PRESETS

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
