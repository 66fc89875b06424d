"""The Train screen: the map of all positions, the curve, one position with its moves, and the controls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from nimtui.errors import InputError
from nimtui.store.settings import Settings
from nimtui.ui.kit.clipboard import Copy
from nimtui.ui.kit.entries import fresh_seed
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.mode_screen import ModeScreen
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.kit.typing_line import Prompt
from nimtui.ui.play.setup import ME, PlaySetup
from nimtui.ui.train import keys as train_keys
from nimtui.ui.train import view as train_view
from nimtui.ui.train.conductor import TrainConductor
from nimtui.ui.train.copies import of_setup
from nimtui.ui.train.form import Answer, GoOn, RunChoice, TrainChoice
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.stage import TrainStage


class TrainScreen(ModeScreen[TrainConductor]):
    """Forwards keys to the app's conductor, which runs the training, and to the stage, which shows it."""

    CONDUCTOR = TrainConductor
    BINDING_GROUP_TITLE = "Train"
    HELP = train_keys.HELP
    AUTO_FOCUS = "#map0"
    BINDINGS: ClassVar[list[BindingType]] = [*train_keys.TRAINING, *train_keys.TYPING, *train_keys.ASKING]

    def __init__(self) -> None:
        super().__init__()
        self._asking = False  # is the question open whether to start over?

    @property
    def stage(self) -> TrainStage:
        return self.query_one(TrainStage)

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="status")
        yield TrainStage(self.conductor)
        yield Panel(id="prompt")
        yield Footer()

    def on_mount(self) -> None:
        if not self.conductor.lanes and not self.conductor.going:
            self.call_after_refresh(self.action_new)

    def start(self, answer: Answer) -> None:
        """Start a training, or open or resume the one in a file."""
        try:
            if isinstance(answer, TrainSetup):
                self.conductor.start(answer)
            elif isinstance(answer, Path):
                self.conductor.resume(answer)
            elif isinstance(answer, GoOn):
                self.conductor.resume(answer.path, held=False)
        except InputError as fault:
            self.notify(str(fault), title="Cannot start this training", severity="error")

    # Showing.

    def tick(self) -> None:
        self.stage.look()
        self.typing_changed()

    def draw(self) -> None:
        if self.there:
            self.stage.draw()
            self.typing_changed()

    def typing_changed(self) -> None:
        self.fill("status", train_view.status(self.conductor))
        self.fill("prompt", train_view.prompt(self.conductor, self.typing, self._asking))
        self.draw_footer()

    def settings_changed(self, settings: Settings) -> None:
        if self.is_current:
            self._watch()
        super().settings_changed(settings)

    def on_screen_suspend(self) -> None:
        self.conductor.watch(None)
        self.stage.rest()

    def on_screen_resume(self) -> None:
        self._watch()
        if self.focused is None:
            self.stage.map().focus()

    def _watch(self) -> None:
        """Make views as often as the screen draws; half as often on a slow line."""
        app = shell(self)
        self.conductor.watch(2 * app.tick if app.slow else app.tick)

    def on_train_stage_said(self, message: TrainStage.Said) -> None:
        self.conductor.message = message.text
        self.typing_changed()

    # The keyboard.

    def on_key(self, event: events.Key) -> None:
        """Answer the question with Enter, before the map takes the key."""
        if event.key == "enter" and self._asking:
            event.stop()
            event.prevent_default()
            self.action_reset_now()

    def action_goto(self) -> None:
        self.typing.begin(Prompt.POSITION)
        self.draw()

    def take(self, text: str) -> None:
        """Go to the typed position."""
        self.stage.goto(text)

    # Actions.

    def copies(self) -> list[Copy]:
        setup = self.conductor.setup
        return [*self.stage.copies(), *([of_setup(setup, self.stage.active)] if setup is not None else [])]

    def possible(self, action: str) -> bool | None:
        seen = self.there and self.stage.seen
        if action == "close_list" and not (seen and self.stage.listing):
            return False
        return train_keys.possible(action, self.conductor, self._asking, seen)

    def action_pause(self) -> None:
        self.conductor.pause_or_go_on()

    def action_go_on(self) -> None:
        self.conductor.follow(self.conductor.pace.singly)
        self.conductor.pause_or_go_on()

    action_go_further = action_go_on

    def action_games(self, games: int) -> None:
        self.conductor.follow(games == 1)
        self.conductor.step(games)

    def action_speed(self, by: int) -> None:
        self.conductor.change_pace(by)
        self.conductor.follow(self.conductor.pace.singly)
        self.draw()

    def action_to_change(self) -> None:
        self.conductor.to_change()

    def action_checkpoint(self) -> None:
        self.conductor.checkpoint()

    def action_reset(self) -> None:
        self._asking = True
        self.draw()

    def action_reset_now(self) -> None:
        self._asking = False
        self.stage.rest()
        self.conductor.reset()

    def action_keep(self) -> None:
        self._asking = False
        self.draw()

    def action_mark(self, by: int) -> None:
        self.stage.mark(by)

    def action_follow(self) -> None:
        self.stage.follow()

    def action_back(self) -> None:
        self.stage.back()

    def action_wrong(self) -> None:
        self.stage.next_wrong()

    def action_list(self) -> None:
        self.stage.toggle_list()

    action_close_list = action_list

    def action_order(self) -> None:
        self.stage.next_order()

    def action_new(self) -> None:
        self.app.push_screen(TrainChoice(self.conductor.setup), self.start)

    def action_runs(self) -> None:
        self.app.push_screen(RunChoice(), self.start)

    def action_play(self) -> None:
        """Play against the current table; the training continues meanwhile."""
        self._play(lambda game, table: PlaySetup(game, None, (ME, table), fresh_seed()))

    def action_play_here(self) -> None:
        """Play the position under the cursor: the table moves first, with the seed of the training."""
        position, seed = self.stage.position, self.conductor.setup.seed if self.conductor.setup is not None else 0
        self._play(lambda game, table: PlaySetup(game, position, (table, ME), seed))

    def _play(self, setup: Callable[[str, str], PlaySetup]) -> None:
        """Save the current table, and play the game that `setup` makes of the game and the table's name."""
        if self.conductor.game is None:
            return
        game = self.conductor.game.name

        def play(path: Path) -> None:
            try:
                shell(self).play(setup(game, f"table:{path}").validate())
            except InputError as fault:
                self.notify(str(fault), severity="error")

        self.conductor.copy(self.stage.active, self.while_shown(play))
