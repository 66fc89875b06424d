"""Shows a training: maps, curve, position, list, and games move by move; and moves between positions."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from nimtui.errors import InputError
from nimtui.games.notation import plural
from nimtui.learning import evaluate, reasons, summary
from nimtui.learning.atlas import Order, orders
from nimtui.learning.evaluate import RIGHT, WORDS
from nimtui.learning.sample import ELSEWHERE, SampledTruth
from nimtui.learning.views import Numbers, View
from nimtui.progress import Progress
from nimtui.report.copies import Copy, rows
from nimtui.report.document import sheet
from nimtui.ui.board.position_map import PositionMap
from nimtui.ui.board.preview import Preview
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.widgets.panel import Panel, Panels
from nimtui.ui.kit.work_screen import Said
from nimtui.ui.train import position_panel, reasons_panel
from nimtui.ui.train import view as train_view
from nimtui.ui.train.lane import ForeignLane
from nimtui.ui.train.position_list import PositionList, Scores
from nimtui.ui.train.view import Atlas, Sight, Whereabouts
from nimtui.ui.train.work import TrainWork

RENEWED = 3.0  # seconds from one gallery of patterns to the next: each takes about a twentieth of a second
HEAD = ("position", "verdict", "best_move", "score", "played")
SHARE, LARGE = 1 / 2, 2 / 3  # of a stage with frames: the maps' share at most, and of a large one
LEAST = 6  # lines of the maps
TILE = 3  # columns from one tile to the next, at least
ENDS = {-1: "wins", -2: "loses", -3: "draws"}  # for the player who ends the game


class Asked(Enum):
    """What the panel of reasons shows."""

    MOVE = "Why"
    HEAVIEST = "What it has learned"
    PAST = "Over time"


class TrainStage(Vertical, Panels):
    """Shows the conductor's training; the screen calls `look`."""

    def __init__(self, conductor: TrainWork) -> None:
        super().__init__()
        self.conductor = conductor
        self.listing = False
        self.asked: Asked | None = None  # what the panel of reasons shows
        self.sight = Sight()
        self._gathered = 0.0  # when the reasons were last worked out
        self._sorted_by = ""  # the games whose meetings gave the last wrong position
        self._across = 1  # maps beside each other: of each learner, and with much room of their difference

    def compose(self) -> ComposeResult:
        yield Preview(id="preview", classes="box")
        with Horizontal(id="maps"):
            for at in (0, 1):
                with Vertical(id=f"side{at}", classes="box"):
                    yield Panel(id=f"caption{at}")
                    yield PositionMap(self._stepped, self._say, id=f"map{at}")
            yield PositionMap(self._stepped, self._say, id="difference", classes="box")
        with Horizontal(id="about"):
            yield Panel(id="curve", classes="box").headed("Learning curve")
            yield Panel(id="episode", classes="box").headed("The game")
            yield PositionList(id="list", classes="box")
            yield Panel(id="why", classes="box").headed("Why")
            yield Panel(id="position", classes="box").headed("Position", "The marked position will stand here.")

    def on_unmount(self) -> None:
        self.sight.end()

    # State.

    def map(self, at: int | None = None) -> PositionMap:
        """Return map 0 or 1, by default the active one."""
        return self.query_one(f"#map{self.sight.active if at is None else at}", PositionMap)

    @property
    def _view(self) -> View | None:
        """The drawn view of the active lane."""
        return next(iter(self.sight.views[self.sight.active :]), None)

    @property
    def _scores(self) -> Scores | None:
        """The numbers of that view for the list; None if there is no map."""
        atlas, view = self.sight.atlas, self._view
        if atlas is None or view is None:
            return None
        ptr = atlas.graph.ptr
        return Scores(view.scores, view.visits, view.standing.verdicts, ptr, not isinstance(atlas.truth, SampledTruth))

    @property
    def seen(self) -> bool:
        """Is there a map to move in?"""
        return self.sight.atlas is not None and self._view is not None

    @property
    def node(self) -> int:
        """The position under the cursor; −1 if there is no map."""
        return self.sight.place.node if self.seen else -1

    @property
    def position(self) -> str:
        """The name of the position under the cursor; '' if there is no map."""
        return self.sight.atlas.name(self.node) if self.sight.atlas is not None and self.node >= 0 else ""

    def look(self) -> None:
        """Show what is new; called a few times per second."""
        self.sight.stale |= self.conductor.tick()
        self._work_out()
        self._find_change()
        self._roll()
        if self.sight.frame is not None and self.conductor.going and not self.sight.film.running:
            self.sight.rest()  # a person walked through a game, and now the training continues
        if self.sight.stale and self.sight.frame is None:
            self.draw()
        else:
            self._draw_captions()

    def draw(self) -> None:
        """Draw everything; send only what changed."""
        if self.sight.lanes != self.conductor.lanes:
            self._new_lanes()
        if not self.conductor.following:
            self.sight.rest()
        self.screen.update_classes({"-listing": self.listing, "-following": self.conductor.following})
        self._draw_captions()
        self._draw_views()

    def _new_lanes(self) -> None:
        """Forget what belonged to the previous training."""
        before, lanes = self.sight, list(self.conductor.lanes)
        before.end()
        self.sight = Sight(lanes)
        self.screen.update_classes({"-used": bool(lanes), "-two": len(lanes) > 1})
        if before.atlas is not None and before.atlas.game == self.conductor.game:
            self.sight.atlas, self.sight.place = before.atlas, before.place
        elif before.atlas is not None:
            self.query_one(PositionList).tell(None, 0, str, lambda node, edge: "")
            for drawn in self.query(PositionMap):
                drawn.set_orders(())

    def _work_out(self) -> None:
        """Sort the positions for the map, as soon as the game is solved."""
        sight = self.sight
        truth = sight.lanes[0].listed if sight.lanes else None
        if truth is None or sight.mapping.running or (sight.atlas is not None and sight.atlas.truth is truth):
            return
        training = sight.lanes[0].training
        game, timed = training.game, training.estimator is not None

        def work(progress: Progress) -> tuple[Atlas, list[Order]]:
            return Atlas(game, truth, timed), truth.orders() if isinstance(truth, SampledTruth) else orders(truth, game)

        def wrong(why: str) -> None:
            self._say(f"Cannot draw the map: {why or 'stopped'}")

        sight.mapping.start(shell(self).jobs, "map", work, self._worked_out, wrong)

    def _worked_out(self, maps: tuple[Atlas, list[Order]]) -> None:
        before, (self.sight.atlas, by_row) = self.sight.atlas, maps
        self.sight.place = Whereabouts(int(self.sight.atlas.graph.start))
        if before is not None:
            self.query_one(PositionList).tell(None, 0, str, lambda node, edge: "")
        for drawn in self.query(PositionMap):
            drawn.set_orders(by_row, self.sight.place.node)
        self.draw()
        self._share_room()

    def _draw_captions(self) -> None:
        for at, lane in enumerate(self.sight.lanes):
            self.fill(f"caption{at}", train_view.caption(lane, at, at == self.sight.active))

    def _draw_views(self) -> None:
        self.sight.stale = False
        if not self.conductor.following or self.sight.game is None:
            self.fill("episode", position_panel.paint_game(None, 0))
        self.fill("curve", train_view.curve(self.conductor))
        atlas = self.sight.atlas
        self.sight.views = [lane.view if atlas is None or atlas.shows(lane.view) else None for lane in self.sight.lanes]
        if self.sight.atlas is None or self._view is None:
            self.fill("position", position_panel.paint(None))
            return
        verdicts = [view.standing.verdicts if view is not None else None for view in self.sight.views]
        by_turns = len(verdicts) > 1 and self.conductor.going  # a slow line cannot carry two maps at once
        self.sight.turn = (self.sight.turn + 1) % max(len(verdicts), self._across)
        for at, own in enumerate(verdicts):
            if own is not None:
                other = verdicts[1 - at] if len(verdicts) > 1 and self._across < 3 else None
                unmet = self.conductor.meetings.unmet(self.sight.lanes[at]) if other is None else None
                self.map(at).show(own, other, counts_only=by_turns and at != self.sight.turn, unmet=unmet)
        if self._across > 2 and verdicts[0] is not None and verdicts[1] is not None:
            waits, difference = by_turns and self.sight.turn < len(verdicts), self.query_one("#difference", PositionMap)
            difference.show_difference(verdicts[0], verdicts[1], counts_only=waits)
        self._draw_position()

    def _draw_position(self) -> None:
        atlas, place, positions = self.sight.atlas, self.sight.place, self.query_one(PositionList)
        self._fill_position(place.node, place.edge)
        self._give_reasons()
        if positions.display and atlas is not None and (scores := self._scores) is not None:
            positions.ask = self.sight.lanes[self.sight.active].ask
            positions.tell(scores, place.node, atlas.name, atlas.move_name)

    def _fill_position(self, node: int, edge: int | None) -> None:
        atlas, view = self.sight.atlas, self._view
        if atlas is not None and view is not None:
            if isinstance(lane := self.sight.lanes[self.sight.active], ForeignLane):
                lane.look_at([node, *self.query_one(PositionList).nodes])
            self.fill("position", position_panel.paint(train_view.position(atlas, view, lane, node, edge)))

    def ask(self, about: Asked) -> None:
        """Show the reasons of the marked move, or the heaviest patterns; or no longer."""
        self.asked = None if self.asked is about else about
        self.screen.set_class(self.asked is not None, "-reasons")
        self._share_room()
        self.query_one("#why", Panel).headed(about.value)
        self.fill("why", reasons_panel.paint_past(None) if about is Asked.PAST else reasons_panel.paint(None))
        self.sight.reasoning.cancel()
        self.call_after_refresh(self._give_reasons, renewed=True)  # the panel has its size then

    def _give_reasons(self, renewed: bool = False) -> None:
        """Work out what the panel of reasons shows, of the weights as they are now; one at a time."""
        sight, atlas, view = self.sight, self.sight.atlas, self._view
        panel = self.query_one("#why", Panel)
        if self.asked is Asked.PAST and atlas is not None and view is not None:
            past = train_view.past(atlas, view, sight.lanes[sight.active], sight.place.node)
            self.fill("why", reasons_panel.paint_past(past))
            return
        if not panel.display or atlas is None or view is None or sight.reasoning.running or sight.place.node < 0:
            return
        lane, about = sight.lanes[sight.active], self.asked or Asked.MOVE
        estimator, node = lane.training.estimator, sight.place.node
        rests = lane.running and monotonic() - self._gathered < RENEWED  # the run waits while they are gathered
        if estimator is None or (about is Asked.HEAVIEST and rests and not renewed):
            return
        self._gathered = monotonic()
        edges, at = train_view.ranked(atlas, view, node, sight.place.edge)
        edge = edges[at]
        move, state, game = int(atlas.graph.move[edge]), atlas.state(node), atlas.game

        def work(progress: Progress) -> reasons_panel.ShownReasons:
            places = sight.places = sight.places or reasons.places(game, estimator.sight.inputs)
            account = lane.run.account(*((None, None) if about is Asked.HEAVIEST else (state, move)))
            return reasons_panel.ShownReasons(game, places, account, atlas.move_name(node, edge))

        sight.reasoning.start(
            shell(self).jobs, "why", work, lambda shown: self.fill("why", reasons_panel.paint(shown)), self._say
        )

    def summary(self) -> str:
        """Return what the function has learned, in sentences, a line each."""
        training = self.sight.lanes[self.sight.active].training
        now = summary.of(training, training.curve, self._view, self.sight.places)
        self.sight.places = now.places or self.sight.places
        return "\n".join(summary.sentences(now, shell(self).glyphs.discs))

    def on_resize(self) -> None:
        self._share_room()
        self.call_after_refresh(self.draw)  # the list may be visible now

    def _share_room(self) -> None:
        """Give maps in frames the lines they can use, and the rest to the panels below."""
        maps = self.query_one("#maps")
        maps.styles.clear_rule("height")
        if self.screen.has_class("-framed") and self.sight.atlas is not None:
            two, wide = len(self.sight.lanes) > 1, self.size.width
            frame = 2 + two  # with the caption
            most = LARGE if self.screen.has_class("-large") and self.asked is None else SHARE
            room = int(self.size.height * most) - frame
            third, half = (self.map(0).pitch_in(wide // number - 4, room) for number in (3, 2))
            self._across = 1 + two + (two and self.screen.has_class("-huge") and third >= min(TILE, half))
            self.screen.set_class(self._across > 2, "-three")
            maps.styles.height = max(LEAST, self.map(0).lines_in(wide // self._across - 4, room) + frame)

    # Games move by move.

    def _roll(self) -> None:
        """Show the last game, if games are followed and it was not shown yet."""
        sight = self.sight
        games = [lane.run.followed_game for lane in sight.lanes]  # the last ones, if games are followed
        followed = games[sight.active] if games and self.conductor.following else None
        if followed is None or sight.atlas is None or followed is sight.film.of:
            return
        training, pace = sight.lanes[sight.active].training, self.conductor.pace
        if training.games > followed.after.games + 1:
            return  # the learner has played on: this game is old
        seconds = 1 / pace.speed if pace.singly and pace.speed and self.conductor.going else None
        sight.game, sight.filmed = train_view.played(sight.atlas, followed, training.learner), games
        sight.walked = train_view.walked(sight.atlas, followed)
        self._before_game()
        sight.film.start(self, followed, sight.game.frames, seconds, shell(self).tick, self._show_frame)
        self.conductor.changed()
        self._show_frame(0)

    def _before_game(self) -> None:
        """Show everything as before the game, without marks for older changes."""
        for at, (lane, game) in enumerate(zip(self.sight.lanes, self.sight.filmed, strict=True)):
            if game is not None:
                lane.freeze(game.before)
            self.map(at).settle()
        self.sight.views = [lane.view for lane in self.sight.lanes]

    def walk(self, by: int) -> None:
        """Go so many moves forwards in the last game that was shown move by move, or backwards."""
        sight = self.sight
        assert sight.game is not None
        last = sight.game.frames - 1
        sight.film.stop()
        if sight.frame is None and by < 0:
            self._before_game()
        self._show_frame(max(0, min(last, (last if sight.frame is None else sight.frame) + by)))

    def _show_frame(self, frame: int) -> None:
        """Show the game after `frame` moves on board, map and position panel; at its end the scores change."""
        self.fill("episode", position_panel.paint_game(self.sight.game, frame))
        self.sight.frame = frame if frame < len(self.sight.walked) else None
        if self.sight.frame is not None:
            node, edge = self.sight.walked[frame]
            if node >= 0:
                self.map().goto(node)
            followed, played = self.sight.filmed[self.sight.active], self.sight.game
            if followed is not None and followed.steps is not None and played is not None:
                self.fill("position", position_panel.paint_step(played.game, followed.steps, frame))
            else:
                self._fill_position(node, edge)
        else:
            self.map().goto(self.sight.place.node)
            for lane, game in zip(self.sight.lanes, self.sight.filmed, strict=False):
                lane.thaw(game.after if game is not None else None)
            self.conductor.changed()

    def _find_change(self) -> None:
        """Go to the change that `to_change` has found."""
        nodes, atlas = self.conductor.found_change(self.sight.active), self.sight.atlas
        if nodes and atlas is not None:
            second = f", and in {atlas.name(nodes[1])}" if nodes[1:] else ""
            more = f" and {len(nodes) - 2} more" if nodes[2:] else ""
            self._say(f"The best move has changed in {atlas.name(nodes[0])}{second}{more}")
            self.sight.stale = True
            self.sight.place.go(nodes[0], keep=True)  # shown when the game that changed it is at its end

    def copies(self) -> list[Copy]:
        """Return the marked position and the table, in the order of the list."""
        atlas, scores = self.sight.atlas, self._scores
        if atlas is None or scores is None:
            return []
        order = self.query_one(PositionList).order
        nodes = order if len(order) == len(scores) else range(len(scores))

        def lines() -> Iterator[str]:
            for node in nodes:
                edge, score, played = scores.best(node)
                move, verdict = atlas.move_name(node, edge), WORDS[int(scores.verdict[node])]
                row = dict(zip(HEAD, (atlas.name(node), verdict, move, score, played), strict=True))
                yield sheet([row], HEAD).splitlines()[-1]

        return [Copy("position", self.position), rows("table", ",".join(HEAD), lines, len(nodes))]

    # Moving.

    def _say(self, text: str = "") -> None:
        self.post_message(Said(text))

    def _go(self, node: int, *, keep: bool = True) -> None:
        """Go to this position; with `keep`, remember the previous one for `back`."""
        self.sight.place.go(node, keep=keep)
        if self.sight.frame is not None:
            self.sight.rest()
            self.sight.stale = True
        for drawn in self.query(PositionMap):
            drawn.goto(node)
        self._draw_position()

    def goto(self, text: str) -> None:
        """Go to the typed position. Raises InputError if there is none."""
        if self.sight.atlas is None:
            raise InputError("the game is not solved yet: wait for the map")
        node = self.sight.atlas.node(text)
        if node < 0:
            raise InputError(f"{text.strip()} is {self.sight.atlas.absence}")
        self._go(node)

    def mark(self, by: int) -> None:
        """Mark another move of the position, further down or up."""
        if self.sight.atlas is not None and self._view is not None:
            edges, at = train_view.ranked(self.sight.atlas, self._view, self.sight.place.node, self.sight.place.edge)
            self.sight.place.edge = edges[max(0, min(len(edges) - 1, at + by))]
            self._draw_position()

    def follow(self) -> None:
        """Go to the position after the marked move."""
        if self.sight.atlas is None or self._view is None:
            return
        edges, at = train_view.ranked(self.sight.atlas, self._view, self.sight.place.node, self.sight.place.edge)
        node = int(self.sight.atlas.graph.to[edges[at]])
        if node >= 0:
            self._go(node)
        elif node == ELSEWHERE:
            self._say("That move leads to a position that is not on the map")
        else:
            self._say(f"{self.sight.atlas.move_name(self.sight.place.node, edges[at])} ends the game and {ENDS[node]}")

    def back(self) -> None:
        if (node := self.sight.place.back()) is not None:
            self._go(node, keep=False)
        else:
            self._say("There is no previous position")

    def next_wrong(self) -> None:
        """Go to the wrong position that is met most, then to the next less often met."""
        if (ask := self.sight.lanes[self.sight.active].ask) is not None:
            self.sight.asking.start(shell(self).jobs, "counts", lambda _: ask(), self._go_wrong, self._say)
        else:
            self._go_wrong(None)

    def _go_wrong(self, numbers: Numbers | None) -> None:
        view = self._view
        times = self.conductor.meetings.times(self.sight.lanes[self.sight.active], numbers)
        if times is None or view is None:
            return
        node = self.map().next_wrong(times.number, again=times.where != self._sorted_by)
        self._sorted_by = times.where
        if node is None:
            self._say("Every best move is right")
        else:
            self._go(node)
            verdict = int(view.standing.verdicts[node])
            others = plural(int((view.standing.verdicts == verdict).sum()) - 1, "other", "others")
            self._say(f"{WORDS[verdict].capitalize()}, as {others}; met {times.of(node)}")

    def next_difference(self) -> None:
        """Go to the next position that only one of two learners plays right, the most met first."""
        (one, other), lanes = [*self.sight.views, None, None][:2], self.sight.lanes
        if one is None or other is None:
            return
        pair, meetings = (one.standing.verdicts, other.standing.verdicts), self.conductor.meetings
        truth = lanes[0].listed if meetings.searched is None else lanes[0].training.truth
        times = meetings.times(lanes[self.sight.active])
        different = evaluate.alone(*pair) | evaluate.alone(*reversed(pair))
        node = self.map().next_of(different, None if times is None else times.number)
        if node is None:
            self._say("Both play the same positions right")
            return
        self._go(node)
        met = [] if truth is None else [evaluate.visits_of(truth, view.visits) for view in (one, other)]
        order = -1 if pair[0][node] != RIGHT else 1  # who is right here comes first
        names, both, met = [lane.title for lane in lanes][::order], pair[::order], met[::order]
        texts = [evaluate.sentence(names, both, met), evaluate.sentence(names[::-1], both[::-1], met[::-1])]
        if met:
            texts.append(f"{names[0]} met this one {plural(int(met[0][node]), 'time', 'times')}")
        self._say(". ".join(texts))

    def next_order(self) -> None:
        """Sort the maps by the next order."""
        names, present = [order.name for order in self.map(0).orders], self.map(0).order
        if present is not None:
            for drawn in self.query(PositionMap):
                drawn.set_order(names[(names.index(present.name) + 1) % len(names)])
            self._share_room()

    def toggle_list(self) -> None:
        """Show the list, or return to the map."""
        self.listing = not self.listing
        self.screen.set_class(self.listing, "-listing")
        self._draw_position()
        self.call_after_refresh(self._draw_position)  # the list has its size now
        (self.query_one(PositionList) if self.listing else self.map()).focus()

    def _stepped(self, node: int) -> None:
        if node >= 0 and node != self.sight.place.node:
            self._go(node, keep=False)

    def on_position_map_picked(self, message: PositionMap.Picked) -> None:
        self.follow()

    def on_position_list_moved(self, message: PositionList.Moved) -> None:
        self._go(message.node, keep=False)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id in ("map0", "map1"):
            active = int(event.widget.id[-1])
            if active != self.sight.active and active < len(self.sight.lanes):
                self.sight.active = active
                self.draw()
