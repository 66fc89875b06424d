"""The Train screen: the map of all positions, the curve, one position with its moves, the controls."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from nimtui.errors import InputError
from nimtui.jobs import Job
from nimtui.learning.atlas import Order, orders
from nimtui.store.settings import Settings
from nimtui.ui import train_keys, train_view
from nimtui.ui.errand import Errand
from nimtui.ui.film import Film
from nimtui.ui.screens.page import Page
from nimtui.ui.screens.play import BREAKPOINTS
from nimtui.ui.screens.train_setup import Answer, RunChoice, TrainChoice
from nimtui.ui.setup import ME, PlaySetup, fresh_seed
from nimtui.ui.shell import shell
from nimtui.ui.train_conductor import Lane, TrainConductor
from nimtui.ui.train_place import Place
from nimtui.ui.train_setup import TrainSetup
from nimtui.ui.train_view import Atlas
from nimtui.ui.typing_line import Asked, TypingLine
from nimtui.ui.widgets import episode, train_prompt
from nimtui.ui.widgets.footer import Footer
from nimtui.ui.widgets.header import Header
from nimtui.ui.widgets.panel import Paint, Panel
from nimtui.ui.widgets.position_list import PositionList, rows_of
from nimtui.ui.widgets.position_map import PositionMap
from nimtui.ui.widgets.position_panel import paint as paint_position


class TrainScreen(Page[None]):
    """Composes and forwards: the training is the conductor's, which is the app's."""

    BINDING_GROUP_TITLE = "Train"
    HELP = train_keys.HELP
    AUTO_FOCUS = "#map0"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*train_keys.TRAINING, *train_keys.TYPING, *train_keys.ASKING]

    def __init__(self) -> None:
        super().__init__()
        self._atlas: Atlas | None = None
        self._place = Place()
        self._active = 0  # whose table the position panel and the list show
        self._typing = TypingLine(starts="")
        self._asking = False  # shall it begin anew?
        self._listing = False
        self._following = False  # are games shown move by move?
        self._film = Film()
        self._lanes: list[Lane] = []  # those that are shown
        self._mapping: Errand[tuple[Atlas, list[Order]]] = Errand()
        self._ticker: Timer | None = None
        self._footer: tuple[bool | None, ...] = ()
        self._stale = True  # is there a view that is not drawn yet?

    @property
    def conductor(self) -> TrainConductor:
        return shell(self).training

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="status")
        with Horizontal(id="top"):
            yield Panel(id="curve")
            yield Panel(id="episode")
            yield PositionList(id="list")
            yield Panel(id="position")
        with Horizontal(id="maps"):
            for at in (0, 1):
                with Vertical(id=f"side{at}"):
                    yield Panel(id=f"caption{at}")
                    yield PositionMap(id=f"map{at}")
        yield Panel(id="prompt")
        yield Footer()

    def on_mount(self) -> None:
        super().on_mount()
        app = shell(self)
        self._ticker = self.set_interval(app.tick, self._tick)
        app.settings_changed.subscribe(self, self._settings_changed)
        self.conductor.changed = self._changed
        self._new_lanes()
        if not self.conductor.lanes:
            self.call_after_refresh(self.action_new)

    def on_unmount(self) -> None:
        self._mapping.cancel()
        self._film.stop()

    # Beginning.

    def start(self, answer: Answer) -> None:
        """Begin this training, or go on with the one in this file."""
        try:
            if isinstance(answer, TrainSetup):
                self.conductor.start(answer)
            elif isinstance(answer, Path):
                self.conductor.resume(answer)
        except InputError as fault:
            self.notify(str(fault), title="This cannot be trained", severity="error")

    def _new_lanes(self) -> None:
        """Another training: forget what belonged to the one before."""
        self._mapping.cancel()
        self._lanes = list(self.conductor.lanes)
        self._active = 0
        self._film.stop()
        self.set_class(len(self._lanes) > 1, "-two")
        if self._atlas is not None and self._atlas.game != self.conductor.game:
            self._atlas, self._place = None, Place()
            self.query_one(PositionList).show(None, str, lambda node, edge: "")
        self._draw()

    def _work_out(self) -> None:
        """Put the positions in order, as soon as they are known."""
        lane = self._lanes[0] if self._lanes else None
        if lane is None or self._atlas is not None or self._mapping.running or lane.training.truth is None:
            return
        truth, game = lane.training.truth, lane.training.game
        self._mapping.start(
            shell(self).jobs, "map", lambda progress: (Atlas(game, truth), orders(truth, game)), self._worked_out
        )

    def _worked_out(self, job: Job[tuple[Atlas, list[Order]]]) -> None:
        if job.result is None:
            self.conductor.message = f"There is no map: {job.error_text or 'stopped'}"
            self._draw()
            return
        self._atlas, found = job.result
        self._place = Place(int(self._atlas.graph.start))
        for at in (0, 1):
            self._map(at).set_orders(found, self._place.node)
        self._draw()

    # Showing.

    def _map(self, at: int) -> PositionMap:
        return self.query_one(f"#map{at}", PositionMap)

    @property
    def _lane(self) -> Lane | None:
        return self._lanes[self._active] if self._active < len(self._lanes) else None

    @property
    def _seen(self) -> bool:
        return self._atlas is not None and self._lane is not None and self._lane.view is not None

    def _changed(self) -> None:
        """The conductor has something new to say."""
        if self.is_mounted:
            if self._lanes != self.conductor.lanes:
                self._new_lanes()
            else:
                self._draw()

    def _tick(self) -> None:
        if not self.is_current:
            return
        self._stale |= self.conductor.tick()
        self._work_out()
        self._find_change()
        self._roll()
        if self._stale and not self._film.running:
            self._draw()
        else:
            self._draw_lines()

    def _draw(self) -> None:
        """Everything, as it is now; only what differs is sent."""
        self.set_class(self._listing, "-listing")
        self.set_class(self._following, "-following")
        self._draw_lines()
        self._draw_views()
        self._draw_footer()

    def _draw_lines(self) -> None:
        conductor = self.conductor
        self._fill("status", train_view.status(conductor))
        self._fill("prompt", train_prompt.paint(conductor, self._typing, self._asking))
        for at, lane in enumerate(self._lanes):
            self._fill(f"caption{at}", train_view.caption(lane, at, at == self._active))

    def _draw_views(self) -> None:
        self._stale = False
        self._fill("curve", train_view.curve(self.conductor))
        atlas, lane = self._atlas, self._lane
        if atlas is None or lane is None or lane.view is None:
            self._fill("position", lambda columns, rows, signs: [])
            return
        verdicts = [lane.view.standing.verdicts if lane.view is not None else None for lane in self._lanes]
        for at, found in enumerate(verdicts):
            if found is not None:
                other = verdicts[1 - at] if len(verdicts) > 1 else None
                self._map(at).show(found, other)
        self._draw_position()

    def _draw_position(self) -> None:
        atlas, lane = self._atlas, self._lane
        if atlas is None or lane is None or lane.view is None:
            return
        shown = train_view.shown(atlas, lane, self._place.node, self._place.edge)
        self._fill("position", lambda columns, rows, signs: paint_position(shown, columns, rows, signs))
        positions = self.query_one(PositionList)
        if positions.display:
            view = lane.view
            rows = rows_of(view.scores, view.visits, view.standing.verdicts, atlas.graph.ptr)
            positions.show(rows, atlas.name, atlas.move_name)
            positions.goto(self._place.node)

    def _draw_footer(self) -> None:
        footer = tuple(self.check_action(action, ()) for action in sorted(train_keys.ALL))
        if footer != self._footer:  # the footer is sent anew, so only when it says something else
            self._footer = footer
            self.refresh_bindings()

    def _fill(self, name: str, paint: Paint) -> None:
        self.query_one(f"#{name}", Panel).fill(paint)

    def _settings_changed(self, settings: Settings) -> None:
        if self._ticker is not None:
            self._ticker.stop()
        self._ticker = self.set_interval(shell(self).tick, self._tick)
        if self.is_current:
            self.conductor.watch(shell(self).tick)
        self._draw()

    def on_screen_suspend(self) -> None:
        self.conductor.watch(None)
        self._film.stop()

    def on_screen_resume(self) -> None:
        self.conductor.watch(shell(self).tick)
        if self.focused is None:
            self._map(0).focus()
        self._changed()

    # Games move by move.

    def _roll(self) -> None:
        """Show the game that was played last, if games are followed and this one was not shown yet."""
        found = self.conductor.episode(self._active) if self._following else None
        if found is None or self._atlas is None or self._film.knows(found):
            return
        pace = self.conductor.pace
        seconds = 1 / pace.speed if pace.singly and pace.speed and self.conductor.going else None
        game = train_view.played(self._atlas, found)
        self._film.start(self, found, game.frames, seconds, shell(self).tick / 2, self._show_frame)
        self._game = game
        self._show_frame(0)

    def _show_frame(self, frame: int) -> None:
        game = self._game
        self._fill("episode", lambda columns, rows, signs: episode.paint(game, frame, columns, rows, signs))
        if frame == game.frames - 1:
            self._draw_views()

    def _find_change(self) -> None:
        """What `to_change` was looking for has been found: go there."""
        found = self.conductor.found_change()
        if found is None or self._atlas is None:
            return
        count, node = found
        others = f", and in {count - 1} more" if count > 1 else ""
        self.conductor.message = f"The best move has changed in {self._atlas.name(node)}{others}"
        self._go(node)

    # The position.

    def _go(self, node: int, *, keep: bool = True) -> None:
        """Look at this position; `keep` the one before for coming back."""
        self._place.go(node, keep=keep)
        for at in range(2):
            self._map(at).goto(node)
        self._draw_position()
        self._draw_footer()

    def on_position_map_moved(self, message: PositionMap.Moved) -> None:
        self._go(message.node, keep=False)

    def on_position_map_picked(self, message: PositionMap.Picked) -> None:
        self.action_follow()

    def on_position_list_moved(self, message: PositionList.Moved) -> None:
        self._go(message.node, keep=False)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id in ("map0", "map1"):
            active = int(event.widget.id[-1])
            if active != self._active and active < len(self._lanes):
                self._active = active
                self._draw()

    def action_mark(self, by: int) -> None:
        if self._atlas is not None and self._lane is not None:
            shown = train_view.shown(self._atlas, self._lane, self._place.node, self._place.edge)
            if shown is not None:
                edges = sorted(
                    self._atlas.edges(self._place.node),
                    key=lambda edge: -self._lane.view.scores[edge],  # type: ignore[union-attr]
                )
                self._place.edge = edges[max(0, min(len(edges) - 1, shown.marked + by))]
                self._draw_position()

    def action_follow(self) -> None:
        """To the position that the marked move leads to."""
        if self._atlas is None or self._lane is None or self._lane.view is None:
            return
        edge = train_view.marked_edge(self._atlas, self._lane.view.scores, self._place.node, self._place.edge)
        node = int(self._atlas.graph.to[edge])
        if node >= 0:
            self._go(node)
        else:
            ends = {-1: "wins", -2: "loses", -3: "is a draw"}[node]
            self._say(f"{self._atlas.move_name(self._place.node, edge)} ends the game: it {ends}")

    def action_back(self) -> None:
        if (node := self._place.back()) is not None:
            self._go(node, keep=False)
        else:
            self._say("This is where you began")

    def action_wrong(self) -> None:
        node = self._map(self._active).next_wrong()
        if node is None:
            self._say("Every position is played right")
        else:
            self._go(node)

    def _say(self, message: str) -> None:
        self.conductor.message = message
        self._draw_lines()

    # The keyboard.

    def on_key(self, event: events.Key) -> None:
        """What is typed into the prompt. All other keys are bindings."""
        if self._typing.open and event.key != "escape" and self._typing.takes(event.key, event.character):
            event.stop()
            event.prevent_default()
            self._draw_lines()

    def on_paste(self, event: events.Paste) -> None:
        if self._typing.open:
            self._typing.add(event.text)
            self._draw_lines()

    def action_goto(self) -> None:
        self._typing.begin(Asked.POSITION)
        self._draw()

    def action_typed(self) -> None:
        """Enter: go to the position that was typed, or say in place what is wrong with it."""
        if self._atlas is None:
            return
        try:
            node = self._atlas.node(self._typing.text)
            if node < 0:
                raise InputError(f"{self._typing.text.strip()} is over, or cannot come about")
            self._typing.close()
            self._go(node)
        except InputError as fault:
            self._typing.fault = str(fault)
        self._draw()

    def action_untype(self) -> None:
        self._typing.close()
        self._draw()

    # Actions.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return train_keys.possible(action, self.conductor, self._typing.open, self._asking, self._seen)

    def action_pause(self) -> None:
        self.conductor.pause_or_go_on()

    def action_go_on(self) -> None:
        self._following = self.conductor.pace.singly
        self.conductor.pause_or_go_on()

    def action_games(self, games: int) -> None:
        self._following = games == 1
        self.conductor.step(games)

    def action_speed(self, by: int) -> None:
        self.conductor.change_pace(by)
        self._following = self.conductor.pace.singly
        self._draw()

    def action_to_change(self) -> None:
        self.conductor.to_change()

    def action_checkpoint(self) -> None:
        self.conductor.checkpoint()

    def action_reset(self) -> None:
        self._asking = True
        self._draw()

    def action_reset_now(self) -> None:
        self._asking = False
        self._film.stop()
        self.conductor.reset()

    def action_keep(self) -> None:
        self._asking = False
        self._draw()

    def action_list(self) -> None:
        """Show the list, or go from it back to the map."""
        self._listing = not self._listing
        self._draw()
        (self.query_one(PositionList) if self._listing else self._map(self._active)).focus()

    def action_order(self) -> None:
        """The next order of the positions."""
        shown = self._map(0)
        names = [order.name for order in shown.orders]
        if names and shown.order is not None:
            name = names[(names.index(shown.order.name) + 1) % len(names)]
            for at in (0, 1):
                self._map(at).set_order(name)

    def action_new(self) -> None:
        self.app.push_screen(TrainChoice(self.conductor.setup), self.start)

    def action_runs(self) -> None:
        self.app.push_screen(RunChoice(), self.start)

    def action_play(self) -> None:
        """Play against the table as it is now; the training goes on meanwhile."""
        lane = self._lane
        if lane is None:
            return
        game = lane.training.game.name

        def play(path: Path) -> None:
            try:
                shell(self).play(PlaySetup(game, None, (ME, f"table:{path}"), fresh_seed()).validate())
            except InputError as fault:
                self._say(str(fault))

        self.conductor.copy(self._active, play)
