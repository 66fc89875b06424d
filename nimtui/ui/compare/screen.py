"""The Compare screen: agents beside each other on one position, the exact values, the effort of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from nimtui.errors import InputError
from nimtui.jobs import Job
from nimtui.report.lines import plain_text
from nimtui.ui.compare import keys as compare_keys
from nimtui.ui.compare import view as compare_view
from nimtui.ui.compare.conductor import CompareConductor
from nimtui.ui.compare.draft import agent_field
from nimtui.ui.compare.files import able, content, parse_target, suggested, write
from nimtui.ui.compare.form import CompareChoice, CompareExport, CompareForm
from nimtui.ui.compare.stage import CompareStage
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.footer import Footer
from nimtui.ui.kit.header import Header
from nimtui.ui.kit.mode_screen import ModeScreen
from nimtui.ui.kit.panel import Panel
from nimtui.ui.kit.shell import shell
from nimtui.ui.play.compare_setup import LIST, MAP, TABLE, CompareSetup

WIDEST = 200  # columns of a copied table


class ComparisonScreen(ModeScreen[CompareConductor]):
    """Forwards keys to the app's conductor, which asks the agents, and to the stage, which shows them."""

    CONDUCTOR = CompareConductor
    BINDING_GROUP_TITLE = "Compare"
    HELP = compare_keys.HELP
    BINDINGS: ClassVar[list[BindingType]] = [*compare_keys.WALKING, *compare_keys.RUNNING, *compare_keys.ALWAYS]

    @property
    def stage(self) -> CompareStage:
        return self.query_one(CompareStage)

    def compose(self) -> ComposeResult:
        yield Header()
        yield Panel(id="status")
        yield CompareStage(self.conductor)
        yield Footer()

    def on_mount(self) -> None:
        if self.conductor.setup is None:
            self.call_after_refresh(self._ask_first)

    def _ask_first(self) -> None:
        if self.conductor.setup is None:
            self.action_new()

    def start(self, setup: CompareSetup | None) -> None:
        """Start this comparison."""
        if setup is None:
            return
        self.conductor.every = shell(self).tick
        try:
            self.conductor.start(setup)
        except InputError as fault:
            self.notify(str(fault), title="Cannot compare these agents", severity="error")
            return
        if self.is_mounted:
            self._open(setup.view)
        else:
            self.call_after_refresh(self._open, setup.view)

    def _open(self, view: str = "") -> None:
        self.stage.open()
        self.stage.show(view or self.stage.view)

    # Showing.

    def tick(self) -> None:
        if self.conductor.look():
            self.draw()

    def draw(self) -> None:
        if self.there and self.query(CompareStage):
            self.stage.draw()
            self.fill("status", compare_view.status(self.conductor))
            self.draw_footer()

    # Actions.

    def possible(self, action: str) -> bool | None:
        there = self.there and bool(self.query(CompareStage))
        return there and compare_keys.possible(action, self.conductor, self.stage)

    def action_go(self, down: int, across: int) -> None:
        self.stage.go(down, across)
        self.draw_footer()

    def action_enter(self) -> None:
        """Walk into the marked move; on the agents' names, change the agent."""
        if self.stage.listed or self.stage.planted:
            self.stage.take()
            return
        if self.stage.move is None:
            self.action_agent()
            return
        self.conductor.walk(self.stage.move)
        self._open()

    def action_back(self) -> None:
        move = self.conductor.back()
        self._open()
        self.stage.mark(move)
        self.draw()

    def action_leave(self) -> None:
        """Stop what runs; else return to the table, then go back in the game, then leave the screen."""
        if self.conductor.stop():
            self.draw()
        elif not self.stage.tabled:
            self.action_view(TABLE)
        elif self.conductor.path:
            self.action_back()
        else:
            shell(self).action_go_back()

    def action_pause(self) -> None:
        self.conductor.pause_or_go_on()

    def action_view(self, view: str) -> None:
        self.stage.show(view)
        self.draw()

    def action_part(self) -> None:
        self.stage.part()

    def action_positions(self) -> None:
        """Show the map of all positions; from the map, the list; from the list, the map."""
        self.action_view(LIST if self.stage.view == MAP and self.conductor.everywhere.found is not None else MAP)

    def on_compare_stage_opened(self, message: CompareStage.Opened) -> None:
        self.conductor.open(message.node)
        self._open(TABLE)

    def action_agent(self) -> None:
        setup = self.conductor.setup_here
        if setup is not None:
            self.app.push_screen(CompareForm(setup, agent_field(self.stage.place.agent)), self._changed)

    def _changed(self, setup: CompareSetup | None) -> None:
        """Start the changed comparison in the view that is shown."""
        if setup is not None:
            self.start(replace(setup, view=self.stage.view))

    def action_new(self) -> None:
        self.app.push_screen(CompareChoice(self.conductor.setup_here), self.start)

    def action_export(self) -> None:
        conductor, view = self.conductor, self.stage.view

        def chosen(path: Path | None) -> None:
            if path is not None and able(conductor, view):
                text = content(path.suffix.lower(), conductor, view)
                self.fetch("exporting", lambda progress: write(path, text, progress), self._exported)

        form = CompareExport(suggested(conductor, view), lambda text: parse_target(text, conductor, view))
        self.app.push_screen(form, chosen)

    def _exported(self, job: Job[Path]) -> None:
        if job.result is not None:
            self.conductor.message = f"Saved to {job.result}"
        elif job.error is not None:
            self.notify(job.error_text, title="Not saved", severity="error")
        self.draw()

    def copies(self) -> list[Copy]:
        """Return the position, the table of the agents as text, and the command of this comparison."""
        conductor, stage, signs = self.conductor, self.stage, shell(self).glyphs
        setup = conductor.setup_here
        if setup is None or conductor.game is None or conductor.state is None:
            return []
        found = [Copy("position", conductor.game.position_name(conductor.state))]
        if conductor.compared is not None:
            painted = compare_view.table(conductor, stage.place)(WIDEST, 1 + len(stage.moves), signs)
            found.append(Copy("table", "\n".join(plain_text(row).rstrip() for row in painted)))
        options = {"position": setup.position, "agent": setup.agents, "seed": setup.seed}
        return [*found, command("compare", setup.game, **options)]
